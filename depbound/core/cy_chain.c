/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_figure.h"

#include "chain/cy_predict.h"

/* The critical path of made-up rounds goes around in circles: legs that take as
   long as their rounds do on the average are the chain.  Recorded rounds differ
   from one another, so their chain is the hops that take most. */

/* A circle may take this share more or less than the rounds do. */
#define NEAR 0.02

/* Circles of more rounds are not looked for. */
#define MOST_ROUNDS 16

/* Hops of recorded rounds that take less than this share are left out. */
#define LITTLE 0.02

/* --- A circle of legs --- */

/* Legs of the critical path, from the last one back. */
struct circle {
    size_t first, n;
};

/* The circle that begins with leg number `first`, and whose rounds of `n`
   instructions take `cycles` each; empty if there is none. */
static struct circle circle_from(const struct cy_outcome *o, size_t first,
                                 uint32_t n, double cycles)
{
    const struct cy_leg *begin = &o->way[first];
    double taken = 0;

    for (size_t i = first; i < o->n_way; i++) {
        const struct cy_leg *leg = &o->way[i];
        uint32_t rounds = begin->ended / n - leg->ended / n;

        if (rounds > MOST_ROUNDS)
            break;
        if (rounds > 0 && leg->from == begin->from && leg->to == begin->to &&
            leg->store == begin->store && leg->cause == begin->cause &&
            fabs(taken - rounds * cycles) <= NEAR * rounds * cycles)
            return (struct circle){first, i - first};
        taken += leg->cycles;
    }
    return (struct circle){first, 0};
}

/* Finds a circle of legs in the third quarter of the rounds. */
static struct circle find_circle(const struct cy_outcome *o, uint32_t n,
                                 double cycles)
{
    uint32_t last = o->n_way > 0 ? o->way[0].ended : 0;
    struct circle circle = {0, 0};

    for (size_t i = 0; i < o->n_way && circle.n == 0; i++) {
        const struct cy_leg *leg = &o->way[i];
        bool is_for_value =
            !leg->retires &&
            (leg->cause <= CY_CAUSE_ADDRESSES || leg->cause == CY_CAUSE_ORDER);

        if (leg->ended < last / 2)
            break;
        if (leg->ended <= last - last / 4 && is_for_value && leg->cycles > 0)
            circle = circle_from(o, i, n, cycles);
    }
    return circle;
}

/* --- A chain of links --- */

static const struct cy_hop *passage_of(const struct cy_outcome *o,
                                       uint32_t store, uint32_t load,
                                       bool failed)
{
    for (size_t i = 0; i < o->n_hops; i++) {
        const struct cy_hop *hop = &o->hops[i];

        if (hop->n > 0 && hop->store == store && hop->to == load &&
            (hop->cause == CY_CAUSE_FAILED) == failed)
            return hop;
    }
    return NULL;
}

/* The edge from a store to a load; NULL if only their registers imply one. */
static const struct cy_memory_edge *edge_of(const struct cy_cost_of_loop *c,
                                            uint32_t store, uint32_t load)
{
    for (size_t i = 0; i < c->edges.n; i++)
        if (c->edges.list[i].store == store && c->edges.list[i].load == load)
            return &c->edges.list[i];
    return NULL;
}

/* The rounds from a store to the load that reads its bytes. */
static uint32_t rounds_of(const struct cy_hop *passage)
{
    return passage->passage.since + (passage->store >= passage->to);
}

static struct cy_forward forward_of(const struct cy_hop *passage,
                                    const struct cy_memory_edge *e)
{
    struct cy_forward f = {.relation = passage->passage.relation,
                           .store = passage->store,
                           .rounds = rounds_of(passage)};

    assert(passage->n > 0 && passage->store != CY_NO_INSN);
    f.varies = passage->passage.varies;
    f.mean_rounds = f.rounds;
    if (e == NULL)
        return f;
    f.is_observed = e->is_observed;
    f.is_in_run = e->is_in_run;
    if (e->has_relation)
        f.relation = e->relation;
    /* In made-up rounds every distance is the mean. */
    if (e->mean_rounds > e->rounds) {
        f.rounds = e->rounds;
        f.mean_rounds = e->mean_rounds;
    }
    return f;
}

