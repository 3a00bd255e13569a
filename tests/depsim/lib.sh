# What the tests of depsim share.  Sourced in place of lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
. "$srcdir/lib.sh"

depsim() {
    run valgrind -q --tool=depsim "$@"
}

sql() {
    sqlite3 -batch "$@"
}

# exits N COMMAND...: does the command exit with this status?
exits() {
    expected=$1
    shift
    status=0
    "$@" || status=$?
    [ "$status" -eq "$expected" ] || { echo "exit status $status"; return 1; }
}

# program NAME [FLAG...]: compiles programs/NAME.c here.
program() {
    name=$1
    shift
    "${CC:-cc}" -O1 -Wall -o "$name" "$srcdir/programs/$name.c" "$@"
}
