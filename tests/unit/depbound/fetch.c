/* What it costs to fetch lines of code and to predict branches. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "core/cy_fetch.h"

static struct cy_lines lines;

/* A run of n instructions of `size` bytes from an offset in a line on, of which
   the first n_numbers have an immediate and the first n_decoded are not in the
   cache of decoded instructions. */
static void fetch(const struct cy_dispatch *d, unsigned offset, unsigned n,
                  unsigned size, unsigned n_numbers, unsigned n_decoded)
{
    cy_lines_begin(&lines, d);
    for (unsigned i = 0; i < n; i++)
        cy_lines_add(&lines,
                     &(struct cy_fetched){0x1000 + offset + size * i, size, 1,
                                          i < n_numbers, i < n_decoded, 0});
}

/* Without either, and with a jump back that fuses with the last of them. */
TEST(lines_of_a_round_take_cycles_by_the_places_in_them)
{
    const struct cy_dispatch d = {
        .width = 8, .line_places = 12, .line_cycles = 3};
    static const struct {
        const char *title;
        unsigned offset, n, size;
        double cycles;
    } rows[] = {
        {"a short round in one line is fetched at full width", 0, 1, 3, 0.125},
        {"one cycle of it", 0, 8, 3, 1},
        {"as many as a line may have", 0, 12, 3, 1.5},
        {"at the end of a line", 24, 12, 3, 1.5},
        {"a dense line takes longer", 0, 13, 3, 3},
        {"a denser one takes as long", 0, 20, 3, 3},
        {"a line of long instructions is not dense", 0, 12, 5, 1.5},
        {"each further line takes a cycle", 40, 8, 3, 2},
        {"a dense line and a further one", 24, 14, 3, 4},
        {"a full line and a further one", 0, 23, 3, 4},
        {"the end of a line is fetched with the next one", 56, 9, 3, 1.125},
        {"so it is before a longer line", 56, 13, 3, 1.625},
        {"so it is before a dense line", 56, 17, 3, 3},
        {"a dense line takes less after a sparse one", 44, 23, 2, 3},
        {"and after the end of a line", 56, 17, 2, 3},
        {"long instructions are limited by the dispatch", 0, 96, 6, 12},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fetch(&d, rows[i].offset, rows[i].n, rows[i].size, 0, 0);
        cy_lines_add(&lines, &(struct cy_fetched){0x1000 + rows[i].offset +
                                                      rows[i].n * rows[i].size,
                                                  2, 0, 1, false, 0});
        if (fabs(cy_lines_end(&lines) - rows[i].cycles) > 1e-9)
            fail_msg("%s", rows[i].title);
    }
}

/* A processor that fetches nine places in a cycle. */
TEST(a_run_takes_a_cycle_for_each_line_or_for_so_many_places)
{
    const struct cy_dispatch d = {.width = 100, .line_most = 9};
    static const struct {
        unsigned offset, n;
        double cycles;
    } rows[] = {
        {0, 1, 1},
        {0, 9, 1},
        {0, 10, 2},
        {60, 2, 2},
        /* An instruction may lie in two lines. */
        {62, 1, 2},
        {62, 18, 3},
        /* What a line has too much comes with the next one. */
        {0, 18, 2},
        {24, 12, 2},
        {24, 19, 3},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fetch(&d, rows[i].offset, rows[i].n, 4, 0, 0);
        assert_float_equal(cy_lines_end(&lines), rows[i].cycles, 1e-9);
    }
}

/* Zen 3. */
static double fetched_by_entry(unsigned offset, unsigned n, unsigned size,
                               unsigned n_numbers, unsigned n_decoded)
{
    const struct cy_dispatch d = {.width = 8,
                                  .line_most = 12,
                                  .entry_places = 8,
                                  .entry_numbers = 4,
                                  .decode_width = 4,
                                  .decode_bytes = 16};

    fetch(&d, offset, n, size, n_numbers, n_decoded);
    return cy_lines_end(&lines);
}

