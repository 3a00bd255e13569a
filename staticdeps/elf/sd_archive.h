/*
 * sd_archive: the members of a static library.
 *
 * The format is that of System V and GNU ar: a header of 60 characters before
 * each member, and a member "//" for the names that do not fit.  A thin
 * archive has no members but these: its headers name files beside it.
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
    uint64_t size, at; /* of the archive; of the next member's header in it */
    bool is_thin;      /* its members are files of their own */
    char *names;       /* those that are too long for a header */
    size_t names_size;

    /* The current member. */
    char *name; /* "ARCHIVE(MEMBER)" */
    uint8_t *bytes;
    size_t n_bytes;
};

/* Is there an archive at `path`?  False for anything else, and for
   what cannot be read. */
bool sd_archive_probe(const char *path);

/* Opens it.  On failure nothing is left open, and closing it again is
   harmless. */
int sd_archive_open(struct sd_archive *archive, const char *path,
                    struct diag *d);
void sd_archive_close(struct sd_archive *archive);

/* 1: the next member is the current one; 0: there is none; -1: the archive is
   damaged, or a file that a thin one names cannot be read. */
int sd_archive_next(struct sd_archive *archive, struct diag *d);

/* Does the member begin as ELF files do? */
bool sd_archive_member_is_elf(const struct sd_archive *archive);

#endif
