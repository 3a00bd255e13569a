/*
 * An open() to preload that refuses /proc/self/maps.  That file shows
 * Valgrind's own mappings, so a program that reads it runs differently under
 * two tools. grep and diff read it to tell an overflow of the stack from other
 * faults.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int open(const char *path, int flags, ...)
{
    va_list rest;
    int mode = 0;

    if (strcmp(path, "/proc/self/maps") == 0) {
        errno = ENOENT;
        return -1;
    }
    if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
        va_start(rest, flags);
        mode = va_arg(rest, int);
        va_end(rest);
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
