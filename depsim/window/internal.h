/*
 * internal: what the files of window/ share, and no others need.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_WINDOW_INTERNAL_H
#define DS_WINDOW_INTERNAL_H

#include "stride.h"
#include "window/ds_window.h"

/* ds_way: */

struct ds_way_insn {
    UChar size, n_accesses;
};

struct ds_way_access {
    UInt kind; /* twice its size, plus 1 if it is a store */
    struct stride stride;
};

/* A run of instructions without a gap.  What follows `window` holds for the
   window with this number only, which is being encoded. */
struct ds_piece {
    UInt object;
    Addr start, end; /* of the object's file */
    UInt first_insn, n_insns;
    UInt first_access, n_accesses;
    Bool is_numbered; /* among all pieces of windows (ds_pieces) */
    UInt id;
    ULong window;
    UInt number;
    struct ds_piece *next; /* what came after it, and how much of that */
    UInt n_next;
};

struct ds_way {
    struct ds_way *other; /* of a superblock with the same address, whose code
                             was another */
    Addr superblock;
    UInt n_insns, n_accesses, n_pieces;
    struct ds_way_insn *insns;
    struct ds_way_access *accesses;
    struct ds_piece *pieces;
};

/* The most accesses of a way. */
extern UInt ds_way_most_accesses;

/* How many accesses the first n instructions of a way have. */
UInt ds_way_n_accesses(const struct ds_way *way, UInt n);

/* ds_sampler: when windows begin.  Times here are instructions while recording
   was on. */

struct ds_sampler {
    UInt n_most;    /* intervals; an even number */
    UInt length;    /* of a window */
    ULong interval; /* instructions for each window */
    ULong seed;     /* of what is drawn */
    UInt next;      /* number of the interval that has no window yet */
};

void ds_sampler_init(struct ds_sampler *s, UInt n_most, UInt length,
                     ULong interval, ULong seed);

/* The seed of a child, by its number among those of a process. */
ULong ds_sampler_seed(const struct ds_sampler *s, UInt child);

/* Where the window of the next interval begins. */
ULong ds_sampler_begin(const struct ds_sampler *s);

/* That window was recorded, or cannot be; the time is `now`.  Goes on to the
   next interval whose window can still begin.  If there are too many, intervals
   become twice as long, and `merge` is called for each pair of them from 0 on:
   the window of interval `keep` becomes that of interval `to`, and the one of
   `drop` is forgotten. */
void ds_sampler_advance(struct ds_sampler *s, ULong now,
                        void (*merge)(UInt to, UInt keep, UInt drop));

/* ds_encode: */

/* An execution of a superblock that was left after n instructions. */
struct ds_run_of_way {
    struct ds_way *way;
    UInt n;
    Bool is_apart; /* the thread executed others before it, not recorded */
};

#define DS_NOT_DONE (~(ULong)0) /* the address of such an access */

/* Fills path, accesses and gaps of a window from executions, and the
   addresses of all accesses of their instructions.  No other window may be
   encoded at the same time. */
void ds_encode(struct ds_kept *kept, const struct ds_run_of_way *runs, SizeT n,
               const ULong *addresses);

void ds_kept_fini(struct ds_kept *kept);

#endif
