// What travels between the stages: the lines of one read, and the requests they became.
#pragma once
#include <boost/container/vector.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netlink/context.hpp"
#include "netlink/diagnostic.hpp"
#include "netlink/message.hpp"
#include "netlink/origin.hpp"

namespace nlstream {

/// One line of a batch that holds a command.
struct BatchLine {
    u32 begin = 0;  ///< its physical lines in Batch::text
    u32 end = 0;
    u32 number = 0;          ///< its first physical line, counted from Batch::first_number
    u32 messages_end = 0;    ///< the batch's messages up to and with this line's
    bool continued = false;  ///< has more than one physical line: its text has to be joined
    bool rejected = false;   ///< has no messages, but an entry in Batch::rejections
    bool absent = false;     ///< has no messages: it deletes something of a link that does not exist, as was expected
    bool goes_on = false;    ///< a later entry is the same line's next part
    bool absence_is_success = false;  ///< see Encoded
};

/// A line that was refused before it was sent.
struct Rejection {
    u32 line = 0;      ///< index in Batch::lines
    std::string text;  ///< what the spans of `why` count in
    Diagnostic why;
};

/// A line marker among the lines: the physical line behind it was made from line `line` of a generator's file.
struct MarkedLine {
    u32 number = 0;  ///< the marker's line, counted from Batch::first_number
    u64 line = 0;
    u32 name_begin = 0;  ///< the generator's file in Batch::text; an empty name: the one before
    u32 name_end = 0;
};

/// Some lines and their messages, in order. Batches go round: the encoder fills one, the sender hands it back when
/// every line is settled.
struct Batch {
    std::string_view file;   ///< where the lines came from; outlives the batch
    u64 first_number = 1;    ///< the line that BatchLine::number counts from
    boost::container::vector<char> text;  ///< what was read; lines are views of it
    std::size_t text_size = 0;
    std::vector<BatchLine> lines;
    MessageBuffer messages;  ///< all requests, nlmsg_seq zero until they are sent
    u32 message_count = 0;
    std::vector<Rejection> rejections;
    u64 input_bytes = 0;  ///< of the file: these lines, and comments and blank lines before them
    std::vector<std::string_view> absent_objects;  ///< of each absent line: what it would have deleted, "route"
    std::vector<std::unique_ptr<OpenFile>>
        kept;  ///< what the messages name by descriptor: open until every line is settled

    std::vector<MarkedLine> markers;
    std::string made_from;  ///< the generator's file that line first_number was made from; empty: none is known
    u64 made_from_line = 0;

    bool settle = false;    ///< somebody waits for this batch: have it answered even if nothing else would ask
    bool last = false;      ///< nothing follows
    bool given_up = false;  ///< its lines have no messages, as they come after a stop
    bool last_line_failed = false;  ///< when it comes back: what became of the last line
    bool stopped = false;           ///< when it comes back: nothing more will be sent

    std::string_view raw(BatchLine const& line) const { return {text.data() + line.begin, line.end - line.begin}; }

    /// Where the generator took the line from, if it said so. The name is good as long as the batch.
    std::optional<Origin> origin(BatchLine const& line) const;

    /// Forgets lines and messages, keeps text and memory.
    void forget_lines() {
        lines.clear();
        messages.clear();
        message_count = 0;
        rejections.clear();
        absent_objects.clear();
        kept.clear();
        input_bytes = 0;
        markers.clear();
        made_from.clear();
        settle = last = given_up = last_line_failed = stopped = false;
    }
};

}  // namespace nlstream
