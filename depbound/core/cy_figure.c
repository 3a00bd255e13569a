/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_figure.h"

/* A loop is bound by memory if memory raises its prediction by this factor. */
#define MEMORY_BOUND 1.4

/* Atomics and fences bound a loop if they take this share of a round. */
#define MOSTLY 0.5

/* The unit for divisions limits a round if it is busy for this share of it. */
#define NEARLY 0.9

/* If a loop's runs have fewer rounds, its figure is that of such short runs. */
#define SHORT_RUN 20 /* rounds */

/* Fewer recorded rounds say too little. */
#define FEWEST_RECORDED 50

/* Recorded rounds that take this share more or less than made-up ones have a
   chain of their own. */
#define APART 0.1

/* --- A loop --- */

static void guess(struct cy_bound *b, uint32_t step)
{
    b->n_unknown_cost += !b->is_guessed[step];
    b->is_guessed[step] = true;
}

static bool computes(const struct flow *flow)
{
    for (unsigned i = 0; i < flow->n_puts; i++)
        if (flow->puts[i].value.is_computed && !flow->puts[i].is_free &&
            !flow->puts[i].is_base)
            return true;
    for (unsigned i = 0; i < flow->n_stores; i++)
        if (flow->stores[i].data.is_computed)
            return true;
    return false;
}

static void take_unknown(struct cy_cost_of_loop *c,
                         const struct cy_model *model)
{
    struct cy_bound *b = &c->bound;
    double cycles;

    b->is_guessed = memory_new(c->n, sizeof *b->is_guessed);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct flow *flow = &c->steps[i].insn->flow;

        b->n_unknown += !flow->is_known || flow->is_cut ||
                        (c->cycles.has_units && !c->mca[i].is_known);
        if (computes(flow) &&
            !cy_step_cycles(&c->steps[i], NULL, model, &cycles))
            guess(b, i);
    }
}

/* Takes the transfers from stores to loads. */
static void take_passages(struct cy_cost_of_loop *c, const struct cy_outcome *o)
{
    struct cy_bound *b = &c->bound;

    b->failed = memory_new(o->n_hops, sizeof *b->failed);
    b->passages = memory_new(o->n_hops, sizeof *b->passages);
    for (size_t i = 0; i < o->n_hops; i++) {
        const struct cy_hop *hop = &o->hops[i];

        if (hop->n == 0)
            continue;
        struct cy_link link = cy_link_of_passage(c, hop);
        b->passages[b->n_passages++] = link;
        if (hop->passage.is_guessed)
            guess(b, hop->to);
        b->n_renamed +=
            link.how == CY_RENAMED && link.mean_rounds > link.rounds;
        if (link.how == CY_FAILED)
            b->failed[b->n_failed++] = link;
    }
}

static double share_of(const struct cy_outcome *o, enum cy_cause cause)
{
    return o->cycles > 0 ? o->causes[cause] / o->cycles : 0;
}

/* Does anything on the critical path wait for a value? */
static bool waits(const struct cy_outcome *o)
{
    return o->causes[CY_CAUSE_REGISTERS] + o->causes[CY_CAUSE_LOADS] +
               o->causes[CY_CAUSE_FORWARDED] + o->causes[CY_CAUSE_FAILED] +
               o->causes[CY_CAUSE_ADDRESSES] + o->causes[CY_CAUSE_ORDER] >
           CY_HARDLY * o->cycles;
}

/* The cycles of a round for which divisions and roots occupy their unit,
   general or vector; 0 unless that is nearly the whole round. */
static double occupancy(const struct cy_cost_of_loop *c,
                        const struct cy_machine *machine)
{
    double kinds[2] = {0}, cycles, most;

    for (uint32_t i = 0; i < c->n; i++) {
        const struct cy_insn *insn = &c->steps[i].operands.insn;

        if (!cy_step_orders(&c->steps[i]) &&
            c->insns[i].flow.leave == FLOW_GOES_ON &&
            cy_machine_occupancy(machine, insn, &cycles))
            kinds[insn->bits >= 128] += cycles;
    }
    most = fmax(kinds[0], kinds[1]);
    return most > NEARLY * c->cycles.predicted ? most : 0;
}

