#!/bin/sh
# depbound on code for AArch64: which machine file counts, and what it refuses.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip "depbound predicts code for AArch64" "there is no aarch64-linux-gnu-gcc"
    end_of_cases
fi
cpu=--cpu=$srcdir/data/machine-a64.json
shipped='neoverse-n1 neoverse-v1 neoverse-v2 a64fx'

cat >sum.c <<'END'
struct account { long n, total; };
void sum(struct account *a, const long *v, long n)
{
    for (long i = 0; i < n; i++) {
        a->total += v[i];
        __asm__ volatile("" ::: "memory");
    }
}
int main(void) { return 0; }
END
built() {
    aarch64-linux-gnu-gcc -O1 -g -c -o sum.o sum.c &&
        aarch64-linux-gnu-gcc -O1 -g -static -o sum sum.c &&
        run staticdeps -o sum.db sum.o && "${CC:-cc}" -O1 -c -o x86.o sum.c
}
ok "an object file and a program for AArch64 are built" built

# --- Which machine file ---

# A made-up file: 9 cycles from the store to the load, and the addition.
of_memory='.loops | map(select(.function == "sum")) |
    length == 1 and .[0].memory == 10 and .[0].registers == 1'
for file in sum.o sum.db; do
    ok "depbound predicts the loop of $file" holds "$of_memory" "$cpu" $file
done
ok "depbound predicts a loop of a whole program" holds "$of_memory" "$cpu" --function=sum sum
if [ "$(uname -m)" = aarch64 ]; then
    skip "the report names the file that counts on x86-64" "this is no x86-64"
else
    for format in text markdown html; do
        first_line() {
            ends 0 --llvm-mca=none --format=$format sum.o && has "The code is of AArch64, and $(
                )this processor (.* family .* model .*) is not: the figures are those of neoverse-v2"
        }
        ok "the $format report on x86-64 says whose figures count" first_line
    done
fi
for name in $shipped; do
    ok "the machine file $name is taken for AArch64" \
        holds ".machine == \"$name\" and (.loops | length > 0)" \
        --cpu="$name" sum.o
done
listed() {
    run depbound --cpu=help >out
    for name in $shipped; do
        grep "^$name  *AArch64\. " out || return 1
    done
    ! grep '^skylake .*AArch64' out
}
ok "--cpu=help says which files are of AArch64" listed
ok "a machine file of AArch64 is refused for code of x86-64" says \
    "depbound: --cpu=neoverse-v2: an AArch64 processor, but the code is of x86-64" \
    --cpu=neoverse-v2 x86.o
ok "a machine file of x86-64 is refused for code of AArch64" says \
    "depbound: --cpu=skylake: an x86-64 processor, but the code is of AArch64" \
    --cpu=skylake sum.o
guessed() {
    tells 'Guessed: the 5.00 cycles of ldr ' --cpu=neoverse-n1 sum.o &&
        report --cpu=neoverse-v2 sum.o && ! grep 'Guessed: the .* cycles of ldr ' out
}
ok "a forward that nobody measured is called guessed, and no other" guessed
# Chains through the accesses of a pair, and through exclusive ones.
cat >others.s <<'END'
        .text
pair:   ldp     x4, x5, [x0]
        add     x4, x4, #1
        stp     x4, x5, [x0]
        subs    x2, x2, #1
        b.ne    pair
        ret
again:  ldxr    x4, [x0]
        add     x4, x4, #1
        stxr    w5, x4, [x0]
        cbnz    w5, again
        ret
END
others_are_guessed() {
    aarch64-linux-gnu-as -o others.o others.s && report --cpu=neoverse-v2 others.o &&
        has 'Guessed: the 5.00 cycles of ldp ' \
            ': not known how many cycles an iteration takes' \
            'Not known: what 2 atomic instructions or fences take'
}
ok "forwards of pairs are guessed where others are not, and atomics are not known" \
    others_are_guessed

# In object files, a jump that a relocation leads elsewhere has its own address.
cat >tail.c <<'END'
void other(long *);
void tail(long *p)
{
    p[0]++;
    other(p);
}
END
no_loop() {
    aarch64-linux-gnu-gcc -O2 -c tail.c && aarch64-linux-gnu-objdump -dr tail.o >code &&
        grep R_AARCH64_JUMP26 code && holds '.loops == []' "$cpu" tail.o
}
ok "a function that ends in a jump to another file is no loop" no_loop

# --- Code without a file ---

# ldr x4, [x0]; add x4, x4, #1; str x4, [x0]
code=040040f984040091040000f9
ok "--cpu says of which architecture --hex is" \
    holds '.loops[0].memory == 10' "$cpu" --hex=$code
