/*
 * sd_evidence: writes why walks did not show other pairs.
 *
 * covcheck finds from this why a pair that happens was not predicted: which
 * walks visited a block, what addresses were computed from, and the fate of
 * calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_walks.h"

#include <stdlib.h>

#include "memory.h"

struct bytes {
    uint8_t *list;
    size_t n, room;
};

static void add_number(struct bytes *b, uint64_t number)
{
    b->list = memory_grow(b->list, &b->room, b->n + SD_NUMBER_BYTES, 1);
    b->n += sd_number_put(b->list + b->n, number);
}

/* Writes the walks that visited a block as runs of numbers: for each run, the
   gap before it, and its length minus 1. */
static int write_visits(struct sd_db *db, const struct sd_visits *list,
                        uint64_t first, struct bytes *bytes, int64_t id,
                        struct diag *d)
{
    struct sd_visits_reader r = sd_visits_read(list);
    uint64_t next = 0;
    bool more = sd_visits_next(&r);

    bytes->n = 0;
    while (more) {
        uint32_t begin = r.visit.number, end = begin;

        while ((more = sd_visits_next(&r)) && r.visit.number == end + 1)
            end++;
        add_number(bytes, first + begin - next);
        add_number(bytes, end - begin);
        next = first + end + 1;
    }
    if (bytes->n == 0)
        return 0;
    return sd_db_add(db, SD_TABLE_VISITS,
                     DB_VALUES(DB_INT(id), DB_BYTES(bytes->list, bytes->n)), d);
}

static const char *made_name(uint32_t notes)
{
    if (notes & SD_NOTE_UNDECIDED)
        return "undecided";
    return notes & SD_NOTE_LOADED ? "loaded" : "drawn";
}

static const char *fate_name(uint32_t notes)
{
    if (notes & SD_NOTE_UNRESOLVED)
        return "unresolved";
    return notes & SD_NOTE_SKIPPED ? "skipped" : "entered";
}

static int write_accesses(struct sd_db *db, uint32_t notes, int64_t id,
                          uint64_t address, struct diag *d)
{
    for (int stores = 0; stores < 2; stores++) {
        uint32_t made = stores ? notes >> SD_NOTE_OF_STORE : notes;

        if (made & SD_NOTE_DRAWN &&
            sd_db_add(db, SD_TABLE_MADE,
                      DB_VALUES(DB_INT(id), DB_INT(address), DB_INT(stores),
                                DB_TEXT(made_name(made))),
                      d) != 0)
            return -1;
    }
    return 0;
}

static int write_block(struct sd_db *db, const struct sd_program *p,
                       const uint16_t *notes, uint32_t block, int64_t id,
                       struct diag *d)
{
    const struct sd_block *b = &p->blocks->blocks[block];
    uint64_t address = b->address;
    uint32_t call = SD_NOTE_ENTERED | SD_NOTE_SKIPPED | SD_NOTE_UNRESOLVED;

    for (uint32_t i = 0; i < b->n_insns; i++) {
        if (write_accesses(db, notes[b->first + i + 1], id, address, d) != 0)
            return -1;
        address += p->blocks->insns[b->first + i] & (SD_NO_EFFECT - 1u);
    }
    call &= b->n_insns > 0 ? notes[b->first + b->n_insns] : 0;
    if (call == 0)
        return 0;
    return sd_db_add(db, SD_TABLE_CALL,
                     DB_VALUES(DB_INT(id), DB_TEXT(fate_name(call))), d);
}

int sd_evidence_write(struct sd_db *db, const struct sd_program *program,
                      const struct sd_walks *walks, const int64_t *block_ids,
                      uint64_t first, struct diag *d)
{
    struct bytes bytes = {0};
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < program->n_blocks; i++) {
        if (block_ids[i] == 0)
            continue;
        rc = write_visits(db, walks->support.blocks[i], first, &bytes,
                          block_ids[i], d);
        if (rc == 0)
            rc = write_block(db, program, walks->access_notes, i, block_ids[i],
                             d);
    }
    free(bytes.list);
    return rc;
}
