#!/bin/sh
# What a run finds where its database goes: that of another program or of an
# older depsim, and what a killed run left.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

# executable NAME STATUS: a program that exits with it.
executable() {
    echo "int main(void) { return $2; }" >"$1.c"
    "${CC:-cc}" -o "$1" "$1.c"
}

# recorded DATABASE: the status of each of its runs.
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
ok "a first run says nothing" says_nothing
ok "the executable is in the database" is "$tmp/one" sql deps.db \
    "SELECT program FROM run"
depsim --log-file=log ./two
ok "the database of another program is kept" is 1 recorded deps.db.old
ok "in full" is "ok|1" sql deps.db.old \
    "SELECT integrity_check, (SELECT count(*) > 0 FROM dep)
     FROM pragma_integrity_check"
ok "which the log says" grep -q \
    "^depsim: .*/deps.db: it held a run of .*/one, .* kept as .*/deps.db.old$" log
ok "in one line" is 1 grep -c "" log
ok "the new run is in its place" is 2 recorded deps.db

executable two 3
depsim --log-file=log ./two an argument
ok "the program's own is replaced, also if it was built again" is 3 \
    recorded deps.db
ok "and what was kept stays" is 1 recorded deps.db.old
ok "of which there is nothing to say" says_nothing
mkdir elsewhere
(cd elsewhere && depsim --log-file=log --deps-file=../deps.db ../two)
ok "a program may have several names" is 1 recorded deps.db.old

depsim --append=yes --log-file=log ./one
ok "with --append=yes nothing is replaced" is "1 3" recorded deps.db
ok "or said" says_nothing
ok "or kept" is 1 recorded deps.db.old
depsim --log-file=log ./one
ok "a run among others is kept, with them" is "1 3" recorded deps.db.old

depsim --trace-children=yes sh -c ./two
depsim --trace-children=yes --log-file=log sh -c ./one
ok "a session is of the program that began it" says_nothing

rm -f deps.db.old
mkdir deps.db.old
depsim --log-file=log --error-exitcode=42 ./one
ok "if it cannot be kept, that is an error" test $? -eq 42
ok "the log names what is in the way" grep -q "deps.db.old: Is a directory" log
ok "the database is as it was" is 1 sql deps.db \
    "SELECT count(DISTINCT session) FROM run WHERE program LIKE '%sh'"
rmdir deps.db.old
sed -n 's/.*once that is mended: //p' log >command
ok "the command in the log imports the run" sh command
ok "and keeps the old one" test -f deps.db.old
ok "nothing else is left" is "deps.db deps.db.old" echo deps.db*

### The database of an older depsim

depsim ./two
rm -f deps.db.old
sql deps.db "ALTER TABLE run DROP COLUMN program"
depsim --append=yes ./one
ok "a run is added to the database of an older depsim" is "1 3" recorded deps.db
ok "with its executable" is "$tmp/one" sql deps.db \
    "SELECT program FROM run WHERE program IS NOT NULL"
depsim --log-file=log ./one
ok "which is kept, because its program is unknown" is "1 3" recorded deps.db.old
ok "and the log says so" grep -q "an unknown program" log

### What a killed run left

rm -f deps.db*
"$builddir/depsim/make-spool" 300 >whole.spool
cut="incomplete: its run was killed"

# says_that LINE...: are these the log's lines?
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
    ok "and stays" is "$n" stat -c %s deps.db.spool
    ok "the run is recorded" is 1 recorded deps.db
done
cp deps.db.spool deps.db.spool.17
depsim --log-file=log ./one
ok "if there are several, one is named" \
    says_that "^depsim: $tmp/deps.db.spool and others: $cut"
rm deps.db.spool
depsim --log-file=log ./one
ok "one with a number is mentioned, too" \
    says_that "^depsim: $tmp/deps.db.spool.17: $cut"
mkdir there
mv deps.db.spool.17 there/deps.db.spool
depsim --log-file=log ./one
ok "one of another directory is not" says_nothing
(cd there && depsim --trace-children=yes \
    sh -c "$tmp/one; $tmp/one" 2>../log)
ok "a session mentions it once" says_that "^depsim: .*/there/deps.db.spool: $cut"

echo "the user's own" >deps.db.spool.txt
mkfifo deps.db.spool.fifo
depsim --log-file=log ./one
ok "nor is what is no spool" says_nothing
head -c 100 whole.spool >deps.db.spool
flock deps.db.spool "$root/scripts/run-in-tree" \
    valgrind -q --tool=depsim --log-file=log ./one
ok "nor one that is being written" says_nothing
rm -f deps.db*

# An importer that kills its tool, which waits for the helper process that
# started the importer.
VALGRIND_LIB=$(run printenv VALGRIND_LIB)
mkdir lib
ln -s "$VALGRIND_LIB"/* lib/
rm lib/depsim-import
cat >lib/depsim-import <<END_SH
#!/bin/sh
[ "\$1" = --check ] && exec "$VALGRIND_LIB/depsim-import" "\$@"
read -r _ _ _ tool _ </proc/\$PPID/stat
kill -KILL "\$tool"
END_SH
chmod +x lib/depsim-import
# killed DIRECTORY: a run there that is killed when its spool is complete.
killed() {
    (cd "$1" && ! run env VALGRIND_LIB="$tmp/lib" valgrind -q --tool=depsim \
        "$tmp/two" && [ -s deps.db.spool ] && [ ! -e deps.db ])
}
mkdir "it's"
ok "a run is killed when its spool is complete" killed "it's"
(cd "it's" && depsim --log-file=../log ../one)
whole="not imported; this makes a database of it: "
ok "the next run says so" says_that "^depsim: $tmp/it's/deps.db.spool: $whole"
sed "s/.*$whole//" log >command
ok "the command that it says works" sh command
ok "it makes a database of its own" is 3 recorded "it's/deps.db.spool.db"
ok "and the other is as it was" is 1 recorded "it's/deps.db"
(cd "it's" && depsim --log-file=../log ../one)
ok "then there is nothing more to say" says_nothing

ok "another run is killed" killed .
cp deps.db.spool deps.db.spool.17
head -c 100 whole.spool >deps.db.spool.9
depsim --log-file=log ./one
ok "of several, one of each kind is named" says_that \
    "^depsim: $tmp/deps.db.spool.9: $cut" \
    "^depsim: $tmp/deps.db.spool and others: $whole"
rm deps.db.spool.*
flock --shared . "$root/scripts/run-in-tree" \
    valgrind -q --tool=depsim --log-file=log ./one
ok "while somebody imports, it may be that one" says_nothing
# with_pid N: the spool of a process with this number.
with_pid() {
    printf "$(printf '\\%o\\%o\\%o\\%o' $(($1 & 255)) $(($1 >> 8 & 255)) \
        $(($1 >> 16 & 255)) $(($1 >> 24)))" |
        dd of=deps.db.spool bs=1 seek=24 conv=notrunc status=none
}
with_pid $$
depsim --log-file=log ./one
ok "nor is one mentioned whose process is there" says_nothing
touch -d '1970-01-02' deps.db.spool
depsim --log-file=log ./one
ok "but one whose process has a successor" says_that \
    "^depsim: $tmp/deps.db.spool: $whole"
printf '\377' | dd of=deps.db.spool bs=1 seek=8 conv=notrunc status=none
depsim --log-file=log ./one
ok "one of another version is not" says_nothing
rm -f deps.db.spool*

end_of_cases
