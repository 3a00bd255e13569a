#!/bin/sh
# --syntax: instructions as GNU as or Intel writes them, and figures that do not change;
# and the formats that each program has.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

compiler=${CC:-cc}
cpu=--cpu=$srcdir/data/machine.json

# Accesses with all parts of an address, and one relative to the instruction.
cat >sum.s <<'END'
        .globl  _start
        .type   _start, @function
_start: leaq    cells(%rip), %rdi
        movl    $1000, %ecx
        xorl    %edx, %edx
loop:   movq    8(%rdi,%rdx,8), %rax
        addq    total(%rip), %rax
        movq    %rax, total(%rip)
        decl    %ecx
        jne     loop
        movl    $231, %eax              # exit_group(0)
        xorl    %edi, %edi
        syscall
        .size   _start, . - _start
        .bss
cells:  .skip   64
total:  .quad   0
END
prepare() {
    "$compiler" -nostdlib -static -o sum sum.s &&
        run valgrind -q --tool=depsim ./sum && run staticdeps ./sum
}
ok "the program for --syntax is built, recorded and analysed" prepare

# report SYNTAX PROGRAM ARGUMENT...: writes what the program prints to the file SYNTAX,
# or without the option --syntax to "default" if SYNTAX is empty.
report() {
    syntax=$1
    shift
    run "$@" ${syntax:+"--syntax=$syntax"} >"${syntax:-default}" 2>err ||
        { cat err; return 1; }
}

# Patterns of instructions with operands; without them both syntaxes are alike.
att='\(movq\|addq\) \(0x[0-9a-f]*\)\?(%r\|movq %rax'
intel='\(mov\|add\) rax, qword ptr \[r\|mov qword ptr \[r'

# has PATTERN FILE, has_not PATTERN FILE: is the pattern in the file, or not?
has() { grep -e "$1" "$2"; }
has_not() { ! grep -e "$1" "$2"; }

# both ARGUMENT...: does the output with each --syntax have instructions in that syntax
# alone?
both() {
    report "" "$@" && report att "$@" && report intel "$@" || return
    cmp default att && has "$att" att && has_not "$intel" att &&
        has "$intel" intel && has_not "$att" intel && has_not '%r' intel
}

analysed() { both staticdeps --format=text sum; }
ok "staticdeps --format=text has the syntax of --syntax" analysed
for format in text json dot; do
    costs() {
        both depbound "$cpu" --llvm-mca=none --format=$format sum deps.db
    }
    ok "depbound --format=$format has the syntax of --syntax" costs
done
annotated() { both depbound "$cpu" --llvm-mca=none --annotate sum; }
ok "depbound --annotate has the syntax of --syntax" annotated
source_of_one() {
    sed '1i .intel_syntax noprefix' >other.s <<'END'
        add     rax, [rdi]
        mov     [rdi], rax
END
    both depbound "$cpu" --llvm-mca=none other.s
}
ok "depbound prints source of one syntax in the other" source_of_one
same_costs() {
    for syntax in att intel; do
        report $syntax depbound "$cpu" --llvm-mca=none --format=json sum deps.db
        jq 'del(.. | .text?)' $syntax >$syntax.rest || return
    done
    cmp att.rest intel.rest
}
ok "depbound has the same figures with each --syntax" same_costs

for format in text json markdown; do
    covered() {
        both covcheck --format=$format --found --missed --false deps.db \
            static.db
    }
    ok "covcheck --format=$format has the syntax of --syntax" covered
done
page() {
    for syntax in att intel; do
        run covcheck --syntax=$syntax --html=$syntax deps.db static.db \
            >/dev/null || return
    done
    has "addq.*(%rip)" att && has "qword ptr \[rip" intel &&
        has_not 'addq\|%r[ad]' intel
}
ok "covcheck --html has the syntax of --syntax" page
described() {
    report intel covcheck --format=json deps.db static.db &&
        jq -e '.syntax == "intel"' intel &&
        report "" covcheck --format=json deps.db static.db &&
        jq -e '.syntax == "att"' default
}
ok "covcheck --format=json names the syntax" described

# A later build in which everything moved, and all addresses relative to the
# instruction changed.
rebuild() {
    sed 's/^cells:/other:  .skip   4096\n&/; s/^loop:/        nop\n        nop\n&/' \
        sum.s >moved.s && sed 's/nop$/movl    $1000, %ecx/' moved.s >later.s &&
        mkdir -p later && "$compiler" -nostdlib -static -o later/sum later.s &&
        cd later && run valgrind -q --tool=depsim ./sum &&
        run staticdeps ./sum && cd ..
}
ok "the program for baselines is built again, recorded and analysed" rebuild
# kept BEFORE NOW: is nothing lost or gone beside a baseline of another syntax?
kept() {
    report "$1" covcheck --format=json deps.db static.db || return
    cp "${1:-default}" before
    run covcheck --syntax="$2" --format=json --baseline=before later/deps.db \
        later/static.db >now 2>err || { cat err; return 1; }
    jq .transitions now
    jq -e '.transitions | (.found.found > 0) and .found.gone == 0 and
        .found.missed == 0 and .missed.gone == 0 and
        (.new | .found == 0 and .missed == 0)' now
}
for before in att intel; do
    for now in att intel; do
        ok "a report in $now loses nothing that a baseline in $before has" kept $before $now
    done
done
unknown_baseline() {
    jq '.syntax = "masm"' before >bad.json
    refuses covcheck bad.json covcheck --baseline=bad.json deps.db static.db
}
ok "covcheck refuses a baseline of an unknown syntax" unknown_baseline

# documented: are the formats that the program knows, which it lists when it refuses another,
# those of --help, and in the manual?
documented() {
    list=$(run $program --format=none sum deps.db 2>&1 | sed -n 's/.*: must be //p')
    [ -n "$list" ] && run $program --help | grep -F -e "print $list" -e " as $list" || return
    for word in $(echo "$list" | sed 's/,//g; s/ or / /'); do
        sed -n '/^\.It Fl -format /,/^\.It/p' "$root/doc/$program.1" |
            grep "^\.Cm $word\>" || { echo "$word"; return 1; }
    done
    [ $program != depbound ] || [ "$(run depbound --format=help | cut -d ' ' -f 1 |
        paste -s -d ' ')" = "$(echo "$list" | sed 's/,//g; s/ or / /')" ]
}
for program in staticdeps depbound covcheck; do
    ok "$program --help and its manual have each format" documented
    ok "$program refuses an unknown --syntax" refuses $program --syntax=masm \
        $program --syntax=masm sum deps.db
done

end_of_cases
