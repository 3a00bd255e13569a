/* A machine file has the dispatch, the buffers and the caches that measured
   cycles tell. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrated.h"

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
    dispatch = &written()->dispatch;
    assert_true(dispatch->width == 5);
    assert_int_equal(dispatch->n_rounds, 3);
    assert_true(dispatch->rounds[1] == 1.5 && dispatch->rounds[2] == 2.17);
    set(insn_result("fused_dec"), 9.6);
    dispatch = &written()->dispatch;
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
    assert_int_equal(written()->dispatch.line_most, 12);
    assert_int_equal(cy_machine_facts(m)->dispatch.n_rounds, 0);
    lines->cycles = 2;
    assert_int_equal(written()->dispatch.line_most, 0);
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
    d = &written()->dispatch;
    assert_float_equal(d->entry_places, 8, 0);
    assert_float_equal(d->entry_numbers, 4, 0);
    assert_true(cy_machine_facts(m)->memory.decoded.kib == 10 &&
                d->decode_width == 4 && d->decode_bytes == 16);
    assert_true(cy_machine_facts(m)->units_in_turn);
    places[CY_N_OPS].cycles = codes[2 * CY_N_OPS].cycles = NAN;
    d = &written()->dispatch;
    assert_true(d->entry_places == 0 &&
                cy_machine_facts(m)->memory.decoded.kib == 0);
    codes[2 * CY_N_OPS].cycles = codes[0].cycles * 8 / 6;
    set(insn_result("turns"), 12.5);
    codes[4 * CY_N_OPS].cycles = codes[0].cycles * 10 / 6;
    for (size_t i = 5; i < sizeof kib / sizeof kib[0]; i++)
        codes[i * CY_N_OPS].cycles = codes[0].cycles * kib[i] / 6;
    assert_true(written()->memory.decoded.kib == 0);
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
    set(insn_result("targets_1"), 3);
    set(insn_result("targets_alike"), 23);
    set(insn_result("targets_2"), 5.5);
    set(insn_result("targets_3"), 6);
    set(insn_result("targets_4"), 6.25);
    set_taken(7);
    assert_int_equal(written()->history.taken, 9);
    assert_true(cy_machine_facts(m)->dispatch.first_target == 1 &&
                cy_machine_facts(m)->dispatch.other_target == 4);
    for (unsigned n = 2; n <= 4; n++) /* all targets take as long */
        insn_result("targets_1")[(n - 1) * CY_N_OPS].cycles = 5;
    assert_true(written()->dispatch.first_target == 2 &&
                cy_machine_facts(m)->dispatch.other_target == 2);
    set_taken(32); /* longer than any case */
    set(insn_result("targets_3"), 4.5);
    assert_int_equal(written()->history.taken, 0);
    assert_true(cy_machine_facts(m)->dispatch.other_target == 0);
    set(insn_result("targets_alike"), 6.25); /* other bits tell, too */
    assert_int_equal(written()->history.taken, 0);
    assert_int_equal(cy_machine_facts(m)->history.path, 34);
}

TEST(crowded_lines_and_what_falls_apart_are_told_by_single_loops)
{
    const struct cy_dispatch *d;

    set(insn_result("width_move"), 95.5 / 6);
    set(insn_result("dispatch"), 8);
    set(insn_result("crowd_3"), 25 * 1.6);
    set(insn_result("crowd_6"), 49 * 2);
    set(insn_result("split_61"), 9);
    set(insn_result("split_63"), 17);
    set(insn_result("turn_0"), 3);
    set(insn_result("turn_3"), 3.5);
    set(insn_result("apart_base"), 8.33);
    set(insn_result("apart_index"), 10);
    set(insn_result("apart_rip"), 10);
    set(insn_result("apart_one"), 1.33);
    d = &written()->dispatch;
    assert_true(d->line_branches == 3 && d->crowded_branch == 2);
    assert_float_equal(d->split_branch, 2, 0);
    assert_float_equal(d->overruled_branch, 2, 0);
    assert_true(d->micro_fused && d->splits_rip && d->split_places == 3);
    set(insn_result("crowd_6"), 49 * 1.7);
    set(insn_result("apart_rip"), 8.33);
    set(insn_result("apart_one"), 1.17);
    d = &written()->dispatch;
    assert_true(d->line_branches == 0 && d->micro_fused);
    assert_true(!d->splits_rip && d->split_places == 0);
    set(insn_result("apart_base"), 9.33); /* it has two places without, too */
    set(insn_result("apart_index"), 9.33);
    assert_false(written()->dispatch.micro_fused);
}

