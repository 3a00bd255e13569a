/*
 * sd_archive: the members of a static library.
 *
 * The format is that of System V and GNU ar: a header of 60 characters before
 * each member, and a member "//" for the names that do not fit.  A thin archive
 * stores only these names: its headers name files beside it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ARCHIVE_H
#define SD_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"

struct sd_archive {
    const char *path; /* the caller's */
    int fd;
    uint64_t size, at; /* of the archive; where the next header is */
    bool is_thin;      /* its members are separate files */
    char *names;       /* the names too long for a header */
    size_t names_size;

    /* The current member. */
    char *name; /* "ARCHIVE(MEMBER)" */
    uint8_t *bytes;
    size_t n_bytes;
};

/* Is the file at `path` a readable archive? */
bool sd_archive_probe(const char *path);

/* On failure nothing is left open, and closing it again is harmless. */
int sd_archive_open(struct sd_archive *archive, const char *path,
                    struct diag *d);
void sd_archive_close(struct sd_archive *archive);

/* Reads the next member, which becomes the current one.  Returns 1; 0 if there
   are no more; -1 if the archive is damaged, or a file that a thin archive
   names cannot be read. */
int sd_archive_next(struct sd_archive *archive, struct diag *d);

/* Does the current member begin with the magic number of ELF? */
bool sd_archive_member_is_elf(const struct sd_archive *archive);

#endif
