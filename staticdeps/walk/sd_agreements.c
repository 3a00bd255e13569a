/*
 * sd_agreements: the distance vectors on which the walks of several functions
 * agree.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_agreements.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

bool sd_agreed_is(const struct sd_agreed *a, uint32_t loop,
                  const int32_t *rounds)
{
    return a->loop == loop &&
           memcmp(a->rounds, rounds, a->n * sizeof *rounds) == 0;
}

void sd_agreements_fini(struct sd_agreements *a)
{
    free(a->list);
    sd_keys_fini(&a->keys);
}

void sd_agreements_add(struct sd_agreements *a, const struct sd_agreed *agreed)
{
    size_t n = a->keys.n;
    uint32_t i = sd_keys_add(&a->keys, sd_keys_pair(agreed->src, agreed->dst));
    struct sd_agreed *p;

    assert(agreed->src != 0 && agreed->dst != 0);
    if (i == n) {
        array_push(a->list, n, a->room, *agreed);
        return;
    }
    p = &a->list[i];
    if (!sd_agreed_is(agreed, p->loop, p->rounds))
        p->loop = 0;
    p->n_proofs = (uint16_t)(p->n_proofs + agreed->n_proofs);
    p->checked |= agreed->checked;
}

const struct sd_agreed *sd_agreements_of(const struct sd_agreements *a,
                                         uint32_t src, uint32_t dst)
{
    uint32_t i = sd_keys_find(&a->keys, sd_keys_pair(src, dst));
    const struct sd_agreed *p = i != SD_NO_KEY ? &a->list[i] : NULL;

    return p != NULL && p->loop != 0 && p->n_proofs >= SD_PROOFS &&
                   p->checked == (1u << p->n) - 1
               ? p
               : NULL;
}
