# What the tests of staticdeps share.  Sourced in place of lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
. "$srcdir/lib.sh"

# The program itself, also for what is run by another shell.
PATH=$DEPSIM_BUILD/staticdeps:$PATH

is() {
    [ "$1" = "$2" ] || { echo "'$1', not '$2'"; return 1; }
}

# query DATABASE SQL
query() {
    sqlite3 -batch -noheader "$1" "$2"
}
