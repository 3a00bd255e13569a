/*
 * sd_vectors: the distance vectors of pairs in loops.
 *
 * Each time a walk shows a pair, it shows a vector (sd_rounds) and an address.
 * A pair keeps its vector as long as all walks show the same one, and the
 * address is an affine function of the rounds' numbers in each walk.  All drawn
 * numbers differ from walk to walk, also those by which addresses move.  The
 * vector counts if it was looked at in three or more rounds of each loop, and
 * in two walks is the only one that the pair could have (sd_equation).
 *
 * Only the loops of the function in which both ends lie count, and pairs
 * between two calls of it have no vector.
 *
 * Limits: rounds in which no walk goes are not looked at.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_rounds.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

/* No array has longer rows.  A drawn number may be larger, and then 32 bits do
   not hold what is computed with it. */
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
    bool is_doubtful; /* nothing is learned from the addresses */
    uint32_t learned[SD_MOST_LEVELS]; /* in which round its step was learned */
};

void sd_vectors_init(struct sd_vectors *v, const struct sd_rounds *rounds)
{
    *v = (struct sd_vectors){.rounds = rounds};
}

void sd_vectors_fini(struct sd_vectors *v)
{
    free(v->list);
    free(v->touched);
    free(v->agreed);
    sd_keys_fini(&v->keys);
}

void sd_vectors_clear(struct sd_vectors *v)
{
    sd_keys_clear(&v->keys);
    v->n_touched = 0;
}

static struct sd_vector_of *find(struct sd_vectors *v,
                                 const struct sd_shown *shown,
                                 const struct sd_nest *nest)
{
    size_t n = v->keys.n;
    uint32_t i = sd_keys_add(&v->keys, sd_keys_pair(shown->src, shown->dst));
    struct sd_vector_of *p;

    if (i < n)
        return &v->list[i];
    v->list = memory_grow(v->list, &v->room, i, sizeof *v->list);
    p = &v->list[i];
    *p = (struct sd_vector_of){.agreed = {.src = shown->src,
                                          .dst = shown->dst,
                                          .loop = nest->loop,
                                          .n = (uint8_t)nest->n}};
    memcpy(p->agreed.rounds, nest->rounds, sizeof p->agreed.rounds);
    return p;
}

static bool has_long_step(const struct sd_vector_of *p)
{
    for (uint32_t i = 0; i < p->agreed.n; i++)
        if (p->known >> i & 1 &&
            (p->steps[i] > LONGEST || p->steps[i] < -LONGEST))
            return true;
    return false;
}

/* Is the address an affine function of the rounds, as far as is known?  If only
   one loop with an unknown step went on since the first time, the address tells
   that step. */
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
    if (p->agreed.loop == 0 || p->agreed.n_proofs >= SD_PROOFS ||
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
        array_append(v, touched, (uint32_t)(p - v->list));
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
    if (sd_agreed_is(&p->agreed, nest->loop, nest->rounds)) {
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

const struct sd_agreed *sd_vectors_list(struct sd_vectors *v, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < v->keys.n; i++)
        if (v->list[i].agreed.loop != 0)
            array_push(v->agreed, *n, v->agreed_room, v->list[i].agreed);
    return v->agreed;
}
