/*
 * cy_steer: how soon it is known where the next run of code begins.
 *
 * The predictor goes some runs ahead of the fetch.  In a cycle it tells the
 * ways of a few branches, but of one after another only if the first one goes
 * as a counter of two bits says, which is all that can be asked so fast.
 * Indirect jumps, calls and returns end its cycle, and the last two take more.
 *
 * A branch that was never taken is not known to it, and costs nothing.
 *
 * Found on Zen 5, by loops of up to 40 calls and as many long runs, by jumps,
 * and by branches that eight periodic patterns decide.  It explains recursive
 * functions there: trees of 7 to 2047 calls within 5 %.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Of a branch. */
#define WAYS     3 /* the counter: taken from 2 on */
#define IS_KNOWN 4

void cy_steer_init(struct cy_steer *s, const struct cy_machine *machine,
                   size_t n_insns)
{
    const struct cy_insn ret = {.mnemonic = "ret", .form = "", .bits = 64};
    double both;

    *s = (struct cy_steer){0};
    if (machine == NULL)
        return;
    s->branches = cy_machine_facts(machine)->dispatch.branches;
    if (s->branches == 0)
        return;
    if (cy_machine_occupancy(machine, &ret, &both))
        s->more = fmax(0, both / 2 - 1);
    s->known = memory_new(n_insns, 1);
}

void cy_steer_fini(struct cy_steer *s)
{
    free(s->known);
}

void cy_steer_restart(struct cy_steer *s, double time)
{
    s->time = time;
    s->left = 0;
    s->n_fetched = 0;
}

void cy_steer_fetched(struct cy_steer *s, double time)
{
    s->fetched[s->n_fetched++ % CY_STEERED] = time;
    if (s->n_fetched >= CY_STEERED)
        s->time = fmax(s->time, s->fetched[s->n_fetched % CY_STEERED]);
}

void cy_steer_branch(struct cy_steer *s, uint32_t insn, enum cy_branch kind,
                     bool is_taken)
{
    bool is_quick = true;

    assert(kind != CY_NO_BRANCH);
    if (s->branches == 0)
        return;
    if (kind == CY_CONDITIONAL) {
        uint8_t *known = &s->known[insn], ways = *known & WAYS;

        is_quick = (ways >= 2) == is_taken;
        if (is_taken)
            *known = IS_KNOWN | (ways < WAYS ? ways + 1 : ways);
        else if (ways > 0)
            --*known;
        /* What one branch a cycle does to those that go on was not measured. */
        if (!is_taken && ((*known & IS_KNOWN) == 0 || s->branches < 2))
            return;
    }
    if (s->left == 0) {
        s->time++;
        s->left = s->branches;
    }
    s->left--;
    if (!is_quick || kind >= CY_INDIRECT)
        s->left = 0;
    if (kind >= CY_DIRECT_CALL)
        s->time += s->more;
}
