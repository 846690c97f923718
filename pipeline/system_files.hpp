// The files that encoding asks for, from the file system.
#pragma once
#include "netlink/context.hpp"

namespace nlstream {

class SystemFiles : public Files {
  public:
    /// What load_program() does.
    enum class Programs {
        load,
        check  ///< finds the program in its file; the kernel hears nothing of it, and what is open is the file
    };
    /// `say` gets whole lines of what there is to say of programs that are loaded verbosely.
    explicit SystemFiles(Programs programs, std::function<void(std::string_view)> say = {})
        : programs_(programs), say_(std::move(say)) {}

    std::optional<std::string> read(std::string const& path) override;
    std::vector<std::string> list(std::string const& path) override;
    std::unique_ptr<OpenFile> open(std::string const& path) override;
    std::unique_ptr<OpenFile> open_pinned_program(std::string const& path) override;
    std::unique_ptr<OpenFile> load_program(ProgramInFile const& program) override;

  private:
    Programs programs_;
    std::function<void(std::string_view)> say_;
};

}  // namespace nlstream