TEST(rows_of_jumps_tell_how_many_are_near_and_calls_how_late_returns_are)
{
    static const double cycles[] = {48, 102, 218, 850, 2000};
    struct cy_result *jumps = insn_result("jumps_64");
    const struct cy_dispatch *d;

    set(insn_result("width_move"), 95.5 / 6);
    set(insn_result("jumps"), 0.9);
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++)
        jumps[i * CY_N_OPS].cycles = cycles[i];
    set(insn_result("return_early"), 25);
    set(insn_result("return_late"), 48);
    d = &written()->dispatch;
    assert_int_equal(cy_machine_facts(m)->history.near, 256);
    assert_true(d->far_branch == 2 && d->late_return == 2);
    set(insn_result("jumps_1024"), 1024); /* all are predicted at once */
    set(insn_result("return_late"), 35);
    d = &written()->dispatch;
    assert_int_equal(cy_machine_facts(m)->history.near, 0);
    assert_true(d->far_branch == 0 && d->late_return == 0);
}

TEST(shifts_that_additions_delay_tell_that_units_are_given_by_queue)
{
    set(insn_result("width_move"), 95.5 / 6);
    set(insn_result("turns"), 15.9);
    set(insn_result("queues"), 10.1);
    assert_true(written()->units_by_queue);
    assert_false(cy_machine_facts(m)->units_in_turn);
    set(insn_result("queues"), 8.7);
    assert_true(written()->units_in_turn);
    assert_false(cy_machine_facts(m)->units_by_queue);
}

TEST(the_stack_of_returns_ends_where_calls_take_longer)
{
    static const double depths[] = {8, 12, 16, 20, 24, 28, 32, 40, 48, 64};
    struct cy_result *calls = insn_result("returns_8");

    set(insn_result("width_move"), 95.5 / 6);
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++)
        calls[i * CY_N_OPS].cycles = depths[i] * (depths[i] <= 24 ? 10 : 19);
    assert_int_equal(written()->history.returns, 24);
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++)
        calls[i * CY_N_OPS].cycles = depths[i] * 10;
    assert_int_equal(written()->history.returns, 0);
}

/* Rows of up to 4,096 branches are known, and of longer ones a quarter and
   half of the branches are mispredicted, at 20 cycles each. */
TEST(branch_counters_are_the_longest_row_that_is_known)
{
    static const double cycles[] = {512 * 2.5,  1024 * 2.6, 2048 * 3,
                                    4096 * 3.3, 8192 * 7.5, 16384 * 12.5};
    struct cy_result *rows = insn_result("row_512");

    set(insn_result("width_move"), 95.5 / 6);
    set(insn_result("mispredicted"), 256 * 16);
    set(insn_result("predicted"), 256 * 6);
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++)
        rows[i * CY_N_OPS].cycles = cycles[i];
    assert_int_equal(written()->history.counters, 4096);
    for (unsigned i = 0; i < 6; i++)
        rows[i * CY_N_OPS].cycles = (512 << i) * 3;
    assert_int_equal(written()->history.counters, 0);
}

TEST(tables_of_targets_have_twice_the_longest_row_that_is_known)
{
    static const double each[] = {4, 4.2, 4.4, 4.6, 14, 22};
    struct cy_result *rows = insn_result("trow_128");

    set(insn_result("width_move"), 95.5 / 6);
    set(insn_result("mispredicted"), 256 * 16);
    set(insn_result("predicted"), 256 * 6);
    for (unsigned i = 0; i < 6; i++)
        rows[i * CY_N_OPS].cycles = (128 << i) * each[i];
    assert_int_equal(written()->history.targets, 2048);
    rows[3 * CY_N_OPS].cycles = NAN;
    assert_int_equal(written()->history.targets, 0);
}

TEST(stores_that_leave_together_are_written_if_they_do)
{
    const struct cy_rates *rates;

    set(insn_result("store_general"), 8 * 1);
    set(insn_result("store_xmm"), 8 * 1);
    set(insn_result("store_line"), 8 * 0.5);
    set(insn_result("store_pair"), 8 * 0.5);
    rates = &written()->rates;
    assert_true(rates->line == 0.5 && isnan(rates->pair));
    set(insn_result("store_line"), 8 * 1);
    rates = &written()->rates;
    assert_true(isnan(rates->line) && rates->pair == 0.5);
    set(insn_result("store_pair"), 8 * 1);
    write_machine(NULL, false);
    assert_true(isnan(cy_machine_facts(m)->rates.pair));
}

