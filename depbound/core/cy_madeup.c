/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_figure.h"

#include "chain/cy_predict.h"

/* --- Addresses --- */

/* Accesses whose addresses add constants to the same registers form a group.
   The group has a place (address) in each round: it moves by a known number of
   bytes, or, if that is not known, is new in each round.  An edge puts a group
   where another one was some rounds before, or tells how a group moves. */

/* Bytes between groups, between runs of the loop, and between the places of
   successive rounds whose stride is not known. */
#define APART      (UINT64_C(1) << 44)
#define RUNS_APART (UINT64_C(1) << 34)
#define SPACED     4160

/* The most rounds before the first one whose places are asked for. */
#define MOST_BEFORE (1 << 20)

struct group {
    const struct flow_sum *sum;
    bool is_fixed; /* absolute addresses: the group's place is 0 */
    uint32_t root; /* the group at a fixed distance from this one; or itself */
    int64_t lag;   /* the group is where the root was `lag` rounds before, */
    uint64_t more; /* plus `more` bytes */
    /* The place of a group that is its own root moves by `stride` bytes every
       `period` rounds; 0 rounds: that is not known. */
    uint32_t period;
    uint64_t stride;
};

/* An access, in its group. */
struct member {
    uint32_t group;
    uint64_t more; /* bytes after the group's place */
    uint8_t size;
};

struct cy_places {
    struct cy_strides *strides;
    struct group *groups;
    uint32_t n_groups;
    bool are_apart;         /* each group has a single access */
    bool end_with_runs;     /* all groups have new places in the next run */
    struct member *members; /* by step: first its loads, then its stores */
};

static struct member *load_of(const struct cy_places *p, uint32_t step,
                              unsigned i)
{
    assert(i < FLOW_MOST_LOADS);
    return &p->members[(size_t)step * (FLOW_MOST_LOADS + FLOW_MOST_STORES) + i];
}

static struct member *store_of(const struct cy_places *p, uint32_t step,
                               unsigned i)
{
    assert(i < FLOW_MOST_STORES);
    return load_of(p, step, 0) + FLOW_MOST_LOADS + i;
}

/* Do two sums have the same registers, with the same factors? */
static bool are_alike(const struct flow_sum *a, const struct flow_sum *b)
{
    if (!a->is_known || !b->is_known || a->n != b->n)
        return false;
    for (uint8_t i = 0; i < a->n; i++) {
        uint8_t j = 0;

        while (j < b->n &&
               (a->words[i] != b->words[j] || a->factors[i] != b->factors[j]))
            j++;
        if (j == b->n)
            return false;
    }
    return true;
}

/* The group of an address, which is added if there is none. */
static uint32_t group_of(struct cy_places *p, const struct cy_moving *at)
{
    uint32_t g = p->are_apart ? p->n_groups : 0;

    while (g < p->n_groups && !are_alike(p->groups[g].sum, &at->sum))
        g++;
    if (g == p->n_groups)
        p->groups[p->n_groups++] = (struct group){
            .sum = &at->sum,
            .is_fixed = !p->are_apart && at->sum.is_known && at->sum.n == 0,
            .root = g,
            .period = at->stride.is_known,
            .stride = at->stride.bytes};
    return g;
}

static struct member member_of(struct cy_places *p, const struct cy_moving *at,
                               const struct flow_access *access)
{
    return (struct member){
        group_of(p, at), at->sum.is_known ? at->sum.constant : 0, access->size};
}

static void take_members(struct cy_places *p, const struct cy_cost_of_loop *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        const struct flow *flow = &c->steps[i].insn->flow;

        for (unsigned j = 0; j < flow->n_loads; j++)
            *load_of(p, i, j) =
                member_of(p, &p->strides[i].loads[j], &flow->loads[j]);
        for (unsigned j = 0; j < flow->n_stores; j++)
            *store_of(p, i, j) =
                member_of(p, &p->strides[i].stores[j], &flow->stores[j]);
    }
}

/* Where an access is: `more` bytes after the place of its group's root `lag`
   rounds before. */
struct where {
    uint32_t root;
    int64_t lag;
    uint64_t more;
};

static struct where where_is(const struct cy_places *p, const struct member *m)
{
    struct where at = {m->group, 0, m->more};

    assert(m->group < p->n_groups);
    while (p->groups[at.root].root != at.root) {
        const struct group *g = &p->groups[at.root];

        at = (struct where){g->root, at.lag + g->lag, at.more + g->more};
    }
    return at;
}

/* A root's place `lag` rounds before, relative to its place now; false: not
   known. */
