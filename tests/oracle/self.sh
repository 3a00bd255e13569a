#!/bin/sh
# Is the oracle right?  The expected answers to traces of a few lines are computed by
# hand here; the answers for the assembly kernels are beside their code.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/kernels/truth.sh"
. "$srcdir/oracle/lackey.sh"

# The hand-made traces execute code outside all files.
cat >segments.hand <<'TEXT'
--1:1: aspacem <<< SHOW_SEGMENTS: Memory layout at client startup (1 segments)
--1:1: aspacem (0,4,1) /nowhere/to/be/found
--1:1: aspacem   0: file 0000900000-0000900fff    4096 r-x-- d=1 i=2 o=0 (0,4)
--1:1: aspacem >>>
TEXT

# trace_of TRACE: writes the file trace, as lackey does.  A line may have several of its
# lines, with a semicolon between; "I 1000" is an instruction of 4 bytes.
trace_of() {
    printf '%s\n' "$1" | sed 's/; /\n/g' |
        sed -E 's/^I ([0-9a-f]+)$/I  \1,4/; s/^([SLM]) / \1 /' >trace
}

# answers WHAT TRACE DEPS: one case.  DEPS has "SRC DST OCCURRENCES MIN MAX BUCKETS" for
# each dependency, sorted, with semicolons between; a bucket has all occurrences.
answers() {
    trace_of "$2"
    printf '%s\n' "$3" | sed 's/; /\n/g' >expected
    ok "$1" the_answer_is_as_expected 's,/[/0-9]*,,g'
}

# forwards WHAT TRACE DEPS: as answers, but a bucket also says how many occurrences
# are same, contained, partial and several, and how many cross a line.
forwards() {
    trace_of "$2"
    printf '%s\n' "$3" | sed 's/; /\n/g' >expected
    ok "$1" the_answer_is_as_expected ''
}

the_answer_is_as_expected() {
    "$builddir/oracle/oracle" segments.hand <trace >unsorted || return
    sed -n 's/^dep	-	\([^	]*\)	-	/\1 /p' unsorted | tr '\t' ' ' |
        sed "$1" | LC_ALL=C sort >actual
    same expected actual
}

# refused WHAT TRACE TEXT: the oracle ends with status 2 and says TEXT.
refused() {
    trace_of "$2"
    ok "$1" the_trace_is_refused "$3"
}

