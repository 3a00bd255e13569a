/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_pipeline.h"

#include "keys.h"

/* --- What transfers through memory cost --- */

/* A machine file counts the rounds of a loop between store and load, but a
   processor sees whether the store is the latest one of its instruction.  In a
   loop whose code is in the order of its addresses, `rounds` later stores of
   the instruction mean as many rounds if the store comes first, and one more if
   the load does. */

#define MOST_ROUNDS 62

static bool is_same(const struct cy_asked *a, const struct cy_asked *b)
{
    return a->store == b->store && a->load == b->load &&
           a->relation == b->relation && a->rounds == b->rounds &&
           a->is_inside == b->is_inside && a->is_copy == b->is_copy &&
           a->is_moved == b->is_moved;
}

/* Does it load, compute with a register, and store? */
static bool rewrites_by_register(const struct cy_recipe *r)
{
    const char *form = r->step->operands.form;

    return r->n_loads > 0 && r->n_stores > 0 &&
           (form[0] == 'c' || (form[0] == 'r' && form[1] != '\0'));
}

static void look_up(const struct cy_recipes *recipes, struct cy_answer *answer)
{
    const struct cy_asked *a = &answer->asked;
    const struct cy_recipe *from = cy_recipe_of(recipes, a->store),
                           *to = cy_recipe_of(recipes, a->load);
    bool store_first =
        recipes->insns[a->store].address < recipes->insns[a->load].address;
    struct cy_through through = {
        .store = from->step->operands.store,
        .load = to->step->operands.load,
        .relation = a->relation,
        .offset = a->is_inside,
        .delta_k = a->rounds + !store_first,
        .load_op = to->n_stores == 0 && to->loads_compute,
        .store_first = store_first,
        .store_rmw = from->n_loads > 0,
        .load_rmw = to->n_stores > 0,
        .self = a->store == a->load,
        .rmw_register = rewrites_by_register(from) || rewrites_by_register(to),
        .moved = a->is_moved,
        .copy = a->is_copy,
        .load_parts = to->has_parts,
        .store_parts = from->has_parts,
        .locked =
            from->step->operands.is_locked || to->step->operands.is_locked,
    };

    assert(a->store < recipes->n_insns && a->load < recipes->n_insns);
    if (through.delta_k > MOST_ROUNDS)
        through.delta_k = MOST_ROUNDS;
    answer->is_found =
        cy_machine_forward(recipes->model->machine, &through, &answer->cost);
    if (!answer->is_found)
        answer->cost =
            (struct cy_cost){.how = CY_FORWARDED, .cycles = to->load_cycles};
}

/* The cost of a transfer, cached; false: the machine file has no rule. */
static bool find_rule(struct cy_pipeline *c, const struct cy_asked *asked,
                      struct cy_cost *cost)
{
    uint64_t kind = (uint64_t)asked->relation << 40 ^
                    (uint64_t)asked->rounds << 44 ^
                    (uint64_t)asked->is_inside << 50 ^
                    (uint64_t)asked->is_copy << 51 ^
                    (uint64_t)asked->is_moved << 52,
             hash = keys_pair(asked->store, asked->load) *
                        UINT64_C(0x9e3779b97f4a7c15) ^
                    kind;
    uint32_t known = keys_match(&c->asked_keys, hash, i,
                                is_same(&c->answers[i].asked, asked));

    if (known == NO_KEY) {
        struct cy_answer answer = {.asked = *asked};

        look_up(c->recipes, &answer);
        known = keys_append(&c->asked_keys, hash);
        array_append(c, answers, answer);
    }
    *cost = c->answers[known].cost;
    return c->answers[known].is_found;
}

/* --- Loads that begin too early --- */

/* A processor lets a load go ahead of stores whose addresses it does not know.
   If one of the stores turns out to write what was read, the load and all after
   it begin anew, and the next times the load waits for the addresses of all
   stores before it.

   The figures were measured on Zen 5, with loops of one store whose address
   comes late and a load that reads its bytes every so often.  A load is told to
   wait when it is dispatched, so its executions that are already dispatched
   when the last one has waited wait, too. */
