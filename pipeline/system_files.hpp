// The files that encoding asks for, from the file system.
#pragma once
#include "netlink/context.hpp"

namespace nlstream {

class SystemFiles : public Files {
  public:
    std::optional<std::string> read(std::string const& path) override;
    std::vector<std::string> list(std::string const& path) override;
    std::unique_ptr<OpenFile> open(std::string const& path) override;
    std::unique_ptr<OpenFile> open_pinned_program(std::string const& path) override;
};

}  // namespace nlstream
