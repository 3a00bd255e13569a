/*
 * sd_walk_force: which way a walk takes at a branch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/internal.h"

#include <assert.h>
#include <string.h>

#include "memory.h"

/* One in DOOMED walks takes a way that never comes back; or one in LANDS, if
   calls may come back elsewhere. */
#define DOOMED 64
#define LANDS  4

static struct sd_value low(struct sd_value v, unsigned width)
{
    uint64_t mask = sd_mask(width);

    return (struct sd_value){v.bits & mask, v.bottom & mask};
}

/* Computes a comparison's operands from the two that VEX keeps. */
static void set_operands(struct sd_comparison *cmp,
                         const struct sd_flags_test *test, struct sd_value a,
                         struct sd_value b)
{
    struct sd_op sum = {.code = SD_ADD, .width = test->width};
    struct sd_value zero = sd_known(0);

    a = low(a, test->width);
    b = low(b, test->width);
    cmp->operand[0] = a;
    if (test->operands == SD_TEST_SUM || test->operands == SD_TEST_CARRY)
        cmp->operand[0] = sd_drawn_eval(&sum, a, b, zero, true);
    cmp->operand[1] = test->operands == SD_TEST_PAIR    ? b
                      : test->operands == SD_TEST_CARRY ? a
                                                        : zero;
}

bool sd_walk_comparison(const struct sd_chunk *c, const struct sd_op *op,
                        struct sd_comparison *cmp)
{
    const struct sd_value *t = c->temps;
    const struct sd_call *call;
    struct sd_flags_test test;

    cmp->is_const = c->is_const;
    cmp->is_negated = false;
    if (op->code >= SD_CMPEQ && op->code <= SD_CMPLES) {
        cmp->code = op->code;
        cmp->width = op->width;
        cmp->operand[0] = t[op->a];
        cmp->operand[1] = t[op->b];
        return true;
    }
    if (op->code != SD_CALL)
        return false;
    call = &c->calls[op->imm];
    if (!sd_flags_is_condition(call) || t[call->args[1]].bottom != 0 ||
        !sd_flags_test(t[call->args[0]].bits, t[call->args[1]].bits, &test))
        return false;
    cmp->code = test.code;
    cmp->width = test.width;
    cmp->is_negated = test.is_negated;
    set_operands(cmp, &test, t[call->args[2]], t[call->args[3]]);
    return true;
}

/* A drawn number that fills `width` bits, and what replaces it. */
struct change {
    uint64_t old;
    unsigned width;
    struct sd_value new;
};

static uint64_t extended(uint64_t bits, unsigned width)
{
    return (uint64_t)((int64_t)(bits << (64 - width)) >> (64 - width));
}

static void change_register(struct sd_value *v, const struct change *c)
{
    uint64_t mask = sd_mask(c->width);

    if (v->bottom == 0 || (v->bits & mask) != c->old)
        return;
    if (v->bits == c->old) {
        *v = c->new;
    } else if (v->bits == extended(c->old, c->width)) {
        v->bits = extended(c->new.bits, c->width);
        v->bottom = extended(c->new.bottom, c->width);
    } else if (c->width >= 32) {
        v->bits = (v->bits & ~mask) | c->new.bits;
        v->bottom = (v->bottom & ~mask) | c->new.bottom;
    }
}

/* Changes the number where it was loaded from last, if it is still there. */
static void change_memory(struct sd_walker *w, const struct change *c)
{
    for (unsigned i = 1; i <= SD_N_LOADS && i <= w->loads.n; i++) {
        const struct sd_loaded *o =
            &w->loads.list[(w->loads.n - i) % SD_N_LOADS];
        uint32_t stores[8];
        struct sd_value now;

        if (8 * o->size < c->width || (o->bits & sd_mask(c->width)) != c->old ||
            (8 * o->size > c->width && c->width < 32))
            continue;
        now =
            sd_memory_load(&w->memory, o->address, c->width / 8, false, stores);
        if (now.bits == c->old)
            sd_memory_poke(&w->memory, o->address, c->width / 8, c->new);
        if (c->width < 32)
            return;
    }
}

static void change_all(struct sd_walker *w, const struct change *change)
{
    for (unsigned i = w->abi.first; i < w->abi.end + 4; i++) /* with flags */
        change_register(&w->registers[i], change);
    change_memory(w, change);
}

void sd_walk_replace(struct sd_walker *w, uint64_t old, struct sd_value now)
{
    change_all(w, &(struct change){.old = old, .width = 64, .new = now});
}

void sd_walk_index(struct sd_walker *w, struct sd_value *index)
{
    struct change change = {.old = index->bits, .width = 64};

    if (!sd_index_fold(*index, &change.new))
        return;
    if (sd_index_is_one(*index)) {
        change.width = 32;
        change.old &= UINT32_MAX;
        change.new.bottom &= UINT32_MAX;
    }
    *index = change.new;
    if (change.old > UINT16_MAX) /* other numbers may be the same by chance */
        change_all(w, &change);
}

