#!/bin/sh
# What depsim sees of each instruction with an operand in memory, against what the
# processor does: which bytes it loads and stores, how often, and in how many accesses.
# accesses.c finds the instructions and asks the processor, accesses.s makes a program
# of them, and accesses.awk compares.  accesses-explained has the differences that are
# VEX's; an explanation that nothing needs is an error, too.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

[ "$processor" = x86_64 ] || skip_all "the instructions are x86-64's"

has_avx=$(grep -c -m 1 '^flags.* avx ' /proc/cpuinfo) || :

program_of_cases() {
    "$builddir/oracle/accesses" >cases || return
    [ "$(wc -l <cases)" -gt 1500 ] || { wc -l cases; return 1; }
    {
        echo "has_avx = $has_avx"
        cat "$srcdir/oracle/accesses.s" cases
        printf '%s\n' 'movl $60, %eax' 'xorl %edi, %edi' 'syscall'
    } >program.s
    as -o program.o program.s && ld -o program program.o && ./program
}

depsim_sees() {
    run valgrind -q --tool=depsim --deps-file=x.db ./program &&
        sqlite3 -separator ' ' x.db "
            SELECT src, dst, sum(d.occurrences), sum(same)
            FROM dep d JOIN dep_lifetime USING(dep_id) GROUP BY dep_id" >deps &&
        nm -t d program >symbols &&
        awk -f "$srcdir/oracle/accesses.awk" symbols cases deps >differences
}

sed -n '/^#/d; s/ -- .*//p' "$srcdir/oracle/accesses-explained" >patterns

all_explained() {
    ! grep -v -E -f patterns differences
}

all_needed() {
    while read -r pattern; do
        grep -q -E -e "$pattern" differences || { echo "$pattern"; return 1; }
    done <patterns
}

# The first instructions of the loop, as doc/schema.md says: movl, andl $0, movq, orq $-1.
windows_have_all_loads() {
    run valgrind -q --tool=depsim --windows=4:256 --deps-file=w.db \
        "$kernels/built/folded-loads" &&
        sqlite3 w.db 'SELECT hex(instructions) FROM window_piece' >pieces
    cat pieces
    grep -q 14092508091511261011 pieces
}

ok "the processor says what each instruction accesses" program_of_cases
ok "depsim records a program of all those instructions" depsim_sees
ok "each access that depsim sees differently is explained" all_explained
ok_if "grep '^flags.* fma .* avx2 ' /proc/cpuinfo" "this processor has no FMA or AVX2" \
    "each explanation of a different access is needed" all_needed
ok "windows have the loads that VEX would fold" windows_have_all_loads

end_of_cases
