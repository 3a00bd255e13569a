/*
 * ds_window: windows of what the program executes: some thousand consecutive
 * instructions of one thread, with the address of each access.
 *
 * Code is translated in two forms.  The usual one tests, at its start, whether
 * a window begins or goes on; if so, it leaves for the recorded form, which
 * says where it is and what it accesses.  Outside of windows this test is all
 * that windows cost.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_WINDOW_H
#define DS_WINDOW_H

#include "base/ds_valgrind.h"

/* Values in the arena that translated code uses. */
struct ds_window {
    ULong from; /* the time from which superblocks are recorded */
    Addr into;  /* where the running superblock's accesses put their addresses,
                   8 bytes each */
};

/* NULL: no windows are recorded. */
extern struct ds_window *ds_window;

/* Records at most n windows of `length` instructions; in a short run, one in
   `apart` times its length.  Call it after ds_clock_init, before the program
   starts.  With n = 0, or without the call, the other functions do nothing. */
void ds_window_init(UInt n, UInt length, ULong apart);

/* Is recording (ds_record) on?  It is not before the first call.  While it is
   off, no window begins. */
void ds_window_record(Bool on);

/* A thread is about to run; it has left translated code; it has ended. */
void ds_window_resume(ThreadId tid);
void ds_window_left(void);
void ds_window_end_thread(ThreadId tid);

/* Ends the window that is being recorded, before windows are read. */
void ds_window_settle(void);

/* A fork: the parent goes on; the child forgets all windows, and draws others
   than its parent and its siblings. */
void ds_window_forked(void);
void ds_window_reset(void);

/* A window, in the form of the database (doc/schema.md). */
struct ds_bytes {
    UChar *bytes;
    SizeT n, room;
};
struct ds_kept {
    UInt thread;
    ULong start; /* instructions that the process had executed */
    UInt instructions;
    struct ds_bytes path, accesses, gaps;
};

/* How many windows there are at most, and one of them; NULL: it is none. */
UInt ds_window_number(void);
const struct ds_kept *ds_window_get(UInt i);

/* A piece of code that windows refer to by its number, from 0, in the form of
   the database. */
struct ds_kept_piece {
    UInt object;
    Addr address;          /* of the object's file */
    struct ds_bytes insns; /* valid until the next call */
};
UInt ds_pieces_number(void);
struct ds_kept_piece ds_pieces_get(UInt i);

/* ds_way: what a superblock can execute: its instructions in their order, with
   their accesses, as pieces of straight-line code. */

struct ds_way;

/* Describes a superblock: begins, adds an instruction at an ELF address of an
   object, adds an access to the last instruction and returns its number in the
   superblock, and ends.  A way stays where it is, and the same superblock has
   the same one. */
void ds_way_begin(void);
void ds_way_instruction(UInt object, Addr address, UInt size);
UInt ds_way_access(SizeT size, Bool is_store);
struct ds_way *ds_way_end(Addr superblock);

/* The recorded form calls this when it begins. */
void ds_window_enter(struct ds_way *way);

#endif
