/*
 * cy_throughput: what the units and the dispatch need for a round of a loop.
 *
 * llvm-mca's models of some processors allow too few loads and stores at once,
 * and few know which instructions fuse with the jump after them.  If its answer
 * comes from units for memory, or from the dispatch, measured figures replace
 * it; all other units are llvm-mca's.  A short round of a loop takes what one
 * of as many places was measured to take.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

#include <assert.h>
#include <math.h>

#include "machine/cy_lines.h"

/* A figure explains llvm-mca's answer if it is at least this share of it:
   llvm-mca prints two digits. */
#define NEARLY 0.97

/* No access needs nothing, also if the figure is not known. */
static double of_any(unsigned n, double any)
{
    return n > 0 ? n * any : 0;
}

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
        any += of_any(flow->n_loads, rates->any[o->load.class]) +
               of_any(flow->n_stores, rates->any[o->store.class]);
    }
    return isnan(loads + stores + any) ? NAN : fmax(any, fmax(loads, stores));
}

/* Does an instruction take one place with the jump after it? */
static bool fuses(const struct cy_step *step, const struct cy_step *next,
                  const struct cy_machine *machine)
{
    return cy_flow_is_conditional(&next->insn->flow) &&
           cy_machine_is_fused(machine, &step->operands.insn);
}

/* Places in the dispatch that fused pairs save. */
static unsigned n_fused(const struct cy_step *steps, uint32_t n,
                        const struct cy_machine *machine)
{
    unsigned fused = 0;

    for (uint32_t i = 0; i + 1 < n; i++)
        fused += fuses(&steps[i], &steps[i + 1], machine);
    return fused;
}

/* Cycles to fetch a round by the lines of its code. */
static double of_lines(const struct cy_dispatch *d, const struct cy_step *steps,
                       uint32_t n, const struct cy_machine *machine)
{
    struct cy_lines lines;

    cy_lines_begin(&lines, d);
    for (uint32_t i = 0; i < n; i++) {
        const struct cy_mca_insn *mca = steps[i].mca;
        unsigned uops = mca != NULL && mca->is_known ? mca->uops : 1;

        if (i > 0 && fuses(&steps[i - 1], &steps[i], machine))
            uops = 0;
        cy_lines_add(&lines, steps[i].insn->address, cy_lines_places(d, uops));
    }
    return fmax(1, cy_lines_end(&lines));
}

/* Cycles for a number of places in a loop's round. */
static double of_round(const struct cy_dispatch *d, const struct cy_step *steps,
                       uint32_t n, const struct cy_machine *machine,
                       double places)
{
    size_t whole = (size_t)ceil(fmax(places, 1) - 0.01);

    if (d->line_places > 0)
        return of_lines(d, steps, n, machine);
    return whole <= d->n_rounds ? d->rounds[whole - 1] : places / d->width;
}

/* Cycles that the dispatch needs: measured, or those of llvm-mca. */
static double of_dispatch(const struct cy_mca_region *region,
                          const struct cy_step *steps, uint32_t n,
                          const struct cy_machine *machine)
{
    const struct cy_dispatch *d = &cy_machine_facts(machine)->dispatch;
    double places =
        region->dispatch * region->width - n_fused(steps, n, machine);

    for (uint32_t i = 0; i < n; i++)
        if (steps[i].mca != NULL && steps[i].mca->is_left_out)
            places += steps[i].mca->is_known ? steps[i].mca->uops : 1;
    if (region->width <= 0)
        return region->dispatch;
    if (isnan(d->width))
        return places / region->width;
    return steps[n - 1].insn->flow.taken != CY_NOWHERE
               ? of_round(d, steps, n, machine, places)
               : places / d->width;
}

/* What llvm-mca's model and measured figures say. */
static double of_units(const struct cy_mca_region *region,
                       const struct cy_step *steps, uint32_t n,
                       const struct cy_machine *machine)
{
    double units = region->throughput, accesses, replaced = region->dispatch;

    assert(n > 0 && units >= 0 && replaced >= 0);
    if (machine == NULL)
        return units;
    accesses = of_accesses(steps, n, &cy_machine_facts(machine)->rates);
    if (!isnan(accesses))
        replaced = fmax(replaced, region->memory);
    else if (isnan(cy_machine_facts(machine)->dispatch.width))
        return units;
    else
        accesses = region->memory;
    if (replaced >= NEARLY * units)
        units = fmin(units, region->other);
    return fmax(units, fmax(of_dispatch(region, steps, n, machine), accesses));
}

double cy_throughput(const struct cy_mca_region *region,
                     const struct cy_step *steps, uint32_t n,
                     const struct cy_machine *machine)
{
    double units = of_units(region, steps, n, machine), begun;

    if (machine == NULL)
        return units;
    begun = cy_machine_facts(machine)->dispatch.instructions;
    return begun > 0 ? fmax(units, n / begun) : units;
}
