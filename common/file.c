/*
 * file: reads regular files, and copies them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "memory.h"

#define MOST_AT_ONCE ((size_t)1 << 30)

int file_check(const struct stat *st, const char *path, struct diag *d)
{
    if (S_ISDIR(st->st_mode))
        return diag_set(d, "%s: %s", path, strerror(EISDIR));
    return S_ISREG(st->st_mode) ? 0
                                : diag_set(d, "%s: not a regular file", path);
}

static int check(int fd, const char *path, uint64_t *size, struct diag *d)
{
    struct stat st;

    if (fd < 0 || fstat(fd, &st) != 0)
        return diag_set(d, "%s: %s", path, strerror(errno));
    if (file_check(&st, path, d) != 0)
        return -1;
    *size = (uint64_t)st.st_size;
    return 0;
}

int file_open(const char *path, uint64_t *size, struct diag *d)
{
    /* Without O_NONBLOCK, opening a FIFO waits for its writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (check(fd, path, size, d) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

int file_read(int fd, const char *path, uint64_t offset, void *bytes,
              size_t size, struct diag *d)
{
    char *at = bytes;

    while (size > 0) {
        ssize_t n = TEMP_FAILURE_RETRY(pread(fd, at, size, (off_t)offset));

        if (n < 0)
            return diag_set(d, "%s: %s", path, strerror(errno));
        if (n == 0)
            return diag_set(d, "%s: truncated while it was read", path);
        at += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return 0;
}

static char *read_text(FILE *in, const char *name, size_t most, size_t *n,
                       struct diag *d)
{
    char *text = memory_contents(in, most, n);

    if (!ferror(in) && *n <= most)
        return text;
    diag_set(d, "%s: %s", name, ferror(in) ? strerror(errno) : strerror(EFBIG));
    free(text);
    return NULL;
}

char *file_text(const char *path, size_t most, size_t *n, struct diag *d)
{
    uint64_t size;
    char *text;
    FILE *in;
    int fd;

    if (strcmp(path, "-") == 0)
        return read_text(stdin, "standard input", most, n, d);
    fd = file_open(path, &size, d);
    if (fd < 0)
        return NULL;
    in = fdopen(fd, "r");
    if (in == NULL)
        memory_exhausted();
    text = read_text(in, path, size <= most ? most : 0, n, d);
    fclose(in);
    return text;
}

static bool copies(int from, int to)
{
    off_t at = 0;
    ssize_t n;

    do
        n = sendfile(to, from, &at, MOST_AT_ONCE);
    while (n > 0);
    return n == 0;
}

int file_copy(int from, const char *path, struct diag *d)
{
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool is_copied = to >= 0 && copies(from, to);
    int error = errno;

    if (to >= 0)
        close(to);
    return is_copied ? 0 : diag_set(d, "%s: %s", path, strerror(error));
}
