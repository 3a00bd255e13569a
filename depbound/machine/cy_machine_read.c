/* cy_machine_read: reads machine files. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/internal.h"

#include "file.h"

static int read_models(struct cy_json_place *at, void *entry)
{
    struct cy_match *match = entry;
    json_t *values = at->value;
    size_t n = cy_json_count(values);

    match->models = memory_new(n + 1, sizeof *match->models);
    for (; match->n_models < n; match->n_models++) {
        at->value = cy_json_nth(values, match->n_models);
        if (cy_json_unsigned(at, &match->models[match->n_models]) != 0)
            return -1;
    }
    return n > 0 ? 0 : cy_json_wrong(at, "no value");
}

static int read_match(struct cy_json_place *at, void *entry)
{
    static const struct cy_json_row rows[] = {
        {"vendor", cy_json_text, offsetof(struct cy_match, vendor), true},
        {"family", cy_json_unsigned, offsetof(struct cy_match, family), true},
        {"models", read_models, 0, true},
        {0},
    };

    return cy_json_rows(at, rows, 0, entry);
}

#define MACHINE(member) offsetof(struct cy_machine, member)
#define LIST(member, read)                      \
    read, MACHINE(member), MACHINE(n_##member), \
        sizeof *((struct cy_machine *)NULL)->member

/* The lists of a machine file, and where struct cy_machine has them. */
static const struct {
    const char *key;
    int (*read)(struct cy_json_place *at, void *entry);
    size_t entries, n;
    size_t size; /* bytes of an entry */
} lists[] = {
    {"match", LIST(matches, read_match)},
    {"load", LIST(loads, cy_rule_read)},
    {"forward", LIST(forwards, cy_rule_read)},
    {"latency", LIST(latencies, cy_figure_read)},
    {"occupancy", LIST(occupancies, cy_figure_read)},
    {"throughput", LIST(throughputs, cy_figure_read)},
    {"retiring", LIST(retirings, cy_figure_read)},
};

static int read_list(struct cy_json_place *at, void *machine)
{
    json_t *array = at->value;
    size_t n = json_array_size(array), i = 0;

    while (strcmp(lists[i].key, at->key) != 0) {
        i++;
        assert(i < sizeof lists / sizeof *lists);
    }
    if (!json_is_array(array))
        return cy_json_wrong(at, "not an array");
    char *entries = memory_new(n + 1, lists[i].size);
    memcpy((char *)machine + lists[i].entries, &entries, sizeof entries);
    memcpy((char *)machine + lists[i].n, &n, sizeof n);
    at->list = lists[i].key;
    for (at->entry = 0; at->entry < n; at->entry++) {
        at->key = "entry";
        at->value = json_array_get(array, at->entry);
        if (lists[i].read(at, entries + at->entry * lists[i].size) != 0)
            return -1;
    }
    at->list = NULL;
    return 0;
}

/* Reads a number of at most `most`; `wrong` says that it is more. */
static int read_at_most(struct cy_json_place *at, unsigned *n, unsigned most,
                        const char *wrong)
{
    if (cy_json_unsigned(at, n) != 0)
        return -1;
    return *n <= most ? 0 : cy_json_wrong(at, wrong);
}

static int read_schedulers(struct cy_json_place *at, void *member)
{
    return read_at_most(at, member, CY_MOST_LOAD_SCHEDULERS, "more than 4");
}

#define WINDOW(member) \
    cy_json_unsigned, offsetof(struct cy_window, member), false
const struct cy_json_row cy_window_members[] = {
    {"scheduler", WINDOW(scheduler)},
    {"reorder_buffer", WINDOW(reorder_buffer)},
    {"load_buffer", WINDOW(load_buffer)},
    {"store_buffer", WINDOW(store_buffer)},
    {"misprediction", WINDOW(misprediction)},
    {"vector_misprediction", WINDOW(vector_misprediction)},
    {"address_scheduler", WINDOW(address_scheduler)},
    {"load_schedulers", read_schedulers,
     offsetof(struct cy_window, load_schedulers), false},
    {"load_scheduler", WINDOW(load_scheduler)},
    {"vector_scheduler", WINDOW(vector_scheduler)},
    {"vector_stores", WINDOW(vector_stores)},
    {"vector_queue", WINDOW(vector_queue)},
    {"general_results", WINDOW(general_results)},
    {"vector_results", WINDOW(vector_results)},
    {"retired", WINDOW(retired)},
    {"predicted_rounds", WINDOW(predicted_rounds)},
    {"renamed_after", WINDOW(renamed_after)},
    {"store_completion", WINDOW(store_completion)},
    {0},
};

