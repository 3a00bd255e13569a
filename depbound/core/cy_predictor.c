/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_predictor.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "step/cy_step.h"

/* --- Branches by their code --- */

/* By the opcode after the prefixes. */
static enum cy_branch branch_x86(const uint8_t *at, unsigned length)
{
    const uint8_t *end = at + length;

    while (at < end && (memchr("\x2e\x3e\x66\x67\xf2\xf3", *at, 6) != NULL ||
                        (*at & 0xf0) == 0x40))
        at++;
    if (at == end)
        return CY_NO_BRANCH;
    if (*at == 0xe8)
        return CY_DIRECT_CALL;
    if (*at == 0xeb || *at == 0xe9)
        return CY_JUMP;
    if (*at == 0xc2 || *at == 0xc3)
        return CY_RETURN;
    if (*at != 0xff || at + 1 == end)
        return CY_NO_BRANCH;
    return (at[1] >> 3 & 7) == 2   ? CY_INDIRECT_CALL
           : (at[1] >> 3 & 7) == 4 ? CY_INDIRECT
                                   : CY_NO_BRANCH;
}

/* Arm ARM, C4.1, branches: B and BL; BR, BLR and RET, also with a signature of
   the address. */
static enum cy_branch branch_a64(const uint8_t *at, unsigned length)
{
    assert(length == 4);
    if ((at[3] & 0xfc) == 0x14)
        return CY_JUMP;
    if ((at[3] & 0xfc) == 0x94)
        return CY_DIRECT_CALL;
    if ((at[3] & 0xfe) != 0xd6)
        return CY_NO_BRANCH;
    switch (at[2]) {
    case 0x1f:
        return CY_INDIRECT;
    case 0x3f:
        return CY_INDIRECT_CALL;
    case 0x5f:
        return CY_RETURN;
    default:
        return CY_NO_BRANCH;
    }
}

enum cy_branch cy_branch_of(const struct cy_code_insn *insn)
{
    static enum cy_branch (*const of[N_ARCHES])(const uint8_t *, unsigned) = {
        [ARCH_X86_64] = branch_x86, [ARCH_AARCH64] = branch_a64};

    if (cy_flow_is_conditional(&insn->flow))
        return CY_CONDITIONAL;
    assert(insn->arch < N_ARCHES);
    return of[insn->arch](insn->bytes, insn->length);
}

bool cy_is_system_call(const struct cy_code_insn *insn)
{
    const uint8_t *b = insn->bytes;

    /* SVC. */
    if (insn->arch == ARCH_AARCH64)
        return b[3] == 0xd4 && b[2] >> 5 == 0 && (b[0] & 0x1f) == 1;
    /* syscall, sysenter, int. */
    return insn->length >= 2 &&
           ((b[0] == 0x0f && (b[1] == 0x05 || b[1] == 0x34)) || b[0] == 0xcd);
}

/* --- Where they are expected to go --- */

#define BASE_BITS  12 /* entries of the table without history */
#define TABLE_BITS 12
#define TAG_BITS   11
#define N_TABLES   8
#define HISTORY    4 /* words of 64 branches */
#define SHORTEST   4 /* history */
#define LOOP_BITS  8
#define GOAL_BITS  12
#define N_GOALS    5 /* histories of indirect branches */
#define ALLOCATED  3 /* counters for a branch that was mispredicted */

struct counter {
    uint16_t tag;
    int8_t value; /* -4 to 3: taken from 0 on */
    uint8_t useful;
};

/* A branch that goes one way `rounds` times, and then the other. */
struct rounds {
    uint64_t address;
    uint32_t rounds, so_far;
    uint8_t sure;
    int8_t better; /* how often right where TAGE was wrong, less the opposite */
    bool way;      /* while it goes on */
};

/* Where an indirect branch went after some history. */
struct goal {
    uint64_t hash, to; /* hash: of both */
    bool is_sure;
};

struct cy_predictor {
    unsigned longest;
    unsigned lengths[N_TABLES]; /* of histories */
    uint64_t history[HISTORY];  /* the latest branch in bit 0 */
    int8_t base[1 << BASE_BITS];
    struct counter tables[N_TABLES][1 << TABLE_BITS];
    struct rounds loops[1 << LOOP_BITS];
    struct goal goals[N_GOALS][1 << GOAL_BITS]; /* from none on */
    uint32_t random;
};

