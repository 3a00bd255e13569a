/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_recipe.h"

/* LLVM's models give instructions that they do not model about this latency. */
#define NO_LATENCY 90

static struct cy_needs needs_of(struct cy_recipes *all,
                                const struct flow_sources *from)
{
    struct cy_needs needs = {.first = (uint32_t)all->n_words,
                             .loads = from->loads};

    assert(all->n_words < UINT32_MAX - FLOW_WORDS);
    for (unsigned w = 0; w < FLOW_WORDS; w++)
        if (flow_sources_has(from, w)) {
            array_append(all, words, (uint8_t)w);
            needs.n++;
        }
    return needs;
}

/* The number of the first recorded access of a load or store of the flow, which
   follows those of `before` bytes; CY_NO_ACCESS if none of its bytes begin or
   end there.  VEX may have made several accesses of one. */
static uint8_t access_of(const struct cy_simulated_insn *insn, bool is_store,
                         unsigned before, unsigned size)
{
    uint8_t first = CY_NO_ACCESS;

    for (unsigned a = 0, at = 0; a < insn->n_accesses && a < CY_NO_ACCESS;
         a++) {
        if (insn->accesses[a].is_store != is_store)
            continue;
        if (at == before)
            first = (uint8_t)a;
        at += insn->accesses[a].size;
        if (at >= before + size)
            return at == before + size ? first : CY_NO_ACCESS;
    }
    return CY_NO_ACCESS;
}

static void take_accesses(struct cy_recipes *all, struct cy_recipe *r,
                          const struct cy_simulated_insn *insn)
{
    const struct flow *flow = &insn->step->insn->flow;
    unsigned loaded = 0, stored = 0; /* bytes */

    assert(flow->n_loads <= FLOW_MOST_LOADS);
    assert(flow->n_stores <= FLOW_MOST_STORES);
    r->n_loads = flow->n_loads;
    r->n_stores = flow->n_stores;
    for (unsigned i = 0; i < flow->n_loads; i++) {
        r->loads[i] = (struct cy_recipe_load){
            .address = needs_of(all, &flow->loads[i].address),
            .access = access_of(insn, false, loaded, flow->loads[i].size),
            .size = flow->loads[i].size};
        loaded += flow->loads[i].size;
    }
    for (unsigned i = 0; i < flow->n_stores; i++) {
        r->stores[i] = (struct cy_recipe_store){
            .address = needs_of(all, &flow->stores[i].address),
            .data = needs_of(all, &flow->stores[i].data),
            .access = access_of(insn, true, stored, flow->stores[i].size),
            .size = flow->stores[i].size,
            .by_result = flow->stores[i].data.is_computed};
        stored += flow->stores[i].size;
    }
}

static void take_values(struct cy_recipes *all, struct cy_recipe *r,
                        const struct flow *flow)
{
    struct flow_sources operands = {0};

    assert(flow->n_puts <= FLOW_MOST_PUTS);
    r->n_puts = flow->n_puts;
    r->puts = memory_new(flow->n_puts, sizeof *r->puts);
    for (unsigned i = 0; i < flow->n_puts; i++) {
        const struct flow_put *put = &flow->puts[i];

        r->puts[i] =
            (struct cy_recipe_put){.value = needs_of(all, &put->value),
                                   .word = put->word,
                                   .by_result = put->value.is_computed &&
                                                !put->is_free && !put->is_base,
                                   .is_free = put->is_free,
                                   .is_base = put->is_base};
        if (r->puts[i].by_result)
            flow_sources_join(&operands, &put->value);
        r->computes |= r->puts[i].by_result;
    }
    for (unsigned i = 0; i < flow->n_stores; i++)
        if (flow->stores[i].data.is_computed) {
            flow_sources_join(&operands, &flow->stores[i].data);
            r->computes = true;
        }
    r->operands = needs_of(all, &operands);
    r->way = needs_of(all, &flow->way);
}

/* Cycles from an operand that `from` made to the result of r; is_added_to: the
   operand is what a product is added to. */