/* The cycles of made-up rounds in which these edges hold. */
static double run_held(const struct cy_cost_of_loop *c,
                       const struct cy_model *model,
                       struct cy_madeup_choice choice, enum cy_held held,
                       struct cy_outcome *o)
{
    size_t ignored;

    choice.held = held;
    struct cy_madeup *m = cy_madeup_new(model, c, &choice, &ignored);
    double cycles = cy_madeup_run(m, CY_FIX_NONE, o);
    cy_madeup_free(m);
    return cycles;
}

/* Widens the range of cycles by rounds in which these edges hold. */
static void take_held(struct cy_cost_of_loop *c, const struct cy_model *model,
                      const struct cy_madeup_choice *choice, enum cy_held held)
{
    AUTO_FINI(cy_outcome_fini) struct cy_outcome ignored;
    double cycles = run_held(c, model, *choice, held, &ignored);

    c->cycles.low = fmin(c->cycles.low, cycles);
    c->cycles.high = fmax(c->cycles.high, cycles);
}

/* Is the range of cycles so wide that they are not known? */
static bool is_apart(const struct cy_cycles *cy)
{
    return fmax(cy->predicted - cy->low, cy->high - cy->predicted) >
           APART * cy->predicted;
}

static void take_range(struct cy_cost_of_loop *c, const struct cy_model *model,
                       const struct cy_madeup_choice *choice)
{
    bool are_sure = true;

    c->cycles.low = c->cycles.high = c->cycles.predicted;
    for (size_t i = 0; i < c->edges.n; i++)
        are_sure &= c->edges.list[i].is_sure;
    if (choice->held == CY_HELD_NONE)
        return;
    if (!are_sure)
        take_held(c, model, choice, CY_HELD_SURE);
    if (c->edges.n_all > c->edges.n)
        take_held(c, model, choice, CY_HELD_ALL);
    c->unknown.is_doubtful = is_apart(&c->cycles);
    assert(c->cycles.low <= c->cycles.high);
}

/* Has a line of code more taken branches than are quick? */
static bool is_crowded(const struct cy_cost_of_loop *c,
                       const struct cy_dispatch *dispatch)
{
    AUTO_FINI(keys_fini) struct keys lines = {0};
    AUTO_FREE unsigned *taken = memory_new(c->n, sizeof *taken);
    bool is = false;

    for (uint32_t i = 0; i < c->n && dispatch->line_branches > 0; i++)
        if (c->insns[i].address + c->insns[i].length !=
            c->insns[(i + 1) % c->n].address)
            is |=
                ++taken[keys_add(&lines, c->insns[i].address / CY_CACHE_LINE)] >
                dispatch->line_branches;
    return is;
}

static double run_varied(struct cy_madeup *m, enum cy_fix_kind kind)
{
    AUTO_FINI(cy_outcome_fini) struct cy_outcome ignored;

    return cy_madeup_run(m, kind, &ignored);
}

/* Widens the range by what the core does in some runs of the same code, and not
   in others, for reasons that are not known. */
static void take_speeds(struct cy_cost_of_loop *c, const struct cy_model *model,
                        struct cy_madeup *m)
{
    const struct cy_facts *facts = cy_machine_facts(model->machine);
    struct cy_cycles *cy = &c->cycles;

    if (!facts->is_unsteady ||
        (c->bound.n_passages == 0 && !is_crowded(c, &facts->dispatch)))
        return;
    cy->low = fmin(cy->low, run_varied(m, CY_FIX_QUICK));
    cy->high = fmax(cy->high, run_varied(m, CY_FIX_SLOW));
    c->unknown.is_unsteady = !c->unknown.is_doubtful && is_apart(cy);
}