static int read_window(struct cy_json_place *at, void *window)
{
    return cy_json_rows(at, cy_window_members, 0, window);
}

/* Without a figure of their own in the units that loads and stores share,
   vector accesses have that of general registers. */
static int read_rates(struct cy_json_place *at, void *member)
{
#define RATE(member) cy_json_cycles, offsetof(struct cy_rates, member), false
    static const struct cy_json_row rows[] = {
        {"load_general", RATE(load[CY_GENERAL])},
        {"load_xmm", RATE(load[CY_XMM])},
        {"load_ymm", RATE(load[CY_YMM])},
        {"load_zmm", RATE(load[CY_ZMM])},
        {"store_general", RATE(store[CY_GENERAL])},
        {"store_pair", RATE(pair)},
        {"store_line", RATE(line)},
        {"store_xmm", RATE(store[CY_XMM])},
        {"store_ymm", RATE(store[CY_YMM])},
        {"store_zmm", RATE(store[CY_ZMM])},
        {"any", RATE(any[CY_GENERAL])},
        {"any_xmm", RATE(any[CY_XMM])},
        {"any_ymm", RATE(any[CY_YMM])},
        {"any_zmm", RATE(any[CY_ZMM])},
        {"locked", RATE(locked)},
        {0},
    };
    struct cy_rates *all = member;

    for (const struct cy_json_row *row = rows; row->key != NULL; row++)
        *(double *)(void *)((char *)all + row->offset) = NAN;
    if (at->value != NULL && cy_json_rows(at, rows, 0, all) != 0)
        return -1;
    for (enum cy_class c = CY_XMM; c <= CY_ZMM; c++)
        if (isnan(all->any[c]))
            all->any[c] = all->any[CY_GENERAL];
    return 0;
}

static int read_width(struct cy_json_place *at, void *machine)
{
    struct cy_dispatch *dispatch =
        &((struct cy_machine *)machine)->facts.dispatch;

    if (at->value == NULL &&
        (dispatch->instructions > 0 || dispatch->micro_fused))
        return 0;
    if (cy_json_cycles(at, &dispatch->width) != 0)
        return -1;
    return dispatch->width >= 1 ? 0 : cy_json_wrong(at, "less than 1");
}

static int read_rounds(struct cy_json_place *at, void *machine)
{
    struct cy_machine *m = machine;
    json_t *values = at->value;
    size_t n = cy_json_count(values);

    m->rounds = memory_new(n + 1, sizeof *m->rounds);
    for (size_t i = 0; i < n; i++) {
        at->value = cy_json_nth(values, i);
        if (cy_json_cycles(at, &m->rounds[i]) != 0)
            return -1;
    }
    m->facts.dispatch.rounds = m->rounds;
    m->facts.dispatch.n_rounds = n;
    return 0;
}

static int read_branches(struct cy_json_place *at, void *member)
{
    double branches;

    if (cy_json_cycles(at, &branches) != 0)
        return -1;
    *(unsigned *)member = (unsigned)branches;
    return branches == floor(branches) && branches <= 16
               ? 0
               : cy_json_wrong(at, "not a whole number up to 16");
}

static int read_few(struct cy_json_place *at, void *member)
{
    return read_at_most(at, member, CY_MOST_RETURNS, "more than 64");
}

/* Reads a power of two from 64 to 65536. */
static int read_counters(struct cy_json_place *at, void *member)
{
    unsigned *n = member;

    if (cy_json_unsigned(at, n) != 0)
        return -1;
    return *n >= 64 && *n <= 65536 && (*n & (*n - 1)) == 0
               ? 0
               : cy_json_wrong(at, "no power of two from 64 to 65536");
}

/* Ways of the cache of decoded instructions, on Zen 2 to 5. */
#define DECODED_WAYS 8

/* Reads the key "dispatch", if there is one: the dispatch's width and rounds,
   or only how many instructions begin in a cycle. */
