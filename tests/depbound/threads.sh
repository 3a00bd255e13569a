#!/bin/sh
# What depbound says of threads: what passes between them, and loops that wait.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

# prepare NAME: a test program, and a database of its run, which is its exit status.
prepare() {
    "$compiler" -g -O2 -pthread -o "$1" "$srcdir/programs/$1.c" &&
        records "$1.db" --fair-sched=try --windows=20:1000 "./$1"
}

# line WHAT: the line of a comment or a statement of the source.
line() {
    grep -n -m 1 -F "$1" "$srcdir/programs/$name.c" | cut -d : -f 1
}

name=lines
ok "a program whose threads share a line is recorded" prepare lines
report --top=50 --verbose ./lines lines.db >/dev/null
mv out lines.text
ok "a value that passes has its lines and its variable" grep -q -E \
    "^ *10  lines.c:$(line 'return line.handed')  *line.handed  *lines.c:$(line 'line.handed = x')$" \
    lines.text
ok "an access to a shared line has its lines, its variables and its turns" grep -q -E \
    "^ *30 +0 +10  lines.c:$(line 'return line.second')  *line.second  *lines.c:$(line 'line.handed = x')  line.handed$" \
    lines.text
report --format=json ./lines lines.db >/dev/null
ok "JSON has the sums, which are those of the database" is "$(sqlite3 -separator ' ' lines.db \
    'SELECT (SELECT sum(occurrences) FROM dep), (SELECT sum(cross_thread) FROM dep),
        (SELECT sum(accesses) FROM shared_line)')" jq -r \
    '.threads | "\(.loads) \(.passed) \(.sharing)"' out
ok_if "$has_schemas" "$no_schemas" "the report matches the schema" of_schema ./lines lines.db
for format in markdown html; do
    report --format=$format ./lines lines.db >/dev/null
    ok "$format has both tables" eval "grep -q 'line.handed' out && grep -q 'line.second' out"
done

name=spin
ok "a program whose threads wait is recorded" prepare spin
report --top=1000 --verbose --min-share=0 ./spin spin.db >/dev/null
# says FUNCTION PATTERN: is there a heading of a loop of the function with this text?
says() {
    grep -q -E "^$1[^ ]*  spin.c:[0-9]+: $2" out
}
ok "a loop waits for another thread's store" says wait_plainly \
    "waits for another thread, which stores head at spin.c:$(line 'atomic_store(&head, i)')$"
ok "a pause does not leave the loop" says wait_with_pause \
    "waits for another thread, which stores tail at spin.c:$(line 'atomic_store(&tail, i)')$"
ok "a loop may count while it waits" says wait_and_count \
    "waits for another thread, which stores tail at spin.c:$(line 'atomic_store(&tail, i)')$"
ok "a loop that works until it is stopped has a figure" says work_until_stopped \
    ">=[0-9.]+ cycles an iteration"
ok "a loop that searches has a figure" says search ">=[0-9.]+ cycles an iteration"
ok "a loop that waits has neither a figure nor advice" eval \
    '! sed -n "/^wait_.*:.*: /,/^$/p" out | grep unrolled &&
        grep -q -E "^ +- +- +- +another thread .* wait_plainly" out'
ok "the verdict says what is not modelled" grep -q -E \
    '^not modelled: what passes between threads, at most [0-9.]+ % of the loads of stored values' out
ok "the cycles of the program are said to hold waits" grep -q \
    'of the executed instructions are in loops that wait for another thread' out
report --format=json --top=1000 --min-share=0 ./spin spin.db >/dev/null
ok "JSON marks the loops that wait" is \
    "wait_and_count wait_for_lock wait_plainly wait_with_pause" eval \
    "jq -r '[.loops[] | select(.waits_for_thread and .predicted == null) |
        .function | sub(\"[.].*\"; \"\")] | unique | join(\" \")' out" # .isra, by gcc 14
end_of_cases
