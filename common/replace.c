/*
 * replace: a file that appears complete or not at all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "replace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

struct replace {
    char *path;      /* what is to be replaced */
    char *temporary; /* or NULL: `path` itself is written */
    bool exists;     /* the temporary file is there */
    FILE *stream;
};

static int fail(const struct replace *r, struct diag *d)
{
    return diag_set(d, "%s: %s", r->path,
                    errno != 0 ? strerror(errno) : "write error");
}

/* The permissions of the old file, or of a new one. */
static mode_t new_mode(const char *path)
{
    mode_t mask = umask(0);
    struct stat st;

    umask(mask);
    return stat(path, &st) == 0 ? st.st_mode & 0777 : 0666 & ~mask;
}

static int open_temporary(struct replace *r)
{
    size_t size = strlen(r->path) + sizeof ".XXXXXX";
    int fd;

    r->temporary = memory_new(size, 1);
    snprintf(r->temporary, size, "%s.XXXXXX", r->path);
    fd = mkostemp(r->temporary, O_CLOEXEC);
    if (fd < 0)
        return -1;
    r->exists = true;
    /* A file system without permissions may refuse this, and does no harm. */
    fchmod(fd, new_mode(r->path));
    r->stream = fdopen(fd, "w");
    if (r->stream == NULL)
        close(fd);
    return r->stream != NULL ? 0 : -1;
}

static int open_file(struct replace *r, enum replace_how how)
{
    struct stat st;

    if (how == REPLACE_ALWAYS || lstat(r->path, &st) != 0 ||
        S_ISREG(st.st_mode))
        return open_temporary(r);
    r->stream = fopen(r->path, "we");
    return r->stream != NULL ? 0 : -1;
}

struct replace *replace_new(const char *path, enum replace_how how,
                            struct diag *d)
{
    struct replace *r = memory_new(1, sizeof *r);

    r->path = memory_text(path);
    if (open_file(r, how) == 0) {
        errno = 0;
        return r;
    }
    fail(r, d);
    replace_free(r);
    return NULL;
}

const char *replace_path(const struct replace *r)
{
    return r->temporary != NULL ? r->temporary : r->path;
}

FILE *replace_stream(struct replace *r)
{
    return r->stream;
}

const char *replace_temporary(const struct replace *r)
{
    return r->exists ? r->temporary : NULL;
}

/* Ignores errors: some file systems cannot do it, and the file is complete
   anyway. */
static void flush_directory(const char *path)
{
    char *copy = memory_text(path);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(copy);
}

/* Flushes the stream.  A temporary file reaches the disk, whoever wrote it. */
static int flush(struct replace *r)
{
    FILE *stream = r->stream;
    bool failed = fflush(stream) != 0 || ferror(stream) ||
                  (r->exists && fsync(fileno(stream)) != 0);

    if (failed)
        return -1;
    r->stream = NULL;
    return fclose(stream);
}

int replace_commit(struct replace *r, struct diag *d)
{
    assert(r->stream != NULL); /* not committed before */
    assert(!r->exists || r->temporary != NULL);
    if (flush(r) != 0)
        return fail(r, d);
    if (!r->exists)
        return 0;
    if (rename(r->temporary, r->path) != 0)
        return fail(r, d);
    r->exists = false;
    flush_directory(r->path);
    return 0;
}

void replace_free(struct replace *r)
{
    if (r == NULL)
        return;
    if (r->stream != NULL)
        fclose(r->stream);
    if (r->exists)
        unlink(r->temporary);
    free(r->temporary);
    free(r->path);
    free(r);
}
