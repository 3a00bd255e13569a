/*
 * cy_report_markdown: the report for a page of text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "report/cy_report.h"

void cy_report_markdown(FILE *out, const struct cy_report *r)
{
    fputs("| loop | units | registers | memory | limited by | rounds | share "
          "|\n|---|--:|--:|--:|---|--:|--:|\n",
          out);
    for (size_t i = 0; i < cy_report_n(r); i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];

        fputs("| ", out);
        if (c->name != NULL)
            fprintf(out, "`%s` ", c->name);
        else if (c->function != NULL)
            fprintf(out, "`%s` ", c->function);
        cy_report_place(out, r, c, 0);
        if (c->has_throughput)
            fprintf(out, " | %.2f", c->throughput);
        else
            fputs(" | -", out);
        fprintf(out, " | %.2f | %.2f | %s | %" PRIu64 " | %.1f %% |\n",
                c->bound.registers.cycles, c->bound.memory.cycles,
                cy_report_limit(c), c->loop->rounds, c->share);
    }
}
