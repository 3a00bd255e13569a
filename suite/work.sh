# How the jobs of a plan are done, and with what; plan.sh says what a plan is.
# Sourced by scripts/table3 and scripts/table3-programs.  Jobs are done in the
# directory of the results.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # those set $root and $jobs, and have fail

# Builds what measures, where nothing is built yet.
build_tools() {
    "$root/scripts/run-in-tree" true 2>/dev/null && return
    echo "nothing is built here yet: building" >&2
    "$root/scripts/install-deps" >&2 && "$root/scripts/build" >&2 ||
        fail "$root" "what measures could not be built"
}

# by_parallel HOSTS JOB: a job for each line of state/todo, by GNU parallel.  On
# other machines a job works in a directory of the same name: it gets its binary
# there, and gives back its run, by rsync, which leaves alone what is there
# already because the directory is shared.
by_parallel() {
    machines=$1
    program=$root/suite/$2
    set -- --will-cite --colsep='\t' ${jobs:+--jobs="$jobs"}
    [ ! -t 2 ] || set -- "$@" --bar
    [ -z "$machines" ] || set -- "$@" --sshlogin="$machines" --workdir=. \
        --transferfile='binaries/{1}' --return='runs/{1}' \
        ${DEPSIM_BUILD:+--env=DEPSIM_BUILD}
    status=0
    parallel "$@" "$program" '{1}' '{2}' '{3}' <state/todo >state/said ||
        status=$?
    [ $status -le 101 ] || fail parallel "it ended with status $status"
}

# work_off JOB PLACE COMMAND...: has the command do what of state/JOB is undone,
# and writes down what failed.
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
    "$@" "$job" 9>&-
    undone "state/$job" "$place" | cut -f 1 | while read -r name; do
        grep "^$name: " state/said || echo "$name: $job ended without a word"
    done >>state/failed
}
