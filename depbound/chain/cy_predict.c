/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain/cy_predict.h"

#include "read/cy_read.h"

/* A pair is an edge if it has at least this share of the load's executions. */
#define OFTEN 0.5

/* The least support of pairs that all walks see, and of pairs that count. */
#define ALWAYS 0.9
#define SELDOM 0.1

/* A dependency over more rounds costs nothing. */
#define MOST_ROUNDS 1e6

/* --- The observed dependencies that matter: of a large program, a tenth --- */

/* Functions that loops call, by their names' addresses. */
struct called {
    uintptr_t *list;
    size_t n_list, list_room;
};

static void add_loop(struct cy_spans *spans, struct called *called,
                     const struct cy_data *data,
                     const struct cy_cost_of_loop *c)
{
    const struct cy_loop *loop = c->loop;

    for (size_t i = 0; i < loop->n_blocks; i++) {
        const struct cy_block *b = &data->blocks[loop->blocks[i]];

        cy_spans_add(spans, (struct cy_span){b->object, b->start, b->end});
    }
    if (loop->outer_end > loop->outer_start)
        cy_spans_add(spans, (struct cy_span){loop->object, loop->outer_start,
                                             loop->outer_end});
    for (uint32_t i = 0; i < c->n && loop->has_call; i++) {
        const char *function =
            cy_function_at(data, loop->object, c->insns[i].flow.called);

        if (function != NULL)
            array_append(called, list, (uintptr_t)function);
    }
}

/* Reads the observed dependencies that matter to the loops: of loads in their
   code, in that of the loops around them, and in functions that they call. */
static int read_needed(const struct cy_prediction *p, struct cy_data *data,
                       const char *deps, struct diag *d)
{
    struct cy_spans spans = {0};
    struct called called = {0};

    for (size_t i = 0; i < p->n; i++)
        add_loop(&spans, &called, data, &p->loops[i]);
    array_sort(called.list, called.n_list, array_by_number);
    for (size_t i = 0; i < data->n_blocks; i++) {
        const struct cy_block *b = &data->blocks[i];
        uintptr_t function = (uintptr_t)b->function;

        if (array_find(&function, called.list, called.n_list,
                       array_by_number) != NULL)
            cy_spans_add(&spans, (struct cy_span){b->object, b->start, b->end});
    }
    free(called.list);
    cy_spans_sort(&spans);
    int rc = cy_read_observed(data, deps, &spans, d);
    free(spans.list);
    return rc;
}

/* --- Varying distances --- */

/* A load that waits for the store of k rounds before is a link of a chain with
   one link in k rounds, so that a round costs the mean of 1/k links.  That is
   exact for runs of equal distances.  But where addresses come in no order, as
   in a histogram, the chains of different addresses run side by side, and only
   the longest counts: that of the most frequent address.  Its share f of the
   rounds shows in how the distances fall off: k occurs in proportion to
   (1-f)^(k-1).  Both figures are upper bounds, and the smaller one counts.

   Limits: for addresses in no order, f is a mean in which rare addresses hardly
   count.  Distances of more rounds than a run has cross runs. */

/* The smallest distance counts alone if it has this share of occurrences. */
#define FIXED 0.9

/* The mean of 1/k leaves out rounds beyond this number. */
#define FAR 4096

/* The mean of 1/k over the rounds of a class. */
static double links(const struct cy_rounds *c)
{
    double sum = 0;
    double last = fmin(c->last, c->first + FAR);

    for (double k = c->first; k <= last; k++)
        sum += 1 / k;
    return sum / (last - c->first + 1);
}

/* How often the distances of a class occur, relative to a distance of one
   round, if the address is accessed in a share f of the rounds. */
static double falling(const struct cy_rounds *c, double f)
{
    return (pow(1 - f, c->first - 1) - pow(1 - f, c->last)) / f;
}

/* The share of the rounds that access one address, by the first two classes. */
static double share_of_address(const struct cy_rounds *c)
{
    double low = 0, high = 1;

    for (unsigned i = 0; i < 40; i++) {
        double f = (low + high) / 2;

        if (falling(&c[1], f) * c[0].occurrences >
            falling(&c[0], f) * c[1].occurrences)
            low = f;
        else
            high = f;
    }
    return low;
}

