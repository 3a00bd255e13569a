#!/bin/sh
# The critical chain of each kernel in kernels/cycles.s and, for AArch64, in
# kernels/cycles-aarch64.s against the truth beside its code.
#
#     /* scope: SCOPE */            of staticdeps; block if it is missing; both:
#                                   depbound runs staticdeps itself
#     /* cycles: C without memory, C with it */   an iteration's
#     /* link: LABEL WAIT C K */    a link of the chain: what waits, for what,
#                                   cycles, and rounds in between
#
# Costs are those of data/machine.json and data/machine-a64.json, so that no llvm-mca is
# needed.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/kernels/assemble.sh"

machine=$srcdir/data/machine.json

truth() {
    sed -n -E 's|^/\* cycles: (\S+) without memory, (\S+) with it \*/$|registers \1\nmemory \2|p
        s|^/\* link: ([a-z]+ [a-z]+ [0-9.]+ [0-9]+) \*/$|\1|p' "$1" | sort
}

build() {
    truth "$1" >truth && [ -s truth ] && assemble "$1" -Wl,-e,f
}

# answer: depbound's bounds and chain in the words of the truth.  An instruction
# without a label is named by its text.
answer() {
    jq -r 'def near: 100 * . | round | . / 100;
        .loops[0] | "registers \(.registers | near)", "memory \(.memory | near)",
        (.chain[] | "\(.to.address) \(.wait) \(.cycles | near) \(.rounds) \(.to.text)")
        ' report.json |
        awk '
            FILENAME == "labels" { label[$1] = $2; next }
            NF == 2 { print; next }
            { at = sprintf("%x", $1) }
            at in label { print label[at], $2, $3, $4; next }
            { print }' labels - | sort
}

as_the_truth() {
    scope=$(sed -n 's|^/\* scope: \([a-z]*\) \*/$|\1|p' "$1")
    case $scope in
        both) set -- kernel ;;
        *) run staticdeps --scope="${scope:-block}" -o k.db kernel && set -- k.db ;;
    esac &&
        run depbound --cpu="$machine" --llvm-mca=none \
            --format=json "$1" >report.json &&
        answer >answer && same truth answer
}


# chains FILE WHAT: tests each kernel of a file.
chains() {
    for kernel in $(split_kernels "$1"); do
        ok "the $2 $kernel is built, and has a truth" build "split/$kernel.s"
        ok "depbound finds the critical chain of the $2 $kernel" as_the_truth "split/$kernel.s"
    done
}

chains cycles.s kernel

# Loops with calls.  Each multiplies a register by itself, a chain of 3 cycles that passes
# through a call or ends there, as the name says.
cat >calls.s <<'END'
        .macro  loop name, register, call:vararg
        .globl  \name
        .type   \name, @function
\name:  imulq   %\register, %\register
        \call
        decq    %rdi
        jne     \name
        ret
        .size   \name, . - \name
        .endm
        .macro  begin name
        .type   \name, @function
\name:
        .endm

        .text
# Callees in the file: what they and all that they call write.
        loop    ends_written, rcx, call writes
        loop    passes_unwritten, rcx, call saves
        loop    passes_saved, rbp, call saves
        loop    passes_saved_below, rbp, call calls_saves
        loop    ends_not_saved, rbp, call changes
        loop    ends_below, rcx, call calls
        loop    ends_after_jump, rcx, call jumps
        loop    ends_rarely, rcx, call branches
# Callees that return to another one, whose address they were given.
        loop    ends_by_thunk, rcx, call thunk
        loop    ends_by_push, rcx, call pushes
        loop    ends_by_drop, rcx, call drops
        loop    passes_slot, rcx, call has_slot
        loop    passes_frame, rcx, call has_frame
# Callees that are not known: by the ABI.
        loop    ends_by_abi, rcx, call *%rax
        loop    ends_by_jump, rcx, call jumps_away
        loop    ends_by_call, rcx, call calls_away
        loop    passes_by_abi, rbp, call *%rax
        loop    passes_by_abi_too, r12, call jumps_away
        loop    ends_by_system, rax, syscall

        begin   writes
        movl    $1, %ecx
        ret
        begin   saves
        pushq   %rbp
        movl    $1, %ebp
        popq    %rbp
        ret
        begin   calls_saves
        call    saves
        ret
        begin   changes
        movl    $1, %ebp
        ret
        begin   calls
        call    writes
        ret
        begin   jumps
        jmp     writes
        begin   branches
        testq   %rax, %rax
        jne     1f
        movl    $1, %ecx
1:      ret
        begin   thunk
        call    1f
        ud2
1:      movq    %rax, (%rsp)
        ret
        begin   pushes
        pushq   %rax
        ret
        begin   drops
        leaq    8(%rsp), %rsp
        ret
        begin   has_slot
        subq    $24, %rsp
        movq    %rax, (%rsp)
        addq    $24, %rsp
        ret
        begin   has_frame
        pushq   %rbp
        movq    %rsp, %rbp
        movq    %rax, -8(%rbp)
        leave
        ret
        begin   jumps_away
        jmp     *%rax
        begin   calls_away
        call    *%rax
        ret
        .ifdef  GO
        .section .go.buildinfo, "aw", @progbits
        .byte   0
        .endif
END
# of_calls OPTION SED: is each chain as its name says, after SED?
of_calls() {
    "$compiler" -nostdlib -static -Wl,-e,ends_written -Wa,"$1" -o calls calls.s &&
        run depbound --cpu="$machine" --llvm-mca=none --format=json --top=100 \
            calls >report.json &&
        jq -r '.loops[] | "\(.function) \(if .registers < 3 then "ends" else
            "passes" end)"' report.json | sort >answer &&
        sed -n 's/^        loop    \([a-z_]*\), .*/\1/p' calls.s |
        sed -E "$2; s/^(ends|passes).*/& \\1/" | sort >truth && same truth answer
}
ok "a chain ends at a call of what overwrites its register" of_calls -L ''
ok "Go's calls keep no register, unless the callee is known" \
    of_calls --defsym=GO=1 's/^passes_(by|saved).*/& ends/; t'
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    cross=aarch64-linux-gnu-
    compiler=${cross}gcc
    machine=$srcdir/data/machine-a64.json
    chains cycles-aarch64.s "kernel for AArch64"
else
    skip "depbound finds the critical chain of kernels for AArch64" \
        "there is no aarch64-linux-gnu-gcc"
fi
end_of_cases
