/* Parts of the core model: last writers of bytes, units, room in buffers, and
   the costs of fetching and predicting. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "core/cy_fetch.h"
#include "core/cy_habits.h"
#include "core/cy_resources.h"

static struct cy_written *w;
static struct cy_units *u;

BEFORE_EACH()
{
    w = cy_written_new();
    u = malloc(sizeof *u);
    assert_non_null(u);
    cy_units_init(u, 0, false);
}

AFTER_EACH()
{
    free(u);
    cy_written_free(w);
}

static void assert_writers(uint64_t address, unsigned size, unsigned n,
                           uint32_t first)
{
    uint32_t stores[CY_MOST_WRITERS];

    assert_int_equal(cy_written_load(w, address, size, stores), n);
    assert_int_equal(stores[0], first);
}

/* A round of n instructions of `size` bytes from an offset in a line on, and a
   jump back that fuses with the last of them. */
static double fetched(unsigned offset, unsigned n, unsigned size)
{
    const struct cy_dispatch d = {
        .width = 8, .line_places = 12, .line_cycles = 3};
    struct cy_lines lines;

    cy_lines_begin(&lines, &d);
    for (unsigned i = 0; i < n; i++)
        cy_lines_add(&lines, &(struct cy_fetched){0x1000 + offset + i * size,
                                                  size, 1, 0, false, 0});
    cy_lines_add(&lines, &(struct cy_fetched){0x1000 + offset + n * size, 2, 0,
                                              1, false, 0});
    return cy_lines_end(&lines);
}

static void assert_fetched(double cycles, unsigned offset, unsigned n)
{
    assert_float_equal(fetched(offset, n, 3), cycles, 1e-9);
}

TEST(a_short_round_in_one_line_is_fetched_at_full_width)
{
    assert_fetched(0.125, 0, 1);
    assert_fetched(1, 0, 8);
    assert_fetched(1.5, 0, 12);
    assert_fetched(1.5, 24, 12);
}

TEST(a_dense_line_takes_longer)
{
    assert_fetched(3, 0, 13);
    assert_fetched(3, 0, 20);
    assert_float_equal(fetched(0, 12, 5), 1.5, 1e-9);
}

TEST(each_further_line_takes_a_cycle)
{
    assert_fetched(2, 40, 8);
    assert_fetched(4, 24, 14);
    assert_fetched(4, 0, 23);
}

TEST(the_end_of_a_line_is_fetched_with_the_next_one)
{
    assert_fetched(1.125, 56, 9);
    assert_fetched(1.625, 56, 13);
    assert_fetched(3, 56, 17);
}

TEST(a_dense_line_takes_less_after_a_sparse_one)
{
    assert_float_equal(fetched(44, 23, 2), 3, 1e-9);
    assert_float_equal(fetched(56, 17, 2), 3, 1e-9);
}

TEST(long_instructions_are_limited_by_the_dispatch)
{
    assert_float_equal(fetched(0, 96, 6), 12, 1e-9);
}

/* A processor that fetches nine places of a line in a cycle, and a run of n
   instructions of 4 bytes from an offset in a line on. */
static void assert_fetched_by_line(double cycles, unsigned offset, unsigned n)
{
    const struct cy_dispatch d = {.width = 100, .line_most = 9};
    struct cy_lines lines;

    cy_lines_begin(&lines, &d);
    for (unsigned i = 0; i < n; i++)
        cy_lines_add(&lines, &(struct cy_fetched){0x1000 + offset + 4 * i, 4, 1,
                                                  0, false, 0});
    assert_float_equal(cy_lines_end(&lines), cycles, 1e-9);
}

TEST(each_line_takes_a_cycle_for_as_many_places_as_it_delivers)
{
    assert_fetched_by_line(1, 0, 1);
    assert_fetched_by_line(1, 0, 9);
    assert_fetched_by_line(2, 0, 10);
    assert_fetched_by_line(2, 60, 2);
}