#define TIMES   24  /* executions of a load that wait after an early one */
#define IN_TIME 1.0 /* cycles a load may begin before a store's address */
#define AFTER   3.0 /* cycles from the last address to a waiting load's start */
#define LEAST   7.0 /* least cycles that a load loses if it waits */

/* Adds the end of a wait for a store's address as an event. */
static struct cy_moment wait_until(struct cy_pipeline *c, double time,
                                   uint32_t from, uint32_t store)
{
    struct cy_moment at = cy_pipeline_event(
        c, time, (struct cy_moment){.event = from}, CY_CAUSE_ADDRESSES, 0);

    c->events.list[at.event].store = store;
    return at;
}

/* *at is when the instruction's load could begin.  True if the load waits for
   stores' addresses: *at is then when it begins. */
static bool wait_for_stores(struct cy_pipeline *c, struct cy_moment *at)
{
    const struct cy_early *load = &c->early[c->insn];
    uint32_t from = c->placed.event;

    if ((load->left == 0 && c->dispatched.time >= load->until) ||
        c->placed.time <= at->time)
        return false;
    double end = c->placed.time + AFTER;
    if (end < at->time + LEAST) {
        end = at->time + LEAST;
        from = at->event;
    }
    *at = wait_until(c, end, from, load->store);
    return true;
}

/* Checks whether a load that reads what this store wrote began too early.
   `time` is when it began, or could have begun if it has waited. */
static void meet_early(struct cy_pipeline *c, const struct cy_stored *s,
                       double time, bool has_waited)
{
    if (s->placed.time <= time + IN_TIME)
        return;
    c->is_load_early = true; /* the next executions wait */
    if (c->early[c->insn].until == 0 && c->early[c->insn].left == 0)
        array_append(c, early_loads, c->insn);
    c->early[c->insn] = (struct cy_early){.store = s->insn, .left = TIMES};
    if (!has_waited)
        cy_fetch_rest(&c->fetch, wait_until(c, s->placed.time + c->penalty,
                                            s->placed.event, s->insn));
}

/* --- Loads and stores --- */

/* A load reads from the stores that wrote its bytes last.  A forward that fails
   waits until all of them have left the store buffer, which they do in order,
   after everything before them has retired.  A store that left long ago counts,
   too, but costs nothing: its value is available before that of the cache. */

/* A value of asked.rounds: the store is not the latest of its instruction. */
#define AN_EARLIER_ONE 2

/* Is the base that of the last time?  Keeps it. */
static bool is_again(uint64_t *last, uint64_t base)
{
    bool is = *last == base;

    *last = base;
    return is;
}

/* A load, and the stores that its bytes come from. */
struct meeting {
    uint64_t address;
    unsigned size;
    uint32_t stores[CY_MOST_WRITERS];
    unsigned n;
    bool has_others; /* some bytes come from elsewhere */
    uint64_t stamp;  /* cy_pipeline_stamp of the load's address */
    uint64_t base;   /* cy_pipeline_base of it */
    bool is_settled; /* it is that of the execution before */
    double begin;    /* when the load begins, or could have if it has waited */
    bool has_waited; /* it has waited for addresses of stores */
    /* The last of the load's waits. */
    struct wait {
        uint32_t from; /* event that the wait begins at */
        uint32_t store;
        enum cy_cause cause;
        double delay; /* the part that was for a unit */
    } last;
};

static enum cy_relation relation_of(const struct cy_pipeline *c,
                                    const struct meeting *m)
{
    const struct cy_stored *s = &c->stores[m->stores[0]];

    assert(m->n > 0);
    if (m->n > 1)
        return CY_SEVERAL;
    if (m->has_others)
        return CY_PARTIAL;
    if (cy_crosses(m->address, m->size, CY_PAGE))
        return CY_CROSSING_PAGE;
    if (cy_crosses(m->address, m->size, CY_LINE))
        return CY_CROSSING;
    return s->address == m->address && s->size == m->size ? CY_SAME
                                                          : CY_CONTAINED;
}

