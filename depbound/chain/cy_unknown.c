/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain/cy_predict.h"

/* A loop has a single path if at least this share of its rounds take it. */
#define LEAST_SHARE 0.9

/* A dependency counts if it could add a tenth to the prediction at 10 cycles
   each time, about the cost of a forward and an addition. */
#define LEAST_COST   0.1
#define USUAL_CYCLES 10

/* Bytes of the smallest first data cache of processors with a machine file. */
#define FIRST_CACHE (32 * 1024)

/* --- Addresses that are data --- */

/* The support of a predicted pair that occurs in each round but the first. */
#define SURE 0.9

/* Bytes of a cache line. */
#define LINE 64

/* What the registers of a loop hold, by word: does it change from round to
   round, and which loads is it made of (bit i: of the steps i, i + 64, ...)? */
struct words {
    bool moves[FLOW_WORDS];
    uint64_t loads[FLOW_WORDS];
};

static bool moves(const struct words *words, const struct flow_sources *s)
{
    for (unsigned w = 0; w < FLOW_WORDS; w++)
        if (words->moves[w] && flow_sources_has(s, w))
            return true;
    return false;
}

/* The loads that a step's value is made of, as bits; 0: it is no data. */
static uint64_t loads_of(const struct words *words,
                         const struct flow_sources *s, uint32_t step)
{
    uint64_t loads = s->loads != 0 ? UINT64_C(1) << step % 64 : 0;

    for (unsigned w = 0; w < FLOW_WORDS; w++)
        if (flow_sources_has(s, w))
            loads |= words->loads[w];
    return loads;
}

static void take_puts(struct words *words, const struct cy_step *s,
                      uint32_t step)
{
    const struct flow *flow = &s->insn->flow;
    uint64_t loads[FLOW_MOST_PUTS];

    for (unsigned i = 0; i < flow->n_puts; i++)
        loads[i] = loads_of(words, &flow->puts[i].value, step);
    for (unsigned i = 0; i < flow->n_puts && cy_step_puts(s); i++)
        if (!flow->puts[i].is_free) {
            words->moves[flow->puts[i].word] = true;
            words->loads[flow->puts[i].word] = loads[i];
        }
    /* A callee's results are data. */
    for (unsigned w = 0; w < FLOW_WORDS; w++)
        if (flow_sources_has(&s->overwritten, w)) {
            words->moves[w] = true;
            words->loads[w] = UINT64_C(1) << step % 64;
        }
}

/* Finds what registers hold when a round begins, after some rounds. */
static void take_words(struct words *words, const struct cy_cost_of_loop *c)
{
    *words = (struct words){0};
    /* Loaded values reach an address over a few registers at most. */
    for (int round = 0; round < 3; round++)
        for (uint32_t i = 0; i < c->n; i++)
            take_puts(words, &c->steps[i], i);
}

/* The support of the best edge that begins or ends at a step; -1: there is
   none. */
static double support_at(const struct cy_cost_of_loop *c, uint32_t step)
{
    double support = -1;

    for (size_t i = 0; i < c->edges.n; i++) {
        const struct cy_memory_edge *e = &c->edges.list[i];

        if (e->store == step || e->load == step)
            support = fmax(support, e->support);
    }
    return support;
}

/* By step: the loads of its addresses, as bits.  The caller frees the array. */
static uint64_t *addresses_of(const struct cy_cost_of_loop *c)
{
    uint64_t *made_of = memory_new(c->n, sizeof *made_of);
    struct words words;

    take_words(&words, c);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct flow *flow = &c->steps[i].insn->flow;

        for (unsigned j = 0; j < flow->n_loads; j++)
            made_of[i] |= loads_of(&words, &flow->loads[j].address, i);
        for (unsigned j = 0; j < flow->n_stores; j++)
            made_of[i] |= loads_of(&words, &flow->stores[j].address, i);
        take_puts(&words, &c->steps[i], i);
    }
    return made_of;
}

/* Counts the instructions whose addresses are data, so that a load may read
   what a store of the loop wrote.  Loads that make the address of a step with a
   sure edge count as known. */
