// What travels between the stages: the lines of one read, and the requests they became.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "netlink/context.hpp"
#include "netlink/diagnostic.hpp"
#include "netlink/message.hpp"

namespace nlstream {

/// One line of a batch that holds a command.
struct BatchLine {
    u32 begin = 0;  ///< its physical lines in Batch::text
    u32 end = 0;
    u32 number = 0;                   ///< its first physical line, counted from Batch::first_number
    u32 messages_end = 0;             ///< the batch's messages up to and with this line's
    bool continued = false;           ///< has more than one physical line: its text has to be joined
    bool rejected = false;            ///< has no messages, but an entry in Batch::rejections
    bool goes_on = false;             ///< a later entry is the same line's next part
    bool absence_is_success = false;  ///< see Encoded
};

/// A line that was refused before it was sent.
struct Rejection {
    u32 line = 0;      ///< index in Batch::lines
    std::string text;  ///< what the spans of `why` count in
    Diagnostic why;
};

/// Some lines and their messages, in order. Batches go round: the encoder fills one, the sender hands it back when
/// every line is settled.
struct Batch {
    std::string_view file;   ///< where the lines came from; outlives the batch
    u64 first_number = 1;    ///< the line that BatchLine::number counts from
    std::vector<char> text;  ///< what was read; lines are views of it
    std::size_t text_size = 0;
    std::vector<BatchLine> lines;
    MessageBuffer messages;  ///< all requests, nlmsg_seq zero until they are sent
    u32 message_count = 0;
    std::vector<Rejection> rejections;
    u64 input_bytes = 0;  ///< of the file: these lines, and comments and blank lines before them
    std::vector<std::unique_ptr<OpenFile>>
        kept;  ///< what the messages name by descriptor: open until every line is settled

    bool settle = false;  ///< the encoder waits for this batch: have it answered even if nothing else would ask
    bool last = false;    ///< nothing follows
    bool last_line_failed = false;  ///< when it comes back: what became of the last line
    bool stopped = false;           ///< when it comes back: nothing more will be sent

    std::string_view raw(BatchLine const& line) const { return {text.data() + line.begin, line.end - line.begin}; }

    /// Forgets lines and messages, keeps text and memory.
    void forget_lines() {
        lines.clear();
        messages.clear();
        message_count = 0;
        rejections.clear();
        kept.clear();
        input_bytes = 0;
        settle = last = last_line_failed = stopped = false;
    }
};

}  // namespace nlstream