struct cy_link cy_link_of_passage(const struct cy_cost_of_loop *c,
                                  const struct cy_hop *passage)
{
    const struct cy_memory_edge *e = edge_of(c, passage->store, passage->to);
    struct cy_forward forward = forward_of(passage, e);

    return (struct cy_link){.from = passage->store,
                            .to = passage->to,
                            .wait = CY_WAIT_MEMORY,
                            .rounds = forward.varies ? 0 : forward.rounds,
                            .mean_rounds =
                                forward.varies ? 0 : forward.mean_rounds,
                            .cycles = passage->passage.cycles,
                            .how = passage->passage.how,
                            .support = e != NULL ? e->support : 1,
                            .forward = forward};
}

static enum cy_wait wait_of(enum cy_cause cause)
{
    switch (cause) {
    case CY_CAUSE_REGISTERS:
        return CY_WAIT_REGISTER;
    case CY_CAUSE_LOADS:
    case CY_CAUSE_L2:
    case CY_CAUSE_L3:
    case CY_CAUSE_MEMORY:
    case CY_CAUSE_PAGES:
        return CY_WAIT_ADDRESS;
    case CY_CAUSE_FORWARDED:
    case CY_CAUSE_FAILED:
    case CY_CAUSE_ADDRESSES:
        return CY_WAIT_MEMORY;
    case CY_CAUSE_ORDER:
        return CY_WAIT_FENCE;
    default:
        return CY_WAIT_UNITS;
    }
}

struct making {
    const struct cy_cost_of_loop *c;
    const struct cy_outcome *outcome;
    struct cy_chain *chain;
    size_t room;
    /* Retirements that are not in the chain yet.  `retired` is the first:
       `retired.to` waited for `retired.from`. */
    bool is_retiring;
    struct cy_link retired, later; /* later: the sum of those after it */
    uint32_t number;               /* number of the execution of `retired.to` */
    const struct cy_leg *fetched;  /* the last leg, if it ends with a fetch */
};

static struct cy_link plain_link(uint32_t from, uint32_t to, enum cy_wait wait,
                                 uint32_t rounds, double cycles)
{
    return (struct cy_link){.from = from,
                            .to = to,
                            .wait = wait,
                            .rounds = rounds,
                            .mean_rounds = rounds,
                            .cycles = cycles,
                            .support = 1};
}

static void add_link(struct making *m, struct cy_link link)
{
    struct cy_chain *chain = m->chain;
    struct cy_link *last = chain->n > 0 ? &chain->links[chain->n - 1] : NULL;

    if (last != NULL && last->wait == CY_WAIT_UNITS &&
        link.wait == CY_WAIT_UNITS) {
        last->to = link.to;
        last->cycles += link.cycles;
        last->rounds += link.rounds;
        last->mean_rounds += link.mean_rounds;
        return;
    }
    array_push(chain->links, chain->n, m->room, link);
}

/* Adds the wait of a store for data that `maker` made some rounds before. */
static void add_data(struct making *m, uint32_t maker, uint32_t store,
                     uint32_t rounds)
{
    if (maker != store || rounds > 0)
        add_link(m, plain_link(maker, store, CY_WAIT_DATA, rounds, 0));
}

/* Adds the wait of a load for a store.  If the forward fails, the load also
   waits for what retired before the store left its buffer. */
static void add_passage(struct making *m, const struct cy_leg *leg,
                        const struct cy_link *link)
{
    bool fails = leg->cause == CY_CAUSE_FAILED;
    const struct cy_hop *passage =
        passage_of(m->outcome, leg->store, leg->to, fails);

    if (passage == NULL)
        return;
    struct cy_link whole = cy_link_of_passage(m->c, passage);
    whole.cycles = link->cycles;
    if (fails && m->is_retiring) {
        uint32_t rounds = leg->ended / m->c->n - m->number / m->c->n;

        add_data(m, m->retired.from, m->retired.to, m->retired.rounds);
        whole.from = m->retired.to;
        whole.mean_rounds += (double)rounds - whole.rounds;
        whole.rounds = rounds;
        whole.cycles += m->retired.cycles + m->later.cycles;
        m->is_retiring = false;
    } else {
        add_data(m, link->from, whole.from, link->rounds - rounds_of(passage));
    }
    add_link(m, whole);
}

static void add_retirement(struct making *m, const struct cy_leg *leg,
                           const struct cy_link *link)
{
    if (m->is_retiring) {
        m->later.to = link->to;
        m->later.rounds += link->rounds;
        m->later.mean_rounds += link->rounds;
        m->later.cycles += link->cycles;
        return;
    }
    m->is_retiring = true;
    m->retired = *link;
    m->retired.wait = CY_WAIT_UNITS;
    m->later = plain_link(link->to, link->to, CY_WAIT_UNITS, 0, 0);
    m->number = leg->ended;
}

