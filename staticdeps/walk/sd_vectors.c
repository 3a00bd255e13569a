/*
 * sd_vectors: the distance vectors of pairs in loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_vectors.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "memory.h"
#include "walk/sd_equation.h"

#define FIRST_BITS 8
#define PROOFS     2 /* walks */

/* No array has rows that are longer.  A number that was drawn may be larger,
   and what is computed with it in 32 bits is wrapped around. */
#define LONGEST (INT64_C(1) << 31)

struct sd_vector_of {
    struct sd_agreed agreed; /* its loop is 0 if walks do not agree */

    /* In the last run of the outermost loop: the first address, and what is
       known of the loops' steps since. */
    uint32_t walk, run;
    uint32_t proof; /* the last walk with one */
    struct sd_shown first;
    uint32_t at[SD_MOST_LEVELS];
    int64_t steps[SD_MOST_LEVELS];
    uint32_t known;   /* by bit */
    bool is_doubtful; /* nothing is to be learned from the addresses */
    uint32_t learned[SD_MOST_LEVELS]; /* in which round */
};

void sd_vectors_init(struct sd_vectors *v, const struct sd_rounds *rounds)
{
    *v = (struct sd_vectors){.rounds = rounds, .bits = FIRST_BITS};
    v->table = memory_new((size_t)1 << v->bits, sizeof *v->table);
}

void sd_vectors_fini(struct sd_vectors *v)
{
    free(v->list);
    free(v->table);
    free(v->touched);
    *v = (struct sd_vectors){0};
}

void sd_vectors_clear(struct sd_vectors *v)
{
    if (v->n > 0)
        memset(v->table, 0, ((size_t)1 << v->bits) * sizeof *v->table);
    v->n = v->n_touched = 0;
}

static uint32_t *place(const struct sd_vectors *v, uint32_t src, uint32_t dst)
{
    size_t mask = ((size_t)1 << v->bits) - 1,
           i = hash_place_of_two(src, dst, v->bits);

    for (; v->table[i] != 0; i = (i + 1) & mask) {
        const struct sd_agreed *a = &v->list[v->table[i] - 1].agreed;

        if (a->src == src && a->dst == dst)
            break;
    }
    return &v->table[i];
}

static void grow(struct sd_vectors *v)
{
    free(v->table);
    v->bits++;
    v->table = memory_new((size_t)1 << v->bits, sizeof *v->table);
    for (size_t i = 0; i < v->n; i++)
        *place(v, v->list[i].agreed.src, v->list[i].agreed.dst) =
            (uint32_t)i + 1;
}

static struct sd_vector_of *find(struct sd_vectors *v,
                                 const struct sd_shown *shown,
                                 const struct sd_nest *nest)
{
    uint32_t *at = place(v, shown->src, shown->dst);
    struct sd_vector_of *p;

    if (*at != 0)
        return &v->list[*at - 1];
    if (2 * (v->n + 1) > (size_t)1 << v->bits) {
        grow(v);
        at = place(v, shown->src, shown->dst);
    }
    v->list = memory_grow(v->list, &v->room, v->n, sizeof *v->list);
    p = &v->list[v->n++];
    *at = (uint32_t)v->n;
    *p = (struct sd_vector_of){.agreed = {.src = shown->src,
                                          .dst = shown->dst,
                                          .loop = nest->loop,
                                          .n = (uint8_t)nest->n}};
    memcpy(p->agreed.rounds, nest->rounds, sizeof p->agreed.rounds);
    return p;
}

static bool agrees(const struct sd_agreed *a, uint32_t loop,
                   const int32_t *rounds)
{
    return a->loop == loop &&
           memcmp(a->rounds, rounds, a->n * sizeof *rounds) == 0;
}

static bool has_long_step(const struct sd_vector_of *p)
{
    for (uint32_t i = 0; i < p->agreed.n; i++)
        if (p->known >> i & 1 &&
            (p->steps[i] > LONGEST || p->steps[i] < -LONGEST))
            return true;
    return false;
}

/* Is the address an affine function of the rounds, as far as is known?  What
   one loop alone has moved since the first time tells its step. */
static bool is_affine(struct sd_vector_of *p, const struct sd_shown *shown,
                      const struct sd_nest *nest)
{
    uint64_t left = shown->address - p->first.address;
    uint32_t unknown = 0, third = 0, n = 0;

    for (uint32_t i = 0; i < nest->n; i++) {
        uint32_t moved = nest->at[i] - p->at[i];

        if (moved == 0)
            continue;
        if (p->known >> i & 1) {
            left -= (uint64_t)p->steps[i] * (uint64_t)(int64_t)(int32_t)moved;
            if (nest->at[i] != p->learned[i])
                third |= 1u << i;
        } else {
            unknown = i;
            n++;
        }
    }
    if (n > 1 || p->is_doubtful)
        return true; /* nothing is known of them */
    if (n == 0) {
        if (left == 0)
            p->agreed.checked |= (uint8_t)third;
        else
            p->is_doubtful = has_long_step(p);
        return left == 0 || p->is_doubtful;
    }
    p->learned[unknown] = nest->at[unknown];
    p->known |= 1u << unknown;
    p->steps[unknown] =
        (int64_t)left / (int32_t)(nest->at[unknown] - p->at[unknown]);
    p->is_doubtful =
        (int64_t)left % (int32_t)(nest->at[unknown] - p->at[unknown]) != 0;
    return !p->is_doubtful || has_long_step(p);
}

