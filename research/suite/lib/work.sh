# Does the jobs of a plan that are not done; plan.sh says what a plan is.  Sourced by
# research/run, in the directory of the results.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # those set $root and $suite, and have fail

# Builds the three programs, if nothing is built yet.
build_tools() {
    "$root/scripts/run-in-tree" true 2>/dev/null && return
    echo "nothing is built here yet: building" >&2
    "$root/scripts/install-deps" >&2 && "$root/scripts/build" >&2 ||
        fail "$root" "what measures could not be built"
}

# work_off JOB PLACE RUNNER...: has the runner, a command of suite/runners, run
# $suite/JOB for each undone line of state/JOB, and appends what failed to
# state/failed.
work_off() {
    job=$1
    place=$2
    shift 2
    undone "state/$job" "$place" >state/todo
    echo "$job: $(wc -l <state/todo) of $(wc -l <"state/$job") to do" >&2
    [ -s state/todo ] || return 0
    # What comes back from another machine must not mix with what was here.
    cut -f 1 state/todo | sed "s|^|$place/|" | xargs rm -rf
    : >state/said
    "$@" "$suite/$job" 9>&-
    undone "state/$job" "$place" | cut -f 1 | while read -r name; do
        grep "^$name: " state/said || echo "$name: $job ended without a word"
    done >>state/failed
}
