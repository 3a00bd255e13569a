/*
 * sd_elf_archive: the members of a static library.
 *
 * The format is that of System V and GNU ar: a header of 60 characters before
 * each member, and a member "//" for the names that do not fit.  A thin archive
 * stores no other members: its headers name files beside the archive, which
 * libelf does not read.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_elf.h"

#include <unistd.h>

#define MAGIC_SIZE 8
static const char magic[] = "!<arch>\n", thin_magic[] = "!<thin>\n";

struct header {
    char name[16];
    char ignored[32]; /* date, owner, group, mode */
    char size[10];
    char end[2];
};

struct archive {
    const char *path;
    int fd;
    uint64_t size, at; /* size of the archive; offset of the next header */
    bool is_thin;      /* the members are separate files */
    char *names;       /* the names too long for a header */
    size_t names_size;
};

static int open_archive(struct archive *a, const char *path, struct diag *d)
{
    char start[MAGIC_SIZE];

    *a = (struct archive){.path = path, .at = MAGIC_SIZE};
    a->fd = file_open(path, &a->size, d);
    if (a->fd < 0)
        return -1;
    if (a->size < MAGIC_SIZE)
        return diag_set(d, "%s: not an archive", path);
    if (file_read(a->fd, path, 0, start, MAGIC_SIZE, d) != 0)
        return -1;
    a->is_thin = memcmp(start, thin_magic, MAGIC_SIZE) == 0;
    return a->is_thin || memcmp(start, magic, MAGIC_SIZE) == 0
               ? 0
               : diag_set(d, "%s: not an archive", path);
}

static void close_archive(struct archive *a)
{
    free(a->names);
    if (a->fd >= 0)
        close(a->fd);
}

bool sd_image_is_archive(const char *path)
{
    struct archive archive;
    bool is_archive = open_archive(&archive, path, NULL) == 0;

    close_archive(&archive);
    return is_archive;
}

static int damaged(const struct archive *a, struct diag *d)
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
static int read_header(struct archive *a, struct header *h, uint64_t *size,
                       struct diag *d)
{
    a->at += a->at & 1; /* members begin at even offsets */
    if (a->at >= a->size)
        return 0;
    if (a->size - a->at < sizeof *h)
        return damaged(a, d);
    if (file_read(a->fd, a->path, a->at, h, sizeof *h, d) != 0)
        return -1;
    a->at += sizeof *h;
    assert(a->at <= a->size);
    if (memcmp(h->end, "`\n", 2) != 0 ||
        !num_parse_span(h->size, field_length(h->size, sizeof h->size), size))
        return damaged(a, d);
    return 1;
}

static uint8_t *read_bytes(struct archive *a, uint64_t size, struct diag *d)
{
    if (size > a->size - a->at) {
        diag_set(d, "%s: truncated: a member lies beyond its end", a->path);
        return NULL;
    }
    uint8_t *bytes = memory_new(size + 1, 1);
    if (file_read(a->fd, a->path, a->at, bytes, size, d) != 0) {
        free(bytes);
        return NULL;
    }
    a->at += size;
    assert(a->at <= a->size);
    return bytes;
}

/* Reads a member of a thin archive from its file, whose name is relative to the
   archive's directory. */
static uint8_t *read_file(const struct archive *a, const char *name,
                          uint64_t *size, struct diag *d)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(a->path, '/');
    char *path =
        memory_printf("%.*s%s", slash != NULL ? (int)(slash - a->path) + 1 : 0,
                      a->path, name);
    struct archive file = {.path = path, .fd = file_open(path, size, d)};
    uint8_t *bytes = NULL;

    file.size = *size;
    if (file.fd >= 0)
        bytes = read_bytes(&file, *size, d);
    close_archive(&file);
    free(path);
    return bytes;
}

/* The member's name, which the caller frees.  In a header, a slash ends the
   name; "/N" stands for the name at offset N of the long names, where a slash
   and a newline end a name. */
static char *member_name(const struct archive *a, const struct header *h)
{
    size_t n = field_length(h->name, sizeof h->name);
    const char *name = h->name, *end;
    uint64_t offset;

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
    assert(name == h->name ? n <= sizeof h->name : n <= a->names_size);
    char *copy = memory_new(n + 1, 1);
    return memcpy(copy, name, n);
}

/* Reads the member with the long names into a->names. */
static int read_names(struct archive *a, uint64_t size, struct diag *d)
{
    free(a->names);
    a->names_size = 0;
    a->names = (char *)read_bytes(a, size, d);
    if (a->names == NULL)
        return -1;
    a->names_size = size;
    return 0;
}

static int read_member(struct archive *a, const struct header *h, uint64_t size,
                       sd_image_take *take, void *argument, struct diag *d)
{
    AUTO_FREE char *name = member_name(a, h), *path = NULL;
    struct sd_image image;
    int rc = -1;

    if (name == NULL)
        return damaged(a, d);
    AUTO_FREE uint8_t *bytes =
        a->is_thin ? read_file(a, name, &size, d) : read_bytes(a, size, d);
    path = memory_printf("%s(%s)", a->path, name);
    if (bytes != NULL && (size < 4 || memcmp(bytes, ELFMAG, SELFMAG) != 0)) {
        rc = take(argument, NULL, d);
    } else if (bytes != NULL &&
               sd_elf_member(&image, path, bytes, size, d) == 0) {
        rc = take(argument, &image, d);
        sd_image_close(&image);
    }
    return rc;
}

int sd_image_members(const char *path, sd_image_take *take, void *argument,
                     struct diag *d)
{
    struct archive a;
    struct header h;
    uint64_t size;
    int rc = open_archive(&a, path, d);

    while (rc == 0 && (rc = read_header(&a, &h, &size, d)) > 0)
        if (memcmp(h.name, "// ", 3) == 0)
            rc = read_names(&a, size, d);
        else if (memcmp(h.name, "/ ", 2) != 0 &&
                 memcmp(h.name, "/SYM64/", 7) != 0)
            rc = read_member(&a, &h, size, take, argument, d);
        else if (size <= a.size - a.at) { /* a table of symbols */
            a.at += size;
            rc = 0;
        } else
            rc = damaged(&a, d);
    close_archive(&a);
    return rc;
}
