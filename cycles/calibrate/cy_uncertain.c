/*
 * cy_uncertain: which figures did not repeat, and whether the machine was too
 * busy to measure any.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "array.h"
#include "calibrate/internal.h"

/* A machine is too busy to measure if fewer samples than this share ran
   undisturbed, or if more than this share of the figures did not repeat. */
#define UNDISTURBED 0.4
#define MOST        0.05

static void add(struct cy_uncertain *u, const char *name)
{
    array_push(u->names, u->n, u->room, name);
}

static bool is_steady(const struct cy_results *r, size_t forward_case)
{
    bool is = true;

    for (enum cy_op op = 0; op < CY_N_OPS; op++)
        is &= cy_forward_cases[forward_case].loops[op] == NULL ||
              r->forwards[forward_case][op].steady;
    return is;
}

static bool can_run(const struct cy_cpu *cpu, const char *flag)
{
    return flag == NULL || cy_cpu_has(cpu, flag);
}

void cy_uncertain_find(struct cy_uncertain *u, const struct cy_results *r,
                       const struct cy_cpu *cpu, bool agree)
{
    *u = (struct cy_uncertain){0};
    for (size_t i = 0; i < r->n; i++) {
        if (!can_run(cpu, r->cases[i]->flag))
            continue;
        u->n_figures++;
        if (!r->insns[i].steady)
            add(u, r->cases[i]->name);
    }
    for (size_t i = 0; i < cy_n_forward_cases; i++) {
        if (!can_run(cpu, cy_forward_cases[i].flag))
            continue;
        u->n_figures++;
        if (!is_steady(r, i))
            add(u, cy_forward_cases[i].name);
    }
    if (!agree)
        add(u, "moving pointers");
    if (r->window.reorder_buffer == 0)
        add(u, "reorder_buffer");
    if (r->window.store_buffer == 0)
        add(u, "store_buffer");
}

void cy_uncertain_tell(FILE *out, const struct cy_uncertain *u)
{
    fprintf(out, "depbound: %zu figure%s did not repeat: ", u->n,
            u->n == 1 ? "" : "s");
    for (size_t i = 0; i < u->n; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", u->names[i]);
    fputc('\n', out);
}

void cy_uncertain_fini(struct cy_uncertain *u)
{
    free(u->names);
}

int cy_uncertain_refuse(const struct cy_uncertain *u,
                        const struct cy_results *r, struct diag *d)
{
    const char *advice = "stop what else runs on it, or on its host, and try "
                         "again; --force writes the file all the same";

    if (r->undisturbed < UNDISTURBED)
        return diag_set(d,
                        "the machine is too busy to measure: %.0f %% of the "
                        "samples were disturbed; %s",
                        100 * (1 - r->undisturbed), advice);
    if ((double)u->n > MOST * (double)u->n_figures)
        return diag_set(d,
                        "the machine is too busy to measure: %zu of %zu "
                        "figures did not repeat; %s",
                        u->n, u->n_figures, advice);
    return 0;
}