static bool place_before(const struct group *root, int64_t lag, uint64_t *bytes)
{
    *bytes = 0;
    if (lag == 0)
        return true;
    if (root->period == 0 || lag % root->period != 0)
        return false;
    *bytes = 0 - (uint64_t)(lag / root->period) * root->stride;
    return true;
}

/* Lets a root's place be `bytes` after its place `lag` rounds before; false if
   that contradicts what is known. */
static bool move(struct group *root, int64_t lag, uint64_t bytes)
{
    uint64_t before;

    if (lag < 0)
        return move(root, -lag, 0 - bytes);
    if (place_before(root, lag, &before))
        return before + bytes == 0;
    if (root->period != 0 || lag > MOST_BEFORE)
        return false;
    root->period = (uint32_t)lag;
    root->stride = bytes;
    return true;
}

static void join(struct group *groups, uint32_t child, uint32_t root,
                 int64_t lag, uint64_t more)
{
    groups[child].root = root;
    groups[child].lag = lag;
    groups[child].more = more;
}

/* Puts a load `offset` bytes after where the store was some rounds before;
   false if that contradicts what is known. */
static bool place(struct cy_places *p, const struct member *store,
                  const struct member *load, uint32_t rounds, int64_t offset)
{
    struct where from = where_is(p, store), to = where_is(p, load);
    struct group *a = &p->groups[from.root], *b = &p->groups[to.root];
    int64_t lag = rounds + from.lag - to.lag;
    uint64_t more = from.more + (uint64_t)offset - to.more;

    if (from.root == to.root)
        return move(a, lag, more);
    if (a->period != 0 && b->period != 0 &&
        (a->period != b->period || a->stride != b->stride ||
         (a->is_fixed && b->is_fixed)))
        return false;
    if ((a->period == 0 && b->period != 0) || b->is_fixed)
        join(p->groups, from.root, to.root, -lag, 0 - more);
    else
        join(p->groups, to.root, from.root, lag, more);
    return true;
}

/* Does a load read the store of some rounds before, wherever groups lie? */
static bool meets(const struct cy_places *p, const struct member *store,
                  const struct member *load, uint32_t rounds)
{
    struct where from = where_is(p, store), to = where_is(p, load);
    uint64_t before;

    if (from.root != to.root ||
        !place_before(&p->groups[from.root], rounds + from.lag - to.lag,
                      &before))
        return false;
    uint64_t apart = to.more - from.more - before;
    return apart < store->size || 0 - apart < load->size;
}

static bool meet_already(const struct cy_places *p,
                         const struct cy_cost_of_loop *c,
                         const struct cy_memory_edge *e, uint32_t rounds)
{
    for (unsigned i = 0; i < c->steps[e->store].insn->flow.n_stores; i++)
        for (unsigned j = 0; j < c->steps[e->load].insn->flow.n_loads; j++)
            if (meets(p, store_of(p, e->store, i), load_of(p, e->load, j),
                      rounds))
                return true;
    return false;
}

/* An edge, and what taken_order() sorts it by. */
struct taken {
    const struct cy_memory_edge *edge;
    uint64_t constant; /* the constant part of the store's address */
    size_t number;
};

ARRAY_ORDER(taken_order, struct taken,
            array_order(b->edge->support, a->edge->support)
                ?: array_order(a->edge->load, b->edge->load)
                ?: array_order((int64_t)a->constant, (int64_t)b->constant)
                ?: array_order(a->number, b->number))

/* The load's address minus the store's, or, if not known, one that fits their
   overlap.  *joined bytes of the load come from stores that were taken
   before. */
static int64_t offset_of(const struct cy_memory_edge *e, unsigned stored,
                         unsigned loaded, unsigned *joined)
{
    int64_t offset = 0;

    if (e->has_offset)
        return e->offset;
    if (e->has_relation && e->relation == CY_PARTIAL && loaded <= stored)
        return stored - (loaded + 1) / 2;
    if (loaded > stored && *joined < loaded)
        offset = -(int64_t)*joined;
    *joined += stored;
    return offset;
}

/* Places the groups by the edges.  Returns how many edges contradict others. */
static size_t take_edges(struct cy_places *p, const struct cy_cost_of_loop *c,
                         enum cy_held held)
{
    size_t all = held == CY_HELD_ALL ? c->edges.n_all : c->edges.n, n = 0,
           n_impossible = 0;
    AUTO_FREE struct taken *taken = memory_new(all, sizeof *taken);
    AUTO_FREE unsigned *joined = memory_new(c->n, sizeof *joined);

