/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/cc_comings.h"

struct run {
    uint64_t first, last;
};

/* Seven bits a byte, the lowest first; all but the last have their eighth set.
   False at the end of the bytes, or if there are more than 63 bits. */
static bool take_number(struct cc_comings *list, uint64_t *number)
{
    unsigned shift = 0;

    *number = 0;
    while (list->n > 0 && shift < 63) {
        uint8_t byte = *list->bytes++;

        list->n--;
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
        shift += 7;
    }
    return false;
}

/* The next run, after *run; `next` is the number after the last one. */
static bool take_run(struct cc_comings *list, uint64_t *next, struct run *run)
{
    uint64_t gap, more;

    if (!take_number(list, &gap) || !take_number(list, &more) ||
        __builtin_add_overflow(*next, gap, &run->first) ||
        __builtin_add_overflow(run->first, more, &run->last) ||
        __builtin_add_overflow(run->last, 1, next))
        return false;
    return true;
}

bool cc_comings_are_valid(struct cc_comings list)
{
    uint64_t next = 0;
    struct run run;

    if (list.n == 0)
        return false;
    while (list.n > 0)
        if (!take_run(&list, &next, &run))
            return false;
    return true;
}

bool cc_comings_meet(struct cc_comings a, struct cc_comings b)
{
    uint64_t next_a = 0, next_b = 0;
    struct run x, y;

    if (!take_run(&a, &next_a, &x) || !take_run(&b, &next_b, &y))
        return false;
    while (x.last < y.first || y.last < x.first)
        if (x.last < y.first ? !take_run(&a, &next_a, &x)
                             : !take_run(&b, &next_b, &y))
            return false;
    return true;
}
