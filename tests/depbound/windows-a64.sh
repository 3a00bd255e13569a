#!/bin/sh
# What depbound makes of windows of code for AArch64.  They are written here, in the form
# of doc/schema.md, since recording them takes such a processor.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip "depbound simulates windows of AArch64" "there is no aarch64-linux-gnu-gcc"
    end_of_cases
fi

# chain: a counter in memory.  caller: each round enters the kernel once and calls, and
# the low bytes of three movk are opcodes of x86-64: ret, jmp and int.  wide: a jump and
# 15 instructions that wait for nothing.  pair: as chain, with a neighbour.
cat >windows.s <<'END'
        .text
        .globl  _start
_start: nop
        .type   chain, @function
chain:  ldr     x1, [x0]
        add     x1, x1, #1
        str     x1, [x0]
        subs    x2, x2, #1
        b.ne    chain
        ret
        .size   chain, . - chain
        .type   caller, @function
caller: bl      callee
back:   svc     #0
        subs    x3, x3, #1
        b.ne    caller
        ret
        .size   caller, . - caller
        .type   callee, @function
callee: mul     x5, x5, x5
        mul     x5, x5, x5
        movk    x2, #6
        movk    x9, #7
        movk    x13, #6
        ret
        .size   callee, . - callee
        .type   wide, @function
wide:   nop; nop; nop; nop; nop; nop; nop; nop
        nop; nop; nop; nop; nop; nop; nop
        b       wide
        .size   wide, . - wide
        .type   pair, @function
pair:   ldp     x4, x5, [x0]
        add     x4, x4, #1
        stp     x4, x5, [x0]
        subs    x2, x2, #1
        b.ne    pair
        ret
        .size   pair, . - pair
END
id=00112233445566778899aabbccddeeff00112233

