/*
 * sd_room: how much work the blocks of an object may take.
 *
 * Code can be written whose blocks never settle and are short, so that each
 * byte of it costs a hundred times as much as one of real code does.  So an
 * object has room for work, which each of its bytes adds to, and each
 * block takes from.  A block that takes more than there is has no result, and
 * leaves no room.  What code of n bytes costs is bounded by n, therefore.
 *
 * The blocks take from it in their order, which decides who has a result.
 * Workers do not know how much those before theirs took, but no less than what
 * the parent has told so far: they may stop where even that would be too much.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ROOM_H
#define SD_ROOM_H

#include <stdbool.h>

#include "decode/sd_blocks.h"
#include "run/sd_analyse.h"

/* Operations: of an object, and of each byte of its code, for each seed and 512
   instructions of the reorder buffer, or fewer; twice as many with back paths.
   None of the 60 million blocks in 1,587 objects of a system took more, nor any
   of the 332 largest objects with half of it. */
#define SD_ROOM_FREE     ((int64_t)1 << 20)
#define SD_ROOM_PER_BYTE 32

/* What is added up to a block: by the objects before its own, and by all. */
struct sd_added {
    int64_t before, all;
};

struct sd_room {
    struct sd_added *added; /* by block */
    int64_t *told;          /* seen by all processes: as `taken` below */
};

/* Before there are workers. */
void sd_room_init(struct sd_room *room, const struct sd_blocks *blocks,
                  const struct sd_settings *settings);
void sd_room_fini(struct sd_room *room);

/* What the blocks took that the parent knows of. */
int64_t sd_room_told(const struct sd_room *room);
void sd_room_tell(const struct sd_room *room, int64_t taken);

/* What a block may take, if those before it took `*taken`; at least 0. */
uint64_t sd_room_of(const struct sd_room *room, size_t block, int64_t *taken);
/* A block takes it.  False: it is more than there is. */
bool sd_room_take(const struct sd_room *room, size_t block, uint64_t work,
                  int64_t *taken);

#endif
