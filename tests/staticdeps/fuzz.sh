#!/bin/sh
# The targets of fuzz/staticdeps: small files and pieces of code, unchanged, cut at each
# place, and with each byte changed; and a short run of the fuzzer.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"
. "$srcdir/kernels/assemble.sh"

CC=${CC:-cc}
ASAN_OPTIONS=quarantine_size_mb=8 # what ASan keeps of freed memory is not ours
export ASAN_OPTIONS

# The slowest replay takes 8 times as long as the reference; one that hangs is ended.
limit=$(seconds 100)

# replays TARGET FILE...: does the target accept the files and all their changes, within
# $limit seconds of processor time?
replays() {
    target=$1
    shift
    # shellcheck disable=SC3045
    (ulimit -t "$limit" && "$builddir/fuzz/replay-$target" "$@") >out 2>&1 ||
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
places=".a .b .c .d"
for place in $places; do
    printf '%s\n' ".section $place, \"ax\"" 'jmp *%rax' 'addl %eax, (%rdi)' ret
done >>loops.s
"$CC" -c -o overlap.o loops.s
# shellcheck disable=SC2046,SC2086 # one option for each of them
ld --no-check-sections -e 0x1000 --section-start=.text=0x1000 \
    $(printf -- '--section-start=%s=0x1000 ' $places) -o overlap overlap.o
ok "no change of machine code makes the target \"code\" fail" \
    replays code walk.text other.text
while IFS='|' read -r what file; do
    ok "no change of $what makes the target \"elf\" fail" replays elf "$file"
done <<'END'
an object file|walk.o
an executable|walk
a stripped executable|bare
a library|walk.a
loops|loops.o
loops in overlapping sections|overlap
END
# A recursive function, which is walked when it has been called after its own store.
printf '%s\n' '.type f, @function' 'f: .rept 20' 'mov %rsi, %rdi' .endr \
    'call g' ret '.size f, .-f' '.type g, @function' 'g: mov (%rdi), %ebx' \
    'mov %eax, (%rdi)' 'test %ecx, %ecx' 'je 1f' 'call g' '1: ret' \
    '.size g, .-g' >recursive.s
"$CC" -c -o recursive.o recursive.s
ok "no change of a recursive function makes the target \"elf\" fail" \
    replays elf recursive.o
if command -v aarch64-linux-gnu-as >/dev/null; then
    split_kernels aarch64.s >/dev/null
    for source in tags signed-pointers sve vector-moves; do
        aarch64-linux-gnu-as -o $source.o split/$source.s
        aarch64-linux-gnu-objcopy -O binary --only-section=.text \
            $source.o $source.text
    done
    ok "no change of AArch64 machine code makes the target \"a64\" fail" \
        replays a64 tags.text signed-pointers.text sve.text vector-moves.text
    ok "no change of an AArch64 object file makes the target \"elf\" fail" \
        replays elf tags.o
    # The flags after a call are unknown.
    printf '%s\n' '.type f, %function' 'f: str x1, [sp, #8]' 'cbz x1, 1f' \
        'bl g' 'b.ne 1f' 'ldr x2, [sp, #8]' '1: ret' >flags.s
    aarch64-linux-gnu-as -o flags.o flags.s
    ok "no change of AArch64 flags makes the target \"elf\" fail" \
        replays elf flags.o
fi
nothing() {
    TMPDIR=$tmp CFLAGS=-O0 "$root/fuzz/staticdeps" --work="$tmp/new/fuzz" --runs=500 \
        elf >out 2>err
    grep "^elf: [1-9][0-9]* executions in [0-9]* s: nothing found\$" out ||
        { cat out err; tail -n 60 new/fuzz/elf.log; return 1; }
}
needs clang "fuzz/staticdeps finds no fault with files" nothing
end_of_cases
