#include "pipeline/program_object.hpp"

#include <bpf/libbpf.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace nlstream {
namespace {

/// Where maps are pinned of which the object only says that they are, as iproute2 has it, so that both share them.
constexpr char const* pinned_maps = "/sys/fs/bpf/tc/globals";
constexpr char const* pinned_maps_above = "/sys/fs/bpf/tc";

/// What libbpf says while this lives, in this thread: it would print it.
class Said {
  public:
    /// `say` gets it as it comes, in whole lines, if there is one.
    explicit Said(std::function<void(std::string_view)> say) : say_(std::move(say)) {
        [[maybe_unused]] static auto const before = libbpf_set_print(&Said::hear);
        current_ = this;
    }
    Said(Said const&) = delete;
    Said& operator=(Said const&) = delete;
    ~Said() { current_ = nullptr; }

    void forget() { warnings_.clear(); }
    /// The first warning, which is nearest to the cause, and what the kernel's verifier said last; else the error's name.
    std::string why(int error) const;

  private:
    __attribute__((format(printf, 2, 0))) static int hear(libbpf_print_level level, char const* format, va_list arguments);

    static thread_local Said* current_;
    std::function<void(std::string_view)> say_;
    std::string unsaid_;  ///< the beginning of a line
    std::string warnings_;
};

thread_local Said* Said::current_ = nullptr;

int Said::hear(libbpf_print_level level, char const* format, va_list arguments) {
    if (!current_ || (level != LIBBPF_WARN && !current_->say_)) return 0;
    char* text = nullptr;
    if (::vasprintf(&text, format, arguments) < 0) return 0;
    if (current_->say_ && (current_->unsaid_ += text).ends_with('\n')) current_->say_(std::exchange(current_->unsaid_, {}));
    if (level == LIBBPF_WARN) current_->warnings_ += text;
    std::free(text);
    return 0;
}

/// Takes the first line of `text`.
std::string_view take_line(std::string_view& text) {
    auto const size = std::min(text.find('\n'), text.size());
    auto const line = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    return line;
}

std::string Said::why(int error) const {
    std::string_view rest = warnings_, first, verifier;
    bool in_log = false;
    while (!rest.empty()) {
        auto line = take_line(rest);
        constexpr std::string_view prefix = "libbpf: ";
        if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
        if (line.find("-- BEGIN PROG LOAD LOG --") != line.npos)
            in_log = true;
        else if (line.find("-- END PROG LOAD LOG --") != line.npos)
            in_log = false;
        // Two that are not why it fails.
        else if (!in_log && first.empty() && line.find("deprecated") == line.npos && !line.starts_with("Failed to bump RLIMIT_MEMLOCK"))
            first = line;
        // Numbers about the verifier's work are its log's end.
        else if (in_log && !line.starts_with("processed ") && !line.starts_with("verification time ") && !line.starts_with("stack depth "))
            verifier = line;
    }
    if (first.empty()) return std::strerror(error);
    return std::string(first) + (verifier.empty() ? "" : ": ") + std::string(verifier);
}

struct CloseObject {
    void operator()(bpf_object* object) const { bpf_object__close(object); }
};

/// An object file that was read, and the program in it that is meant.
struct Found {
    std::unique_ptr<bpf_object, CloseObject> object;
    bpf_program* program = nullptr;
};

/// Throws NotLoaded.
Found find(ProgramInFile const& wanted, Said const& said) {
    bpf_object_open_opts options{};
    options.sz = sizeof options;
    options.relaxed_maps = true;
    options.pin_root_path = pinned_maps;
    options.kernel_log_level = wanted.verbose ? 3 : 0;
    Found found;
    found.object.reset(bpf_object__open_file(wanted.path.c_str(), &options));
    if (!found.object) throw NotLoaded{NotLoaded::Fault::file, said.why(errno)};
    std::string others, last;
    bpf_program* each = nullptr;
    bpf_object__for_each_program(each, found.object.get()) {
        std::string const name = wanted.function.empty() ? bpf_program__section_name(each) : bpf_program__name(each);
        bool const meant = !found.program && name == (wanted.function.empty() ? wanted.section : wanted.function);
        if (meant) found.program = each;
        bpf_program__set_autoload(each, meant);
        // Programs of one section are neighbours.
        if (name != last) others += (others.empty() ? "" : ", ") + name;
        last = name;
    }
    if (!found.program) throw NotLoaded{NotLoaded::Fault::name, others.empty() ? "it holds no programs" : "it has " + others};
    return found;
}

/// What maps need before they are made for the program.
void prepare_maps(bpf_object* object, u32 device) {
    bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object) {
        // Perf event arrays stay with the kernel.
        if (bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY) bpf_map__set_ifindex(map, device);
        if (!bpf_map__pin_path(map)) continue;
        // libbpf would make only the last folder. If one cannot be made, the pinning fails, and says why.
        for (auto const* folder : {pinned_maps_above, pinned_maps}) ::mkdir(folder, S_IRWXU);
    }
}

}  // namespace

int load_object(ProgramInFile const& program, std::function<void(std::string_view)> const& say) {
    Said said(program.verbose ? say : nullptr);
    auto const found = find(program, said);
    bpf_program__set_type(found.program, static_cast<bpf_prog_type>(program.type));
    bpf_program__set_ifindex(found.program, program.device);
    prepare_maps(found.object.get(), program.device);
    said.forget();
    if (auto const error = bpf_object__load(found.object.get())) throw NotLoaded{NotLoaded::Fault::file, said.why(-error)};
    auto const descriptor = ::fcntl(bpf_program__fd(found.program), F_DUPFD_CLOEXEC, 3);
    if (descriptor < 0) throw NotLoaded{NotLoaded::Fault::file, std::strerror(errno)};
    return descriptor;
}

int open_object(ProgramInFile const& program) {
    Said said({});
    find(program, said);
    auto const descriptor = ::open(program.path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw NotLoaded{NotLoaded::Fault::file, std::strerror(errno)};
    return descriptor;
}

}  // namespace nlstream