static void add_leg(struct making *m, const struct cy_leg *leg)
{
    struct cy_leg whole = *leg;
    uint32_t n = m->c->n;

    /* Fetching belongs to no instruction. */
    if (whole.from == CY_NO_STEP && m->fetched != NULL) {
        whole.from = m->fetched->from;
        whole.begun = m->fetched->begun;
    } else if (whole.from == CY_NO_STEP) {
        whole.from = whole.to;
        whole.begun = whole.ended;
    }
    if (whole.to == CY_NO_STEP) {
        m->fetched = leg->from != CY_NO_INSN ? leg : m->fetched;
        return;
    }
    m->fetched = NULL;
    struct cy_link link =
        plain_link(whole.from, whole.to, wait_of(whole.cause),
                   whole.ended / n - whole.begun / n, whole.cycles);
    if (leg->retires || leg->cause == CY_CAUSE_RETIREMENT) {
        add_retirement(m, leg, &link);
        return;
    }
    if (m->is_retiring && leg->cause != CY_CAUSE_FAILED) {
        add_link(m, m->retired);
        add_link(m, m->later);
        m->is_retiring = false;
    }
    if (link.wait == CY_WAIT_MEMORY)
        add_passage(m, leg, &link);
    else if (leg->cycles > 0)
        add_link(m, link);
}

struct cy_chain cy_chain_of(const struct cy_cost_of_loop *c,
                            const struct cy_outcome *o, double cycles)
{
    struct cy_chain chain = {.cycles = cycles};
    struct making m = {.c = c, .outcome = o, .chain = &chain};
    struct circle circle = find_circle(o, c->n, cycles);
    bool goes_round = false;

    assert(circle.first + circle.n <= o->n_way);
    for (size_t i = circle.n; i > 0; i--)
        add_leg(&m, &o->way[circle.first + i - 1]);
    /* Work that queues for a busy unit waits for nothing of earlier rounds but
       that instructions retire. */
    for (size_t i = 0; i < chain.n; i++)
        goes_round |=
            chain.links[i].rounds > 0 || chain.links[i].forward.varies;
    if (!goes_round) {
        free(chain.links);
        chain = (struct cy_chain){.cycles = cycles};
    }
    return chain;
}

/* --- Recorded rounds --- */

/* By instruction of the windows: 1 + its step in the loop, or 0.  The caller
   frees the array. */
static uint32_t *steps_of(const struct cy_cost_of_loop *c,
                          const struct cy_windowed *w)
{
    uint32_t *steps = memory_new(w->n_insns, sizeof *steps);

    static_assert(CY_NO_STEP + 1 == 0, "CY_NO_STEP is 0 here");
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t address = c->insns[i].address;
        size_t n;
        const uint32_t *insns =
            cy_windowed_insns_at(w, c->loop->object, address, &n);

        for (size_t j = 0; j < n; j++)
            steps[insns[j]] = cy_step_at(c, address) + 1;
    }
    return steps;
}

static uint32_t step_of(const uint32_t *steps, uint32_t insn)
{
    return insn != CY_NO_INSN ? steps[insn] - 1 : CY_NO_STEP;
}

/* Makes a hop one between steps of the loop; false: it ends elsewhere. */
static bool in_loop(const uint32_t *steps, const struct cy_hop *hop,
                    struct cy_hop *own)
{
    *own = *hop;
    own->from = step_of(steps, hop->from);
    own->to = step_of(steps, hop->to);
    own->store = step_of(steps, hop->store);
    if (own->from == CY_NO_STEP)
        own->from = own->to;
    return own->to != CY_NO_STEP;
}

static void add_recorded(struct making *m, const struct cy_windowed *w,
                         const uint32_t *steps, const struct cy_hop *hop,
                         double cycles)
{
    const struct cy_hop *met;
    struct cy_hop own, passage;

    if (!in_loop(steps, hop, &own))
        return;
    struct cy_link link =
        plain_link(own.from, own.to, wait_of(own.cause), 0, cycles);
    if (link.wait == CY_WAIT_MEMORY) {
        met = passage_of(&w->outcome, hop->store, hop->to,
                         hop->cause == CY_CAUSE_FAILED);
        /* If other code stored the value, only the load is in the loop. */
        link.wait = CY_WAIT_ADDRESS;
        link.apart =
            (struct cy_apart){hop->store != CY_NO_INSN, hop->store, hop->to};
        if (met != NULL && own.store != CY_NO_STEP &&
            in_loop(steps, met, &passage)) {
            link = cy_link_of_passage(m->c, &passage);
            link.cycles = cycles;
        }
    }
    add_link(m, link);
}