double cy_spread(const struct cy_rounds *classes, unsigned n, bool is_exact)
{
    double all = 0, mean = 0;

    assert(n > 0 && classes[0].first >= 1);
    for (unsigned i = 0; i < n; i++) {
        assert(classes[i].first <= classes[i].last);
        all += classes[i].occurrences;
        mean += classes[i].occurrences * links(&classes[i]);
    }
    if (n == 1 || all <= 0 || classes[0].occurrences >= FIXED * all)
        return classes[0].first;
    mean /= all;
    assert(mean > 0);
    if (is_exact && classes[0].first == 1 && classes[0].last == 1)
        mean = fmin(mean, share_of_address(classes));
    return fmax(1 / fmax(mean, 1.0 / FAR), classes[0].first);
}

/* --- Which pairs are edges --- */

/* What is needed to find which pairs are edges of a loop. */
struct taking {
    struct cy_cost_of_loop *c;
    const struct cy_data *data;
    const struct cy_choice *choice;
    size_t room;
    struct cy_strides *strides; /* NULL unless the loop has one block */
};

/* Finds from the distance how many rounds lie between the ends of a pair; false
   if the number is not fixed. */
static bool rounds_by_distance(const struct cy_cost_of_loop *c,
                               const struct cy_pair *p, uint32_t store,
                               uint32_t load, double *rounds)
{
    const struct cy_loop *loop = c->loop;
    double k =
        ((double)p->distance - ((double)load - (double)store)) / (double)c->n;

    *rounds = floor(k + 0.5);
    /* Other paths through the loop may have more or fewer instructions. */
    if (p->distance == UINT64_MAX || fabs(k - *rounds) > 0.25)
        return false;
    /* The store is in an earlier run if usual runs have fewer rounds, and more
       loads are so near than there are rounds after the first of a run, which
       cannot read what its own run stored. */
    if (loop->entries > 0 && *rounds > 0 &&
        *rounds > (double)loop->rounds / (double)loop->entries &&
        p->near > loop->rounds - loop->entries)
        return false;
    /* Another loop may carry the pair, and the distance fit by chance. */
    return !p->has_loop || p->loop == (*rounds > 0 ? c->address : 0);
}

/* How many rounds lie between the ends of a pair; false if the number is not
   fixed. */
static bool rounds_of(const struct cy_cost_of_loop *c, const struct cy_pair *p,
                      uint32_t store, uint32_t load, uint32_t *rounds)
{
    double k;

    /* Delta k of an inner loop counts its rounds, and depends on the walks. */
    if (p->has_loop && p->loop != 0 && p->loop != c->address)
        return false;
    if (p->delta_k >= 0)
        k = (double)p->delta_k;
    else if (p->has_vector && p->innermost == c->address)
        k = (double)p->rounds;
    else if (!rounds_by_distance(c, p, store, load, &k))
        return false;
    if (k < 0 || k >= MOST_ROUNDS)
        return false;
    *rounds = (uint32_t)k;
    return *rounds > 0 || store < load;
}

/* Does this loop carry the pair, by its distance vector?  Then the first rounds
   of a run read other values. */
static bool is_in_run(const struct cy_cost_of_loop *c,
                      const struct cy_pair *predicted)
{
    return predicted != NULL && predicted->has_vector &&
           predicted->innermost == c->address && predicted->rounds >= 0;
}

/* The rounds of a class of distances; false if no number fits, or only one that
   crosses runs.  `shift` is the distance within a round, in instructions. */
static bool rounds_of_class(const struct cy_cost_of_loop *c,
                            const struct cy_distances *class, double shift,
                            struct cy_rounds *r)
{
    const struct cy_loop *loop = c->loop;
    double first = ((double)class->above + 1 - shift) / c->n,
           last = ((double)class->upto - shift) / c->n;
    bool is_exact = loop->n_blocks == 1;

    r->occurrences = (double)class->occurrences;
    r->first = fmax(is_exact ? ceil(first) : round(first), r->first);
    r->last = is_exact ? floor(last) : round(last);
    if (loop->entries > 0)
        r->last = fmin(r->last, (double)loop->rounds / (double)loop->entries);
    return r->first <= r->last;
}

