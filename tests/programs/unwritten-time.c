/* Memory that system calls that wait write, or leave alone; see unwritten.h.
   changed-processes.c has others. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "unwritten.h"

static char area[1 << 14];
static char *const at = area + 4096; /* where all calls write */

/* The bytes that a case stores are a set with descriptor 0, which is always
   ready, and a number of seconds that is long enough. */
static void sets(void)
{
    TRY(select, at, 8, CALL(1, SYS_select, 8, at, NULL, NULL, NULL));
    TRY(pselect, at, 8, CALL(1, SYS_pselect6, 8, at, NULL, NULL, NULL, NULL));
    *area = 1;
    TRY(select_left, at, sizeof(struct timeval),
        (memset(at + 8, 0, 8), CALL(1, SYS_select, 8, area, NULL, NULL, at)));
    *area = 1;
    TRY(pselect_left, at, sizeof(struct timespec),
        (memset(at + 8, 0, 8),
         CALL(1, SYS_pselect6, 8, area, NULL, NULL, at, NULL)));
    unwritten_value = 0; /* 0, which the kernel does not change */
    TRY(kept_select_at_once, at, sizeof(struct timeval),
        CALL(0, SYS_select, 0, NULL, NULL, NULL, at));
    unwritten_value = 1;
}

static void polls(void)
{
    struct pollfd other = {0, POLLIN, 0};
    int epoll = epoll_create1(0);

    TRY(ppoll_left, at, sizeof(struct timespec),
        (memset(at + 8, 0, 8), CALL(1, SYS_ppoll, &other, 1, at, NULL, 0)));
    TRY(kept_epoll_timeout, at, sizeof(struct epoll_event),
        CALL(0, SYS_epoll_wait, epoll, at, 1, 0));
}

static void words(void)
{
    TRY(kept_futex_wake, at, sizeof(int),
        CALL(0, SYS_futex, at, FUTEX_WAKE, 1, NULL, NULL, 0));
    TRY(kept_futex_wait, at, sizeof(int),
        CALL(-1, SYS_futex, at, FUTEX_WAIT, 0, NULL, NULL, 0));
    unwritten_value = 0; /* 0: the lock is free */
    TRY(futex_lock, at, sizeof(int),
        CALL(0, SYS_futex, at, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
    unwritten_value = 1;
}

int main(void)
{
    int zero = open("/dev/zero", O_RDONLY);

    if (zero < 0 || dup2(zero, 0) != 0)
        unwritten_fails("main");
    sets();
    polls();
    words();
    return 0;
}
