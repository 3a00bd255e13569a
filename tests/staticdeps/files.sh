#!/bin/sh
# The files that staticdeps reads: what it finds in each kind of ELF file and library,
# under which names and at which addresses.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"

CC=${CC:-cc}

# found FILE...: "FUNCTION:SRC>DST@DELTA_K" of each dependency, on one line.
found() {
    staticdeps -o db "$@" && query db "SELECT coalesce(function, '') || ':' ||
        src_index || '>' || dst_index || '@' || delta_k
        FROM dep JOIN block USING(block_id) ORDER BY block_id, 1" |
        tr '\n' ' '
}

value() {
    query db "SELECT value FROM analysis WHERE key = '$1'"
}

refused() {
    refuses staticdeps "$1" staticdeps -o no.db "$2"
}

# A kernel that is built into each kind of file.
cat >walk.c <<'END'
void walk(int *a)
{
    do {
        *a += 1;
        __asm__ volatile("" ::: "memory");
    } while (a[1]++ != 9);
}
END
cat >main.c <<'END'
#include <stdlib.h>
void walk(int *);
int main(void)
{
    int *a = calloc(2, sizeof *a);
    walk(a);
    free(a);
    return 0;
}
END
truth='walk:0>0@1'
"$CC" -O1 -c -o walk.o walk.c
"$CC" -O1 -c -o main.o main.c
"$CC" -no-pie -o executable main.o walk.o
"$CC" -pie -o pie main.o walk.o
"$CC" -shared -fPIC -O1 -o library.so walk.c
has_kernel() {
    found --function=walk "$1" | grep -F "$truth"
}
for file in executable pie library.so walk.o; do
    ok "staticdeps finds the kernel in $file" has_kernel $file
done
if "$CC" -static -o static main.o walk.o 2>/dev/null; then
    ok "staticdeps finds the kernel in a static executable" has_kernel static
    ok "a static executable is analysed whole" staticdeps -o db static
    holds "a static executable has IFUNCs, with their names" db \
        "SELECT count(*) > 0 FROM block
        WHERE function = 'memcpy' OR function = 'strlen'" 1
else
    skip "staticdeps finds the kernel in a static executable" "there is no static C library"
fi
finds "entries of the PLT have names" 1 'SELECT count(*) > 0 FROM block' \
    --function=calloc@plt pie
holds "entries of the PLT are where objdump has them" b.db \
    "SELECT printf('%x', min(start)) FROM block WHERE function = 'calloc@plt'" \
    "$(objdump -d pie | sed -n 's/^0*\([0-9a-f]*\) <calloc@plt>:/\1/p')"
plt=$(objdump -h pie | awk '$2 == ".plt.sec" || $2 == ".plt" {
    at = $4 } END { print "0x" at }')
finds "a block begins where the PLT does" 1 \
    "SELECT count(*) FROM block WHERE start = $((plt))" pie

# Object files.  Relocated fields and the addresses of sections are zero there.
cat >symbols.s <<'END'
        .irp    f, two, same, offset, abs, got, table, large, local, tls
        .type   \f, @function
        .endr
        .irp    f, index, past
        .type   \f, @function
        .endr
        .text
two:    movl    %eax, one_symbol(%rip)
        movl    another_symbol(%rip), %ecx
        jmp     two
same:   movl    %eax, one_symbol(%rip)
        movl    one_symbol(%rip), %ecx
        jmp     same
offset: movl    %eax, one_symbol+4(%rip)
        movq    one_symbol(%rip), %rcx
        jmp     offset
abs:    movl    %eax, one_symbol
        movl    another_symbol, %ecx
        movl    one_symbol(%rip), %ecx
        jmp     abs
got:    movq    one_symbol@GOTPCREL(%rip), %rax
        movq    another_symbol@GOTPCREL(%rip), %rcx
        movl    %edx, (%rax)
        movl    (%rcx), %edx
        movq    one_symbol@GOTPCREL(%rip), %rcx
        movl    (%rcx), %edx
        jmp     got