TEST(buffers_are_measured_where_no_published_size_is_near)
{
    set(insn_result("mispredicted"), 256 * 14.1);
    set(insn_result("predicted"), 256 * 6);
    set(insn_result("mispredicted_vector"), 256 * 21.1);
    set(insn_result("predicted_vector"), 256 * 9);
    assert_int_equal(written()->window.reorder_buffer, 512);
    assert_int_equal(cy_machine_facts(m)->window.vector_misprediction, 8);
    assert_int_equal(cy_machine_facts(m)->window.store_buffer, 60);
    assert_int_equal(cy_machine_facts(m)->window.general_results, 192);
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
    assert_int_equal(written()->window.renamed_after, 50);
    set(insn_result("counts_one"), 256 * 5);
    assert_int_equal(written()->window.renamed_after, 0);
}

TEST(stores_are_complete_later_if_one_that_waits_for_a_load_fails_longer)
{
    set(insn_result("failed_after"), 19);
    set(insn_result("failed_beside"), 15);
    assert_int_equal(written()->window.store_completion, 4);
    set(insn_result("failed_beside"), 18);
    assert_int_equal(written()->window.store_completion, 0);
}

/* Sets rounds of 0 to n - 1 instructions that take `low` cycles up to `last`,
   then rise over three instructions to `high`; from 15 instructions on they
   take half more than before. */
static size_t jump_of(double low, size_t last, double high)
{
    double rounds[60];

    for (size_t i = 0; i < 60; i++) {
        rounds[i] =
            (i <= last      ? low
             : i > last + 3 ? high
                            : low + (double)(i - last) * (high - low) / 4) +
            (double)i / 10;
        if (i < 15)
            rounds[i] /= 1.5;
    }
    rounds[3] = NAN;
    return cy_jump(rounds, 60);
}

TEST(a_buffer_ends_where_rounds_jump_most)
{
    assert_int_equal(jump_of(150, 35, 270), 36);
    assert_int_equal(jump_of(150, 35, 180), 14);
    assert_int_equal(jump_of(150, 58, 270), 14);
    assert_int_equal(jump_of(150, 35, 160), 14);
}

/* --- Caches of a processor that is made up --- */

struct made_up {
    double l3_kib[3]; /* what it has of the last cache, by turns */
    double memory;    /* cycles */
    double code;      /* of each of 2,048 lines of code or fewer */
    double later; /* cycles more, once the share of the last cache is known */
    double lifetimes[5];     /* in millions of cycles, likewise */
    unsigned n_big, n_young; /* walks that begin turns so far, three each */
};

static double level_of(const struct made_up *p, double kib, const double by[4])
{
    double l3 = p->l3_kib[(p->n_big + 2) / 3 % 3];

    return by[kib <= 32 ? 0 : kib <= 512 ? 1 : kib <= l3 ? 2 : 3];
}

/* A lifetime is the age with half of the lines lost. */
static double aged(struct made_up *p, double age)
{
    double lifetime;

    p->n_young += age == 1e6;
    lifetime = 1e6 * p->lifetimes[(p->n_young - 1) / 3 % 5];
    return 46 + fmin(1, age / (2 * lifetime)) * (p->memory - 46);
}

static double walk(void *context, enum cy_walk walk, size_t bytes, double age)
{
    struct made_up *p = context;
    const double chase[] = {4.01, 12.05, 46.2,
                            p->memory + (p->n_big > 0 ? p->later : 0)};
    static const double stride[] = {4, 5, 7, 11}, spread[] = {1, 2, 2.1, 28};
    double kib = (double)bytes / 1024, pages = (double)bytes / 4096;

    assert_true(kib <= 262144);
    if (walk == CY_PAGES)
        return level_of(p, kib / 64, chase) + (pages > 64 ? 7 : 0) +
               (pages > 2048 ? 60 : 0);
    if (walk == CY_CODE)
        return kib <= 128 ? p->code : 10;
    if (walk == CY_AGED && age > 0)
        return aged(p, age);
    if (walk == CY_AGED && kib == 2048)
        p->n_big++;
    return level_of(p, kib,
                    walk == CY_STRIDE   ? stride
                    : walk == CY_SPREAD ? spread
                                        : chase);
}

