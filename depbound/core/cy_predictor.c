/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_predictor.h"

#include "core/cy_recipe.h"
#include "keys.h"

/* What a processor has whose machine file does not say it: counters of a table
   with a history, and entries of one of targets, as powers of two; and taken
   branches of the history of steps. */
#define TABLE_BITS 12
#define GOAL_BITS  9
#define STEPS      16

#define BASE_BITS  12 /* entries of the table without history */
#define TAG_BITS   11
#define N_TABLES   8
#define HISTORY    4 /* words of a history, of 64 bits each */
#define SHORTEST   4 /* branches of the shortest history */
#define LOOP_BITS  8
#define N_GOALS    4  /* tables, by history, of indirect branches */
#define STEP_BITS  2  /* bits of a taken branch in the history of steps */
#define ALLOCATED  3  /* the most counters that a mispredicted branch gets */
#define AFTER_BITS 12 /* entries of the table of where returns went */
#define NEAR_WAYS  8

struct counter {
    uint16_t tag;
    int8_t value; /* from -4 to 3; the branch is taken from 0 on */
    uint8_t useful;
};

/* A branch that goes one way `rounds` times, and then the other. */
struct rounds {
    uint64_t address;
    uint32_t rounds, so_far;
    uint8_t sure;
    int8_t better; /* how often it was right and TAGE wrong, minus how often it
                      was the other way round */
    bool way;      /* the branch's direction while the loop goes on */
};

/* Where an indirect branch went after some history. */
struct goal {
    uint64_t hash, to; /* hash: of the branch's address and its history */
    bool is_sure;
};

/* Where a return went the last two times that it followed some taken branch. */
struct after {
    uint64_t hash; /* of both branches */
    uint64_t to[2];
};

/* Hashes of some of the branches that were taken last, the latest one first. */
struct near {
    uint64_t ways[NEAR_WAYS];
};

/* What the last branches did, the latest one in the lowest bits. */
struct history {
    uint64_t words[HISTORY];
};

struct cy_predictor {
    unsigned longest;
    struct cy_history has;
    unsigned lengths[N_TABLES]; /* lengths of histories, in branches */
    struct keys taken;   /* conditional branches that were taken; the others are
                            in no table, and in no history */
    struct history ways; /* a bit for each conditional branch */
    struct history steps; /* STEP_BITS for each taken branch */
    int8_t base[1 << BASE_BITS];
    struct counter *tables[N_TABLES];
    unsigned n_counters; /* of each; a power of two */
    struct rounds loops[1 << LOOP_BITS];
    struct goal *goals[N_GOALS];       /* by history, shortest first */
    unsigned n_goals;                  /* of each; a power of two */
    uint64_t returns[CY_MOST_RETURNS]; /* a ring: what follows the calls */
    unsigned n_calls, n_lost;          /* on the stack, and lost from it */
    unsigned top;                      /* where the next call goes */
    struct after after[1 << AFTER_BITS];
    uint64_t taken_last; /* the address of the last taken branch */
    struct near *near;   /* by hash; NULL: all branches are near */
    uint32_t random;
};

struct cy_predictor *cy_predictor_new(unsigned longest, struct cy_history has)
{
    struct cy_predictor *p = memory_new(1, sizeof *p);

    p->longest = longest;
    p->has = has;
    for (unsigned t = 0; t < N_TABLES; t++) {
        double most = HISTORY * 64;

        p->lengths[t] = (unsigned)lround(
            SHORTEST * pow(most / SHORTEST, t / (N_TABLES - 1.0)));
    }
    assert(p->lengths[0] == SHORTEST &&
           p->lengths[N_TABLES - 1] == 64 * HISTORY);
    p->random = 1;
    p->n_counters =
        has.counters > 0 ? has.counters / N_TABLES : 1u << TABLE_BITS;
    assert((p->n_counters & (p->n_counters - 1)) == 0);
    for (unsigned t = 0; t < N_TABLES; t++) {
        p->tables[t] = memory_new(p->n_counters, sizeof *p->tables[t]);
        for (unsigned i = 0; i < p->n_counters; i++)
            p->tables[t][i].tag = UINT16_MAX; /* a tag of no branch */
    }
    p->n_goals = has.targets > 0 ? has.targets : 1u << GOAL_BITS;
    assert((p->n_goals & (p->n_goals - 1)) == 0);
    for (unsigned t = 0; t < N_GOALS; t++)
        p->goals[t] = memory_new(p->n_goals, sizeof *p->goals[t]);
    if (has.near > 0)
        p->near = memory_new(has.near / NEAR_WAYS, sizeof *p->near);
    return p;
}

