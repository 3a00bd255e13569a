/*
 * sd_archive: the members of a static library.
 *
 * The format is that of System V and GNU ar: a header of 60 characters before
 * each member, and a member "//" for the names that do not fit.  A thin archive
 * stores only these names: its headers name files beside it, which libelf does
 * not read.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ARCHIVE_H
#define SD_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"

/* Is the file at `path` a readable archive? */
bool sd_archive_probe(const char *path);

/* Takes a member, "ARCHIVE(MEMBER)", whose bytes it may change.  `is_elf`: it
   begins as ELF files do.  -1 with *d set ends the reading. */
typedef int sd_archive_take(void *argument, const char *name, bool is_elf,
                            uint8_t *bytes, size_t n, struct diag *d);

/* Hands over one member after the other.  -1 if the archive is damaged, or a
   file that a thin archive names cannot be read. */
int sd_archive_read(const char *path, sd_archive_take *take, void *argument,
                    struct diag *d);

#endif
