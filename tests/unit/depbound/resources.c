/* Parts of the core model: last writers of bytes, units, room in buffers. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

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

TEST(shares_of_units_are_pieces_of_work)
{
    static const struct {
        struct cy_mca_pressure pressure;
        unsigned n;
        struct cy_mca_use uses[2];
    } rows[] = {
        {{.cycles = {.25, .25, .25, .25}}, 1, {{0xf, 1, false}}},
        {{.cycles = {.25, .25, .25, .25, .333, .333, .333}},
         2,
         {{0xf, 1, false}, {0x70, 1, false}}},
        {{.cycles = {1.333, .333, .333}},
         2,
         {{0x7, 1, false}, {0x1, 1, false}}},
        {{.cycles = {.5, .5, .5, .5}, .family = {0, 0, 2, 2}},
         2,
         {{0x3, 1, false}, {0xc, 1, false}}},
        {{.cycles = {.5, .5}, .family = {0, 1}}, 1, {{0x3, 1, false}}},
        {{.cycles = {.667, .667, .667}}, 1, {{0x7, 2, false}}},
        {{.cycles = {0}}, 0, {{0}}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cy_mca_uses found;

        cy_uses_of(&found, rows[i].pressure);
        assert_int_equal(found.n, rows[i].n);
        for (unsigned k = 0; k < found.n; k++) {
            assert_int_equal(found.uses[k].units, rows[i].uses[k].units);
            assert_float_equal(found.uses[k].cycles, rows[i].uses[k].cycles,
                               0.02);
        }
    }
}
