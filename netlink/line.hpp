// One line while it is read: its words, the request it becomes, and what it may ask.
#pragma once
#include <sys/socket.h>

#include <array>
#include <optional>

#include "netlink/clock.hpp"
#include "netlink/context.hpp"
#include "netlink/links.hpp"
#include "netlink/message.hpp"
#include "netlink/words.hpp"

namespace nlstream {

class Names;
class Nearest;

/// Words that may stand in one place: a table's, a value's, the controls of actions.
struct WordList {
    void const* first = nullptr;
    std::size_t count = 0;
    void (*offer)(void const* first, std::size_t count, Nearest&) = nullptr;
};

/// What a line that goes on keeps. See Line::more.
struct Continuation {
    virtual ~Continuation() = default;
};

/// What readers of a line share. One per encoder, used again for each line.
struct Line : Words {
    Line(Links& device_names, Names& number_names, Files& system_files, Kernel& asked)
        : links(device_names), names(number_names), files(system_files), kernel(asked) {}

    Links& links;
    Names& names;
    Files& files;
    Kernel& kernel;
    MessageBuffer out;      ///< the requests of the batch so far, and the one being built
    u32 messages = 0;       ///< how many of them are this line's
    std::string_view device;///< the name that `dev` gave, for values that depend on the link (a share of its speed)
    u8 family = AF_UNSPEC;  ///< of the line: -4, -6, -0 (AF_PACKET), -B (AF_BRIDGE), -M (AF_MPLS), -family
    /// The line goes on after the messages it has made so far: encode it again once they are settled (flush).
    bool more = false;
    /// What a line that goes on takes from one part to the next: nullptr at its first part.
    std::unique_ptr<Continuation> continuation;
    /// Requests were made since the kernel was last known to have applied everything.
    bool unsettled = false;
    /// An answer that says "no such thing" is success for the messages of this line (flush: it vanished meanwhile).
    bool absence_is_success = false;
    /// What this line's messages name by descriptor. Whoever sends them gets it (Encoded::kept).
    std::vector<std::unique_ptr<OpenFile>> kept;
    /// How many were kept since the kernel was last known to have applied everything.
    std::size_t open = 0;

    /// The packet scheduler's, read when a line asks for it first: most streams never do.
    Clock const& clock() {
        if (!clock_) clock_ = Clock::read(files);
        return *clock_;
    }

    /// For lines whose meaning depends on what the kernel has by now. Throws BarrierNeeded.
    void require_settled() const { if (unsettled) throw BarrierNeeded{}; }

    /// Before a file is opened that is to be kept: a process may have so many open, often 1024. Throws BarrierNeeded.
    void require_descriptor() const { if (open >= 256) require_settled(); }
    /// Keeps it open until the line's messages are settled.
    OpenFile const& keep(std::unique_ptr<OpenFile> file) {
        ++open;
        return *kept.emplace_back(std::move(file));
    }

    /// Takes the next word, and lets it be the source of what is put next.
    Word const& take(std::string_view wanted) {
        auto const& word = Words::take(wanted);
        out.source(word.span);
        return word;
    }
    /// Takes the name of a link and returns its index. Throws Diagnostic, BarrierNeeded.
    u32 take_device(std::string_view wanted = "a device") { return links.index(take(wanted)); }
    /// The same for the link that the whole line is about: `device` becomes its name.
    u32 take_main_device() {
        auto const& word = take("a device");
        device = word.text;
        return links.index(word);
    }

    /// The next word is none of `list`, and what stands in its place is perhaps mistyped. REQUIRES: the list outlives the line.
    void missed(WordList list) {
        if (missed_at_ != position()) missed_count_ = 0;
        missed_at_ = position();
        if (missed_count_ < missed_.size()) missed_[missed_count_++] = list;
    }
    /// Offers all words that might have stood in the place of `word`.
    void offer_missed(Word const& word, Nearest& nearest) const;
    /// Adds what the user may have meant to an error that says nothing of the kind.
    void suggest(Diagnostic& d) const;
    /// Begins another line.
    void split(std::string_view text) {
        missed_count_ = 0;
        Words::split(text);
    }

    /// Lets the last occurrence of the keyword `full` (or an abbreviation) and what follows it be the source of what is
    /// put next: for values that are kept first and put at the end. Costs nothing unless a trail is kept.
    void source_keyword(std::string_view full) {
        if (out.trail()) find_source(full);
    }

  private:
    void find_source(std::string_view full);

    std::optional<Clock> clock_;
    std::array<WordList, 12> missed_;  ///< at missed_at_
    std::size_t missed_at_ = 0;
    std::size_t missed_count_ = 0;
};

/// Throws: "bad WHAT: \"WORD\"", with what was expected beside the caret.
[[noreturn]] void fail_value(Word const& word, std::string_view what, std::string_view expected);
/// Throws: "WORD is out of range", with the range beside the caret.
[[noreturn]] void fail_range(Word const& word, std::string_view expected);
/// Throws: the word cannot be used here, and why.
[[noreturn]] void fail_use(Word const& word, std::string_view why);
/// Throws: the word is unknown in this place. `what` is what was looked for ("keyword", "qdisc"); `nearest` the known
/// word to suggest, may be empty.
[[noreturn]] void fail_unknown(Word const& word, std::string_view what, std::string_view nearest = {});
/// Throws: something required is missing at the end of the line; `wanted` is what to add ("rate RATE").
[[noreturn]] void fail_missing(Line const& line, std::string_view wanted);

/// The candidate that `typed` most likely was meant to be; empty when none is near.
/// `offer` is called with every candidate by `each`.
class Nearest {
  public:
    explicit Nearest(std::string_view typed) : typed_(typed) {}
    void offer(std::string_view candidate);
    std::string_view best() const { return best_; }

  private:
    std::string_view typed_;
    std::string_view best_;
    std::size_t distance_ = ~std::size_t{};
};

}  // namespace nlstream