TEST(the_first_line_of_a_run_takes_a_cycle_for_each_entry)
{
    static const struct {
        unsigned offset, n, n_numbers;
        double cycles;
    } cases[] = {
        {0, 8, 0, 1},   {0, 9, 0, 2},   {0, 16, 0, 2},  {0, 17, 0, 3},
        {0, 8, 4, 1},   {0, 8, 5, 2},   {0, 7, 6, 1},   {0, 7, 7, 2},
        {0, 6, 6, 1},   {0, 12, 12, 2}, {0, 13, 13, 3}, {62, 2, 0, 2},
        {62, 9, 0, 2},  {62, 13, 0, 2}, {62, 14, 0, 3}, {62, 13, 13, 2},
        {48, 20, 0, 2}, {48, 21, 0, 3},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_float_equal(fetched_by_entry(cases[i].offset, cases[i].n, 2,
                                            cases[i].n_numbers, 0),
                           cases[i].cycles, 1e-9);
}

TEST(what_is_not_in_the_cache_of_decoded_instructions_is_decoded)
{
    assert_float_equal(fetched_by_entry(0, 16, 4, 0, 16), 4, 1e-9);
    assert_float_equal(fetched_by_entry(0, 8, 8, 0, 8), 4, 1e-9);
    /* A line is decoded, or not, as its first instruction is; what is not
       decoded takes at least what the dispatch does. */
    assert_float_equal(fetched_by_entry(0, 32, 4, 0, 16), 6, 1e-9);
    assert_float_equal(fetched_by_entry(0, 32, 4, 0, 17), 8, 1e-9);
}

TEST(two_uops_of_an_instruction_share_a_place_if_lines_are_known)
{
    const struct cy_dispatch dense = {.line_places = 12}, none = {0};

    assert_int_equal(cy_lines_places(&dense, 2), 1);
    assert_int_equal(cy_lines_places(&dense, 3), 3);
    assert_int_equal(cy_lines_places(&none, 2), 2);
}

/* A processor that predicts two branches a cycle; call and return take four. */
enum { JUMP, LOOP, CALL, OTHER, RETURN, N_BRANCHES };
static uint8_t known[N_BRANCHES];
static uint32_t went[N_BRANCHES];

static struct cy_steer steer(void)
{
    static const struct cy_dispatch dispatch = {0};

    memset(known, 0, sizeof known);
    memset(went, 0, sizeof went);
    return (struct cy_steer){.branches = 2,
                             .more = 1,
                             .dispatch = &dispatch,
                             .known = known,
                             .went = went};
}

/* Branches, a letter for each: a jump, call, return, indirect jump, and a
   branch that is taken (T) or not (t). */
static void steered(struct cy_steer *s, const char *branches)
{
    for (; *branches != '\0'; branches++) {
        char b = *branches;

        cy_steer_branch(
            s, &(struct cy_steered){.insn = b == 'j'   ? JUMP
                                            : b == 'c' ? CALL
                                            : b == 'r' ? RETURN
                                                       : LOOP,
                                    .kind = b == 'j'   ? CY_JUMP
                                            : b == 'c' ? CY_DIRECT_CALL
                                            : b == 'r' ? CY_RETURN
                                            : b == 'i' ? CY_INDIRECT
                                                       : CY_CONDITIONAL,
                                    .is_taken = b != 't',
                                    .to = OTHER});
    }
}

static const struct {
    const char *title;
    const char *first; /* its time does not count */
    const char *branches;
    unsigned times;
    double cycles;
    enum cy_speed speed;
} predicted[] = {
    {"two jumps are predicted in a cycle", "", "j", 10, 5, CY_USUAL},
    {"a call and its return take what both take together", "", "cr", 10, 40,
     CY_USUAL},
    {"a jump is predicted with the call after it", "", "jcr", 10, 40, CY_USUAL},
    {"an indirect jump is predicted last in its cycle", "", "jii", 10, 20,
     CY_USUAL},
    {"a branch that was never taken needs no prediction", "", "t", 10, 0,
     CY_USUAL},
    /* A call takes 2 cycles; the jump and the untaken branch share one. */
    {"a branch that was taken before is predicted when it is not taken", "T",
     "jtc", 10, 30, CY_USUAL},
    /* Its counter is right once in four times. */
    {"a branch that changes direction is predicted alone", "TrTrtrtr",
     "TrTrtrtr", 9, 36 * 2.75, CY_USUAL},
    {"at the quickest it shares a cycle", "TrTrtrtr", "TrTrtrtr", 9, 36,
     CY_QUICKEST},
    {"at the slowest it takes five more when its counter is wrong", "TrTrtrtr",
     "TrTrtrtr", 9, 36 * (2.75 + 0.75 * 5 + 1), CY_SLOWEST},
    {"at the quickest a call and its return take a cycle each", "", "cr", 10,
     20, CY_QUICKEST},
    {"at the slowest the return takes one more", "", "cr", 10, 50, CY_SLOWEST},
    {"at the slowest an indirect jump takes two more", "", "i", 10, 30,
     CY_SLOWEST},
};

TEST(branches_are_predicted_in_some_cycles)
{
    for (size_t i = 0; i < sizeof predicted / sizeof predicted[0]; i++) {
        struct cy_steer s = steer();

        s.speed = predicted[i].speed;
        steered(&s, predicted[i].first);
        cy_steer_restart(&s, 0);
        for (unsigned k = 0; k < predicted[i].times; k++)
            steered(&s, predicted[i].branches);
        if (s.time != predicted[i].cycles)
            fail_msg("%s: %g", predicted[i].title, s.time);
    }
}

TEST(a_branch_against_its_counter_takes_longer_but_not_after_a_slow_one)
{
    struct cy_steer s = steer();
    struct cy_dispatch overruled = *s.dispatch;

    overruled.overruled_branch = 2;
    s.dispatch = &overruled;
    steered(&s, "TTtt");
    cy_steer_restart(&s, 0);
    steered(&s, "TTtt"); /* its counter is right of the second one */
    assert_float_equal(s.time, 3 * 2 + 3, 0);
    cy_steer_restart(&s, 0);
    steered(&s, "rTrtrTrt"); /* returns take longer: no branch is overruled */
    overruled.overruled_branch = 0;
    double with = s.time;
    cy_steer_restart(&s, 0);
    steered(&s, "rTrtrTrt");
    assert_float_equal(with, s.time, 0);
}

/* Of the jumps of a line, it has the two that were taken last. */
TEST(a_taken_branch_takes_longer_after_several_others_of_its_line)
{
    static const struct cy_dispatch two = {.line_branches = 2,
                                           .crowded_branch = 3};
    static uint32_t line[N_BRANCHES] = {[OTHER] = 1};
    struct cy_crowd crowds[2] = {{{0}, 0}};
    struct cy_steer s = steer();

    s.branches = 1;
    s.more = 0;
    s.dispatch = &two;
    s.line = line;
    s.crowds = crowds;
    steered(&s, "jTjTjT");
    assert_float_equal(s.time, 6 + 2 * 2, 0); /* the first two are new */
    steered(&s, "jcTj");
    assert_float_equal(s.time, 10 + 4 + 3 * 2, 0);
    s.n_restarts++; /* forgets them */
    steered(&s, "j");
    assert_float_equal(s.time, 20 + 3, 0);
}

/* Ten indirect jumps to one place, and ten to another one and back in turn,
   take so many cycles. */
static void assert_indirect(struct cy_dispatch d, double all)
{
    struct cy_steer s = steer();
    struct cy_steered jump = {
        .insn = LOOP, .kind = CY_INDIRECT, .is_taken = true, .to = JUMP};

    s.dispatch = &d;
    for (unsigned i = 0; i < 10; i++)
        cy_steer_branch(&s, &jump);
    assert_float_equal(s.time, 10, 0);
    for (unsigned i = 0; i < 10; i++) {
        jump.to = i % 2 == 0 ? CALL : JUMP;
        cy_steer_branch(&s, &jump);
    }
    assert_float_equal(s.time, all, 0);
}

TEST(an_indirect_jump_takes_longer_if_it_goes_elsewhere)
{
    assert_indirect((struct cy_dispatch){.retarget = 2}, 10 + 30);
}

TEST(an_indirect_jump_with_several_targets_takes_longer_to_all_but_the_first)
{
    assert_indirect((struct cy_dispatch){.first_target = 1, .other_target = 4},
                    10 + 5 * (1 + 4) + 5 * (1 + 1));
}

TEST(a_jump_to_a_shared_object_takes_longer)
{
    struct cy_steer s = steer();

    s.dispatch = &(const struct cy_dispatch){.far = 1.5};
    cy_steer_branch(&s, &(struct cy_steered){.insn = JUMP,
                                             .kind = CY_JUMP,
                                             .is_taken = true,
                                             .is_far = true,
                                             .to = CALL});
    assert_float_equal(s.time, 2.5, 0);
}

TEST(at_most_twenty_runs_are_predicted_ahead_of_the_fetch)
{
    struct cy_steer s = steer();

    for (unsigned i = 0; i < 30; i++) {
        steered(&s, "j");
        cy_steer_fetched(&s, 100 * i);
    }
    assert_float_equal(s.time, 1000, 0);
}

TEST(nothing_is_fetched_before_the_event_that_it_waits_for)
{
    struct cy_fetch f = {.places = 7, .cost = 1.3};

    for (unsigned i = 1; i < 1000; i++) {
        struct cy_moment at;

        f.begin.time = f.least = 0.37 * i;
        f.end = f.begin.time + f.cost;
        f.done = i % 8;
        for (unsigned wait = 0; wait < 2; wait++) {
            at = cy_fetch_next(&f, 0);
            at.time += 14.1 + 32.6 * wait;
            at.event = i;
            cy_fetch_wait(&f, 14.1 + 32.6 * wait, at);
            assert_true(cy_fetch_next(&f, 0).time >= at.time);
            assert_true(f.end >= at.time);
        }
        at.time += 0.1 * i;
        cy_fetch_rest(&f, at);
        assert_true(cy_fetch_next(&f, 0).time >= at.time);
    }
}

TEST(branches_are_predicted_in_time_if_the_processor_is_unknown)
{
    struct cy_steer s = {0};

    steered(&s, "c");
    assert_float_equal(s.time, 0, 0);
}

TEST(lines_of_code_come_one_by_one_while_the_predictor_knows_the_way)
{
    const struct cy_memory ahead = {.code_line_cycles = 4}, none = {0};
    struct cy_fetch f = {
        .steer.branches = 1, .begin.time = 20, .least = 20, .asked = 5};

    assert_float_equal(cy_fetch_line(&f, 11, &ahead, true), 0, 0); /* 16 */
    assert_float_equal(cy_fetch_line(&f, 11, &ahead, true), 0, 0); /* 20 */
    assert_float_equal(cy_fetch_line(&f, 11, &ahead, true), 4, 0);
    assert_float_equal(cy_fetch_line(&f, 11, &ahead, false), 11, 0); /* 31 */
    assert_float_equal(cy_fetch_line(&f, 11, &ahead, true), 15, 0);
    f.asked = 30;
    assert_float_equal(cy_fetch_line(&f, 11, &ahead, true), 21, 0);
    assert_float_equal(cy_fetch_line(&f, 11, &none, true), 11, 0);
    f.steer.branches = 0; /* it is not known how far it is ahead */
    assert_float_equal(cy_fetch_line(&f, 11, &ahead, true), 11, 0);
}

TEST(a_late_return_and_a_split_or_far_branch_take_longer)
{
    struct cy_steer s = steer();
    struct cy_steered late = {.insn = RETURN,
                              .kind = CY_RETURN,
                              .is_taken = true,
                              .to = JUMP},
                      cold = {.insn = JUMP,
                              .kind = CY_JUMP,
                              .is_taken = true,
                              .to = CALL};

    s.more = 0;
    s.branches = 1;
    s.dispatch = &(const struct cy_dispatch){
        .late_return = 2, .far_branch = 3, .split_branch = 2};
    cy_steer_branch(&s, &late);
    cy_steer_branch(&s, &cold);
    assert_float_equal(s.time, 2, 0);
    late.is_late = cold.is_cold = true;
    cy_steer_branch(&s, &late);
    assert_float_equal(s.time, 2 + 3, 0);
    cy_steer_branch(&s, &cold);
    assert_float_equal(s.time, 5 + 3, 0);
    cold.is_split = true; /* both at a time */
    cy_steer_branch(&s, &cold);
    assert_float_equal(s.time, 8 + 3, 0);
    cold.is_cold = false;
    cy_steer_branch(&s, &cold);
    assert_float_equal(s.time, 11 + 2, 0);
}
