#!/bin/sh
# Does depsim know exactly which bytes a system call changes?  programs/changed.h
# describes the cases.
#
# The kernel writes for io_uring, and for asynchronous input before io_getevents
# reports it, at any time and without a call: depsim does not see that.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

# measured PROGRAM: runs it, and writes the bytes that it saw unchanged to PROGRAM.kept
# and those that depsim saw unchanged to PROGRAM.deps.
measured() {
    "$CC" -std=c11 -O1 -Wall -I"$srcdir/programs" \
        -o "$1" "$srcdir/programs/$1.c" || return
    run valgrind -q --tool=depsim --deps-file="$1.db" "./$1" \
        >"$1.kept" 2>log || { cat log; return 1; }
    { symbols "$1"; echo "
        SELECT substr(store, 7), sum(occurrences) FROM named
        WHERE store LIKE 'store\\_%' ESCAPE '\\' AND load = 'load_' || substr(store, 7)
        GROUP BY 1"; } | sql -separator ' ' "$1.db" >"$1.deps"
}

# agree PROGRAM CASE KEPT: has depsim seen KEPT bytes unchanged?
agree() {
    seen=$(sed -n "s/^$2 //p" "$1.deps")
    echo "kept: $3 bytes, depsim says ${seen:-0}"
    [ "${seen:-0}" -eq "$3" ]
}

for source in "$srcdir"/programs/changed-*.c; do
    program=$(basename "$source" .c)
    ok "the program $program runs under depsim" measured "$program"
    while read -r case kept why; do
        if [ "$kept" = skip ]; then
            skip "depsim knows the bytes that the kernel changes: $program, $case" "$why"
        else
            ok "depsim knows the bytes that the kernel changes: $program, $case" \
                agree "$program" "$case" "$kept"
        fi
    done <"$program.kept"
done
### The calls that Valgrind knows

# Calls after which Valgrind runs code, mostly to say what they wrote, and which no
# program here makes, with the reason.
cat >others <<'END_LIST'
of 32-bit processors: clock_getres_time64 clock_gettime64 clock_nanosleep_time64
of 32-bit processors: fcntl64 fstatfs64 futex_time64 getgroups16 getresgid16
of 32-bit processors: getresuid16 llseek mq_timedreceive_time64 old_getrlimit
of 32-bit processors: ppoll_time64 pselect6_time64 recv recvmmsg_time64
of 32-bit processors: rt_sigtimedwait_time64 sched_rr_get_interval_time64
of 32-bit processors: sendfile64 sigpending statfs64 timer_gettime64
of 32-bit processors: timer_settime64 timerfd_gettime64 timerfd_settime64 waitpid
makes or closes a descriptor: close close_range creat dup dup2 dup3 epoll_create
makes or closes a descriptor: epoll_create1 eventfd eventfd2 fanotify_init
makes or closes a descriptor: inotify_init inotify_init1 memfd_create open
makes or closes a descriptor: open_by_handle_at signalfd signalfd4 socket
makes or closes a descriptor: timerfd_create
writes nothing: rt_sigqueueinfo rt_tgsigqueueinfo sched_setparam tkill
is tried by unwritten-memory: mprotect munmap pkey_mprotect shmat shmdt
needs a program for the kernel: bpf
is of kernels that are gone: getpmsg lookup_dcookie syscall184 sysctl
fails on all files of today: io_cancel
writes later, unseen: io_uring_enter io_uring_register io_uring_setup
END_LIST

none_is_left() {
    nm "$DEPSIM_BUILD/depsim/depsim-amd64-linux" |
        sed -nE 's/.* vgSysWrap_(linux|generic|amd64_linux)_sys_(.*)_after$/\2/p' |
        sed -E 's/^new(stat|lstat|fstat|uname)$/\1/' | sort -u >known
    {
        grep -oEh '(SYS_|CALLED\()[a-z0-9_]+' "$srcdir"/programs/*.[ch] |
            sed -E 's/^(SYS_|CALLED\()//'
        sed 's/.*: //' others | tr ' ' '\n'
    } | sort -u >made
    comm -23 known made
    [ -s known ] && [ -z "$(comm -23 known made)" ]
}

what="each call that Valgrind knows is made, or there is a reason"
case $(valgrind --version) in
valgrind-3.19.*) ok "$what" none_is_left ;;
*) skip "$what" "the list is of Valgrind 3.19" ;;
esac

end_of_cases
