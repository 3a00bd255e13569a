/*
 * sd_array: appends to arrays that grow, sorts them, and searches sorted ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ARRAY_H
#define SD_ARRAY_H

#include <stdint.h>
#include <stdlib.h>

#include "memory.h"

#define sd_push memory_push

/* Appends to the array `list` of a struct, which has its length in `n_list` and
   its room in `list_room`. */
#define sd_append(owner, list, ...) \
    sd_push((owner)->list, (owner)->n_##list, (owner)->list##_room, __VA_ARGS__)

/* Makes room in the array `list` of a struct for element number n. */
#define sd_reserve(owner, list, n)                                        \
    ((owner)->list = memory_grow((owner)->list, &(owner)->list##_room, n, \
                                 sizeof *(owner)->list))

/* Less than, equal to or greater than 0, as a is to b. */
#define sd_order(a, b) (((a) > (b)) - ((a) < (b)))

/* Compares the 64-bit numbers that two elements begin with. */
static inline int sd_by_number(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;

    return sd_order(*a, *b);
}

typedef int sd_compare(const void *x, const void *y);

/* The list may be NULL if it is empty, as in sd_find(). */
static inline void sd_sort_elements(void *list, size_t n, size_t size,
                                    sd_compare *compare)
{
    if (n > 1)
        qsort(list, n, size, compare);
}
#define sd_sort(list, n, compare) \
    sd_sort_elements(list, n, sizeof *(list), compare)

/* An element of a sorted list that is equal to the key, or NULL. */
#define sd_find(key, list, n, compare) \
    ((n) > 0 ? bsearch(key, list, n, sizeof *(list), compare) : NULL)

/* The first number from `low` up to `high` for which the condition, in which
   the number is called `i`, is false; or `high`.  It holds for all before. */
#define sd_bisect(low, high, i, is_before)        \
    __extension__({                               \
        size_t low_ = (low), high_ = (high);      \
                                                  \
        while (low_ < high_) {                    \
            size_t i = low_ + (high_ - low_) / 2; \
                                                  \
            if (is_before)                        \
                low_ = i + 1;                     \
            else                                  \
                high_ = i;                        \
        }                                         \
        low_;                                     \
    })

#endif
