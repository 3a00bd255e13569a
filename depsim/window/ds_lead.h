/*
 * ds_lead: the branches that a thread executed just before a window, so that
 * who simulates a predictor can train it first.
 *
 * Each superblock that begins is noted, and when, in a ring, by hot code or
 * from a trace; that is all that this costs outside of windows.  How many
 * instructions passed until the next one tells which branches were executed,
 * and which way they went.
 *
 * Limits: at most DS_LEAD superblocks back, and not beyond the window before,
 * another thread's turn, or where the clock was set anew.  Returns, and jumps
 * and calls that always go to one place, are left out.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "window/ds_bytes.h"

#define DS_LEAD 4096 /* superblocks; a power of two */

/* In the arena.  Element number n, modulo DS_LEAD, has the low 32 bits of the
   time in its upper half, and the superblock's number in its lower one. */
struct ds_lead {
    ULong n; /* superblocks noted so far */
    ULong ring[DS_LEAD];
};

/* NULL: no windows are recorded. */
extern struct ds_lead *ds_lead;

void ds_lead_init(void);

/* Describes a superblock while it is translated: begins, and returns the number
   by which this translation is noted, from 1 on; adds an instruction at a
   run-time address, adds an exit of that instruction to an address, and ends:
   what comes after it is at `next`, or, if that is 0, known only when it runs.
 */
UInt ds_lead_begin(void);
void ds_lead_instruction(UInt object, Addr bias, Addr address, UInt size);
void ds_lead_exit(Addr to);
void ds_lead_end(Addr next);

/* Forgets all that was noted. */
void ds_lead_forget(void);

/* Where a superblock begins: its run-time address, its object, and its address
   in the object's file. */
struct ds_lead_start {
    Addr address;
    UInt object;
    Addr in_file;
};

/* What was noted before a time at which the superblock `next` ran: n elements
   of the ring, and one for that superblock.  `to` may have been used before. */
struct ds_noted {
    struct ds_lead_start next;
    ULong *ring;
    SizeT n;
};
void ds_lead_take(struct ds_noted *to, struct ds_lead_start next, ULong time);

/* The branches of that, in the form of the database (doc/schema.md).  The
   caller frees the bytes. */
struct ds_bytes ds_lead_encode(const struct ds_noted *noted);

/* A place of a branch, or where an indirect one led, by its number, from 0. */
enum ds_place_kind { DS_PLACE_CONDITIONAL, DS_PLACE_INDIRECT, DS_PLACE_TARGET };
struct ds_place {
    UInt object;
    Addr address; /* in the object's file */
    enum ds_place_kind kind;
};
UInt ds_places_number(void);
struct ds_place ds_places_get(UInt i);
