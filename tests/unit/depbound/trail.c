/* Which windows need no simulation with a fix. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "schedule.h"

#define CYCLES 12.5 /* of the window without a fix */

static struct schedule *s;
static struct cy_trails *trails;
static uint8_t near[SCHEDULE_INSNS], far[SCHEDULE_INSNS] = {1};

/* Simulates a window with a store and a load of its bytes. */
static void simulate(const char *program)
{
    static const struct cy_fix brief = {.is_brief = true};
    const struct cy_found found = {.accesses = near, .code = near};

    s = schedule_run("", program, NULL);
    trails = cy_trails_new(1, s->n_insns);
    cy_outcome_fini(&s->outcome);
    cy_outcome_init(&s->outcome, s->n_insns, 1);
    cy_pipeline_forget(s->pipeline);
    cy_trail_begin(trails, 0, s->pipeline, &s->window, &found);
    cy_simulate_window(s->pipeline, &s->window, s->turns, &brief, NULL,
                       &s->outcome);
    cy_trail_end(trails, 0, s->pipeline, CYCLES);
    cy_pipeline_forget(s->pipeline);
}

/* Is the window taken as it was?  `part` is the instruction that the fix is
   for; CY_NO_INSN: all. */
static bool takes(enum cy_fix_kind kind, uint32_t part, uint8_t *accesses)
{
    bool parts[SCHEDULE_INSNS] = {false};
    const struct cy_fix fix = {.kind = kind,
                               .is_brief = true,
                               .parts = part != CY_NO_INSN ? parts : NULL};
    const struct cy_found found = {.accesses = accesses, .code = near};
    double before = s->outcome.cycles;
    bool is_taken;

    if (part != CY_NO_INSN)
        parts[part] = true;
    is_taken = cy_trail_take(trails, 0, s->pipeline, &fix, &found, &s->outcome);
    assert_true(s->outcome.cycles == before + (is_taken ? CYCLES : 0));
    cy_pipeline_forget(s->pipeline);
    return is_taken;
}

static void finish(void)
{
    cy_trails_free(trails);
    schedule_free(s);
}

TEST(a_fix_of_parts_changes_windows_that_have_them)
{
    simulate("a>p@40 b<p@40");
    assert_true(takes(CY_FIX_REGISTER, 2, near));
    assert_false(takes(CY_FIX_REGISTER, 1, near));
    assert_false(takes(CY_FIX_REGISTER, CY_NO_INSN, near));
    finish();
}

TEST(wide_forwards_change_windows_where_one_fails)
{
    simulate("a>p@40 b<p@40");
    assert_true(takes(CY_FIX_WIDE, CY_NO_INSN, near));
    finish();
    simulate("a>p@40.4 b<p@40");
    assert_false(takes(CY_FIX_WIDE, CY_NO_INSN, near));
    finish();
}

TEST(a_cache_changes_windows_whose_lines_lie_elsewhere)
{
    simulate("a>p@40 b<p@40");
    assert_true(takes(CY_FIX_NONE, CY_NO_INSN, near));
    assert_false(takes(CY_FIX_NONE, CY_NO_INSN, far));
    finish();
}

TEST(a_window_is_as_it_was_only_if_those_before_leave_the_same)
{
    simulate("a>p@40 b<p@40");
    cy_habits_of(s->pipeline->habits, 1)->distance.repeats++;
    assert_false(takes(CY_FIX_REGISTER, 2, near));
    assert_true(takes(CY_FIX_REGISTER, 2, near));
    finish();
}
