// Text -> bytes: one logical line of a batch becomes one request, or several.
#pragma once
#include <memory>
#include <string_view>

#include "netlink/context.hpp"
#include "netlink/message.hpp"

namespace nlstream {

class Links;
class Names;

/// Whose command language a line is written in. `any`: its first word or its object says.
enum class Tool : u8 { any, tc, ip, bridge };

/// What has to be known of a line besides its messages.
struct Encoded {
    u32 messages = 0;                 ///< how many were appended; 0: the line holds no command (blank, comment)
    bool command = false;             ///< the line holds a command
    bool more = false;                ///< when these are settled, encode the line again: it goes on (flush)
    bool absence_is_success = false;  ///< ENOENT, ESRCH, ENODEV, EADDRNOTAVAIL are success for these messages (flush)
    std::vector<std::unique_ptr<OpenFile>> kept = {};  ///< has to stay open until the messages are settled
};

/// Encodes lines, one after the other, in the context of one network namespace. Not thread-safe.
class Encoder {
  public:
    struct Options {
        Tool tool = Tool::any;  ///< --syntax
        u8 family = 0;          ///< -4, -6, --family: AF_*
    };

    /// `kernel` and `files` must outlive the encoder.
    Encoder(Kernel& kernel, Files& files, Options options);
    ~Encoder();

    /// Appends the messages of `line` (a logical line: continuations joined) to `out`, each with NLM_F_REQUEST and
    /// NLM_F_ACK set as iproute2 does, nlmsg_seq and nlmsg_pid zero.
    /// Throws Diagnostic when the line is wrong, BarrierNeeded when it depends on requests that are not settled yet;
    /// `out` is then as it was. Records the sources of the last message's attributes in `trail`, if given.
    Encoded encode(std::string_view line, MessageBuffer& out, Trail* trail = nullptr);

    /// The kernel has applied everything that was encoded so far.
    void settled();

    /// The name cache: tell it of changes made by others.
    Links& links();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace nlstream
