/* A machine file is made of figures that a processor could have. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrated.h"

static size_t forward_case(const char *name)
{
    return case_of(name, true);
}

static const struct cy_through same = {
    .store = {CY_GENERAL, CY_BASE, 64, CY_NONE, false},
    .load = {CY_GENERAL, CY_BASE, 64, CY_NONE, false},
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

    set_forward(forward_case("index"), 5, 5.4, 7.6);
    set_forward(forward_case("several"), 19, 19, 0);
    set_forward(forward_case("bits_16_zero"), 6, 6, 0);
    write_machine(NULL, false);
    assert_int_equal(cost_of(t).how, CY_RENAMED);
    assert_true(cost_of(t).cycles == 0);
    t.load.addressing = t.store.addressing = CY_INDEX;
    assert_int_equal(cost_of(t).how, CY_FORWARDED);
    assert_true(cost_of(t).cycles == 5.5 && cost_of(t).at_least == 7.67);
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
    assert_true(cost_of(t).cycles == 0);
    t.rmw_register = true;
    assert_true(cost_of(t).cycles == 5);
}

TEST(counters_with_an_index_are_renamed_only_if_loads_with_an_index_are)
{
    struct cy_through t = same;

    t.load_rmw = t.store_rmw = true;
    t.load.addressing = t.store.addressing = CY_INDEX;
    set_forward(forward_case("index"), 5, 5, 0);
    write_machine(NULL, false);
    assert_int_equal(cost_of(t).how, CY_FORWARDED);
    assert_true(cost_of(t).cycles == 5);
    t.load.addressing = t.store.addressing = CY_BASE;
    assert_int_equal(cost_of(t).how, CY_RENAMED);
}

TEST(moves_that_are_quicker_than_a_jump_show_in_longer_loops)
{
    struct cy_through t = same;

    set_forward(forward_case("delta_0"), 0.5, 0, 0);
    write_machine(NULL, false);
    t.copy = true;
    assert_true(cost_of(t).cycles == 0.5);
}

/* The costs of both overlap if others have the slowest speed of the plain case.
 */
TEST(what_is_between_the_speeds_of_a_loop_is_no_difference)
{
    struct cy_through t = same;
    struct cy_result *plain = r->cases[forward_case("general")];

    t.copy = true;
    t.load.addressing = t.store.addressing = CY_INDEX;
    set_forward(forward_case("index"), 5, 0, 0);
    write_machine(NULL, false);
    assert_true(cost_of(t).cycles == 5);
    plain[CY_COPY].most = 4.8;
    write_machine(NULL, false);
    assert_true(cost_of(t).cycles == 1);
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

TEST(a_remainder_is_written_if_it_comes_later_than_the_quotient)
{
    const struct cy_insn divl = {"div", "r", 32, false, false, false},
                         divq = {"div", "r", 64, false, false, false};
    double kept, high;

    set(insn_result("add"), 4);
    set(insn_result("lea_bd"), 8);
    set(insn_result("divl"), 13);
    set(insn_result("divl_high"), 17);
    set(insn_result("divq"), 16);
    set(insn_result("divq_high"), 16.3);
    write_machine(NULL, false);
    cy_machine_parts(m, &divl, &kept, &high);
    assert_true(high == 16 && kept < 0);
    cy_machine_parts(m, &divq, &kept, &high);
    assert_true(high < 0);
}

TEST(a_register_that_is_converted_to_may_take_less_than_the_converted_one)
{
    const struct cy_insn sd = {"cvtsi2sd", "rr", 128, false, false, false},
                         ss = {"vcvtsi2ss", "rrr", 128, false, false, false};
    double kept, high;

    set(insn_result("movq"), 4);
    set(insn_result("cvtsi2sd"), 8);
    set(insn_result("cvtsi2sd_kept"), 16);
    set(insn_result("cvtsi2ss"), 8);
    set(insn_result("cvtsi2ss_kept"), 24);
    write_machine(NULL, false);
    cy_machine_parts(m, &sd, &kept, &high);
    assert_true(kept == 4);
    cy_machine_parts(m, &ss, &kept, &high);
    assert_true(kept < 0);
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
    assert_true(written()->rates.locked == 20);
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

TEST(passes_that_disagree_give_their_median_if_a_sixth_show_one_speed)
{
    /* The passes, over and over. */
    static const struct {
        unsigned n, n_differ;
        double passes[6];
        double cycles; /* 0: the passes disagree */
    } rows[] = {
        {5, 5, {3, 3.01, 3, 3, 2.99}, 3},
        {5, 5, {3, 3.01, 4, 3, 2.99}, 0},
        {6, 6, {1.4, 1.4, 1.4, 1.4, 1.7, 1.4}, 1.4},
        {12, 6, {1.431, 1.7, 1.431, 1.7, 1.1, 1.7}, 0},
        {CY_PASSES, 6, {1.431, 1.7, 1.431, 1.7, 1.7, 1.7}, 1.5},
        {CY_PASSES, 6, {8.17, 7.55, 7.54, 7.55, 7.13, 9}, 7},
        {CY_PASSES, 0, {0}, 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cy_result result = {.n_passes = rows[i].n};

        for (unsigned k = 0; k < rows[i].n; k++)
            result.passes[k] = rows[i].n_differ > 0
                                   ? rows[i].passes[k % rows[i].n_differ]
                                   : 2 + 0.1 * k;
        cy_result_settle(&result, CY_LATENCY);
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
        {2.168, 2.17},  {0.0957, 0.1},   {0.056, 0.05},  {0.374, 0.38},
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