static void take_addresses(struct cy_unknown *u,
                           const struct cy_cost_of_loop *c)
{
    AUTO_FREE uint64_t *made_of = addresses_of(c);
    uint64_t known = 0;
    unsigned n_loads = 0, n_stores = 0;

    for (uint32_t i = 0; i < c->n; i++) {
        n_loads += c->steps[i].insn->flow.n_loads;
        n_stores += c->steps[i].insn->flow.n_stores;
        if (support_at(c, i) >= SURE)
            known |= made_of[i];
    }
    for (uint32_t i = 0; i < c->n && n_loads > 0 && n_stores > 0; i++) {
        if ((made_of[i] & ~known) == 0)
            continue;
        u->n_addresses++;
        u->is_supposed |= support_at(c, i) >= 0;
    }
}

/* An access whose address moves from round to round, and is no data. */
struct stream {
    const struct flow_sources *address;
    int64_t displacement;
};

/* Does the access use other cache lines than the n before? */
static bool is_new(const struct stream *streams, size_t n,
                   const struct stream *s)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(streams[i].address->words, s->address->words,
                   sizeof s->address->words) == 0 &&
            llabs(streams[i].displacement - s->displacement) < LINE)
            return false;
    return true;
}

/* Bytes that a run of the loop accesses, as if each round moved an address by
   the width of the access; 0: not known. */
static double bytes_of_run(const struct cy_cost_of_loop *c)
{
    AUTO_FREE struct stream *streams =
        memory_new((size_t)2 * c->n, sizeof *streams);
    double bytes = 0;
    struct words words;
    size_t n = 0;

    take_words(&words, c);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct flow *flow = &c->steps[i].insn->flow;
        const struct flow_access *accesses[] = {
            flow->n_loads > 0 ? &flow->loads[0] : NULL,
            flow->n_stores > 0 ? &flow->stores[0] : NULL};

        for (int j = 0; j < 2; j++) {
            struct stream s = {NULL, c->steps[i].operands.displacement};

            if (accesses[j] == NULL)
                continue;
            s.address = &accesses[j]->address;
            if (c->steps[i].operands.moves_stack || !moves(&words, s.address) ||
                loads_of(&words, s.address, i) != 0 || !is_new(streams, n, &s))
                continue;
            streams[n++] = s;
            bytes += accesses[j]->size *
                     (flow->has_parts ? flow->n_loads + flow->n_stores : 1u);
        }
        take_puts(&words, &c->steps[i], i);
    }
    return c->loop->entries > 0
               ? bytes * (double)c->loop->rounds / (double)c->loop->entries
               : 0;
}

/* --- Pairs that are no edges --- */

static bool is_edge(const struct cy_cost_of_loop *c, uint64_t store,
                    uint64_t load)
{
    for (size_t i = 0; i < c->edges.n; i++)
        if (c->insns[c->edges.list[i].store].address == store &&
            c->insns[c->edges.list[i].load].address == load)
            return true;
    return false;
}

/* Where an instruction lies: in the loop, in a function that it calls, or in
   the loop around it. */
enum place { ELSEWHERE, IN_LOOP, IN_CALLEE, AROUND };

/* A loop whose pairs are looked up, and the functions that it calls. */
struct program {
    const struct cy_data *data;
    struct cy_code *code;
    const char **callees;
    size_t n_callees;
};

static void take_callees(struct program *r, const struct cy_cost_of_loop *c)
{
    r->callees = memory_new(c->n, sizeof *r->callees);
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t called = c->insns[i].flow.called;
        const char *function =
            called != FLOW_NOWHERE
                ? cy_function_at(r->data, c->loop->object, called)
                : NULL;

        if (function != NULL)
            r->callees[r->n_callees++] = function;
    }
}

static bool is_called(const struct program *r, const struct cy_cost_of_loop *c,
                      uint64_t address)
{
    const char *function =
        r->n_callees > 0 ? cy_function_at(r->data, c->loop->object, address)
                         : NULL;

    for (size_t i = 0; i < r->n_callees; i++)
        if (r->callees[i] == function)
            return true;
    return false;
}

static enum place place_of(const struct program *r,
                           const struct cy_cost_of_loop *c, uint64_t address)
{
    if (cy_step_at(c, address) != CY_NO_STEP)
        return IN_LOOP;
    if (c->loop->has_call && is_called(r, c, address))
        return IN_CALLEE;
    return address >= c->loop->outer_start && address < c->loop->outer_end
               ? AROUND
               : ELSEWHERE;
}