static void take_figures(struct cy_cost_of_loop *c,
                         const struct cy_model *model,
                         const struct cy_madeup_choice *choice)
{
    struct cy_cycles *cy = &c->cycles;
    struct cy_madeup *m = cy_madeup_new(model, c, choice, &c->n_impossible);
    AUTO_FINI(cy_outcome_fini) struct cy_outcome o;

    cy->predicted = cy->throughput = cy_madeup_run(m, CY_FIX_NONE, &o);
    if (waits(&o))
        cy->throughput = run_varied(m, CY_FIX_FREE);
    take_unknown(c, model);
    c->bound.waits = cy_waits_of(c, model);
    take_passages(c, &o);
    c->bound.memory = cy_chain_of(c, &o, cy->predicted);
    if (share_of(&o, CY_CAUSE_ORDER) > MOSTLY)
        cy->ordered = cy->predicted;
    cy->occupancy = occupancy(c, model->machine);
    cy->mended = cy->without = cy->steered = cy->cached = cy->predicted;
    if (c->bound.n_passages > 0) {
        /* The fix also leaves out the accesses' work, which is no wait: so it
           counts only if loads wait for stores. */
        if (share_of(&o, CY_CAUSE_FORWARDED) + share_of(&o, CY_CAUSE_FAILED) +
                share_of(&o, CY_CAUSE_ADDRESSES) >=
            CY_HARDLY)
            cy->mended = fmin(cy->predicted, run_varied(m, CY_FIX_MENDED));
        AUTO_FINI(cy_outcome_fini) struct cy_outcome other;
        cy->without = run_held(c, model, *choice, CY_HELD_NONE, &other);
        c->bound.registers = cy_chain_of(c, &other, cy->without);
    } else {
        c->bound.registers = cy_chain_of(c, &o, cy->predicted);
    }
    /* With fewer waits, rounds may by chance take longer for units. */
    c->bound.registers.cycles = cy->without = fmin(cy->without, cy->mended);
    cy->throughput = fmin(cy->throughput, cy->without);
    assert(cy->throughput <= cy->without && cy->without <= cy->mended);
    assert(cy->mended <= cy->predicted);
    cy->is_memory_bound = cy->predicted >= MEMORY_BOUND * cy->mended;
    take_range(c, model, choice);
    take_speeds(c, model, m);
    cy_madeup_free(m);
}

/* --- Recorded rounds --- */

/* Takes the chain of recorded rounds that differ from made-up ones. */
static void take_recorded_chain(struct cy_cost_of_loop *c,
                                const struct cy_windowed *w, double rounds)
{
    struct cy_chain *memory = &c->bound.memory,
                    *registers = &c->bound.registers;
    bool waits = false;

    free(memory->links);
    free(registers->links);
    *memory = cy_chain_recorded(c, w, rounds);
    *registers = (struct cy_chain){.cycles = c->cycles.mended};
    for (size_t i = 0; i < memory->n; i++)
        waits |= memory->links[i].wait == CY_WAIT_MEMORY;
    if (!waits) {
        *registers = *memory;
        *memory = (struct cy_chain){.cycles = c->cycles.predicted};
    }
}

bool cy_figure_is_apart(const struct cy_cycles *cy)
{
    return fabs(cy->predicted - cy->steady) > APART * cy->steady;
}

/* Widens the range by what misses may take. */
static void take_misses(struct cy_cost_of_loop *c)
{
    struct cy_cycles *cy = &c->cycles;
    double missed = cy->predicted - cy->cached;

    assert(missed >= 0);
    if ((CY_MISSES_WITHIN - 1) * missed <= APART * cy->predicted)
        return;
    cy->low -= (1 - 1 / CY_MISSES_WITHIN) * missed;
    cy->high += (CY_MISSES_WITHIN - 1) * missed;
    c->unknown.is_missing = true;
}

