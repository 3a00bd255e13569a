/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sha256.h>
#include <sys/sendfile.h>
#include <unistd.h>

/* --- Reading --- */

#define MOST_AT_ONCE ((size_t)1 << 30)

int file_check(const struct stat *st, const char *path, struct diag *d)
{
    if (S_ISDIR(st->st_mode))
        return diag_set(d, "%s: %s", path, strerror(EISDIR));
    return S_ISREG(st->st_mode) ? 0
                                : diag_set(d, "%s: not a regular file", path);
}

bool file_is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec && a->st_nlink > 0;
}

int file_open(const char *path, uint64_t *size, struct diag *d)
{
    /* Without O_NONBLOCK, opening a FIFO waits for its writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) != 0) {
        diag_set(d, "%s: %s", path, strerror(errno));
    } else if (file_check(&st, path, d) == 0) {
        *size = (uint64_t)st.st_size;
        return fd;
    }
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

    if (strcmp(path, "-") == 0)
        return read_text(stdin, "standard input", most, n, d);
    int fd = file_open(path, &size, d);
    if (fd < 0)
        return NULL;
    FILE *in = fdopen(fd, "r");
    if (in == NULL)
        memory_exhausted();
    char *text = read_text(in, path, size <= most ? most : 0, n, d);
    fclose(in);
    return text;
}

int file_flush_output(struct diag *d)
{
    if (ferror(stdout) || fflush(stdout) != 0)
        return diag_set(d, "standard output: %s",
                        errno != 0 ? strerror(errno) : "write error");
    return 0;
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

/* --- Identity --- */

#define LARGEST ((uint64_t)16 << 30) /* bytes, read in less than a minute */

void objid_format(char id[OBJID_SIZE], const unsigned char *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";

    assert(2 * n < OBJID_SIZE);
    for (size_t i = 0; i < n; i++) {
        *id++ = digits[bytes[i] >> 4];
        *id++ = digits[bytes[i] & 15];
    }
    *id = '\0';
}

int objid_hash_file(char id[OBJID_SIZE], const char *path, struct diag *d)
{
    _Static_assert(OBJID_SIZE >= SHA256_DIGEST_STRING_LENGTH,
                   "a SHA-256 fits an identity");

    uint64_t size;
    int fd = file_open(path, &size, d);

    if (fd < 0)
        return -1;
    close(fd);
    if (size > LARGEST)
        return diag_set(d, "%s: larger than 16 GiB, without a build-id", path);
    if (SHA256File(path, id) == NULL)
        return diag_set(d, "%s: %s", path, strerror(errno));
    assert(strlen(id) == SHA256_DIGEST_STRING_LENGTH - 1);
    return 0;
}

void objid_hash_bytes(char id[OBJID_SIZE], const void *bytes, size_t n)
{
    SHA256Data(bytes, n, id);
    assert(strlen(id) == SHA256_DIGEST_STRING_LENGTH - 1);
}

/* --- Replacing --- */

struct replace {
    char *path;      /* the path of the file to be replaced */
    char *temporary; /* path of the new file; NULL: `path` itself is written */
    bool exists;     /* the temporary file is there */
    FILE *stream;
};

static int fail(const struct replace *r, struct diag *d)
{
    return diag_set(d, "%s: %s", r->path,
                    errno != 0 ? strerror(errno) : "write error");
}

/* The permissions of the old file, or if there is none, of any new file. */
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

    assert(r->temporary == NULL && !r->exists);
    r->temporary = memory_new(size, 1);
    snprintf(r->temporary, size, "%s.XXXXXX", r->path);
    int fd = mkostemp(r->temporary, O_CLOEXEC);
    if (fd < 0)
        return -1;
    r->exists = true;
    /* A file system without permissions may refuse this, which does no harm. */
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

/* Writes a directory to the disk.  Ignores errors: some file systems cannot do
   it, and the file is complete anyway. */
static void flush_directory(const char *path)
{
    AUTO_FREE char *copy = memory_text(path);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
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
    assert(r->stream != NULL); /* replace_commit was not called before */
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
