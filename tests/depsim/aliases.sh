#!/bin/sh
# --aliases of depsim: the number is that of an awk script over lackey's trace.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"
. "$srcdir/oracle/lackey.sh"

# counted: the number of loads that alias in depsim's message.
counted() {
    sed -n 's/^==[0-9]*== aliases: *\([0-9,]*\) loads, .*/\1/p' said | tr -d ,
}

# recounted WINDOW: the number of loads that alias, from the trace, whose addresses are
# hexadecimal.
recounted() {
    awk -v window="$1" '
        BEGIN {
            for (i = 0; i < 16; i++)
                digit[substr("0123456789abcdef", i + 1, 1)] = i
        }
        function number(hex, i, value) {
            for (i = 1; i <= length(hex); i++)
                value = 16 * value + digit[substr(hex, i, 1)]
            return value
        }
        /^I / { now++ }
        /^ [LSM] / {
            split($2, part, ",")
            low = number(substr(part[1], length(part[1]) - 2))
            page = substr(part[1], 1, length(part[1]) - 3)
            for (i = 0; i < part[2]; i++) {
                at[i] = (low + i) % 4096
                on[i] = page (low + i >= 4096 ? "+" : "")
            }
            if (low + part[2] > 4096) {
                next_page = sprintf("%x", number(page) + 1)
                for (i = 4096 - low; i < part[2]; i++)
                    on[i] = substr("00000000", 1,
                        length(page) - length(next_page)) next_page
            }
            if ($1 != "S")
                for (i = 0; i < part[2]; i++)
                    if (at[i] in time && place[at[i]] != on[i] &&
                        now - time[at[i]] <= window) {
                        n++
                        break
                    }
            if ($1 != "L")
                for (i = 0; i < part[2]; i++) {
                    time[at[i]] = now
                    place[at[i]] = on[i]
                }
        }
        END { print n + 0 }' trace
}

# agrees PROGRAM WINDOW: is depsim's number that of the trace?
agrees() {
    observe --tool=depsim --aliases="$2" "./$1" >/dev/null 2>said
    observe --tool=lackey --trace-mem=yes --vex-iropt-level=1 --vex-guest-chase=no \
        --px-default=allregs-at-each-insn \
        --px-file-backed=allregs-at-each-insn --log-file=trace "./$1" \
        >/dev/null 2>&1
    counted
    is "$(recounted "$2")" counted
}

# A store and a load of 4 bytes in each of 1000 rounds, and a load of 8.
cat >aliases.s <<'TEXT'
        .globl _start
_start: mov $1000, %ecx
        lea area(%rip), %rdi
1:      movl $1, (%rdi)
        mov DISTANCE(%rdi), %eax
        mov DISTANCE(%rdi), %rdx
        dec %ecx
        jnz 1b
        mov $60, %eax
        xor %edi, %edi
        syscall
        .bss
        .p2align 12
area:   .skip 3 * 4096
TEXT
for case in 0:0 4096:2000 4092:1000 4100:0 4088:0 8192:2000; do
    distance=${case%:*}
    "$CC" -nostdlib -static -Wa,--defsym,DISTANCE="$distance" -o aliases \
        aliases.s
    run valgrind --tool=depsim --aliases=2 ./aliases 2>said
    ok "at a distance of $distance bytes ${case#*:} loads alias" is "${case#*:}" counted
done
"$CC" -nostdlib -static -Wa,--defsym,DISTANCE=4096 -o aliases aliases.s
run valgrind --tool=depsim --aliases=1 ./aliases 2>said
ok "--aliases=N counts the window in instructions" is 1000 counted
run valgrind --tool=depsim --aliases=2 --record-from-start=no ./aliases 2>said
ok "no alias counts while recording is off" is 0 counted
run valgrind --tool=depsim --aliases=2 --objects=libc.so* ./aliases 2>said
ok "no alias outside --objects counts" is 0 counted
run valgrind -q --tool=depsim --aliases=2 ./aliases 2>said
ok "-q prints nothing about aliases" is "" cat said
run valgrind --tool=depsim ./aliases 2>said
ok "without --aliases no alias is counted" is "" counted
run valgrind -v --tool=depsim --aliases=2 ./aliases 2>said
ok "the summary of -v has the number of aliases" is 2000 counted

# Accesses of all sizes at random addresses.  There is no C library, since lackey shows
# its compare-and-swaps in another way (tests/oracle/oracle_cas.h).
compile mixed -nostdlib -static -ffreestanding -fno-stack-protector \
    -fcf-protection=none <<'TEXT'
#define AREA (4 * 4096)
static char area[AREA + 16];
static unsigned state = 1;
static unsigned draw(unsigned n)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % n;
}
void _start(void)
{
    for (int i = 0; i < 20000; i++) {
        char *p = area + draw(AREA);
        char *q = area + ((p - area) + 4096 * draw(4) + draw(24)) % AREA;

        switch (draw(4)) {
        case 0:
            *(volatile char *)p = 1;
            *(volatile long *)q;
            break;
        case 1:
            *(volatile short *)p = 1;
            *(volatile char *)q;
            break;
        case 2:
            *(volatile long *)p = 1;
            *(volatile int *)q;
            break;
        default:
            *(volatile int *)p = 1;
            *(volatile short *)q;
        }
    }
    __asm__ volatile("syscall" : : "a"(60), "D"(0));
    __builtin_unreachable();
}
TEXT
for window in 4 16 512; do
    ok "within $window instructions depsim's aliases are those of a trace" agrees mixed $window
done
ok "the program has thousands of aliases to compare" [ "$(counted)" -gt 2000 ]

for value in -1 x '' 1k 18446744073709551617; do
    ok "depsim refuses --aliases=$value" refuses depsim -- \
        valgrind -q --tool=depsim --aliases=$value ./aliases
done

end_of_cases
