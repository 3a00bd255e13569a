# What the jobs of the suite share.  Sourced by each job.  A job runs in the
# directory of the results, with one line of its plan as arguments:
#
#     NAME INPUTS SETTING
#
# It sets $place, the directory for what it makes.  It writes into work/ alone and
# moves all of it to its place in one step at the end, with that line in the file
# `written`.  So a job is done if the line is there, can be stopped at any time,
# and can be repeated.  rsync transfers files in the order of their names, and
# therefore `written` last.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh

root=$(cd "$(dirname "$0")/../../.." && pwd)
name=$1
line=$(printf '%s\t%s\t%s' "$1" "$2" "$3")
new=work/$name

# Stops a command that does not end, after 900 seconds of CPU.
ulimit -t 900

# fail WHY: prints one line to standard output, where the driver looks for it.
fail() {
    echo "$name: $1"
    exit 2
}

# try WHAT COMMAND...: if the command fails, its first line with an error, else its
# last line, says why.
try() {
    what=$1
    shift
    status=0
    "$@" >"$new/log" 2>&1 </dev/null || status=$?
    [ $status -eq 0 ] || fail "$what: status $status: $(
        grep -m 1 error "$new/log" || tail -n 1 "$new/log"
    )"
    rm "$new/log"
}

# The end of a job.
finish() {
    printf '%s\n' "$line" >"$new/written"
    mv -T "$new" "$place/$name"
}

rm -rf "$new" "${place:?}/$name"
mkdir -p "$new" "$place"
