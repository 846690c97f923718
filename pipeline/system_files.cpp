#include "pipeline/system_files.hpp"

#include <fcntl.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "pipeline/input.hpp"
#include "pipeline/program_object.hpp"

namespace nlstream {
namespace {

class OwnedFile : public OpenFile {
  public:
    explicit OwnedFile(int number) : file_(number) {}
    int descriptor() const override { return file_.get(); }

  private:
    Descriptor file_;
};

/// REQUIRES: errno says why if `number` is negative.
std::unique_ptr<OpenFile> own(int number) { return number < 0 ? nullptr : std::make_unique<OwnedFile>(number); }

}  // namespace

std::optional<std::string> SystemFiles::read(std::string const& path) {
    Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) return {};
    std::string text;
    for (std::size_t size = 0;;) {
        text.resize(std::max<std::size_t>(4096, 2 * size));
        auto const got = ::read(file.get(), text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return {};  // A directory, for one.
        size += static_cast<std::size_t>(got);
        if (got > 0) continue;
        text.resize(size);
        return text;
    }
}

std::vector<std::string> SystemFiles::list(std::string const& path) {
    std::vector<std::string> names;
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator(path, error)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
}

std::unique_ptr<OpenFile> SystemFiles::open(std::string const& path) {
    return own(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

std::unique_ptr<OpenFile> SystemFiles::open_pinned_program(std::string const& path) {
    bpf_attr request{};
    request.pathname = reinterpret_cast<u64>(path.c_str());
    return own(static_cast<int>(::syscall(SYS_bpf, BPF_OBJ_GET, &request, sizeof request)));
}

std::unique_ptr<OpenFile> SystemFiles::load_program(ProgramInFile const& program) {
    return own(programs_ == Programs::load ? load_object(program, say_) : open_object(program));
}

}  // namespace nlstream
