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

/* The end of a wait for the address of a store. */
static struct cy_moment wait_until(struct cy_pipeline *c, double time,
                                   uint32_t from, uint32_t store)
{
    *cy_events_new(&c->events) = (struct cy_event){.time = time,
                                                   .from = from,
                                                   .insn = c->insn,
                                                   .store = store,
                                                   .cause = CY_CAUSE_ADDRESSES};
    return (struct cy_moment){time, cy_events_last(&c->events)};
}

bool cy_early_wait(struct cy_pipeline *c, struct cy_moment *at)
{
    const struct cy_early *load = &c->early[c->insn];
    double end;
    uint32_t from = c->placed.event;

    if ((load->left == 0 && c->dispatched.time >= load->until) ||
        c->placed.time <= at->time)
        return false;
    end = c->placed.time + AFTER;
    if (end < at->time + LEAST) {
        end = at->time + LEAST;
        from = at->event;
    }
    *at = wait_until(c, end, from, load->store);
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
    if (s->placed.time <= time + IN_TIME)
        return;
    c->early[c->insn] = (struct cy_early){.store = s->insn, .left = TIMES};
    if (!has_waited)
        cy_fetch_rest(&c->fetch, wait_until(c, s->placed.time + c->penalty,
                                            s->placed.event, s->insn));
}
