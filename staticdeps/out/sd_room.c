/*
 * sd_room: limits the work for the blocks of an object.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_room.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "memory.h"

/* Keeps the sum over all objects that fit into memory below 2^63. */
#define MOST_TIMES ((int64_t)1 << 16)

/* How many times the work of one seed with default options is needed. */
static int64_t times(const struct sd_settings *s)
{
    int64_t n = (int64_t)s->n_seeds * (((int64_t)s->rob + 511) / 512) *
                (s->scope == SD_SCOPE_LOOP ? 2 : 1);

    return n < MOST_TIMES ? n : MOST_TIMES;
}

void sd_room_init(struct sd_room *room, const struct sd_blocks *blocks,
                  const struct sd_settings *settings)
{
    int64_t n = times(settings);
    struct sd_added added = {0, 0};

    room->added = memory_new(blocks->n_blocks, sizeof *room->added);
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        const struct sd_block *block = &blocks->blocks[i];

        if (i == 0 || block->is_first) {
            added.before = added.all;
            added.all += n * SD_ROOM_FREE;
        }
        added.all += n * SD_ROOM_PER_BYTE * (int64_t)block->size;
        room->added[i] = added;
    }
    room->told = mmap(NULL, sizeof *room->told, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (room->told == MAP_FAILED)
        memory_exhausted();
}

void sd_room_fini(struct sd_room *room)
{
    munmap(room->told, sizeof *room->told);
    free(room->added);
}

int64_t sd_room_told(const struct sd_room *room)
{
    return __atomic_load_n(room->told, __ATOMIC_RELAXED);
}

void sd_room_tell(const struct sd_room *room, int64_t taken)
{
    assert(taken >= sd_room_told(room));
    __atomic_store_n(room->told, taken, __ATOMIC_RELAXED);
}

uint64_t sd_room_of(const struct sd_room *room, size_t block, int64_t *taken)
{
    struct sd_added added = room->added[block];

    /* Room that an object does not use is lost. */
    if (*taken < added.before)
        *taken = added.before;
    assert(*taken <= added.all);
    return (uint64_t)(added.all - *taken);
}

bool sd_room_take(const struct sd_room *room, size_t block, uint64_t work,
                  int64_t *taken)
{
    uint64_t most = sd_room_of(room, block, taken);

    *taken += (int64_t)(work < most ? work : most);
    return work <= most;
}
