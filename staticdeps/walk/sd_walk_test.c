/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/sd_walk.h"

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
    const struct sd_call *call = &c->calls[op->imm];
    if (!sd_flags_is_condition(call) || t[call->args[1]].bottom != 0 ||
        !sd_flags_test(t[call->args[0]].bits, t[call->args[1]].bits, &test))
        return false;
    cmp->code = test.code;
    cmp->width = test.width;
    cmp->is_negated = test.is_negated;
    set_operands(cmp, &test, t[call->args[2]], t[call->args[3]]);
    return true;
}

/* A drawn number that fills `width` bits, and the number that replaces it. */
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

/* Changes a number where it was last loaded, if memory still holds it. */
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
    for (unsigned i = w->abi.first; i < w->abi.end + 4; i++) /* and the flags */
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
    assert(change.new.bits < change.old);
    if (sd_index_is_one(*index)) {
        change.width = 32;
        change.old &= UINT32_MAX;
        change.new.bottom &= UINT32_MAX;
    }
    *index = change.new;
    if (change.old > UINT16_MAX) /* smaller numbers may be equal by chance */
        change_all(w, &change);
}

void sd_walk_decide(struct sd_walker *w, const struct sd_comparison *cmp,
                    bool holds)
{
    struct change change;
    unsigned operand;

    if (!sd_decide(cmp, holds, sd_walker_random(w), &operand, &change.new))
        return;
    assert(operand < 2 && cmp->operand[operand].bottom != 0);
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

/* How rounds of a loop that are alike are skipped.

   Once the registers of a loop whose test is decided have moved by the same
   steps twice, only the last two rounds are walked.  The stores of skipped
   rounds are made if their addresses move by steps, too.  If rounds are not
   alike, because their inner loops differ in length, more rounds are walked,
   and all if they take little fuel: a remainder or an unrolled loop shows its
   pairs only after the right number of rounds. */

#define MOST_WORDS      40
#define MOST_STORES     1024 /* stores of the rounds that are skipped */
#define STORES_PER_TIME 16   /* so many stores take as long as an instruction */

/* If the rounds of a loop are not alike, UNLIKE_ROUNDS are walked before others
   are skipped; all are walked if they take no more than 1 / UNLIKE_SHARE of the
   fuel. */
#define UNLIKE_ROUNDS 12
#define UNLIKE_SHARE  4

/* A drawn number may ask for any number of rounds.  To avoid overflow, no
   distance is larger than MOST_TIME, and after MOST_ROUNDS rounds, the numbers
   of rounds count as unknown. */
#define MOST_TIME   (UINT64_C(1) << 40)
#define MOST_ROUNDS (1u << 28)

/* What the test of a loop saw, the last times that the test was decided. */
struct sd_loop_test {
    uint32_t walk, frame;
    unsigned n; /* rounds in a row */
    uint64_t registers[MOST_WORDS], steps[MOST_WORDS];
    bool is_steady[MOST_WORDS]; /* did the register move by its step twice? */
    uint64_t operands[2], operand_steps[2];
    bool are_steady;
    size_t n_stores[3];  /* stores of the walk: now, one and two rounds ago */
    uint64_t time[3];    /* now, one and two rounds ago */
    uint64_t fuel, cost; /* fuel at the last test; fuel of the last round */
};

/* Notes how the operands and the registers moved since the last round. */
static void observe(struct sd_loop_test *m, const struct sd_walker *w,
                    const struct sd_comparison *cmp)
{
    bool has_last =
        m->walk == w->walk && m->frame == sd_walk_frame(w) && m->n > 0;

    assert(w->abi.end <= MOST_WORDS);
    m->are_steady = has_last && m->n >= 2;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t now = cmp->operand[i].bits;
        uint64_t moved = (now - m->operands[i]) & sd_mask(cmp->width);

        m->are_steady &= moved == m->operand_steps[i];
        m->operand_steps[i] = moved;
        m->operands[i] = now;
    }
    for (unsigned i = w->abi.first; i < w->abi.end; i++) {
        uint64_t now = w->registers[i].bits, moved = now - m->registers[i];

        m->is_steady[i] = has_last && m->n >= 2 && moved == m->steps[i];
        m->steps[i] = moved;
        m->registers[i] = now;
    }
    m->n_stores[2] = m->n_stores[1];
    m->n_stores[1] = m->n_stores[0];
    m->n_stores[0] = w->stores.n;
    m->time[2] = m->time[1];
    m->time[1] = m->time[0];
    m->time[0] = w->clock.time + w->clock.skipped;
    m->cost = w->clock.time - m->fuel;
    m->fuel = w->clock.time;
    m->n = has_last ? m->n + 1 : 1;
    m->walk = w->walk;
    m->frame = sd_walk_frame(w);
}

