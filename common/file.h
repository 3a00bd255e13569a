/*
 * file: reads regular files that a user, a database or an object names, tells
 * them apart, and replaces files.
 *
 * Opening a pipe may wait for ever, and a file with holes has any size at no
 * cost: only regular files are read, and texts only if they are small enough.
 *
 * A file that is replaced appears complete or not at all: the new contents go
 * into a temporary file beside the old file, which a rename puts in its place.
 * They reach the disk before the rename does, and the rename before
 * replace_commit returns: a crash leaves the old file or the new one.  (Where a
 * directory cannot be flushed the system decides when the rename reaches the
 * disk.)  The new file has the permissions of the old one, or those that umask
 * gives a file where there is none.  Owner, links and extended attributes of
 * the old file are not kept.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"
#include <sys/stat.h>

/* --- Reading --- */

#define FILE_MOST_SOURCE ((size_t)16 << 20) /* bytes of source to be shown */
#define FILE_MOST_TEXT   ((size_t)256 << 20)

/* 0 if a file is a regular one; -1 with *d set if not. */
int file_check(const struct stat *st, const char *path, struct diag *d);

/* Is a file the same and unchanged between two calls of stat()?  Zeros are no
   file. */
bool file_is_same(const struct stat *a, const struct stat *b);

/* Opens a regular file for reading; -1 with *d set if that fails. */
int file_open(const char *path, uint64_t *size, struct diag *d);

/* Reads `size` bytes from an offset, all of them or none: -1 with *d set if
   that fails.  `path` is for the message. */
int file_read(int fd, const char *path, uint64_t offset, void *bytes,
              size_t size, struct diag *d);

/* Writes the contents of an open file into a new file at `path`. */
int file_copy(int from, const char *path, struct diag *d);

/* Ends what is written to standard output: a full disk shows only when the last
   bytes are written. */
int file_flush_output(struct diag *d);

/* The *n bytes of a regular file, or with "-" of the standard input, and a zero
   byte; the caller frees.  NULL if there are more than `most`. */
char *file_text(const char *path, size_t most, size_t *n, struct diag *d);

/* --- The identity of an object file: its build-id, or its SHA-256 --- */

#define OBJID_SIZE 129 /* room for a build-id of 64 bytes in hexadecimal */

/* Writes n bytes, at most 64, in lower-case hexadecimal with a final zero. */
void objid_format(char id[OBJID_SIZE], const unsigned char *bytes, size_t n);

/* The SHA-256 of the file's bytes in hexadecimal. */
int objid_hash_file(char id[OBJID_SIZE], const char *path, struct diag *d);

/* The SHA-256 of n bytes in memory, in hexadecimal. */
void objid_hash_bytes(char id[OBJID_SIZE], const void *bytes, size_t n);

/* --- Replacing --- */

struct replace;

enum replace_how {
    /* The new file replaces anything of that name. */
    REPLACE_ALWAYS,
    /* A pipe, a device or a symbolic link is written to as it is, as a shell's
       redirection does; a regular file is replaced. */
    REPLACE_REGULAR,
};

/* Begins with an empty file.  Returns NULL with `d` set if it cannot be made;
   the caller frees. */
struct replace *replace_new(const char *path, enum replace_how how,
                            struct diag *d);

/* Where to write, for a library that opens files itself and closes them before
   replace_commit. */
const char *replace_path(const struct replace *r);

/* A stream to write to, which belongs to `r`. */
FILE *replace_stream(struct replace *r);

/* The temporary file, which a signal handler may unlink.  NULL if there is
   none, for example after replace_commit. */
const char *replace_temporary(const struct replace *r);

/* Completes the file.  Fails if an earlier write to the stream failed.  On
   failure, the old file is kept. */
int replace_commit(struct replace *r, struct diag *d);

/* Removes the temporary file unless it took the old one's place.  Accepts
   NULL. */
void replace_free(struct replace *r);