static double after(const struct cy_recipes *all, const struct cy_recipe *r,
                    const struct cy_recipe *from, bool is_added_to)
{
    double cycles;

    if (!is_added_to ||
        !cy_machine_accumulates(all->model->machine, &r->step->operands.insn,
                                &from->step->operands.insn, &cycles))
        cy_step_cycles(r->step, from->step, all->model, &cycles);
    return cycles;
}

/* The figure of an instruction after which r is quicker, or else a new one. */
static uint32_t figure_of(const struct cy_recipes *all,
                          const struct cy_recipe *r)
{
    for (size_t i = 0; i < all->n_figures; i++) {
        const struct cy_recipe *other = &all->list[all->figures[i]];

        if ((float)fmin(after(all, r, other, false),
                        after(all, r, other, true)) < r->cycles)
            return other->figure;
    }
    return (uint32_t)(r - all->list) + 1;
}

static bool has_word(struct guest_span span, unsigned word)
{
    return 8 * word >= span.first && 8 * word < span.end;
}

/* Latencies of parts.  VEX writes the high half of a product first, but that of
   mulx last, as the remainder of a division. */
static void take_parts(const struct cy_recipes *all, struct cy_recipe *r)
{
    const struct cy_facts *facts = cy_machine_facts(all->model->machine);
    const struct guest *guest = guest_of(facts->arch);
    const char *mnemonic = r->step->operands.insn.mnemonic;
    bool is_last =
        strcmp(mnemonic, "mulx") == 0 || strstr(mnemonic, "div") != NULL;
    struct cy_recipe_put *to = NULL;
    unsigned upper = cy_insn_upper(r->step->insn);
    double kept, high;

    cy_machine_parts(all->model->machine, &r->step->operands.insn, &kept,
                     &high);
    if (kept >= 0) {
        r->kept = (float)kept;
        r->first_kept = (uint8_t)(guest->vectors.first / 8);
        r->n_kept = (uint8_t)((guest->vectors.end - guest->vectors.first) / 8);
        if (upper < FLOW_WORDS) {
            r->first_kept = (uint8_t)upper;
            r->n_kept = 1;
        }
    }
    for (unsigned i = 0; i < r->n_puts; i++)
        if (r->puts[i].by_result && has_word(guest->general, r->puts[i].word) &&
            (to == NULL || is_last))
            to = &r->puts[i];
    if (to != NULL && high > r->cycles)
        to->more = (float)high - r->cycles;
}

static void take_latencies(struct cy_recipes *all, struct cy_recipe *r)
{
    double cycles;

    r->cost_is_known = cy_step_cycles(r->step, NULL, all->model, &cycles) &&
                       cycles < NO_LATENCY;
    r->cycles = (float)cycles;
    take_parts(all, r);
    r->chained = (float)after(all, r, r, false);
    r->accumulated = (float)after(all, r, r, true);
    if (fminf(r->chained, r->accumulated) < r->cycles) {
        r->figure = figure_of(all, r);
        array_append(all, figures, (size_t)(r - all->list));
    }
    r->load_cycles = (float)cy_step_load_cycles(r->step, all->model);
}

/* A figure as a cost; one that is not known (NAN) costs nothing. */
static float figure(double cycles)
{
    return isnan(cycles) ? 0 : (float)cycles;
}

static bool take_rates(struct cy_recipe *r, const struct cy_rates *rates)
{
    const struct cy_operands *o = &r->step->operands;
    double load = rates->load[o->load.class],
           store = rates->store[o->store.class];

    r->load_rates[CY_RATE_LOAD] = figure(load);
    r->load_rates[CY_RATE_ANY] = figure(rates->any[o->load.class]);
    r->store_rates[CY_RATE_STORE] = figure(store);
    r->store_rates[CY_RATE_ANY] = figure(rates->any[o->store.class]);
    if (!isnan(store))
        r->leave_cycles = (float)store;
    if (!isnan(rates->line) && o->store.class <= CY_YMM)
        r->paired_in = CY_CACHE_LINE;
    else if (!isnan(rates->pair) && o->store.class == CY_GENERAL)
        r->paired_in = CY_PAIR_BLOCK;
    if (r->paired_in > 0)
        r->store_rates[CY_RATE_STORE] =
            (float)(r->paired_in == CY_CACHE_LINE ? rates->line : rates->pair);
    return !isnan(load) && !isnan(store);
}

