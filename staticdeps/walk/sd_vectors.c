/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/sd_vectors.h"

/* --- Tests whether a pair can have only one distance vector --- */

/* If both addresses of a pair are affine in the numbers of the rounds of the
   loops around them, with the same steps, the vectors with which a store meets
   the load are the solutions of one linear equation: the sum of steps times
   rounds is the distance of the addresses.  Another vector is refuted if the
   greatest common divisor of the steps does not divide the rest, or if the
   vector needs more rounds than the loops have.  (Banerjee, Dependence Analysis
   for Supercomputing, 1988.  Here the bounds are numbers, which leave a few
   candidates for each loop, and all of them are tried.)

   A loop in which the addresses do not move allows every number of its rounds.
   Only its last store counts: that of this round, or of the round before. */

#define MOST_TRIED 256 /* solutions to try; real code needs fewer than 20 */

typedef __int128 int128;

/* The search for other solutions, loop by loop, the longest step first. */
struct search {
    const struct sd_equation *e;
    uint32_t order[SD_MOST_LEVELS]; /* the loops whose step is not 0 */
    uint32_t n;
    /* For the steps of a loop and all later ones: the greatest common divisor,
       and how far the steps move the addresses at most. */
    uint64_t divisors[SD_MOST_LEVELS];
    int128 reach[SD_MOST_LEVELS + 1];
    int32_t other[SD_MOST_LEVELS];
    unsigned n_tried;
};

static uint64_t size_of(int64_t step)
{
    return step < 0 ? -(uint64_t)step : (uint64_t)step;
}

static void begin(struct search *s, const struct sd_equation *e)
{
    *s = (struct search){.e = e};
    assert(e->n >= 1 && e->n <= SD_MOST_LEVELS);
    for (uint32_t i = 0; i < e->n; i++) {
        uint32_t k = s->n;

        if (e->steps[i] == 0)
            continue;
        for (;
             k > 0 && size_of(e->steps[s->order[k - 1]]) < size_of(e->steps[i]);
             k--)
            s->order[k] = s->order[k - 1];
        s->order[k] = i;
        s->n++;
    }
    for (uint32_t k = s->n; k-- > 0;) {
        uint32_t i = s->order[k];
        uint64_t size = size_of(e->steps[i]);

        s->divisors[k] = num_gcd(size, k + 1 < s->n ? s->divisors[k + 1] : 0);
        s->reach[k] = s->reach[k + 1] + (int128)size * (e->most[i] - 1);
    }
}

/* Does the store of another solution come before the load? */
static bool is_before(const struct search *s)
{
    for (uint32_t i = 0; i < s->e->n; i++) {
        if (s->e->steps[i] == 0)
            return true; /* in an earlier round of this loop at the latest */
        if (s->other[i] != 0)
            return s->other[i] > 0;
    }
    return s->e->may_be_first;
}

/* Is the store of another solution further back in the same direction?  If so,
   the store of the vector happens later: with affine bounds, a loop goes
   through all rounds between two of its rounds. */
static bool is_further(const struct search *s)
{
    const struct sd_equation *e = s->e;
    uint32_t first = 0;

    while (first < e->n && (e->steps[first] == 0 || e->vector[first] == 0))
        first++;
    if (first == e->n || e->vector[first] < 0 ||
        s->other[first] <= e->vector[first])
        return false;
    for (uint32_t i = first; i < e->n; i++)
        if (e->steps[i] != 0 && (int64_t)s->other[i] * e->vector[first] !=
                                    (int64_t)e->vector[i] * s->other[first])
            return false;
    return true;
}

static bool is_same(const struct search *s)
{
    for (uint32_t k = 0; k < s->n; k++)
        if (s->other[s->order[k]] != s->e->vector[s->order[k]])
            return false;
    return true;
}