/* The number of rounds that counts for the cost (cy_spread) of a pair;
   e->rounds are those at the smallest distance. */
static double mean_rounds(const struct cy_cost_of_loop *c,
                          const struct cy_data *data, const struct cy_pair *p,
                          const struct cy_memory_edge *e)
{
    AUTO_FREE struct cy_rounds *classes =
        memory_new(p->n_classes + 1, sizeof *classes);
    unsigned n = 0;
    double mean = e->rounds, shift = (double)e->load - (double)e->store;

    for (unsigned i = 0; i < p->n_classes && e->rounds > 0; i++) {
        const struct cy_distances *class = &data->classes[p->first_class + i];

        if (class->upto < p->distance)
            continue;
        classes[n].first = e->rounds;
        if (n == 0) { /* the class with the smallest distance */
            classes[n].last = e->rounds;
            classes[n++].occurrences = (double)class->occurrences;
        } else if (rounds_of_class(c, class, shift, &classes[n])) {
            n++;
        }
    }
    if (n > 0)
        mean = cy_spread(classes, n, c->loop->n_blocks == 1);
    return mean;
}

/* Executions of the loop's block that has the address.  Blocks of other loops
   may have the address, too, if the database's blocks overlap. */
static double executions_at(const struct cy_cost_of_loop *c,
                            const struct cy_data *data, uint64_t address)
{
    const struct cy_block *block;
    size_t i = 0;

    do {
        assert(i < c->loop->n_blocks);
        block = &data->blocks[c->loop->blocks[i++]];
    } while (address < block->start || address >= block->end);
    return (double)block->executions;
}

static bool is_frequent(const struct taking *t, const struct cy_pair *p,
                        uint32_t load)
{
    return t->choice->edges == CY_EDGES_STATIC
               ? p->support >= t->choice->min_support
               : (double)p->near >=
                     OFTEN * executions_at(t->c, t->data,
                                           t->c->insns[load].address);
}

/* Makes a pair an edge of the loop.  `observed` and `predicted` are the pair as
   it was observed and as walks predict it; both may be NULL. */
static void add_pair(struct taking *t, const struct cy_pair *p,
                     const struct cy_pair *observed,
                     const struct cy_pair *predicted, uint32_t load)
{
    struct cy_cost_of_loop *c = t->c;
    struct cy_memory_edges *e = &c->edges;
    const struct cy_pair *known =
        p->has_offset || predicted == NULL ? p : predicted;
    const struct cy_pair *seen =
        observed != NULL && observed->has_relation ? observed : known;
    uint32_t store = cy_step_at(t->c, p->store), rounds;

    assert(load < c->n && c->steps[load].insn->flow.n_loads > 0);
    if (store == CY_NO_STEP)
        return;
    if (!rounds_of(c, p, store, load, &rounds)) {
        e->n_unfixed += is_frequent(t, p, load);
        return;
    }
    struct cy_memory_edge edge = (struct cy_memory_edge){
        .store = store,
        .load = load,
        .rounds = rounds,
        .mean_rounds = rounds,
        .support = p->support,
        .is_sure = t->choice->edges != CY_EDGES_STATIC || p->support >= ALWAYS,
        .is_in_run = is_in_run(c, predicted),
        .is_observed = observed != NULL && observed->has_relation,
        .has_relation = seen->has_relation,
        .relation = seen->relation,
        .has_offset = known->has_offset,
        .offset = known->offset};
    if (p == observed)
        edge.mean_rounds = mean_rounds(c, t->data, p, &edge);
    assert(store < c->n && e->n <= e->n_all);
    array_push(e->list, e->n_all, t->room, edge);
    if (is_frequent(t, p, load)) {
        struct cy_memory_edge first = e->list[e->n];

        e->list[e->n++] = edge;
        e->list[e->n_all - 1] = first;
    }
}

/* Does a pair that walks through a function saw occur in each round of its
   block?  Its support is a share of walks, for which one round is enough; but
   addresses that move alike and were equal once are equal in each round.  If
   only some walks saw the pair, a pointer has one of several values. */