/* Changes an operand of a comparison so that it holds, or not, from now on. */
static void decide_once(struct sd_walker *w, const struct sd_comparison *cmp,
                        bool holds)
{
    struct change change;
    unsigned operand;

    if (!sd_decide(cmp, holds, sd_walker_random(w), &operand, &change.new))
        return;
    change.old = cmp->operand[operand].bits;
    change.width = cmp->width;
    /* If the operand was extended with zeros, only its drawn bits change. */
    while (change.width > 8 &&
           cmp->operand[operand].bottom <= sd_mask(change.width / 2) &&
           change.old <= sd_mask(change.width / 2))
        change.width /= 2;
    if (cmp->operand[operand].bottom != sd_mask(change.width) ||
        change.new.bits > sd_mask(change.width))
        return;
    change.new.bottom &= sd_mask(change.width);
    change_all(w, &change);
}

/* The memory of what was decided for the operands of a comparison. */
static struct sd_memo *memo_of(struct sd_walker *w,
                               const struct sd_comparison *cmp, uint64_t *key)
{
    *key = sd_random(cmp->operand[0].bits, cmp->operand[1].bits) +
           cmp->code * 64u + cmp->width;
    return &w->choices.memo[*key % SD_N_MEMO];
}

/* Goes round a loop a number of times that is drawn when it is entered. */
static unsigned go_round(struct sd_walker *w, struct sd_chunk *c)
{
    struct sd_chunk_walks *loop = c->walks;
    unsigned stay = c->stays[1] ? 1 : 0;
    uint32_t frame = sd_walk_frame(w);

    if (loop->loop_walk != w->walk || loop->loop_frame != frame) {
        loop->loop_walk = w->walk;
        loop->loop_frame = frame;
        loop->rounds = sd_rounds_drawn(sd_walker_random(w)) - 1;
        if (loop->rounds == 0 && sd_walker_random(w) % 2 == 0)
            loop->rounds = 1;
    }
    if (loop->rounds > 0) {
        loop->rounds--;
        return stay;
    }
    loop->loop_walk = 0;
    return !stay;
}

/* Takes the way at a branch that was taken less often. */
static unsigned steer(struct sd_walker *w, struct sd_chunk *c)
{
    uint64_t random;
    uint32_t n0, n1;

    if (c->stays[0] != c->stays[1] && !(c->is_doomed[0] || c->is_doomed[1]))
        return go_round(w, c);
    random = sd_walker_random(w);
    if (w->rules & SD_RULE_RETURNS && c->is_doomed[0] != c->is_doomed[1] &&
        (random >> 16) % (sd_walk_may_land(w, NULL) ? LANDS : DOOMED) != 0)
        return c->is_doomed[0];
    n0 = c->walks->taken[0];
    n1 = c->walks->taken[1];
    if (!(w->rules & SD_RULE_STEER) || n0 == n1 || random % 4 == 0)
        return random >> 8 & 1;
    return n1 < n0;
}

static bool is_loop_test(const struct sd_chunk *c)
{
    return c->stays[0] != c->stays[1];
}

/* Takes a way at a branch whose condition is drawn. */
static unsigned force(struct sd_walker *w, struct sd_chunk *c)
{
    struct sd_comparison cmp;
    struct sd_memo *memo;
    uint64_t key;
    unsigned taken;

    if (c->test == 0 || !(w->rules & SD_RULE_ONCE) ||
        !sd_walk_comparison(c, &c->ops[c->test - 1], &cmp) ||
        (cmp.operand[0].bottom | cmp.operand[1].bottom) == 0)
        return steer(w, c);
    memo = memo_of(w, &cmp, &key);
    if (memo->walk == w->walk && memo->key == key && !is_loop_test(c))
        return memo->holds ^ cmp.is_negated;
    taken = steer(w, c);
    *memo = (struct sd_memo){key, w->walk, taken ^ cmp.is_negated};
    decide_once(w, &cmp, memo->holds);
    return taken;
}

unsigned sd_walk_branch(struct sd_walker *w, struct sd_chunk *c)
{
    struct sd_value cond = c->temps[c->cond];
    unsigned taken = cond.bits & 1;
    struct sd_comparison cmp;

    if ((cond.bottom & 1) != 0 || !(w->rules & SD_RULE_DECIDED))
        taken = force(w, c);
    else if (w->rules & SD_RULE_FORWARD && is_loop_test(c) && c->stays[taken] &&
             c->test != 0 && c->walks->visits >= 3 &&
             sd_walk_comparison(c, &c->ops[c->test - 1], &cmp))
        sd_walk_skip(w, c, &cmp);
    c->walks->taken[taken]++;
    return taken;
}
