#!/bin/sh
# What a run finds in the place of its database: the database of another
# program, and the files of a killed run.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

# executable NAME STATUS: builds a program that exits with this status.
executable() {
    echo "int main(void) { return $2; }" >"$1.c"
    "$CC" -o "$1" "$1.c"
}

# recorded DATABASE: the exit status of each run.
recorded() {
    sql "$1" "SELECT group_concat(exit_status, ' ')
        FROM (SELECT exit_status FROM run ORDER BY exit_status)"
}

says_nothing() {
    cat log
    [ ! -s log ]
}

executable one 1
executable two 2

### The database of another program

depsim --log-file=log ./one
ok "a first run prints no message" says_nothing
ok "the executable of a run is in the database" is "$tmp/one" sql deps.db \
    "SELECT program FROM run"
depsim --log-file=log ./two
ok "the database of another program is kept" is 1 recorded deps.db.old
ok "the kept database is complete" is "ok|1" sql deps.db.old \
    "SELECT integrity_check, (SELECT count(*) > 0 FROM dep)
     FROM pragma_integrity_check"
ok "the log says that a database was kept" grep -q \
    "^depsim: .*/deps.db: it held a run of .*/one, .* kept as .*/deps.db.old$" log
ok "the message about a kept database is one line" is 1 grep -c "" log
ok "the new run is in the place of the kept database" is 2 recorded deps.db

executable two 3
depsim --log-file=log ./two an argument
ok "a database of the same program is replaced, also after a rebuild" is 3 \
    recorded deps.db
ok "a database that was kept is not replaced by the next" is 1 recorded deps.db.old
ok "replacing a program's own database prints no message" says_nothing
mkdir elsewhere
(cd elsewhere && depsim --log-file=log --deps-file=../deps.db ../two)
ok "a program may have several names" is 1 recorded deps.db.old

depsim --append=yes --log-file=log ./one
ok "with --append=yes nothing is replaced" is "1 3" recorded deps.db
ok "--append=yes prints no message" says_nothing
ok "--append=yes keeps no database" is 1 recorded deps.db.old
depsim --log-file=log ./one
ok "a database with several programs is kept whole" is "1 3" recorded deps.db.old

depsim --trace-children=yes sh -c ./two
depsim --trace-children=yes --log-file=log sh -c ./one
ok "the database of a session belongs to the program that began it" says_nothing

rm -f deps.db.old
mkdir deps.db.old
depsim --log-file=log --error-exitcode=42 ./one
ok "a database that cannot be kept is an error" test $? -eq 42
ok "the log names a directory in the place of deps.db.old" grep -q "deps.db.old: Is a directory" log
ok "a database that cannot be kept is as it was" is 1 sql deps.db \
    "SELECT count(DISTINCT session) FROM run WHERE program LIKE '%sh'"
rmdir deps.db.old
ok "the command in the log imports the run" imports
ok "the command in the log keeps the old database" test -f deps.db.old
ok "the command in the log leaves no other file" only deps.db deps.db.old

### The database of an unknown program

depsim ./two
rm -f deps.db.old
sql deps.db "UPDATE run SET program = NULL"
depsim --append=yes ./one
depsim --log-file=log ./one
ok "a database whose program is unknown is kept" is "1 3" recorded deps.db.old
ok "the log says that the program of a kept database is unknown" \
    grep -q "an unknown program" log

### What a killed run left

rm -f deps.db*
"$builddir/depsim/make-spool" 300 >whole.spool
cut="incomplete: its run was killed"

# says_that LINE...: are these the lines of the log?
says_that() {
    printf '%s\n' "$@" >expected
    cat log
    grep -c "" log | grep -qx $# && grep -qf expected log
}

for n in 0 5 100 20000; do
    head -c "$n" whole.spool >deps.db.spool
    depsim --log-file=log ./one
    ok "a spool that was cut after $n bytes is mentioned" \
        says_that "^depsim: $tmp/deps.db.spool: $cut"
    ok "a spool that was cut after $n bytes stays" is "$n" stat -c %s deps.db.spool
    ok "a run beside a spool that was cut is recorded" is 1 recorded deps.db
