/*
 * ds_window: windows of what the program executes: some thousand consecutive
 * instructions of one thread, with the address of each access.
 *
 * Code that is not hot traces what it accesses (ds_trace), in windows, too. Hot
 * code has two forms.  The usual one tests, at its start, whether a window
 * begins or goes on; if so, it leaves for the recorded form, which traces.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "base/ds_valgrind.h"

#include "count/ds_trace.h"
#include "stride.h"
#include "window/ds_lead.h"

/* A value in the arena that translated code uses. */
struct ds_window {
    ULong from; /* the time from which superblocks are recorded */
};

/* NULL: no windows are recorded. */
extern struct ds_window *ds_window;

/* Records at most n windows of `length` instructions; in a short run, one for
   each `apart` * `length`.  Call it after ds_clock_init, before the program
   starts.  With n = 0, or without the call, the other functions do nothing. */
void ds_window_init(UInt n, UInt length, ULong apart);

ds_trace_shown ds_window_show;

/* Tells whether recording (ds_switch) is on, which it is not before the first
   call.  While it is off, no window begins. */
void ds_window_record(Bool on);

/* A thread is about to run; it has ended. */
void ds_window_resume(ThreadId tid);
void ds_window_end_thread(ThreadId tid);

/* A superblock of the recorded form has been left.  Does the window go on? */
Bool ds_window_goes_on(void);

/* Ends the window that is being recorded, before windows are read. */
void ds_window_settle(void);

/* A fork: the parent goes on; the child forgets all windows, and draws others
   than its parent and its siblings. */
void ds_window_forked(void);
void ds_window_reset(void);

/* What ran in a window, of which most of its row is made. */
struct ds_ran {
    struct ds_run_of_way *runs;
    ULong *addresses; /* of all accesses of their instructions */
    SizeT n_runs, runs_room, n_addresses, addresses_room;
    struct ds_noted before; /* the window */
};

/* A window, in the form of the database (doc/schema.md). */
struct ds_kept {
    UInt thread;
    ULong start; /* instructions that the process executed before */
    UInt instructions;
    struct ds_bytes reuse;
    struct ds_bytes path, accesses, gaps, lead; /* made when the window is read,
                                                   since most are dropped */
    struct ds_ran ran;
};

/* The most windows that there can be; window i, or NULL if there is none. */
UInt ds_window_number(void);
const struct ds_kept *ds_window_get(UInt i);

/* A piece of code, by its number in windows, in the form of the database. */
struct ds_kept_piece {
    UInt object;
    Addr address;          /* address in the object's file */
    struct ds_bytes insns; /* valid until the next call */
};
UInt ds_pieces_number(void);
struct ds_kept_piece ds_pieces_get(UInt i);

/* ds_way: what a superblock can execute: its instructions in their order, with
   their accesses, as pieces of straight-line code. */

struct ds_way;

/* Describes a superblock: begins, adds an instruction at an ELF address of an
   object, adds an access to the last instruction and returns its number in the
   superblock, and ends.  A struct ds_way stays where it is, and the same
   superblock has the same one. */
void ds_way_begin(void);
void ds_way_instruction(UInt object, Addr address, Addr bias, UInt size);
UInt ds_way_access(SizeT size, Bool is_store);
struct ds_way *ds_way_end(Addr superblock);

/* ds_way: */

struct ds_way_insn {
    UChar size, n_accesses;
};

struct ds_way_access {
    UInt kind; /* twice the access's size, plus 1 for a store */
    struct stride stride;
};

/* What an instruction touches: by an access, or a line of code, unless the
   instruction before it does. */
struct ds_way_touch {
    UInt insn;  /* its number in the superblock */
    UInt size;  /* of the access; 0: it is code */
    Addr at;    /* the access's number, or a run-time address in the line */
    ULong name; /* of the line, for ds_reuse */
};

/* A run of instructions without a gap.  What follows `window` holds for the
   window with this number only, which is being encoded. */
struct ds_piece {
    UInt object;
    Addr start, end; /* addresses in the object's file */
    Addr bias;       /* from there to run-time addresses */
    UInt first_insn, n_insns;
    UInt first_access, n_accesses;
    Bool is_numbered; /* it has a number among all pieces of windows */
    UInt id;
    ULong window;
    UInt number;
    struct ds_piece *next; /* the piece that came after, and how much of it */
    UInt n_next;
};

struct ds_way {
    struct ds_way *other; /* of a superblock with its address, not its code */
    Addr superblock;
    UInt n_insns, n_accesses, n_pieces, n_touches;
    struct ds_way_insn *insns;
    struct ds_way_access *accesses;
    struct ds_piece *pieces;
    struct ds_way_touch *touches; /* in their order */
};

/* How many accesses the first n instructions of a superblock have. */
UInt ds_way_n_accesses(const struct ds_way *way, UInt n);

/* ds_sampler: when windows begin.  Times here are recorded instructions. */

struct ds_sampler {
    UInt n_most;    /* the most intervals; an even number */
    UInt length;    /* of a window, in instructions */
    ULong interval; /* length of an interval, in instructions */
    ULong seed;     /* seed for the places of windows */
    UInt next;      /* number of the interval that has no window yet */
};

void ds_sampler_init(struct ds_sampler *s, UInt n_most, UInt length,
                     ULong interval, ULong seed);

/* The seed of a forked child, by its number among its parent's children. */
ULong ds_sampler_seed(const struct ds_sampler *s, UInt child);

/* Where the window of the next interval begins. */
ULong ds_sampler_begin(const struct ds_sampler *s);

/* The window of the next interval was recorded, or cannot be; the time is
   `now`.  Goes on to the next interval whose window can still begin.  If there
   are too many, intervals become twice as long, and `merge` is called for each
   pair of them from 0 on: the window of interval `keep` becomes that of
   interval `to`, and the one of `drop` is forgotten. */
void ds_sampler_advance(struct ds_sampler *s, ULong now,
                        void (*merge)(UInt to, UInt keep, UInt drop));

/* ds_encode: */

/* An execution of a superblock that was left after n instructions. */
struct ds_run_of_way {
    struct ds_way *way;
    UInt n;
    Bool is_apart; /* the thread executed unrecorded code before it */
};

/* Makes path, accesses, gaps and lead of a window. */
void ds_encode(struct ds_kept *kept);
