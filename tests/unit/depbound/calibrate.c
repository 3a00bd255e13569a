/*
 * A machine file is made of figures that a processor could have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <unistd.h>

#include "calibrate/cy_calibrate.h"
#include "calibrate/cy_levels.h"
#include "calibrate/cy_measure.h"
#include "machine/cy_machine.h"

/* The measurements of a test, and the machine file made of them. */
static struct cy_results *r;
static struct cy_machine *m;

static const struct cy_cpu cpu = {"GenuineIntel", 6, 207, "A \"Xeon\"", " "};

/* Sets buffers with a clear jump; no sample was disturbed. */
static void set_quiet(void)
{
    r->undisturbed = 1;
    r->memory =
        (struct cy_memory){.misses = 1,
                           .data = {1, 1, 0, 0, 0},
                           .code = {1, 1, 0, 0, 0},
                           .beyond = {{1, 1, 0, 0, 0}, {1, 1, 0, 0, 0}, {0}},
                           .l3_least_kib = 1,
                           .l3_most_kib = 1,
                           .pages = {1, 1}};
    r->window = (struct cy_window){.reorder_buffer = 505,
                                   .store_buffer = 60,
                                   .general_results = 200,
                                   .vector_results = 500};
    for (size_t i = 0; i < cy_n_cases; i++)
        for (enum cy_op op = 0; op < CY_N_OPS; op++)
            r->cases[i][op].steady = true;
}

static void set(struct cy_result *result, double cycles)
{
    result->cycles = cycles;
    result->steady = true;
}

static size_t case_of(const char *name, bool is_forward)
{
    for (size_t i = 0; i < cy_n_cases; i++)
        if ((cy_cases[i].kind == CY_FORWARD) == is_forward &&
            strcmp(cy_cases[i].name, name) == 0)
            return i;
    fail_msg("%s is no case", name);
    return 0;
}

static size_t forward_case(const char *name)
{
    return case_of(name, true);
}

static struct cy_result *insn_result(const char *name)
{
    return &r->cases[case_of(name, false)][CY_COPY];
}

/* Sets a forward case as if the processor took `copy` and `other` cycles, and
   at least `least` with additions. */
static void set_forward(size_t i, double copy, double other, double least)
{
    const struct cy_case *c = &cy_cases[i];
    const double cycles[] = {copy, fmax(other + 1, least), other + 3};

    for (enum cy_op op = 0; op < CY_N_OPS; op++)
        if (c->loops[op] != NULL)
            set(&r->cases[i][op], c->links * cycles[op]);
}

/* Sets figures of general registers only: additions take a cycle,
   multiplications three, and all values through memory are renamed. */
BEFORE_EACH()
{
    r = cy_results_new();
    m = NULL;
    set_quiet();
    set(insn_result("add"), 4);
    set(insn_result("imul"), 12);
    set(insn_result("mov"), 2.8);
    for (size_t i = 0; i < cy_n_cases; i++)
        if (cy_cases[i].kind == CY_FORWARD &&
            strcmp(cy_cases[i].class, "general") == 0)
            set_forward(i, 1, 0, 0);
}

AFTER_EACH()
{
    cy_machine_free(m);
    cy_results_free(r);
}

/* Writes the machine file and reads it again. */
static void write_machine(const char *uncertain, bool is_forced)
{
    char path[] = "/tmp/calibrate.XXXXXX";
    int fd = mkstemp(path);
    FILE *out = fdopen(fd, "w");
    struct diag d = {""};
    char *told;

    assert_non_null(out);
    assert_int_equal(
        cy_calibrate_write(out, NULL, &cpu, r, is_forced, &told, &d), 0);
    if (uncertain == NULL)
        assert_null(told);
    else
        assert_string_equal(told, uncertain);
    free(told);
    assert_int_equal(fclose(out), 0);
    d.text[0] = '\0';
    cy_machine_free(m);
    m = cy_machine_read(path, &d);
    unlink(path);
    assert_string_equal(d.text, "");
}

static const struct cy_through same = {
    .store = {CY_GENERAL, CY_BASE, 64, CY_NONE},
    .load = {CY_GENERAL, CY_BASE, 64, CY_NONE},
    .delta_k = 1,
};

