/* The branches before a window: what superblocks did, as depsim notes it, comes
   out of depbound's reader as it went in. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "core/cy_window.h"
#include "count/ds_clock.h"
#include "count/ds_shadow.h"
#include "window/ds_lead.h"

enum { OBJECT = 3, BIAS = 0x10000, SIZE = 4, BLOCKS = 8, MOST = 200000 };

/* Superblock number i is at 0x1000 * (i + 1) and has four instructions.  The
   second is a branch, to the superblock after it or behind itself; the last is
   an indirect jump if i is odd, else a branch to superblock 0 or to the next.
 */
static UInt numbers[BLOCKS];

static Addr start_of(unsigned i)
{
    return (Addr)0x1000 * (i + 1);
}

static bool is_inverted(unsigned i) /* goes on where the branch leads */
{
    return i % 3 == 0;
}

static Addr after_branch(unsigned i)
{
    return start_of(i) + (is_inverted(i) ? 0x100 : 2 * SIZE);
}

static Addr exit_of(unsigned i)
{
    return is_inverted(i) ? start_of(i) + 2 * SIZE : start_of((i + 1) % BLOCKS);
}

static Addr last_of(unsigned i)
{
    return after_branch(i) + SIZE;
}

static void describe(unsigned i)
{
    numbers[i] = ds_lead_begin();
    ds_lead_instruction(OBJECT, BIAS, BIAS + start_of(i), SIZE);
    ds_lead_instruction(OBJECT, BIAS, BIAS + start_of(i) + SIZE, SIZE);
    ds_lead_exit(BIAS + exit_of(i));
    ds_lead_instruction(OBJECT, BIAS, BIAS + after_branch(i), SIZE);
    ds_lead_instruction(OBJECT, BIAS, BIAS + last_of(i), SIZE);
    if (i % 2 == 0)
        ds_lead_exit(BIAS + start_of(0));
    ds_lead_end(i % 2 == 0 ? BIAS + last_of(i) + SIZE : 0);
}

/* What ran, as the reader should say. */
static struct expected {
    Addr place, target; /* target: of an indirect branch, else 0 */
    bool is_taken;
} expected[MOST];
static size_t n_expected;

static void expect(Addr place, Addr target, bool is_taken)
{
    assert_true(n_expected < MOST);
    expected[n_expected++] = (struct expected){place, target, is_taken};
}

static void note(UInt number, UInt n)
{
    ds_lead->ring[ds_lead->n++ % DS_LEAD] = *ds_clock_now << 32 | number;
    *ds_clock_now += n;
}

static Addr fell; /* where a branch led that was not taken */

/* Runs superblock i; returns which one comes next, or BLOCKS if that is code at
   `fell`. */
static unsigned run(unsigned i)
{
    bool leaves = unit_below(3) == 0;
    unsigned next = unit_below(BLOCKS);

    note(numbers[i], leaves ? 2 : 4);
    if (leaves) {
        fell = exit_of(i);
        expect(start_of(i) + SIZE, 0, !is_inverted(i));
        return is_inverted(i) ? BLOCKS : (i + 1) % BLOCKS;
    }
    expect(start_of(i) + SIZE, 0, is_inverted(i));
    if (i % 2 != 0) {
        expect(last_of(i), start_of(next), true);
        return next;
    }
    fell = last_of(i) + SIZE;
    expect(last_of(i), 0, next % 2 == 0);
    return next % 2 == 0 ? 0 : BLOCKS;
}

/* Code that starts after a branch that was not taken: one instruction, and a
   jump to a superblock. */
static UInt elsewhere(Addr address)
{
    UInt number = ds_lead_begin();

    ds_lead_instruction(OBJECT, BIAS, BIAS + address, SIZE);
    ds_lead_end(BIAS + start_of(1));
    return number;
}

BEFORE_ALL()
{
    ds_shadow_init();
    ds_clock_init();
    ds_lead_init();
    for (unsigned i = 0; i < BLOCKS; i++)
        describe(i);
}

BEFORE_EACH()
{
    ds_lead_forget();
    n_expected = 0;
}