TEST(an_instruction_in_two_lines_counts_in_both)
{
    assert_fetched_by_line(2, 62, 1);
    assert_fetched_by_line(2, 62, 9);
    assert_fetched_by_line(3, 62, 10);
}

/* Zen 3: a run of n instructions of `size` bytes from an offset in a line on,
   of which the first n_numbers have an immediate and the first n_decoded are
   not in the cache of decoded instructions. */
static double fetched_by_entry(unsigned offset, unsigned n, unsigned size,
                               unsigned n_numbers, unsigned n_decoded)
{
    const struct cy_dispatch d = {.width = 8,
                                  .line_most = 12,
                                  .entry_places = 8,
                                  .entry_numbers = 4,
                                  .decode_width = 4,
                                  .decode_bytes = 16};
    struct cy_lines lines;

    cy_lines_begin(&lines, &d);
    for (unsigned i = 0; i < n; i++)
        cy_lines_add(&lines,
                     &(struct cy_fetched){0x1000 + offset + size * i, size, 1,
                                          i < n_numbers, i < n_decoded, 0});
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

/* The units to which a group of requests is bound: a bit for each. */
static void assert_bound(const uint64_t *sets, unsigned n,
                         const unsigned *units)
{
    cy_units_bind(u, sets, n);
    assert_int_equal(u->turns.n, n);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(u->turns.units[i], units[i]);
}

TEST(requests_of_a_cycle_take_units_in_turn_but_those_with_a_choice_last)
{
    cy_units_init(u, 0xf, false);
    assert_bound((const uint64_t[]){0xf, 0xf, 0xf, 0xf, 0xf, 0xf}, 6,
                 (const unsigned[]){0, 1, 2, 3, 0, 1});
    assert_bound((const uint64_t[]){0xf, 0xf, 0x6, 0xf}, 4,
                 (const unsigned[]){3, 0, 2, 1});
    assert_bound((const uint64_t[]){0x6, 0x6, 0x6}, 3,
                 (const unsigned[]){2, 1, 2});
}

TEST(bound_work_waits_for_its_unit_though_another_one_is_free)
{
    const struct cy_piece any = {0xf, 1}, two = {0x6, 1};
    float owed = 0;

    cy_units_init(u, 0xf, false);
    for (unsigned i = 0; i < 2; i++) {
        cy_units_bind(u, (const uint64_t[]){0x6, 0x6}, 2);
        for (unsigned k = 0; k < 2; k++)
            assert_float_equal(cy_units_take_piece(u, &two, &owed, 0), i, 1e-9);
    }
    cy_units_bind(u, (const uint64_t[]){0xf, 0xf, 0xf}, 3);
    assert_float_equal(cy_units_take_piece(u, &any, &owed, 0), 0, 1e-9);
    assert_float_equal(cy_units_take_piece(u, &any, &owed, 0), 0, 1e-9);
    assert_float_equal(cy_units_take_piece(u, &any, &owed, 0), 2, 1e-9);
}

/* Takes a unit for an instruction, the first one of a cycle or not; the unit's
   number. */
static unsigned bound_at(double time, bool is_first, uint64_t units)
{
    const struct cy_piece piece = {units, 1};
    uint64_t before[CY_ALL_UNITS];
    float owed = 0;
    unsigned unit = 0;

    memcpy(before, u->n_taken, sizeof before);
    cy_units_dispatch(u, time, is_first);
    cy_units_take_piece(u, &piece, &owed, 100);
    while (u->n_taken[unit] == before[unit])
        unit++;
    return unit;
}

TEST(work_bound_by_queue_goes_in_order_of_how_many_wait_before_the_cycle)
{
    cy_units_init(u, 0x7, true);
    /* Of equals the last one comes first; what the cycle binds counts later. */
    assert_int_equal(bound_at(0, true, 0x7), 2);
    assert_int_equal(bound_at(0, false, 0x7), 1);
    assert_int_equal(bound_at(0, false, 0x6), 2);
    assert_int_equal(bound_at(0, false, 0x7), 0);
    assert_int_equal(bound_at(0, false, 0x7), 2);
    assert_int_equal(bound_at(0, false, 0x4), 2);
    /* Now 1, 1 and 4 wait; three more are too many. */
    assert_int_equal(bound_at(1, true, 0x7), 1);
    assert_int_equal(bound_at(1, false, 0x7), 0);
    assert_int_equal(bound_at(1, false, 0x7), 0);
    /* Nothing waits any more. */
    assert_int_equal(bound_at(200, true, 0x3), 1);
}

TEST(two_uops_of_an_instruction_share_a_place_if_lines_are_known)
{
    const struct cy_dispatch lines = {.line_places = 12}, none = {0};

    assert_int_equal(cy_lines_places(&lines, 2), 1);
    assert_int_equal(cy_lines_places(&lines, 3), 3);
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
} predicted[] = {
    {"two jumps are predicted in a cycle", "", "j", 10, 5},
    {"a call and its return take what both take together", "", "cr", 10, 40},
    {"a jump is predicted with the call after it", "", "jcr", 10, 40},
    {"an indirect jump is predicted last in its cycle", "", "jii", 10, 20},
    {"a branch that was never taken needs no prediction", "", "t", 10, 0},
    /* A call takes 2 cycles; the jump and the untaken branch share one. */
    {"a branch that was taken before is predicted when it is not taken", "T",
     "jtc", 10, 30},
    /* Its counter is right once in four times. */
    {"a branch that changes direction is predicted alone", "TrTrtrtr",
     "TrTrtrtr", 9, 36 * 2.75},
};

TEST(branches_are_predicted_in_some_cycles)
{
    for (size_t i = 0; i < sizeof predicted / sizeof predicted[0]; i++) {
        struct cy_steer s = steer();

        steered(&s, predicted[i].first);
        cy_steer_restart(&s, 0);
        for (unsigned k = 0; k < predicted[i].times; k++)
            steered(&s, predicted[i].branches);
        if (s.time != predicted[i].cycles)
            fail_msg("%s: %g", predicted[i].title, s.time);
    }
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

TEST(an_indirect_jump_takes_longer_if_it_goes_elsewhere)
{
    struct cy_steer s = steer();
    struct cy_steered jump = {
        .insn = LOOP, .kind = CY_INDIRECT, .is_taken = true, .to = JUMP};

    s.dispatch = &(const struct cy_dispatch){.retarget = 2};
    for (unsigned i = 0; i < 10; i++)
        cy_steer_branch(&s, &jump);
    assert_float_equal(s.time, 10, 0);
    for (unsigned i = 0; i < 10; i++) {
        jump.to = i % 2 == 0 ? CALL : JUMP;
        cy_steer_branch(&s, &jump);
    }
    assert_float_equal(s.time, 10 + 30, 0);
}

TEST(an_indirect_jump_with_several_targets_takes_longer_to_all_but_the_first)
{
    struct cy_steer s = steer();
    struct cy_steered jump = {
        .insn = LOOP, .kind = CY_INDIRECT, .is_taken = true, .to = JUMP};

    s.dispatch =
        &(const struct cy_dispatch){.first_target = 1, .other_target = 4};
    for (unsigned i = 0; i < 10; i++)
        cy_steer_branch(&s, &jump);
    assert_float_equal(s.time, 10, 0);
    for (unsigned i = 0; i < 10; i++) {
        jump.to = i % 2 == 0 ? CALL : JUMP;
        cy_steer_branch(&s, &jump);
    }
    assert_float_equal(s.time, 10 + 5 * (1 + 4) + 5 * (1 + 1), 0);
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

TEST(a_byte_belongs_to_the_last_store)
{
    assert_writers(0x100, 8, 1, CY_NO_STORE);
    cy_written_store(w, 0x100, 8, 0);
    assert_writers(0x100, 8, 1, 0);
    assert_writers(0x104, 4, 1, 0);
    assert_writers(0x104, 8, 2, 0);
    assert_writers(0xfc, 8, 2, CY_NO_STORE);
    cy_written_store(w, 0x102, 2, 1);
    assert_writers(0x100, 8, 2, 0);
    assert_writers(0x102, 2, 1, 1);
    cy_written_store(w, 0xff, 64, 2);
    assert_writers(0x100, 32, 1, 2);
    assert_writers(0x13f, 1, 1, CY_NO_STORE);
}

TEST(a_new_window_has_no_stores)
{
    cy_written_store(w, 0x100, 8, 7);
    assert_true(cy_written_is_first(w, 0x100));
    assert_false(cy_written_is_first(w, 0x13f));
    cy_written_clear(w);
    assert_writers(0x100, 8, 1, CY_NO_STORE);
    assert_true(cy_written_is_first(w, 0x100));
}

TEST(the_stores_of_many_words_are_kept)
{
    for (uint32_t i = 0; i < 100000; i++)
        cy_written_store(w, 64 * (uint64_t)i + 4, 8, i);
    for (uint32_t i = 0; i < 100000; i++) {
        assert_writers(64 * (uint64_t)i + 4, 8, 1, i);
        assert_true(cy_written_is_first(w, 64 * (uint64_t)i));
    }
    assert_false(cy_written_is_first(w, 0));
}

TEST(a_unit_is_taken_once_a_cycle)
{
    for (unsigned i = 0; i < 200; i++)
        assert_float_equal(cy_units_take(u, 4, 10), 10 + (float)i, 1e-9);
    assert_float_equal(cy_units_take(u, 4, 3.5), 3.5, 1e-9);
    assert_float_equal(cy_units_take(u, 4, 3.5), 4, 1e-9);
    assert_float_equal(cy_units_take(u, 4 | 1, 10), 10, 1e-9);
}

TEST(the_calendar_goes_on_around_its_ring)
{
    for (double t = 0; t < 10 * CY_SPAN; t += 100) {
        cy_units_advance(u, t);
        assert_float_equal(cy_units_take(u, 1, t + 50), t + 50, 1e-9);
        assert_float_equal(cy_units_take(u, 1, t + 50), t + 51, 1e-9);
    }
    cy_units_advance(u, 1e7);
    assert_float_equal(cy_units_take(u, 1, 1e7), 1e7, 1e-9);
    assert_float_equal(cy_units_take(u, 1, 1e7 + 2 * CY_SPAN),
                       1e7 + 2 * CY_SPAN, 1e-9);
}

TEST(a_rate_fills_cycles_with_parts)
{
    const float third[CY_N_RATES] = {[CY_RATE_LOAD] = 1.0f / 3},
                both[CY_N_RATES] = {
                    [CY_RATE_STORE] = 0.25f, [CY_RATE_LOAD] = 0.5f};

    for (unsigned i = 0; i < 30; i++)
        assert_float_equal(cy_units_take_rates(u, third, 0), (int)(i / 3),
                           1e-9);
    assert_float_equal(cy_units_take_rates(u, both, 0), 10, 1e-9);
    assert_float_equal(cy_units_take_rates(u, both, 0), 10, 1e-9);
    assert_float_equal(cy_units_take_rates(u, both, 0), 11, 1e-9);
}

TEST(a_rate_of_several_cycles_keeps_its_unit)
{
    const float cost[CY_N_RATES] = {[CY_RATE_DIVIDE] = 2.5f};

    assert_float_equal(cy_units_take_rates(u, cost, 0), 0, 1e-9);
    assert_float_equal(cy_units_take_rates(u, cost, 0), 2, 1e-9);
    assert_float_equal(cy_units_take_rates(u, cost, 0), 5, 1e-9);
}

TEST(a_queue_is_left_in_order)
{
    struct cy_queue q;
    uint32_t event = 0;

    cy_queue_init(&q, 3);
    cy_queue_add(&q, 2, 10, 1);
    assert_float_equal(cy_queue_room(&q, 1, 0, &event), 0, 1e-9);
    cy_queue_add(&q, 1, 20, 2);
    assert_float_equal(cy_queue_room(&q, 1, 5, &event), 10, 1e-9);
    assert_int_equal(event, 1);
    cy_queue_add(&q, 2, 30, 3);
    assert_float_equal(cy_queue_room(&q, 3, 12, &event), 30, 1e-9);
    assert_int_equal(event, 3);
    /* An entry larger than the queue waits until the queue is empty. */
    cy_queue_add(&q, 9, 40, 4);
    assert_float_equal(cy_queue_room(&q, 1, 31, &event), 40, 1e-9);
    cy_queue_fini(&q);
}

TEST(a_pool_is_left_in_any_order)
{
    struct cy_queue p;
    uint32_t event = 0;

    cy_queue_init(&p, 3);
    cy_queue_insert(&p, 30, 1);
    cy_queue_insert(&p, 10, 2);
    cy_queue_insert(&p, 20, 3);
    assert_float_equal(cy_queue_room(&p, 1, 5, &event), 10, 1e-9);
    assert_int_equal(event, 2);
    cy_queue_insert(&p, 50, 4);
    assert_float_equal(cy_queue_room(&p, 1, 5, &event), 20, 1e-9);
    assert_float_equal(cy_queue_room(&p, 1, 40, &event), 40, 1e-9);
    cy_queue_fini(&p);
}

static void assert_uses(struct cy_mca_pressure p, const struct cy_mca_use *uses,
                        unsigned n)
{
    struct cy_mca_uses found;

    cy_uses_of(&found, p);
    assert_int_equal(found.n, n);
    for (unsigned i = 0; i < n; i++) {
        assert_int_equal(found.uses[i].units, uses[i].units);
        assert_float_equal(found.uses[i].cycles, uses[i].cycles, 0.02);
    }
}

TEST(shares_of_units_are_pieces_of_work)
{
    const struct cy_mca_use one[] = {{0xf, 1, false}},
                            load_op[] = {{0xf, 1, false}, {0x70, 1, false}},
                            nested[] = {{0x7, 1, false}, {0x1, 1, false}},
                            families[] = {{0x3, 1, false}, {0xc, 1, false}},
                            joined[] = {{0x3, 1, false}},
                            twice[] = {{0x7, 2, false}};

    assert_uses((struct cy_mca_pressure){.cycles = {.25, .25, .25, .25}}, one,
                1);
    assert_uses((struct cy_mca_pressure){.cycles = {.25, .25, .25, .25, .333,
                                                    .333, .333}},
                load_op, 2);
    assert_uses((struct cy_mca_pressure){.cycles = {1.333, .333, .333}}, nested,
                2);
    assert_uses((struct cy_mca_pressure){.cycles = {.5, .5, .5, .5},
                                         .family = {0, 0, 2, 2}},
                families, 2);
    assert_uses((struct cy_mca_pressure){.cycles = {.5, .5}, .family = {0, 1}},
                joined, 1);
    assert_uses((struct cy_mca_pressure){.cycles = {.667, .667, .667}}, twice,
                1);
    assert_uses((struct cy_mca_pressure){.cycles = {0}}, NULL, 0);
}

TEST(a_late_return_and_a_branch_that_was_not_taken_lately_take_longer)
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
    s.dispatch = &(const struct cy_dispatch){.late_return = 2, .far_branch = 3};
    cy_steer_branch(&s, &late);
    cy_steer_branch(&s, &cold);
    assert_float_equal(s.time, 2, 0);
    late.is_late = cold.is_cold = true;
    cy_steer_branch(&s, &late);
    assert_float_equal(s.time, 2 + 3, 0);
    cy_steer_branch(&s, &cold);
    assert_float_equal(s.time, 5 + 3, 0);
}
