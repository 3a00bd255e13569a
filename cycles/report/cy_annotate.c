/*
 * cy_annotate: the code of a loop, with its source and its chain beside it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>

#include "report/internal.h"
#include "terminal.h"

#define LEAST_TEXT 16

/* What the chain does at an instruction. */
struct mark {
    bool is_on, stores, loads;
    double cycles;
};

static struct mark mark_of(const struct cy_chain *chain, uint32_t step)
{
    struct mark mark = {0};

    mark.is_on = cy_report_waits(chain, step, &mark.cycles);
    for (size_t i = 0; i < chain->n; i++) {
        const struct cy_link *l = &chain->links[i];

        if (l->wait == CY_WAIT_MEMORY) {
            mark.loads |= l->to == step;
            mark.stores |= l->forward.store == step;
        }
    }
    return mark;
}

/* The rest of a line, after `columns` columns, as far as the terminal has
   room. */
static void write_cut(FILE *out, const struct cy_report *r, const char *text,
                      unsigned columns)
{
    terminal_cut(out, text, terminal_room(r->width, columns, LEAST_TEXT));
    fputc('\n', out);
}

static void write_source(FILE *out, const struct cy_report *r,
                         const struct cy_cost_of_loop *c, uint32_t step,
                         char *last, size_t size)
{
    const char *text;
    char line[128];

    cy_code_line(r->code, c->loop->object, c->insns[step].address, line,
                 sizeof line);
    if (line[0] == '\0' || strcmp(line, last) == 0)
        return;
    snprintf(last, size, "%s", line);
    text = cy_code_source(r->code, c->loop->object, c->insns[step].address);
    fprintf(out, "  %-20s  ", line);
    write_cut(out, r, text != NULL ? text : "", 24);
}

void cy_annotate(FILE *out, const struct cy_report *r,
                 const struct cy_cost_of_loop *c)
{
    const struct cy_chain *chain = cy_report_chain(c);
    char last[128] = "";

    for (uint32_t i = 0; i < c->n; i++) {
        struct mark mark = mark_of(chain, i);

        write_source(out, r, c, i, last, sizeof last);
        if (mark.is_on)
            fprintf(out, "  %7.2f", mark.cycles);
        else
            fputs("         ", out);
        fprintf(out, " %c%c%8" PRIx64 "  ",
                mark.stores && mark.loads ? '*'
                : mark.stores             ? '<'
                : mark.loads              ? '>'
                                          : ' ',
                mark.is_on ? '|' : ' ', c->insns[i].address);
        write_cut(out, r, c->insns[i].shown, 22);
    }
}