static int read_dispatch(struct cy_json_place *at, void *machine)
{
#define DISPATCH(member) MACHINE(facts.dispatch.member)
    static const struct cy_json_row rows[] = {
        {"instructions", cy_json_cycles, DISPATCH(instructions), false},
        {"micro_fused", cy_json_truth, DISPATCH(micro_fused), false},
        {"width", read_width, 0, true},
        {"split_rip", cy_json_truth, DISPATCH(splits_rip), false},
        {"split_places", cy_json_cycles, DISPATCH(split_places), false},
        {"rounds", read_rounds, 0, false},
        {"line_places", cy_json_cycles, DISPATCH(line_places), false},
        {"line_cycles", cy_json_cycles, DISPATCH(line_cycles), false},
        {"line_most", cy_json_cycles, DISPATCH(line_most), false},
        {"entry_places", cy_json_cycles, DISPATCH(entry_places), false},
        {"entry_numbers", cy_json_cycles, DISPATCH(entry_numbers), false},
        {"decoded_kib", cy_json_cycles, MACHINE(facts.memory.decoded.kib),
         false},
        {"decode_width", cy_json_cycles, DISPATCH(decode_width), false},
        {"decode_bytes", cy_json_cycles, DISPATCH(decode_bytes), false},
        {"branches", read_branches, DISPATCH(branches), false},
        {"line_branches", read_branches, DISPATCH(line_branches), false},
        {"crowded_branch", cy_json_cycles, DISPATCH(crowded_branch), false},
        {"near_branches", read_counters, MACHINE(facts.history.near), false},
        {"far_branch", cy_json_cycles, DISPATCH(far_branch), false},
        {"split_branch", cy_json_cycles, DISPATCH(split_branch), false},
        {"overruled_branch", cy_json_cycles, DISPATCH(overruled_branch), false},
        {"late_return", cy_json_cycles, DISPATCH(late_return), false},
        {"retarget", cy_json_cycles, DISPATCH(retarget), false},
        {"first_target", cy_json_cycles, DISPATCH(first_target), false},
        {"other_target", cy_json_cycles, DISPATCH(other_target), false},
        {"far", cy_json_cycles, DISPATCH(far), false},
        {0},
    };
    struct cy_facts *facts = &((struct cy_machine *)machine)->facts;
    struct cy_dispatch *dispatch = &facts->dispatch;
    struct cy_cache *decoded = &facts->memory.decoded;

    dispatch->width = NAN;
    if (at->value == NULL)
        return 0;
    if (cy_json_rows(at, rows, 0, machine) != 0)
        return -1;
    at->key = "line_cycles";
    if (dispatch->line_places > 0 && dispatch->line_cycles < 1)
        return cy_json_wrong(at, "less than 1");
    at->key = "line_most";
    if (dispatch->line_most > 0 &&
        (dispatch->line_most < 1 || dispatch->line_places > 0))
        return cy_json_wrong(at, "less than 1, or beside line_places");
    at->key = "decoded_kib";
    decoded->ways = DECODED_WAYS;
    if ((decoded->kib > 0) != (dispatch->decode_width > 0) ||
        (decoded->kib > 0) != (dispatch->decode_bytes > 0))
        return cy_json_wrong(at, "not with decode_width and decode_bytes");
    at->key = "crowded_branch";
    if (dispatch->line_branches > CY_MOST_LINE_BRANCHES ||
        (dispatch->line_branches > 0) != (dispatch->crowded_branch >= 1))
        return cy_json_wrong(
            at, "less than 1, or not with line_branches of at most 4");
    at->key = "far_branch";
    if ((facts->history.near > 0) != (dispatch->far_branch >= 1))
        return cy_json_wrong(at, "less than 1, or not with near_branches");
    at->key = "split_branch";
    if (dispatch->split_branch > 0 && dispatch->split_branch < 1)
        return cy_json_wrong(at, "less than 1");
    at->key = "entry_places";
    if (dispatch->entry_places > 0 &&
        (dispatch->entry_places < 1 || dispatch->line_most <= 0))
        return cy_json_wrong(at, "less than 1, or without line_most");
    /* Without a width the rest does not count. */
    if (isnan(dispatch->width))
        *dispatch = (struct cy_dispatch){.width = NAN,
                                         .instructions = dispatch->instructions,
                                         .micro_fused = dispatch->micro_fused};
    assert(isnan(dispatch->width) || dispatch->width > 0);
    return 0;
}

static int read_number(struct cy_json_place *at, double *number, double least,
                       const char *wrong)
{
    assert(number != NULL && least <= 1e9);
    *number = json_number_value(at->value);
    return json_is_number(at->value) && *number >= least && *number <= 1e9
               ? 0
               : cy_json_wrong(at, wrong);
}

static int read_size(struct cy_json_place *at, void *member)
{
    return read_number(at, member, 1, "not a number from 1 to 1000000000");
}

static int read_amount(struct cy_json_place *at, void *member)
{
    return read_number(at, member, 0, "not a number from 0 to 1000000000");
}