/* Does the pair span so few rounds that it could add to the prediction?  A
   chain through the pair also takes what one round takes. */
static bool is_near(const struct cy_cost_of_loop *c, const struct cy_pair *p)
{
    double predicted = c->cycles.predicted;

    return p->distance == UINT64_MAX /* a distance that is not known */ ||
           (p->distance <= CY_MOST_APART &&
            USUAL_CYCLES + predicted >=
                (1 + LEAST_COST) * predicted * (double)p->distance / c->n);
}

/* May an outer loop carry a predicted pair that is no edge? */
static bool may_carry(const struct program *r, const struct cy_cost_of_loop *c,
                      double min_support)
{
    const struct cy_pairs *pairs = &r->data->predicted;

    if (c->loop->outer_end == 0)
        return false;
    for (size_t i = cy_pairs_from(pairs, c->loop->object, c->loop->outer_start);
         i < pairs->n; i++) {
        const struct cy_pair *p = &pairs->pairs[i];

        if (p->object != c->loop->object || p->load >= c->loop->outer_end)
            break;
        if (p->support >= min_support && place_of(r, c, p->store) == IN_LOOP &&
            !is_edge(c, p->store, p->load) && is_near(c, p))
            return true;
    }
    return false;
}

/* Decodes the instruction at an address; false if that fails. */
static bool decode(const struct program *r, const struct cy_pair *p,
                   uint64_t address, struct cy_code_insn *insn)
{
    uint32_t block = cy_data_block(r->data, p->object, address);
    AUTO_FREE struct cy_code_insn *insns = NULL;
    size_t n = 0, room = 0;
    bool is_found = false;

    if (block != CY_NO_BLOCK && cy_code_block(r->code, &r->data->blocks[block],
                                              &insns, &n, &room, NULL) == 0)
        for (size_t i = 0; i < n; i++)
            if (insns[i].address == address) {
                *insn = insns[i];
                is_found = true;
            }
    return is_found;
}

/* Return addresses and saved registers make no chain. */
static bool is_of_stack(const struct program *r, const struct cy_pair *p)
{
    struct cy_code_insn insn;

    return decode(r, p, p->store, &insn) &&
           (insn.flow.leave == FLOW_CALL || strcmp(insn.name, "push") == 0);
}

static bool is_vector(const struct program *r, const struct cy_pair *p)
{
    struct cy_code_insn insn;

    return decode(r, p, p->load, &insn) &&
           (strstr(insn.text, "%xmm") != NULL || insn.operands[0].is_simd);
}

/* Could the pair cost a good part of the loop's cycles if it were a part of its
   rounds? */
static bool is_frequent(const struct cy_cost_of_loop *c, uint64_t near)
{
    return USUAL_CYCLES * (double)near >=
           LEAST_COST * (double)c->loop->rounds * c->cycles.predicted;
}

/* Is a frequent pair no edge although it lies in or around the loop? */
static bool is_hot(const struct program *r, const struct cy_cost_of_loop *c,
                   const struct cy_pair *p)
{
    if (p->object != c->loop->object || !is_near(c, p))
        return false;
    enum place store = place_of(r, c, p->store);
    if (store == ELSEWHERE)
        return false;
    enum place load = place_of(r, c, p->load);
    if (load == ELSEWHERE || (store == AROUND && load == AROUND) ||
        is_edge(c, p->store, p->load))
        return false;
    /* If the rounds of a run only read a value, just the first waits for it. */
    if (store == AROUND && p->near > c->loop->entries + c->loop->entries / 2)
        return false;
    return !is_of_stack(r, p);
}

static const struct cy_pair *hottest(const struct program *r,
                                     const struct cy_cost_of_loop *c)
{
    const struct cy_pair *pairs = r->data->observed.pairs, *best = NULL;

    for (size_t i = 0; i < r->data->n_by_near; i++) {
        const struct cy_frequent *f = &r->data->by_near[i];
        const struct cy_pair *p = &pairs[f->pair];

        if (!is_frequent(c, f->near) || (best != NULL && f->near < best->near))
            break;
        if ((best == NULL || is_vector(r, p)) && is_hot(r, c, p))
            best = p;
    }
    assert(best == NULL || best->near > 0);
    return best;
}

/* --- All of it --- */