/* Adds a piece to a list, which must be complete before the next one begins. */
static void add_work(struct cy_recipes *all, struct cy_pieces *list,
                     const struct cy_mca_use *use)
{
    if (list->n == 0)
        list->first = (uint32_t)all->n_pieces;
    assert(list->first + list->n == all->n_pieces && list->n < UINT8_MAX);
    array_append(all, pieces,
                 (struct cy_piece){use->units, (float)use->cycles});
    list->n++;
}

/* The unit that an instruction occupies for more than a cycle. */
static enum cy_rate long_unit(const struct cy_recipe *r)
{
    if (r->branch == CY_RETURN)
        return CY_RATE_RETURN;
    return r->is_vector ? CY_RATE_DIVIDE_VECTOR : CY_RATE_DIVIDE;
}

/* The units of a conditional jump.  If work takes its units in turn, LLVM's
   unit for jumps alone is the last of those that add. */
static uint64_t units_of_jump(const struct cy_model *model, uint64_t units)
{
    uint64_t adders = model->adders;

    if (!cy_machine_facts(model->machine)->units_in_turn ||
        (units & adders) == 0)
        return units;
    return (units & adders) | UINT64_C(1) << (63 - __builtin_clzll(adders));
}

/* What an instruction needs of units besides those for memory. */
static void take_use(struct cy_recipes *all, struct cy_recipe *r,
                     const struct cy_mca_use *use, bool has_occupancy)
{
    bool is_long =
        use->cycles > CY_LONG_WORK && __builtin_popcountll(use->units) == 1;

    struct cy_mca_use own = *use;

    assert(use->units != 0);
    if (has_occupancy && use->cycles > 1.5)
        return;
    if (r->branch == CY_CONDITIONAL)
        own.units = units_of_jump(all->model, use->units);
    if (is_long)
        r->rates[long_unit(r)] += (float)use->cycles;
    else
        add_work(all, &r->work, &own);
}

/* Does the instruction do nothing?  LLVM knows little about some nops, such as
   endbr64. */
static bool is_nop(const struct cy_recipe *r)
{
    return r->n_puts == 0 && r->n_loads == 0 && r->n_stores == 0 &&
           r->branch == CY_NO_BRANCH && !r->is_system;
}

/* Does the instruction only rename a register, or do nothing? */
static bool costs_nothing(const struct cy_recipes *all,
                          const struct cy_recipe *r)
{
    double cycles;

    if (r->is_idle || is_nop(r))
        return true;
    return r->n_loads == 0 && r->n_stores == 0 &&
           cy_machine_latency(all->model->machine, &r->step->operands.insn,
                              NULL, &cycles) &&
           cycles <= 0;
}

/* Counts the registers that results take until they retire.  A move that is
   only renamed takes none, nor does a change of the stack pointer. */
static void take_results(const struct cy_recipes *all, struct cy_recipe *r)
{
    enum arch arch = cy_machine_facts(all->model->machine)->arch;
    const struct guest *guest = guest_of(arch);

    if (costs_nothing(all, r))
        return;
    for (unsigned i = 0; i < r->n_puts; i++) {
        unsigned word = r->puts[i].word;

        if (has_word(guest->vectors, word))
            r->n_vector = 1;
        else if (has_word(guest->general, word) &&
                 8 * word != guest->stack_pointer)
            r->n_general++;
    }
}

/* The use of work in general registers.  If more units do it than llvm-mca
   knows, they are among those that add. */