    for (size_t i = 0; i < all; i++)
        if (held != CY_HELD_SURE || c->edges.list[i].is_sure)
            taken[n++] =
                (struct taken){&c->edges.list[i],
                               store_of(p, c->edges.list[i].store, 0)->more, i};
    array_sort(taken, n, taken_order);
    for (size_t i = 0; i < n; i++) {
        const struct cy_memory_edge *e = taken[i].edge;
        const struct member *store = store_of(p, e->store, 0),
                            *load = load_of(p, e->load, 0);
        uint32_t rounds = (uint32_t)lround(e->mean_rounds);
        bool is_there = store->size > 0 && load->size > 0;

        if (is_there && !meet_already(p, c, e, rounds))
            n_impossible +=
                !place(p, store, load, rounds,
                       offset_of(e, store->size, load->size, &joined[e->load]));
    }
    return n_impossible;
}

/* Do all edges stay within a run of the loop?  Then the next run is elsewhere
   in memory, except for absolute addresses. */
static bool end_with_runs(const struct cy_cost_of_loop *c)
{
    for (size_t i = 0; i < c->edges.n; i++)
        if (!c->edges.list[i].is_in_run)
            return false;
    return c->edges.n > 0;
}

struct cy_places *cy_places_new(const struct cy_cost_of_loop *c,
                                enum cy_held held, size_t *n_impossible)
{
    struct cy_places *p = memory_new(1, sizeof *p);
    size_t most = (size_t)c->n * (FLOW_MOST_LOADS + FLOW_MOST_STORES);

    p->are_apart = held == CY_HELD_NONE;
    p->end_with_runs = end_with_runs(c);
    p->strides = cy_strides_new(c->steps, c->n);
    p->groups = memory_new(most, sizeof *p->groups);
    p->members = memory_new(most, sizeof *p->members);
    take_members(p, c);
    *n_impossible = held != CY_HELD_NONE ? take_edges(p, c, held) : 0;
    return p;
}

void cy_places_free(struct cy_places *p)
{
    free(p->strides);
    free(p->groups);
    free(p->members);
    free(p);
}

static uint64_t address_of(const struct cy_places *p, const struct member *m,
                           size_t round, size_t run)
{
    struct where at = where_is(p, m);
    const struct group *root = &p->groups[at.root];
    uint64_t base = root->is_fixed ? 0 : (at.root + 1) * APART, number;

    /* A place that moves from round to round is elsewhere in another run. */
    if (!root->is_fixed && (p->end_with_runs || root->stride != 0))
        base += run * RUNS_APART;
    number = (uint64_t)((int64_t)round - at.lag + MOST_BEFORE);
    if (root->period == 0)
        return base + number * SPACED + at.more;
    return base + number % root->period * SPACED +
           (number / root->period - MOST_BEFORE / root->period) * root->stride +
           at.more;
}

uint64_t cy_places_load(const struct cy_places *p, uint32_t step, unsigned i,
                        size_t round, size_t run)
{
    return address_of(p, load_of(p, step, i), round, run);
}

uint64_t cy_places_store(const struct cy_places *p, uint32_t step, unsigned i,
                         size_t round, size_t run)
{
    return address_of(p, store_of(p, step, i), round, run);
}

/* --- Rounds --- */

/* The most rounds; if they never settle, the last three quarters count.  (With
   1,000 of them, 4 of the 1,430 loops of Debian 12's bash differ by more than
   1 %, the worst by 4 %.) */
#define ROUNDS 320

/* Long loops have fewer rounds, but enough to fill a core. */
#define MOST_INSNS    200000
#define FEWEST_ROUNDS 32

/* 1 / EXACT cycles and less are rounding errors. */
#define EXACT 1e9

struct cy_madeup {
    const struct cy_cost_of_loop *loop;
    struct cy_window_source source;
    struct cy_recorded window;
    struct cy_simulation *simulation;
    struct cy_places *places;
    struct cy_window_access *accesses; /* accesses in the order of the loop */
    uint32_t *first_access;            /* by instruction; then the end */
    struct cy_simulated_insn *insns;
    size_t n;       /* number of rounds */
    size_t per_run; /* rounds of a run of the loop; 0: there is one run */
    bool is_unrolled;
};

