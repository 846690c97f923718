#!/bin/sh
# Tells whether network namespaces can be made here: exit status 0, or 77 with the reason on standard output. A kernel whose
# RTNL lock was left behind by a crash never answers, and what waits for it cannot be killed: so it is asked in the background.
dir=$(mktemp -d) || exit 77
{ unshare --net true || unshare --map-root-user --net true; echo $? >"$dir/status"; } >"$dir/said" 2>&1 </dev/null &
tenths=0
while [ ! -s "$dir/status" ]; do
    tenths=$((tenths + 1))
    if [ "$tenths" -gt 100 ]; then
        echo "skipped: the kernel makes no network namespace within 10 s"
        exit 77
    fi
    sleep 0.1
done
status=$(cat "$dir/status")
[ "$status" = 0 ] || echo "skipped: no network namespace can be had: $(head -n 1 "$dir/said")"
rm -rf "$dir"
[ "$status" = 0 ] || exit 77