the_trace_is_refused() {
    status=0
    "$builddir/oracle/oracle" segments.hand <trace >out 2>err || status=$?
    cat out err
    [ "$status" -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -qF "oracle: $1" err
}

answers 'a load reads what was stored' '==1== Lackey, an example Valgrind tool
I 00001000; S 1fff000000,8; I 00001004; L 1fff000000,8' \
'1000 1004 1 1 1 1:1'
answers 'any byte in common is enough, bytes side by side are not' \
'I 1000; S 2000,4; I 1004; L 2003,1; I 1008; L 2004,8; I 100c; L 1ffc,4; I 1010
L 1ff0,32' \
'1000 1004 1 1 1 1:1; 1000 1010 1 4 4 4:1'
answers 'a load of bytes of two writers is an occurrence of each' \
    'I 1000; S 2000,4; I 1004; S 2004,4; I 1008; L 2000,8' \
    '1000 1008 1 2 2 2:1; 1004 1008 1 1 1 1:1'
answers 'bytes that one instruction wrote at two times are one occurrence' \
    'I 1000; S 2000,4; I 1004; I 1000; S 2004,4; I 1008; L 2000,8' '1000 1008 1 1 1 1:1'
forwards 'a load has the same bytes as a store, or some of them' \
    'I 1000; S 2000,8; I 1004; L 2000,8; L 2000,4; L 2007,1' \
    '1000 1004 3 1 1 1:3/1/2/0/0/0'
forwards 'some bytes of a load may have no writer' \
    'I 1000; S 2000,4; I 1004; L 2000,8; L 1fff,2' '1000 1004 2 1 1 1:2/0/0/2/0/1'
forwards 'several stores are several, even of one instruction' \
    'I 1000; S 2000,4; S 2004,4; I 1004; L 2000,8; L 2003,2; L 2004,4; L 2004,8' \
    '1000 1004 4 1 1 1:4/1/0/1/2/0'
forwards 'bytes that were stored over do not count' \
    'I 1000; S 2000,8; I 1004; S 2000,4; I 1008; L 2000,4; L 2004,4; L 2003,2' \
    '1000 1008 2 2 2 2:2/0/1/0/1/0; 1004 1008 2 1 1 1:2/1/0/0/1/0'
forwards 'stores of more than 512 instructions before count each by itself' \
"I 1000; S 2000,8; I 1004; S 2008,8
$(yes 'I 1100' | head -n 510)
I 1008; L 2000,16; I 100c; L 2000,16; L 2000,8; I 1010; L 2000,16" \
'1000 1008 1 512 512 512:1/0/0/0/1/0; 1000 100c 2 513 513 1024:2/1/0/1/0/0
1000 1010 1 514 514 1024:1/0/0/1/0/0; 1004 1008 1 511 511 512:1/0/0/0/1/0
1004 100c 1 512 512 512:1/0/0/1/0/0; 1004 1010 1 513 513 1024:1/0/0/1/0/0'
forwards 'a load that crosses a line of 64 bytes is counted' \
    'I 1000; S 203c,8; I 1004; L 203c,8; L 203f,1; L 203c,4; L 2040,4; L 203f,2' \
    '1000 1004 5 1 1 1:5/1/4/0/0/2'
answers 'a store kills an earlier one, where it covers it' \
    'I 1000; S 2000,8; I 1004; S 2002,2; I 1008; L 2002,2; I 100c; L 2000,8' \
    '1000 100c 1 3 3 4:1; 1004 1008 1 1 1 1:1; 1004 100c 1 2 2 2:1'
answers 'M is a load, then a store' \
    'I 1000; M 2000,4; I 1000; M 2000,4; I 1000; L 2000,4; M 2000,4' '1000 1000 3 1 1 1:3'
answers 'distances are counted by powers of two' \
'I 1000; S 2000,1; I 1004; L 2000,1; I 1004; L 2000,1; I 1004; L 2000,1; I 1004
L 2000,1; I 1004; L 2000,1' \
'1000 1004 5 1 5 1:1,2:1,4:2,8:1'
answers 'beyond 1048576 instructions the bucket is inf' "$(awk 'BEGIN {
    print "I  1000,4\n S 2000,1"
    for (i = 1; i < 1048576; i++)
        print "I  1008,4"
    print "I  1004,4\n L 2000,1\nI  1004,4\n L 2000,1"
}')" \
'1000 1004 2 1048576 1048577 1048576:1,inf:1'
answers 'read clears as many bytes as it returned' 'I 1000; S 2000,8
SYSCALL[1,1](0) sys_read ( 3, 0x2000, 8 ) --> [async] ... 
SYSCALL[1,1](0) ... [async] --> Success(0x4) 
I 1004; L 2000,4; I 1008; L 2004,4' \
'1000 1008 1 2 2 2:1'
answers 'a call that fails clears nothing' 'I 1000; S 2000,8
SYSCALL[1,1](0) sys_read ( 3, 0x2000, 8 ) --> [async] ... 
SYSCALL[1,1](0) ... [async] --> Failure(0x9) 
SYSCALL[1,1](334) unimplemented (by the kernel) syscall: 334! (ni_syscall)
 --> [pre-fail] Failure(0x26)
