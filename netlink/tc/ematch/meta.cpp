// ematch meta: what the kernel knows of a packet, compared.
#include <linux/pkt_cls.h>
#include <linux/tc_ematch/tc_em_meta.h>

#include "netlink/tc/ematch/tree.hpp"
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Object {
    u16 id = TCF_META_ID_VALUE;
    u16 type = TCF_META_TYPE_INT;
    u8 shift = 0;
    u32 number = 0;     // the value, or the mask of what the kernel knows
    std::string text;   // of TCF_META_TYPE_VAR
};

// linux/tc_ematch/tc_em_meta.h, TCF_META_ID_*
constexpr NamedValue objects[] = {
    {"random", TCF_META_ID_RANDOM}, {"loadavg_1", TCF_META_ID_LOADAVG_0}, {"loadavg_5", TCF_META_ID_LOADAVG_1}, {"loadavg_15", TCF_META_ID_LOADAVG_2},
    {"dev", TCF_META_ID_DEV}, {"priority", TCF_META_ID_PRIORITY}, {"protocol", TCF_META_ID_PROTOCOL}, {"pkt_type", TCF_META_ID_PKTTYPE},
    {"pkt_len", TCF_META_ID_PKTLEN}, {"data_len", TCF_META_ID_DATALEN}, {"mac_len", TCF_META_ID_MACLEN}, {"nf_mark", TCF_META_ID_NFMARK},
    {"fwmark", TCF_META_ID_NFMARK}, {"tc_index", TCF_META_ID_TCINDEX}, {"rt_classid", TCF_META_ID_RTCLASSID}, {"rt_iif", TCF_META_ID_RTIIF},
    {"vlan", TCF_META_ID_VLAN_TAG}, {"sk_family", TCF_META_ID_SK_FAMILY}, {"sk_state", TCF_META_ID_SK_STATE}, {"sk_reuse", TCF_META_ID_SK_REUSE},
    {"sk_bind_if", TCF_META_ID_SK_BOUND_IF}, {"sk_refcnt", TCF_META_ID_SK_REFCNT}, {"sk_shutdown", TCF_META_ID_SK_SHUTDOWN},
    {"sk_proto", TCF_META_ID_SK_PROTO}, {"sk_type", TCF_META_ID_SK_TYPE}, {"sk_rcvbuf", TCF_META_ID_SK_RCVBUF}, {"sk_rmem", TCF_META_ID_SK_RMEM_ALLOC},
    {"sk_wmem", TCF_META_ID_SK_WMEM_ALLOC}, {"sk_omem", TCF_META_ID_SK_OMEM_ALLOC}, {"sk_wmem_queue", TCF_META_ID_SK_WMEM_QUEUED},
    {"sk_snd_queue", TCF_META_ID_SK_SND_QLEN}, {"sk_rcv_queue", TCF_META_ID_SK_RCV_QLEN}, {"sk_err_queue", TCF_META_ID_SK_ERR_QLEN},
    {"sk_fwd_alloc", TCF_META_ID_SK_FORWARD_ALLOCS}, {"sk_sndbuf", TCF_META_ID_SK_SNDBUF},
};
constexpr NamedValue comparisons[] = {{"eq", TCF_EM_OPND_EQ}, {"gt", TCF_EM_OPND_GT}, {"lt", TCF_EM_OPND_LT}};

constexpr Row rows[] = {
    {"shift", "BITS", U8(keep<&Object::shift>),   "Shift it right before it is compared."},
    {"mask",  "MASK", U32(keep<&Object::number>), "Compare only these bits."},
};
constexpr auto table = keywords<Object>(rows);

Object read_object(Line& line) {
    Object object;
    auto const& word = line.take("OBJECT");
    if (is_string(word)) {
        object.type = TCF_META_TYPE_VAR;
        object.text = read_string(word);
    } else if (auto const number = parse_number(word.text)) {
        object.number = static_cast<u32>(*number);
    } else {
        object.id = static_cast<u16>(read_choice(word, objects, "meta"));
        Reader(table, object).read_some(line);
    }
    return object;
}

tcf_meta_val head_of(Object const& object) { return {.kind = static_cast<u16>(object.type << 12 | object.id), .shift = object.shift, .op = 0}; }

void put_value(Line& line, u16 attribute, Object const& object) {
    if (object.type == TCF_META_TYPE_INT) line.out.put(attribute, object.number);
    else if (object.id == TCF_META_ID_VALUE) line.out.put_text(attribute, object.text);
}

void read(Line& line) {
    auto left = read_object(line);
    auto const comparison = read_choice(line.take("eq, gt or lt"), comparisons, "meta");
    auto const right_word = line.position();
    auto right = read_object(line);
    if (left.type == TCF_META_TYPE_VAR && right.id != TCF_META_ID_VALUE) {
        // Names of links are texts too; everything else is a number.
        if (right.id != TCF_META_ID_DEV && right.id != TCF_META_ID_SK_BOUND_IF) fail_use(line.all()[right_word], "it is a number, and was compared with a text");
        right.type = TCF_META_TYPE_VAR;
    }
    tcf_meta_hdr head{head_of(left), head_of(right)};
    head.left.op = static_cast<u8>(comparison);
    line.out.put(TCA_EM_META_HDR, head);
    put_value(line, TCA_EM_META_LVALUE, left);
    put_value(line, TCA_EM_META_RVALUE, right);
}

}  // namespace

extern constinit EmatchKind const meta_ematch = {
    {"ematch", "meta", "Compares what the kernel knows of the packet, numbers and texts: \"meta(nf_mark mask 0xff eq 24)\".", {{{"OBJECT", table}}}}, TCF_EM_META, read};

}  // namespace nlstream::tc
