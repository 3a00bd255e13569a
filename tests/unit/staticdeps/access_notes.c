/*
 * Notes that walks make about single instructions.
 *
 * A chunk has temporary 2, which is drawn; 3, which is known; and results.  Its
 * code begins after site 10.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "walk/sd_walk.h"

#define N_TEMPS 10

/* The notes about the access of the last operation, at site 11.  All results
 * are drawn. */
static uint32_t noted(struct sd_op *ops, size_t n, struct sd_call *calls)
{
    struct sd_value temps[N_TEMPS];
    struct sd_chunk chunk = {.site = 10,
                             .ops = ops,
                             .n_ops = n,
                             .n_temps = N_TEMPS,
                             .calls = calls,
                             .temps = temps};
    struct sd_access_notes notes;
    uint32_t found;

    for (int i = 0; i < N_TEMPS; i++)
        temps[i] = (struct sd_value){1000, i == 3 ? 0 : UINT64_MAX};
    ops[n - 1].site = 1;
    sd_access_notes_init(&notes, 20);
    sd_access_notes_accesses(&notes, &chunk);
    found = notes.n > 0 ? notes.list[0].notes : 0;
    assert_int_equal(notes.n, found != 0);
    sd_access_notes_clear(&notes);
    assert_int_equal(notes.n, 0);
    sd_access_notes_fini(&notes);
    return found;
}

#define NOTED(...)                       \
    noted((struct sd_op[]){__VA_ARGS__}, \
          sizeof((struct sd_op[]){__VA_ARGS__}) / sizeof(struct sd_op), NULL)
#define OP(name, to, x, y)                                              \
    {                                                                   \
        .code = SD_##name, .width = 64, .dst = (to), .a = (x), .b = (y) \
    }

TEST(a_known_address_has_no_mark)
{
    assert_int_equal(NOTED(OP(LOAD, 4, 3, 1)), 0);
    assert_int_equal(NOTED(OP(STORE, 0, 3, 2)), 0);
}

TEST(a_drawn_address_is_that_of_the_load_or_of_the_store)
{
    assert_int_equal(NOTED(OP(LOAD, 4, 2, 1)), SD_NOTE_DRAWN);
    assert_int_equal(NOTED(OP(STORE, 0, 2, 3)),
                     SD_NOTE_DRAWN << SD_NOTE_OF_STORE);
}

TEST(a_note_has_the_sources_of_its_address)
{
    assert_int_equal(
        NOTED(OP(LOAD, 4, 3, 1), OP(ADD, 5, 3, 4), OP(LOAD, 6, 5, 1)),
        SD_NOTE_DRAWN | SD_NOTE_LOADED);
    assert_int_equal(
        NOTED(OP(FRESH, 4, 0, 0), OP(SHL, 5, 4, 3), OP(STORE, 0, 5, 3)),
        (SD_NOTE_DRAWN | SD_NOTE_UNDECIDED) << SD_NOTE_OF_STORE);
    /* The value that is stored does not matter. */
    assert_int_equal(NOTED(OP(LOAD, 4, 3, 1), OP(STORE, 0, 2, 4)),
                     SD_NOTE_DRAWN << SD_NOTE_OF_STORE);
}

/* An address that is loaded from a table of constants is known. */
TEST(a_known_value_has_no_sources)
{
    assert_int_equal(
        NOTED(OP(LOAD, 3, 2, 1), OP(ADD, 5, 3, 2), OP(LOAD, 6, 5, 1)),
        SD_NOTE_DRAWN);
}

TEST(the_sources_of_a_calls_result_are_its_arguments)
{
    struct sd_call calls[] = {{.args = {2, 4}, .n_args = 2}};
    struct sd_op ops[] = {OP(LOAD, 4, 3, 1), OP(CALL, 5, 0, 0),
                          OP(LOAD, 6, 5, 1)};

    assert_int_equal(noted(ops, 3, calls), SD_NOTE_DRAWN | SD_NOTE_LOADED);
    calls[0].n_args = 1;
    assert_int_equal(noted(ops, 3, calls), SD_NOTE_DRAWN);
}

TEST(a_call_is_entered_skipped_or_unresolved)
{
    struct sd_value target = sd_known(0x1000);
    struct sd_chunk chunk = {.site = 10,
                             .n_insns = 3,
                             .temps = &target,
                             .leaving = SD_LEAVES_BY_INDIRECT_CALL};
    struct sd_access_notes notes;

    sd_access_notes_init(&notes, 20);
    sd_access_notes_call(&notes, &chunk, true);
    assert_int_equal(notes.list[0].notes, SD_NOTE_ENTERED);
    sd_access_notes_call(&notes, &chunk, false);
    assert_int_equal(notes.list[0].notes, SD_NOTE_ENTERED | SD_NOTE_SKIPPED);
    sd_access_notes_clear(&notes);
    target.bottom = UINT64_MAX;
    sd_access_notes_call(&notes, &chunk, false);
    assert_int_equal(notes.list[0].notes, SD_NOTE_UNRESOLVED);
    sd_access_notes_fini(&notes);
}
