#!/bin/sh
# The whole test suite: installs what is missing, builds, runs every test, and ends in one line of counts.
#
#   sh test/run.sh            everything below
#   sh test/run.sh release    only the named steps: release asan tsan fuzz perf vm
set -u
cd "$(dirname "$0")/.."

sh cmake/install-packages.sh g++ cmake ninja-build pkg-config libboost1.81-dev libboost-program-options1.81-dev libboost-test1.81-dev libmnl-dev libbpf-dev \
    python3-minimal libpython3-stdlib gnuplot-nox iproute2 netbase util-linux procps strace clang-14 libclang-rt-14-dev || exit 2

passed=0 failed=0 skipped=0
log=$(mktemp) && trap 'rm -f "$log"' EXIT

# What needs a network namespace is left out, and counted as skipped, where none can be had.
network=yes
sh test/namespace.sh || network=no

# Adds the counts of one ctest run to the totals.
count() {
    total=$(sed -n 's/.*tests passed, .* out of \([0-9]*\).*/\1/p' "$log" | tail -n 1)
    bad=$(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of.*/\1/p' "$log" | tail -n 1)
    left=$(grep -c '\*\*\*Skipped' "$log")
    passed=$((passed + ${total:-0} - ${bad:-0} - left)) failed=$((failed + ${bad:-0})) skipped=$((skipped + left))
}

# build PRESET [TARGET...]
build() {
    preset=$1 && shift
    cmake --preset "$preset" >"$log" 2>&1 && cmake --build --preset "$preset" ${1:+--target "$@"} >"$log" 2>&1 && return 0
    tail -n 60 "$log"
    echo "FAILED: the build of $preset"
    failed=$((failed + 1))
    return 1
}

# run PRESET [CTEST-OPTION...]
run() {
    preset=$1 && shift
    if [ "$network" = no ]; then
        without=$(ctest --test-dir "build/$preset" -N "$@" | sed -n 's/^Total Tests: //p')
        set -- "$@" -LE 'kernel|oracle'
        without=$((without - $(ctest --test-dir "build/$preset" -N "$@" | sed -n 's/^Total Tests: //p')))
        echo "skipped: $without tests that need a network namespace"
        skipped=$((skipped + without))
    fi
    # More at once than there are processors: much of their time is waiting for the kernel to make and remove namespaces.
    ctest --test-dir "build/$preset" -j "$(($(nproc) * 2))" --output-on-failure --timeout 600 "$@" 2>&1 | tee "$log"
    count
    # Test cases that were left out within programs that passed.
    grep -h '^partly skipped: ' "build/$preset/Testing/Temporary/LastTest.log" >"$log" && cat "$log"
    skipped=$((skipped + $(grep -c . "$log")))
}

# Says what begins, and how many seconds after the script did.
step() { [ -z "$only" ] || case " $only " in *" $1 "*) ;; *) return 1 ;; esac; echo; echo "== $1 (after $(($(date +%s) - begun)) s)"; }
begun=$(date +%s)
only="$*"

if step release; then build release && run release; fi
# Ten times slower: one in ten rounds.
export NLSTREAM_PORTION=10
if step asan; then build asan && run asan -L unit; fi
# Only what two threads share is built for it: they never are in netlink/ with the same data at once.
if step tsan; then build release nlstream_netlink && build tsan thread_tests && run tsan -L threads; fi
unset NLSTREAM_PORTION
if step fuzz; then build fuzz splitter_fuzz && run fuzz -L fuzz; fi
if step perf; then
    # A benchmark, not a timed test: it fails only when nlstream is far off the floor of the same run.
    if [ "$(id -u)" = 0 ] && [ "$network" = yes ] && build release; then
        if python3 perf/compare.py routes4 300000 --rounds 3 --only floor,nlstream,check,iproute2 --limit 1.5; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    else
        echo "skipped: the comparison with the floor needs root and network namespaces"
        skipped=$((skipped + 1))
    fi
fi

# Only when it is asked for: booting and emulating a machine takes minutes.
if [ -n "$only" ] && step vm; then
    if build release; then
        # The tests that need a kernel, with a stock Debian one, whatever runs here.
        VM_TIMEOUT=3000 test/vm/run.sh ctest --test-dir build/release --output-on-failure --timeout 1500 -L kernel >"$log" 2>&1
        cat "$log"
        count
        # What lines of all kinds leave behind there, compared with iproute2.
        for states in tc_states ip_states; do
            "test/vm/$states.sh"
            case $? in 0) passed=$((passed + 1)) ;; 77) skipped=$((skipped + 1)) ;; *) failed=$((failed + 1)) ;; esac
        done
    fi
fi

echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
