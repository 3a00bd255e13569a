/* How much work blocks may take together, so that no worker stops a block too
   early. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "out/sd_results.h"

enum { N = 60 };

static const struct sd_settings once = {.n_seeds = 1, .rob = 512};

static struct sd_room room;

/* Makes room for n objects, each of three blocks of ten bytes. */
static void make(size_t n, const struct sd_settings *settings)
{
    static struct sd_block list[N];
    const struct sd_blocks blocks = {.blocks = list, .n_blocks = n};

    for (size_t i = 0; i < n; i++)
        list[i] = (struct sd_block){.size = 10, .is_first = i % 3 == 0};
    sd_room_init(&room, &blocks, settings);
}

TEST(an_object_has_room_and_each_byte_adds_to_it)
{
    int64_t taken = 0;
    int64_t left = SD_ROOM_FREE + 10 * SD_ROOM_PER_BYTE;

    make(3, &once);
    assert_int_equal(sd_room_of(&room, 0, &taken), left);
    assert_true(sd_room_take(&room, 0, 1000, &taken));
    left += 10 * SD_ROOM_PER_BYTE - 1000;
    assert_int_equal(sd_room_of(&room, 1, &taken), left);
    assert_true(sd_room_take(&room, 1, (uint64_t)left, &taken));
    assert_int_equal(sd_room_of(&room, 2, &taken), 10 * SD_ROOM_PER_BYTE);
    sd_room_fini(&room);
}

TEST(a_block_that_exceeds_the_room_leaves_none)
{
    int64_t taken = 0;
    uint64_t all = SD_ROOM_FREE + 10 * SD_ROOM_PER_BYTE;

    make(3, &once);
    assert_false(sd_room_take(&room, 0, all + 1, &taken));
    assert_false(sd_room_take(&room, 1, 10 * SD_ROOM_PER_BYTE + 1, &taken));
    assert_true(sd_room_take(&room, 2, 10 * SD_ROOM_PER_BYTE, &taken));
    sd_room_fini(&room);
}

TEST(room_that_an_object_does_not_use_is_lost)
{
    int64_t taken = 0;

    make(6, &once);
    assert_true(sd_room_take(&room, 0, 5, &taken));
    assert_int_equal(sd_room_of(&room, 3, &taken),
                     SD_ROOM_FREE + 10 * SD_ROOM_PER_BYTE);
    taken = 0; /* the amount that the worker knows */
    assert_int_equal(sd_room_of(&room, 4, &taken),
                     SD_ROOM_FREE + 20 * SD_ROOM_PER_BYTE);
    sd_room_fini(&room);
}

TEST(more_seeds_and_a_larger_reorder_buffer_give_more_room)
{
    struct sd_settings more = {
        .n_seeds = 3, .rob = 1025, .scope = SD_SCOPE_LOOP};
    int64_t taken = 0;

    make(1, &more);
    assert_int_equal(sd_room_of(&room, 0, &taken),
                     18 * (SD_ROOM_FREE + 10 * SD_ROOM_PER_BYTE));
    sd_room_fini(&room);
}

/* A worker finds at least as much room as is left, whatever it was told and
   when, so that it stops no block that has a result. */
TEST(a_worker_never_finds_less_room_than_there_is)
{
    make(N, &once);
    for (uint64_t seed = 0; seed < 500; seed++) {
        int64_t taken[N + 1] = {0};
        uint64_t work[N];

        for (size_t i = 0; i < N; i++) {
            work[i] = sd_random(seed, i) % (2 * SD_ROOM_FREE) >> seed % 12;
            taken[i + 1] = taken[i];
            sd_room_take(&room, i, work[i], &taken[i + 1]);
        }
        for (size_t told = 0; told < N; told++) {
            size_t first = told + sd_random(seed, N + told) % (N - told);
            int64_t own = taken[told];

            for (size_t i = first; i < N; i++) {
                int64_t truly = taken[i];

                assert_true(sd_room_of(&room, i, &own) >=
                            sd_room_of(&room, i, &truly));
                sd_room_take(&room, i, work[i], &own);
            }
        }
    }
    sd_room_fini(&room);
}