static const struct cy_memory told = {
    .data = {.kib = 32, .ways = 8},
    .code = {.kib = 32, .ways = 8},
    .beyond = {{.kib = 512, .ways = 8}, {.kib = 16384, .ways = 16}},
};

TEST(caches_are_found_by_walks)
{
    struct made_up p = {.l3_kib = {4096, 8192, 16384},
                        .memory = 563,
                        .code = 3.9,
                        .lifetimes = {.4, 60, 10, 9, 11}};

    r->memory = told;
    assert_true(cy_levels_find(&r->memory, walk, &p));
    const struct cy_memory *found = &written()->memory;

    assert_true(found->data.cycles == 4 && found->beyond[0].cycles == 8 &&
                found->beyond[1].cycles == 44 &&
                found->beyond[2].cycles == 572);
    assert_true(found->beyond[2].line_cycles == 28 &&
                found->beyond[1].stream_cycles == 7);
    assert_true(found->misses == 24); /* 48 / 2 */
    assert_true(found->l3_least_kib == 4096 && found->l3_most_kib == 16384);
    assert_true(found->beyond[1].kib == 8192);
    assert_true(found->pages[0] == 64 && found->page_cycles[0] == 7);
    assert_true(found->pages[1] == 2048 && found->page_cycles[1] == 64);
    assert_true(found->code_line_cycles == 4 && found->foreseen_lines == 2048);
    /* An eighth of the 8 MiB is the walk's own. */
    assert_true(found->l3_lifetime == 11.8e6);
}

TEST(a_lifetime_is_said_if_turns_agree)
{
    static const struct {
        double lifetimes[5], found;
    } cases[] = {
        {{2, 12, 10, 2.5, 40}, NAN},
        {{.4, .4, .4, .4, .4}, NAN},   /* gone before the first look */
        {{900, 900, 10, 900, 900}, 0}, /* others push out nothing */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made_up p = {.l3_kib = {8192, 8192, 8192}, .memory = 563};

        memcpy(p.lifetimes, cases[i].lifetimes, sizeof p.lifetimes);
        r->memory = told;
        assert_true(cy_levels_find(&r->memory, walk, &p));
        write_machine(isnan(cases[i].found)
                          ? "1 figure did not repeat: l3_lifetime"
                          : NULL,
                      false);
        assert_true(cy_machine_facts(m)->memory.misses > 0 &&
                    cy_machine_facts(m)->memory.l3_lifetime == 0);
    }
}

TEST(a_last_cache_of_more_than_the_longest_walk_is_not_walked_whole)
{
    struct made_up p = {.l3_kib = {8192, 1e6, 1e6},
                        .memory = 563,
                        .lifetimes = {10, 10, 10, 10, 10}};

    r->memory = told;
    r->memory.beyond[1].kib = 307200;
    assert_false(cy_levels_find(&r->memory, walk, &p));
    assert_true(r->memory.beyond[1].kib == 262144);
}

/* Others begin to use the last cache after the first walks. */
TEST(caches_that_take_longer_at_the_end_are_left_out)
{
    struct made_up p = {.l3_kib = {16384, 16384, 16384},
                        .memory = 563,
                        .lifetimes = {10, 10, 10, 10, 10}};

    r->memory = told;
    assert_true(cy_levels_find(&r->memory, walk, &p));
    p.later = 300;
    p.n_big = p.n_young = 0;
    r->memory = told;
    assert_false(cy_levels_find(&r->memory, walk, &p));
}

TEST(caches_that_cannot_be_told_apart_are_left_out)
{
    struct made_up p = {.l3_kib = {16384, 16384, 16384},
                        .memory = 50,
                        .lifetimes = {10, 10, 10, 10, 10}};

    r->memory = told;
    assert_false(cy_levels_find(&r->memory, walk, &p));
    r->memory = (struct cy_memory){0};
    write_machine("1 figure did not repeat: memory (others use the caches, or "
                  "Linux does not tell their sizes)",
                  false);
    assert_true(cy_machine_facts(m)->memory.misses == 0);
    p.memory = 100; /* the last cache is busy */
    r->memory = told;
    assert_false(cy_levels_find(&r->memory, walk, &p));
    p.memory = NAN;
    r->memory = told;
    assert_false(cy_levels_find(&r->memory, walk, &p));
}
