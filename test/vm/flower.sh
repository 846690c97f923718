#!/bin/bash
# flower.sh [COUNT]: in a VM whose kernel has flower, adds, lists and deletes COUNT (100,000) flower filters with drop,
# as the kernel's tdc_batch.py makes them, with nlstream and with `tc -batch`. Fails unless both leave the same filters
# behind and none after the delete. Prints the times: those of an emulated machine, good for the ratio only.
# BUILD names another tree than build/release.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath "${BUILD:-$root/build/release}")
count=${1:-100000}

if [ -z "${IN_VM:-}" ]; then
    cd "$root"
    VM_TIMEOUT=${VM_TIMEOUT:-1500} exec test/vm/run.sh env BUILD="$build" test/vm/flower.sh "$count"
fi

lines=$(mktemp -d)
"$build/perf/workload" flower "$count" --setup >"$lines/setup"
"$build/perf/workload" flower "$count" >"$lines/add"
"$build/perf/workload" flower "$count" --delete >"$lines/delete"

timed() {  # LABEL COMMAND...
    local label=$1 start=$EPOCHREALTIME
    shift
    "$@"
    awk -v label="$label" -v start="$start" -v end="$EPOCHREALTIME" -v count="$count" \
        'BEGIN {printf "%-18s %8.2f s %8.2f us a line\n", label, end - start, (end - start) * 1e6 / count}'
}

listed() { tc filter show dev d0 ingress | grep -c dst_mac || true; }

in_namespace() {  # NAME COMMAND...: COMMAND takes a file of lines
    local name=$1 here
    shift
    while read -r tool rest; do $tool $rest; done <"$lines/setup"
    timed "$name, add" "$@" "$lines/add"
    tc filter show dev d0 ingress >"$lines/left-by-$name"
    here=$(grep -c dst_mac "$lines/left-by-$name" || true)
    [ "$here" = "$count" ] || { echo "$name: $here filters are listed, not $count"; exit 1; }
    timed "$name, delete" "$@" "$lines/delete"
    here=$(listed)
    [ "$here" = 0 ] || { echo "$name: $here filters are left after the delete"; exit 1; }
}

export -f timed listed in_namespace
export lines count
run() { unshare -n bash -euo pipefail -c 'in_namespace "$@"' in_namespace "$@"; }
run tc tc -batch
run nlstream "$build/app/nlstream" --syntax tc -q
cmp "$lines/left-by-tc" "$lines/left-by-nlstream"
echo "both left the same $count filters behind"
