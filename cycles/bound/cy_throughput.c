/*
 * cy_throughput: what the units and the dispatch need for a round of a loop.
 *
 * llvm-mca's models of some processors allow too few loads and stores at once,
 * and few know which instructions fuse with the jump after them.  If its answer
 * comes from units for memory, or from the dispatch, measured figures replace
 * it; all other units are llvm-mca's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

#include <assert.h>
#include <math.h>

/* A figure explains llvm-mca's answer if it is at least this share of it:
   llvm-mca prints two digits. */
#define NEARLY 0.97

/* Cycles that loads and stores need; NAN if that is not known. */
static double of_accesses(const struct cy_step *steps, uint32_t n,
                          const struct cy_rates *rates)
{
    double loads = 0, stores = 0, any = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct cy_flow *flow = &steps[i].insn->flow;
        const struct cy_operands *o = &steps[i].operands;

        assert(o->load.class <= CY_ZMM && o->store.class <= CY_ZMM);
        if (flow->n_loads > 0)
            loads += flow->n_loads * rates->load[o->load.class];
        if (flow->n_stores > 0)
            stores += flow->n_stores * rates->store[o->store.class];
        if (flow->n_loads + flow->n_stores > 0)
            any += (flow->n_loads + flow->n_stores) * rates->any;
    }
    return isnan(loads + stores + any) ? NAN : fmax(any, fmax(loads, stores));
}

static bool is_conditional_jump(const struct cy_flow *flow)
{
    return flow->leave == CY_GOES_ON && flow->taken != CY_NOWHERE &&
           flow->falls_through;
}

/* Places in the dispatch that fused pairs save. */
static unsigned n_fused(const struct cy_step *steps, uint32_t n,
                        const struct cy_machine *machine)
{
    unsigned fused = 0;

    for (uint32_t i = 0; i + 1 < n; i++)
        fused += is_conditional_jump(&steps[i + 1].insn->flow) &&
                 cy_machine_is_fused(machine, &steps[i].operands.insn);
    return fused;
}

double cy_throughput(const struct cy_mca_region *region,
                     const struct cy_step *steps, uint32_t n,
                     const struct cy_machine *machine)
{
    double units = region->throughput, dispatch = region->dispatch;
    double accesses =
        machine != NULL
            ? of_accesses(steps, n, &cy_machine_facts(machine)->rates)
            : NAN;

    assert(n > 0 && units >= 0 && dispatch >= 0);
    if (isnan(accesses))
        return units;
    if (fmax(region->memory, dispatch) >= NEARLY * units)
        units = fmin(units, region->other);
    if (region->width > 0)
        dispatch -= n_fused(steps, n, machine) / region->width;
    return fmax(units, fmax(dispatch, accesses));
}