static bool recurs(const struct taking *t, const struct cy_pair *p,
                   uint32_t load)
{
    uint32_t store = cy_step_at(t->c, p->store);

    if (store == CY_NO_STEP || !is_in_run(t->c, p) || p->support < ALWAYS)
        return false;
    struct cy_stride from = t->strides[store].stores[0].stride;
    struct cy_stride to = t->strides[load].loads[0].stride;
    return from.is_known && to.is_known && from.bytes == to.bytes;
}

static void take_pairs(struct taking *t, const struct cy_pairs *pairs,
                       uint32_t load)
{
    const struct cy_data *data = t->data;
    bool is_static = t->choice->edges == CY_EDGES_STATIC;
    size_t n;
    const struct cy_pair *p = cy_pairs_of_load(pairs, t->c->loop->object,
                                               t->c->insns[load].address, &n);

    for (; n > 0; n--, p++)
        if ((is_frequent(t, p, load) || (is_static && p->support >= SELDOM)) &&
            (t->strides == NULL || pairs == &data->in_blocks ||
             (cy_pairs_find(&data->in_blocks, p) == NULL &&
              recurs(t, p, load))))
            add_pair(t, p, cy_pairs_find(&data->observed, p),
                     cy_pairs_find(&data->predicted, p), load);
}

/* Finds the loop's edges.  For a loop of one block, the analysis of the block
   alone finds more, since it runs the block often enough; walks through the
   function add what they know of addresses from before the loop. */
static void take_edges(struct cy_cost_of_loop *c, const struct cy_data *data,
                       const struct cy_choice *choice)
{
    struct taking t = {.c = c, .data = data, .choice = choice};
    bool is_observed = choice->edges == CY_EDGES_OBSERVED;

    if (choice->edges == CY_EDGES_NONE)
        return;
    if (!is_observed && c->loop->n_blocks == 1 && data->in_blocks.is_present)
        t.strides = cy_strides_new(c->steps, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->steps[i].insn->flow.n_loads == 0)
            continue;
        if (t.strides != NULL)
            take_pairs(&t, &data->in_blocks, i);
        take_pairs(&t, is_observed ? &data->observed : &data->predicted, i);
    }
    free(t.strides);
}

/* --- Loops --- */

static double share_of(const struct cy_data *data, const struct cy_loop *loop)
{
    double n = 0;

    assert(loop->n_blocks > 0);
    for (size_t i = 0; i < loop->n_blocks; i++)
        n += data->blocks[loop->blocks[i]].n_insns;
    return data->recorded > 0
               ? 100 * n * (double)loop->rounds / (double)data->recorded
               : 0;
}

ARRAY_ORDER(place_order, struct cy_place,
            array_order(a->address, b->address)
                ?: array_order(a->step, b->step))

uint32_t cy_step_at(const struct cy_cost_of_loop *c, uint64_t address)
{
    size_t n = array_bisect(0, c->n, i, c->places[i].address < address);

    return n < c->n && c->places[n].address == address ? c->places[n].step
                                                       : CY_NO_STEP;
}

static int take_code(struct cy_cost_of_loop *c, const struct cy_data *data,
                     struct cy_code *code, struct diag *d)
{
    size_t n = 0, room = 0;

    for (size_t i = 0; i < c->loop->n_blocks; i++)
        if (cy_code_block(code, &data->blocks[c->loop->blocks[i]], &c->insns,
                          &n, &room, d) != 0)
            return -1;
    assert(n > 0 && n < UINT32_MAX);
    c->n = (uint32_t)n;
    c->steps = memory_new(n, sizeof *c->steps);
    c->places = memory_new(n, sizeof *c->places);
    c->uses = memory_new(n, sizeof *c->uses);
    c->mca = memory_new(n, sizeof *c->mca);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct cy_code_insn *insn = &c->insns[i];

