#!/bin/sh
# staticdeps on AArch64: each kernel against the truth beside its code, and
# the same code as an object file and as hexadecimal.
#
#     /* expect: SRC -> DST  dk=K */
#
# says that the instruction at label .LDST reads what that at .LSRC wrote K
# iterations before (or, at K,K,..., each of these).  The list is complete; a
# kernel without dependencies says `expect: nothing`.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"
. "$srcdir/kernels/assemble.sh"

cross=aarch64-linux-gnu-
compiler=${cross}gcc
command -v ${cross}gcc >/dev/null ||
    skip_all "${cross}gcc is missing: install the Debian package gcc-aarch64-linux-gnu"

# "SRC DST DK" for each expectation; anything else that calls itself one is an
# error in the kernel.
truth() {
    awk '
        $2 != "expect:" || $3 == "nothing" { next }
        $4 == "->" && $6 ~ /^dk=[0-9,]+$/ && $7 == "*/" {
            n = split(substr($6, 4), dk, ",")
            for (i = 1; i <= n; i++)
                print $3, $5, dk[i]
            next
        }
        { print FILENAME ": " $0 >"/dev/stderr"; exit 1 }
    ' "split/$1.s"
}

predicts_the_truth() {
    assemble "split/$1.s" || return
    run staticdeps -o k.db kernel || return
    grep -q '^/\* expect:' "split/$1.s" || return
    truth "$1" >truth || return
    sort truth >expected
    sqlite3 -separator ' ' k.db "
        SELECT printf('%x', src), printf('%x', dst), delta_k FROM dep" |
        by_used_label >actual
    same expected actual
}

for kernel in $(split_kernels aarch64.s); do
    ok "staticdeps predicts the truth of the AArch64 kernel $kernel" \
        predicts_the_truth "$kernel"
done

assemble split/pairs.s
run staticdeps -o elf.db kernel
holds "the database of an AArch64 program names the architecture" elf.db \
    'SELECT arch FROM object' aarch64
deps="SELECT src_index, dst_index, delta_k FROM dep ORDER BY 1, 2, 3"
${cross}objdump -d --section=.text kernel |
    awk '$1 ~ /:$/ && length($2) == 8 && $3 != "ret" {
        printf "%s%s%s%s", substr($2, 7), substr($2, 5, 2), substr($2, 3, 2),
            substr($2, 1, 2) } END { print "" }' >lines
finds "--hex of AArch64 code has the dependencies of its ELF file" \
    "$(query elf.db "$deps" | paste -s -d ' ' -)" "$deps" --arch=aarch64 --hex=lines
holds "the database of --arch=aarch64 --hex names the architecture" b.db \
    'SELECT arch FROM object' aarch64
# Words that are not complete, not allocated or not known; the last is an instruction.
printf '400080\n00000002\n200020d9\n400080d2\n' >lines
finds "words that are no AArch64 instruction are undecodable" \
    "undecodable undecodable undecodable ok" 'SELECT status FROM block' \
    --arch=aarch64 --hex=lines
# Random words, most of which are no instruction: two in three are in an allocated
# group of loads, stores or branches.
awk 'BEGIN {
    srand(1)
    for (i = 0; i < 3000; i++) {
        for (k = 0; k < 12; k++)
            printf "%02x%02x%02x%02x", 256 * rand(), 256 * rand(),
                256 * rand(), k % 3 ? 248 + 2 * rand() : 256 * rand()
        print ""
    }
}' >lines
ok "random AArch64 words are analysed without an error" \
    run staticdeps --arch=aarch64 --hex=lines -o hex.db
holds "each block of random AArch64 words has a status" hex.db \
    "SELECT count(*), sum(status IN ('ok', 'undecodable', 'panic'))
     FROM block" "3000|3000"
finds "a database may have objects of both architectures" "aarch64 x86-64" \
    'SELECT arch FROM object ORDER BY object_id' kernel "$(command -v sort)"

# An object file, whose relocated fields are zero.
cat >symbols.s <<'END'
        .irp    f, two, same, got, page, tls
        .type   \f, @function
        .endr
two:    adrp    x0, one
        str     w1, [x0, :lo12:one]
        adrp    x0, another
        ldr     w2, [x0, :lo12:another]
        b       two
same:   adrp    x0, one
        str     w1, [x0, :lo12:one]
        adrp    x3, one
        add     x3, x3, :lo12:one
        ldr     w2, [x3]
        b       same
got:    adrp    x0, :got:one
        ldr     x0, [x0, :got_lo12:one]
        adrp    x3, :got:another
        ldr     x3, [x3, :got_lo12:another]
        adrp    x4, :got:one
        ldr     x4, [x4, :got_lo12:one]
        str     w1, [x0]
        ldr     w2, [x3]
        ldr     w2, [x4]
        b       got
        # the same slot by its distance from the table
page:   adrp    x0, _GLOBAL_OFFSET_TABLE_
        ldr     x0, [x0, :gotpage_lo15:one]
        adrp    x3, :got:one
        ldr     x3, [x3, :got_lo12:one]
        str     w1, [x0]
        ldr     w2, [x3]
        b       page
tls:    mrs     x0, tpidr_el0
        add     x1, x0, :tprel_hi12:local
        add     x1, x1, :tprel_lo12_nc:local
        add     x2, x0, :tprel_hi12:local_too
        add     x2, x2, :tprel_lo12_nc:local_too
        str     w3, [x1]
        ldr     w4, [x2]
        ldr     w4, [x1]
        b       tls
        .section .tbss, "awT", @nobits
local:  .skip   4
local_too: .skip 4
END
${cross}gcc -c -o symbols.o symbols.s
finds "two symbols of an AArch64 object file are two places, and one is one" \
    "got|6|8|0 page|4|5|0 same|1|4|0 tls|5|7|0" \
    "SELECT function, src_index, dst_index, delta_k FROM dep
        JOIN block USING(block_id) ORDER BY 1, 2, 3" symbols.o
holds "every relocation of an AArch64 object file is understood" b.db \
    "SELECT value FROM analysis WHERE key = 'unknown_relocations'" 0

# An object file of a compiler.
cat >walk.c <<'END'
void walk(long *a, long n)
{
    for (long i = 1; i < n; i++)
        a[i] += a[i - 1] & 0xff;
}
END
${cross}gcc -O1 -c -o walk.o walk.c
finds "an AArch64 object file of a compiler is analysed" "walk|1" "SELECT function,
    delta_k FROM dep JOIN block USING(block_id) ORDER BY 1, 2 LIMIT 1" walk.o
end_of_cases
