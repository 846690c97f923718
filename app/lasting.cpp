#include "app/lasting.hpp"

#include "netlink/diagnostic.hpp"

namespace nlstream {
namespace {

[[noreturn]] void refuse(std::string what) {
    throw Diagnostic{std::move(what), {}, {}, "stream such a line as text", code::unsupported};
}

}  // namespace

void LastingKernel::require_untouched() const {
    if (links_->dirty())
        refuse("the message would name a link by its index, which lines before this one may give to another");
}

std::optional<Link> LastingKernel::link(std::string_view name) {
    require_untouched();
    return kernel_.link(name);
}

std::optional<Link> LastingKernel::link(u32 index) {
    require_untouched();
    return kernel_.link(index);
}

std::optional<std::vector<std::byte>> LastingKernel::link_options(u32 index) {
    require_untouched();
    return kernel_.link_options(index);
}

std::unique_ptr<Dump> LastingKernel::begin_dump(std::span<std::byte const>) {
    refuse("which messages this line becomes depends on what there is when it is streamed");
}

std::optional<s32> LastingKernel::namespace_id(OpenFile const& of, OpenFile const* seen_from) {
    return kernel_.namespace_id(of, seen_from);
}

std::optional<u32> LastingKernel::link_in(s32 id, OpenFile const* seen_from, std::string_view name) {
    require_untouched();
    return kernel_.link_in(id, seen_from, name);
}

std::optional<u16> LastingKernel::ip_set(std::string_view name) { return kernel_.ip_set(name); }

std::unique_ptr<OpenFile> LastingFiles::open(std::string const& path) {
    refuse("the message would name " + path + " by a descriptor, which is good for one process only");
}

}  // namespace nlstream
