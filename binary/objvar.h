/*
 * objvar: the variable, and its element or member, that an instruction loads or
 * stores: "counter", "state.acc", "hist[]", "p->next".
 *
 * Debug information tells where variables are and of which types.  Objects
 * without it have the names of the symbol table, without members.
 *
 * What is not certain has no name.  An element whose number is data has a name
 * if the address for number 0 is where the array begins: compilers fold
 * constants into addresses, so the address of a[i - 1] may lie in the variable
 * before.  If another variable ends where the array begins, the number must
 * also be known not to be negative.  The element has no name if it may be one
 * of a later array of the file, the frame or the structure, with a number of at
 * most 128 subtracted.
 *
 * Limits: variables whose place DWARF computes have no names, nor have those of
 * a thread in shared libraries, and blocks of the heap.  In an object file of a
 * compiler, variables of a thread or of other files have none, either, and
 * local variables that DWARF places by the call frame.  A member of a union has
 * a name if no other member of the union has the same bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "binary/objfile.h"

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
