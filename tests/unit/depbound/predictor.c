/* The branch predictor learns from streams of branches. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "core/cy_predictor.h"

#define LONGEST 64

static const struct cy_history SEES_ALL = {0}, BLIND = {.is_blind = true},
                               BY_HISTORY = {.by_history = true},
                               NINE = {.taken = 9};

/* A stream of branches; only mispredictions in its second half count. */
static struct {
    struct cy_predictor *p;
    struct cy_foreseen last;
    unsigned missed;
    bool counts;
} s;

/* Begins a stream. */
static void renew(struct cy_history has)
{
    cy_predictor_free(s.p);
    s.p = cy_predictor_new(LONGEST, has);
    s.missed = 0;
    s.counts = false;
}

BEFORE_EACH()
{
    renew(SEES_ALL);
}

static void branch(enum cy_branch kind, uint64_t address, uint64_t to)
{
    s.last = cy_predictor_branch(s.p, kind, address, address + 2, to);
    s.missed += s.counts && !s.last.is_right;
}

static void conditional(uint64_t address, bool taken)
{
    branch(CY_CONDITIONAL, address, taken ? address + 64 : address + 2);
}

/* The mispredictions of a pattern of 0 and 1 that repeats. */
static unsigned missed_in(const char *pattern, unsigned rounds)
{
    renew(SEES_ALL);
    for (unsigned r = 0; r < rounds; r++) {
        s.counts = r >= rounds / 2;
        for (const char *at = pattern; *at != '\0'; at++)
            conditional(0x1000, *at == '1');
    }
    return s.missed;
}

TEST(a_branch_that_always_goes_one_way_is_predicted)
{
    assert_int_equal(missed_in("1", 100), 0);
    assert_int_equal(missed_in("0", 100), 0);
}

TEST(a_short_pattern_is_learnt)
{
    assert_int_equal(missed_in("10", 200), 0);
    assert_int_equal(missed_in("1101000", 200), 0);
}

TEST(a_pattern_that_came_five_times_is_known)
{
    assert_int_equal(missed_in("1000", 10), 0);
    assert_int_equal(missed_in("0100", 10), 0);
    assert_int_equal(missed_in("0010", 10), 0);
}

TEST(runs_that_are_alike_by_chance_do_not_hide_the_pattern)
{
    assert_int_equal(missed_in("1101101111110", 200), 0);
}

/* The mispredicted exits of a loop of `rounds` rounds in another loop. */
static unsigned missed_exits(unsigned rounds)
{
    renew(SEES_ALL);
    for (unsigned outer = 0; outer < 60; outer++) {
        s.counts = outer >= 30;
        for (unsigned i = 1; i <= rounds; i++)
            conditional(0x1000, i < rounds);
        conditional(0x2000, true);
    }
    return s.missed;
}

TEST(the_exit_of_a_loop_of_few_rounds_is_predicted)
{
    assert_int_equal(missed_exits(3), 0);
    assert_int_equal(missed_exits(20), 0);
    assert_int_equal(missed_exits(60), 0);
}

TEST(the_exit_of_a_long_loop_is_not_predicted)
{
    assert_int_equal(missed_exits(LONGEST + 40), 30);
}

/* The mispredicted exits of 300 loops of ten rounds with a random branch. */
static unsigned missed_random_exits(struct cy_history has)
{
    unsigned missed = 0;

    renew(has);
    for (unsigned outer = 0; outer < 600; outer++)
        for (unsigned i = 1; i <= 10; i++) {
            conditional(0x1000, unit_below(2) != 0);
            conditional(0x2000, i < 10);
            missed += outer >= 300 && i == 10 && !s.last.is_right;
        }
    return missed;
}

TEST(the_exit_of_a_loop_of_random_rounds_is_known_only_if_they_are_counted)
{
    assert_true(missed_random_exits(SEES_ALL) < 30);
    assert_true(missed_random_exits(BY_HISTORY) > 100);
}

TEST(random_branches_are_mispredicted_about_half_of_the_time)
{
    s.counts = true;
    for (unsigned i = 0; i < 4000; i++)
        conditional(0x1000, unit_below(2) != 0);
    assert_in_range(s.missed, 1600, 2400);
}