static struct cy_cost cost_of(struct cy_through t)
{
    struct cy_cost cost = {.cycles = NAN};

    cy_machine_forward(m, &t, &cost);
    return cost;
}

TEST(cases_of_equal_cost_need_one_rule)
{
    struct cy_derived *rules = calloc(cy_n_cases, sizeof *rules);
    bool agree = true;
    size_t n = cy_derive(r, "general", rules, &agree), n_rmw = 0;

    for (size_t i = 0; i < n; i++)
        n_rmw += strstr(cy_cases[rules[i].index].keys, "\"self\"") != NULL ||
                 strstr(cy_cases[rules[i].index].keys, "\"store_rmw\"") != NULL;
    assert_int_equal(n, n_rmw + 1);
    assert_true(agree);
    assert_string_equal(cy_cases[rules[n - 1].index].keys, "");
    assert_int_equal(cy_derive(r, "zmm", rules, &agree), 0);
    free(rules);
}

TEST(cases_that_differ_in_several_ways_cost_as_much_as_the_slowest)
{
    struct cy_through t = same;

    set_forward(forward_case("index"), 5, 5, 7.5);
    set_forward(forward_case("several"), 19, 19, 0);
    set_forward(forward_case("bits_16_zero"), 6, 6, 0);
    write_machine(NULL, false);
    assert_int_equal(cost_of(t).how, CY_RENAMED);
    assert_true(cost_of(t).cycles == 0);
    t.load.addressing = t.store.addressing = CY_INDEX;
    assert_int_equal(cost_of(t).how, CY_FORWARDED);
    assert_true(cost_of(t).cycles == 5 && cost_of(t).at_least == 7.5);
    t.copy = true;
    assert_true(cost_of(t).cycles == 5 && cost_of(t).at_least == 0);
    t.load.bits = t.store.bits = 16;
    t.load.extend = CY_ZERO;
    assert_true(cost_of(t).cycles == 6);
    t.relation = CY_SEVERAL;
    assert_true(cost_of(t).cycles == 19);
    assert_int_equal(cost_of(t).how, CY_FAILED);
}

TEST(an_instruction_that_loads_and_stores_a_cell_goes_by_its_own_rules)
{
    struct cy_through t = same;

    set_forward(forward_case("load_op"), NAN, 7, 0);
    set_forward(forward_case("bits_16"), 8, 8, 0);
    set_forward(forward_case("self_16"), NAN, 5, 0);
    write_machine(NULL, false);
    t.load.bits = t.store.bits = 16;
    assert_true(cost_of(t).cycles == 8);
    t.self = t.load_rmw = t.store_rmw = true;
    assert_true(cost_of(t).cycles == 5);
}

TEST(moves_that_are_quicker_than_a_jump_show_in_longer_loops)
{
    struct cy_through t = same;

    set_forward(forward_case("delta_0"), 0.5, 0, 0);
    write_machine(NULL, false);
    t.copy = true;
    assert_true(cost_of(t).cycles == 0.5);
}

TEST(counters_that_take_turns_are_not_renamed)
{
    struct cy_through t = same;

    t.self = t.store_rmw = t.load_rmw = true;
    set_forward(forward_case("turns"), 0, 6, 0);
    write_machine(NULL, false);
    assert_float_equal(cost_of(t).cycles, 0, 0);
    t.delta_k = 2;
    assert_float_equal(cost_of(t).cycles, 6, 0);
    assert_int_equal(cost_of(t).how, CY_FORWARDED);
}

TEST(a_moving_pointer_that_costs_more_is_reported)
{
    struct cy_derived *rules = calloc(cy_n_cases, sizeof *rules);
    bool agree = true;

    set_forward(forward_case("moving_pointer"), 6, 6, 0);
    cy_derive(r, "general", rules, &agree);
    assert_false(agree);
    free(rules);
}

