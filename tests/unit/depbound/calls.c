/*
 * The time that calls take, as frames open and close.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "core/cy_outcome.h"

/* How many instructions; each is a call of 5 bytes, at 10 times its number. */
#define INSNS 8

/* The instruction that returns. */
#define FROM 7

static struct cy_calls calls;
static double called[INSNS], cut[INSNS];
static bool recurses[INSNS];
static struct cy_outcome outcome = {.weight = 1,
                                    .called = called,
                                    .recurses = recurses,
                                    .cut = cut,
                                    .n_insns = INSNS};

static uint64_t after(uint32_t insn)
{
    return 10 * (uint64_t)insn + 5;
}

static void call_to(uint32_t insn, uint32_t entry, double now)
{
    cy_calls_call(&calls, insn, entry, after(insn), 10 * insn, now);
}

/* Executes a call; each instruction calls another function. */
static void call(uint32_t insn, double now)
{
    call_to(insn, insn + INSNS, now);
}

/* Returns to the instruction after `insn`. */
static void return_after(uint32_t insn, double now)
{
    cy_calls_return(&calls, &outcome, FROM, insn + 1, after(insn), now);
}

static void begin(double counted)
{
    memset(called, 0, sizeof called);
    memset(cut, 0, sizeof cut);
    memset(recurses, 0, sizeof recurses);
    cy_calls_restart(&calls);
    cy_calls_count(&calls, counted);
    outcome.n_calls = 0;
    keys_clear(&outcome.call_keys);
}

static void end(double now)
{
    cy_calls_end(&calls, &outcome, now);
    cy_calls_fini(&calls);
}

/* Cycles of calls by one instruction of another's function; -1: there are
   none. */
static double between(uint32_t caller, uint32_t callee)
{
    double cycles = -1;

    for (size_t i = 0; i < outcome.n_calls; i++)
        if (outcome.calls[i].caller == caller &&
            outcome.calls[i].callee == callee)
            cycles = outcome.calls[i].cycles;
    return cycles;
}

TEST(a_call_has_the_time_until_it_returns)
{
    begin(0);
    call(1, 10);
    return_after(1, 17);
    end(30);
    assert_true(called[1] == 7 && cut[1] == 0);
}

TEST(a_call_has_the_time_of_calls_in_it)
{
    begin(0);
    call(1, 10);
    call(3, 12);
    return_after(3, 15);
    return_after(1, 20);
    end(30);
    assert_true(called[1] == 10 && called[3] == 3 && cut[1] + cut[3] == 0);
}

TEST(who_calls_what_jumps_to_a_function_calls_that_too)
{
    begin(0);
    call(1, 10);
    return_after(1, 17);
    end(30);
    assert_true(between(1, 1 + INSNS) == 7 && between(1, FROM) == 7);
}

TEST(a_return_over_several_calls_ends_all_of_them)
{
    begin(0);
    call(1, 10);
    call(3, 12);
    return_after(1, 20);
    end(30);
    assert_true(called[1] == 10 && called[3] == 8);
}

TEST(a_call_that_the_window_ends_in_is_cut)
{
    begin(0);
    call(1, 10);
    end(30);
    assert_true(called[1] == 20 && cut[1] == 20);
}

TEST(a_call_before_the_counted_part_has_only_what_is_counted)
{
    begin(0);
    call(1, 10);
    cy_calls_count(&calls, 15);
    return_after(1, 17);
    end(30);
    assert_true(called[1] == 2 && cut[1] == 2);
}

TEST(a_return_before_the_counted_part_adds_nothing)
{
    begin(0);
    call(1, 10);
    cy_calls_return(&calls, NULL, FROM, 2, after(1), 12);
    cy_calls_count(&calls, 15);
    end(30);
    assert_true(called[1] == 0);
}

TEST(a_window_that_begins_in_a_call_gives_its_time_to_where_that_returns)
{
    begin(4);
    call(3, 6);
    return_after(3, 9);
    return_after(1, 12);
    end(30);
    assert_true(called[2] == 8 && cut[2] == 8 && called[3] == 3);
}

TEST(a_return_to_a_place_that_nothing_called_leaves_open_calls)
{
    begin(0);
    call(1, 10);
    return_after(5, 14);
    return_after(1, 20);
    end(30);
    assert_true(called[1] == 10 && called[6] == 0);
}

TEST(a_call_of_a_function_that_is_open_recurses)
{
    begin(0);
    call_to(1, 2, 10);
    call_to(3, 2, 12);
    return_after(3, 15);
    call(5, 16);
    return_after(5, 17);
    return_after(1, 20);
    end(30);
    assert_true(!recurses[1] && recurses[3] && recurses[4] && !recurses[2] &&
                !recurses[5] && !recurses[6]);
}

TEST(calls_of_one_function_by_one_instruction_are_summed)
{
    begin(0);
    call(1, 10);
    return_after(1, 12);
    call(2, 20);
    return_after(2, 23);
    call(1, 30);
    return_after(1, 34);
    end(40);
    assert_true(between(1, 1 + INSNS) == 6 && between(2, 2 + INSNS) == 3);
}

TEST(a_call_of_a_stub_is_one_of_what_the_stub_jumps_to)
{
    begin(0);
    call(1, 10);
    cy_calls_jump(&calls, 6, 10 * 1 + 2);
    cy_calls_jump(&calls, 5, 10 * 1 + 9);
    return_after(1, 17);
    end(30);
    assert_true(between(1, 6) == 7 && between(1, 5) < 0);
    assert_true(between(1, 1 + INSNS) < 0);
}

TEST(a_call_before_the_window_is_known_by_where_it_returns_from)
{
    begin(4);
    return_after(1, 12);
    end(30);
    assert_true(between(2, FROM) == 8);
}

TEST(a_function_that_calls_itself_has_the_time_once)
{
    begin(0);
    call_to(1, 20, 10);
    call_to(3, 20, 12);
    return_after(3, 15);
    return_after(1, 20);
    end(30);
    assert_true(between(1, 20) == 10 && between(3, 20) < 0);
}