table:  leaq    _GLOBAL_OFFSET_TABLE_(%rip), %rbx
        movabsq $one_symbol@GOTOFF, %rax
        movabsq $another_symbol@GOT, %rcx
        movq    (%rbx,%rcx), %rcx
        movq    another_symbol@GOTPCREL(%rip), %rsi
        movl    %edx, (%rbx,%rax)
        movl    one_symbol(%rip), %edx
        movl    %edx, (%rcx)
        movl    (%rsi), %edx
        jmp     table
large:  movabsq $one_symbol, %rax
        movabsq $another_symbol, %rcx
        movl    %edx, (%rax)
        movl    (%rcx), %edx
        jmp     large
local:  movl    %eax, first(%rip)
        movl    second(%rip), %ecx
        movl    zero(%rip), %ecx
        movl    common(%rip), %ecx
        movl    common_too(%rip), %ecx
        movl    %eax, common(%rip)
        jmp     local
tls:    movl    %eax, %fs:thread@tpoff
        movl    %fs:thread_too@tpoff, %ecx
        movl    %fs:thread@tpoff, %ecx
        jmp     tls
index:  movl    %eax, first(,%rbx,4)
        movl    second(,%rbx,4), %ecx
        movl    first(,%rbx,4), %ecx
        jmp     index
        # Other files may continue .data, so this is not where .bss begins.
past:   .set    offset_past, 16
        .rept   256
        movl    %eax, first+offset_past(%rip)
        .set    offset_past, offset_past + 16
        .endr
        movl    zero(%rip), %ecx
        jmp     past
        .data
first:  .long   0
        .section .data.more, "aw"
second: .long   0
        .bss
zero:   .skip   4
        .comm   common, 4
        .comm   common_too, 4
        .section .tdata, "awT"
thread: .long   0
thread_too: .long 0
END
"$CC" -c -o symbols.o symbols.s
ok "two symbols of an object file are two places, and the same symbol is one" \
    equal "$(found symbols.o)" \
    "same:0>1@0 offset:0>1@0 abs:0>2@0 got:2>5@0 table:5>6@0 table:7>8@0\
 local:5>3@1 tls:0>2@0 index:0>2@0 "
ok "every relocation of an object file is understood" equal "$(value unknown_relocations)" 0
holds "an object file with one section of code has objdump's addresses" db \
    "SELECT printf('%x', min(start)) FROM block WHERE function = 'same'" \
    "$(objdump -d symbols.o | sed -n 's/^0*\([0-9a-f]*\) <same>:/\1/p')"

# A type of relocation that does not exist.
cat >odd.s <<'END'
odd:    movl    %eax, a(%rip)
        movl    b(%rip), %ecx
        .reloc  odd, 200, c
END
if ! "$CC" -c -o odd.o odd.s 2>/dev/null; then
    # R_X86_64_PC32, at the first place in .rela.text
    "$CC" -c -o even.o symbols.s
    at=$(readelf -SW even.o | awk '{ sub(/^ *\[ */, "") } $2 == ".rela.text" {
        print $5 }')
    { head -c $((0x$at + 8)) even.o; printf '\310'
      tail -c +$((0x$at + 10)) even.o; } >odd.o
fi
finds "an unknown relocation is counted" 1 \
    "SELECT value FROM analysis WHERE key = 'unknown_relocations'" odd.o

# Several sections, one of them with a single byte, and one with none.
cat >sections.s <<'END'
        .section .text.first, "ax"
        .globl  first
        .type   first, @function
first:  addl    $1, (%rdi)
        jmp     first
        .section .text.second, "ax"
        .type   second, @function
second: addl    $1, (%rdi)
        addl    $1, (%rdi)
        jmp     second
        .section .text.thin, "ax"
        .type   thin, @function
thin:   ret
        .section .text.none, "ax"
END
"$CC" -c -o sections.o sections.s
ok "all executable sections of an object file are analysed" \
    equal "$(found sections.o)" "first:0>0@1 second:0>1@0 second:1>0@1 "
holds "sections of an object file do not overlap" db 'SELECT count(*) FROM block AS a
    JOIN block AS b ON a.start < b."end" AND b.start < a."end"
    AND a.block_id < b.block_id' 0
