/*
 * bound: a lifetime bound as text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_BOUND_H
#define COMMON_BOUND_H

#include <inttypes.h>
#include <stdio.h>

#include "lifetimes.h"

/* "inf", or the number. */
struct bound_text {
    char text[24];
};

static inline struct bound_text bound_text(uint64_t bound)
{
    struct bound_text t = {"inf"};

    if (bound != LIFETIME_INF)
        snprintf(t.text, sizeof t.text, "%" PRIu64, bound);
    return t;
}

#endif
