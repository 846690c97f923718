#!/bin/bash
# ip_states.sh [-v] [KIND...]: as tc_states.sh, for the lines of ip and bridge in lines/ip, with test/kernel/ip_states.py.
set -euo pipefail
cd "$(dirname "$0")/../.."
VM_TIMEOUT=${VM_TIMEOUT:-1800} exec test/vm/run.sh env NLSTREAM_BINARY="${NLSTREAM_BINARY:-$PWD/build/release/app/nlstream}" \
    PATH="${IPROUTE2:+$IPROUTE2:}/usr/sbin:/usr/bin:/sbin:/bin" python3 test/kernel/ip_states.py "$@"