/* Does an operand move as a register does? */
static bool is_in_register(const struct sd_loop_test *m,
                           const struct sd_walker *w, unsigned operand,
                           unsigned width)
{
    uint64_t mask = sd_mask(width);

    for (unsigned i = w->abi.first; i < w->abi.end; i++)
        if (m->is_steady[i] && (m->steps[i] & mask) != 0 &&
            (m->steps[i] & mask) == m->operand_steps[operand])
            return true;
    return false;
}

/* Did the last two rounds have the same stores? */
static bool repeat_stores(const struct sd_loop_test *m,
                          const struct sd_walker *w)
{
    size_t n = m->n_stores[0] - m->n_stores[1];

    if (n == 0 || n > MOST_STORES || m->n_stores[1] - m->n_stores[2] != n)
        return false;
    const struct sd_store *now = &w->stores.list[m->n_stores[1] + 1];
    const struct sd_store *before = &w->stores.list[m->n_stores[2] + 1];
    for (size_t i = 0; i < n; i++)
        if (now[i].site != before[i].site || now[i].size != before[i].size)
            return false;
    return true;
}

/* The time that `rounds` rounds take, at most MOST_TIME. */
static uint64_t time_of(const struct sd_loop_test *m, uint64_t rounds)
{
    uint64_t time;

    return __builtin_mul_overflow(rounds, m->time[0] - m->time[1], &time) ||
                   time > MOST_TIME
               ? MOST_TIME
               : time;
}

/* Makes one store of a skipped round, whose number in sd_rounds is `of_loops`.
   Only the chunk of the test counts skipped rounds as visits. */
static void store_in_round(struct sd_walker *w, const struct sd_chunk *c,
                           uint32_t number, size_t n, uint64_t skipped,
                           uint64_t round, uint32_t of_loops)
{
    const struct sd_loop_test *m = c->walks->loop_test;
    struct sd_store s = w->stores.list[number];
    const struct sd_store *before = &w->stores.list[number - n];
    bool is_of_test = s.site - c->site - 1 < c->n_insns;
    uint32_t later = (uint32_t)(is_of_test ? round : round - skipped), made;

    if (s.address == before->address) {
        /* A store whose address stays is not made again. */
        if (round == skipped)
            w->stores.list[number].round = of_loops;
        return;
    }
    s.round = of_loops;
    s.visit += later * (s.visit - before->visit); /* mod 2^32 */
    s.time += time_of(m, round);
    s.address += round * (s.address - before->address);
    made = sd_walk_new_store(w);
    w->stores.list[made] = s;
    sd_memory_store(&w->memory, s.address, s.size,
                    sd_walker_draw(w, 8u * s.size), made);
}

/* Makes the stores of skipped rounds whose addresses move by steps; if there
   are too many, only the stores of the last rounds. */
static void store_skipped(struct sd_walker *w, const struct sd_chunk *c,
                          const struct sd_loop_test *m, uint64_t skipped)
{
    size_t n = m->n_stores[0] - m->n_stores[1];
    uint64_t most = MOST_STORES / n, first = 1, cost;
    uint32_t usual = w->stores.list[m->n_stores[1] + 1].round;

    assert(n >= 1 && n <= MOST_STORES);
    if (skipped > most)
        first = skipped - most + 1;
    for (uint64_t round = first; round <= skipped; round++) {
        uint32_t later = sd_rounds_ahead(&w->rounds, usual, (uint32_t)round);

        for (size_t i = 1; i <= n; i++) {
            uint32_t number = (uint32_t)(m->n_stores[1] + i);
            uint32_t from = w->stores.list[number].round;

            store_in_round(w, c, number, n, skipped, round,
                           from == usual ? later
                                         : sd_rounds_ahead(&w->rounds, from,
                                                           (uint32_t)round));
        }
    }
    /* The stores cost fuel, but take no time of the program. */
    cost = (skipped - first + 1) * n / STORES_PER_TIME;
    w->clock.time += cost;
    w->clock.skipped -= cost;
}

