#!/bin/sh
# Where staticdeps finds code between data and padding: by symbols, the entry,
# unwinding tables, jumps and calls.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"

CC=${CC:-cc}

# No symbol says where these functions begin.
cat >data.s <<'END'
        .globl  _start
_start: jmp     behind_data
        .byte   0x48, 0xb8, 6, 6, 6     # the start of a long instruction
behind_data:
        addl    $1, (%rdi)
        jne     behind_data
        jmp     *%rax
        .quad   0x0123456789abcdef
        .byte   0xe9                    # ... and of another
unwound:
        .cfi_startproc
        addl    $1, (%rsi)
        addl    $1, (%rdi)
        call    called
        ret
        .cfi_endproc
        .byte   0x66, 0x66, 0x48
called: addl    $1, (%rdx)
        ret
        .skip   40                      # add %al,(%rax), if it were code
        .byte   0x0f
last:   .cfi_startproc
        .cfi_personality 0x1b, called
        .cfi_lsda 0x1b, called
        addl    $1, (%rcx)
        ret
        .cfi_endproc
        .byte   0x66, 0x66, 0x48
called_from_below:
        addl    $1, (%rdx)
        ret
        .byte   0x66, 0x66, 0x48
below:  .cfi_startproc
        call    called_from_below
        ret
        .cfi_endproc
exits:  .cfi_startproc
        movl    $60, %eax
        syscall                         # which does not come back
        .cfi_endproc
        .byte   0xe9
behind_exit:
        .cfi_startproc
        addl    $1, (%rdx)
        .cfi_endproc
run_into:
        .cfi_startproc
        addl    $1, (%rcx)
        ret
        .cfi_endproc
        # The unwinding tables name the byte before a signal's return.
        .skip   8, 0x90
        .byte   0x0f, 0x1f, 0x40        # nopl  0(%rax), whose last byte ...
        .cfi_startproc                  # ... would be taken for one of add
        .cfi_signal_frame
        .byte   0
        movq    $15, %rax
        syscall
        .cfi_endproc
END
"$CC" -nostdlib -static -Wl,--eh-frame-hdr -o data data.s
nm data | awk '$3 !~ /^_/ { print $1, $3 }' | sort |
    while read -r address name; do
        echo "$((0x$address)) $name"
    done >places
strip data
# begin FILE WHERE: does each of the places begin a block of the file?
begin() {
    staticdeps -o db "$1"
    while read -r address name; do
        holds "$name begins a block $2" db "SELECT count(*) FROM block
            WHERE start = $address AND status = 'ok'" 1
    done <places
}
begin data "in spite of the data before"
holds "padding and the byte before a signal's return have no dependencies" db \
    "SELECT count(*) FROM dep GROUP BY block_id ORDER BY block_id" "1 2 1 1 1 1 1"

# The program without section headers: e_shoff, e_shnum and e_shstrndx are 0.

{ head -c 40 data; head -c 8 /dev/zero; tail -c +49 data | head -c 12
  head -c 4 /dev/zero; tail -c +65 data; } >headless
begin headless "without section headers"

cat >object.s <<'END'
        .globl  _start
        .type   _start, @function
_start: addl    $1, (%rdi)
        jmp     _start
        .size   _start, . - _start
        .type   table, @object
table:  addl    $1, (%rdi)
        addl    $1, (%rdi)
        .size   table, . - table
        .type   next, @function
next:   addl    $1, (%rdx)
        ret
        .size   next, . - next
END
"$CC" -nostdlib -static -o object object.s
finds "an object in .text is taken for data, not for code" "_start next" \
    "SELECT function FROM dep JOIN block USING(block_id) ORDER BY start" object

# Functions after one without a size: with a size but no type, global without either, and
# closures, which have no symbols, each after words of data that end as a long
# instruction begins.  In `sized`, `inner` is no function, since `sized` holds it; nor is
# `table`, which is no code.
cat >closures.s <<'END'
        .globl  _start, labelled, inner
        .type   _start, @function
_start: leaq    closure(%rip), %rax
        movq    %rax, 8(%rdi)
        leaq    inner(%rip), %rax
        leaq    table(%rip), %rax
        jmp     *%rcx
        .size   _start, . - _start
        .type   unsized, @function
unsized:
        addl    $1, (%rdi)
        ret
sized:  addl    $1, (%rsi)
inner:  addl    $1, (%rdi)
        ret
        .size   sized, . - sized
labelled:
        addl    $1, (%rdx)
local:  addl    $1, (%rcx)
        ret
        .quad   0x0000000100000002
        .byte   3, 0, 0, 0, 0, 0, 0x48, 0xb8
closure:
        addl    $1, (%rbx)
        movq    $nested, 16(%rdi)
        jmp     *(%rbp)
        .byte   3, 0, 0, 0, 0, 0, 0x48, 0xb8
nested: addl    $1, (%r12)
        jmp     *(%rbp)
table:  .quad   0x0606060606060606
END
"$CC" -nostdlib -static -no-pie -o closures closures.s
# address_of LABEL
address_of() {
    echo $((0x$(nm closures | awk -v name="$1" '$3 == name { print $1 }')))
}
# function_of LABEL: where the function of its code begins, less its own address.
function_of() {
    query db "SELECT function.start - $(address_of "$1") FROM block JOIN function
        USING (function_id) WHERE block.start <= $(address_of "$1")
            AND block.end > $(address_of "$1")"
}
objcopy --strip-symbol=closure --strip-symbol=nested closures fewer
staticdeps --scope=function -o db fewer
for name in sized labelled closure nested; do
    ok "the code of $name is a function of its own" equal "$(function_of "$name")" 0
done
for name in inner local; do
    ok "the label $name is no function" [ "$(function_of "$name")" -lt 0 ]
done
holds "data that code refers to are no function" db \
    "SELECT count(*) FROM function WHERE start = $(address_of table)" 0
end_of_cases
