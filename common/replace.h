/*
 * replace: a file that appears complete or not at all.
 *
 * The new contents go into a temporary file beside the old file, which a rename
 * puts in its place.  The contents reach the disk before the rename does, and
 * the rename before replace_commit returns: a crash leaves the old file or the
 * new one.  (Where a directory cannot be flushed the system decides when the
 * rename reaches the disk.)
 *
 * The new file has the permissions of the old one, or those that umask gives a
 * file where there is none.  Owner, links and extended attributes of the old
 * file are not kept.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_REPLACE_H
#define COMMON_REPLACE_H

#include <stdio.h>

#include "diag.h"

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

#endif