holds "a section of one byte is a block" db \
    "SELECT instructions FROM block WHERE function = 'thin'" 1
"$CC" -nostdlib -static -Wl,-e,first -Wl,--unique='.text.*' -o sections \
    sections.o
ok "all executable sections of an executable are analysed" \
    equal "$(found sections)" "first:0>0@1 second:0>1@0 second:1>0@1 "

# Static libraries.
: >empty.s
"$CC" -c -o empty.o empty.s
cp sections.o a-member-with-a-name-that-is-long.o
echo text >text
ar rcs lib.a symbols.o a-member-with-a-name-that-is-long.o text empty.o
finds "each member of a static library is an object" \
    "lib.a(symbols.o) lib.a(a-member-with-a-name-that-is-long.o) lib.a(empty.o)" \
    'SELECT path FROM object' lib.a
holds "members of a library that are no ELF files are counted" b.db \
    "SELECT value FROM analysis WHERE key = 'foreign_members'" 1
ok "members of a library have the pairs that they have alone" \
    equal "$(found lib.a)" \
    "$(found symbols.o sections.o empty.o 2>/dev/null || found symbols.o sections.o)"

ar rcs none.a text
ar rcs empty.a
ok "libraries without any object are an error" \
    refuses staticdeps none.a staticdeps -o none.db empty.a none.a
ok "a library without objects is ignored beside one that has some" \
    staticdeps -o none.db empty.a lib.a

# all FILE...: the blocks and pairs of these files, analysed in one call.
all() {
    staticdeps -o db "$@" && query db "SELECT path, arch, function, start, \"end\",
        instructions, status, src, dst, delta_k, support
        FROM block JOIN object USING(object_id) LEFT JOIN dep USING(block_id)
        ORDER BY block_id, src, dst, delta_k"
}
each() {
    for file; do
        all "$file" || return
    done
}
foreign=
if command -v aarch64-linux-gnu-as >/dev/null; then
    printf 'f: str x0, [x1]\nldr x2, [x1]\nret\n' >a64.s
    aarch64-linux-gnu-as -o a64.o a64.s
    foreign=a64.o
fi
# shellcheck disable=SC2086
ok "several files are analysed as each alone" equal \
    "$(all symbols.o walk.o $foreign main.o sections.o)" \
    "$(each symbols.o walk.o $foreign main.o sections.o)"
mkdir -p there
(cd there && cp ../symbols.o ../sections.o . && ar rcsT thin.a symbols.o \
    sections.o)
ok "the members of a thin library are read from files beside it" \
    equal "$(found there/thin.a)" "$(found symbols.o sections.o)"
finds "members of a thin library are named by their files" "there/thin.a(symbols.o)" \
    'SELECT path FROM object LIMIT 1' there/thin.a
rm there/sections.o
ok "a missing member of a thin library is an error" refused sections.o there/thin.a
head -c 1500 lib.a >short.a
ok "a truncated library is refused" refused short.a short.a
{ head -c 60 lib.a; echo nonsense; } >bad.a
ok "a damaged library is refused" refused bad.a bad.a
ar rcs bad-member.a
{ printf '\177ELF'; head -c 100 /dev/zero; } >bad.o
ar rcs bad-member.a bad.o
ok "a library with a damaged member is refused" refused bad.o bad-member.a

# Names.  A stripped file has only .dynsym, which does not name the kernel.
"$CC" -g -no-pie -Wl,--build-id=sha1 -o named main.o walk.o
id=$(readelf -n named | sed -n 's/.*Build ID: //p')
objcopy --only-keep-debug named named.debug
strip -o bare named
walk="SELECT count(*) > 0 FROM block WHERE function = 'walk'"
named() {
    staticdeps -o db --debug-dir="$PWD/debug" "$@" && query db "$walk"
}
ok "a stripped file has no name of a static function" equal "$(named bare)" 0
ok "a stripped file has the dependencies of the whole one" equal \
    "$(query db 'SELECT src, dst, delta_k FROM dep' | md5sum)" \
    "$(staticdeps -o db named
       query db 'SELECT src, dst, delta_k FROM dep' | md5sum)"