static void take_insns(struct cy_madeup *r)
{
    const struct cy_cost_of_loop *c = r->loop;
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n; i++) {
        const struct flow *flow = &c->steps[i].insn->flow;

        r->first_access[i] = n;
        for (unsigned j = 0; j < flow->n_loads; j++)
            r->accesses[n++] =
                (struct cy_window_access){false, flow->loads[j].size};
        for (unsigned j = 0; j < flow->n_stores; j++)
            r->accesses[n++] =
                (struct cy_window_access){true, flow->stores[j].size};
        r->insns[i] = (struct cy_simulated_insn){
            .length = c->insns[i].length,
            .address = c->insns[i].address,
            .accesses = r->accesses + r->first_access[i],
            .n_accesses = (uint8_t)(n - r->first_access[i]),
            .step = &c->steps[i]};
    }
    r->first_access[c->n] = n;
}

static void make_window(struct cy_madeup *r)
{
    struct cy_recorded *window = &r->window;
    uint32_t n = r->loop->n, n_accesses = r->first_access[n];

    window->weight = 1;
    window->n = r->n * n;
    window->per_round = n * (r->per_run > 0 ? r->per_run : 1);
    window->is_unrolled = r->is_unrolled;
    array_reserve(window, executed, window->n);
    array_reserve(window, addresses, r->n * n_accesses);
    for (size_t round = 0; round < r->n; round++)
        for (uint32_t j = 0; j < n; j++) {
            const struct flow *flow = &r->loop->steps[j].insn->flow;
            size_t run = r->per_run > 0 ? round / r->per_run : 0;
            uint32_t first = (uint32_t)round * n_accesses + r->first_access[j];
            uint64_t *to = window->addresses + first;

            window->executed[round * n + j] =
                (struct cy_executed){.insn = j,
                                     .first_access = first,
                                     .is_entry = j == 0 && r->per_run > 0 &&
                                                 round % r->per_run == 0};
            for (unsigned k = 0; k < flow->n_loads; k++)
                *to++ = cy_places_load(r->places, j, k, round, run);
            for (unsigned k = 0; k < flow->n_stores; k++)
                *to++ = cy_places_store(r->places, j, k, round, run);
        }
    window->executed[window->n] = (struct cy_executed){
        .insn = CY_NO_INSN, .first_access = (uint32_t)r->n * n_accesses};
}

static const struct cy_recorded *take_window(void *context, size_t i)
{
    const struct cy_madeup *r = context;

    (void)i;
    return &r->window;
}

/* How many rounds to make up: a multiple of four, and of whole runs. */
static size_t rounds_of(uint32_t n, size_t per_run)
{
    size_t rounds = MOST_INSNS / n, step = 4 * (per_run > 0 ? per_run : 1);

    if (rounds > ROUNDS)
        rounds = ROUNDS;
    if (rounds < FEWEST_ROUNDS)
        rounds = FEWEST_ROUNDS;
    return (rounds + step - 1) / step * step;
}

struct cy_madeup *cy_madeup_new(const struct cy_model *model,
                                const struct cy_cost_of_loop *c,
                                const struct cy_madeup_choice *choice,
                                size_t *n_impossible)
{
    struct cy_madeup *m = memory_new(1, sizeof *m);
    size_t most = (size_t)c->n * (FLOW_MOST_LOADS + FLOW_MOST_STORES);
    struct cy_recipes recipes;

    *m = (struct cy_madeup){.loop = c,
                            .source = {m, 1, take_window},
                            .accesses = memory_new(most, sizeof *m->accesses),
                            .first_access =
                                memory_new(c->n + 1, sizeof *m->first_access),
                            .insns = memory_new(c->n, sizeof *m->insns),
                            .n = rounds_of(c->n, choice->per_run),
                            .per_run = choice->per_run,
                            .is_unrolled = choice->is_unrolled};
    assert(c->n > 0 && m->n >= FEWEST_ROUNDS);
    take_insns(m);
    m->places = cy_places_new(c, choice->held, n_impossible);
    make_window(m);
    cy_recipes_init(&recipes, m->insns, c->uses, c->n, model);
    m->simulation = cy_simulation_new(&m->source, &recipes);
    return m;
}

void cy_madeup_free(struct cy_madeup *m)
{
    if (m == NULL)
        return;
    cy_simulation_free(m->simulation);
    cy_places_free(m->places);
    cy_recorded_fini(&m->window);
    free(m->accesses);
    free(m->first_access);
    free(m->insns);
    free(m);
}

double cy_madeup_run(struct cy_madeup *m, enum cy_fix_kind kind,
                     struct cy_outcome *outcome)
{
    const struct cy_fix fix = {.kind = kind};

    cy_windows_simulate(outcome, m->simulation, &fix);
    assert(outcome->instructions >= m->loop->n);
    double cycles =
        outcome->cycles / (double)(outcome->instructions / m->loop->n);
    return round(cycles * EXACT) / EXACT;
}
