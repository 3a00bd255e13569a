/*
 * cy_report_markdown: the report for a page of text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "report/internal.h"

static void write_name(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    if (c->name != NULL)
        fprintf(out, "`%s` ", c->name);
    else if (c->function != NULL)
        fprintf(out, "`%s` ", c->function);
    cy_report_place(out, r, c, 0);
}

static void write_forward(FILE *out, const struct cy_report *r,
                          const struct cy_cost_of_loop *c, uint32_t load,
                          enum cy_how how, const struct cy_forward *f,
                          double cycles)
{
    fputs("| ", out);
    write_name(out, r, c);
    fprintf(out, " | `%s` ", c->insns[f->store].text);
    cy_report_place(out, r, c, f->store);
    fprintf(out, " | `%s` ", c->insns[load].text);
    cy_report_place(out, r, c, load);
    fprintf(out, " | %u | %" PRIu64 " | %s | %s, %s | %.2f |\n", f->rounds,
            cy_report_distance(c, f, load), cy_how_name(how),
            cy_relation_name(f->relation),
            f->is_observed ? "observed" : "predicted", cycles);
}

/* What the chains of the loops wait for in memory, and each forward that fails.
 */
static void write_forwards(FILE *out, const struct cy_report *r)
{
    static const char heading[] = "\n| loop | store | load | rounds | distance "
                                  "| forward | bytes | cycles "
                                  "|\n|---|---|---|--:|--:|---|---|--:|\n";
    bool has_heading = false;

    for (size_t i = 0; i < cy_report_n(r); i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];
        const struct cy_chain *chain = cy_report_chain(c);

        for (size_t j = 0; j < chain->n; j++) {
            const struct cy_link *l = &chain->links[j];

            if (l->wait != CY_WAIT_MEMORY || l->how == CY_FAILED)
                continue;
            fputs(has_heading ? "" : heading, out);
            has_heading = true;
            write_forward(out, r, c, l->to, l->how, &l->forward, l->cycles);
        }
        for (unsigned j = 0; j < c->bound.n_failed; j++) {
            const struct cy_failed *f = &c->bound.failed[j];

            fputs(has_heading ? "" : heading, out);
            has_heading = true;
            write_forward(out, r, c, f->load, CY_FAILED, &f->forward,
                          f->cycles);
        }
    }
}

void cy_report_markdown(FILE *out, const struct cy_report *r)
{
    fputs("| loop | units | registers | memory | limited by | rounds | share "
          "|\n|---|--:|--:|--:|---|--:|--:|\n",
          out);
    for (size_t i = 0; i < cy_report_n(r); i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];

        fputs("| ", out);
        write_name(out, r, c);
        if (c->cycles.has_throughput)
            fprintf(out, " | %.2f", c->cycles.throughput);
        else
            fputs(" | -", out);
        fprintf(out, " | %.2f | %.2f | %s", c->bound.registers.cycles,
                c->bound.memory.cycles, cy_report_limit(c));
        if (r->data->has_executions)
            fprintf(out, " | %" PRIu64 " | %.1f %% |\n", c->loop->rounds,
                    cy_report_share(r, c));
        else
            fputs(" | - | - |\n", out);
    }
    if (r->data->has_executions) {
        fputs("\nShare: ", out);
        cy_report_share_of(out, r);
        fputs(".\n", out);
    }
    write_forwards(out, r);
}
