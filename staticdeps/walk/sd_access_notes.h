/*
 * sd_access_notes: what walks find out about single instructions: how the
 * addresses of their accesses were made, and what became of their calls.
 *
 * It says why a pair that happens is not shown.  An address that does not
 * depend on anything drawn has no note.  The others are looked at once in the
 * walks of a function, when they first come to the code: what an address is
 * made of in its block is in the block's operations.
 *
 * Limits: an address that was loaded in an earlier block counts as any other
 * register's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ACCESS_NOTES_H
#define SD_ACCESS_NOTES_H

#include "walk/sd_chunk.h"

enum sd_access_note {
    /* Of a load: its address depends on something drawn; in its block on a
       value that was loaded; on a result that nothing is known of. */
    SD_NOTE_DRAWN = 1 << 0,
    SD_NOTE_LOADED = 1 << 1,
    SD_NOTE_UNDECIDED = 1 << 2,
    /* A note of a store is one of these, shifted by this much. */
    SD_NOTE_OF_STORE = 3,
    /* Of a call: it was entered; it was not, as there is no code, or a jump to
       no code alone; its target was drawn. */
    SD_NOTE_ENTERED = 1 << 6,
    SD_NOTE_SKIPPED = 1 << 7,
    SD_NOTE_UNRESOLVED = 1 << 8,
    /* Of a load: its function was called twice by another, and what it read the
       second time was written in between. */
    SD_NOTE_FED = 1 << 9
};

struct sd_site_notes {
    uint32_t site; /* from 1 on */
    uint32_t notes;
};

struct sd_access_notes {
    uint16_t *notes; /* by site */
    uint32_t *sites; /* that have any, in the order of their first */
    size_t n, room;
    uint8_t
        *made; /* by temporary of a chunk: SD_NOTE_* of what it is made of */
    size_t made_room;
};

/* Starts without notes, for a program of n_insns instructions. */
void sd_access_notes_init(struct sd_access_notes *m, size_t n_insns);
void sd_access_notes_fini(struct sd_access_notes *m);
void sd_access_notes_clear(struct sd_access_notes *m);

void sd_access_notes_add(struct sd_access_notes *m, uint32_t site,
                         uint32_t notes);

/* Marks the accesses of a chunk that was just run. */
void sd_access_notes_accesses(struct sd_access_notes *m,
                              const struct sd_chunk *chunk);

/* Marks the call at the end of a chunk that was run. */
void sd_access_notes_call(struct sd_access_notes *m,
                          const struct sd_chunk *chunk, bool is_entered);

#endif
