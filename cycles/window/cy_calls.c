/*
 * cy_calls: cycles of what instructions call.
 *
 * A call opens a frame, and what returns to the instruction after it closes
 * that and all above.  A return to no open frame closes one that was open when
 * the window began; its time is that of the instruction that it returns to,
 * since which one called is not known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "array.h"
#include "memory.h"

void cy_calls_fini(struct cy_calls *calls)
{
    free(calls->list);
    *calls = (struct cy_calls){0};
}

void cy_calls_restart(struct cy_calls *calls)
{
    calls->n = 0;
}

void cy_calls_count(struct cy_calls *calls, double now)
{
    calls->begin = now;
}

void cy_calls_call(struct cy_calls *calls, uint32_t insn, uint32_t entry,
                   uint64_t back, double now)
{
    bool recurses = false;

    for (size_t i = calls->n; i > 0 && !recurses; i--)
        recurses = calls->list[i - 1].entry == entry;
    array_push(calls->list, calls->n, calls->list_room,
               (struct cy_frame){.insn = insn,
                                 .entry = entry,
                                 .recurses = recurses,
                                 .back = back,
                                 .since = now});
}

/* Adds the counted time of a frame; it is cut if there was more. */
static void close_frame(const struct cy_calls *calls, struct cy_outcome *o,
                        uint32_t insn, double since, bool is_cut, double now)
{
    double cycles = o->weight * (now - fmax(since, calls->begin));

    assert(insn < o->n_insns && cycles >= 0);
    o->called[insn] += cycles;
    if (is_cut || since < calls->begin)
        o->cut[insn] += cycles;
}

void cy_calls_return(struct cy_calls *calls, struct cy_outcome *outcome,
                     uint32_t insn, uint64_t to, double now)
{
    size_t left = calls->n;

    while (left > 0 && calls->list[left - 1].back != to)
        left--;
    if (left == 0 && calls->n > 0)
        return;
    if (outcome != NULL && left == 0)
        close_frame(calls, outcome, insn, calls->begin, true, now);
    for (left = left > 0 ? left - 1 : 0; calls->n > left; calls->n--) {
        const struct cy_frame *f = &calls->list[calls->n - 1];

        if (outcome == NULL)
            continue;
        close_frame(calls, outcome, f->insn, f->since, false, now);
        outcome->recurses[f->insn] |= f->recurses;
        outcome->recurses[insn] |= f->recurses && f->back == to;
    }
}

void cy_calls_end(struct cy_calls *calls, struct cy_outcome *outcome,
                  double now)
{
    for (; calls->n > 0; calls->n--) {
        const struct cy_frame *f = &calls->list[calls->n - 1];

        close_frame(calls, outcome, f->insn, f->since, true, now);
        outcome->recurses[f->insn] |= f->recurses;
    }
}
