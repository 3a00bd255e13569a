#!/bin/sh
# Limits of memory, locked memory, and memory that the kernel does not show.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

program limits
program memory
complete="SELECT count(*), min(complete), max(exit_status) FROM run
          WHERE ended = 'exit'"

# nobody COMMAND...: runs the command without privileges.
nobody() {
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
can_be_nobody() {
    [ "$(id -u)" -eq 0 ] && chmod 777 . &&
        nobody "$root/scripts/run-in-tree" valgrind -q --tool=none true
}

### Limits that a program sets itself

native=$(./limits)
ok "a program may limit its own address space" is "$native" depsim ./limits
ok "a program that limits its address space is recorded" is "1|1|0" sql deps.db "$complete"
ok "a program may limit its address space below what it has" depsim ./memory limit
ok "a program below its own limit is recorded" is "1|1|0" sql deps.db "$complete"

if can_be_nobody >can.log 2>&1; then
    rm -f deps.db
    native=$(nobody ./limits)
    ok "a program without privilege cannot raise its limits" is "$native" \
        nobody "$root/scripts/run-in-tree" valgrind -q --vgdb=no \
        --tool=depsim ./limits
    ok "a program without privilege is recorded" is "1|1|0" sql deps.db "$complete"
    rm -f deps.db
    ok "a program without privilege may limit itself below what it has" \
        nobody "$root/scripts/run-in-tree" valgrind -q --vgdb=no \
        --tool=depsim ./memory limit
    rm -f deps.db
else
    skip "a program without privilege may limit itself" \
        "this needs root, setpriv, and files for all"
fi

### Limits from outside

for option in -d -v; do
    rm -f deps.db
    ok "a program runs under ulimit $option 2000000" \
        within 2000000 "$option" depsim ./memory fault
    ok "a program under ulimit $option is recorded" is "1|1|0" sql deps.db "$complete"
done

### A program that handles its faults

ok "a program may handle its own faults" depsim ./memory fault
ok "a program that handles its own faults is recorded" is "1|1|0" sql deps.db "$complete"

### Sanity checks

# What is mapped is compared with what the core knows at each system call.
ok "the sanity checks of Valgrind's core find nothing wrong with depsim" \
    sh -c 'out=$("$@" 2>&1) && [ -z "$out" ] || { echo "$out"; exit 1; }' sh \
    "$root/scripts/run-in-tree" valgrind -q --sanity-level=4 --tool=depsim \
    ./memory fault
ok "a program under sanity checks is recorded" is "1|1|0" sql deps.db "$complete"

### Locked memory

# locked TOOL [OPTION...]: the most memory that a program locks under the tool, in
# KiB.  The limit is far above it, and below the memory of a machine.
locked() {
    within 8000000 -v run valgrind --log-file=locked.log --tool="$@" \
        ./memory lock >locked
    tr -dc 0-9 <locked
}

# figure NAME: the figure of this name in the summary, in KiB.
figure() {
    sed -n "s/.* $1: *\([0-9,]*\) KiB$/\1/p" locked.log | tr -d ,
}

# depsim may add 64 MiB for its tables, longer translations, and what is mapped in
# advance.
takes_none_and_shadow() {
    echo "none $none, depsim $most, shadow $shadow"
    [ "$most" -le $((none + shadow + 65536)) ]
}

ulimit -l unlimited 2>locked.log
if none=$(locked none) && [ -n "$none" ]; then
    most=$(locked depsim -v)
    shadow=$(figure "shadow memory")
    ok "locked memory is only that of the shadow memory in use" takes_none_and_shadow
    ok "a run that locks its memory is recorded" is "1|1|0" sql deps.db "$complete"
else
    skip "locked memory is only that of the shadow memory in use" \
        "memory cannot be locked here"
fi

### Memory that the kernel does not show

# small COMMAND...: does the summary have less than 64 MiB of shadow memory?
small() {
    rm -f deps.db* locked.log
    "$@"
    cat locked.log
    shadow=$(figure "shadow memory")
    [ "$shadow" -lt 65536 ]
}

ok "the summary has the size of shadow memory" \
    small run valgrind -v --log-file=locked.log --tool=depsim ./memory hide
if can_be_nobody >can.log 2>&1; then
    ok "the summary has the size of shadow memory without privilege" \
        small nobody "$root/scripts/run-in-tree" valgrind -v --vgdb=no \
        --log-file=locked.log --tool=depsim ./memory hide
    mkdir empty
    ok "the summary has the size of shadow memory without /proc" \
        small run valgrind -v --log-file=locked.log \
        --tool=depsim ./memory chroot
else
    skip "the summary has the size of shadow memory without /proc" "this needs root"
fi

end_of_cases