TEST(a_branch_that_follows_another_is_learnt)
{
    for (unsigned i = 0; i < 4000; i++) {
        bool way = unit_below(2) != 0;

        s.counts = false;
        conditional(0x1000, way);
        s.counts = i >= 2000;
        conditional(0x2000, !way);
    }
    assert_in_range(s.missed, 0, 20);
}

TEST(an_indirect_jump_is_predicted_to_go_to_its_last_target)
{
    s.counts = true;
    for (unsigned i = 0; i < 100; i++)
        branch(CY_INDIRECT, 0x1000, 0x5000);
    assert_int_equal(s.missed, 1);
}

TEST(alternating_targets_are_learnt_from_the_history)
{
    for (unsigned i = 0; i < 400; i++) {
        s.counts = i >= 200;
        branch(CY_INDIRECT, 0x1000, 0x5000 + i % 3 * 64);
    }
    assert_int_equal(s.missed, 0);
}

/* The mispredictions in 200 rounds of four targets by turns, `apart` bytes
   apart, each with a branch that returns to the loop, or none, and then `jumps`
   direct jumps. */
static unsigned missed_by_turns(struct cy_history has, enum cy_branch back,
                                unsigned apart, unsigned jumps)
{
    renew(has);
    for (unsigned i = 0; i < 400; i++) {
        s.counts = i >= 200;
        branch(CY_INDIRECT, 0x1000, 0x5000 + i % 4 * apart);
        s.counts = false;
        if (back != CY_NO_BRANCH)
            branch(back, 0x5000 + i % 4 * apart, 0x2000);
        for (unsigned j = 0; j < jumps; j++)
            branch(CY_JUMP, 0x3000 + 16 * j, 0x3010 + 16 * j);
        conditional(0x2000, true);
    }
    return s.missed;
}

TEST(a_blind_history_knows_places_of_branches_but_no_targets)
{
    assert_int_equal(missed_by_turns(SEES_ALL, CY_NO_BRANCH, 16, 0), 0);
    assert_int_equal(missed_by_turns(BLIND, CY_CONDITIONAL, 16, 0), 0);
    assert_int_equal(missed_by_turns(BLIND, CY_JUMP, 16, 0), 0);
    assert_in_range(missed_by_turns(BLIND, CY_NO_BRANCH, 16, 0), 100, 200);
    assert_in_range(missed_by_turns(BLIND, CY_RETURN, 16, 0), 100, 200);
}

TEST(a_history_of_two_bits_knows_branches_within_16_bytes_from_each_other)
{
    assert_int_equal(missed_by_turns(NINE, CY_JUMP, 4, 0), 0);
    assert_int_equal(missed_by_turns(NINE, CY_CONDITIONAL, 4, 0), 0);
    assert_int_equal(missed_by_turns(NINE, CY_RETURN, 68, 0), 0);
    assert_in_range(missed_by_turns(NINE, CY_JUMP, 64, 0), 100, 200);
    assert_in_range(missed_by_turns(NINE, CY_NO_BRANCH, 4, 0), 100, 200);
}

TEST(a_history_of_nine_taken_branches_forgets_the_tenth)
{
    assert_int_equal(missed_by_turns(NINE, CY_JUMP, 4, 7), 0);
    assert_in_range(missed_by_turns(NINE, CY_JUMP, 4, 8), 100, 200);
}

/* Which of two ways a branch at random went decides an indirect one behind ten
   other branches. */
TEST(ways_of_conditional_branches_are_known_for_longer)
{
    renew(NINE);
    for (unsigned i = 0; i < 4000; i++) {
        bool way = unit_below(2) != 0;

        s.counts = false;
        conditional(0x1000, way);
        for (unsigned j = 0; j < 10; j++)
            branch(CY_JUMP, 0x3000 + 16 * j, 0x3010 + 16 * j);
        s.counts = i >= 2000;
        branch(CY_INDIRECT, 0x4000, way ? 0x5000 : 0x6000);
    }
    assert_in_range(s.missed, 0, 20);
}

/* Misses in the last of 40 passes over `n` jumps to eight places, each of which
   three conditional branches tell later. */