# lines_and_pages [ADDRESS BYTES]...: how many lines of 64 bytes, and pages, have these.
lines_and_pages() {
    while [ $# -gt 0 ]; do
        for unit in 64 4096; do
            seq $(($1 / unit)) $((($1 + $2 - 1) / unit)) | sed "s/^/$unit /"
        done
        shift 2
    done | sort -u | wc -l
}

# database NAME INSTRUCTIONS PATH ACCESSES [ADDRESS BYTES]...: makes NAME, with 20 windows
# of that length, which touch these bytes, as nothing did before.
database() {
    rm -f "$1"
    untouched=$(shift 4 && lines_and_pages "$@")
    {
        cat "$srcdir/data/deps-schema.sql"
        cat <<END
CREATE TABLE window_piece(run_id, piece, object_id, address, instructions);
CREATE TABLE window(window_id INTEGER PRIMARY KEY, run_id, thread, start_timestamp,
    instructions, path, accesses, gaps, reuse, lead);
CREATE TABLE window_place(run_id, place, object_id, address, kind);
INSERT INTO object VALUES(1, 'a64', '$id');
INSERT INTO run(run_id, complete, instructions, recorded)
    VALUES(1, 1, 100000, 100000);
INSERT INTO lifetime VALUES(1, 4294967295);
INSERT INTO segment VALUES(1, 1, $chain, $chain + 20, 4000);
INSERT INTO segment VALUES(1, 1, $caller, $caller + 4, 4000);
INSERT INTO segment VALUES(1, 1, $back, $back + 12, 4000);
INSERT INTO segment VALUES(1, 1, $callee, $callee + 24, 4000);
INSERT INTO segment VALUES(1, 1, $wide, $wide + 64, 4000);
INSERT INTO window_piece VALUES(1, 0, 1, $chain, x'14100414110404');
INSERT INTO window_piece VALUES(1, 1, 1, $caller, x'04');
INSERT INTO window_piece VALUES(1, 2, 1, $callee, x'040404040404');
INSERT INTO window_piece VALUES(1, 3, 1, $back, x'040404');
INSERT INTO segment VALUES(1, 1, $pair, $pair + 20, 4000);
INSERT INTO window_piece VALUES(1, 5, 1, $pair, x'241010042411110404');
INSERT INTO window_piece VALUES(1, 4, 1, $wide, x'04040404040404040404040404040404');
WITH RECURSIVE n(i) AS (VALUES(0) UNION ALL SELECT i + 1 FROM n WHERE i < 19)
INSERT INTO window SELECT i, 1, 0, 5000 * i, $2, x'$3', x'$4', x'',
    zeroblob($untouched), x'' FROM n;
END
    } | sqlite3 "$1"
}
built() {
    aarch64-linux-gnu-gcc -g -nostdlib -static -Wl,-e,_start -Wl,--build-id=0x$id \
        -o a64 windows.s || return
    for name in chain caller back callee wide pair; do
        eval "$name=$((0x$(aarch64-linux-gnu-nm a64 | sed -n "s/ . $name\$//p")))"
    done
    # 200 rounds, each access at 0x1000; 100; 64; 200, at 0x1000 and 0x1008.
    database chain.db 1000 01000100c601 0080408f03 "$chain" 20 $((0x1000)) 8 &&
        database caller.db 1000 030200000300a802 '' \
            "$caller" 4 "$callee" 24 "$back" 12 &&
        database wide.db 1024 010801003e '' "$wide" 64 &&
        database pair.db 1000 010a0100c601 0080400010000f00109c06 \
            "$pair" 20 $((0x1000)) 16
}
ok "windows of AArch64 are written" built

# figures NAME FILTER ARGUMENT...: is the filter true of the JSON report on NAME.db, with
# $l for the loop, and $w for the windows?
figures() {
    name=$1 filter=$2
    shift 2
    report --format=json "$@" a64 "$name.db" && jq -e --arg name "$name" \
        "[.loops[] | select(.function == \$name)][0] as \$l | .windows as \$w | $filter" out
}
made_up=--cpu=$srcdir/data/machine-a64.json
# 9 cycles from the store to the load, and an addition.
ok "a counter in memory takes as long in windows as its chain" figures chain \
    '($l.predicted - 10 | fabs) < 0.1 and $l.recorded_rounds >= 50 and
        $w.unknown_instructions == 0 and $w.pairs[0].load_instruction == "ldr x1, [x0]"' \
    "$made_up"
ok "a call in windows has the cycles of what it calls" figures caller \
    '($l.predicted - 14 | fabs) < 0.2 and $l.in_calls >= 13' "$made_up"
ok "calls, returns and the kernel are known by AArch64's code" figures caller \
    '$w.system_calls * 10 == $w.instructions and
        $w.branches * 10 == 3 * $w.instructions' "$made_up"
for name in neoverse-v2:8 a64fx:4; do
    ok "windows begin as many instructions in a cycle as ${name%:*} does" \
        figures wide "(\$w.instructions / \$w.cycles - ${name#*:} | fabs) < 0.1" \
        --cpu="${name%:*}"
done

ok "a pair is not forwarded in windows if the machine file says so" \
    figures pair '$w.pairs[0].failed > 0.7 * $w.cycles' --cpu=a64fx
ok "a pair is forwarded in windows unless the machine file says otherwise" \
    figures pair '$w.pairs[0].failed == 0 and $w.causes.forwarded > 0.6 * $w.cycles' \
    --cpu=neoverse-v2

# --- What figures rest on ---

ok "forwards by a figure that nobody published are counted as guessed" \
    figures chain '$w.no_rules * 5 == $w.instructions and .published' --cpu=neoverse-n1
ok "forwards by a published figure are not counted as guessed" \
    figures chain '$w.no_rules == 0 and .published' --cpu=neoverse-v2
ok "a machine file without the key has no published figures" \
    figures chain '.published == false' "$made_up"
claim='The figures are those of neoverse-v2; they are published ones or guesses, and no'
for format in text markdown html; do
    says_so() {
        ends 0 --llvm-mca=none --format=$format --cpu=neoverse-v2 a64 chain.db &&
            has "$claim"
    }
    ok "the $format report says that figures were published" says_so
done
end_of_cases
