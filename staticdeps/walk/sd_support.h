/*
 * sd_support: what walks show: pairs, notes about single instructions, and
 * which blocks they visited; and what the walks of all functions show together:
 * the support of pairs, which is the share of walks that show a pair, among
 * those that visited the blocks of both its ends.
 *
 * A program may have a million blocks, and walks from each caller of a function
 * add to the lists of the function's blocks.  These lists take most of the
 * memory for the walks of a program, so they consist of bytes: the step from
 * one walk's number to the next, which is mostly small, and the times, if they
 * mean anything.
 *
 * covcheck explains by the notes why a pair that happens was not shown.  An
 * address that does not depend on anything drawn has no note.  Other addresses
 * are looked at once for each function, when its walks first come to the code:
 * the operations of a block tell what an address in it is made of.
 *
 * Limits: an address that was loaded in an earlier block counts like any other
 * register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_SUPPORT_H
#define SD_SUPPORT_H

#include "keys.h"
#include "interpret/sd_memory.h"

/* Visits. */

/* Writes a number, seven bits a byte, the lowest first; all bytes but the last
   have their eighth bit set.  Returns how many there are, at most
   SD_NUMBER_BYTES. */
#define SD_NUMBER_BYTES 10
size_t sd_number_put(uint8_t *bytes, uint64_t number);

/* A walk visits a block. */
struct sd_visit {
    uint32_t number;      /* of the walk, or of the block */
    uint16_t first, last; /* blocks walked before the first and the last visit;
                             UINT16_MAX: more, or the order means nothing */
};

/* The visits of a block, which free() frees; NULL: no walk visited it. */
struct sd_visits;

/* Adds a visit of a walk, whose number is at least 1 and above all before.  The
   list may move. */
void sd_visits_add(struct sd_visits **list, const struct sd_visit *visit);

/* The number of visits. */
uint32_t sd_visits_n(const struct sd_visits *list);

/* Reads a list from its start.  sd_visits_next() stores the next visit into
   ->visit, and returns false after the last. */
struct sd_visits_reader {
    const uint8_t *at, *end;
    struct sd_visit visit;
};
struct sd_visits_reader sd_visits_read(const struct sd_visits *list);
bool sd_visits_next(struct sd_visits_reader *reader);

/* Pairs. */

#define SD_ANY_DELTA UINT32_MAX /* there is no fixed number of iterations */

struct sd_walk_pair {
    uint32_t src, dst; /* sites, from 1 on */
    uint32_t n_walks;  /* that show it */
    uint32_t last;     /* walk that showed it */
    uint32_t distance; /* the fewest instructions between its ends */
    uint32_t delta_k;  /* executions of the block between them */
    uint8_t is_again;  /* do its ends always lie in two calls of the root? */
    uint8_t is_uneven; /* do walks disagree on its vector? (sd_rounds) */
    struct sd_overlap overlap;
    uint32_t header; /* of the loop that was re-entered between its ends, in
                        the walk with that distance: a block, plus 1; 0: of
                        none */
};

/* Is empty if it is zeroed. */
struct sd_pairs {
    struct sd_walk_pair *list; /* by number of the key */
    size_t n, room;
    struct keys keys;
};

void sd_pairs_fini(struct sd_pairs *pairs);
void sd_pairs_clear(struct sd_pairs *pairs);

/* Adds what walk number pair->last, from 1 on, shows. */
void sd_pairs_add(struct sd_pairs *pairs, const struct sd_walk_pair *pair);

/* Notes that walks disagree on the vector of a pair that was added. */
void sd_pairs_uneven(struct sd_pairs *pairs, uint32_t src, uint32_t dst);

/* Sorts pairs->list by src and dst, and returns it.  From then on, the pairs
   can only be cleared. */
const struct sd_walk_pair *sd_pairs_list(struct sd_pairs *pairs);

/* Compares by src and dst, for qsort(). */
int sd_pairs_compare(const void *a, const void *b);

/* Notes. */

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
    uint32_t *places;           /* by site: its place in the list, plus 1 */
    struct sd_site_notes *list; /* in the order of their first notes */
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

/* Notes whether the call at the end of a chunk that was run was entered, or why
   not. */
void sd_access_notes_call(struct sd_access_notes *m,
                          const struct sd_chunk *chunk, bool is_entered);

/* The walks of all functions. */

struct sd_support {
    struct sd_pairs pairs;
    struct sd_visits **blocks; /* by block */
    size_t n_blocks;
    size_t n_numbers; /* visits in the lists of all blocks */
    uint32_t n_walks, n_roots;
};

void sd_support_init(struct sd_support *s, size_t n_blocks);
void sd_support_fini(struct sd_support *s);

/* Adds what one function's walks show, as sd_explorer has it. */
void sd_support_add(struct sd_support *s, const struct sd_visit *walks,
                    size_t size, const struct sd_walk_pair *pairs,
                    size_t n_pairs);

/* The number of walks that visited block a and later block b, if the order of
   their visits means anything.  For a block and itself: all that visited it,
   or, if `is_round`, those that did so again. */
uint32_t sd_support_after(const struct sd_support *s, uint32_t a, uint32_t b,
                          bool is_round);

/* The support of a pair, in (0, 1].  The blocks are those of its ends. */
double sd_support_of(const struct sd_support *s,
                     const struct sd_walk_pair *pair, uint32_t src_block,
                     uint32_t dst_block);

#endif
