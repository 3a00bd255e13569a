/*
 * Preloaded into depsim-import: write number FAULTY_WRITE to a file fails as on
 * a full disk, or kills the program if FAULTY_KILL is set, after half of the
 * bytes were written.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t offset)
{
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    static int n_writes;

    if (real == NULL)
        real = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(
            RTLD_NEXT, "pwrite64");
    if (++n_writes != atoi(getenv("FAULTY_WRITE")))
        return real(fd, bytes, n, offset);
    if (getenv("FAULTY_KILL") != NULL) {
        real(fd, bytes, n / 2, offset);
        raise(SIGKILL);
    }
    errno = ENOSPC;
    return -1;
}