mkdir -p "debug/.build-id/$(echo "$id" | cut -c1-2)"
by_id=debug/.build-id/$(echo "$id" | sed 's,^..,&/,').debug
cp named.debug "$by_id"
ok "a debug file under .build-id gives names" equal "$(named bare)" 1
"$CC" -g -no-pie -Wl,--build-id=sha1 -DOTHER -o other main.c walk.c
objcopy --only-keep-debug other "$by_id"
ok "a debug file of another build-id gives no names" equal "$(named bare)" 0
echo text >"$by_id"
ok "a debug file that is no ELF file gives no names" equal "$(named bare)" 0
rm "$by_id"
objcopy --add-gnu-debuglink=named.debug bare linked
ok ".gnu_debuglink finds a file beside the program" equal "$(named linked)" 1
mkdir .debug && mv named.debug .debug
ok ".gnu_debuglink finds a file in .debug beside the program" equal "$(named linked)" 1
mkdir -p "debug$PWD" && mv .debug/named.debug "debug$PWD"
ok ".gnu_debuglink finds a file under the debug directory" equal "$(named linked)" 1
# For a file without a build-id the checksum decides.
objcopy --remove-section=.note.gnu.build-id named plain
objcopy --only-keep-debug plain plain.debug 2>plain.says
strip plain
objcopy --add-gnu-debuglink=plain.debug plain
ok ".gnu_debuglink takes a file with the right checksum" equal "$(named plain)" 1
printf 'x' >>plain.debug
ok ".gnu_debuglink takes no file with a wrong checksum" equal "$(named plain)" 0
nm named --format=posix --defined-only |
    awk '$2 == "T" || $2 == "t" { print $1 }' | sort >keep
objcopy --only-keep-debug named inner
objcopy -S --remove-section=.gdb_index --remove-section=.comment \
    --keep-symbols=keep inner inner
xz inner
objcopy --add-section=.gnu_debugdata=inner.xz bare mini
ok ".gnu_debugdata gives names" equal "$(named mini)" 1
head -c 100 inner.xz >cut.xz
objcopy --add-section=.gnu_debugdata=cut.xz bare mini
ok "a damaged .gnu_debugdata gives no names, and is no error" equal "$(named mini)" 0

# --executed: blocks that ran.
cat >branch.s <<'END'
        .globl  _start
_start: movl    $3, %ecx
        .type   again, @function
again:  addl    $1, -8(%rsp)
        decl    %ecx
        jne     again
        jmp     over
never:  addl    $1, -8(%rsp)
        jmp     never
        .type   over, @function
over:   movl    $231, %eax
        xorl    %edi, %edi
        syscall
END
"$CC" -nostdlib -static -o branch branch.s
run valgrind -q --tool=depsim --deps-file=deps.db ./branch
ok "--executed keeps the blocks that ran" equal \
    "$(found --executed=deps.db branch)" "again:0>0@1 "
ok "without --executed all blocks are kept" equal "$(query db 'SELECT count(*) FROM block')" 4
finds "--executed and --function keep the blocks that both choose" 1 \
    'SELECT count(*) FROM block' --executed=deps.db --function=over branch
# "again" executes 9 of 15 instructions.
finds "--min-share walks functions that executed enough" again \
    'SELECT group_concat(name) FROM walked JOIN function USING(function_id)
     WHERE walks > 0' --scope=function --executed=deps.db --min-share=59 branch
finds "--min-share leaves the blocks of other functions" 3 \
    'SELECT count(DISTINCT function_id) FROM block' \
    --scope=function --executed=deps.db --min-share=59 branch
finds "--executed keeps no block of a file that did not run" 1 \
    'SELECT count(DISTINCT object_id) FROM block' --executed=deps.db branch sections
ok "--executed is refused if no analysed file ran" refuses staticdeps \
    --executed=deps.db staticdeps -o no.db --executed=deps.db sections
end_of_cases
