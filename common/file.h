/*
 * file: reads files that a user, a database or an object names.
 *
 * Opening a pipe may wait for ever, and a file with holes has any size at no
 * cost: only regular files are read, and texts only if they are small enough.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_FILE_H
#define COMMON_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "diag.h"

#define FILE_MOST_SOURCE ((size_t)16 << 20) /* bytes of source to be shown */
#define FILE_MOST_TEXT   ((size_t)256 << 20)

/* Is it a regular file? */
int file_check(const struct stat *st, const char *path, struct diag *d);

/* Opens a regular file for reading. */
int file_open(const char *path, uint64_t *size, struct diag *d);

/* Reads `size` bytes from an offset, all of them or none: -1 with *d set if
   that fails.  `path` is for the message. */
int file_read(int fd, const char *path, uint64_t offset, void *bytes,
              size_t size, struct diag *d);

/* Writes what an open file has into a new file. */
int file_copy(int from, const char *path, struct diag *d);

/* The *n bytes of a regular file, or with "-" of the standard input, and a zero
   byte; the caller frees.  NULL if there are more than `most`. */
char *file_text(const char *path, size_t most, size_t *n, struct diag *d);

#endif
