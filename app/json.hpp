// Writing JSON (RFC 8259).
#pragma once
#include <concepts>
#include <string>
#include <string_view>

#include "netlink/integers.hpp"

namespace nlstream {

/// One object, in one line, its members in the order in which they are added.
class JsonObject {
  public:
    /// Bytes that are no UTF-8 become U+FFFD.
    JsonObject& add(std::string_view key, std::string_view text);
    JsonObject& add(std::string_view key, std::string const& text) { return add(key, std::string_view(text)); }
    JsonObject& add(std::string_view key, char const* text) { return add(key, std::string_view(text)); }
    JsonObject& add(std::string_view key, std::integral auto number) { return add_raw(key, std::to_string(number)); }
    JsonObject& add(std::string_view key, bool value) { return add_raw(key, value ? "true" : "false"); }
    /// Seconds and rates: six digits behind the point. REQUIRES: finite
    JsonObject& add(std::string_view key, double number);
    JsonObject& add(std::string_view key, JsonObject const& object) { return add_raw(key, object.text()); }
    JsonObject& add_null(std::string_view key) { return add_raw(key, "null"); }

    std::string text() const { return '{' + members_ + '}'; }

  private:
    JsonObject& add_raw(std::string_view key, std::string_view value);

    std::string members_;
};

}  // namespace nlstream
