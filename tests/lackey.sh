# Runs a program under lackey, and the oracle on what lackey saw.
# Sourced after lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh

# oracle_sees FILE COMMAND...: writes what the oracle prints to FILE, sorted,
# and what the command prints to FILE.stdout.
oracle_sees() {
    seen=$1
    shift
    run valgrind -d --tool=lackey --trace-mem=yes --trace-syscalls=yes \
        --px-default=allregs-at-each-insn \
        --px-file-backed=allregs-at-each-insn --log-file=trace "$@" \
        </dev/null >"$seen.stdout" 2>segments || return
    "$builddir/oracle" segments <trace >unsorted || return
    rm trace
    LC_ALL=C sort unsorted >"$seen"
}