static bool is_fixed(const struct cy_pipeline *c, enum cy_fix_kind kind,
                     uint32_t store)
{
    const struct cy_fix *fix = c->fix;

    return fix->kind == kind &&
           (fix->parts == NULL || (fix->parts[c->insn] && fix->parts[store]));
}

/* Counts a transfer from a store to a load. */
static void note(struct cy_pipeline *c, const struct meeting *m,
                 const struct cy_stored *s, enum cy_relation relation,
                 uint32_t rounds, const struct cy_cost *cost, bool is_known)
{
    enum cy_basis basis = is_known ? cost->basis : CY_GUESSED;
    bool fails = cost->how == CY_FAILED;

    c->outcome->n_no_rules += !is_known || cost->is_guessed;
    cy_outcome_hop(
        c->outcome,
        (struct cy_hop){.from = CY_NO_INSN,
                        .to = c->insn,
                        .store = s->insn,
                        .cause = fails ? CY_CAUSE_FAILED : CY_CAUSE_FORWARDED,
                        .n = 1,
                        .passage = {.how = cost->how,
                                    .relation = relation,
                                    .since = rounds,
                                    .cycles = cost->cycles,
                                    .address = m->address,
                                    .is_guessed = !is_known || cost->is_guessed,
                                    .basis = basis}});
}

static bool is_general(enum cy_class class, enum cy_addressing at)
{
    return class == CY_GENERAL && (at == CY_BASE || at == CY_STACK);
}

/* Golden Cove may rename what a load always reads from the latest execution of
   the same store, between general registers; in which runs it does is not
   known.  It never renames transfers with an index, nor of an instruction to
   itself. */
static bool may_be_renamed(const struct cy_pipeline *c,
                           const struct cy_asked *asked)
{
    const struct cy_operands
        *from = &cy_recipe_of(c->recipes, asked->store)->step->operands,
        *to = &cy_recipe_of(c->recipes, asked->load)->step->operands;

    return asked->relation == CY_SAME && asked->rounds == 0 &&
           asked->store != asked->load &&
           is_general(from->store.class, from->store.addressing) &&
           is_general(to->load.class, to->load.addressing);
}

/* At its slowest it forwards even what it mostly renames; in windows, only
   where a register of the address was written since the store. */
static bool is_at_its_slowest(const struct cy_pipeline *c,
                              const struct meeting *m,
                              const struct cy_stored *s)
{
    return c->fix->kind == CY_FIX_SLOW &&
           (c->is_made_up || m->stamp != s->stamp);
}

static void find_cost(struct cy_pipeline *c, const struct meeting *m,
                      const struct cy_stored *s, struct cy_cost *cost)
{
    uint32_t rounds = cy_rounds_since(c->counts[s->insn], s->count);
    struct cy_asked asked = {
        .store = s->insn,
        .load = c->insn,
        .relation = (uint8_t)relation_of(c, m),
        .is_inside = m->address > s->address,
        .is_moved = m->base != s->base && !(m->is_settled && s->is_settled),
        .is_copy = s->data.origin_insn == c->insn && !s->data.computes};

    assert(s >= c->stores && s < c->stores + c->n_stores);
    asked.rounds = (uint8_t)(rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS);
    if (asked.relation != CY_CONTAINED)
        asked.is_inside = false;
    bool is_known = find_rule(c, &asked, cost);
    enum cy_habit habit = cy_habits_meet(
        c->habits, c->insn, c->n_stores - (size_t)(s - c->stores), s->insn,
        rounds, cost->how == CY_RENAMED);
    if (m->stamp == s->stamp)
        habit = CY_HABIT;
    c->is_misread |= habit == CY_BROKEN;
    if (cost->how == CY_RENAMED &&
        (habit != CY_HABIT || is_at_its_slowest(c, m, s) ||
         cy_recipe_of(c->recipes, s->insn)->retiring > 0)) {
        asked.rounds = AN_EARLIER_ONE;
        find_rule(c, &asked, cost);
    }
    if (c->fix->kind == CY_FIX_QUICK && habit == CY_HABIT &&
        may_be_renamed(c, &asked)) {
        cost->how = CY_RENAMED;
        cost->cycles = cost->at_least = 0;
    }
    c->has_failed |= cost->how == CY_FAILED;
    if (cost->how == CY_FAILED &&
        (is_fixed(c, CY_FIX_WIDE, s->insn) || c->fix->kind == CY_FIX_MENDED)) {
        asked.relation = CY_SAME;
        find_rule(c, &asked, cost);
        cost->how = CY_FORWARDED;
    }
    if (c->is_counted && !c->fix->is_brief)
        note(c, m, s, asked.relation, rounds, cost, is_known);
}

