// Every kind of tc: one line here, one file in qdisc/, filter/, action/ or ematch/. Each list is in alphabetical order.
#include "netlink/tc/kinds.hpp"

// clang-format off
#define NLSTREAM_QDISCS(X) \
    X(bfifo)               \
    X(cake)                \
    X(cake_mq)             \
    X(cbs)                 \
    X(choke)               \
    X(clsact)              \
    X(codel)               \
    X(drr)                 \
    X(dualpi2)             \
    X(etf)                 \
    X(ets)                 \
    X(fq)                  \
    X(fq_codel)            \
    X(fq_pie)              \
    X(gred)                \
    X(hfsc)                \
    X(hhf)                 \
    X(htb)                 \
    X(ingress)             \
    X(mq)                  \
    X(mqprio)              \
    X(multiq)              \
    X(netem)               \
    X(noqueue)             \
    X(pfifo)               \
    X(pfifo_fast)          \
    X(pfifo_head_drop)     \
    X(pie)                 \
    X(plug)                \
    X(prio)                \
    X(qfq)                 \
    X(red)                 \
    X(sfb)                 \
    X(sfq)                 \
    X(skbprio)             \
    X(taprio)              \
    X(tbf)

#define NLSTREAM_FILTERS(X) \
    X(basic) \
    X(bpf) \
    X(cgroup) \
    X(flow) \
    X(flower) \
    X(fw) \
    X(matchall) \
    X(route) \
    X(u32)

#define NLSTREAM_EMATCHES(X) \
    X(canid) \
    X(cmp) \
    X(ipset) \
    X(meta) \
    X(nbyte) \
    X(u32)

#define NLSTREAM_ACTIONS(X) \
    X(bpf) \
    X(connmark) \
    X(csum) \
    X(ct) \
    X(ctinfo) \
    X(gact) \
    X(gate) \
    X(ife) \
    X(mirred) \
    X(mpls) \
    X(nat) \
    X(pedit) \
    X(police) \
    X(sample) \
    X(simple) \
    X(skbedit) \
    X(skbmod) \
    X(tunnel_key) \
    X(vlan)
// clang-format on

namespace nlstream::tc {

#define NLSTREAM_DECLARE(name) extern QdiscKind const name##_qdisc;
NLSTREAM_QDISCS(NLSTREAM_DECLARE)
#undef NLSTREAM_DECLARE
#define NLSTREAM_DECLARE(name) extern FilterKind const name##_filter;
NLSTREAM_FILTERS(NLSTREAM_DECLARE)
#undef NLSTREAM_DECLARE
#define NLSTREAM_DECLARE(name) extern ActionKind const name##_action;
NLSTREAM_ACTIONS(NLSTREAM_DECLARE)
#undef NLSTREAM_DECLARE
#define NLSTREAM_DECLARE(name) extern EmatchKind const name##_ematch;
NLSTREAM_EMATCHES(NLSTREAM_DECLARE)
#undef NLSTREAM_DECLARE

std::span<QdiscKind const* const> qdisc_kinds() {
#define NLSTREAM_ADDRESS(name) &name##_qdisc,
    static constexpr QdiscKind const* kinds[] = {NLSTREAM_QDISCS(NLSTREAM_ADDRESS)};
#undef NLSTREAM_ADDRESS
    return kinds;
}

std::span<FilterKind const* const> filter_kinds() {
#define NLSTREAM_ADDRESS(name) &name##_filter,
    static constexpr FilterKind const* kinds[] = {NLSTREAM_FILTERS(NLSTREAM_ADDRESS)};
#undef NLSTREAM_ADDRESS
    return kinds;
}

std::span<ActionKind const* const> action_kinds() {
#define NLSTREAM_ADDRESS(name) &name##_action,
    static constexpr ActionKind const* kinds[] = {NLSTREAM_ACTIONS(NLSTREAM_ADDRESS)};
#undef NLSTREAM_ADDRESS
    return kinds;
}

std::span<EmatchKind const* const> ematch_kinds() {
#define NLSTREAM_ADDRESS(name) &name##_ematch,
    static constexpr EmatchKind const* kinds[] = {NLSTREAM_EMATCHES(NLSTREAM_ADDRESS)};
#undef NLSTREAM_ADDRESS
    return kinds;
}

}  // namespace nlstream::tc
