#!/bin/sh
# scripts/check-on with a real chroot of this machine's own suite: what the command
# finds, and that nothing stays mounted or keeps running; and both commands of the README
# on two releases, in chroots that have nothing else.  It takes an hour or more, and
# needs root and a mirror of Debian.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

[ "$(id -u)" -eq 0 ] && git -C "$root" rev-parse HEAD >/dev/null 2>&1 &&
    unshare --mount true || skip_all "no root, no git, no clone or no mounts"
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
check_on() {
    "$root/scripts/check-on" --dir="$tmp/dir" "$suite" "$@"
}
unused() {
    ! grep "$tmp/dir" /proc/*/mounts 2>/dev/null
}
ends() {
    expected=$1
    shift
    status=0
    check_on "$@" || status=$?
    [ "$status" -eq "$expected" ]
}

ok "check-on makes a chroot, and ends with the command's status" ends 3 sh -c 'exit 3'
ok "no file system stays mounted after the first command" unused
ok "the command of check-on runs in a clone" ends 0 test -x scripts/check -a -d .git
# shellcheck disable=SC2016
ok "the clone has the usual file systems" ends 0 sh -c '
    script -qec true /dev/null </dev/null && test -d /proc/self &&
    touch /dev/shm/new && test -d /sys/kernel'
ok "a command of check-on may leave files" ends 0 touch kept
ok "a command of check-on finds the files of the command before" ends 0 test -e kept

mkfifo started
check_on sh -c 'echo on; exec tail -f /dev/null' >started &
read -r _ <started
kill -KILL $!
wait $! 2>/dev/null
# Each process that check-on starts holds the lock.
ok "a killed check-on ends what it has started" flock --timeout 600 "dir/$suite.lock" true
ok "no file system stays mounted after a killed command" unused

# passes SUITE: do all tests pass there?  What failed is shown.
passes() {
    "$root/scripts/check-on" --dir="$tmp/new" "$1" >"$1.log" || :
    grep '^not ok' "$1.log"
    tail -n 1 "$1.log"
    tail -n 1 "$1.log" | grep -x '[0-9][0-9]* passed, 0 failed'
}
for suite in bookworm trixie; do
    ok "both commands of the README pass on a minimal $suite" passes $suite
    rm -rf "new/$suite"
done
end_of_cases
