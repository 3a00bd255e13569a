/*
 * sd_access_notes: what walks find out about single instructions: how the
 * addresses of their accesses were made, and the fate of their calls.
 *
 * covcheck explains by these notes why a pair that happens was not shown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ACCESS_NOTES_H
#define SD_ACCESS_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sd_access_note {
    /* A load's address depends on something drawn; in its block on a loaded
       value; in its block on a result of which nothing is known. */
    SD_NOTE_DRAWN = 1 << 0,
    SD_NOTE_LOADED = 1 << 1,
    SD_NOTE_UNDECIDED = 1 << 2,
    /* A note about a store is one of these, shifted by this much. */
    SD_NOTE_OF_STORE = 3,
    /* A call was entered; it was skipped, since there is no code, or only a
       jump to no code; it was skipped, since its target was drawn. */
    SD_NOTE_ENTERED = 1 << 6,
    SD_NOTE_SKIPPED = 1 << 7,
    SD_NOTE_UNRESOLVED = 1 << 8,
    /* A load's function was called twice by another, and what it read the
       second time was written between the two calls. */
    SD_NOTE_FED = 1 << 9
};

struct sd_site_notes {
    uint32_t site; /* from 1 on */
    uint32_t notes;
};

struct sd_chunk;

struct sd_access_notes {
    uint16_t *notes;            /* by site */
    struct sd_site_notes *list; /* sites, in the order of their first notes */
    size_t n, room;
    uint8_t *made; /* by temporary of a chunk: what it is made of */
    size_t made_room;
};

/* Starts without notes, for a program of n_insns instructions. */
void sd_access_notes_init(struct sd_access_notes *m, size_t n_insns);
void sd_access_notes_fini(struct sd_access_notes *m);
void sd_access_notes_clear(struct sd_access_notes *m);

void sd_access_notes_add(struct sd_access_notes *m, uint32_t site,
                         uint32_t notes);

/* Notes the accesses of a chunk that was just run. */
void sd_access_notes_accesses(struct sd_access_notes *m,
                              const struct sd_chunk *chunk);

/* Notes the fate of the call at the end of a chunk that was run. */
void sd_access_notes_call(struct sd_access_notes *m,
                          const struct sd_chunk *chunk, bool is_entered);

/* Completes m->list, and returns it. */
const struct sd_site_notes *sd_access_notes_list(struct sd_access_notes *m);

#endif
