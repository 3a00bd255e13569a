/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_window.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"
#include "memory.h"
#include "stride.h"
#include "core/cy_numbers.h"

/* Of a window: a few bytes can stand for any number. */
#define MOST_ACCESSES ((size_t)1 << 24)

/* What was executed after a piece last time. */
struct after {
    bool is_known;
    size_t piece, n; /* the first n instructions */
};

struct expansion {
    const struct cy_windows *windows;
    const struct cy_window_row *row;
    struct cy_recorded *to;
    size_t n_addresses;
    struct cy_sequence path, accesses;
    struct after *after;    /* by piece */
    size_t *first_stride;   /* by piece */
    struct stride *strides; /* of each access of each piece */
    bool has_last;
    size_t last;      /* piece that was executed */
    uint64_t address; /* of the last access that happened */
};

static const struct cy_window_piece *piece_of(const struct expansion *e,
                                              size_t piece)
{
    return &e->windows->pieces[e->row->pieces[piece]];
}

static const struct cy_window_insn *insn_of(const struct expansion *e,
                                            size_t piece, size_t i)
{
    const struct cy_windows *w = e->windows;

    return &w->insns[w->piece_insns[piece_of(e, piece)->first_insn + i]];
}

/* The execution that is predicted; false: a piece that does not exist. */
static bool predict(const struct expansion *e, struct after *next)
{
    if (e->has_last && e->after[e->last].is_known) {
        *next = e->after[e->last];
        return true;
    }
    next->piece = e->has_last ? e->last + 1 : 0;
    if (next->piece >= e->row->n_pieces)
        return false;
    next->n = piece_of(e, next->piece)->n_insns;
    return true;
}

/* An execution that is not as predicted. */
static bool take_execution(struct expansion *e, struct after *next)
{
    uint64_t value = cy_numbers_take(&e->path.in);

    if (e->path.in.failed || value / 2 >= e->row->n_pieces)
        return false;
    next->piece = (size_t)(value / 2);
    next->n = piece_of(e, next->piece)->n_insns;
    if (value % 2 != 0) {
        uint64_t n = cy_numbers_take(&e->path.in);

        if (n == 0 || n >= next->n)
            return false;
        next->n = (size_t)n;
    }
    return true;
}

static bool take_address(struct expansion *e, struct stride *stride,
                         uint64_t *address)
{
    *address = stride_next(stride, e->address);
    if (!cy_sequence_is_right(&e->accesses)) {
        uint64_t stored = cy_numbers_take(&e->accesses.in);

        if (stored == 0) {
            *address = CY_NOT_DONE;
            return !e->accesses.in.failed;
        }
        *address += cy_numbers_signed(stored);
    }
    stride_take(stride, *address);
    e->address = *address;
    return !e->accesses.in.failed;
}

static const char *add_insn(struct expansion *e, size_t piece, size_t i,
                            struct stride *strides)
{
    struct cy_recorded *to = e->to;
    const struct cy_window_insn *insn = insn_of(e, piece, i);

    if (insn->n_accesses > MOST_ACCESSES - e->n_addresses)
        return "too many accesses";
    array_reserve(to, executed, to->n + 1);
    to->executed[to->n++] =
        (struct cy_executed){.insn = (uint32_t)(insn - e->windows->insns),
                             .first_access = (uint32_t)e->n_addresses};
    for (unsigned j = 0; j < insn->n_accesses; j++) {
        array_reserve(to, addresses, e->n_addresses);
        if (!take_address(e, &strides[j], &to->addresses[e->n_addresses++]))
            return "accesses that end too early";
    }
    return NULL;
}

static const char *add_execution(struct expansion *e, struct after next)
{
    struct stride *strides = &e->strides[e->first_stride[next.piece]];
    const char *wrong = NULL;

    if (next.n > e->row->n - e->to->n)
        return "a path that is too long";
    for (size_t i = 0; i < next.n && wrong == NULL; i++) {
        wrong = add_insn(e, next.piece, i, strides);
        strides += insn_of(e, next.piece, i)->n_accesses;
    }
    if (e->has_last) {
        e->after[e->last] = next;
        e->after[e->last].is_known = true;
    }
    e->has_last = true;
    e->last = next.piece;
    return wrong;
}

/* Marks the instructions that come after a gap. */
static bool take_gaps(const struct cy_window_row *row, struct cy_recorded *to)
{
    struct cy_numbers in = cy_numbers_of(row->gaps, row->gaps_size);
    uint64_t at = 0;

    while (cy_numbers_left(&in) > 0) {
        uint64_t n = cy_numbers_take(&in);

        if (in.failed || n == 0 || n >= to->n - at)
            return false;
        at += n;
        to->executed[at].is_apart = true;
    }
    return true;
}

static const char *expand(struct expansion *e)
{
    const char *wrong = NULL;

    while (e->to->n < e->row->n && wrong == NULL) {
        struct after next = {0};

        if (cy_sequence_is_right(&e->path) ? !predict(e, &next)
                                           : !take_execution(e, &next))
            return "a path that goes nowhere";
        wrong = add_execution(e, next);
    }
    if (wrong != NULL)
        return wrong;
    if (!cy_sequence_has_ended(&e->path))
        return "a path that goes on behind its end";
    if (!cy_sequence_has_ended(&e->accesses))
        return "accesses that no instruction makes";
    if (!take_gaps(e->row, e->to))
        return "gaps that are nowhere";
    /* The end of the last instruction's accesses. */
    array_reserve(e->to, executed, e->to->n + 1);
    e->to->executed[e->to->n] = (struct cy_executed){
        .insn = UINT32_MAX, .first_access = (uint32_t)e->n_addresses};
    return NULL;
}

/* Makes room for what is predicted of pieces and accesses. */
static const char *begin(struct expansion *e)
{
    size_t n = e->row->n_pieces, n_strides = 0;

    e->after = memory_new(n + 1, sizeof *e->after);
    e->first_stride = memory_new(n + 1, sizeof *e->first_stride);
    for (size_t piece = 0; piece < n; piece++) {
        e->first_stride[piece] = n_strides;
        n_strides += piece_of(e, piece)->n_accesses;
        if (n_strides > MOST_ACCESSES)
            return "too many accesses";
    }
    e->strides = memory_new(n_strides + 1, sizeof *e->strides);
    return NULL;
}

const char *cy_windows_expand(const struct cy_windows *windows, size_t i,
                              struct cy_recorded *recorded)
{
    const struct cy_window_row *row = &windows->rows[i];
    struct expansion e = {.windows = windows, .row = row, .to = recorded};
    const char *wrong;

    assert(i < windows->n_rows && row->executions <= row->path_size);
    if (row->n == 0 || row->n > CY_WINDOW_INSNS)
        return "a number of instructions that cannot be";
    recorded->run = row->run;
    recorded->thread = row->thread;
    recorded->start = row->start;
    recorded->weight = row->weight;
    recorded->n = 0;
    e.path.in = cy_numbers_of(row->path + row->executions,
                              row->path_size - row->executions);
    e.accesses.in = cy_numbers_of(row->accesses, row->accesses_size);
    wrong = begin(&e);
    if (wrong == NULL)
        wrong = expand(&e);
    free(e.after);
    free(e.first_stride);
    free(e.strides);
    assert(wrong != NULL || recorded->n == row->n);
    return wrong;
}

void cy_recorded_fini(struct cy_recorded *recorded)
{
    free(recorded->executed);
    free(recorded->addresses);
    *recorded = (struct cy_recorded){0};
}