done
cp deps.db.spool deps.db.spool.17
depsim --log-file=log ./one
ok "one of several old spools is named" \
    says_that "^depsim: $tmp/deps.db.spool and others: $cut"
rm deps.db.spool
depsim --log-file=log ./one
ok "an old spool with a number in its name is mentioned" \
    says_that "^depsim: $tmp/deps.db.spool.17: $cut"
mkdir there
mv deps.db.spool.17 there/deps.db.spool
depsim --log-file=log ./one
ok "a spool in another directory is not mentioned" says_nothing
(cd there && depsim --trace-children=yes sh -c "$tmp/one; $tmp/one" 2>../log)
ok "each session mentions an old spool once" says_that "^depsim: .*/there/deps.db.spool: $cut"

echo "the user's own" >deps.db.spool.txt
mkfifo deps.db.spool.fifo
depsim --log-file=log ./one
ok "a file that is no spool is not mentioned" says_nothing
head -c 100 whole.spool >deps.db.spool
flock deps.db.spool "$root/scripts/run-in-tree" \
    valgrind -q --tool=depsim --log-file=log ./one
ok "a spool that is being written is not mentioned" says_nothing
rm -f deps.db*

# An importer that kills its tool, which waits for the helper process that
# started the importer.
fake_importer <<'END_SH'
read -r _ _ _ tool _ </proc/$PPID/stat
kill -KILL "$tool"
END_SH
# killed DIRECTORY: makes a run there that is killed when its spool is complete.
killed() {
    (cd "$1" && ! run env VALGRIND_LIB="$tmp/lib" valgrind -q --tool=depsim \
        "$tmp/two" && [ -s deps.db.spool ] && [ ! -e deps.db ])
}
mkdir "it's"
ok "a run is killed when its spool is complete" killed "it's"
(cd "it's" && depsim --log-file=../log ../one)
whole="not imported; this imports it: "
ok "the next run mentions the complete spool of a killed run" \
    says_that "^depsim: $tmp/it's/deps.db.spool: $whole"
sed "s/.*$whole//" log >command
ok "the command for a complete spool works" sh command
ok "the command for a complete spool makes a database of its own" \
    is 3 recorded "it's/deps.db.spool.db"
ok "the command for a complete spool leaves the other database as it was" \
    is 1 recorded "it's/deps.db"
(cd "it's" && depsim --log-file=../log ../one)
ok "a spool that was imported is not mentioned again" says_nothing

ok "a second run is killed when its spool is complete" killed .
cp deps.db.spool deps.db.spool.17
head -c 100 whole.spool >deps.db.spool.9
depsim --log-file=log ./one
ok "one spool of each kind is named where there are several" says_that \
    "^depsim: $tmp/deps.db.spool.9: $cut" \
    "^depsim: $tmp/deps.db.spool and others: $whole"
rm deps.db.spool.*
flock --shared . "$root/scripts/run-in-tree" \
    valgrind -q --tool=depsim --log-file=log ./one
ok "a spool that some process may be importing is not mentioned" says_nothing
# with_pid N: makes the spool of a process with this number.
with_pid() {
    printf "$(printf '\\%o\\%o\\%o\\%o' $(($1 & 255)) $(($1 >> 8 & 255)) \
        $(($1 >> 16 & 255)) $(($1 >> 24)))" |
        dd of=deps.db.spool bs=1 seek=24 conv=notrunc status=none
}
with_pid $$
depsim --log-file=log ./one
ok "a spool whose process is alive is not mentioned" says_nothing
printf '\377' | dd of=deps.db.spool bs=1 seek=8 conv=notrunc status=none
depsim --log-file=log ./one
ok "a spool of another version is not mentioned" says_nothing
rm -f deps.db.spool*

end_of_cases