/* Runs n superblocks, the first of them number 0; returns which one is next. */
static unsigned run_some(unsigned n)
{
    unsigned i = 0;

    while (n-- > 0) {
        i = run(i);
        if (i < BLOCKS)
            continue;
        note(elsewhere(fell), 1);
        i = 1;
    }
    return i;
}

static struct ds_noted noted;

static void take_noted(unsigned next)
{
    ds_lead_take(
        &noted,
        (struct ds_lead_start){BIAS + start_of(next), OBJECT, start_of(next)},
        *ds_clock_now);
}

static struct ds_bytes take(unsigned next)
{
    take_noted(next);
    return ds_lead_encode(&noted);
}

/* Reads a lead; returns NULL, or what is wrong. */
static const char *read_lead(struct ds_bytes bytes, struct cy_windows *w,
                             struct cy_lead *lead)
{
    struct cy_window_row row = {
        .run = 1, .lead = bytes.bytes, .lead_size = bytes.n};
    struct cy_window_run run = {.id = 1};
    const char *wrong;

    *w = (struct cy_windows){
        .runs = &run, .n_runs = 1, .rows = &row, .n_rows = 1};
    for (UInt i = 0; i < ds_places_number(); i++) {
        struct ds_place p = ds_places_get(i);

        array_append(w, places,
                     (struct cy_window_place){p.object, p.address,
                                              (enum cy_place_kind)p.kind});
    }
    run.n_places = w->n_places;
    wrong = cy_lead_of(w, 0, lead);
    w->runs = NULL;
    w->rows = NULL;
    return wrong;
}

/* Is what is read the end of what was expected, with at least n branches? */
static void assert_lead(struct ds_bytes bytes, size_t n)
{
    struct cy_windows w;
    struct cy_lead lead = {0};

    assert_null(read_lead(bytes, &w, &lead));
    assert_in_range(lead.n, n, n_expected);
    for (size_t i = 0; i < lead.n; i++) {
        const struct expected *x = &expected[n_expected - lead.n + i];
        const struct cy_lead_branch *b = &lead.branches[i];

        assert_int_equal(w.places[b->place].object, OBJECT);
        assert_true(w.places[b->place].address == x->place);
        assert_int_equal(b->is_taken, x->is_taken);
        if (x->target != 0)
            assert_true(w.places[b->target].address == x->target);
    }
    cy_lead_fini(&lead);
    free(w.places);
    free(bytes.bytes);
}

TEST(branches_before_a_window_are_read_as_they_went)
{
    assert_lead(take(run_some(500)), n_expected);
}

TEST(branches_of_the_last_superblocks_are_kept)
{
    assert_lead(take(run_some(3 * DS_LEAD)), DS_LEAD / 2);
    assert_true(n_expected > 2 * DS_LEAD);
}

TEST(the_branches_before_a_window_begin_after_what_was_not_noted)
{
    unsigned next;
    size_t before;

    run_some(100);
    *ds_clock_now += 1000;
    before = n_expected;
    next = run_some(100);
    assert_lead(take(next), n_expected - before);
    ds_lead_forget();
    assert_int_equal(take(next).n, 0);
}

TEST(branches_are_those_of_the_code_that_ran)
{
    take_noted(run_some(500));
    for (unsigned i = 0; i < BLOCKS; i++)
        note(elsewhere(start_of(i)), 1);
    assert_lead(ds_lead_encode(&noted), n_expected);
}

TEST(no_changed_byte_of_branches_does_harm)
{
    struct ds_bytes bytes;
    struct cy_windows w;
    struct cy_lead lead = {0};

    bytes = take(run_some(300));
    for (unsigned i = 0; i < 3000; i++) {
        struct ds_bytes some = {bytes.bytes, unit_below((unsigned)bytes.n) + 1,
                                0};
        UChar *byte = &bytes.bytes[unit_below((unsigned)some.n)], kept = *byte;

        *byte = (UChar)unit_below(256);
        read_lead(some, &w, &lead);
        *byte = kept;
        free(w.places);
    }
    cy_lead_fini(&lead);
    free(bytes.bytes);
}