# ldr x4, [x0], and UDF, which no program knows
ok "an unknown instruction is counted, and the figure is marked as at least" holds \
    '.loops[0] | .at_least and .unknown_instructions == 1' \
    "$cpu" --hex=040040f900000000
cat >sum.s <<'END'
        .text
loop:   ldr     x4, [x0]
        add     x4, x4, #1
        str     x4, [x0]
        subs    x2, x2, #1
        b.ne    loop
END
ok "--cpu says of which architecture assembly source is" \
    holds '.loops[0].memory == 10' "$cpu" sum.s
# Each tool has its own comments on AArch64.
marked() {
    report --region-markers=auto sum.s && has '^# LLVM-MCA-BEGIN .*' '^// OSACA-BEGIN$' &&
        aarch64-linux-gnu-as -o marked.o out
}
ok "source of AArch64 is marked for llvm-mca and OSACA" marked
# Jumps keep their other operands, and bytes are followed by a comment of AArch64.
cat >jumps.s <<'END'
        .arch   armv8.1-a
        .text
0:      ldadd   x3, x4, [x0]
        tbz     x4, #5, 1f
        add     x5, x5, #1
1:      bl      called
        sub     x2, x2, #1
        cbnz    x2, 0b
        ret
END
marked_program() {
    aarch64-linux-gnu-as -o jumps.o jumps.s && report --region-markers=auto jumps.o &&
        aarch64-linux-gnu-as -march=armv8.1-a -o marked.o out &&
        has 'tbz [xw]4, #\(0x\)\?5, \.Lloop0\.[23]$' 'cbnz x2, \.Lloop0\.0$'
}
ok "loops of an AArch64 program are listed so that an assembler takes them" marked_program

# --- llvm-mca ---

if command -v llvm-mca-19 >/dev/null; then
    for name in $shipped; do
        # Each of the six instructions is known, and memory limits the loop.
        units() {
            ends 0 --cpu="$name" --format=json sum.o &&
                jq -e '.loops[0] | .units >= 1 and .units < 3 and
                    .unknown_instructions == 0' out
        }
        ok "llvm-mca tells what the units of $name need" units
    done

    # Where no memory is on the chain, llvm-mca's own simulation takes as long, but for
    # what the files know better: sums of products on V1.  (On a64fx that is all
    # floating point.)
    cat >registers.c <<'END'
#include <stdint.h>
double horner(const double *c, double x, long n)
{
    double s = 0;
    for (long i = 0; i < n; i++)
        s = s * x + c[i];
    return s;
}
double dot(const double *a, const double *b, long n)
{
    double s = 0;
    for (long i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
uint64_t congruence(uint64_t x, long n)
{
    for (long i = 0; i < n; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}
uint64_t shifts(uint64_t x, long n)
{
    for (long i = 0; i < n; i++)
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return x;
}
float roots(float x, long n)
{
    for (long i = 0; i < n; i++)
        x = __builtin_sqrtf(x) + 1;
    return x;
}
uint64_t quotients(uint64_t x, uint64_t y, long n)
{
    for (long i = 0; i < n; i++)
        x = x / y + (uint64_t)i;
    return x;
}
int conversions(int x, long n)
{
    for (long i = 0; i < n; i++)
        x = (int)((double)x * 1.5);
    return x;
}
int selections(int x, int m, long n)
{
    for (long i = 0; i < n; i++)
        x = x * 3 > m ? m : x * 3;
    return x;
}
END
    # theirs ITERATIONS: each loop's cycles by llvm-mca.
    theirs() {
        llvm-mca-19 -mtriple=aarch64 -mcpu="$name" -json -iterations="$1" marked.s |
            jq -r '.CodeRegions[] | "\(.Name | split(" ")[0]) \(.SummaryView.TotalCycles)"'
    }
    as_simulated() {
        run depbound --cpu="$name" --region-markers=auto registers.o >marked.s &&
            theirs 100 >less && theirs 200 >more &&
            paste -d ' ' less more | awk '{ print $1, ($4 - $2) / 100 }' | sort >want &&
            run depbound --cpu="$name" --format=json registers.o | jq -r '.loops[] |
                "\(.function) \(.predicted) \(.registers)"' | sort >got &&
            paste -d ' ' want got && paste -d ' ' want got | awk -v but="$1" '
                $1 == but { next }
                { n++; if ($1 != $3 || ($2 - $4) ^ 2 > 0.01 || $4 != $5) exit 1 }
                END { exit n < 7 }'
    }
    aarch64-linux-gnu-gcc -O2 -fno-math-errno -c registers.c
    for name in neoverse-n1: neoverse-v1:dot neoverse-v2:; do
        but=${name#*:} name=${name%:*}
        ok "chains of registers take as long on $name as llvm-mca simulates" \
            as_simulated "$but"
    done
else
    skip "llvm-mca tells what units need" "there is no llvm-mca-19"
fi
end_of_cases
