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

/* --- Variables (objvar) ---

   The variable, and its element or member, that an instruction loads or
   stores: "counter", "state.acc", "hist[]", "p->next".

   Debug information tells where variables are and of which types.  Objects
   without it have the names of the symbol table, without members.

   What is not certain has no name.  An element whose number is data has a name
   if the address for number 0 is where the array begins: compilers fold
   constants into addresses, so the address of a[i - 1] may lie in the variable
   before.  If another variable ends where the array begins, the number must
   also be known not to be negative.  The element has no name if it may be one
   of a later array of the file, the frame or the structure, with a number of at
   most 128 subtracted.

   Limits: variables whose place DWARF computes have no names, nor have those of
   a thread in shared libraries, and blocks of the heap.  In an object file of a
   compiler, variables of a thread or of other files have none, either, and
   local variables that DWARF places by the call frame.  A member of a union has
   a name if no other member of the union has the same bytes. */

/* Which bytes are meant, as an offset from a base. */
struct objvar_part {
    int64_t offset;  /* of the first byte */
    unsigned size;   /* in bytes */
    uint64_t stride; /* its multiples are added to the offset; 0: nothing is */
    bool is_first;   /* with a stride: an access has this offset */
    bool is_upward;  /* with a stride: the multiples are not negative */
};

/* A variable or a part of it. */
struct objvar;

/* What is at a fixed address of the file.  NULL: not known. */
struct objvar *objvar_at_address(struct objfile *object, uint64_t address,
                                 const struct objvar_part *part);

/* What is at this distance from the thread pointer, in the program's own file.
 */
struct objvar *objvar_in_thread(struct objfile *object, int64_t distance,
                                const struct objvar_part *part);

/* A local variable, if a register has an address in the frame when the
   instruction at `pc` begins.  Registers have the numbers of DWARF. */
struct objvar *objvar_in_frame(struct objfile *object, uint64_t pc,
                               unsigned reg, const struct objvar_part *part);

/* Is the frame of the function at `pc` addressed by this register? */
bool objvar_is_frame(struct objfile *object, uint64_t pc, unsigned reg);

/* What a pointer variable in a register points to. */
struct objvar *objvar_by_register(struct objfile *object, uint64_t pc,
                                  unsigned reg, const struct objvar_part *part);

/* What a variable that is a pointer points to. */
struct objvar *objvar_through(const struct objvar *pointer,
                              const struct objvar_part *part);

/* The name of a variable as far as both agree; the caller frees.  NULL: they
   contradict each other, or nothing is known.  If one is NULL, the other
   counts. */
char *objvar_common(const struct objvar *a, const struct objvar *b);

/* Accepts NULL. */
void objvar_free(struct objvar *v);
