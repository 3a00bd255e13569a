#!/bin/sh
# scripts/package for this machine's own suite, with real chroots: the packages build,
# lintian and autopkgtest find nothing, and the commands run as typed.  It takes two
# minutes, and needs root and a mirror of Debian.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

[ "$(id -u)" -eq 0 ] && git -C "$root" rev-parse HEAD >/dev/null 2>&1 &&
    unshare --mount true || skip_all "no root, no git, no clone or no mounts"
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)

ok "scripts/package builds, installs and tries the packages" \
    "$root/scripts/package" --dir="$tmp/dir" --out="$tmp/out" "$suite"
ok "autopkgtest passes for the packages" grep 'quickstart  *PASS' out/test.log
for package in depsim depsim-analysers; do
    ok "the package $package is built" sh -c 'ls "$0"' "$(echo out/${package}_*.deb)"
done
valgrind=$(dpkg-query --show --showformat='${source:Version}' valgrind)
ok "the tool's package needs this machine's Valgrind" sh -c '
    dpkg-deb --field out/depsim_*.deb Depends |
        grep -F "valgrind (>= $0), valgrind (<< $0.0~)"' "$valgrind"
ok "the tool's package names its source" sh -c '
    dpkg-deb --field out/depsim_*.deb Built-Using |
        grep -x -F "valgrind (= $0)"' "$valgrind"
ok "scripts/package leaves only the minimal chroot" \
    [ "$(find dir -maxdepth 1 -type d | wc -l)" -eq 2 ]
end_of_cases