        c->mca[i] =
            (struct cy_mca_insn){.bytes = insn->bytes, .length = insn->length};
        c->places[i] = (struct cy_place){insn->address, i};
        c->steps[i].insn = insn;
        c->steps[i].mca = &c->mca[i];
        cy_operands_of(&c->steps[i].operands, insn);
        if (insn->flow.leave == FLOW_CALL)
            c->steps[i].overwritten =
                cy_code_overwritten(code, c->loop->object, insn);
    }
    array_sort(c->places, n, place_order);
    return 0;
}

/* Asks llvm-mca about the units of all instructions. */
static int ask_units(struct cy_prediction *p, struct cy_mca *mca,
                     struct diag *d)
{
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++)
        n += p->loops[i].n;
    assert(n >= p->n);
    AUTO_FREE struct cy_mca_insn *asked = memory_new(n, sizeof *asked);
    AUTO_FREE struct cy_mca_uses *uses = memory_new(n, sizeof *uses);
    n = 0;
    for (size_t i = 0; i < p->n; n += p->loops[i++].n)
        memcpy(asked + n, p->loops[i].mca, p->loops[i].n * sizeof *asked);
    int rc = cy_mca_units(mca, asked, uses, n, d);
    n = 0;
    for (size_t i = 0; i < p->n && rc == 0; n += p->loops[i++].n) {
        memcpy(p->loops[i].mca, asked + n, p->loops[i].n * sizeof *asked);
        memcpy(p->loops[i].uses, uses + n, p->loops[i].n * sizeof *uses);
        p->loops[i].cycles.has_units = true;
    }
    return rc;
}

/* Takes the loops that count, and their code. */
static int take_loops(struct cy_prediction *p, const struct cy_data *data,
                      const struct cy_loops *loops, struct cy_code *code,
                      const struct cy_choice *choice, struct diag *d)
{
    size_t room = 0;

    for (size_t i = 0; i < loops->n; i++) {
        const struct cy_loop *loop = &loops->loops[i];
        const struct cy_block *block = &data->blocks[loop->blocks[0]];
        struct cy_cost_of_loop c = {.loop = loop,
                                    .function = block->function,
                                    .name = block->region,
                                    .address = block->start,
                                    .share = share_of(data, loop)};

        if (!cy_data_is_asked(data, &data->objects[block->object],
                              block->function) ||
            (data->has_executions && c.share < cy_least_share(choice)))
            continue;
        if (take_code(&c, data, code, d) != 0) {
            array_push(p->loops, p->n, room, c);
            return -1;
        }
        c.is_shown =
            (!data->has_executions || c.share >= choice->min_share) &&
            (choice->source == NULL ||
             cy_code_matches(code, loop->object, c.insns, c.n, choice->source));
        array_push(p->loops, p->n, room, c);
        p->n_shown += c.is_shown;
        p->share += c.is_shown ? c.share : 0;
    }
    assert(p->n_shown <= p->n);
    return 0;
}

int cy_predict(struct cy_prediction *p, struct cy_data *data, const char *deps,
               const struct cy_loops *loops, struct cy_code *code,
               const struct cy_machine *machine, struct cy_mca *mca,
               const struct cy_choice *choice, struct diag *d)
{
    assert(choice->min_support >= 0 && choice->min_support <= 1);
    *p = (struct cy_prediction){0};
    if (cy_model_of(&p->model, machine, data->arch, mca, d) != 0 ||
        take_loops(p, data, loops, code, choice, d) != 0 ||
        (data->has_executions && read_needed(p, data, deps, d) != 0))
        return -1;
    for (size_t i = 0; i < p->n; i++)
        take_edges(&p->loops[i], data, choice);
    return mca != NULL && p->n > 0 ? ask_units(p, mca, d) : 0;
}

void cy_prediction_fini(struct cy_prediction *p)
{
    for (size_t i = 0; i < p->n; i++) {
        struct cy_cost_of_loop *c = &p->loops[i];

        free(c->bound.registers.links);
        free(c->bound.memory.links);
        free(c->bound.waits.links);
        free(c->bound.passages);
        free(c->bound.failed);
        free(c->bound.is_guessed);
        free(c->insns);
        free(c->steps);
        free(c->places);
        free(c->edges.list);
        free(c->mca);
        free(c->uses);
    }
    free(p->loops);
    *p = (struct cy_prediction){0};
}
