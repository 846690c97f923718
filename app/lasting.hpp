// For messages that are to be sent later, maybe more than once: keeps out what would mean something else then.
#pragma once
#include "netlink/context.hpp"
#include "netlink/links.hpp"

namespace nlstream {

/// Asks another kernel. Throws a Diagnostic instead of BarrierNeeded and of assuming: where a line depends on what the
/// lines before it do, its message cannot be known before they are applied.
class LastingKernel : public Kernel {
  public:
    /// `kernel` must outlive it.
    explicit LastingKernel(Kernel& kernel) : kernel_(kernel) {}
    /// What knows which links the lines touch. Before the first question.
    void watch(Links const& links) { links_ = &links; }

    std::optional<Link> link(std::string_view name) override;
    std::optional<Link> link(u32 index) override;
    std::optional<std::vector<std::byte>> link_options(u32 index) override;
    std::unique_ptr<Dump> begin_dump(std::span<std::byte const> request) override;
    std::optional<s32> namespace_id(OpenFile const& of, OpenFile const* seen_from) override;
    std::optional<u32> link_in(s32 id, OpenFile const* seen_from, std::string_view name) override;
    std::optional<u16> ip_set(std::string_view name) override;

  private:
    void require_untouched() const;

    Kernel& kernel_;
    Links const* links_ = nullptr;
};

/// Reads other files, and opens none: a descriptor is good for one process.
class LastingFiles : public Files {
  public:
    /// `files` must outlive it.
    explicit LastingFiles(Files& files) : files_(files) {}
    std::optional<std::string> read(std::string const& path) override { return files_.read(path); }
    std::vector<std::string> list(std::string const& path) override { return files_.list(path); }
    std::unique_ptr<OpenFile> open(std::string const& path) override;
    std::unique_ptr<OpenFile> open_pinned_program(std::string const& path) override { return open(path); }
    std::unique_ptr<OpenFile> load_program(ProgramInFile const& program) override { return open(program.path); }

  private:
    Files& files_;
};

}  // namespace nlstream
