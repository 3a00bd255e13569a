#!/bin/sh
# scripts/table3-programs on a few programs: what it writes, what it does again,
# and what it says of those that fail.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"
script=table3-programs

# row TEXT: has the table a row that starts so?
row() {
    grep -F -e "| $1 |" results/table.md || { cat results/table.md; return 1; }
}

# Predictions of each kind: in loops of one block and in other blocks, and that
# occur and do not, because another block stores to the same place; and one within
# an iteration, which always occurs.
cat >loops.s <<'END'
        .globl  _start
_start: movl    $1000, %ecx
true1:  addq    $1, a(%rip)
        decl    %ecx
        jnz     true1
        movl    $1000, %ecx
true2:  addq    $1, b(%rip)
        js      end
        decl    %ecx
        movq    %rbx, e(%rip)
        movq    e(%rip), %rbx
        jnz     true2
        movl    $1000, %ecx
        xorl    %eax, %eax
false1: addq    $1, c(%rip)
        testl   %eax, %eax
        jnz     false1
        movq    $0, c(%rip)
        decl    %ecx
        jnz     false1
        movl    $1000, %ecx
false2: addq    $1, d(%rip)
        js      end
        movq    $0, d(%rip)
        decl    %ecx
        jnz     false2
end:    movl    $60, %eax
        xorl    %edi, %edi
        syscall
        .lcomm  a, 8
        .lcomm  b, 8
        .lcomm  c, 8
        .lcomm  d, 8
        .lcomm  e, 8
END
assemble() {
    "${CC:-cc}" -nostdlib -static -Wl,--build-id -o loops loops.s
}
ok "a program is built" assemble
cat >programs <<END
# A comment.

loops  none  0  $tmp/loops
END
ok "one program" ends 0 --programs=programs
ok "a row of figures" row "loops | none | 20008"
ok "and their end" grep '^| all | .* | 60.0 | 3 | 5 | ' results/table.md
ok "true and false by kind of block" row "loops | 1 | 1 | 1 | 0 | 1 | 1"
ok "false ones by address" row "both fixed | 2"
ok "one less with the loop around the block" \
    grep '^| loops | .* | 75.0 | 3 | 4 | ' results/table.md

cat >>programs <<END
gzip   gzip  0  gzip -c words.py
printf coreutils 1  printf '%d\\n' many
END
ok "two more" ends 0 --programs=programs
ok "are all there is to do" says "run-program: 2 of 3 to do"
ok "all blocks that ran" row "0 | $(
    jq '.blocks.kept' results/scores/all-0.json)"

# What covcheck says of the same databases.
figures() {
    "$root/scripts/run-in-tree" covcheck --format=json --min-weight=1 \
        results/runs/gzip results/objects | jq -r '
        "\(.blocks.kept) | \(.lifetimes[1].found) | \(.lifetimes[1].missed)"'
}
ok "covcheck's figures" row "gzip | gzip $(dpkg-query -W -f '${Version}' gzip \
    ) | $(sqlite3 results/runs/gzip/deps.db 'SELECT instructions FROM run'
    ) | $(figures)"
ok "where the ends lie" [ "$(grep -c '^| none | [0-9]*\.[0-9] | ' \
    results/table.md)" -eq 1 ]
ok "the library that two of them use" row "libc.so.6 | 2"
ok "no library of Valgrind's" [ -z "$(grep vgpreload results/table.md)" ]

stamps >before
ok "a second run" ends 0 --programs=programs
stamps >after
ok "does nothing again" cmp before after
ok "and says so" says "run-program: 0 of 3 to do"
ok "for objects as well" says "analyse-object: 0 of $(
    wc -l <results/state/analyse-object) to do"

# Another program of the same name, and a table of its own.
sed -i 's/1000, %ecx/1001, %ecx/' loops.s
assemble
mkdir doc
printf '%s\n' text '<!-- scripts/table3-programs -->' replaced \
    '<!-- end of scripts/table3-programs -->' >doc/results.md
ok "a change" ends 0 --programs=programs --doc=doc
ok "is run again" says "run-program: 1 of 3 to do"
ok "and analysed" says "analyse-object: 1 of $(
    wc -l <results/state/analyse-object) to do"
ok "the tables are in the documentation" grep '^| all | ' doc/results.md
ok "in the place of what was there" [ -z "$(grep replaced doc/results.md)" ]

# Those that fail.
cat >>programs <<END
false  coreutils  0  false
no     none       0  no-such-program
END
path=$PATH
PATH=$tmp/instead:$path
instead valgrind <<'END'
case $* in *depsim*gzip*) echo more ;; esac
exec $real "$@"
END
instead objdump <<'END'
case $* in *loops*) echo "objdump: error: what is this?" >&2; exit 1 ;; esac
exec $real "$@"
END
rm -r results/runs/gzip results/objects/loops*
ok "jobs that fail" ends 2 --programs=programs
ok "an exit status" grep '^table3-programs: false: .*false: status 1: ' err
ok "a program that is not there" says \
    "table3-programs: no: no-such-program: not installed"
ok "another output" says \
    "table3-programs: gzip: /usr/bin/gzip: another output under depsim"
ok "an object" grep \
    '^table3-programs: loops-.*: objdump: status 1: objdump: error: what' err
ok "and what cannot be scored then" says \
    "table3-programs: loops: not scored for want of $tmp/loops"
ok "no other is named" [ "$(grep -c '^table3-programs: ' err)" -eq 5 ]
ok "the rest is done" grep "^| printf | coreutils .* | $(
    jq -r '.predictions | "\(.occurred) | \(.judged)"' \
        results/scores/printf.json) |" results/table.md
ok "without those that failed" [ -z "$(grep '^| loops ' results/table.md)" ]
PATH=$path

# refused SUBJECT OPTION...
refused() {
    subject=$1
    shift
    refuses table3-programs "$subject" "$root/scripts/table3-programs" \
        --results=none "$@"
}
ok "an option that is not" refused --what --what
ok "no number" refused --jobs=x --jobs=x
ok "no table" refused nothing --programs=nothing
ok "no pages" refused "$tmp" --doc="$tmp"
ok "nothing is written then" [ ! -e none ]
held() {
    status=0
    flock results/state/lock "$root/scripts/table3-programs" \
        --results=results 2>err || status=$?
    [ $status -eq 2 ] &&
        says "table3-programs: results: another run is at work there"
}
ok "two at once" held
end_of_cases