static size_t n_ordered(const struct cy_cost_of_loop *c,
                        const struct cy_machine *machine)
{
    size_t n = 0;

    assert(c->steps != NULL || c->n == 0);
    for (uint32_t i = 0; i < c->n; i++)
        n += cy_step_orders(&c->steps[i]) &&
             isnan(cy_step_order(&c->steps[i], machine));
    return n;
}

void cy_unknown_of(struct cy_cost_of_loop *c, const struct cy_data *data,
                   struct cy_code *code, const struct cy_choice *choice,
                   const struct cy_machine *machine)
{
    const struct cy_loop *loop = c->loop;
    struct program program = {.data = data, .code = code};
    struct cy_unknown *u = &c->unknown;

    *u = (struct cy_unknown){
        .is_doubtful = u->is_doubtful,
        .is_unsteady = u->is_unsteady,
        .is_missing = u->is_missing,
        .has_calls = loop->has_call,
        .share_of_way = 1,
        .most_of_way = 1,
        .is_way_guessed = loop->is_way_guessed,
        .n_insns = c->bound.n_unknown,
        .n_ordered = n_ordered(c, machine),
        .n_unfixed = c->edges.n_unfixed,
        .n_renamed = c->bound.n_renamed,
        .bytes = bytes_of_run(c),
    };
    if (loop->share_of_path > 0 && loop->least_share < LEAST_SHARE) {
        u->share_of_way = loop->least_share;
        u->most_of_way = loop->share_of_path;
    }
    u->is_spin = cy_spin_of(c, data, &u->spin);
    assert(u->share_of_way >= 0 && u->share_of_way <= 1 && u->bytes >= 0);
    c->cycles.is_memory_bound &= !cy_unknown_is_all(u);
    if (u->bytes <= FIRST_CACHE)
        u->bytes = 0;
    take_callees(&program, c);
    if (choice->edges == CY_EDGES_STATIC) {
        take_addresses(u, c);
        u->may_be_carried = may_carry(&program, c, choice->min_support);
    }
    if (choice->edges == CY_EDGES_OBSERVED) {
        u->hottest = hottest(&program, c);
        if (u->hottest == NULL)
            u->n_unfixed = 0; /* those pairs cost little */
    }
    free(program.callees);
}

void cy_unknown_recorded(struct cy_unknown *u, bool is_cut, bool has_caches)
{
    *u = (struct cy_unknown){.is_spin = u->is_spin,
                             .spin = u->spin,
                             .is_cut = is_cut || u->n_renamed > 0,
                             .n_insns = u->n_insns,
                             .n_ordered = u->n_ordered,
                             .bytes = has_caches ? 0 : u->bytes,
                             .share_of_way = 1,
                             .most_of_way = 1};
}

bool cy_unknown_is_all(const struct cy_unknown *u)
{
    return u->is_spin || u->n_ordered > 0;
}

bool cy_unknown_is_least(const struct cy_unknown *u)
{
    return !cy_unknown_is_case(u) &&
           (u->is_cut || u->has_calls || u->n_insns > 0 || u->n_unfixed > 0 ||
            u->n_renamed > 0 || u->n_addresses > 0 || u->may_be_carried ||
            u->hottest != NULL || u->bytes > 0 || u->n_passed > 0 ||
            u->n_shared > 0);
}

bool cy_unknown_is_case(const struct cy_unknown *u)
{
    return u->is_way_guessed || u->share_of_way < 1 || u->is_supposed ||
           u->is_doubtful || u->is_unsteady || u->is_missing;
}

/* What passes between threads is many if it is this share of the rounds. */
#define MANY 0.01

void cy_unknown_between(struct cy_prediction *p,
                        const struct cy_threads *threads)
{
    for (size_t i = 0; i < p->n; i++) {
        struct cy_cost_of_loop *c = &p->loops[i];
        struct cy_unknown *u = &c->unknown;

        for (size_t j = 0; j < threads->n_at; j++) {
            const struct cy_between_at *at = &threads->at[j];

            if (at->object != c->loop->object ||
                cy_step_at(c, at->address) == CY_NO_STEP)
                continue;
            u->n_passed += at->loads;
            u->n_shared += at->accesses;
        }
        if ((double)u->n_passed < MANY * (double)c->iterations)
            u->n_passed = 0;
        if ((double)u->n_shared < MANY * (double)c->iterations)
            u->n_shared = 0;
    }
}