void cy_predictor_free(struct cy_predictor *p)
{
    if (p == NULL)
        return;
    for (unsigned t = 0; t < N_TABLES; t++)
        free(p->tables[t]);
    for (unsigned t = 0; t < N_GOALS; t++)
        free(p->goals[t]);
    keys_fini(&p->taken);
    free(p->near);
    free(p);
}

void cy_predictor_restart(struct cy_predictor *p)
{
    p->ways = p->steps = (struct history){0};
    p->n_calls = p->n_lost = 0;
    p->taken_last = 0;
    for (unsigned i = 0; i < 1 << LOOP_BITS; i++)
        p->loops[i].so_far = UINT32_MAX; /* the loop began before the window */
}

static uint64_t mix(uint64_t x)
{
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

/* A hash of the last `length` bits. */
static uint64_t folded(const struct history *h, unsigned length)
{
    uint64_t hash = length;

    for (unsigned i = 0; i < HISTORY && length > 0; i++) {
        uint64_t part = h->words[i];

        if (length < 64)
            part &= (UINT64_C(1) << length) - 1;
        hash = mix(hash ^ part);
        length -= length < 64 ? length : 64;
    }
    return hash;
}

/* Adds the lowest n bits of a value. */
static void push(struct history *h, unsigned n, uint64_t value)
{
    assert(n >= 1 && n < 64);
    for (unsigned i = HISTORY - 1; i > 0; i--)
        h->words[i] = h->words[i] << n | h->words[i - 1] >> (64 - n);
    h->words[0] = h->words[0] << n | (value & ((UINT64_C(1) << n) - 1));
}

/* Adds a taken branch, whose last byte is at `last`, to the history of steps.
 */
static void push_step(struct cy_predictor *p, uint64_t last, uint64_t to)
{
    push(&p->steps, STEP_BITS,
         p->has.taken > 0  ? last >> 2
         : p->has.is_blind ? mix(last) >> 32
                           : mix(last ^ mix(to)) >> 32);
}

/* A hash of the last conditional branches, some number of them, and of as many
   taken ones, if the history has them. */
static uint64_t history_of(const struct cy_predictor *p, unsigned n)
{
    unsigned most = p->has.taken > 0  ? p->has.taken
                    : p->has.path > 0 ? p->has.path
                                      : STEPS;

    return folded(&p->ways, n) ^
           mix(folded(&p->steps, STEP_BITS * (n < most ? n : most)));
}

static void move(int8_t *value, bool up, int least, int most)
{
    assert(*value >= least && *value <= most);
    if (up && *value < most)
        (*value)++;
    else if (!up && *value > least)
        (*value)--;
}

/* The counters of a branch in all tables. */
struct places {
    struct counter *at[N_TABLES];
    uint16_t tags[N_TABLES];
    int longest, next; /* last tables that know the branch; -1: `base` */
    int8_t *base;
};

static void find_places(struct cy_predictor *p, struct places *s,
                        uint64_t address)
{
    s->base = &p->base[mix(address) >> 7 & ((1 << BASE_BITS) - 1)];
    s->longest = s->next = -1;
    for (int t = 0; t < N_TABLES; t++) {
        uint64_t hash = mix(history_of(p, p->lengths[t]) ^ address);

        s->at[t] = &p->tables[t][hash & (p->n_counters - 1)];
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

/* What the longest history says, unless its counter is new, and not to be
   trusted yet. */
static bool tage_says(const struct places *s)
{
    const struct counter *c = s->longest >= 0 ? s->at[s->longest] : NULL;
    bool is_new =
        c != NULL && c->useful == 0 && (c->value == 0 || c->value == -1);

    return says(s, is_new ? s->next : s->longest);
}

/* A number from 0 to 3, at random: what is new goes to a longer history than it
   needs now and then, so that branches spread over the tables. */
static unsigned draw(struct cy_predictor *p)
{
    p->random = p->random * 1664525 + 1013904223;
    return p->random >> 30;
}

/* Gives the branch counters with longer histories. */
static void allocate(struct cy_predictor *p, struct places *s, bool taken)
{
    int first = s->longest + 1;
    unsigned n = 0;

    assert(first < N_TABLES);
    if (first < N_TABLES - 1 && draw(p) == 0)
        first++;
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

#define SURE 2 /* equal numbers of rounds in a row, to be trusted */

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
        l->way = taken; /* the branch mostly goes the other way */
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
    bool by_rounds;

    if (!taken && keys_find(&p->taken, address) == NO_KEY)
        return true;
    keys_add(&p->taken, address);
    find_places(p, &s, address);
    bool predicted = tage_says(&s);
    if (!p->has.by_history && loop_says(p, l, address, &by_rounds) &&
        by_rounds != predicted) {
        move(&l->better, by_rounds == taken, -8, 7);
        if (l->better >= 0)
            predicted = by_rounds;
    }
    /* The loop went on so long that all its rounds have one history. */
    if (l->address == address && l->so_far != UINT32_MAX &&
        l->so_far >= p->longest)
        predicted = l->way;
    learn(p, &s, taken);
    learn_loop(l, address, taken);
    push(&p->ways, 1, taken);
    return predicted == taken;
}

/* An entry for a longer history is made only if a shorter one told the wrong
   target. */
static bool indirect(struct cy_predictor *p, uint64_t address, uint64_t to)
{
    static const unsigned lengths[N_GOALS] = {0, 4, 12, 54};
    struct goal *at[N_GOALS], *known = NULL;
    uint64_t hashes[N_GOALS];
    unsigned longer = 0;

    for (unsigned t = 0; t < N_GOALS; t++) {
        hashes[t] = mix(history_of(p, lengths[t]) ^ address);
        at[t] = &p->goals[t][hashes[t] >> 8 & (p->n_goals - 1)];
        if (at[t]->hash == hashes[t]) {
            known = at[t];
            longer = t + 1;
        }
    }
    bool is_right = known != NULL && known->to == to;
    if (known != NULL && !is_right && !known->is_sure)
        known->to = to;
    if (known != NULL)
        known->is_sure = is_right;
    if (longer > 0 && longer < N_GOALS - 1 && draw(p) < 2)
        longer++;
    for (unsigned t = longer; t < N_GOALS && !is_right; t++) {
        if (!at[t]->is_sure) {
            *at[t] = (struct goal){hashes[t], to, false};
            break;
        }
        at[t]->is_sure = false;
    }
    return is_right;
}

static void call(struct cy_predictor *p, uint64_t next)
{
    assert(p->has.returns <= CY_MOST_RETURNS);
    p->returns[p->top] = next;
    p->top = (p->top + 1) % CY_MOST_RETURNS;
    if (p->n_calls < p->has.returns)
        p->n_calls++;
    else
        p->n_lost++;
}

/* Calls whose returns were not seen are left out; a return whose call was not
   seen leaves the stack as it is. */
static bool is_expected_return(struct cy_predictor *p, uint64_t to)
{
    if (p->n_calls == 0 && p->n_lost > 0) {
        p->n_lost--;
        return false;
    }
    for (unsigned i = 1; i <= p->n_calls; i++)
        if (p->returns[(p->top + CY_MOST_RETURNS - i) % CY_MOST_RETURNS] ==
            to) {
            p->n_calls -= i;
            p->top = (p->top + CY_MOST_RETURNS - i) % CY_MOST_RETURNS;
            break;
        }
    return true;
}

/* Was the return not expected before the stack of returns told its target?  It
   is learnt.  `hash` is of it and the taken branch before. */
static bool is_late_return(struct cy_predictor *p, uint64_t hash, uint64_t to)
{
    struct after *a = &p->after[hash >> (64 - AFTER_BITS)];
    bool is_known = a->hash == hash && (a->to[0] == to || a->to[1] == to);

    if (a->hash != hash)
        *a = (struct after){.hash = hash};
    if (a->to[0] != to)
        *a = (struct after){hash, {to, a->to[0]}};
    return !is_known;
}

/* Is the hash of a taken branch among those of the last ones?  It then is. */
static bool is_near(struct cy_predictor *p, uint64_t hash)
{
    unsigned i = 0;

    if (p->near == NULL)
        return true;
    uint64_t *ways = p->near[hash % (p->has.near / NEAR_WAYS)].ways;
    while (i < NEAR_WAYS && ways[i] != hash)
        i++;
    for (unsigned k = i < NEAR_WAYS ? i : NEAR_WAYS - 1; k > 0; k--)
        ways[k] = ways[k - 1];
    ways[0] = hash;
    return i < NEAR_WAYS;
}

/* Lets the quick predictor pass a taken branch. */
static void take(struct cy_predictor *p, enum cy_branch kind, uint64_t address,
                 uint64_t to, struct cy_foreseen *f)
{
    bool is_return = kind == CY_RETURN;
    uint64_t hash = mix(address ^ (is_return ? mix(p->taken_last) : 0));

    f->is_late = is_return && is_late_return(p, hash, to);
    f->is_near = is_near(p, hash);
    p->taken_last = address;
}

struct cy_foreseen cy_predictor_branch(struct cy_predictor *p,
                                       enum cy_branch kind, uint64_t address,
                                       uint64_t next, uint64_t to)
{
    struct cy_foreseen f = {.is_right = true, .is_near = true};
    bool is_taken = kind != CY_CONDITIONAL || to != next;

    assert(kind != CY_NO_BRANCH);
    if (is_taken)
        take(p, kind, address, to, &f);
    if (kind == CY_CONDITIONAL)
        f.is_right = conditional(p, address, is_taken);
    else if (kind == CY_INDIRECT || kind == CY_INDIRECT_CALL)
        f.is_right = indirect(p, address, to);
    else if (kind == CY_RETURN && p->has.returns > 0)
        f.is_right = is_expected_return(p, to);
    if ((kind == CY_DIRECT_CALL || kind == CY_INDIRECT_CALL) &&
        p->has.returns > 0)
        call(p, next);
    if (kind == CY_CONDITIONAL ? is_taken
                               : kind < CY_DIRECT_CALL || !p->has.is_blind)
        push_step(p, next - 1, to);
    return f;
}

/* --- Branches before a window --- */

#define LONGEST 4096 /* the most instructions that are read for a branch */
#define MOST    64   /* the most direct jumps, calls and returns in a row */
#define DEEPEST 64   /* calls whose returns are known; a power of two */

/* The first branch from some place on, all as places (cy_place_at). */
struct branch {
    enum cy_branch kind;   /* CY_NO_BRANCH: none was found */
    uint64_t at, next, to; /* to: where a direct one leads */
};

struct cy_training {
    const struct cy_windows *windows;
    struct cy_code *code;
    enum arch arch;
    struct branch *branches; /* by number in `from` */
    size_t n_branches, branches_room;
    struct keys from; /* places */
    uint64_t returns[DEEPEST];
    size_t depth; /* calls without a return, of which the last are known */
};

struct cy_training *cy_training_new(const struct cy_windows *windows,
                                    struct cy_code *code, enum arch arch)
{
    struct cy_training *t = memory_new(1, sizeof *t);

    t->windows = windows;
    t->code = code;
    t->arch = arch;
    return t;
}

void cy_training_free(struct cy_training *t)
{
    keys_fini(&t->from);
    free(t->branches);
    free(t);
}

static struct branch search(struct cy_training *t, uint64_t from)
{
    uint32_t object = cy_object_at(from);
    uint64_t address = cy_address_at(from), to;
    const uint8_t *bytes;

    for (size_t i = 0; i < LONGEST; i++) {
        unsigned n = cy_code_length(t->code, object, address, &bytes);
        enum cy_branch kind =
            n > 0 ? cy_branch_at(t->arch, bytes, n, address, &to)
                  : CY_NO_BRANCH;

        if (n == 0)
            break;
        if (kind != CY_NO_BRANCH)
            return (struct branch){kind, cy_place_at(object, address),
                                   cy_place_at(object, address + n),
                                   cy_place_at(object, to)};
        address += n;
    }
    return (struct branch){.kind = CY_NO_BRANCH};
}

static struct branch branch_from(struct cy_training *t, uint64_t from)
{
    uint32_t i = keys_add(&t->from, from);

    if (i == t->n_branches)
        array_append(t, branches, search(t, from));
    return t->branches[i];
}

static bool is_direct(enum cy_branch kind)
{
    return kind == CY_JUMP || kind == CY_DIRECT_CALL || kind == CY_RETURN;
}

static void enter(struct cy_training *t, const struct branch *b)
{
    if (b->kind == CY_DIRECT_CALL || b->kind == CY_INDIRECT_CALL)
        t->returns[t->depth++ % DEEPEST] = b->next;
}

/* Tells the predictor the branches that lead from a place to the next
   conditional or indirect one. */
static void go(struct cy_training *t, uint64_t from, struct cy_predictor *p)
{
    struct branch b = branch_from(t, from);

    for (size_t i = 0; i < MOST && is_direct(b.kind); i++) {
        uint64_t to = b.kind != CY_RETURN ? b.to
                      : t->depth > 0      ? t->returns[--t->depth % DEEPEST]
                                          : 0; /* not known */

        enter(t, &b);
        cy_predictor_branch(p, b.kind, b.at, b.next, to);
        if (to == 0)
            return;
        b = branch_from(t, to);
    }
}

static uint64_t place_of(const struct cy_training *t, uint32_t i)
{
    const struct cy_window_place *place = &t->windows->places[i];

    return cy_place_at(place->object, place->address);
}

void cy_train(struct cy_training *t, size_t i, struct cy_predictor *p)
{
    struct cy_lead *lead = t->windows->lead;
    const char *wrong = cy_lead_of(t->windows, i, lead);

    assert(wrong == NULL); /* cy_windows_read read all */
    (void)wrong;
    t->depth = 0;
    for (size_t j = 0; j < lead->n; j++) {
        const struct cy_lead_branch *of = &lead->branches[j];
        uint64_t at = place_of(t, of->place), to;
        struct branch b = branch_from(t, at);

        if (b.at != at || is_direct(b.kind)) /* its code cannot be read */
            continue;
        to = b.kind != CY_CONDITIONAL ? place_of(t, of->target)
             : of->is_taken           ? b.to
                                      : b.next;
        enter(t, &b);
        cy_predictor_branch(p, b.kind, at, b.next, to);
        go(t, to, p);
    }
}
