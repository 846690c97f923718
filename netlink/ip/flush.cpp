#include "netlink/ip/flush.hpp"

#include <cerrno>
#include <utility>

#include "netlink/answer.hpp"
#include "netlink/command.hpp"

namespace nlstream::ip {
namespace {

/// Where the rounds stand between two parts.
struct Progress : Continuation {
    std::unique_ptr<Dump> dump;  ///< of the round that goes on; nullptr: between two rounds
    u32 round = 0;
    u64 found = 0;               ///< entries selected in this round
};

void put_deletion(Line& line, Flush const& how, nlmsghdr const& entry) {
    line.out.begin(how.deletion, NLM_F_REQUEST | NLM_F_ACK);
    if (how.identify) how.identify(line.out, entry);
    else line.out.put_raw(reinterpret_cast<std::byte const*>(&entry) + sizeof entry, entry.nlmsg_len - sizeof entry);
    end_request(line);
}

std::unique_ptr<Dump> begin_round(Line& line, Flush const& how, u32 round) {
    MessageBuffer request;
    request.begin(how.question, NLM_F_REQUEST | NLM_F_DUMP);
    how.ask(request, round);
    request.end();
    return line.kernel.begin_dump(request.bytes());
}

/// Reads on in a round; true when it is over.
bool read_round(Line& line, Flush const& how, Progress& progress) {
    auto const take = [&](nlmsghdr const& entry) {
        if (entry.nlmsg_type != how.entry || entry.nlmsg_len < sizeof entry + how.header || !how.selects(entry, progress.round)) return;
        ++progress.found;
        put_deletion(line, how, entry);
    };
    try {
        while (line.messages < how.part)
            if (!progress.dump->next(take)) return true;
    } catch (Answer const& refusal) {
        // There is no such routing table, and so no route in it.
        if (refusal.error == ENOENT) return true;
        auto why = explain(refusal, nullptr);
        why.where = line.last().span;
        throw why;
    }
    return false;
}

/// False when the line is complete.
bool next_round(Line& line, Flush const& how, Progress& progress) {
    progress.dump.reset();
    ++progress.round;
    if (std::exchange(progress.found, 0) == 0) return progress.round < how.least_rounds;
    if (progress.round < how.most_rounds) return true;
    if (how.may_leave_some) return false;
    throw Diagnostic{std::string(how.what) + " are still there after " + std::to_string(progress.round) + " rounds", line.last().span,
                     "what it deleted came back, or was not deleted", {}, code::kernel};
}

}  // namespace

void flush(Line& line, Flush const& how) {
    line.require_settled();
    line.absence_is_success = true;
    if (!line.continuation) line.continuation = std::make_unique<Progress>();
    auto& progress = static_cast<Progress&>(*line.continuation);
    for (;;) {
        if (!progress.dump) progress.dump = begin_round(line, how, progress.round);
        if (!progress.dump) return;
        if (!read_round(line, how, progress)) break;
        if (!next_round(line, how, progress)) return;
        // The next round has to see what this one did.
        if (line.messages > 0) break;
    }
    line.more = true;
}

bool same_prefix(std::span<u8 const> a, std::span<u8 const> b, unsigned bits) {
    auto const byte = [](std::span<u8 const> s, std::size_t i) { return i < s.size() ? s[i] : u8{0}; };
    for (unsigned i = 0; i * 8 < bits; ++i) {
        auto const left = bits - i * 8;
        auto const mask = left >= 8 ? 0xffu : 0xff00u >> left;
        if ((byte(a, i) ^ byte(b, i)) & mask) return false;
    }
    return true;
}

bool within(Address const& prefix, std::span<u8 const> address) {
    return address.empty() || prefix.family == AF_UNSPEC || same_prefix(prefix.bytes, address, prefix.bits);
}

u32 take_vrf(Line& line) {
    auto const& word = line.take("VRF");
    auto const& link = line.links.get(word);
    if (link.kind != "vrf") fail_use(word, "the link is not of type vrf");
    return link.index;
}

std::optional<u32> take_name_or_all(Line& line, Names::Of what) {
    auto const& word = line.take("NAME or all");
    if (word.text == "all" && !line.names.find(what, word.text)) return {};
    return read_name(line, word, what);
}

}  // namespace nlstream::ip
