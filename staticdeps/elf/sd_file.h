/*
 * sd_file: reads parts of files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_FILE_H
#define SD_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "diag.h"

/* Reads `size` bytes from an offset, all of them or none: -1 with *d set if
   that fails.  `path` is for the message. */
int sd_file_read(int fd, const char *path, uint64_t offset, void *bytes,
                 size_t size, struct diag *d);

/* "DIRECTORY-OF-PATH/NAME", or NAME if that begins with a slash; the caller
   frees. */
char *sd_file_beside(const char *path, const char *name);

#endif