/* Is it the only vector that the addresses of the last run allow? */
static bool is_proven(const struct sd_vector_of *p, const struct sd_rounds *r)
{
    struct sd_equation e = {.n = p->agreed.n,
                            .below =
                                -p->first.offset - (int32_t)p->first.loaded,
                            .above = (int32_t)p->first.stored - p->first.offset,
                            .may_be_first = p->first.may_be_first};
    uint32_t loop = p->agreed.loop;

    if (p->known != (1u << e.n) - 1 || p->is_doubtful)
        return false;
    for (uint32_t i = e.n; i-- > 0; loop = r->loops->list[loop].parent) {
        e.steps[i] = p->steps[i];
        e.vector[i] = p->agreed.rounds[i];
        e.most[i] = sd_rounds_most(r, loop);
    }
    return sd_equation_has_one_solution(&e);
}

static void end_run(const struct sd_vectors *v, struct sd_vector_of *p)
{
    if (p->agreed.loop == 0 || p->agreed.n_proofs >= PROOFS ||
        p->proof == p->walk || !is_proven(p, v->rounds))
        return;
    p->agreed.n_proofs++;
    p->proof = p->walk;
}

static void begin_run(struct sd_vectors *v, struct sd_vector_of *p,
                      const struct sd_shown *shown, const struct sd_nest *nest)
{
    if (p->walk == v->rounds->walk) {
        end_run(v, p);
    } else {
        v->touched = memory_grow(v->touched, &v->touched_room, v->n_touched,
                                 sizeof *v->touched);
        v->touched[v->n_touched++] = (uint32_t)(p - v->list);
        p->walk = v->rounds->walk;
    }
    p->run = nest->run;
    p->first = *shown;
    memcpy(p->at, nest->at, sizeof p->at);
    p->known = 0;
    p->is_doubtful = false;
}

bool sd_vectors_see(struct sd_vectors *v, const struct sd_shown *shown,
                    const struct sd_nest *nest)
{
    struct sd_vector_of *p = find(v, shown, nest);

    if (p->agreed.loop == 0)
        return true;
    if (agrees(&p->agreed, nest->loop, nest->rounds)) {
        if (p->walk != v->rounds->walk || p->run != nest->run) {
            begin_run(v, p, shown, nest);
            return true;
        }
        if (p->first.part != shown->part || p->first.offset != shown->offset ||
            is_affine(p, shown, nest))
            return true;
    }
    p->agreed.loop = 0;
    return false;
}

void sd_vectors_end_walk(struct sd_vectors *v)
{
    for (size_t i = 0; i < v->n_touched; i++)
        end_run(v, &v->list[v->touched[i]]);
    v->n_touched = 0;
}

const struct sd_agreed *sd_vectors_get(const struct sd_vectors *v, size_t i)
{
    assert(i < v->n);
    return v->list[i].agreed.loop != 0 ? &v->list[i].agreed : NULL;
}

/* Of all functions. */

void sd_agreements_init(struct sd_agreements *a)
{
    *a = (struct sd_agreements){.bits = FIRST_BITS};
    a->table = memory_new((size_t)1 << a->bits, sizeof *a->table);
}

void sd_agreements_fini(struct sd_agreements *a)
{
    free(a->table);
    *a = (struct sd_agreements){0};
}

static struct sd_agreed *place_of(const struct sd_agreements *a, uint32_t src,
                                  uint32_t dst)
{
    size_t mask = ((size_t)1 << a->bits) - 1,
           i = hash_place_of_two(src, dst, a->bits);

    while (a->table[i].src != 0 &&
           (a->table[i].src != src || a->table[i].dst != dst))
        i = (i + 1) & mask;
    return &a->table[i];
}

static void make_room(struct sd_agreements *a)
{
    struct sd_agreed *old = a->table;
    size_t n = (size_t)1 << a->bits;

    if (2 * ++a->n <= n)
        return;
    a->bits++;
    a->table = memory_new(2 * n, sizeof *a->table);
    for (size_t i = 0; i < n; i++)
        if (old[i].src != 0)
            *place_of(a, old[i].src, old[i].dst) = old[i];
    free(old);
}

void sd_agreements_add(struct sd_agreements *a, const struct sd_agreed *agreed)
{
    struct sd_agreed *p = place_of(a, agreed->src, agreed->dst);

    assert(agreed->src != 0 && agreed->dst != 0);
    if (p->src == 0) {
        make_room(a);
        *place_of(a, agreed->src, agreed->dst) = *agreed;
        return;
    }
    if (!agrees(agreed, p->loop, p->rounds))
        p->loop = 0;
    p->n_proofs = (uint16_t)(p->n_proofs + agreed->n_proofs);
    p->checked |= agreed->checked;
}

const struct sd_agreed *sd_agreements_of(const struct sd_agreements *a,
                                         uint32_t src, uint32_t dst)
{
    const struct sd_agreed *p = place_of(a, src, dst);

    return p->src != 0 && p->loop != 0 && p->n_proofs >= PROOFS &&
                   p->checked == (1u << p->n) - 1
               ? p
               : NULL;
}