static int128 divide_down(int128 a, int128 b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Looks for a sum of multiples of the steps from loop k on, at least `low` and
   at most `high`.  Returns true if such a sum is another solution, or if there
   are too many to try. */
static bool has_other(struct search *s, uint32_t k, int128 low, int128 high)
{
    int128 step, first, last, most;

    assert(k <= s->n && s->n <= s->e->n);
    if (low > high)
        return false;
    if (k == s->n)
        return low <= 0 && high >= 0 && !is_same(s) && is_before(s) &&
               !is_further(s);
    if (divide_down(high, (int128)s->divisors[k]) * (int128)s->divisors[k] <
        low)
        return false;
    uint32_t i = s->order[k];
    step = (int128)size_of(s->e->steps[i]);
    most = s->e->most[i] <= INT32_MAX ? (int128)s->e->most[i] - 1 : INT32_MAX;
    first = -divide_down(s->reach[k + 1] - low, step);
    last = divide_down(high + s->reach[k + 1], step);
    if (first < -most)
        first = -most;
    if (last > most)
        last = most;
    for (int128 n = first; n <= last; n++) {
        if (++s->n_tried > MOST_TRIED)
            return true;
        s->other[i] = (int32_t)(s->e->steps[i] < 0 ? -n : n);
        if (has_other(s, k + 1, low - n * step, high - n * step))
            return true;
    }
    return false;
}

/* Has the vector as few rounds as possible in the loops in which the addresses
   do not move? */
static bool is_last(const struct sd_equation *e)
{
    bool is_carried = false; /* does an outer loop go on in between? */

    for (uint32_t i = 0; i < e->n; i++) {
        if (e->steps[i] == 0 && e->vector[i] != 0)
            for (uint32_t k = 0; k < i; k++)
                is_carried |= e->steps[k] == 0;
        if (e->steps[i] == 0 &&
            (is_carried || e->vector[i] < 0 || e->vector[i] > 1))
            return false;
        is_carried |= e->vector[i] != 0;
    }
    return true;
}

bool sd_equation_has_one_solution(const struct sd_equation *e)
{
    struct search s;
    int128 sum = 0;

    if (!is_last(e))
        return false;
    begin(&s, e);
    for (uint32_t i = 0; i < e->n; i++)
        sum += (int128)e->steps[i] * e->vector[i];
    return !has_other(&s, 0, sum + e->below + 1, sum + e->above - 1);
}

/* --- The vectors of a function's walks --- */

/* Does a pair have this vector? */
static bool has_vector(const struct sd_agreed *a, uint32_t loop,
                       const int32_t *rounds)
{
    return a->loop == loop &&
           memcmp(a->rounds, rounds, a->n * sizeof *rounds) == 0;
}

/* In bytes; no array has longer rows.  A drawn number may be larger, but then
   32 bits do not hold what is computed with it. */
#define LONGEST (INT64_C(1) << 31)

struct sd_vector_of {
    struct sd_agreed agreed; /* agreed.loop is 0 if walks do not agree */

    /* In the latest run of the outermost loop: the first address, and what is
       known since of the steps of the loops. */
    uint32_t walk, run;
    uint32_t proof; /* the latest walk with a proof */
    struct sd_shown first;
    uint32_t at[SD_MOST_LEVELS];
    int64_t steps[SD_MOST_LEVELS];
    uint32_t known;   /* bit mask of loops whose step is known */
    bool is_doubtful; /* nothing is learned from the addresses */
    uint32_t learned[SD_MOST_LEVELS]; /* round in which a step was learned */
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
    keys_fini(&v->keys);
}

void sd_vectors_clear(struct sd_vectors *v)
{
    keys_clear(&v->keys);
    v->n_touched = 0;
}

static struct sd_vector_of *find(struct sd_vectors *v,
                                 const struct sd_shown *shown,
                                 const struct sd_nest *nest)
{
    size_t n = v->keys.n;
    uint32_t i = keys_add(&v->keys, keys_pair(shown->src, shown->dst));

    assert(nest->n >= 1 && nest->n <= SD_MOST_LEVELS && nest->loop != 0);
    if (i < n)
        return &v->list[i];
    v->list = memory_grow(v->list, &v->room, i, sizeof *v->list);
    struct sd_vector_of *p = &v->list[i];
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
   one loop with an unknown step went on since the first address, the new
   address tells that step. */
static bool is_affine(struct sd_vector_of *p, const struct sd_shown *shown,
                      const struct sd_nest *nest)
{
    uint64_t left = shown->address - p->first.address;
    uint32_t unknown = 0, third = 0, n = 0;

    assert(nest->n == p->agreed.n && p->known < 1u << nest->n);
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
        return true; /* nothing is known of these steps */
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

/* Do the addresses of the latest run allow only the vector of the pair? */
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
    assert(p->agreed.n_proofs <= SD_PROOFS);
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

    assert(shown->loaded >= 1 && shown->stored >= 1);
    if (p->agreed.loop == 0)
        return true;
    if (has_vector(&p->agreed, nest->loop, nest->rounds)) {
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

/* --- The vectors on which the walks of several functions agree --- */

void sd_agreements_fini(struct sd_agreements *a)
{
    free(a->list);
    keys_fini(&a->keys);
}

void sd_agreements_add(struct sd_agreements *a, const struct sd_agreed *agreed)
{
    size_t n = a->keys.n;
    uint32_t i = keys_add(&a->keys, keys_pair(agreed->src, agreed->dst));

    assert(agreed->src != 0 && agreed->dst != 0);
    if (i == n) {
        array_push(a->list, n, a->room, *agreed);
        return;
    }
    struct sd_agreed *p = &a->list[i];
    if (!has_vector(agreed, p->loop, p->rounds))
        p->loop = 0;
    p->n_proofs = (uint16_t)(p->n_proofs + agreed->n_proofs);
    p->checked |= agreed->checked;
}

const struct sd_agreed *sd_agreements_of(const struct sd_agreements *a,
                                         uint32_t src, uint32_t dst)
{
    uint32_t i = keys_find(&a->keys, keys_pair(src, dst));
    const struct sd_agreed *p = i != NO_KEY ? &a->list[i] : NULL;

    return p != NULL && p->loop != 0 && p->n_proofs >= SD_PROOFS &&
                   p->checked == (1u << p->n) - 1
               ? p
               : NULL;
}