TEST(additions_that_are_quicker_after_subtractions_are_chained)
{
    const struct cy_insn add = {"vaddsd", "rrr", 128, false, false, false};
    const struct cy_insn sub = {"vsubsd", "rrr", 128, false, false, false};
    double cycles = -1;
    size_t xmm = forward_case("xmm");

    set(insn_result("addsd"), 16);
    set(insn_result("mulsd"), 16);
    set(&r->cases[xmm][CY_COPY], 7.3);
    set(&r->cases[xmm][CY_ADD], 8);
    set(&r->cases[xmm][CY_MUL], 9);
    write_machine(NULL, false);
    assert_true(cy_machine_latency(m, &add, NULL, &cycles) && cycles == 3);
    assert_true(cy_machine_latency(m, &add, &add, &cycles) && cycles == 2);
    assert_true(cy_machine_latency(m, &add, &sub, &cycles) && cycles == 2);
}

TEST(a_move_only_takes_time_after_a_move)
{
    const struct cy_insn move = {"mov", "rr", 64, false, false, false},
                         add = {"add", "rr", 64, false, false, false};
    double cycles = -1;

    set(insn_result("mov_beside"), 2.01);
    write_machine(NULL, false);
    assert_true(cy_machine_latency(m, &move, &add, &cycles) && cycles == 0);
    assert_true(cy_machine_latency(m, &move, &move, &cycles) && cycles == 0.35);
}

TEST(the_machine_file_says_what_it_is_for_and_what_is_uncertain)
{
    const struct cy_insn xor = {"xor", "rr", 32, false, false, false},
                         sub = {"sub", "rr", 32, false, false, false};
    const struct cy_insn move = {"mov", "rr", 64, false, false, false};
    double cycles = -1;

    insn_result("add")->steady = false;
    set(insn_result("idiom_xor"), 2);
    set(insn_result("idiom_sub"), 7);
    set(insn_result("load_general"), 4);
    set(insn_result("any"), 6);
    set(insn_result("dispatch"), 8);
    set(insn_result("fused_cmp"), 7);
    set(insn_result("fused_xor"), 8);
    write_machine("1 figure did not repeat: add", false);
    assert_string_equal(cy_machine_facts(m)->name, "emeraldrapids");
    assert_string_equal(cy_machine_facts(m)->llvm_cpu, "sapphirerapids");
    assert_non_null(strstr(cy_machine_facts(m)->source, "A \"Xeon\""));
    assert_true(cy_machine_distance(m, &cpu) == 0);
    assert_int_equal(cy_machine_facts(m)->window.reorder_buffer, 512);
    assert_true(cy_machine_is_zero_idiom(m, &xor));
    assert_false(cy_machine_is_zero_idiom(m, &sub));
    assert_true(cy_machine_latency(m, &move, NULL, &cycles) && cycles == 0.35);
    assert_true(cy_machine_facts(m)->rates.load[CY_GENERAL] == 0.5);
    assert_true(cy_machine_facts(m)->rates.any[CY_XMM] == 0.5);
    assert_true(isnan(cy_machine_facts(m)->rates.store[CY_XMM]));
    assert_true(cy_machine_is_fused(
        m, &(struct cy_insn){"cmp", "rr", 64, false, false, false}));
    assert_false(cy_machine_is_fused(m, &xor));
    assert_string_equal(cy_machine_facts(m)->uncertain[0], "add");
}

TEST(atomics_and_fences_have_their_turns_in_the_file)
{
    const struct cy_insn exchange = {"xchg", "rr", 64, true, false, false},
                         registers = {"xchg", "rr", 64, false, false, false},
                         fence = {"mfence", "", 0, false, false, false};
    struct cy_through through = {.store = {.bits = 64},
                                 .load = {.bits = 64},
                                 .delta_k = 1,
                                 .store_rmw = true,
                                 .load_rmw = true,
                                 .locked = true};
    struct cy_cost cost = {0};
    double cycles = -1;

    set(insn_result("locked"), 60);
    set(insn_result("occupancy_xchg"), 75);
    set(insn_result("occupancy_mfence"), 158);
    set(insn_result("multiplied_20"), 60);
    set(insn_result("multiplied_16"), 48);
    set(insn_result("mfence"), 117);
    set(&r->cases[forward_case("locked_both")][CY_MUL], 60);
    write_machine(NULL, false);
    assert_true(cy_machine_facts(m)->rates.locked == 20);
    assert_true(cy_machine_occupancy(m, &exchange, &cycles) && cycles == 25);
    assert_false(cy_machine_occupancy(m, &registers, &cycles));
    assert_true(cy_machine_occupancy(m, &fence, &cycles) && cycles == 79);
    assert_true(cy_machine_latency(m, &fence, NULL, &cycles) && cycles == 57);
    assert_true(cy_machine_forward(m, &through, &cost) && cost.cycles == 12);
    through.locked = false;
    assert_true(cy_machine_forward(m, &through, &cost) && cost.cycles != 12);
}

