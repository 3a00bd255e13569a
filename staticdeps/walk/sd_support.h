/*
 * sd_support: what walks show: pairs, notes about single instructions, and
 * which blocks they visited; and what the walks of all functions show together:
 * the support of pairs.  It is the share of walks that show a pair, among walks
 * that visited the blocks of both ends.
 *
 * A program may have a million blocks, and walks from each caller of a function
 * add to the lists of the function's blocks.  These lists take most of the
 * memory for the walks of a program, so they consist of bytes: the step from
 * one walk's number to the next, which is mostly small, and the times of
 * visits, if their order means anything.
 *
 * From the notes, covcheck tells why a pair that happens was not shown.  An
 * address that does not depend on anything drawn has no note.  Other addresses
 * are checked once for each function, when its walks first come to the code:
 * the operations of a block tell from what its addresses are computed.
 *
 * Limits: an address that was loaded in an earlier block counts like any other
 * register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "interpret/sd_memory.h"

/* --- Visits: which walks came to a block, and when --- */

/* Writes a number, seven bits a byte, the lowest first; all bytes but the last
   have their eighth bit set.  Returns the number of bytes, at most
   SD_NUMBER_BYTES. */
#define SD_NUMBER_BYTES 10
size_t sd_number_put(uint8_t *bytes, uint64_t number);

/* A visit of a block by a walk. */
struct sd_visit {
    uint32_t number;      /* number of the walk, or of the block */
    uint16_t first, last; /* blocks walked before the first and the last visit;
                             UINT16_MAX: more, or the order means nothing */
};

/* The visits of a block; free() frees the list.  NULL: no walk visited it. */
struct sd_visits;

/* Adds a visit of a walk, whose number is at least 1 and larger than all in the
   list.  *list may change. */
void sd_visits_add(struct sd_visits **list, const struct sd_visit *visit);

/* The number of visits in a list. */
uint32_t sd_visits_n(const struct sd_visits *list);

/* Reads a list from its start.  sd_visits_next() stores the next visit into
   ->visit, and returns false after the last. */
struct sd_visits_reader {
    const uint8_t *at, *end;
    struct sd_visit visit;
};
struct sd_visits_reader sd_visits_read(const struct sd_visits *list);
bool sd_visits_next(struct sd_visits_reader *reader);

/* --- Pairs of a store and a load that walks show --- */

#define SD_ANY_DELTA UINT32_MAX /* delta_k: no fixed number of iterations */

struct sd_walk_pair {
    uint32_t src, dst; /* sites, from 1 on */
    uint32_t n_walks;  /* walks that show the pair */
    uint32_t last;     /* the latest walk that showed the pair */
    uint32_t distance; /* the fewest instructions between the ends */
    uint32_t delta_k;  /* executions of the block between the ends */
    uint8_t is_again;  /* are its ends always in two calls of the root? */
    uint8_t is_uneven; /* do walks disagree on the vector?  (sd_vectors) */
    struct sd_overlap overlap;
    uint32_t header; /* head of the loop re-entered between the ends, in the
                        walk with this distance: a block, plus 1; 0: none */
};

/* A structure of zeros is empty. */
struct sd_pairs {
    struct sd_walk_pair *list; /* indexed by the number of the key */
    size_t n, room;
    struct keys keys;
};

void sd_pairs_fini(struct sd_pairs *pairs);
void sd_pairs_clear(struct sd_pairs *pairs);

/* Adds a pair that walk number pair->last, from 1 on, shows. */
void sd_pairs_add(struct sd_pairs *pairs, const struct sd_walk_pair *pair);

/* Notes that walks disagree on the vector of a pair that was added. */
void sd_pairs_uneven(struct sd_pairs *pairs, uint32_t src, uint32_t dst);

/* Sorts pairs->list by src and dst, and returns the list.  Afterwards, the
   pairs can only be cleared. */
const struct sd_walk_pair *sd_pairs_list(struct sd_pairs *pairs);

/* Compares two pairs by src and dst, for qsort(). */
int sd_pairs_compare(const void *a, const void *b);

/* --- Notes: why an access or a call may lack pairs --- */

enum sd_access_note {
    /* The address of a load depends on something drawn; inside the block, it
       depends on a loaded value; inside the block, on an unknown result. */
    SD_NOTE_DRAWN = 1 << 0,
    SD_NOTE_LOADED = 1 << 1,
    SD_NOTE_UNDECIDED = 1 << 2,
    /* Notes about a store are those above, shifted left by this number. */
    SD_NOTE_OF_STORE = 3,
    /* A call was entered; a call was skipped, since there is no code, or only a
       jump to no code; a call was skipped, since its target was drawn. */
    SD_NOTE_ENTERED = 1 << 6,
    SD_NOTE_SKIPPED = 1 << 7,
    SD_NOTE_UNRESOLVED = 1 << 8,
    /* The function of a load was called twice by another function, and what the
       load read in the second call was written between the calls. */
    SD_NOTE_FED = 1 << 9
};

struct sd_site_notes {
    uint32_t site; /* number of the site, from 1 on */
    uint32_t notes;
};

struct sd_chunk;

struct sd_access_notes {
    uint32_t *places;           /* by site: its place in `list`, plus 1 */
    struct sd_site_notes *list; /* sites in the order of their first notes */
    size_t n, room;
    uint8_t *made; /* by temporary of a chunk: SD_NOTE_* of its sources */
    size_t made_room;
};

/* Starts without notes, for a program of n_insns instructions. */
void sd_access_notes_init(struct sd_access_notes *m, size_t n_insns);
void sd_access_notes_fini(struct sd_access_notes *m);
void sd_access_notes_clear(struct sd_access_notes *m);

void sd_access_notes_add(struct sd_access_notes *m, uint32_t site,
                         uint32_t notes);

/* Notes what the addresses of a chunk that was just run depend on. */
void sd_access_notes_accesses(struct sd_access_notes *m,
                              const struct sd_chunk *chunk);

/* Notes whether the call at the end of a chunk was entered, or why not; the
   chunk must just have been run. */
void sd_access_notes_call(struct sd_access_notes *m,
                          const struct sd_chunk *chunk, bool is_entered);

/* --- What the walks of all functions show together --- */

struct sd_support {
    struct sd_pairs pairs;
    struct sd_visits **blocks; /* by block: the visits of the block */
    size_t n_blocks;
    size_t n_numbers; /* visits in the lists of all blocks */
    uint32_t n_walks, n_roots;
};

void sd_support_init(struct sd_support *s, size_t n_blocks);
void sd_support_fini(struct sd_support *s);

/* Adds what the walks of a function show, as in struct sd_explorer. */
void sd_support_add(struct sd_support *s, const struct sd_visit *walks,
                    size_t size, const struct sd_walk_pair *pairs,
                    size_t n_pairs);

/* The number of walks that visited block a and later block b, if the order of
   their visits means anything.  If a and b are the same block, all walks
   count that visited it or, if `is_round`, that visited it again. */
uint32_t sd_support_after(const struct sd_support *s, uint32_t a, uint32_t b,
                          bool is_round);

/* The support of a pair, in (0, 1], whose ends are in the two blocks. */
double sd_support_of(const struct sd_support *s,
                     const struct sd_walk_pair *pair, uint32_t src_block,
                     uint32_t dst_block);
