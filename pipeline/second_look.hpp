// Why the kernel refused a line, found by encoding it once more.
#pragma once
#include <string>

#include "netlink/answer.hpp"
#include "netlink/encoder.hpp"
#include "netlink/missing.hpp"
#include "pipeline/request_kind.hpp"

namespace nlstream {

/// Encodes lines that failed again, with a trail, so that the kernel's offset leads to a word: the trail that the hot
/// path does without. Asks no kernel; every name is taken for a link.
class SecondLook {
  public:
    /// `files` must outlive it.
    SecondLook(Files& files, Encoder::Options options);

    /// The refusal of message number `message` (from 0) of the line `text`, with the word at fault if it can be told.
    Diagnostic explain(std::string_view text, u32 message, Answer const& answer);

    /// What the first request of the line `text` would be about if all links that it names existed; nothing if it would
    /// still be refused.
    RequestKind kind(std::string_view text);

  private:
    class AnyLink : public Kernel {
      public:
        std::optional<Link> link(std::string_view name) override {
            return Link{.index = 1, .name = std::string(name), .kind = "vrf"};
        }
        std::optional<Link> link(u32 index) override { return Link{.index = index, .name = "any", .kind = "vrf"}; }
        std::optional<std::vector<std::byte>> link_options(u32) override {
            return std::optional<std::vector<std::byte>>(std::in_place);
        }
        std::unique_ptr<Dump> begin_dump(std::span<std::byte const>) override { return {}; }
        std::optional<s32> namespace_id(OpenFile const&, OpenFile const*) override { return 0; }
        std::optional<u32> link_in(s32, OpenFile const*, std::string_view) override { return 1; }
        std::optional<u16> ip_set(std::string_view) override { return u16{1}; }
    };

    void begin();
    TriedLine try_line(std::string_view text, Trail& trail);

    AnyLink kernel_;
    Encoder encoder_;
    MessageBuffer messages_;
    MissingKeywords missing_;
};

}  // namespace nlstream
