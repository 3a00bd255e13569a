/*
 * sd_archive: the members of a static library.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_archive.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "memory.h"
#include "num.h"
#include "elf/sd_file.h"

#define MAGIC_SIZE 8
static const char magic[] = "!<arch>\n", thin_magic[] = "!<thin>\n";

struct header {
    char name[16];
    char ignored[32]; /* date, owner, group, mode */
    char size[10];
    char end[2];
};

static int open_archive(struct sd_archive *a, struct diag *d)
{
    char start[MAGIC_SIZE];

    a->fd = file_open(a->path, &a->size, d);
    if (a->fd < 0)
        return -1;
    if (a->size < MAGIC_SIZE)
        return diag_set(d, "%s: not an archive", a->path);
    if (sd_file_read(a->fd, a->path, 0, start, MAGIC_SIZE, d) != 0)
        return -1;
    a->is_thin = memcmp(start, thin_magic, MAGIC_SIZE) == 0;
    if (!a->is_thin && memcmp(start, magic, MAGIC_SIZE) != 0)
        return diag_set(d, "%s: not an archive", a->path);
    a->at = MAGIC_SIZE;
    return 0;
}

int sd_archive_open(struct sd_archive *archive, const char *path,
                    struct diag *d)
{
    *archive = (struct sd_archive){.path = path, .fd = -1};
    if (open_archive(archive, d) == 0)
        return 0;
    sd_archive_close(archive);
    return -1;
}

bool sd_archive_probe(const char *path)
{
    struct sd_archive archive;
    struct diag ignored;
    bool is_archive = sd_archive_open(&archive, path, &ignored) == 0;

    sd_archive_close(&archive);
    return is_archive;
}

static void drop_member(struct sd_archive *a)
{
    free(a->name);
    free(a->bytes);
    a->name = NULL;
    a->bytes = NULL;
    a->n_bytes = 0;
}

void sd_archive_close(struct sd_archive *archive)
{
    drop_member(archive);
    free(archive->names);
    if (archive->fd >= 0)
        close(archive->fd);
    *archive = (struct sd_archive){.fd = -1};
}

static int damaged(const struct sd_archive *a, struct diag *d)
{
    return diag_set(d, "%s: damaged archive", a->path);
}

/* The length of a field without the blanks at its end. */
static size_t field_length(const char *field, size_t n)
{
    while (n > 0 && field[n - 1] == ' ')
        n--;
    return n;
}

/* Reads the next header and moves past it.  Returns 1, or 0 at the end. */
static int read_header(struct sd_archive *a, struct header *h, uint64_t *size,
                       struct diag *d)
{
    a->at += a->at & 1; /* members begin at even offsets */
    if (a->at >= a->size)
        return 0;
    if (a->size - a->at < sizeof *h)
        return damaged(a, d);
    if (sd_file_read(a->fd, a->path, a->at, h, sizeof *h, d) != 0)
        return -1;
    a->at += sizeof *h;
    if (memcmp(h->end, "`\n", 2) != 0 ||
        !num_parse_span(h->size, field_length(h->size, sizeof h->size), size))
        return damaged(a, d);
    return 1;
}

static int read_bytes(struct sd_archive *a, uint64_t size, uint8_t **bytes,
                      struct diag *d)
{
    if (size > a->size - a->at)
        return diag_set(d, "%s: truncated: a member lies beyond its end",
                        a->path);
    *bytes = memory_new(size + 1, 1);
    if (sd_file_read(a->fd, a->path, a->at, *bytes, size, d) != 0)
        return -1;
    a->at += size;
    assert(a->at <= a->size);
    return 0;
}

/* The member's name, which the caller frees.  In a header it ends with a slash;
   "/N" is the name at offset N of the long names, where a slash and a newline
   end it. */
static char *member_name(const struct sd_archive *a, const struct header *h)
{
    size_t n = field_length(h->name, sizeof h->name);
    const char *name = h->name, *end;
    uint64_t offset;
    char *copy;

    if (n > 1 && name[0] == '/' && num_parse_span(name + 1, n - 1, &offset)) {
        if (offset >= a->names_size)
            return NULL;
        name = a->names + offset;
        end = memchr(name, '\n', a->names_size - offset);
        n = end != NULL ? (size_t)(end - name) : a->names_size - offset;
    }
    if (n > 0 && name[n - 1] == '/')
        n--;
    if (n == 0 || memchr(name, 0, n) != NULL)
        return NULL;
    copy = memory_new(n + 1, 1);
    return memcpy(copy, name, n);
}

/* Skips symbol tables, and keeps the table of long names. */
static int read_special(struct sd_archive *a, const struct header *h,
                        uint64_t size, struct diag *d)
{
    if (memcmp(h->name, "// ", 3) == 0) {
        free(a->names);
        a->names = NULL;
        a->names_size = 0;
        if (read_bytes(a, size, (uint8_t **)&a->names, d) != 0)
            return -1;
        a->names_size = size;
        return 0;
    }
    if (size > a->size - a->at)
        return damaged(a, d);
    a->at += size;
    return 0;
}

static bool is_special(const struct header *h)
{
    return memcmp(h->name, "/ ", 2) == 0 || memcmp(h->name, "// ", 3) == 0 ||
           memcmp(h->name, "/SYM64/", 7) == 0;
}

/* Reads a member of a thin archive from its file. */
static int read_file(struct sd_archive *a, const char *name, struct diag *d)
{
    char *path = sd_file_beside(a->path, name);
    uint64_t size;
    int fd = file_open(path, &size, d), rc = -1;

    if (fd >= 0) {
        a->n_bytes = size;
        a->bytes = memory_new(size + 1, 1);
        rc = sd_file_read(fd, path, 0, a->bytes, size, d);
        close(fd);
    }
    free(path);
    return rc;
}

static int read_member(struct sd_archive *a, const char *name, uint64_t size,
                       struct diag *d)
{
    a->name = memory_printf("%s(%s)", a->path, name);
    if (a->is_thin)
        return read_file(a, name, d);
    a->n_bytes = size;
    return read_bytes(a, size, &a->bytes, d);
}

int sd_archive_next(struct sd_archive *a, struct diag *d)
{
    struct header h;
    uint64_t size;
    char *name;
    int rc;

    drop_member(a);
    while ((rc = read_header(a, &h, &size, d)) > 0 && is_special(&h))
        if (read_special(a, &h, size, d) != 0)
            return -1;
    if (rc <= 0)
        return rc;
    name = member_name(a, &h);
    if (name == NULL)
        return damaged(a, d);
    rc = read_member(a, name, size, d);
    free(name);
    return rc == 0 ? 1 : -1;
}

bool sd_archive_member_is_elf(const struct sd_archive *archive)
{
    return archive->n_bytes >= 4 && memcmp(archive->bytes, "\177ELF", 4) == 0;
}