/* Takes the loop's figures from recorded rounds, if there are enough. */
static void take_recorded(struct cy_cost_of_loop *c,
                          const struct cy_windowed *w,
                          const struct cy_data *data)
{
    struct cy_cycles *cy = &c->cycles;
    bool was_unsteady = c->unknown.is_unsteady;
    double least = 0, low = cy->low / cy->steady, high = cy->high / cy->steady;

    struct cy_windowed_round round = cy_windowed_loop(w, c->loop);
    if (round.n_seen < FEWEST_RECORDED || round.is_unknown)
        return;
    cy->n_recorded = round.n_seen;
    c->iterations = data->blocks[c->loop->blocks[0]].executions;
    cy->predicted = round.own + round.called;
    /* Divisions and atomics need at least what they need in made-up rounds. */
    if (!cy_figure_is_apart(cy) && (cy->occupancy > 0 || cy->ordered > 0))
        least = cy->throughput;
    cy->called = round.called;
    cy->mended = cy->without = round.mended;
    cy->throughput = fmin(round.mended, fmax(round.released, least));
    cy->steered = round.steered;
    cy->cached = round.cached;
    cy->low = round.quick;
    cy->high = round.slow;
    if (was_unsteady && !cy_figure_is_apart(cy)) {
        cy->low = fmin(cy->low, low * cy->predicted);
        cy->high = fmax(cy->high, high * cy->predicted);
    }
    cy->is_memory_bound = cy->predicted >= MEMORY_BOUND * cy->mended;
    c->bound.memory.cycles = cy->predicted;
    c->bound.registers.cycles = cy->mended;
    if (cy_figure_is_apart(cy))
        take_recorded_chain(c, w, round.rounds);
    cy_unknown_recorded(&c->unknown, round.is_least, w->has_caches);
    c->unknown.is_unsteady = is_apart(cy);
    take_misses(c);
}

/* Orders loops by their cost; without executions, by what a fix gains. */
static int cost_order(const void *pa, const void *pb)
{
    const struct cy_cost_of_loop *a = pa, *b = pb;
    int order = b->is_shown - a->is_shown;

    if (order == 0 && (a->name == NULL || b->name == NULL))
        order = array_order(b->cycles.all, a->cycles.all)
                    ?: array_order(b->cycles.predicted - b->cycles.mended,
                                   a->cycles.predicted - a->cycles.mended)
                    ?: array_order(b->cycles.predicted, a->cycles.predicted);
    /* Loops with a name keep the order of the source. */
    return order ?: array_order(a->address, b->address);
}

void cy_figures_of(struct cy_prediction *p, const struct cy_data *data,
                   struct cy_code *code, const struct cy_choice *choice,
                   const struct cy_windowed *windowed)
{
    struct cy_madeup_choice made_up = {
        .held = choice->edges == CY_EDGES_NONE ? CY_HELD_NONE : CY_HELD_EDGES,
        .is_unrolled = choice->is_unrolled};
    bool has_windows = windowed != NULL && windowed->n_insns > 0 &&
                       cy_windowed_is_known(windowed);

    for (size_t i = 0; i < p->n; i++) {
        struct cy_cost_of_loop *c = &p->loops[i];
        struct cy_cycles *cy = &c->cycles;
        double per_run = c->loop->entries > 0 ? (double)c->loop->rounds /
                                                    (double)c->loop->entries
                                              : 0;

        made_up.per_run = per_run < SHORT_RUN ? (size_t)lround(per_run) : 0;
        c->iterations = c->loop->rounds;
        take_figures(c, &p->model, &made_up);
        cy_unknown_of(c, data, code, choice, p->model.machine);
        cy->steady = cy->predicted;
        if (has_windows) {
            take_recorded(c, windowed, data);
            cy->all =
                cy_windowed_whole(windowed, cy_windowed_own(windowed, c->loop));
        } else if (!cy_unknown_is_all(&c->unknown)) {
            cy->all = (double)c->loop->rounds * cy->predicted;
        }
    }
    array_sort(p->loops, p->n, cost_order);
}

/* --- The program and its functions --- */

