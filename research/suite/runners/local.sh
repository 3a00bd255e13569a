# Runs jobs on this machine, by GNU parallel.
#
# A runner is a function that gets a program, and runs it for each line of
# state/todo with the line's three fields as arguments.  What the jobs print goes
# to state/said.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the driver sets $jobs, and has fail

# run_local PROGRAM [OPTION...]: the options are parallel's.
run_local() {
    program=$1
    shift
    set -- --will-cite --colsep='\t' ${jobs:+--jobs="$jobs"} "$@"
    [ ! -t 2 ] || set -- "$@" --bar
    status=0
    parallel "$@" "$program" '{1}' '{2}' '{3}' <state/todo >state/said ||
        status=$?
    [ $status -le 101 ] || fail parallel "it ended with status $status"
}
