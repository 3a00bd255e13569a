#!/bin/sh
# A database that another process has locked when depsim wants to write.
# This takes a minute and a half, the time for which depsim waits.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

mkfifo commands answers ready go

# hold, release: locks and unlocks the database against readers and writers.
hold() {
    sqlite3 -batch deps.db <commands >answers &
    holder=$!
    exec 9>commands
    echo "BEGIN EXCLUSIVE; SELECT 'locked';" >&9
    read -r answer <answers
    [ "$answer" = locked ]
}
release() {
    echo "ROLLBACK;
.quit" >&9
    exec 9>&-
    wait "$holder"
}

# begin: starts a program under depsim that waits for `go`, and exits with 5.
begin() {
    depsim --log-file=log --append=yes \
        sh -c 'echo >ready; read -r line <go; exit 5' &
    runner=$!
    read -r line <ready
}

runs="SELECT count(*), sum(exit_status) FROM run WHERE complete"

depsim sh -c 'exit 1'
begin
ok "the database is locked for twelve seconds while a program runs" hold
depsim --append=yes --log-file=other sh -c 'exit 3' &
starter=$!
echo >go
sleep 12 # as long as a lock is held
release
ok "a program whose import waits twelve seconds keeps its exit status" exits 5 wait $runner
ok "a program that starts while the database is locked keeps its status" exits 3 wait $starter
ok "two runs that waited for the lock print no message" test ! -s log -a ! -s other
ok "both runs that waited are in the database" is "3|9" sql deps.db "$runs"
ok "both runs that waited leave no file beside the database" only deps.db

begin
ok "the database is locked for longer than depsim waits" hold
echo >go
ok "a program whose database stays locked keeps its exit status" exits 5 wait $runner
release
ok "a run whose database stays locked prints one message" \
    sh -c 'cat log; [ "$(grep -c locked log)" = 1 ] &&
    [ "$(grep -c "when that is fixed" log)" = 1 ]'
ok "a run whose database stays locked does not change it" is "3|9" sql deps.db "$runs"
ok "the command in the message about a locked database works" imports
ok "the command in the message adds the run" is "4|14" sql deps.db "$runs"
ok "the import after a wait leaves no file beside the database" only deps.db

hold
ok "a database that stays locked is refused at the start" refuses_run deps.db --append=yes
release
ok "depsim does not run the program if the database stays locked" test ! -e has-run

end_of_cases