/* Checks that no file is written, and that the one line of text says why. */
static void refuses(const char *why)
{
    char *text = NULL, *told;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct diag d = {""};

    assert_int_equal(cy_calibrate_write(out, NULL, &cpu, r, false, &told, &d),
                     -1);
    assert_null(told);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(size, 0);
    assert_non_null(strstr(d.text, why));
    assert_non_null(strstr(d.text, "--force"));
    assert_null(strchr(d.text, '\n'));
    free(text);
}

TEST(a_busy_machine_gets_no_file_but_by_force)
{
    write_machine(NULL, true);
    assert_false(cy_machine_facts(m)->is_forced);
    r->undisturbed = 0.1;
    refuses("90 % of the samples were disturbed");
    write_machine(NULL, true);
    assert_true(cy_machine_facts(m)->is_forced);
    r->undisturbed = 1;
    for (size_t i = 0; i < 40; i++)
        r->cases[i][CY_COPY].steady = false;
    refuses("figures did not repeat");
}

TEST(the_dispatch_has_a_width_and_short_rounds)
{
    const struct cy_dispatch *dispatch;

    set(insn_result("width_move"), 95.5 / 5.02);
    set(insn_result("width_mix"), 24);
    set(insn_result("dispatch"), 9.6);
    set(insn_result("fused_dec"), 8.2);
    set(insn_result("round_1"), 1);
    set(insn_result("round_2"), 1.51);
    set(insn_result("round_3"), 13 / 6.0);
    set(insn_result("round_5"), 9);
    write_machine(NULL, false);
    dispatch = &cy_machine_facts(m)->dispatch;
    assert_true(dispatch->width == 5);
    assert_int_equal(dispatch->n_rounds, 3);
    assert_true(dispatch->rounds[1] == 1.5 && dispatch->rounds[2] == 2.17);
    set(insn_result("fused_dec"), 9.6);
    write_machine(NULL, false);
    dispatch = &cy_machine_facts(m)->dispatch;
    assert_int_equal(dispatch->n_rounds, 4);
    assert_true(dispatch->rounds[1] == 1 && dispatch->rounds[2] == 1.5);
}

/* Lines of 12 instructions and fewer take a cycle each. */
TEST(lines_of_code_take_the_place_of_rounds)
{
    struct cy_result *lines = insn_result("line_6");

    set(insn_result("width_move"), 95.5 / 6);
    set(insn_result("round_1"), 1);
    for (unsigned n = 6; n <= 16; n++)
        lines[(n - 6) * CY_N_OPS].cycles = n <= 12 ? 3.01 : 4;
    write_machine(NULL, false);
    assert_int_equal(cy_machine_facts(m)->dispatch.line_most, 12);
    assert_int_equal(cy_machine_facts(m)->dispatch.n_rounds, 0);
    lines->cycles = 2;
    write_machine(NULL, false);
    assert_int_equal(cy_machine_facts(m)->dispatch.line_most, 0);
    assert_int_equal(cy_machine_facts(m)->dispatch.n_rounds, 2);
}

/* Entries of eight places and four numbers; from 11 KiB on, four instructions
   or 16 bytes are decoded in a cycle. */