static unsigned missed_of_round(unsigned n)
{
    unsigned char *places = memory_new(n, 1);

    for (unsigned i = 0; i < n; i++)
        places[i] = (unsigned char)unit_below(8);
    renew(NINE);
    for (unsigned i = 0; i < 40 * n; i++) {
        unsigned place = places[i % n];

        s.counts = i >= 39 * n;
        branch(CY_INDIRECT, 0x4000, 0x5000 + 64 * place);
        s.counts = false;
        for (unsigned bit = 0; bit < 3; bit++)
            conditional(0x1000 + 16 * bit, (place >> bit & 1) != 0);
    }
    free(places);
    return s.missed;
}

TEST(a_round_of_some_hundred_indirect_jumps_is_known_by_heart)
{
    assert_in_range(missed_of_round(400), 0, 20);
    assert_in_range(missed_of_round(4000), 800, 4000);
}

/* It would show which target was last. */
TEST(a_branch_that_was_never_taken_is_in_no_history)
{
    renew(NINE);
    for (unsigned i = 0; i < 400; i++) {
        s.counts = i >= 200;
        branch(CY_INDIRECT, 0x1000, 0x5000 + i % 4 * 64);
        s.counts = false;
        for (unsigned j = 0; j <= i % 4; j++)
            conditional(0x5010 + j * 64, false);
        conditional(0x2000, true);
    }
    assert_in_range(s.missed, 100, 200);
}

TEST(returns_and_direct_calls_are_predicted)
{
    s.counts = true;
    branch(CY_DIRECT_CALL, 0x1000, 0x9000);
    branch(CY_RETURN, 0x9000, 0x1002);
    branch(CY_RETURN, 0x9000, 0x4000);
    assert_int_equal(s.missed, 0);
}

/* The share of mispredictions of so many branches at random, the same ones
   again and again, from the tenth time on. */
static double missed_of_row(unsigned counters, unsigned n)
{
    renew((struct cy_history){.counters = counters});
    for (unsigned times = 0; times < 20; times++) {
        uint64_t random = 1;

        s.counts = times >= 10;
        for (unsigned i = 0; i < n; i++) {
            random = random * UINT64_C(6364136223846793005) + 1;
            conditional(0x1000, random >> 63 != 0);
        }
    }
    return s.missed / (10.0 * n);
}

TEST(a_row_of_branches_is_known_if_there_are_as_many_counters)
{
    assert_true(missed_of_row(4096, 2048) < 0.05);
    assert_true(missed_of_row(4096, 16384) > 0.25);
    assert_true(missed_of_row(0, 16384) < 0.1);
}

/* The same of so many jumps, each to one of four places at random. */
static double missed_of_targets(struct cy_history has, unsigned n)
{
    renew(has);
    for (unsigned times = 0; times < 20; times++) {
        uint64_t random = 1;

        s.counts = times >= 10;
        for (unsigned i = 0; i < n; i++) {
            random = random * UINT64_C(6364136223846793005) + 1;
            branch(CY_INDIRECT, 0x1000, 0x1100 + 16 * (random >> 62));
            branch(CY_CONDITIONAL, 0x1200, 0x1000);
        }
    }
    return s.missed / (10.0 * n);
}

TEST(a_row_of_targets_is_known_by_longer_paths_and_larger_tables)
{
    const struct cy_history large = {.path = 34, .targets = 2048};

    assert_true(missed_of_targets(large, 512) < 0.05);
    assert_true(missed_of_targets(SEES_ALL, 512) > 0.1);
    assert_true(missed_of_targets(large, 8192) > 0.5);
}

/* The mispredictions of so many calls in each other and their returns, of which
   the first ones are left out. */
static unsigned missed_returns(unsigned calls, unsigned left_out)
{
    renew((struct cy_history){.returns = 4});
    s.counts = true;
    for (unsigned i = 0; i < calls; i++)
        branch(CY_DIRECT_CALL, 0x1000 * i, 0x1000 * (i + 1));
    for (unsigned i = calls - left_out; i-- > 0;)
        branch(CY_RETURN, 0x1000 * i + 0x100, 0x1000 * i + 2);
    return s.missed;
}

