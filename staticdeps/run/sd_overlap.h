/*
 * sd_overlap: how the bytes of a load lie to those of a store that it reads.
 *
 * The kinds are those that depsim records (common/forward.h): only near stores
 * count as writers beside each other.
 *
 * The overlap of a pair is that of all its occurrences, or, if the store was
 * recent in some, of those: near, and in walks since the innermost loop around
 * the load was entered.  Relation and offset are each unknown if they differ,
 * with one exception: `partial` and `several` are together `several`, since the
 * first rounds of a loop do not show stores of rounds before them.
 *
 * Limits: an overlap is unknown if the instruction makes several stores, or has
 * a rep prefix, or if an access has more than SD_MOST_OVERLAP bytes.  To VEX,
 * maskmovq and maskmovdqu store all bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_OVERLAP_H
#define SD_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

#define SD_MOST_OVERLAP 64u /* bytes of an access */

enum sd_relation {
    SD_UNKNOWN_RELATION,
    SD_SAME_BYTES, /* the store wrote all bytes, and no others */
    SD_CONTAINED,  /* the store wrote all bytes, and more */
    SD_PARTIAL,    /* it wrote some bytes; the cache has the rest */
    SD_SEVERAL     /* other near stores wrote some of the rest */
};

#define SD_NO_OFFSET INT8_MIN

/* Of a pair or an occurrence; zeroed if it is unknown. */
struct sd_overlap {
    uint8_t relation : 4; /* enum sd_relation */
    uint8_t is_old : 4;   /* the store was not recent */
    int8_t offset;        /* of the load's address from the store's, in bytes;
                             SD_NO_OFFSET: not known */
};

/* The bytes of an access. */
struct sd_bytes {
    uint64_t address;
    uint32_t size; /* 0, or more than SD_MOST_OVERLAP: not known */
};

/* The overlap of a load and a store, which wrote `n` bytes of the load
   last; `other` is the relation if these are not all. */
struct sd_overlap sd_overlap_of(const struct sd_bytes *load,
                                const struct sd_bytes *store, unsigned n,
                                enum sd_relation other);

static inline bool sd_overlap_is(struct sd_overlap a, struct sd_overlap b)
{
    return a.relation == b.relation && a.is_old == b.is_old &&
           a.offset == b.offset;
}

/* The overlap of the occurrences of both. */
struct sd_overlap sd_overlap_join(struct sd_overlap a, struct sd_overlap b);

/* Is the offset known? */
static inline bool sd_overlap_has_offset(struct sd_overlap o)
{
    return o.relation != SD_UNKNOWN_RELATION && o.offset != SD_NO_OFFSET;
}

/* The name of a relation in the database. */
const char *sd_relation_name(struct sd_overlap overlap);

#endif