/* All of them, if there is the key. */
#define OF_MEMORY(member) offsetof(struct cy_memory, member), true
#define SIZE(member)      read_size, OF_MEMORY(member)
#define CYCLES(member)    read_amount, OF_MEMORY(member)
const struct cy_json_row cy_memory_members[] = {
    {"source", cy_json_text, OF_MEMORY(source)},
    {"misses", SIZE(misses)},
    {"data_kib", SIZE(data.kib)},
    {"data_ways", SIZE(data.ways)},
    {"data_cycles", CYCLES(data.cycles)},
    {"code_kib", SIZE(code.kib)},
    {"code_ways", SIZE(code.ways)},
    {"l2_kib", SIZE(beyond[0].kib)},
    {"l2_ways", SIZE(beyond[0].ways)},
    {"l2_cycles", CYCLES(beyond[0].cycles)},
    {"l2_line_cycles", CYCLES(beyond[0].line_cycles)},
    {"l2_stream_cycles", CYCLES(beyond[0].stream_cycles)},
    {"l3_kib", SIZE(beyond[1].kib)},
    {"l3_ways", SIZE(beyond[1].ways)},
    {"l3_least_kib", SIZE(l3_least_kib)},
    {"l3_most_kib", SIZE(l3_most_kib)},
    {"l3_lifetime", read_amount, offsetof(struct cy_memory, l3_lifetime),
     false},
    {"l3_cycles", CYCLES(beyond[1].cycles)},
    {"l3_line_cycles", CYCLES(beyond[1].line_cycles)},
    {"l3_stream_cycles", CYCLES(beyond[1].stream_cycles)},
    {"memory_cycles", CYCLES(beyond[2].cycles)},
    {"memory_line_cycles", CYCLES(beyond[2].line_cycles)},
    {"memory_stream_cycles", CYCLES(beyond[2].stream_cycles)},
    {"first_pages", SIZE(pages[0])},
    {"first_page_cycles", CYCLES(page_cycles[0])},
    {"second_pages", SIZE(pages[1])},
    {"second_page_cycles", CYCLES(page_cycles[1])},
    {"code_line_cycles", read_amount,
     offsetof(struct cy_memory, code_line_cycles), false},
    {"foreseen_lines", read_amount, offsetof(struct cy_memory, foreseen_lines),
     false},
    {0},
};

/* The file has the cycles from an address to the value, from each level. */
static int check_memory(struct cy_json_place *at, struct cy_memory *m)
{
    for (unsigned i = 0; i < CY_BEYOND; i++) {
        static const char *const keys[] = {"l2_cycles", "l3_cycles",
                                           "memory_cycles"};

        at->key = keys[i];
        m->beyond[i].cycles -= m->data.cycles;
        if (m->beyond[i].cycles < (i > 0 ? m->beyond[i - 1].cycles : 0))
            return cy_json_wrong(at, "less than those of a nearer cache");
    }
    at->key = "misses";
    if (m->misses > CY_MOST_MISSES || m->misses != floor(m->misses))
        return cy_json_wrong(at, "not a whole number from 1 to 64");
    at->key = "l3_kib";
    if (m->l3_least_kib > m->beyond[1].kib || m->l3_most_kib < m->beyond[1].kib)
        return cy_json_wrong(at, "not from l3_least_kib to l3_most_kib");
    at->key = "foreseen_lines";
    if ((m->code_line_cycles > 0) != (m->foreseen_lines > 0))
        return cy_json_wrong(at, "not with code_line_cycles");
    assert(m->misses >= 1 && m->beyond[0].cycles >= 0);
    return 0;
}

static int read_memory(struct cy_json_place *at, void *memory)
{
    return cy_json_rows(at, cy_memory_members, 0, memory) == 0
               ? check_memory(at, memory)
               : -1;
}

/* A standard deviation of fewer programs says too little. */
static int read_programs(struct cy_json_place *at, void *member)
{
    if (cy_json_cycles(at, member) != 0)
        return -1;
    return *(double *)member >= CY_LEAST_PROGRAMS
               ? 0
               : cy_json_wrong(at, "less than 5");
}

static int read_factor(struct cy_json_place *at, void *member)
{
    if (cy_json_cycles(at, member) != 0)
        return -1;
    return *(double *)member > 0 ? 0 : cy_json_wrong(at, "not above 0");
}

static int read_model_error(struct cy_json_place *at, void *error)
{
#define ERROR(member) offsetof(struct cy_model_error, member), true
    static const struct cy_json_row rows[] = {
        {"programs", read_programs, ERROR(programs)},
        {"factor", read_factor, ERROR(factor)},
        {"spread", cy_json_cycles, ERROR(spread)},
        {0},
    };

    return cy_json_rows(at, rows, 0, error);
}

