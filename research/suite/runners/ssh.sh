# Runs jobs on other machines, by GNU parallel over ssh; local.sh says what a
# runner is.
#
# There a job works in a directory of the same name.  It gets its program and
# gives back its results by rsync, which leaves files alone that are there already
# because the directory is shared.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh

# run_ssh HOSTS SENT RETURNED PROGRAM: with {1} for the name of the job in the two
# paths.
run_ssh() {
    run_local "$4" --sshlogin="$1" --workdir=. --transferfile="$2" --return="$3" \
        ${DEPSIM_BUILD:+--env=DEPSIM_BUILD}
}
