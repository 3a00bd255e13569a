#!/bin/sh
# Valgrind's own test programs behave in depsim as they do in Valgrind alone.  This takes
# many minutes, and needs a mirror of Debian once, for Valgrind's source.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

[ -n "$(apt-get indextargets 'Created-By: Packages' 'Origin: Debian' 2>/dev/null)" ] ||
    skip_all "apt has no mirror of Debian here"
"$root/scripts/check-valgrind" >log 2>err
sed 's/^/# /' err
while read -r verdict test reason; do
    case $verdict in
    same) ok "$test is the same in depsim" true ;;
    explained) skip "$test is the same in depsim" "${reason:-known}" ;;
    unexplained) ok "$test is the same in depsim" false ;;
    esac
done <log
ok "many tests of Valgrind are the same in depsim" [ "$(grep -c '^same ' log)" -ge 100 ]
end_of_cases