struct cy_chain cy_chain_recorded(const struct cy_cost_of_loop *c,
                                  const struct cy_windowed *w, double rounds)
{
    AUTO_FREE uint32_t *steps = steps_of(c, w);
    struct cy_chain chain = {.cycles = c->cycles.predicted,
                             .is_recorded = true};
    struct making m = {.c = c, .outcome = &w->outcome, .chain = &chain};

    for (size_t i = 0; i < w->outcome.n_hops; i++) {
        double cycles = w->outcome.hops[i].cycles / rounds;

        if (cycles < LITTLE * c->cycles.predicted)
            break;
        add_recorded(&m, w, steps, &w->outcome.hops[i], cycles);
    }
    return chain;
}

/* --- Waits for registers --- */

struct waits {
    const struct cy_cost_of_loop *c;
    struct cy_chain all;
    size_t room;
};

/* The step that wrote each word last, or CY_NO_STEP, and rounds since then. */
struct writers {
    uint32_t step[FLOW_WORDS], rounds[FLOW_WORDS];
};

static void define(struct writers *w, const struct cy_step *s, uint32_t step)
{
    for (unsigned i = 0; i < FLOW_WORDS; i++)
        if (flow_sources_has(&s->overwritten, i))
            w->step[i] = CY_NO_STEP;
    for (unsigned i = 0; i < s->insn->flow.n_puts && cy_step_puts(s); i++) {
        w->step[s->insn->flow.puts[i].word] = step;
        w->rounds[s->insn->flow.puts[i].word] = 0;
    }
}

/* Adds the waits of a step for what a value is made of. */
static void add_waits(struct waits *m, const struct writers *w, uint32_t step,
                      const struct flow_sources *from, enum cy_wait wait,
                      double cycles)
{
    for (unsigned i = 0; i < FLOW_WORDS; i++)
        if (flow_sources_has(from, i) && w->step[i] != CY_NO_STEP)
            array_push(
                m->all.links, m->all.n, m->room,
                plain_link(w->step[i], step, wait, w->rounds[i], cycles));
}

static void add_step(struct waits *m, const struct writers *w, uint32_t step,
                     const struct cy_model *model)
{
    const struct cy_step *s = &m->c->steps[step];
    const struct flow *flow = &s->insn->flow;
    bool is_idiom = cy_step_is_idiom(s, model->machine);
    double load = cy_step_load_cycles(s, model), own;

    cy_step_cycles(s, NULL, model, &own);
    for (unsigned i = 0; i < flow->n_loads; i++)
        add_waits(m, w, step, &flow->loads[i].address, CY_WAIT_ADDRESS, load);
    for (unsigned i = 0; i < flow->n_puts && !is_idiom; i++)
        add_waits(m, w, step, &flow->puts[i].value, CY_WAIT_REGISTER,
                  flow->puts[i].is_free ? 0 : own);
    for (unsigned i = 0; i < flow->n_stores; i++) {
        add_waits(m, w, step, &flow->stores[i].address, CY_WAIT_DATA, 0);
        add_waits(m, w, step, &flow->stores[i].data,
                  flow->stores[i].data.is_computed ? CY_WAIT_REGISTER
                                                   : CY_WAIT_DATA,
                  flow->stores[i].data.is_computed ? own : 0);
    }
}

struct cy_chain cy_waits_of(const struct cy_cost_of_loop *c,
                            const struct cy_model *model)
{
    struct waits m = {.c = c};
    struct writers w;

    for (unsigned i = 0; i < FLOW_WORDS; i++)
        w.step[i] = CY_NO_STEP;
    for (uint32_t i = 0; i < c->n; i++)
        define(&w, &c->steps[i], i);
    for (unsigned i = 0; i < FLOW_WORDS; i++)
        w.rounds[i] = 1;
    for (uint32_t i = 0; i < c->n; i++) {
        add_step(&m, &w, i, model);
        define(&w, &c->steps[i], i);
    }
    return m.all;
}