/* Without schedulers for accesses, how long they stay in one is not known. */
static bool stays(const struct cy_pipeline *c)
{
    return c->buffers.list[CY_ACCESS_SCHEDULER].size > 0 ||
           c->buffers.load_schedulers > 0;
}

/* Lets a load wait for a store's value.  The load stays in its scheduler until
   then; if the value was forwarded, the load begins again at value->begin. */
static void pass(struct cy_pipeline *c, struct meeting *m,
                 const struct cy_stored *s, struct cy_value *value,
                 struct cy_moment *issue)
{
    struct cy_cost cost;
    struct cy_moment from;
    double time;

    find_cost(c, m, s, &cost);
    if (s->insn != c->insn)
        c->read_in[s->insn] = c->window;
    if (cost.how != CY_RENAMED)
        meet_early(c, s, m->begin, m->has_waited);
    if (cost.how == CY_FAILED) {
        from = s->left;
        time = from.time + cy_later(0, cost.cycles - c->store_completion);
    } else {
        from = s->data.at;
        time = from.time + cost.cycles;
        if (s->data.computes && s->data.origin >= 0)
            time = cy_later(time, s->data.origin + cost.at_least);
    }
    if (cost.how == CY_RENAMED && m->n == 1)
        value->base = s->data.base;
    if (stays(c))
        cy_last_at(issue, from.time, from.event);
    if (stays(c) && cost.how == CY_FORWARDED)
        value->begin = cy_later(value->begin, from.time);
    if (time < value->at.time)
        return;
    value->at.time = time;
    m->last = (struct wait){
        from.event, s->insn,
        cost.how == CY_FAILED ? CY_CAUSE_FAILED : CY_CAUSE_FORWARDED, 0};
}

/* Sets *value as if the loaded value had stayed in a register; false if the fix
   is for none of its stores. */
static bool in_register(struct cy_pipeline *c, const struct meeting *m,
                        struct cy_value *value)
{
    bool is_wanted = false;

    if (c->fix->kind != CY_FIX_REGISTER &&
        (c->fix->kind != CY_FIX_MENDED || m->n != 1 || m->has_others))
        return false;
    for (unsigned i = 0; i < m->n; i++)
        is_wanted |= is_fixed(c, c->fix->kind, c->stores[m->stores[i]].insn);
    if (!is_wanted)
        return false;
    value->at = c->dispatched;
    for (unsigned i = 0; i < m->n; i++) {
        const struct cy_stored *s = &c->stores[m->stores[i]];

        if (s->data.at.time >= value->at.time)
            cy_value_copy(value, &s->data);
    }
    value->begin = value->at.time;
    return true;
}

static void touch(struct cy_pipeline *c, uint64_t address)
{
    if (!c->fix->is_brief && cy_written_is_first(c->written, address) &&
        c->is_counted)
        c->outcome->n_first_touches++;
}

