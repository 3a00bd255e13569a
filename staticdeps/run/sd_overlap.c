/*
 * sd_overlap: how the bytes of a load lie to those of a store that it reads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_overlap.h"

#include <assert.h>

struct sd_overlap sd_overlap_of(const struct sd_bytes *load,
                                const struct sd_bytes *store, unsigned n,
                                enum sd_relation other)
{
    int64_t offset = (int64_t)(load->address - store->address);
    enum sd_relation relation = other;

    if (load->size - 1 >= SD_MOST_OVERLAP || store->size - 1 >= SD_MOST_OVERLAP)
        return (struct sd_overlap){0};
    assert(n >= 1 && n <= load->size);
    assert(offset < store->size && -offset < load->size);
    if (n == load->size)
        relation = n == store->size ? SD_SAME_BYTES : SD_CONTAINED;
    if (relation == SD_UNKNOWN_RELATION)
        return (struct sd_overlap){0};
    return (struct sd_overlap){.relation = relation & 15,
                               .offset = (int8_t)offset};
}

static bool is_incomplete(struct sd_overlap o)
{
    return o.relation == SD_PARTIAL || o.relation == SD_SEVERAL;
}

struct sd_overlap sd_overlap_join(struct sd_overlap a, struct sd_overlap b)
{
    if (a.is_old != b.is_old)
        return a.is_old ? b : a;
    if (a.offset != b.offset)
        a.offset = SD_NO_OFFSET;
    if (a.relation == b.relation)
        return a;
    if (!is_incomplete(a) || !is_incomplete(b))
        return (struct sd_overlap){.is_old = a.is_old};
    a.relation = SD_SEVERAL;
    return a;
}

const char *sd_relation_name(struct sd_overlap overlap)
{
    static const char *const names[] = {
        [SD_UNKNOWN_RELATION] = "unknown", [SD_SAME_BYTES] = "same",
        [SD_CONTAINED] = "contained",      [SD_PARTIAL] = "partial",
        [SD_SEVERAL] = "several",
    };

    return names[overlap.relation];
}