/* The sums of a function, which are added if there are none yet. */
static struct cy_total *total_of(struct cy_program *p, const char *function,
                                 uint32_t file, const struct cy_data *files)
{
    uint64_t key = (uintptr_t)function ^ (uint64_t)file << 48;
    uint32_t known = keys_match(&p->keys, key, i,
                                p->functions[i].function == function &&
                                    p->functions[i].file == file);

    assert(file < files->n_objects && p->n == p->keys.n);
    if (known != NO_KEY)
        return &p->functions[known];
    keys_append(&p->keys, key);
    array_push(p->functions, p->n, p->functions_room,
               (struct cy_total){.function = function,
                                 .object = files->objects[file].path,
                                 .file = file});
    return &p->functions[p->n - 1];
}

void cy_total_add(struct cy_total *to, const struct cy_total *part)
{
    to->instructions += part->instructions;
    to->unmodelled += part->unmodelled;
    to->cycles += part->cycles;
    to->same += part->same;
    to->mended += part->mended;
    to->steered += part->steered;
    to->cached += part->cached;
    to->quick += part->quick;
    to->slow += part->slow;
}

bool cy_total_is_unsteady(const struct cy_total *t)
{
    return fmax(t->cycles - t->quick, t->slow - t->cycles) > APART * t->cycles;
}

/* --- By windows --- */

/* Until all instructions are added, what is mended and steered are the cycles
   of a sample of the windows, beside those of the same ones as they are. */
static void add_insn(struct cy_program *p, const struct cy_windowed *w,
                     uint32_t i)
{
    const struct cy_windowed_fixed *fixed = w->fixed;
    double executed = cy_windowed_whole(w, w->outcome.weighed[i]);
    bool has_speeds = fixed[CY_FIX_SLOW].own != NULL;
    const struct cy_total part = {
        .instructions = executed,
        .unmodelled = w->simulated[i].is_known ? 0 : executed,
        .cycles = cy_windowed_whole(w, w->outcome.by_insn[i]),
        .same = fixed[CY_FIX_NONE].own[i],
        .mended = fixed[CY_FIX_MENDED].own[i],
        .steered = fixed[CY_FIX_PREDICTED].own[i],
        .cached = fixed[w->has_caches ? CY_FIX_CACHED : CY_FIX_NONE].own[i],
        .quick = fixed[has_speeds ? CY_FIX_QUICK : CY_FIX_NONE].own[i],
        .slow = fixed[has_speeds ? CY_FIX_SLOW : CY_FIX_NONE].own[i]};

    cy_total_add(&p->total, &part);
    p->unread += part.unmodelled > 0 ? part.cycles : 0;
    struct cy_total *to =
        total_of(p, w->names[i], w->simulated[i].object, &w->objects);
    to->is_other = !cy_windowed_is_asked(w, i);
    cy_total_add(to, &part);
}

/* A fix moves waits from one instruction to another, so that only sums of many
   say what it saves. */
static void take_saved(struct cy_total *t)
{
    double *saved[] = {&t->mended, &t->steered, &t->cached, &t->quick};

    for (unsigned i = 0; i < 4; i++)
        *saved[i] =
            t->cycles * (t->same > 0 ? fmin(*saved[i] / t->same, 1) : 1);
    t->slow = t->cycles * (t->same > 0 ? fmax(t->slow / t->same, 1) : 1);
}

static void take_windows(struct cy_program *p, const struct cy_windowed *w)
{
    p->is_recorded = true;
    p->is_few = !w->has_interval;
    if (w->has_interval) {
        double n = (double)w->outcome.instructions;

        p->low = cy_windowed_whole(w, n * w->interval.low);
        p->high = cy_windowed_whole(w, n * w->interval.high);
        p->with_most = cy_windowed_whole(w, w->with_most);
        p->with_least = cy_windowed_whole(w, w->with_least);
    }
    for (uint32_t i = 0; i < w->n_insns; i++)
        if (w->outcome.executed[i] > 0)
            add_insn(p, w, i);
    take_saved(&p->total);
    for (size_t i = 0; i < p->n; i++)
        take_saved(&p->functions[i]);
}

