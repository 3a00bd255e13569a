/*
 * cy_reuse: which level of the caches has what windows access.
 *
 * depsim recorded how long ago each line of 64 bytes and each page of 4 KiB was
 * touched before a window touched it.  How many other lines were touched
 * meanwhile follows from the reuse times of the windows that lie in that time:
 * one of their accesses is the first to its line in it if its own reuse time
 * leads to before it.  (As StatStack does with one distribution for all of a
 * run: Eklov and Hagersten, StatStack: Efficient Modeling of LRU Caches, ISPASS
 * 2010.)  So one run serves all sizes of caches.
 *
 * A line is gone from a cache if the other lines of its set, on the average the
 * distance over the sets, are at least the ways, by Poisson's distribution.
 * Which access misses is drawn, always in the same way.
 *
 * Limits: all caches replace what was used longest ago.  A line that was never
 * touched is in the second level, where the kernel has just cleared it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "core/cy_window.h"
#include "machine/cy_machine.h"

/* Where an access finds its line, and its page: bits of a place.  0: the first
   cache, or TLB; a page that no TLB has is at 2, or at CY_PAGE_AFAR if its
   entry of the page table is in memory. */
#define CY_LEVEL(place)      ((place)&3u)
#define CY_PAGE_LEVEL(place) ((place) >> 2 & 3u)
#define CY_PAGE_AFAR         3
#define CY_DECODED           16u /* of code: not in the cache of decoded code */
#define CY_UNFORESEEN        32u /* of code: the predictor has forgotten it */

/* How many other lines were touched since an access's line was: a number in
   steps of a tenth, in a byte.  CY_NEVER: it was never touched. */
#define CY_NEVER UINT8_MAX
double cy_distance_of(uint8_t step);

/* Places of a window: by address of the window, and by executed instruction
   that of its code; and the distance of each, if it is not in the first cache.
 */
struct cy_found {
    uint8_t *accesses, *code, *distances, *code_distances;
};

struct cy_reuse;

struct cy_reuse *cy_reuse_new(void);
void cy_reuse_free(struct cy_reuse *reuse);

/* Takes what the next window says.  False if its reuse times do not fit its
   accesses. */
bool cy_reuse_learn(struct cy_reuse *reuse, const struct cy_windows *windows,
                    const struct cy_recorded *window);

/* Where window i, from 0, finds what it accesses, once all windows have been
   learnt.  An instruction takes `pace` cycles, in which others push lines out
   of the last cache; 0: they push out none.  Valid until it is called with
   another memory or pace. */
const struct cy_found *cy_reuse_found(struct cy_reuse *reuse,
                                      const struct cy_memory *memory,
                                      double pace, size_t i);