I 1004; L 2000,8' \
'1000 1004 1 1 1 1:1'
answers 'a file name may hold commas and parentheses' 'I 1000; S 2000,256
SYSCALL[1,1](262) sys_newfstatat ( 4294967196, 0x3000(a, (b),c), 0x2000 )[sync] --> Success(0x0) 
I 1004; L 208f,1; I 1008; L 2090,1' \
'1000 1008 1 2 2 2:1'
answers 'a null pointer is not written to' 'I 1000; S 0,16
SYSCALL[1,1](302) sys_prlimit64 ( 0, 3, 0x0, 0x0 ) --> [pre-success] Success(0x0) 
I 1004; L 0,16' \
'1000 1004 1 1 1 1:1'
answers 'brk clears what it adds' \
'SYSCALL[1,1](12) sys_brk ( 0x0 ) --> [pre-success] Success(0x5000) 
I 1000; S 4ff8,16
SYSCALL[1,1](12) sys_brk ( 0x6000 ) --> [pre-success] Success(0x6000) 
I 1004; L 4ff8,8; I 1008; L 5000,8' \
'1000 1004 1 1 1 1:1'
answers 'mmap and munmap clear whole pages' 'I 1000; S 10ff8,16
SYSCALL[1,1](9) sys_mmap ( 0x10000, 1, 3, 50, 4294967295, 0 ) --> [pre-success] Success(0x10000) 
I 1004; L 10ff8,8; I 1008; L 11000,8
SYSCALL[1,1](11) sys_munmap ( 0x11000, 16 )[sync] --> Success(0x0) 
I 100c; L 11000,8' \
'1000 1008 1 2 2 2:1'
answers 'mremap keeps writers in place, and drops them when it moves' \
'I 1000; S 10000,8
SYSCALL[1,1](25) sys_mremap ( 0x10000, 4096, 8192, 1, 0x0 ) --> [pre-success] Success(0x10000) 
I 1004; L 10000,8
SYSCALL[1,1](25) sys_mremap ( 0x10000, 8192, 12288, 1, 0x0 ) --> [pre-success] Success(0x20000) 
I 1008; L 20000,8; I 100c; L 10000,8' \
'1000 1004 1 1 1 1:1'
answers 'an address whose code was mapped anew is another instruction' \
'I 1000; S 2000,8; I 1004; L 2000,8
SYSCALL[1,1](9) sys_mmap ( 0x1000, 4096, 5, 50, 4294967295, 0 ) --> [pre-success] Success(0x1000) 
I 1004; L 2000,8' \
'1000 1004 1 1 1 1:1; 1000 1004 1 2 2 2:1'

refused 'the oracle refuses an unknown system call' 'I 1000
SYSCALL[1,1](19) sys_readv ( 3, 0x2000, 1 ) --> [async] ... 
SYSCALL[1,1](19) ... [async] --> Success(0x4) ' \
'sys_readv: unknown system call'
refused 'the oracle refuses an ioctl that may write anything' 'I 1000
SYSCALL[1,1](16) sys_ioctl ( 0, 0x1234, 0x2000 ) --> [async] ... 
SYSCALL[1,1](16) ... [async] --> Success(0x0) ' \
'sys_ioctl: what it writes is unknown'
refused 'the oracle refuses a second thread' 'I 1000
SYSCALL[1,2](39) sys_getpid ()[sync] --> Success(0x1) ' \
'SYSCALL[1,2](39) sys_getpid ()[sync] --> Success(0x1)'
refused 'the oracle refuses an access before any instruction' 'L 2000,8' ' L 2000,8'
refused 'the oracle refuses an access that is cut off' 'I 1000; L 2000,' ' L 2000,'
refused 'the oracle refuses an empty trace' '==1== Lackey' 'standard input: no trace'
refused 'the oracle refuses code of a file that is not there' \
    'I 900010' '/nowhere/to/be/found:'

agrees_with_the_truth() {
    oracle_sees seen "$built/$1" || return
    truth "$1" | awk '$4 > 0 { print $1, $2, $4, $5, $6 }' | sort >expected
    awk '$1 == "dep" { print $3, $5, $6, $7, $8 }' seen | by_label "$1" >actual
    same expected actual
}

for kernel in $all_asm_kernels; do
    ! has_oracle "$kernel" ||
        ok "the oracle finds the truth of the kernel $kernel" agrees_with_the_truth "$kernel"
done
end_of_cases