/* Reads the architecture, which is x86-64 if the file has no such key. */
static int read_arch(struct cy_json_place *at, void *member)
{
    return arch_parse(json_string_value(at->value) ?: "", member)
               ? 0
               : cy_json_wrong(at, "not x86-64 or aarch64");
}

static const struct cy_json_row root_rows[] = {
    {"arch", read_arch, MACHINE(facts.arch), false},
    {"name", cy_json_text, MACHINE(facts.name), true},
    {"source", cy_json_text, MACHINE(facts.source), true},
    {"sources", NULL, 0, false},
    {"llvm_mca_cpu", cy_json_text, MACHINE(facts.llvm_cpu), true},
    {"match", read_list, 0, false},
    {"load", read_list, 0, false},
    {"forward", read_list, 0, false},
    {"latency", read_list, 0, false},
    {"occupancy", read_list, 0, false},
    {"throughput", read_list, 0, false},
    {"retiring", read_list, 0, false},
    {"window", read_window, MACHINE(facts.window), false},
    {"memory", read_memory, MACHINE(facts.memory), false},
    {"model_error", read_model_error, MACHINE(facts.model_error), false},
    {"access", read_rates, MACHINE(facts.rates), true},
    {"dispatch", read_dispatch, 0, true},
    {"forced", cy_json_truth, MACHINE(facts.is_forced), false},
    {"published", cy_json_truth, MACHINE(facts.is_published), false},
    {"zero_upper", cy_json_truth, MACHINE(facts.zero_upper), false},
    {"unsteady", cy_json_truth, MACHINE(facts.is_unsteady), false},
    {"units_in_turn", cy_json_truth, MACHINE(facts.units_in_turn), false},
    {"units_by_queue", cy_json_truth, MACHINE(facts.units_by_queue), false},
    {"loops_by_history", cy_json_truth, MACHINE(facts.history.by_history),
     false},
    {"blind_history", cy_json_truth, MACHINE(facts.history.is_blind), false},
    {"taken_history", read_branches, MACHINE(facts.history.taken), false},
    {"return_stack", read_few, MACHINE(facts.history.returns), false},
    {"path_history", read_few, MACHINE(facts.history.path), false},
    {"branch_counters", read_counters, MACHINE(facts.history.counters), false},
    {"target_entries", read_counters, MACHINE(facts.history.targets), false},
    {"zero_idioms", cy_json_texts, MACHINE(zero_idioms), true},
    {"fused", cy_json_texts, MACHINE(fused), true},
    {"uncertain", cy_json_texts, MACHINE(facts.uncertain), true},
    {0},
};

/* Reads JSON, which the caller releases; NULL with *d set on failure. */
static json_t *load(const char *path, struct diag *d)
{
    size_t n;
    AUTO_FREE char *text = file_text(path, FILE_MOST_TEXT, &n, d);
    json_error_t error;

    if (text == NULL)
        return NULL;
    json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        diag_set(d, "%s: line %d: not JSON: %s", path, error.line, error.text);
    return root;
}

struct cy_machine *cy_machine_read(const char *path, struct diag *d)
{
    struct cy_machine *m = memory_new(1, sizeof *m);
    struct cy_json_place at = {.path = path, .key = "the file", .d = d};

    m->document = at.value = load(path, d);
    at.sources = json_object_get(m->document, "sources");
    if (m->document != NULL && cy_json_rows(&at, root_rows, 0, m) == 0)
        return m;
    cy_machine_free(m);
    return NULL;
}

static void free_figures(struct cy_figure *figures, size_t n)
{
    for (size_t i = 0; i < n && figures != NULL; i++) {
        free(figures[i].mnemonics);
        free(figures[i].forms);
    }
    free(figures);
}

void cy_machine_free(struct cy_machine *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->n_matches && m->matches != NULL; i++)
        free(m->matches[i].models);
    free(m->matches);
    free(m->loads);
    free(m->forwards);
    free_figures(m->latencies, m->n_latencies);
    free_figures(m->occupancies, m->n_occupancies);
    free_figures(m->throughputs, m->n_throughputs);
    free_figures(m->retirings, m->n_retirings);
    free(m->zero_idioms);
    free(m->fused);
    free(m->facts.uncertain);
    free(m->rounds);
    json_decref(m->document);
    free(m->processor);
    free(m);
}
