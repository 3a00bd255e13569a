# What the tests of depsim share.  Sourced in place of lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
. "$srcdir/lib.sh"
CC=${CC:-cc}
VALGRIND_LIB=$(run printenv VALGRIND_LIB)
import=$VALGRIND_LIB/depsim-import

depsim() {
    run valgrind -q --tool=depsim "$@"
}

sql() {
    sqlite3 -batch "$@"
}

# refuses_run SUBJECT OPTION...: does depsim refuse these options in a message with the
# subject?
refuses_run() {
    refused=$1
    shift
    refuses depsim "$refused" valgrind -q --tool=depsim "$@" sh -c 'touch has-run'
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
    "$CC" -O1 -Wall -o "$name" "$srcdir/programs/$name.c" "$@"
}

# compile NAME [FLAG...]: compiles the C on standard input to a program.
compile() {
    name=$1
    shift
    cat >"$name.c"
    "$CC" -O1 -o "$name" "$name.c" "$@"
}

# symbols FILE: SQL for a temporary table of its symbols: name, address, end; and for the
# view named: the dependencies within the file, with the symbols of the store and the load.
symbols() {
    echo "CREATE TEMP TABLE symbol(name, address, end);
        CREATE TEMP VIEW named AS SELECT dep.*, s.name AS store, l.name AS load FROM dep
            JOIN object o ON o.object_id = src_object AND src_object = dst_object
                AND o.path LIKE '%/$1'
            JOIN symbol s ON src >= s.address AND src < s.end
            JOIN symbol l ON dst >= l.address AND dst < l.end;"
    nm -S -t d "$1" | awk 'NF >= 3 {
        sub(/[.][0-9]+$/, "", $NF) # of a function within another one
        print "INSERT INTO symbol VALUES(\047" $NF "\047, " $1 ", " \
            (NF == 4 ? $1 + $2 : 0) ");" }'
}

# only FILE...: are these all the files whose names begin with deps.db?
only() {
    is "$*" echo deps.db*
}

# imports [LOG]: runs the command that the message in the log gave.
imports() {
    sed -n 's/.*when that is fixed: //p' "${1:-log}" >command
    [ -s command ] && sh command
}

# within LIMIT OPTION COMMAND...: runs the command under this limit of ulimit.
within() {
    (
        ulimit "$2" "$1"
        shift 2
        "$@"
    )
}

# fake_importer: makes a folder lib for VALGRIND_LIB, whose depsim-import is the script
# on standard input; it checks databases as the real one does.
fake_importer() {
    mkdir lib
    ln -s "$VALGRIND_LIB"/* lib/
    rm lib/depsim-import
    {
        echo '#!/bin/sh'
        echo "[ \"\$1\" = --check ] && exec \"$import\" \"\$@\""
        cat
    } >lib/depsim-import
    chmod +x lib/depsim-import
}
