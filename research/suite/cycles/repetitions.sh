# How long runs are that windows are recorded of.  Sourced by jobs.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh

# repetitions DIR: how many, of a kernel or function whose reports are in DIR, execute
# two million instructions; from 3 to 300.
repetitions() {
    jq -n '[inputs.program.instructions] |
        2000000 * 2 / ([.[0] - .[1], 1] | max) | ceil | [., 300] | min |
        [., 3] | max' "$1/static.json" "$1/less.static.json"
}
