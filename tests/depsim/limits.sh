#!/bin/sh
# Limits of memory, locked memory, and memory that the kernel does not show.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

program limits
program memory
complete="SELECT count(*), min(complete), max(exit_status) FROM run
          WHERE ended = 'exit'"

# nobody COMMAND...: runs it without privileges.
nobody() {
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
can_be_nobody() {
    [ "$(id -u)" -eq 0 ] && chmod 777 . &&
        nobody "$root/scripts/run-in-tree" valgrind -q --tool=none true
}

# within KIB OPTION COMMAND...: under a limit.
within() {
    kib=$1
    option=$2
    shift 2
    sh -c "ulimit $option $kib"'; exec "$@"' - "$@"
}

### Limits that a program sets itself

native=$(./limits)
ok "a program may limit its own addresses" is "$native" depsim ./limits
ok "and is recorded" is "1|1|0" sql deps.db "$complete"
ok "even below what it has" depsim ./memory limit
ok "and is recorded then, too" is "1|1|0" sql deps.db "$complete"

if can_be_nobody >can.log 2>&1; then
    rm -f deps.db
    native=$(nobody ./limits)
    ok "without privilege it cannot raise them" is "$native" \
        nobody "$root/scripts/run-in-tree" valgrind -q --vgdb=no \
        --tool=depsim ./limits
    ok "and is recorded" is "1|1|0" sql deps.db "$complete"
    rm -f deps.db
    ok "it may limit itself below what it has" \
        nobody "$root/scripts/run-in-tree" valgrind -q --vgdb=no \
        --tool=depsim ./memory limit
    rm -f deps.db
else
    skip "without privilege" "this needs root, setpriv, and files for all"
fi

### Limits from outside

for option in -d -v; do
    rm -f deps.db
    ok "a program runs under ulimit $option 2000000" \
        within 2000000 "$option" \
        "$root/scripts/run-in-tree" valgrind -q --tool=depsim ./memory fault
    ok "and is recorded" is "1|1|0" sql deps.db "$complete"
done

### Faults of its own

ok "a program may handle its own faults" depsim ./memory fault
ok "and is recorded" is "1|1|0" sql deps.db "$complete"

### Locked memory

# locked TOOL [OPTION...]: the most memory under a tool, in KiB.  The limit is
# far above that, and below what a machine has.
locked() {
    within 8000000 -v "$root/scripts/run-in-tree" valgrind \
        --log-file=locked.log --tool="$@" ./memory lock >locked
    tr -dc 0-9 <locked
}

# figure NAME: that of the summary, in KiB.
figure() {
    sed -n "s/.* $1: *\([0-9,]*\) KiB$/\1/p" locked.log | tr -d ,
}

# 64 MiB: tables, longer translations, and what is mapped for both ahead.
takes_none_and_shadow() {
    echo "none $none, depsim $most, shadow $shadow"
    [ "$most" -le $((none + shadow + 65536)) ]
}

ulimit -l unlimited 2>locked.log
if none=$(locked none) && [ -n "$none" ]; then
    most=$(locked depsim -v)
    shadow=$(figure "shadow memory")
    ok "locked memory is none's and the shadow memory in use" \
        takes_none_and_shadow
    ok "and the run is recorded" is "1|1|0" sql deps.db "$complete"
else
    skip "locked memory" "memory cannot be locked here"
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

ok "shadow memory has a size" \
    small run valgrind -v --log-file=locked.log --tool=depsim ./memory hide
if can_be_nobody >can.log 2>&1; then
    ok "without privilege, too" \
        small nobody "$root/scripts/run-in-tree" valgrind -v --vgdb=no \
        --log-file=locked.log --tool=depsim ./memory hide
    mkdir empty
    ok "and without /proc" small run valgrind -v --log-file=locked.log \
        --tool=depsim ./memory chroot
else
    skip "without /proc" "this needs root"
fi

end_of_cases
