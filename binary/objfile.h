/*
 * objfile: an object's file: its code, and the source that it came from.  The
 * one door to elfutils.
 *
 * The source is what DWARF says, in the file or where elfutils finds debug
 * information of its own (/usr/lib/debug, debuginfod if the user has set it
 * up).  A file without debug information has no source lines, which is no
 * failure.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"
#include "frame.h"

struct objfile;

/* Opens the file if it has this identity: a build-id, or the SHA-256 of a file
   without a build-id; NULL: any file.  Returns NULL if the file has another
   identity, or cannot be read.  Object files have the addresses of objrel.h. */
struct objfile *objfile_open(const char *path, const char *build_id,
                             struct diag *d);

/* Accepts NULL. */
void objfile_close(struct objfile *object);

/* The *n bytes of the file from `address` on; NULL if there are none.  They
   live as long as the objfile. */
const uint8_t *objfile_code(struct objfile *object, uint64_t address,
                            size_t *n);

/* Section number i, from 0, of the sections with code: *n bytes from *address
   on.  NULL: there are no more. */
const uint8_t *objfile_section(struct objfile *object, size_t i,
                               uint64_t *address, size_t *n);

/* Has the file a section of this name? */
bool objfile_has_section(const struct objfile *object, const char *name);

/* Calls `take` with each symbol in the file's own symbol table; for an object
   file of a compiler, with those of code only. */
void objfile_symbols(struct objfile *object,
                     void (*take)(void *argument, const char *name,
                                  uint64_t address),
                     void *argument);

/* The source line of an instruction, without its function: a cheap call.  The
   texts live as long as the objfile. */
struct source_frame objfile_line(struct objfile *object, uint64_t address);

/* The text of the line of a frame whose file is known, without blanks at its
   end; NULL if the source is missing, no regular file, larger than 16 MiB, or
   younger than the object.  Valid until the next call. */
const char *objfile_text(struct objfile *object,
                         const struct source_frame *frame);

/* What is wrong with the file's debug information, as the end of a message; the
   caller frees.  NULL: nothing, or the file has none. */
char *objfile_unread(struct objfile *object);

/* As objfile_line(), but if the line is in a header of the system, the line of
   the user's own file that inlined it.  *header becomes the line in the header,
   if any. */
struct source_frame objfile_own_line(struct objfile *object, uint64_t address,
                                     struct source_frame *header);

/* The source lines of an instruction, inlining included: the innermost function
   first, with the line in it, then the line from which it was called, and so
   on.  Returns how many there are, at most `max`, which is at least 1. */
size_t objfile_frames(struct objfile *object, uint64_t address,
                      struct source_frame *frames, size_t max);
