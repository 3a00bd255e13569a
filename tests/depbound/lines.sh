#!/bin/sh
# The source lines of instructions, as depbound shows them: of code that was inlined from
# a header, of instructions without a line, and of compilers other than GCC.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

# lines FILE...: the lines of the stores and loads of all chains through memory.
lines() {
    report --cpu=skylake --top=100 --format=json "$@" >/dev/null && jq -r '.loops[].chain[] |
        select(.wait == "memory") | .from.line, .to.line' out | sort -u
}

# --- Headers of the system ---

cat >inlined.c <<'END'
long counter;
# 40 "/usr/include/made-up.h"
static inline __attribute__((always_inline)) void add(volatile long *x)
{
    *x += 7;
}
# 20 "/usr/bin/../lib/gcc/made-up/inner.h"
static inline __attribute__((always_inline)) void twice(volatile long *x)
{
    add(x);
}
# 10 "inlined.c"
__attribute__((noinline)) void count(long n)
{
    for (long i = 0; i < n; i++)
        twice(&counter);
}
int main(int argc, char **argv)
{
    (void)argv;
    count(argc);
    return 0;
}
END
inlined() {
    "$1" -g -O1 -o inlined inlined.c && is "inlined.c:13 (made-up.h:42)" lines ./inlined
}
ok "the user's line comes before that of a header that it inlined" inlined "$compiler"
by_source() {
    holds '.loops | length == 1' --cpu=skylake --source=inlined.c ./inlined &&
        ends 0 --cpu=skylake --llvm-mca=none --format=json --source=made-up.h ./inlined &&
        jq -e '.loops | length == 0' out
}
ok "--source finds a loop by the user's line, not by that of a header" by_source
chain() {
    chain='main inlined.c:[0-9]* > count inlined.c:13 > twice inner.h:22 > add made-up.h:42'
    sed 's/__attribute__((noinline))/static inline __attribute__((always_inline))/' \
        inlined.c >whole.c && "$compiler" -g -O1 -o whole whole.c &&
        tells "^    inlined: $chain\$" --annotate --inlines ./whole &&
        tells "<td colspan=3>inlined: $(echo "$chain" | sed 's/>/\&gt;/g')" \
            --format=html --inlines ./whole
}
ok "--inlines shows all functions that were inlined to get to a line" chain
not_asked() {
    report --annotate ./whole && ! grep inlined: out
}
ok "without --inlines a listing has no inlined functions" not_asked
ok "--inlines needs a listing" refuses depbound --inlines depbound --inlines ./whole
directly() {
    sed 's|^# 10.*|# 10 "/usr/include/all.h"|' inlined.c >all.c &&
        "$compiler" -g -O1 -o all all.c && is "made-up.h:42" lines ./all
}
ok "a header's line stands alone if no file of the user inlined it" directly

# --- Instructions without a line ---

cat >zero.s <<'END'
        .file 1 "zero.c"
        .globl _start
        .type _start, @function
_start: .loc 1 5
        movl $1000, %ecx
.L1:    .loc 1 7
        movq counter(%rip), %rax
        .loc 1 0
        imulq $3, %rax
        movq %rax, counter(%rip)
        decq %rcx
        jne .L1
        .loc 1 9
        ret
        .size _start, . - _start
        .lcomm counter, 8
        .section .note.GNU-stack, "", @progbits
END
without_line() {
    "$compiler" -g -nostdlib -static -o zero zero.s && is "zero.c:7" lines ./zero
}
ok "an instruction of line 0 has the line before it" without_line

# --- Units whose addresses are in no table ---

without_table() {
    inlined clang && ! readelf -S -W inlined | grep -q debug_aranges
}
ok_if "command -v clang" "there is no clang" \
    "code of clang has lines, though no table lists the addresses of its units" without_table

# --- Debug information that cannot be read ---

# complains TEXT FILE: is this the only line on standard error, and is there a report?
complains() {
    ends 0 --cpu=skylake --llvm-mca=none --format=json "$2" &&
        equal "$(cat err)" "depbound: $2: its debug information $1" &&
        jq -e '.loops | length > 0' out
}
split() {
    mkdir -p split && cp inlined.c split && cd split &&
        "$compiler" -g "$1" -gsplit-dwarf -O1 -c inlined.c &&
        "$compiler" -o split inlined.o || return
    is "inlined.c:13 (made-up.h:42)" lines ./split &&
        mv inlined.dwo away && complains "is split, and inlined.dwo cannot be read" \
        ./split && mkfifo inlined.dwo &&
        complains "is split, and inlined.dwo cannot be read" ./split
    status=$?
    cd .. && rm -r split
    return "$status"
}
for version in 4 5; do
    ok "debug information of DWARF $version in a file of its own is read, or missed" \
        split "-gdwarf-$version"
done
unknown_method() {
    "$compiler" -g -gz=zlib -O1 -o zipped inlined.c &&
        is "inlined.c:13 (made-up.h:42)" lines ./zipped || return
    # The method is the first number of the section.
    start=$(readelf -S -W zipped | sed -n 's/^ *\[ *[0-9]*\] //p' |
        awk '$1 == ".debug_info" { print "0x" $4 }')
    printf '\11' | dd of=zipped bs=1 conv=notrunc status=none seek=$((start)) &&
        complains "cannot be read: it is compressed by method 9, which nobody knows" \
            ./zipped
}
ok "debug information that is compressed by an unknown method is named" unknown_method

end_of_cases
