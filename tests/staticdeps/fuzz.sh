#!/bin/sh
# The targets of fuzz/staticdeps, without a fuzzer: small files and pieces
# of code, as they are, cut off anywhere, and with any byte changed.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

CC=${CC:-cc}
ASAN_OPTIONS=quarantine_size_mb=8 # what ASan keeps of freed memory is not ours
export ASAN_OPTIONS

# replays TARGET FILE...
replays() {
    target=$1
    shift
    timeout 120 "$builddir/fuzz/replay-$target" "$@" >out 2>&1 ||
        { tail out; return 1; }
    cat out
    grep -q "^[1-9][0-9]* inputs\$" out
}

cat >walk.s <<'END'
        .globl  walk
        .type   walk, @function
walk:   movl    counter(%rip), %eax
        addl    %eax, (%rdi)
        call    other@PLT
        ret
        .size   walk, .-walk
        .section .text.other, "ax"
        .type   other, @function
other:  .cfi_startproc
        vmovups %zmm0, 64(%rsp)
        ret
        .cfi_endproc
        .comm   counter, 4
END
"$CC" -c -o walk.o walk.s
objcopy -O binary --only-section=.text walk.o walk.text
objcopy -O binary --only-section=.text.other walk.o other.text
"$CC" -nostdlib -static -Wl,-e,walk -o walk walk.s
strip -o bare walk
ar rc walk.a walk.o
cat >loops.s <<'END'
        .type   f, @function
f:      jmp     *%rax
1:      incl    (%rdi)
        jne     1b
        call    f
        movl    (%rsi), %eax
2:      push    (%rsi)
        je      1b
        pop     8(%rsp)
        jmp     f
        addl    %eax, (%rdi)
        ret
END
"$CC" -c -o loops.o loops.s
places=".a .b .c .d .e .f .g .h"
for place in $places; do
    printf '%s\n' ".section $place, \"ax\"" 'jmp *%rax' \
        'addl %eax, (%rdi)' ret
done >>loops.s
"$CC" -c -o overlap.o loops.s
# shellcheck disable=SC2046,SC2086 # one option for each of them
ld --no-check-sections -e 0x1000 --section-start=.text=0x1000 \
    $(printf -- '--section-start=%s=0x1000 ' $places) -o overlap overlap.o
ok "machine code" replays code walk.text other.text
ok "an object file" replays elf walk.o
ok "an executable" replays elf walk
ok "a stripped one" replays elf bare
ok "a library" replays elf walk.a
ok "loops" replays elf loops.o
ok "loops in sections that overlap" replays elf overlap
# The second function was called, later than it stores, when it is walked.
printf '%s\n' '.type f, @function' 'f: .rept 20' 'mov %rsi, %rdi' .endr \
    'call g' ret '.size f, .-f' '.type g, @function' 'g: mov (%rdi), %ebx' \
    'mov %eax, (%rdi)' 'test %ecx, %ecx' 'je 1f' 'call g' '1: ret' \
    '.size g, .-g' >recursive.s
"$CC" -c -o recursive.o recursive.s
ok "a function that calls itself" replays elf recursive.o
if command -v aarch64-linux-gnu-as >/dev/null; then
    for source in tags signed-pointers sve vector-moves; do
        aarch64-linux-gnu-as -o $source.o \
            "$srcdir/kernels/aarch64/$source.s"
        aarch64-linux-gnu-objcopy -O binary --only-section=.text \
            $source.o $source.text
    done
    ok "machine code of AArch64" replays a64 tags.text signed-pointers.text \
        sve.text vector-moves.text
    ok "an object file of AArch64" replays elf tags.o
    # The flags behind a call are unknown.
    printf '%s\n' '.type f, %function' 'f: str x1, [sp, #8]' 'cbz x1, 1f' \
        'bl g' 'b.ne 1f' 'ldr x2, [sp, #8]' '1: ret' >flags.s
    aarch64-linux-gnu-as -o flags.o flags.s
    ok "flags of AArch64" replays elf flags.o
fi
end_of_cases
