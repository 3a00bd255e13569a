/*
 * sd_file: reads parts of files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"

int sd_file_read(int fd, const char *path, uint64_t offset, void *bytes,
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

char *sd_file_beside(const char *path, const char *name)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(path, '/');
    int before = slash != NULL ? (int)(slash - path) + 1 : 0;

    return memory_printf("%.*s%s", before, path, name);
}
