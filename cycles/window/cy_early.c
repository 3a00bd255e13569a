/*
 * cy_early: loads that begin before it is known where older stores write.
 *
 * A processor lets a load go ahead of such stores.  If one of them turns out to
 * write what was read, the load and all after it begin anew, and the next times
 * it waits for the addresses of all stores before it.
 *
 * The figures are of Zen 5, by loops with one store whose address comes late,
 * in which a load reads its bytes every so often.  A load is told to wait when
 * it is dispatched, so those that are on their way when the last one has waited
 * wait, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/pipeline.h"

#define TIMES   24  /* that a load waits after one that began too early */
#define IN_TIME 1.0 /* cycles before the address that a load may begin */
#define AFTER   3.0 /* cycles from the last address to a load that waited */
#define LEAST   7.0 /* cycles that a load loses if it waits */

void cy_early_store(struct cy_pipeline *c, struct cy_moment at)
{
    if (at.time > c->placed.time)
        c->placed = at;
}

bool cy_early_wait(struct cy_pipeline *c, struct cy_moment *at)
{
    const struct cy_early *load = &c->early[c->insn];
    struct cy_event end = {.from = c->placed.event,
                           .insn = c->insn,
                           .store = load->store,
                           .cause = CY_CAUSE_ADDRESSES};

    if ((load->left == 0 && c->dispatched.time >= load->until) ||
        c->placed.time <= at->time)
        return false;
    end.time = c->placed.time + AFTER;
    if (end.time < at->time + LEAST) {
        end.time = at->time + LEAST;
        end.from = at->event;
    }
    *at = (struct cy_moment){end.time, cy_events_add(&c->events, end)};
    return true;
}

void cy_early_begin(struct cy_pipeline *c, double time)
{
    struct cy_early *load = &c->early[c->insn];

    if (load->left > 0 && --load->left == 0)
        load->until = time;
}

void cy_early_meet(struct cy_pipeline *c, const struct cy_stored *s,
                   double time, bool has_waited)
{
    struct cy_event end = {.time = s->placed.time + c->penalty,
                           .from = s->placed.event,
                           .insn = c->insn,
                           .store = s->insn,
                           .cause = CY_CAUSE_ADDRESSES};

    if (s->placed.time <= time + IN_TIME)
        return;
    c->early[c->insn] = (struct cy_early){.store = s->insn, .left = TIMES};
    if (!has_waited)
        cy_fetch_rest(&c->fetch, (struct cy_moment){
                                     end.time, cy_events_add(&c->events, end)});
}