TEST(returns_of_calls_that_the_stack_lost_are_mispredicted)
{
    assert_int_equal(missed_returns(4, 0), 0);
    assert_int_equal(missed_returns(7, 0), 3);
    assert_int_equal(missed_returns(7, 2), 3); /* these come to nothing */
    branch(CY_RETURN, 0x9000, 0x9100);         /* its call is not known */
    assert_int_equal(s.missed, 3);
    cy_predictor_restart(s.p);
    branch(CY_RETURN, 0x100, 2);
    assert_int_equal(s.missed, 3);
}

TEST(a_new_window_does_not_forget_what_was_learnt)
{
    for (unsigned i = 0; i < 100; i++)
        conditional(0x1000, false);
    cy_predictor_restart(s.p);
    s.counts = true;
    conditional(0x1000, false);
    assert_int_equal(s.missed, 0);
}

static enum cy_branch branch_of(const char *code, uint8_t length)
{
    struct cy_code_insn insn = {.length = length};

    memcpy(insn.bytes, code, length);
    flow_of_insn(&insn.flow, ARCH_X86_64, insn.bytes, length, 0x1000);
    return cy_branch_of(&insn);
}

TEST(the_kind_of_a_branch_is_told_by_its_code)
{
    for (char condition = 0; condition < 16; condition++) {
        const char near[] = {0x0f, (char)(0x80 | condition), 0, 1, 0, 0},
                   brief[] = {(char)(0x70 | condition), 5};

        assert_int_equal(branch_of(near, sizeof near), CY_CONDITIONAL);
        assert_int_equal(branch_of(brief, sizeof brief), CY_CONDITIONAL);
    }
    assert_int_equal(branch_of("\xe8\0\1\0\0", 5), CY_DIRECT_CALL);
    assert_int_equal(branch_of("\xeb\5", 2), CY_JUMP);
    assert_int_equal(branch_of("\xff\xe0", 2), CY_INDIRECT);
    assert_int_equal(branch_of("\x41\xff\xe1", 3), CY_INDIRECT);
    assert_int_equal(branch_of("\xff\xd0", 2), CY_INDIRECT_CALL);
    assert_int_equal(branch_of("\x41\xff\xd1", 3), CY_INDIRECT_CALL);
    assert_int_equal(branch_of("\xf3\xc3", 2), CY_RETURN);
    assert_int_equal(branch_of("\xff\xc0", 2), CY_NO_BRANCH);
}

/* Calls of a function from so many places in turn: how many returns of the last
   round are late.  `hides`: a jump comes before the return. */
static unsigned late_of(unsigned places, bool hides)
{
    unsigned late = 0;

    renew(SEES_ALL);
    for (unsigned i = 0; i < 3 * places; i++) {
        uint64_t call = 0x1000 + 0x40 * (i % places);

        branch(CY_DIRECT_CALL, call, 0x8000);
        if (hides)
            branch(CY_JUMP, 0x8000, 0x8100);
        branch(CY_RETURN, 0x8120, call + 2);
        late += i >= 2 * places && s.last.is_late;
    }
    return late;
}

TEST(a_return_is_late_if_a_jump_hides_which_of_three_calls_it_follows)
{
    assert_int_equal(late_of(8, false), 0);
    assert_int_equal(late_of(1, true), 0);
    assert_int_equal(late_of(2, true), 0);
    assert_int_equal(late_of(3, true), 3);
    assert_int_equal(late_of(8, true), 8);
}

/* How many of so many jumps in turn are not near in their last round. */
static unsigned far_of(unsigned jumps, struct cy_history has)
{
    unsigned far = 0;

    renew(has);
    for (unsigned i = 0; i < 3 * jumps; i++) {
        branch(CY_JUMP, 0x1000 + 0x40 * (i % jumps),
               0x1000 + 0x40 * ((i + 1) % jumps));
        far += i >= 2 * jumps && !s.last.is_near;
    }
    return far;
}

TEST(a_branch_is_near_if_few_others_were_taken_since)
{
    const struct cy_history near = {.near = 256};

    assert_int_equal(far_of(100, near), 0);
    assert_int_equal(far_of(2000, near), 2000);
    assert_int_equal(far_of(2000, SEES_ALL), 0);
    conditional(0x1000, false);
    assert_true(s.last.is_near);
}
