/*
 * di_left: spools that were left behind beside a database.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "import/di_spool.h"

#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "spool_format.h"

#define SUFFIX ".spool"

/* Does the file begin as far as it goes like a spool, and not end like one? */
static bool is_cut(int fd)
{
    char begin[8], end[8];
    struct stat st;
    ssize_t n = pread(fd, begin, sizeof begin, 0);

    if (n < 0 || memcmp(begin, SPOOL_MAGIC, (size_t)n) != 0 ||
        fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    return st.st_size < (off_t)sizeof end ||
           pread(fd, end, sizeof end, st.st_size - (off_t)sizeof end) !=
               (ssize_t)sizeof end ||
           memcmp(end, SPOOL_END, sizeof end) != 0;
}

static bool is_left(int directory, const char *name)
{
    int fd = openat(directory, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool result;

    if (fd < 0)
        return false;
    result = flock(fd, LOCK_SH | LOCK_NB) == 0 && is_cut(fd);
    close(fd);
    return result;
}

/* Is it FILE.spool or FILE.spool.*? */
static bool is_spool(const char *name, const char *file)
{
    size_t n = strlen(file), suffix = strlen(SUFFIX);

    return strncmp(name, file, n) == 0 &&
           strncmp(name + n, SUFFIX, suffix) == 0 &&
           (name[n + suffix] == '\0' || name[n + suffix] == '.');
}

static int look(DIR *directory, const char *path, const char *file,
                struct diag *note)
{
    const struct dirent *entry;
    char *first = NULL;
    int n = 0;

    while ((entry = readdir(directory)) != NULL) {
        if (!is_spool(entry->d_name, file) ||
            !is_left(dirfd(directory), entry->d_name))
            continue;
        n++;
        if (first == NULL || strcmp(entry->d_name, first) < 0) {
            free(first);
            first = memory_text(entry->d_name);
        }
    }
    if (n > 0)
        diag_set(note,
                 "%s/%s%s: incomplete: its run was killed, and is lost; the "
                 "file can be removed",
                 path, first, n > 1 ? " and others" : "");
    free(first);
    return n;
}

int di_left(const char *database, struct diag *note)
{
    char *for_path = memory_text(database), *for_file = memory_text(database);
    const char *path = dirname(for_path);
    DIR *directory = opendir(path);
    int n = 0;

    if (directory != NULL) {
        n = look(directory, path, basename(for_file), note);
        closedir(directory);
    }
    free(for_path);
    free(for_file);
    return n;
}
