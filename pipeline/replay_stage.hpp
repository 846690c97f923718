// Ready messages -> requests. No I/O.
#pragma once
#include "pipeline/stage.hpp"

namespace nlstream {

/// Takes files of netlink messages as they are sent: one behind the other, each as long as its nlmsg_len says and padded
/// to 4 bytes. Each message counts as a line, and is a request of its own; a later stage cannot tell the difference. One
/// that changes nothing (a question, a control message) is rejected.
class ReplayStage : public Stage {
  public:
    /// `stop_at_rejection`: see Step::rejected.
    explicit ReplayStage(bool stop_at_rejection) : stop_at_rejection_(stop_at_rejection) {}

    void start_file(u64 from_line) override;
    void end_file() const override;
    /// Throws BadFile where no message begins.
    Step encode(Batch& batch, std::size_t& position, bool at_end) override;
    void settled(bool) override {}
    void give_up() override { given_up_ = true; }

  private:
    /// Bytes of the message that `rest` begins with; 0: not all of it is there.
    std::size_t length_of_next(std::span<char const> rest, bool at_end) const;
    Step take(std::span<std::byte const> message, Batch& batch, std::size_t position) const;

    bool stop_at_rejection_;
    bool given_up_ = false;
    u64 from_line_ = 1;
    u64 number_ = 1;  ///< of the next message
};

/// A message in one line, for reports: its type and flags. Empty if `message` is none.
std::string title_of(std::string_view message);

}  // namespace nlstream
