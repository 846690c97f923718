// tc qdisc ... ingress: the place for filters of arriving packets.
#include "netlink/tc/kinds.hpp"

namespace nlstream::tc {
namespace {

struct Ingress {};

void read_handle(Line& line, Ingress&) { line.take("HANDLE"); }

constexpr Row rows[] = {
    {"handle", "HANDLE", custom<read_handle>, "Taken and not used: the handle is always ffff:."},
};
constexpr auto table = keywords<Ingress>(rows);

void read(Line& line) {
    Ingress i;
    Reader(table, i).read_all(line);
}

}  // namespace

extern constinit QdiscKind const ingress_qdisc = {.info = {"qdisc", "ingress", "Holds the filters of a link's arriving packets; queues nothing.", {{{"", table}}}}, .read_qdisc = read};

}  // namespace nlstream::tc
