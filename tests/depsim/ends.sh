#!/bin/sh
# How programs end, and what is left when something fails at the end.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

# What work() in ends.c and hostile.c does is recorded in one complete run.
recorded="SELECT count(*) = 1 AND min(complete) = 1 AND
          (SELECT count(*) FROM dep WHERE occurrences = 1000) = 1 FROM run"

ok "the program that ends in many ways compiles" program ends -pthread

### Exits and signals

while read -r way status ended; do
    ok "$way: depsim keeps the exit status" exits "$status" depsim ./ends "$way"
    ok "$way: the run is recorded" is "$ended" sql deps.db \
        "SELECT ended || coalesce(' ' || exit_status, '') FROM run"
    ok "$way: the run is complete" is 1 sql deps.db "$recorded"
done <<'END_CASES'
exit 3 exit 3
_exit 4 exit 4
SYS_exit 5 exit 5
kill 137 signal
abort 134 signal
threads 7 exit 7
thread 8 exit 8
last 0 exit 0
END_CASES

mkfifo fifo
# paused COMMAND...: starts a program under depsim that waits, and sets `pid`.
paused() {
    depsim "$@" ./ends pause >fifo &
    read -r pid <fifo
    until grep -q '^State:.S' "/proc/$pid/status"; do :; done
}

paused
kill "$pid"
ok "a signal from outside may end a system call" exits 143 wait $!
ok "a run that a signal ended is recorded" is "signal|" sql deps.db \
    "SELECT ended, exit_status FROM run"
ok "a run that a signal ended is complete" is 1 sql deps.db "$recorded"

### What a fault leaves

# assembly NAME: assembles standard input to a static program.
assembly() {
    cat >"$1.s"
    "$CC" -nostdlib -static -Wl,--build-id -o "$1" "$1.s"
}

# A program executes 43 instructions until its fault, and none after it.
while read -r name fault; do
    ok "a program that ends by $name is assembled and run" \
        assembly fault <<END_ASM
        .globl _start
_start: movl  \$10, %ecx
1:      pushq %rcx
        popq  %rcx
        decl  %ecx
        jnz   1b
        xorl  %ebx, %ebx
        nop
fault:  $fault
        nop
        .section .note.GNU-stack,"",@progbits
