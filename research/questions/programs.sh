# How many dependencies of programs does staticdeps predict?
#
# Runs depsim on the commands of suite/programs/list, which others wrote, staticdeps on
# the programs, and covcheck on both.  research/results.md says what is measured.
#
#     research/run programs [OPTION...]
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/programs
. "$suite/plan.sh"
shared='--programs --results --jobs --doc'
misses=yes
needs='parallel jq sqlite3 time'

answer() {
    measure_programs
    make_report programs/report
}