static struct cy_mca_use use_of_adders(const struct cy_work *work,
                                       const struct cy_mca_uses *uses,
                                       uint64_t adders)
{
    uint64_t units = 0;

    for (unsigned i = 0; i < uses->n; i++)
        units |= uses->uses[i].units & adders;
    while ((unsigned)__builtin_popcountll(units) < work->units &&
           units != adders)
        units |= adders & ~units & -(adders & ~units);
    assert(units != 0);
    return (struct cy_mca_use){.units = units,
                               .cycles = work->cycles / work->units *
                                         __builtin_popcountll(units)};
}

/* The use of the machine file's own units, which come after llvm-mca's. */
static struct cy_mca_use own_use(const struct cy_work *work)
{
    unsigned first = CY_MOST_UNITS + (work->is_vector ? CY_MOST_OWN_UNITS : 0);

    static_assert(CY_ALL_UNITS <= 64, "a unit is a bit");
    return (struct cy_mca_use){.units = ((UINT64_C(1) << work->units) - 1)
                                        << first,
                               .cycles = work->cycles};
}

/* Does the instruction do such work besides its loads and stores?  Units for
   memory do other work, too: on AMD's processors what moves to general
   registers from vectors needs one for stores.  Work that is too long for an
   access is not one. */
static bool is_other_work(const struct cy_recipe *r,
                          const struct cy_mca_use *use)
{
    unsigned n = r->n_loads + r->n_stores;

    return !use->for_memory || n == 0 ||
           (n == 1 &&
            use->cycles > CY_LONG_WORK * __builtin_popcountll(use->units));
}

static void take_units(struct cy_recipes *all, struct cy_recipe *r,
                       const struct cy_mca_uses *uses)
{
    const struct cy_machine *machine = all->model->machine;
    uint64_t adders = all->model->adders;
    bool is_eliminated = costs_nothing(all, r), by_rates, has_occupancy,
         has_own;
    double leave = cy_uses_cycles(uses, true), cycles;
    struct cy_work work;

    r->leave_cycles = leave > 0 ? (float)leave : 1;
    by_rates = take_rates(r, &cy_machine_facts(machine)->rates);
    has_occupancy =
        r->order == CY_NO_ORDER &&
        cy_machine_occupancy(machine, &r->step->operands.insn, &cycles);
    /* If branches are predicted in time (cy_steer), that covers returns. */
    if (has_occupancy && r->branch == CY_RETURN &&
        cy_machine_facts(machine)->dispatch.branches > 0)
        cycles = 0;
    if (has_occupancy)
        r->rates[long_unit(r)] += (float)cycles;
    if (cy_machine_retiring(machine, &r->step->operands.insn, &cycles)) {
        r->retiring = (float)cycles;
        is_eliminated = true; /* its units are free for what comes after it */
    }
    has_own = !is_eliminated && cy_step_work(r->step, uses, machine, &work);
    if (has_own) {
        struct cy_mca_use use = !work.is_vector && adders != 0
                                    ? use_of_adders(&work, uses, adders)
                                    : own_use(&work);

        take_use(all, r, &use, has_occupancy);
    }
    for (unsigned i = 0; i < uses->n && !has_own && !is_eliminated; i++)
        if (is_other_work(r, &uses->uses[i]))
            take_use(all, r, &uses->uses[i], has_occupancy);
    for (unsigned i = 0; i < uses->n && !by_rates && !is_eliminated; i++)
        if (!is_other_work(r, &uses->uses[i]))
            add_work(all, r->n_loads > 0 ? &r->load_work : &r->store_work,
                     &uses->uses[i]);
    for (unsigned i = 0; i < CY_N_RATES; i++) {
        r->has_rates |= r->rates[i] > 0;
        r->has_load_rates |= r->load_rates[i] > 0;
        r->has_store_rates |= r->store_rates[i] > 0;
    }
}

/* Immediates and displacements in the code; one of 64 bits counts as two. */
static uint8_t numbers_of(const struct cy_code_insn *insn)
{
    unsigned n = 0;

    for (unsigned i = 0; i < insn->n_operands; i++) {
        unsigned bytes = insn->operands[i].bytes;

        n += bytes > 4 ? 2 : bytes > 0;
    }
    return (uint8_t)n;
}