END_ASM
    depsim ./fault 2>/dev/null
    address=$((0x$(nm fault | sed -n 's/ t fault$//p')))
    ok "a run that ends by $name has exact counts" is "43|2|0|10" sql deps.db \
        "SELECT instructions,
                (SELECT sum(executions) FROM segment WHERE $address - 1 >= start
                 AND $address - 1 < \"end\") + 1,
                (SELECT count(*) FROM segment WHERE \"end\" > $address),
                (SELECT sum(occurrences) FROM dep) FROM run"
done <<'END_CASES'
a-load movl (%rbx), %eax
a-store movl %eax, (%rbx)
a-division divl %ebx
an-undefined-instruction ud2
END_CASES

ok "a program that a timer ends in a loop is assembled and run" \
    assembly spin <<'END_ASM'
        .globl _start
_start: movl  $38, %eax                 # setitimer(ITIMER_REAL, &soon, NULL)
        xorl  %edi, %edi
        leaq  soon(%rip), %rsi
        xorl  %edx, %edx
        syscall
spin:   nop
        nop
        jmp   spin
        .data
        .balign 8
soon:   .quad 0, 0, 0, 50000
        .section .note.GNU-stack,"",@progbits
END_ASM
depsim ./spin 2>/dev/null
ok "a run that a timer ended in a loop has exact counts" \
    is "signal|1" sql deps.db "SELECT ended,
    instructions = 5 + 3 * (SELECT sum(executions) FROM segment
                            WHERE \"end\" - start = 4) FROM run"

### What a program changes of its process

program hostile
umask 022
touch expected
for change in umask file-size memory data stack descriptors processes \
    directory files signals; do
    rm -f deps.db
    ok "a program may change its $change under depsim" exits 9 \
        depsim --log-file=log ./hostile $change
    ok "a program that changes its $change leaves the log empty" cmp log expected
    ok "the run of a program that changes its $change is complete" is 1 sql deps.db "$recorded"
    ok "the database of a program that changes its $change can be read" \
        is 644 stat -c %a deps.db
done

### SIGKILL

rm -f deps.db*
depsim ./ends exit
cp deps.db before.db
paused
kill -KILL "$pid"
ok "a tool that is killed has the exit status of the signal" exits 137 wait $! 2>/dev/null
ok "a tool that is killed leaves the database as it was" cmp deps.db before.db
ok "a tool that is killed leaves no other file" only deps.db
ok "the run after a killed one works" exits 4 depsim ./ends _exit
ok "the run after a killed one is recorded" is 1 sql deps.db "$recorded"

### The message, and the command in it

# one_message TEXT: is `log` one message of one line that has the text?
one_message() {
    cat log
    grep -q "^depsim: .*$1" log && [ "$(grep -c "$2" log)" -eq 1 ]
}

rm -f deps.db*
ok "an import that fails does not change the exit status" exits 6 \
    depsim --log-file=log ./ends replace-database
ok "the log says why the import failed, and what to do" one_message "directory" "when that is"
rmdir deps.db
ok "the command in the log imports the run" imports
ok "the imported run is complete" is 1 sql deps.db "$recorded"
ok "the imported spool is gone" only deps.db

rm -f deps.db*
echo "no program" >text
chmod +x text
ok "an execve and an import before it may both fail" exits 9 \
    depsim --log-file=log ./hostile execve
ok "two failed imports print one message" one_message "directory" "when that is"
ok "a run whose execve failed is recorded at its end" is 1 sql deps.db "$recorded"
ok "a run whose execve failed leaves no spool" only deps.db

mkdir here
(cd here && depsim --log-file="$tmp/log" "$tmp/ends" move-directory)
ok "a run without a directory to go to keeps its exit status" test $? -eq 6
ok "the log says that a run without a directory is lost" \
    one_message "no such directory.*lost" "depsim"

### A full disk

# A spool whose size is known, and which is imported several times.
rm -f deps.db*
depsim --log-file=log ./ends replace-database
rmdir deps.db
cp deps.db.spool kept.spool
imports
size=$(stat -c %s kept.spool)

cp deps.db before.db
within $((size / 1024)) -f depsim --log-file=log ./ends exit
ok "a spool that does not fit does not change the exit status" test $? -eq 3
ok "the log says that a run whose spool does not fit is lost" \
    one_message "larger.*lost" "depsim"
ok "a spool that does not fit leaves the database as it was" cmp deps.db before.db
ok "a spool that does not fit is removed" only deps.db

# lost COMMAND...: runs it without room for its spool, with an exit status for lost
# runs.
lost() {
    within $((size / 1024)) -f depsim --log-file=log --error-exitcode=42 "$@"
}

ok "--error-exitcode gives a lost run another exit status" exits 42 lost ./ends exit
ok "--error-exitcode leaves the status of a signal" exits 137 lost ./ends kill
rm deps.db
ok "--error-exitcode works with and without an old database" exits 42 lost ./ends exit
ok "a lost run leaves no database where none was" only 'deps.db*'
ok "--error-exitcode leaves the status of a run that is not lost" exits 3 \
    depsim --error-exitcode=42 ./ends exit

while [ "$(stat -c %s deps.db)" -le "$size" ]; do
    depsim --append=yes ./ends exit
done
cp deps.db before.db
within $(($(stat -c %s deps.db) / 512)) -f \
    depsim --log-file=log --append=yes ./ends exit
ok "rows that do not fit do not change the exit status" test $? -eq 3
ok "the log says what to do if rows do not fit" one_message "when that is" "when that is"
ok "rows that do not fit leave the database as it was" cmp deps.db before.db
ok "the import works once there is room" imports
ok "the import after that adds one run" \
    is 1 sql deps.db "ATTACH 'before.db' AS b;
    SELECT (SELECT count(*) FROM run) - (SELECT count(*) FROM b.run)"

### A limit on memory

# limited KIB: a program that needs 24 MiB, and more to record its stores, ends with
# its own status, or with one message.
limited() {
    rm -f deps.db* log
    status=0
    within "$1" -v depsim --log-file=log ./hostile stores || status=$?
    cat log
    case $status in
    9) [ "$(sql deps.db "$recorded")" = 1 ] ;;
    2) one_message "memory" . && only 'deps.db*' ;;
    *) false ;;
    esac
}