static void meet(struct cy_pipeline *c, struct meeting *m, uint64_t address,
                 unsigned size)
{
    unsigned n = cy_written_load(c->written, address, size, m->stores);

    assert(n > 0 && n <= CY_MOST_WRITERS);
    m->address = address;
    m->size = size;
    m->has_others = false;
    for (unsigned i = 0; i < n; i++)
        if (m->stores[i] == CY_NO_STORE) {
            m->has_others = true;
            c->is_misread |= cy_habits_meet(c->habits, c->insn, CY_LONG_AGO, 0,
                                            0, false) == CY_BROKEN;
        } else {
            m->stores[m->n++] = m->stores[i];
        }
    touch(c, address);
}

/* Leaves out the stores that have left their buffer, and whose bytes are in the
   cache, when the load begins and all of its stores have their data, unless
   all have left.  (On Zen 1 a load of 8 bytes takes 23.4 cycles if two
   stores are in the buffer, and 17 if the older one, which had its data 8
   cycles earlier, is not.) */
static void leave_out_left(const struct cy_pipeline *c, struct meeting *m)
{
    double time = m->begin;
    unsigned n = 0;

    for (unsigned i = 0; i < m->n; i++)
        time = cy_later(time, c->stores[m->stores[i]].data.at.time);
    for (unsigned i = 0; i < m->n; i++)
        n += c->stores[m->stores[i]].left.time > time;
    if (n == 0 || n == m->n)
        return;
    n = 0;
    for (unsigned i = 0; i < m->n; i++)
        if (c->stores[m->stores[i]].left.time > time)
            m->stores[n++] = m->stores[i];
    m->n = n;
    m->has_others = true;
}

/* Units of an access to two lines are taken twice. */
static const float *rates_of(const float *once, bool is_taken, uint64_t address,
                             unsigned size, float twice[CY_N_RATES])
{
    if (!is_taken)
        return NULL;
    if (address == CY_NOT_DONE || !cy_crosses(address, size, CY_LINE))
        return once;
    for (unsigned i = 0; i < CY_N_RATES; i++)
        twice[i] = 2 * once[i];
    return twice;
}

void cy_pipeline_load(struct cy_pipeline *c, const struct cy_recipe *r,
                      unsigned l, const uint64_t *addresses,
                      struct cy_value *value, struct cy_moment *issue)
{
    const struct cy_recipe_load *load = &r->loads[l];
    struct cy_arrival w =
        cy_pipeline_wait(c, r, &load->address, NULL, false, false);
    uint64_t address = cy_address_of(addresses, load->access);
    struct cy_early *early = &c->early[c->insn];
    float twice[CY_N_RATES];
    const float *rates =
        rates_of(r->load_rates, r->has_load_rates, address, load->size, twice);
    struct meeting m;
    struct cy_moment may;
    double start;

    *value = (struct cy_value){.origin = -1, .origin_insn = c->insn};
    m.n = 0;
    if (address != CY_NOT_DONE && c->fix->kind != CY_FIX_FREE) {
        meet(c, &m, address, load->size);
        m.stamp = cy_pipeline_stamp(c, &load->address);
        m.base = cy_pipeline_base(c, &load->address);
        m.is_settled = is_again(&c->load_bases[c->insn], m.base);
        if (in_register(c, &m, value))
            return;
    }
    cy_moment_copy(&may, &w.last->at);
    m.has_waited = wait_for_stores(c, &may);
    start =
        cy_pipeline_start(c, may.time, l == 0 ? &r->load_work : NULL, rates);
    m.begin = m.has_waited ? w.last->at.time : start;
    if (early->left > 0 && --early->left == 0)
        early->until = start;
    cy_last_at(issue, start, may.event);
    value->at.time = start + r->load_cycles;
    value->begin = start;
    m.last =
        (struct wait){may.event, CY_NO_INSN, CY_CAUSE_LOADS, start - may.time};
    leave_out_left(c, &m);
    for (unsigned i = 0; i < m.n; i++)
        pass(c, &m, &c->stores[m.stores[i]], value, issue);
    if (value->begin > start) {
        double again = cy_pipeline_start(c, value->begin,
                                         l == 0 ? &r->load_work : NULL, rates);

        value->at.time += again - value->begin;
        m.last.delay += again - value->begin;
        cy_last_at(issue, again, issue->event);
    }
    value->at = cy_pipeline_event(c, value->at.time,
                                  (struct cy_moment){.event = m.last.from},
                                  m.last.cause, m.last.delay);
    c->events.list[value->at.event].store = m.last.store;
    if (m.n == 0)
        value->at = cy_pipeline_line(c, CY_MISSING_LOAD, load->access, address,
                                     cy_pipeline_origin(c, &load->address),
                                     start, value->at);
    value->begin = value->origin = value->at.time;
}