/* Does an instruction with a fused load fall apart in the dispatch?  With an
   index it does, unless it has two operands, and its result goes to the one
   that is not in memory; with flags as a third one it does.  (Found on Golden
   Cove with loops of 12 to 24 places.) */
static bool falls_apart(const struct cy_recipes *all,
                        const struct cy_dispatch *d, const struct cy_recipe *r)
{
    static const char *const with_flags[] = {"adc", "sbb", "cmov", NULL};
    const struct cy_operands *o = &r->step->operands;
    bool is_added_to = false;

    if (o->load.addressing == CY_RIP)
        return d->splits_rip && o->load.class == CY_GENERAL;
    if (o->load.addressing != CY_INDEX)
        return false;
    if (text_begins_any(o->insn.mnemonic, with_flags) > 0)
        return true;
    for (unsigned p = 0; p < r->n_puts; p++)
        for (unsigned i = 0; i < r->operands.n; i++)
            is_added_to |= r->puts[p].by_result &&
                           r->puts[p].word == all->words[r->operands.first + i];
    return r->n_stores > 0 || !is_added_to || o->insn.mnemonic[0] == 'v';
}

/* llvm-mca's micro-operations, of which some take a place together. */
static double fused_places(const struct cy_recipes *all,
                           const struct cy_dispatch *d, struct cy_recipe *r,
                           double uops)
{
    const struct cy_operands *o = &r->step->operands;
    bool has_load = r->n_loads > 0 && uops >= 2 &&
                    (r->loads_compute || r->n_stores == 0),
         is_apart = has_load && falls_apart(all, d, r),
         is_store_apart = d->splits_rip && o->store.addressing == CY_RIP &&
                          o->store.class == CY_GENERAL;

    r->is_split =
        is_apart && r->n_stores == 0 &&
        (o->load.addressing != CY_RIP || numbers_of(r->step->insn) < 2);
    if (is_apart) {
        r->apart = 1 + (r->n_stores > 0);
        return uops;
    }
    return uops - has_load - (r->n_stores > 0 && !is_store_apart);
}

/* The places of an instruction, at least one.  If a machine file says only how
   many instructions begin in a cycle, llvm-mca's micro-operations are
   scaled. */
static uint8_t places_of(const struct cy_recipes *all, struct cy_recipe *r)
{
    const struct cy_step *step = r->step;
    const struct cy_dispatch *d =
        &cy_machine_facts(all->model->machine)->dispatch;
    double uops = step->mca->is_known ? step->mca->uops : 1,
           places =
               cy_machine_places(all->model->machine, &step->operands.insn);

    if (places > 0)
        return (uint8_t)fmin(ceil(places), UINT8_MAX);
    if (isnan(d->width) && d->instructions > 0 && all->model->mca_width > 0)
        uops = round(uops * d->instructions / all->model->mca_width);
    if (d->micro_fused)
        uops = fused_places(all, d, r, uops);
    uops = fmin(fmax(uops, 1), UINT8_MAX);
    assert(uops >= 1);
    return (uint8_t)cy_lines_places(d, (unsigned)uops);
}

/* Does an instruction only add a constant to a register of 64 bits?  The stack
   pointer moves so, too. */
static bool adds_constant(const struct cy_operands *o)
{
    static const char *const kinds[] = {"add", "sub", "inc", "dec"};

    if (o->moves_stack)
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(o->insn.mnemonic, kinds[i]) == 0)
            return o->insn.bits == 64 && !o->insn.stores &&
                   (i >= 2 || o->form[0] == 'i');
    return false;
}

/* Does an instruction copy a register of 64 bits, with a constant or without?
 */
