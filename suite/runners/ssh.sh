# Runs jobs on other machines, by GNU parallel over ssh; local.sh says what a
# runner is.
#
# There a job works in a directory of the same name.  It gets its binary and
# gives back its run by rsync, which leaves files alone that are there already
# because the directory is shared.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh

# run_ssh HOSTS PROGRAM
run_ssh() {
    run_local "$2" --sshlogin="$1" --workdir=. --transferfile='binaries/{1}' \
        --return='runs/{1}' ${DEPSIM_BUILD:+--env=DEPSIM_BUILD}
}