/* --- By executions --- */

static void add_part(struct cy_program *p, const struct cy_data *data,
                     uint32_t block, const struct cy_total *part)
{
    const struct cy_block *b = &data->blocks[block];

    cy_total_add(total_of(p, b->function, b->object, data), part);
    cy_total_add(&p->total, part);
}

static void add_loop(struct cy_program *p, const struct cy_data *data,
                     const struct cy_cost_of_loop *c)
{
    double rounds = (double)c->loop->rounds;
    bool is_known = !cy_unknown_is_all(&c->unknown);

    add_part(p, data, c->loop->blocks[0],
             &(struct cy_total){
                 .instructions = rounds * c->n,
                 .unmodelled = rounds * (is_known ? c->bound.n_unknown : c->n),
                 .cycles = is_known ? rounds * c->cycles.predicted : 0,
                 .mended = is_known ? rounds * c->cycles.mended : 0});
}

/* By block: its executions outside the rounds of loops.  The caller frees
   it. */
static uint64_t *executions_outside(const struct cy_data *data,
                                    const struct cy_prediction *prediction)
{
    uint64_t *executions = memory_new(data->n_blocks, sizeof *executions);

    for (size_t i = 0; i < data->n_blocks; i++)
        executions[i] = data->blocks[i].executions;
    for (size_t i = 0; i < prediction->n; i++) {
        const struct cy_loop *loop = prediction->loops[i].loop;

        for (size_t j = 0; j < loop->n_blocks; j++) {
            /* A block is on the path of one loop at most. */
            assert(executions[loop->blocks[j]] >= loop->rounds);
            executions[loop->blocks[j]] -= loop->rounds;
        }
    }
    return executions;
}

static void add_rest(struct cy_program *p, const struct cy_data *data,
                     const struct cy_prediction *prediction)
{
    double width = cy_model_width(&prediction->model);
    AUTO_FREE uint64_t *executions = executions_outside(data, prediction);

    p->rest = memory_new(data->n_blocks, sizeof *p->rest);
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        double n = (double)executions[i] * data->blocks[i].n_insns;

        if (executions[i] == 0)
            continue;
        add_part(p, data, i,
                 &(struct cy_total){.instructions = n,
                                    .cycles = n / width,
                                    .mended = n / width});
        p->rest[p->n_rest++] = (struct cy_rest){i, n / width};
    }
}

ARRAY_ORDER(total_order, struct cy_total,
            a->is_other - b->is_other
                ?: array_order(b->cycles, a->cycles)
                ?: strcmp(a->function != NULL ? a->function : "",
                          b->function != NULL ? b->function : "")
                ?: array_order(a->file, b->file))

void cy_program_of(struct cy_program *p, const struct cy_data *data,
                   const struct cy_prediction *prediction,
                   const struct cy_windowed *windowed, bool is_part)
{
    bool has_windows = windowed->n_insns > 0 && cy_windowed_is_known(windowed);
    double outside;

    *p = (struct cy_program){
        .low = NAN, .high = NAN, .with_most = NAN, .with_least = NAN};
    p->is_known = has_windows || (data->has_executions && !is_part);
    if (has_windows) {
        take_windows(p, windowed);
    } else if (p->is_known) {
        for (size_t i = 0; i < prediction->n; i++)
            add_loop(p, data, &prediction->loops[i]);
        add_rest(p, data, prediction);
        /* Instructions that ran outside the blocks.  A block counts as a whole
           even when it was left early, so the blocks may have more than ran at
           all. */
        outside = fmax(0, (double)data->recorded - p->total.instructions);
        p->total.unmodelled += outside;
        p->total.instructions += outside;
    }
    keys_fini(&p->keys);
    array_sort(p->functions, p->n, total_order);
    for (p->n_all = p->n; p->n > 0 && p->functions[p->n - 1].is_other;)
        p->n--;
}

void cy_program_fini(struct cy_program *program)
{
    free(program->functions);
    free(program->rest);
    *program = (struct cy_program){0};
}