static bool moves_base(const struct cy_operands *o)
{
    return o->insn.bits == 64 && !o->insn.loads && !o->insn.stores &&
           ((strcmp(o->insn.mnemonic, "mov") == 0 &&
             strcmp(o->form, "rr") == 0) ||
            (strcmp(o->insn.mnemonic, "lea") == 0 && o->form[0] == 'b' &&
             strchr(o->form, 'x') == NULL));
}

/* Sets how an atomic or a fence takes its turn. */
static void take_order(const struct cy_recipes *all, struct cy_recipe *r)
{
    double cycles, serial;

    if (!cy_step_orders(r->step))
        return;
    cycles = serial = cy_step_order(r->step, all->model->machine);
    r->order = isnan(cycles) ? CY_ORDER_UNKNOWN
               : cy_step_serializes(r->step, all->model->machine, &serial)
                   ? CY_ORDER_SERIALIZES
               : r->step->operands.is_locked ? CY_ORDER_RETIRES
                                             : CY_ORDER_STORES;
    r->order_cycles = figure(cycles);
    r->serial_cycles = figure(serial);
}

void cy_recipes_take(struct cy_recipes *all,
                     const struct cy_simulated_insn *insn,
                     const struct cy_mca_uses *uses)
{
    static const struct cy_mca_uses none;
    const struct cy_step *step = insn->step;
    const struct cy_machine *machine = all->model->machine;
    struct cy_recipe *r = &all->list[insn->recipe];

    assert(insn->recipe < all->n && r->step == NULL);
    *r = (struct cy_recipe){.step = step,
                            .upper = FLOW_WORDS,
                            .places = 1,
                            .first_piece = (uint32_t)all->n_pieces};
    if (step->insn == NULL)
        return;
    r->is_known = step->insn->flow.is_known;
    r->branch = cy_branch_of(step->insn);
    r->is_system = cy_is_system_call(step->insn);
    r->is_prefetch = strncmp(step->insn->name, "prefetch", 8) == 0 ||
                     strncmp(step->insn->name, "prfm", 4) == 0;
    r->adds_constant = adds_constant(&step->operands);
    r->moves_base = moves_base(&step->operands);
    r->is_vector = step->operands.insn.bits >= 128;
    if (cy_machine_facts(machine)->zero_upper)
        r->upper = (uint8_t)cy_insn_upper(step->insn);
    r->is_idle = cy_step_is_idiom(step, machine);
    r->fuses = cy_machine_is_fused(machine, &step->operands.insn);
    r->has_parts = step->insn->flow.has_parts;
    r->loads_compute = cy_flow_computes_with_load(&step->insn->flow);
    take_accesses(all, r, insn);
    take_values(all, r, &step->insn->flow);
    if (!is_nop(r)) {
        r->places = places_of(all, r);
        r->numbers = numbers_of(step->insn);
    }
    take_latencies(all, r);
    take_order(all, r);
    take_results(all, r);
    take_units(all, r, uses != NULL ? uses : &none);
    r->n_pieces = (uint32_t)all->n_pieces - r->first_piece;
}

void cy_recipes_begin(struct cy_recipes *all,
                      const struct cy_simulated_insn *insns, size_t n_insns,
                      size_t n, const struct cy_model *model)
{
    assert(n <= n_insns);
    *all = (struct cy_recipes){.insns = insns,
                               .n_insns = n_insns,
                               .list = memory_new(n, sizeof *all->list),
                               .n = n,
                               .model = model};
}

void cy_recipes_init(struct cy_recipes *all, struct cy_simulated_insn *insns,
                     const struct cy_mca_uses *uses, size_t n,
                     const struct cy_model *model)
{
    cy_recipes_begin(all, insns, n, n, model);
    for (uint32_t i = 0; i < n; i++) {
        insns[i].recipe = i;
        cy_recipes_take(all, &insns[i], &uses[i]);
    }
}

void cy_recipes_fini(struct cy_recipes *all)
{
    for (size_t i = 0; i < all->n; i++)
        free(all->list[i].puts);
    free(all->list);
    free(all->words);
    free(all->pieces);
    free(all->figures);
    *all = (struct cy_recipes){0};
}
