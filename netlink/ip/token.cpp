// ip token ...: the lower half of the addresses that IPv6 autoconfiguration makes.
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "netlink/address.hpp"
#include "netlink/ip/kinds.hpp"

namespace nlstream::ip {
namespace {

constexpr Verb set_verb = {"set*|add*", RTM_SETLINK, 0};
constexpr Verb delete_verb = {"delete*", RTM_SETLINK, 0};
constexpr Verb verbs[] = {{"list*|lst*|show*"}, set_verb, delete_verb, {"get*"}};

struct Token {
    std::optional<Address> address;
    u32 index = 0;
};

constexpr Row rows[] = {
    {"dev", "DEVICE", device(keep<&Token::index>), "The link. Required.", {}, true},
};
constexpr auto table = keywords<Token>(rows);

}  // namespace

extern constinit KindInfo const token_info = {"ip", "token", "The interface identifier of autoconfigured IPv6 addresses: TOKEN, as ::1.", {{{"", table}}}};

void read_token(Line& line) {
    auto const& verb = read_verb(line, verbs, "ip token");
    bool const remove = verb.words == delete_verb.words;
    begin_request<ifinfomsg>(line, verb.type, verb.flags).ifi_family = AF_INET6;
    Token t;
    Reader reader(table, t);
    while (!line.done()) {
        if (reader.read_one(line)) continue;
        if (t.address) reader.fail_unknown(line);
        t.address = read_prefix(line.take("TOKEN"), AF_INET6);
    }
    if (!t.address && !remove) fail_missing(line, "TOKEN");
    if (!reader.seen("dev")) fail_missing(line, "dev DEVICE");
    // The unspecified address takes the token away.
    if (remove) t.address = Address{.length = 16};
    line.out.value_at<ifinfomsg>(sizeof(nlmsghdr)).ifi_index = static_cast<int>(t.index);
    line.out.nest(IFLA_AF_SPEC, [&] { line.out.nest(AF_INET6, [&] { line.out.put(IFLA_INET6_TOKEN, t.address->bytes.data(), t.address->length); }); });
    end_request(line);
}

}  // namespace nlstream::ip
