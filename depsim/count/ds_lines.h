/*
 * ds_lines: accesses to lines of the cache where another thread has stored
 * other bytes (false sharing).
 *
 * A thread *holds* a line of FORWARD_LINE bytes from its access to the line
 * until another thread stores there; then the thread has lost the line.  If it
 * comes back, then until it gives way to another thread, each of its accesses
 * to the line *shares* the line, unless one of the bytes was stored by other
 * threads since the loss: that is a dependency, or an overwritten value.
 * Before its first access, a thread has lost all lines when a second thread
 * began; stores from before that do not count.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "base/ds_valgrind.h"

#include "base/ds_memory.h"

/* Values in the arena that translated code uses.  The table has a word for each
   line below DS_LINEAR_END, with the bits of the threads whose accesses need
   not be looked at: a load if the word has the thread's bit, a store if it has
   no other. */
struct ds_lines {
    ULong table;  /* the table's address */
    ULong places; /* the bits that an offset in the table may have */
    ULong self;   /* the bit of the running thread */
};
extern struct ds_lines *ds_lines;

/* Call it after ds_access_init, before the program starts. */
void ds_lines_init(void);

/* A second thread is about to begin; until then, no access counts, and
   ds_lines_access may not be called.  True at the first call. */
Bool ds_lines_begin(void);
Bool ds_lines_are_on(void);

/* The running thread is about to load or store the n bytes at an address.
   `site` is the id of the instruction's site, or 0 if that is not recorded. */
void ds_lines_access(Addr a, SizeT n, ULong stores, ULong site);

/* Accesses of one instruction to lines that they shared with the store of
   another one, made last of all those since the loss. */
struct ds_shared_line {
    struct ds_key key; /* ids of the sites of the store and of the access, and
                          whether that stored, too */
    ULong accesses;
    ULong turns;     /* in how many turns of threads they were made */
    ULong last_turn; /* the last of them */
};

/* The next one that has accesses; NULL after the last.  From cursor 0. */
const struct ds_shared_line *ds_lines_next(SizeT *cursor);

/* Forgets all accesses. */
void ds_lines_reset(void);