TEST(decoded_code_comes_in_entries_as_long_as_its_cache_has_it)
{
    static const double kib[] = {6,  7,  8,  9,  10, 11, 12,
                                 13, 14, 16, 18, 20, 24, 28};
    struct cy_result *lines = insn_result("line_6"),
                     *places = insn_result("entry_6"),
                     *numbers = insn_result("number_0"),
                     *codes = insn_result("code_6");
    const struct cy_dispatch *d;

    set(insn_result("width_move"), 95.5 / 6);
    set(insn_result("round_1"), 1);
    set(insn_result("dispatch"), 9.6);
    set(insn_result("fused_dec"), 8.2);
    for (unsigned n = 6; n <= 16; n++)
        lines[(n - 6) * CY_N_OPS].cycles = n <= 12 ? 3.01 : 4;
    for (unsigned n = 6; n <= 12; n++)
        places[(n - 6) * CY_N_OPS].cycles = n <= 8 ? 1.33 : 2;
    for (unsigned n = 0; n <= 7; n++)
        numbers[n * CY_N_OPS].cycles = n <= 3 ? 1.5 : 2;
    for (size_t i = 0; i < sizeof kib / sizeof kib[0]; i++)
        codes[i * CY_N_OPS].cycles =
            kib[i] * 1024 / 3.6 / (kib[i] <= 10 ? 5 : 4);
    set(insn_result("long_22"), 22 * 1024 / 16.0);
    set(insn_result("long_28"), 28 * 1024 / 16.0);
    set(insn_result("turns"), 17);
    write_machine(NULL, false);
    d = &cy_machine_facts(m)->dispatch;
    assert_float_equal(d->entry_places, 8, 0);
    assert_float_equal(d->entry_numbers, 4, 0);
    assert_true(cy_machine_facts(m)->memory.decoded.kib == 10 &&
                d->decode_width == 4 && d->decode_bytes == 16);
    assert_true(cy_machine_facts(m)->units_in_turn);
    places[CY_N_OPS].cycles = codes[2 * CY_N_OPS].cycles = NAN;
    write_machine(NULL, false);
    d = &cy_machine_facts(m)->dispatch;
    assert_true(d->entry_places == 0 &&
                cy_machine_facts(m)->memory.decoded.kib == 0);
    codes[2 * CY_N_OPS].cycles = codes[0].cycles * 8 / 6;
    set(insn_result("turns"), 12.5);
    codes[4 * CY_N_OPS].cycles = codes[0].cycles * 10 / 6;
    for (size_t i = 5; i < sizeof kib / sizeof kib[0]; i++)
        codes[i * CY_N_OPS].cycles = codes[0].cycles * kib[i] / 6;
    write_machine(NULL, false);
    assert_true(cy_machine_facts(m)->memory.decoded.kib == 0);
    assert_false(cy_machine_facts(m)->units_in_turn);
}

/* Jumps by turns to two places are predicted with up to `most` jumps after
 * them. */
static void set_taken(unsigned most)
{
    static const unsigned more[] = {0, 1,  2,  3,  4,  5,  6,  7,  8,
                                    9, 10, 12, 14, 16, 20, 24, 28, 32};
    struct cy_result *taken = insn_result("taken_0");

    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        taken[i * CY_N_OPS].cycles = 5.5 + more[i] + (more[i] > most ? 17 : 0);
}

TEST(a_history_of_two_bits_has_as_many_branches_as_tell_where_jumps_lead)
{
    set(insn_result("width_move"), 95.5 / 6);
    set(insn_result("jumps"), 13);
    set(insn_result("targets_alike"), 23);
    set(insn_result("targets_2"), 5.5);
    set(insn_result("targets_3"), 6);
    set(insn_result("targets_4"), 6.25);
    set_taken(7);
    write_machine(NULL, false);
    assert_int_equal(cy_machine_facts(m)->history.taken, 9);
    assert_true(cy_machine_facts(m)->dispatch.first_target == 1 &&
                cy_machine_facts(m)->dispatch.other_target == 4);
    set_taken(32); /* longer than any case */
    set(insn_result("targets_3"), 4.5);
    write_machine(NULL, false);
    assert_int_equal(cy_machine_facts(m)->history.taken, 0);
    assert_true(cy_machine_facts(m)->dispatch.other_target == 0);
    set_taken(7);
    set(insn_result("targets_alike"), 6.25); /* other bits tell, too */
    write_machine(NULL, false);
    assert_int_equal(cy_machine_facts(m)->history.taken, 0);
}