/* Is a number that the test compares in memory?  Then rounds cannot be skipped,
   since only registers are moved. */
static bool is_in_memory(const struct sd_loop_test *m,
                         const struct sd_walker *w,
                         const struct sd_comparison *cmp)
{
    uint32_t stores[8];

    for (size_t i = m->n_stores[1] + 1; i <= m->n_stores[0]; i++) {
        const struct sd_store *s = &w->stores.list[i];
        uint64_t bits;

        if (s->site == 0)
            continue;
        bits =
            sd_memory_load(&w->memory, s->address, s->size, false, stores).bits;
        for (unsigned k = 0; k < 2; k++)
            if (m->operand_steps[k] != 0 && 8u * s->size >= cmp->width &&
                cmp->operand[k].bits == (bits & sd_mask(cmp->width)))
                return true;
    }
    return false;
}

/* Are the results the same as if the skipped rounds were walked?  They are if
   the last two rounds were alike, and all stores are made. */
static bool are_alike(const struct sd_loop_test *m, const struct sd_walker *w,
                      uint64_t skipped)
{
    size_t n = m->n_stores[0] - m->n_stores[1];

    if (m->time[0] - m->time[1] != m->time[1] - m->time[2])
        return false;
    if (n == 0)
        return m->n_stores[1] == m->n_stores[2];
    return repeat_stores(m, w) && skipped <= MOST_STORES / n;
}

/* Is the next round walked, since few were that differ, or since there is fuel
   for all that are left? */
static bool is_affordable(const struct sd_loop_test *m,
                          const struct sd_walker *w, uint64_t left)
{
    uint64_t fuel =
        w->clock.time < w->clock.fuel ? w->clock.fuel - w->clock.time : 0;

    return m->n < UNLIKE_ROUNDS ||
           (m->cost > 0 && left <= fuel / UNLIKE_SHARE / m->cost);
}

void sd_walk_skip_rounds(struct sd_walker *w, struct sd_chunk *c,
                         const struct sd_comparison *cmp)
{
    if (c->walks->loop_test == NULL)
        c->walks->loop_test = memory_new(1, sizeof *c->walks->loop_test);
    struct sd_loop_test *m = c->walks->loop_test;
    observe(m, w, cmp);
    if (m->n < 3 || !m->are_steady)
        return;
    assert(m->n_stores[2] <= m->n_stores[1] &&
           m->n_stores[1] <= m->n_stores[0]);
    assert(m->time[2] <= m->time[1] && m->time[1] <= m->time[0]);
    uint64_t left = sd_rounds_left(cmp, m->operand_steps);
    if (left == UINT64_MAX || left <= 3)
        return;
    if (!are_alike(m, w, left - 2) && is_affordable(m, w, left))
        return;
    for (unsigned i = 0; i < 2; i++)
        if (m->operand_steps[i] != 0 && !is_in_register(m, w, i, cmp->width))
            return;
    /* Move the registers by the steps of the skipped rounds. */
    for (unsigned i = w->abi.first; i < w->abi.end; i++)
        if (m->is_steady[i] && i != w->abi.stack_pointer) {
            uint64_t top = w->registers[i].bits >> 32;

            w->registers[i].bits += m->steps[i] * (left - 2);
            if (top == 0 && cmp->width == 32) /* the register holds 32 bits */
                w->registers[i].bits &= UINT32_MAX;
        }
    if (repeat_stores(m, w))
        store_skipped(w, c, m, left - 2);
    if (is_in_memory(m, w, cmp) || left - 2 > MOST_ROUNDS)
        sd_rounds_lose(&w->rounds);
    else
        sd_rounds_skip(&w->rounds, (uint32_t)(left - 2));
    w->clock.skipped += time_of(m, left - 2);
    c->walks->visits += (uint32_t)(left - 2);
    m->n = 0;
}
