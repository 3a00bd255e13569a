/*
 * cy_window_pieces: reads the instructions of a window.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/cy_window_code.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "hash.h"
#include "memory.h"
#include "window/cy_window_numbers.h"

#define LONGEST_INSN 15
#define MOST_BYTES   1024 /* of one access, as depsim has it */

void cy_window_index_fini(struct cy_window_index *index)
{
    free(index->slots);
    *index = (struct cy_window_index){0};
}

/* An instruction that was read, with accesses that are not yet in cy_windows.
 */
struct reading {
    struct cy_window_insn insn;
    struct cy_window_access accesses[UINT8_MAX];
};

static bool is_alike(const struct cy_windows *w, uint32_t i,
                     const struct reading *r)
{
    const struct cy_window_insn *a = &w->insns[i], *b = &r->insn;

    if (a->object != b->object || a->address != b->address ||
        a->length != b->length || a->n_accesses != b->n_accesses)
        return false;
    for (unsigned j = 0; j < a->n_accesses; j++) {
        const struct cy_window_access *x = &w->accesses[a->first_access + j];

        if (x->is_store != r->accesses[j].is_store ||
            x->size != r->accesses[j].size)
            return false;
    }
    return true;
}

/* The slot of an instruction that is there, or a free one. */
static uint32_t *slot_of(const struct cy_windows *w,
                         const struct cy_window_index *index,
                         const struct reading *r)
{
    unsigned bits = (unsigned)__builtin_ctzll(index->n_slots);
    size_t i = hash_place(r->insn.address + r->insn.object, bits);

    while (index->slots[i] != 0 && !is_alike(w, index->slots[i] - 1, r))
        i = (i + 1) % index->n_slots;
    return &index->slots[i];
}

static struct reading of_insn(const struct cy_windows *w, uint32_t i)
{
    struct reading r = {.insn = w->insns[i]};

    memcpy(r.accesses, &w->accesses[r.insn.first_access],
           r.insn.n_accesses * sizeof *r.accesses);
    return r;
}

/* At most half of the slots are taken. */
static void grow(const struct cy_windows *w, struct cy_window_index *index)
{
    if (2 * (w->n_insns + 1) <= index->n_slots)
        return;
    free(index->slots);
    index->n_slots = index->n_slots == 0 ? 1024 : 2 * index->n_slots;
    index->slots = memory_new(index->n_slots, sizeof *index->slots);
    for (uint32_t i = 0; i < w->n_insns; i++) {
        struct reading r = of_insn(w, i);

        *slot_of(w, index, &r) = i + 1;
    }
}

static uint32_t number_of(struct cy_windows *w, struct cy_window_index *index,
                          struct reading *r)
{
    uint32_t *slot;

    grow(w, index);
    slot = slot_of(w, index, r);
    if (*slot != 0)
        return *slot - 1;
    assert(w->n_insns < UINT32_MAX && w->n_accesses < UINT32_MAX);
    r->insn.first_access = (uint32_t)w->n_accesses;
    for (unsigned i = 0; i < r->insn.n_accesses; i++)
        array_append(w, accesses, r->accesses[i]);
    array_append(w, insns, r->insn);
    *slot = (uint32_t)w->n_insns;
    return *slot - 1;
}

static bool take_insn(struct cy_numbers *in, struct reading *r)
{
    uint64_t value = cy_numbers_take(in);

    if (value % 16 == 0 || value / 16 > UINT8_MAX)
        return false;
    r->insn.length = (uint8_t)(value % 16);
    r->insn.n_accesses = (uint8_t)(value / 16);
    for (unsigned i = 0; i < r->insn.n_accesses; i++) {
        uint64_t kind = cy_numbers_take(in);

        if (kind < 2 || kind / 2 > MOST_BYTES)
            return false;
        r->accesses[i] = (struct cy_window_access){
            .is_store = kind % 2 != 0, .size = (uint16_t)(kind / 2)};
    }
    return !in->failed;
}

const char *cy_window_add_piece(struct cy_windows *w,
                                struct cy_window_index *index, int64_t run,
                                uint64_t number, uint32_t object,
                                uint64_t address, const uint8_t *insns,
                                size_t size)
{
    struct cy_numbers in = cy_numbers_of(insns, size);
    struct cy_window_piece piece = {
        .run = run, .number = number, .first_insn = w->n_piece_insns};

    assert(object < w->n_objects || w->objects == NULL);
    while (cy_numbers_left(&in) > 0) {
        struct reading r = {.insn = {.object = object, .address = address}};

        if (!take_insn(&in, &r))
            return "an instruction that cannot be";
        array_append(w, piece_insns, number_of(w, index, &r));
        address += r.insn.length;
        piece.n_insns++;
        piece.n_accesses += r.insn.n_accesses;
    }
    if (piece.n_insns == 0)
        return "no instructions";
    array_append(w, pieces, piece);
    return NULL;
}

static int piece_order(const void *pa, const void *pb)
{
    const struct cy_window_piece *a = pa, *b = pb;

    return a->run != b->run ? array_order(a->run, b->run)
                            : array_order(a->number, b->number);
}

const char *cy_window_read_pieces(const struct cy_windows *w,
                                  struct cy_window_row *row)
{
    struct cy_numbers in = cy_numbers_of(row->path, row->path_size);
    struct cy_window_piece key = {.run = row->run};
    uint64_t n = cy_numbers_take(&in);

    assert(row->pieces == NULL);
    /* Each has a byte at least. */
    if (n > cy_numbers_left(&in))
        return "a path without its pieces";
    row->pieces = memory_new((size_t)n + 1, sizeof *row->pieces);
    while (row->n_pieces < n) {
        const struct cy_window_piece *found;

        key.number += cy_numbers_signed(cy_numbers_take(&in));
        found = array_find(&key, w->pieces, w->n_pieces, piece_order);
        if (in.failed || found == NULL)
            return "a piece that is not there";
        row->pieces[row->n_pieces++] = (uint32_t)(found - w->pieces);
        key.number++;
    }
    row->executions = row->path_size - cy_numbers_left(&in);
    return NULL;
}