struct cy_predictor *cy_predictor_new(unsigned longest)
{
    struct cy_predictor *p = memory_new(1, sizeof *p);

    p->longest = longest;
    for (unsigned t = 0; t < N_TABLES; t++) {
        double most = HISTORY * 64;

        p->lengths[t] = (unsigned)lround(
            SHORTEST * pow(most / SHORTEST, t / (N_TABLES - 1.0)));
    }
    p->random = 1;
    for (unsigned t = 0; t < N_TABLES; t++)
        for (unsigned i = 0; i < 1 << TABLE_BITS; i++)
            p->tables[t][i].tag = UINT16_MAX; /* of no branch */
    return p;
}

void cy_predictor_free(struct cy_predictor *p)
{
    free(p);
}

void cy_predictor_restart(struct cy_predictor *p)
{
    memset(p->history, 0, sizeof p->history);
    for (unsigned i = 0; i < 1 << LOOP_BITS; i++)
        p->loops[i].so_far = UINT32_MAX; /* it began before */
}

static uint64_t mix(uint64_t x)
{
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

/* The last `length` branches as one number. */
static uint64_t folded(const struct cy_predictor *p, unsigned length)
{
    uint64_t hash = length;

    for (unsigned i = 0; i < HISTORY && length > 0; i++) {
        uint64_t part = p->history[i];

        if (length < 64)
            part &= (UINT64_C(1) << length) - 1;
        hash = mix(hash ^ part);
        length -= length < 64 ? length : 64;
    }
    return hash;
}

static void push(struct cy_predictor *p, bool bit)
{
    for (unsigned i = HISTORY - 1; i > 0; i--)
        p->history[i] = p->history[i] << 1 | p->history[i - 1] >> 63;
    p->history[0] = p->history[0] << 1 | bit;
}

static void move(int8_t *value, bool up, int least, int most)
{
    if (up && *value < most)
        (*value)++;
    else if (!up && *value > least)
        (*value)--;
}

/* The places of a branch in the tables. */
struct places {
    struct counter *at[N_TABLES];
    uint16_t tags[N_TABLES];
    int longest, next; /* tables that know it; -1: the base */
    int8_t *base;
};

static void find_places(struct cy_predictor *p, struct places *s,
                        uint64_t address)
{
    s->base = &p->base[mix(address) >> 7 & ((1 << BASE_BITS) - 1)];
    s->longest = s->next = -1;
    for (int t = 0; t < N_TABLES; t++) {
        uint64_t hash = mix(folded(p, p->lengths[t]) ^ address);

        s->at[t] = &p->tables[t][hash & ((1 << TABLE_BITS) - 1)];
        s->tags[t] = hash >> 40 & ((1 << TAG_BITS) - 1);
        if (s->at[t]->tag != s->tags[t])
            continue;
        s->next = s->longest;
        s->longest = t;
    }
}

static bool says(const struct places *s, int table)
{
    return table < 0 ? *s->base >= 0 : s->at[table]->value >= 0;
}

/* Is the counter of the longest history new, and not to be trusted yet? */
static bool is_weak(const struct places *s)
{
    const struct counter *c = s->at[s->longest];

    return c->useful == 0 && (c->value == 0 || c->value == -1);
}

static bool tage_says(const struct places *s)
{
    if (s->longest >= 0 && is_weak(s))
        return says(s, s->next);
    return says(s, s->longest);
}

/* Gives the branch a counter with a longer history. */
static void allocate(struct cy_predictor *p, struct places *s, bool taken)
{
    int first = s->longest + 1;
    unsigned n = 0;

    p->random = p->random * 1664525 + 1013904223;
    if (first < N_TABLES - 1 && p->random >> 30 == 0)
        first++; /* so that tables are shared */
    for (int t = first; t < N_TABLES && n < ALLOCATED; t++)
        if (s->at[t]->useful == 0) {
            *s->at[t] = (struct counter){s->tags[t], taken ? 0 : -1, 0};
            n++;
        }
    for (int t = first; t < N_TABLES && n == 0; t++)
        s->at[t]->useful--;
}

static void learn(struct cy_predictor *p, struct places *s, bool taken)
{
    bool was_right = tage_says(s) == taken;

    if (s->longest >= 0) {
        struct counter *c = s->at[s->longest];
        bool right = says(s, s->longest) == taken;

        if (right != (says(s, s->next) == taken)) {
            if (right && c->useful < 3)
                c->useful++;
            else if (!right && c->useful > 0)
                c->useful--;
        }
        move(&c->value, taken, -4, 3);
        if (s->longest == 0 && c->useful == 0)
            move(s->base, taken, -2, 1);
    } else {
        move(s->base, taken, -2, 1);
    }
    if (!was_right && s->longest < N_TABLES - 1)
        allocate(p, s, taken);
}

#define SURE 2 /* loops with as many rounds, one after another */

/* What the table of loops says of the branch; false: nothing. */
static bool loop_says(const struct cy_predictor *p, const struct rounds *l,
                      uint64_t address, bool *taken)
{
    if (l->address != address || l->sure < SURE || l->rounds > p->longest ||
        l->so_far == UINT32_MAX)
        return false;
    *taken = l->so_far < l->rounds ? l->way : !l->way;
    return true;
}

/* Did it go one way so often that all rounds look alike? */
static bool is_long(const struct cy_predictor *p, const struct rounds *l,
                    uint64_t address)
{
    return l->address == address && l->so_far != UINT32_MAX &&
           l->so_far >= p->longest;
}

static void learn_loop(struct rounds *l, uint64_t address, bool taken)
{
    if (l->address != address) {
        if (l->sure > 0) {
            l->sure--;
            return;
        }
        *l = (struct rounds){
            .address = address, .so_far = UINT32_MAX, .way = taken};
        return;
    }
    if (taken == l->way) {
        if (l->so_far != UINT32_MAX)
            l->so_far++;
        return;
    }
    if (l->so_far == 0 && l->sure == 0) {
        l->way = taken; /* it mostly goes the other way */
        l->so_far = UINT32_MAX;
        return;
    }
    if (l->so_far != UINT32_MAX) {
        bool is_same = l->so_far == l->rounds;

        l->sure = (uint8_t)(is_same ? l->sure + (l->sure < 7) : 0);
        l->rounds = l->so_far;
    }
    l->so_far = 0;
}

static bool conditional(struct cy_predictor *p, uint64_t address, bool taken)
{
    struct rounds *l = &p->loops[mix(address) >> 9 & ((1 << LOOP_BITS) - 1)];
    struct places s;
    bool predicted, by_rounds;

    find_places(p, &s, address);
    predicted = tage_says(&s);
    if (loop_says(p, l, address, &by_rounds) && by_rounds != predicted) {
        move(&l->better, by_rounds == taken, -8, 7);
        if (l->better >= 0)
            predicted = by_rounds;
    }
    if (is_long(p, l, address))
        predicted = l->way;
    learn(p, &s, taken);
    learn_loop(l, address, taken);
    push(p, taken);
    return predicted == taken;
}

static void learn_goal(struct goal *g, uint64_t hash, uint64_t to)
{
    if (g->hash == hash && g->to == to)
        g->is_sure = true;
    else if (g->hash == hash && g->is_sure)
        g->is_sure = false;
    else
        *g = (struct goal){hash, to, false};
}

static bool indirect(struct cy_predictor *p, uint64_t address, uint64_t to)
{
    static const unsigned lengths[N_GOALS] = {0, 8, 24, 72, 216};
    uint64_t predicted = 0;

    for (unsigned t = 0; t < N_GOALS; t++) {
        uint64_t hash = mix(folded(p, lengths[t]) ^ address);
        struct goal *g = &p->goals[t][hash >> 8 & ((1 << GOAL_BITS) - 1)];

        if (g->hash == hash)
            predicted = g->to;
        learn_goal(g, hash, to);
    }
    for (unsigned i = 0; i < 4; i++)
        push(p, mix(to) >> i & 1);
    return predicted == to;
}

bool cy_predictor_branch(struct cy_predictor *p, enum cy_branch kind,
                         uint64_t address, uint64_t next, uint64_t to)
{
    switch (kind) {
    case CY_CONDITIONAL:
        return conditional(p, address, to != next);
    case CY_INDIRECT:
    case CY_INDIRECT_CALL:
        return indirect(p, address, to);
    case CY_NO_BRANCH:
    case CY_JUMP:
    case CY_DIRECT_CALL:
    case CY_RETURN:
        break;
    }
    return true;
}