TEST(buffers_are_measured_where_no_published_size_is_near)
{
    set(insn_result("mispredicted"), 256 * 14.1);
    set(insn_result("predicted"), 256 * 6);
    write_machine(NULL, false);
    assert_int_equal(cy_machine_facts(m)->window.reorder_buffer, 512);
    assert_int_equal(cy_machine_facts(m)->window.store_buffer, 60);
    assert_int_equal(cy_machine_facts(m)->window.general_results, 200);
    assert_int_equal(cy_machine_facts(m)->window.vector_results, 0);
    assert_int_equal(cy_machine_facts(m)->window.misprediction, 16);
    assert_int_equal(cy_machine_facts(m)->window.renamed_after, 0);
    r->window.reorder_buffer = r->window.store_buffer = 0;
    write_machine("2 figures did not repeat: reorder_buffer, store_buffer",
                  false);
    assert_int_equal(cy_machine_facts(m)->window.store_buffer, 112);
    assert_string_equal(cy_machine_facts(m)->uncertain[0], "reorder_buffer");
}

/* A counter takes one cycle, or six if it is forwarded; two by turns take
   three; 50 forwards in 128 rounds take five more cycles each. */
TEST(loads_are_renamed_after_as_many_forwards_as_a_broken_row_shows)
{
    set(insn_result("counts_one"), 256 * 1);
    set(insn_result("counts_by_turns"), 256 * 3);
    set(insn_result("counts_other"), 256 * (1 + 50 * 5 / 128.0));
    write_machine(NULL, false);
    assert_int_equal(cy_machine_facts(m)->window.renamed_after, 50);
    set(insn_result("counts_one"), 256 * 5);
    write_machine(NULL, false);
    assert_int_equal(cy_machine_facts(m)->window.renamed_after, 0);
}

/* Sets rounds of 0 to n - 1 instructions that take `low` cycles up to `last`,
   then rise over three instructions to `high`. */
static size_t jump_of(double low, size_t last, double high)
{
    double rounds[60];

    for (size_t i = 0; i < 60; i++)
        rounds[i] =
            (i <= last      ? low
             : i > last + 3 ? high
                            : low + (double)(i - last) * (high - low) / 4) +
            (double)i / 10;
    rounds[3] = NAN;
    return cy_jump(rounds, 60);
}

TEST(a_buffer_ends_where_rounds_jump)
{
    assert_int_equal(jump_of(150, 29, 270), 30);
    assert_int_equal(jump_of(150, 29, 180), SIZE_MAX);
    assert_int_equal(jump_of(150, 58, 270), SIZE_MAX);
}

TEST(passes_that_disagree_show_the_quickest_speed_that_repeats)
{
    static const struct {
        unsigned n;
        double passes[12];
        double cycles; /* 0: the passes disagree */
    } rows[] = {
        {5, {3, 3.01, 4, 3, 2.99}, 3},
        {5, {1.4, 1.4, 1.4, 1.4, 1.7}, 1.4},
        {5, {1.4, 1.4, 1.4, 1.7, 1.7}, 0},
        {12,
         {1.431, 1.7, 1.431, 1.7, 1.431, 1.1, 1.431, 1.7, 1.431, 1.7, 1.431,
          1.7},
         1.5},
        {12, {2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8, 2.9, 3, 3.1}, 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cy_result result = {.n_passes = rows[i].n};

        memcpy(result.passes, rows[i].passes, sizeof rows[i].passes);
        cy_result_settle(&result);
        assert_int_equal(result.steady, rows[i].cycles > 0);
        if (result.steady)
            assert_float_equal(result.cycles, rows[i].cycles, 0);
    }
}

TEST(figures_are_rounded_to_what_repeats)
{
    static const double rows[][2] = {
        {11.997, 12},   {0.003, 0},      {0.3418, 0.33}, {0.1702, 0.17},
        {7.7234, 7.75}, {13.6667, 13.5}, {147.3, 147},   {1.168, 1.17},
        {2.168, 2.17},  {0.0957, 0.1},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_float_equal(cy_rounded(rows[i][0]), rows[i][1], 0);
    assert_true(isnan(cy_rounded(NAN)));
}

TEST(an_unknown_processor_has_a_core_without_figures)
{
    const struct cy_cpu zen4 = {"AuthenticAMD", 25, 17, "", ""};
    const struct cy_cpu none = {"GenuineIntel", 5, 207, "", ""};

    assert_string_equal(cy_core_of(&zen4)->name, "znver4");
    assert_string_equal(cy_core_of(&none)->name, "unknown");
    assert_string_equal(cy_core_of(&none)->llvm, "native");
    assert_int_equal(cy_core_of(&none)->window.scheduler, 0);
}

TEST(a_median_is_the_middle)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};

    assert_true(cy_median(odd, 3) == 2);
    assert_true(cy_median(even, 4) == 2.5);
    assert_true(cy_median(odd, 1) == 1);
}

