#!/bin/sh
# Installs the named Debian packages that are missing. As root, or with sudo.
set -eu
missing=
for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null)" = "ii " ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
root=
[ "$(id -u)" = 0 ] || root=sudo
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$root apt-get -qq update
# shellcheck disable=SC2086  # a list of names
$root apt-get -qq install -y --no-install-recommends $missing >/dev/null
