/*
 * cy_own_units: what a round needs of units that the machine file has figures
 * of.
 *
 * Where a measured throughput differs from llvm-mca's, the instruction works in
 * units of its own, of which there are as many as that takes, and llvm-mca is
 * asked about the others.  Which of them share units is what llvm-mca says of
 * each alone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Work of a round for the machine file's own units, by group, and by how many
   of it may do it. */
struct own_work {
    double of[2][CY_MOST_OWN_UNITS + 1];
};

static double cycles_of(const struct own_work *own)
{
    double cycles = 0;

    for (unsigned group = 0; group < 2; group++) {
        double work = 0;

        for (unsigned units = 1; units <= CY_MOST_OWN_UNITS; units++) {
            work += own->of[group][units];
            cycles = fmax(cycles, work / units);
        }
    }
    return cycles;
}

static bool has_throughput(const struct cy_step *step,
                           const struct cy_machine *machine)
{
    double cycles;

    return machine != NULL &&
           cy_machine_throughput(machine, &step->operands.insn, &cycles);
}

/* Finds the work of a loop for those units; llvm-mca is asked without it. */
static void take_work(struct cy_cost_of_loop *c,
                      const struct cy_machine *machine)
{
    struct own_work own = {0};
    struct cy_work work;

    for (uint32_t i = 0; i < c->n; i++) {
        if (!has_throughput(&c->steps[i], machine) ||
            !cy_step_work(&c->steps[i], &c->uses[i], machine, &work))
            continue;
        own.of[work.is_vector][work.units] += work.cycles;
        c->region.insns[i].is_left_out = true;
    }
    c->cycles.units = cycles_of(&own);
}

int cy_own_units_ask(struct cy_prediction *p, struct cy_mca *mca,
                     const struct cy_machine *machine, struct diag *d)
{
    struct cy_mca_insn *asked;
    struct cy_mca_uses *uses;
    size_t n = 0;
    int rc;

    for (size_t i = 0; i < p->n; i++)
        n += p->loops[i].n;
    asked = memory_new(n, sizeof *asked);
    uses = memory_new(n, sizeof *uses);
    n = 0;
    for (size_t i = 0; i < p->n; n += p->loops[i++].n)
        memcpy(asked + n, p->loops[i].region.insns,
               p->loops[i].n * sizeof *asked);
    rc = cy_mca_units(mca, asked, uses, n, d);
    n = 0;
    for (size_t i = 0; i < p->n && rc == 0; n += p->loops[i++].n) {
        memcpy(p->loops[i].uses, uses + n, p->loops[i].n * sizeof *uses);
        take_work(&p->loops[i], machine);
    }
    free(asked);
    free(uses);
    return rc;
}