/* The bytes of accesses that VEX splits and the flow does not have belong to
   the last store. */
static void write_bytes(struct cy_pipeline *c, const struct cy_recipe *r,
                        unsigned s, const uint64_t *addresses)
{
    const struct cy_recipe_store *store = &r->stores[s];
    uint64_t address = cy_address_of(addresses, store->access);
    struct cy_stored *to = &c->stores[c->n_stores - 1];

    assert(c->n_stores > 0);
    if (address == CY_NOT_DONE)
        return;
    to->address = address;
    cy_written_store(c->written, address, store->size,
                     (uint32_t)c->n_stores - 1);
    touch(c, address);
}

struct cy_moment
cy_pipeline_store(struct cy_pipeline *c, const struct cy_recipe *r, unsigned s,
                  const uint64_t *addresses, const struct cy_value *loads,
                  const struct cy_value *result, struct cy_moment *issue)
{
    const struct cy_recipe_store *store = &r->stores[s];
    struct cy_arrival where =
        cy_pipeline_wait(c, r, &store->address, loads, false, false);
    const struct cy_value *from = result;
    struct cy_moment at;
    double start, ready = where.last->at.time;
    float twice[CY_N_RATES];
    const float *rates =
        rates_of(r->store_rates, r->has_store_rates,
                 cy_address_of(addresses, store->access), store->size, twice);

    if (!store->by_result)
        from = cy_pipeline_wait(c, r, &store->data, loads, false, false).last;
    cy_moment_copy(&at, &from->at);
    start = cy_pipeline_start(c, ready, s == 0 ? &r->store_work : NULL, rates);
    /* No load gets the value before the store's address is known. */
    if (start > at.time)
        at = cy_pipeline_event(c, start, where.last->at, CY_CAUSE_REGISTERS,
                               start - ready);
    if (c->retired.time + r->retiring - c->store_completion > at.time &&
        r->retiring > 0)
        at = cy_pipeline_event(
            c, c->retired.time + r->retiring - c->store_completion, c->retired,
            CY_CAUSE_REGISTERS, 0);
    cy_last_at(issue, start, where.last->at.event);
    /* Data of vector registers waits in another scheduler. */
    if (stays(c) && !r->is_vector)
        cy_last_at(issue, at.time, at.event);
    if (where.last->at.time > c->placed.time)
        cy_moment_copy(&c->placed, &where.last->at);
    array_reserve(c, stores, c->n_stores + 1);
    struct cy_stored *new = &c->stores[c->n_stores++];
    *new = (struct cy_stored){.size = store->size,
                              .insn = c->insn,
                              .count = c->counts[c->insn],
                              .stamp = cy_pipeline_stamp(c, &store->address),
                              .base = cy_pipeline_base(c, &store->address),
                              .origin = cy_pipeline_origin(c, &store->address)};
    cy_value_copy(&new->data, from);
    new->data.base =
        !store->by_result && store->data.n == 1 && store->data.loads == 0
            ? c->words[c->recipes->words[store->data.first]].base
            : 0;
    cy_moment_copy(&new->data.at, &at);
    cy_moment_copy(&new->placed, &where.last->at);
    new->is_settled = is_again(&c->store_bases[c->insn], new->base);
    write_bytes(c, r, s, addresses);
    return at;
}
