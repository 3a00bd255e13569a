# Runs a program under lackey, and the oracle on what lackey saw.
# Sourced after lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh

# observe OPTION... COMMAND...: runs valgrind so that two runs differ in nothing
# but the tool.
#
# Valgrind adds LD_PRELOAD after all other variables, next to the kernel's random
# bytes, and the dynamic linker's strcspn reads up to three bytes beyond the value.
# With a variable after it these bytes are always the same.  Debug output keeps
# programs from closing standard error, which some take for a failure, so both runs
# must have it.
#
# $preload is a library to load into the program, or empty.
observe() {
    run env -u LD_PRELOAD -u AFTER_LD_PRELOAD LD_PRELOAD="${preload-}" \
        AFTER_LD_PRELOAD= valgrind -d "$@" </dev/null
}

# The trace.  Line by line, it would be slow in a folder that an emulated machine shares.
trace=trace
[ -z "$machine" ] || trace=/tmp/trace.$$

# oracle_sees FILE COMMAND...: writes what the oracle prints to FILE, sorted,
# what the command prints to FILE.stdout, and its exit status to FILE.status.
#
# On AArch64, lackey's calls between a load-exclusive and a store-exclusive would make
# this one fail for ever; by fallback-llsc, it is a compare-and-swap.
oracle_sees() {
    seen=$1
    shift
    status=0
    observe --tool=lackey --trace-mem=yes --trace-syscalls=yes \
        --vex-iropt-level=1 --vex-guest-chase=no --px-default=allregs-at-each-insn \
        --px-file-backed=allregs-at-each-insn --sim-hints=fallback-llsc \
        --log-file="$trace" "$@" >"$seen.stdout" 2>segments || status=$?
    echo $status >"$seen.status"
    # shellcheck disable=SC2016 # for the inner shell
    $machine sh -c '"$1" segments <"$2" && rm "$2"' sh "$builddir/oracle/oracle" \
        "$trace" >unsorted || return
    LC_ALL=C sort unsorted >"$seen"
}
