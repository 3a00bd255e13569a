#!/bin/sh
# research/run census on a program whose pairs are known, and on a kernel.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"
command -v time >/dev/null || skip_all "time is not installed"
question=census

# Twelve instructions of a round have six pairs: a load of all that a store wrote, one of a
# part of it, one of what two stores wrote, one across a line, and one of four bytes that
# a store wrote and four that none did.
cat >pairs.s <<'END'
        .globl  _start
_start: movl    $100000, %ebx
again:  movq    %rbx, a(%rip)
        movq    a(%rip), %rax
        movl    a+4(%rip), %ecx
        movl    %ebx, b(%rip)
        movl    %ebx, b+4(%rip)
        movq    b(%rip), %rax
        movq    %rax, c+60(%rip)
        movq    c+60(%rip), %rax
        movl    %ebx, d(%rip)
        movq    d(%rip), %rax
        decl    %ebx
        jnz     again
        movl    $60, %eax
        xorl    %edi, %edi
        syscall
        .bss
        .balign 64
c:      .skip   128
a:      .skip   8
b:      .skip   8
d:      .skip   8
END
"${CC:-cc}" -nostdlib -static -Wl,--build-id -o pairs pairs.s ||
    skip_all "no static executable can be linked"
cat >programs <<END
pairs   tune    none  -
    0  $tmp/pairs
END
mkdir doc
printf '%s\n' '<!-- research/run census -->' replaced \
    '<!-- end of research/run census -->' >doc/census.md

ok "a program and a kernel are counted" ends 0 --programs=programs \
    --kernels=prefix-sum --variants=gcc-O1 --doc=doc
has() {
    grep -q -x -F -e "$1" results/census.md || { cat results/census.md; return 1; }
}
ok "the shares of each kind of pair are those of the program" has \
    "| pairs | 500 | 33.33 | 16.67 | 33.33 | 16.667 | 16.67 | 100 | 0 | 0 | 0 |"
ok "the program is among those with several stores for a load" has \
    "| pairs |  | 33.3 | 500 |"
# Distance 1: all, of the two stores the later one, across the line, and in part.
ok "the nearest pairs have a row" has \
    "| 1 | 1 | 66.7 | 50.00 | 0.00 | 25.00 | 25.00 | 25.00 |"
ok "counted in stores, each load comes next after the store that it needs" has \
    "| pairs | 100.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 |"
ok "the page has a row for the kernel" grep -q '^| gcc-O1 | 1 |' doc/census.md
ok "the page has no details" [ -z "$(grep -E 'in stores|results only' doc/census.md)" ]
end_of_cases