/* --- Caches of a processor that is made up --- */

struct made_up {
    double l3_kib[3]; /* what it has of the last cache, by turns */
    double memory;    /* cycles */
    unsigned n_big;   /* walks through 1 MiB so far: each begins a turn */
};

static double level_of(const struct made_up *p, double kib, const double by[4])
{
    double l3 = p->l3_kib[p->n_big % 3];

    return by[kib <= 32 ? 0 : kib <= 512 ? 1 : kib <= l3 ? 2 : 3];
}

static double walk(void *context, enum cy_walk walk, size_t bytes)
{
    struct made_up *p = context;
    const double chase[] = {4.01, 12.05, 46.2, p->memory};
    static const double stride[] = {4, 5, 7, 11}, spread[] = {1, 2, 2.1, 28};
    double kib = (double)bytes / 1024, pages = (double)bytes / 4096;

    if (walk == CY_PAGES)
        return level_of(p, kib / 64, chase) + (pages > 64 ? 7 : 0) +
               (pages > 2048 ? 60 : 0);
    if (walk == CY_CHASE && kib == 2048)
        p->n_big++;
    return level_of(p, kib,
                    walk == CY_CHASE    ? chase
                    : walk == CY_STRIDE ? stride
                                        : spread);
}

static const struct cy_memory told = {
    .data = {.kib = 32, .ways = 8},
    .code = {.kib = 32, .ways = 8},
    .beyond = {{.kib = 512, .ways = 8}, {.kib = 16384, .ways = 16}},
};

TEST(caches_are_found_by_walks)
{
    struct made_up p = {.l3_kib = {4096, 8192, 16384}, .memory = 563};

    r->memory = told;
    assert_true(cy_levels_find(&r->memory, walk, &p));
    write_machine(NULL, false);
    const struct cy_memory *found = &cy_machine_facts(m)->memory;

    assert_true(found->data.cycles == 4 && found->beyond[0].cycles == 8 &&
                found->beyond[1].cycles == 42 &&
                found->beyond[2].cycles == 559);
    assert_true(found->beyond[2].line_cycles == 28 &&
                found->beyond[1].stream_cycles == 7);
    assert_true(found->misses == 22); /* 46 / 2.1 */
    assert_true(found->l3_least_kib == 4096 && found->l3_most_kib == 16384);
    assert_true(found->beyond[1].kib == 8192);
    assert_true(found->pages[0] == 64 && found->page_cycles[0] == 7);
    assert_true(found->pages[1] == 2048 && found->page_cycles[1] == 67);
}

TEST(caches_that_cannot_be_told_apart_are_left_out)
{
    struct made_up p = {.l3_kib = {16384, 16384, 16384}, .memory = 50};

    r->memory = told;
    assert_false(cy_levels_find(&r->memory, walk, &p));
    r->memory = (struct cy_memory){0};
    write_machine("1 figure did not repeat: memory", false);
    assert_true(cy_machine_facts(m)->memory.misses == 0);
    p.memory = 100; /* the last cache is busy */
    r->memory = told;
    assert_false(cy_levels_find(&r->memory, walk, &p));
    p.memory = NAN;
    r->memory = told;
    assert_false(cy_levels_find(&r->memory, walk, &p));
}
