#!/bin/bash
# memory.sh [COUNT [WORKLOAD]] [-- NLSTREAM-OPTION...]: peak memory of nlstream while COUNT (10,000,000) lines of
# WORKLOAD (routes4) come through a pipe: once only read and encoded, once streamed into a namespace of its own.
# 10,000,000 routes also take the kernel about 3 GB for a while. Needs root; BUILD names a tree (build/release).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../build/release}
count=10000000 workload=routes4
[ $# -eq 0 ] || [ "$1" = -- ] || { count=$1; shift; }
[ $# -eq 0 ] || [ "$1" = -- ] || { workload=$1; shift; }
[ "${1:-}" != -- ] || shift
figures=$(mktemp)
trap 'rm -f "$figures"' EXIT

syntax=$("$build/perf/workload" --list | awk -F '\t' -v name="$workload" '$1 == name {print $2}')
options=(-q "$@")
[ "$syntax" = nlstream ] || options+=(--syntax "$syntax")

stream() {  # LABEL NLSTREAM-OPTION...: reads lines
    local label=$1
    shift
    "$build/perf/measure" "$figures" "$build/app/nlstream" "${options[@]}" "$@"
    python3 - "$label" "$count" "$figures" <<'REPORT'
import json, sys
label, count, path = sys.argv[1:]
with open(path) as file:
    run = json.load(file)
print(f"{label:<10} {int(count):>12,} lines: peak memory {run['max_rss_kib'] / 1024:.1f} MiB, {run['wall']:.2f} s, "
      f"user {run['user']:.2f} s, system {run['system']:.2f} s")
REPORT
}

namespace() {
    "$build/perf/workload" "$workload" "$count" --setup | while read -r tool rest; do $tool $rest; done
    "$build/perf/workload" "$workload" "$count" | stream --check --check
    "$build/perf/workload" "$workload" "$count" | stream streamed
}
export here build count workload figures
export -f stream namespace
unshare -n bash -euo pipefail -c "options=($(printf '%q ' "${options[@]}")); namespace"
