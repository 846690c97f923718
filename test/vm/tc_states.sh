#!/bin/bash
# tc_states.sh [-v] [KIND...]: in a VM with a stock Debian kernel, streams the lines of lines/tc with nlstream into one namespace
# and with `tc -batch` into another, and compares what tc lists in both. All kinds without KIND. -v: also shows the lines that
# were not applied, and why. Exit status: 1 when something differs, 77 when no VM can be had.
# NLSTREAM_BINARY names another binary than build/release/app/nlstream, IPROUTE2 folders of another iproute2 (colons between).
set -euo pipefail
cd "$(dirname "$0")/../.."
VM_TIMEOUT=${VM_TIMEOUT:-1800} exec test/vm/run.sh env NLSTREAM_BINARY="${NLSTREAM_BINARY:-$PWD/build/release/app/nlstream}" \
    PATH="${IPROUTE2:+$IPROUTE2:}/usr/sbin:/usr/bin:/sbin:/bin" python3 test/vm/tc_states.py "$@"