for kib in 200000 300000 400000 unlimited; do
    ok "with $kib KiB of memory a run is recorded or one message says why not" limited $kib
done

### Writes that fail, and a killed importer

"$CC" -shared -fPIC -o faulty.so "$srcdir/programs/faulty.c" -ldl

# each_write [FAULTY_KILL=1]: lets each write of an import fail in turn.  Afterwards
# the database has the old rows or the new ones, and the spool can be imported.
each_write() {
    for i in $(seq 1 1000); do
        cp before.db deps.db
        cp small.spool deps.db.spool
        env LD_PRELOAD="$tmp/faulty.so" FAULTY_WRITE="$i" "$@" \
            "$import" deps.db.spool deps.db 2>message && break
        sql deps.db "PRAGMA integrity_check; $state" >after || return 1
        cmp -s after old || cmp -s after new || { cat after message; return 1; }
        "$import" deps.db.spool deps.db || return 1
        [ "$(sql deps.db "PRAGMA integrity_check; $state")" = "$(cat new)" ] ||
            return 1
        rm -f deps.db*
    done
    echo "$i writes"
    [ "$i" -gt 10 ] && [ "$i" -lt 1000 ]
}

state="SELECT ended, exit_status FROM run; SELECT count(*) FROM dep;
       SELECT count(*) FROM segment; SELECT count(*) FROM dep_lifetime"
rm -f deps.db*
"$builddir/depsim/make-spool" 300 >small.spool
"$builddir/depsim/make-spool" 100 >deps.db.spool
"$import" deps.db.spool deps.db
cp deps.db before.db
sql deps.db "PRAGMA integrity_check; $state" >old
cp small.spool deps.db.spool
"$import" deps.db.spool deps.db
sql deps.db "PRAGMA integrity_check; $state" >new
ok "the database of a later run differs from that of the first" sh -c '! cmp -s old new'
ok "the disk may be full at each write of an import" each_write
ok "the importer may be killed at each write" each_write FAULTY_KILL=1

cp small.spool deps.db.spool
"$import" deps.db.spool deps.db
cp small.spool deps.db.spool
ok "a spool can be imported twice" "$import" deps.db.spool deps.db
ok "a spool that is imported twice is one run" is "$(cat new)" sql deps.db \
    "PRAGMA integrity_check; $state"

# A tool whose importer finds the disk full, or is killed, after its first writes.
fake_importer <<END_SH
LD_PRELOAD="$tmp/faulty.so" FAULTY_WRITE=3 exec "$import" "\$@"
END_SH
rm -f deps.db*
ok "a disk that is full for a new database is an error" exits 42 \
    run env VALGRIND_LIB="$tmp/lib" valgrind -q --tool=depsim --log-file=log \
    --error-exitcode=42 ./ends exit
ok "the log says that the disk is full" grep -q "deps.db: .*disk is full" log
ok "a full disk leaves only the spool" only deps.db.spool
sed -i "s,$tmp/lib/,$VALGRIND_LIB/," log
ok "the import works once the disk has room" imports
ok "the run imported after a full disk is complete" is 1 sql deps.db "$recorded"

rm -f deps.db*
depsim ./ends _exit
run env VALGRIND_LIB="$tmp/lib" FAULTY_KILL=1 valgrind -q --tool=depsim \
    --log-file=log ./ends exit
ok "a run whose importer is killed keeps its exit status" test $? -eq 3
ok "the log says that the importer was killed" one_message "was killed" "when that is"
ok "a killed importer leaves the run before" is "exit|4" sql deps.db \
    "SELECT ended, exit_status FROM run"
sed -i "s,$tmp/lib/,$VALGRIND_LIB/," log
ok "the import works after one was killed" imports
ok "the run imported after a killed import is complete" is 1 sql deps.db "$recorded"

end_of_cases
