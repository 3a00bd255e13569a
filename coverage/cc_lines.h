/*
 * cc_lines: an object's file: its code, and the source that it came from.  The
 * one door to elfutils.
 *
 * The source is what DWARF says, in the file or where elfutils finds debug
 * information of its own (/usr/lib/debug, debuginfod if the user has set it
 * up).  Without any there are no lines, which is no failure.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_LINES_H
#define COVERAGE_CC_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "diag.h"

struct cc_lines;

/* A place in the source.  The texts live as long as the cc_lines. */
struct cc_frame {
    const char *function; /* NULL: not known */
    const char *file;     /* NULL: not known */
    int line;             /* 0: not known */
};

/* Opens the file, if it is the one that has this identity: a build-id, or the
   SHA-256 of a file without one.  NULL if it is not, or cannot be read. */
struct cc_lines *cc_lines_open(const char *path, const char *build_id,
                               struct diag *d);

/* NULL is fine. */
void cc_lines_close(struct cc_lines *lines);

/* The *n bytes of the file that stand at `address` and behind it; NULL if
   there are none.  They live as long as the cc_lines. */
const uint8_t *cc_lines_code(struct cc_lines *lines, uint64_t address,
                             size_t *n);

/* The source line of an instruction, without its function, which is cheap. */
struct cc_frame cc_lines_find(struct cc_lines *lines, uint64_t address);

/* The same with what was inlined there: the innermost function first, with the
   line in it, then the line from which it was called, and so on.  Returns how
   many there are, at most `max`, which is at least 1. */
size_t cc_lines_frames(struct cc_lines *lines, uint64_t address,
                       struct cc_frame *frames, size_t max);

#endif
