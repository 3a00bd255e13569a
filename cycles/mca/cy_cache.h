/*
 * cy_cache: what llvm-mca said of code before, in the user's cache directory.
 *
 * It only saves time: what goes wrong with it is as if it were empty, and one
 * that has grown large begins anew.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_CACHE_H
#define CY_CACHE_H

#include "mca/cy_region.h"

struct cy_cache;

/* Never NULL. */
struct cy_cache *cy_cache_new(void);
void cy_cache_free(struct cy_cache *cache);

/* Fills in a region whose instructions have their bytes; false: not known.
   `mca` names processor and version. */
bool cy_cache_get(struct cy_cache *cache, const char *mca,
                  struct cy_mca_region *region);

/* Between these, what is put is written at once. */
void cy_cache_begin(struct cy_cache *cache);
void cy_cache_put(struct cy_cache *cache, const char *mca,
                  const struct cy_mca_region *region);
void cy_cache_end(struct cy_cache *cache);

#endif
