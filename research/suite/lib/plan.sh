# What a plan is, and which of its jobs are done.  Sourced by research/run, in the
# directory of the results.
#
# A plan is a file state/JOB.  It has a line for each job, with tabs between: a
# name, the hashes of what goes in, and the setting.  A job is done when its place
# has exactly that line.  The hashes cover the inputs, the tools and the job's
# own script, so a change of one of these makes the job undone.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # $root is where the project is

# shellcheck disable=SC2034 # for those who source this
tab=$(printf '\t')

# hash: of standard input.
hash() {
    sha256sum | cut -c 1-16
}

# measured_by PART..., predicted_by PART..., costs_by PART...: depsim, staticdeps, or
# depbound, with these parts of the suite, as one text.  A change of one leaves alone what the other has done.
measured_by() {
    valgrind --version
    # shellcheck disable=SC2016
    in_text 'cat "$VALGRIND_LIB"/depsim*' "$@"
}
costs_by() {
    # shellcheck disable=SC2016
    in_text 'cat "$(command -v depbound)"' "$@"
}
predicted_by() {
    # shellcheck disable=SC2016
    in_text 'cat "$(command -v staticdeps)"' "$@"
}
in_text() {
    "$root/scripts/run-in-tree" sh -c "$1" | hash
    shift
    for part in lib/job.sh "$@"; do
        cat "$root/research/suite/$part"
    done
}

# undone PLAN PLACE: the lines of the plan that are not done in the place.
undone() {
    find "$2" -path '*/written' -exec cat {} + 2>/dev/null |
        awk '!plan { done[$0]; next } !($0 in done)' - plan=1 "$1"
}

# done_of JOB PLACE: the names of those jobs of a plan that are done.
done_of() {
    undone "state/$1" "$2" | cut -f 1 >state/undone
    cut -f 1 "state/$1" | grep -vxF -f state/undone || :
}
