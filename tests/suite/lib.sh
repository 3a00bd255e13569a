# What the tests of research/run share.  Sourced after lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # lib.sh sets what it sets

for program in parallel jq; do
    command -v $program >/dev/null || skip_all "$program is not installed"
done

# The question that is tested.
question=coverage

# tested OPTION...: runs the question, which writes to the directory results.
tested() {
    "$root/research/run" $question --results=results "$@"
}

# says LINE: is this one of its messages?
says() {
    grep -F -x -e "$1" err || { cat err; return 1; }
}

# refused SUBJECT OPTION...: does it refuse the options with a line on SUBJECT?
refused() {
    subject=$1
    shift
    refuses $question "$subject" "$root/research/run" $question --results=none "$@"
}

# stamps: the times of all files that jobs have written.
stamps() {
    (cd results && for place in binaries runs predictions; do
        [ ! -d $place ] || find $place -type f -printf '%T@ %p\n'
    done | sort)
}

# instead PROGRAM: a script on standard input takes its place, in which $real is the
# path of the system's program.
instead() {
    mkdir -p instead
    {
        echo '#!/bin/sh'
        echo "real=$(PATH=/usr/bin:/bin command -v "$1")"
        cat
    } >"instead/$1"
    chmod +x "instead/$1"
}

# make_pairs [N]: a program with pairs within a block, within a function and between two, in
# a loop of N rounds.  The loop's store to b is overwritten unless there is an argument, so
# walks and only the second input show one pair.  No input runs the code for nine arguments.
make_pairs() {
    cat >pairs.s <<END
        .globl  _start
        .type   _start, @function
_start: movl    \$${1-1000}, %ebx
again:  addq    \$1, a(%rip)
        call    other
        movq    %rbx, b(%rip)
        cmpq    \$1, (%rsp)
        jne     next
        movq    \$0, b(%rip)
next:   movq    b(%rip), %rax
        cmpq    \$9, (%rsp)
        jne     last
        movq    %rax, d(%rip)
        movq    d(%rip), %rax
last:   decl    %ebx
        jnz     again
        movl    \$60, %eax
        xorl    %edi, %edi
        syscall
        .size   _start, . - _start
        .type   other, @function
other:  movq    a(%rip), %rcx
        movq    %rcx, c(%rip)
        ret
        .size   other, . - other
        .lcomm  a, 8
        .lcomm  b, 8
        .lcomm  c, 8
        .lcomm  d, 8
END
    "${CC:-cc}" -nostdlib -static -Wl,--build-id -o pairs pairs.s
}
