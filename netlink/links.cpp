#include "netlink/links.hpp"

#include <charconv>

namespace nlstream {

Link const* Links::find(std::string_view name) {
    if (last_ && name == last_name_) return last_;
    auto found = by_name_.find(name);
    if (found == by_name_.end()) {
        auto answer = kernel_.link(name);
        if (!answer && name.starts_with("if")) {
            // if_indextoname(3)'s fallback in iproute2: "ifN" is the link with index N, whether or not it exists.
            u32 index = 0;
            auto const digits = name.substr(2);
            auto const [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
            if (error == std::errc{} && rest == digits.data() + digits.size() && index > 0) answer = Link{.index = index, .name = std::string(name), .kind = {}};
        }
        if (!answer) {
            if (!assume_created_ || !created_.contains(name)) return nullptr;
            assumed_ = Link{.index = 0, .name = std::string(name), .kind = {}};
            return &assumed_;
        }
        found = by_name_.emplace(name, std::move(*answer)).first;
    }
    last_name_ = name;
    last_ = &found->second;
    return last_;
}

Link const& Links::get(Word const& word) {
    if (auto const* link = find(word.text)) return *link;
    throw Diagnostic{"there is no link \"" + std::string(word.text) + '"', word.span, "not found in this network namespace", {}, code::no_device};
}

void Links::touched(std::string_view name) {
    dirty_ = true;
    if (assume_created_) created_.emplace(name);
    last_ = nullptr;
    if (auto const found = by_name_.find(name); found != by_name_.end()) by_name_.erase(found);
}

void Links::touched_any() {
    dirty_ = true;
    forget();
}

void Links::changed(u32 index) {
    last_ = nullptr;
    std::erase_if(by_name_, [&](auto const& entry) { return entry.second.index == index; });
}

void Links::forget() {
    last_ = nullptr;
    by_name_.clear();
}

void check_link_name(Word const& word) {
    auto const name = word.text;
    bool const valid = !name.empty() && name.size() < 16 && name != "." && name != ".." && name.find_first_of("/ \t\n\v\f\r") == name.npos;
    if (!valid) throw Diagnostic{'"' + std::string(name) + "\" cannot be the name of a link", word.span, "expected 1 to 15 characters, no slash and no blank", {}, code::value};
}

}  // namespace nlstream
