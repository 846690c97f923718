#!/bin/sh
# The main job, for real, in a network namespace of its own: streams a large generated batch with some bad lines and
# shows progress, the errors with their carets, and the summary. Leaves the machine's network alone.
#
#   sh app/demo.sh [LINES]        (default 300000)
set -eu
cd "$(dirname "$0")/.."
lines=${1:-300000}

sh cmake/install-packages.sh g++ cmake ninja-build pkg-config libboost1.81-dev libboost-program-options1.81-dev libboost-test1.81-dev libmnl-dev libbpf-dev iproute2 util-linux
echo "building, which takes some minutes the first time"
cmake --preset release >/dev/null
cmake --build --preset release --target nlstream workload | tail -n 1

batch=$(mktemp) && trap 'rm -f "$batch"' EXIT
# Routes to one device; every hundred-thousandth line has a word that nlstream refuses, some others the kernel does.
build/release/perf/workload routes4 "$lines" | awk '
    NR % 100000 == 50000 { print "route add 10.0.0.0/8 via 10.0.0.300 dev d0"; next }
    NR % 100000 == 70000 { print "route add 192.0.2.0/24 dev d0 mtu lock many"; next }
    NR % 100000 == 90000 { print "route add 203.0.113.7/32 via 198.51.100.1 dev d0"; next }
    { print }' >"$batch"

inside='build/release/perf/workload routes4 1 --setup | build/release/app/nlstream -q
echo "+ nlstream --force --progress always < $(wc -l <"$1") lines"
build/release/app/nlstream --force --progress always <"$1" || echo "(exit status $?: some lines were refused, as they should be)"
echo "+ ip route show table main | wc -l"
ip route show table main | wc -l'

# A kernel that makes no namespace would be waited for without end.
sh test/namespace.sh || exit 1
if [ "$(id -u)" = 0 ]; then unshare=unshare\ -n; else unshare=unshare\ -rn; fi
$unshare sh -c "$inside" demo "$batch"
