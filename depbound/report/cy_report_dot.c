/*
 * cy_report_dot: the graphs of loops, for Graphviz.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "output.h"
#include "report/internal.h"

static void write_text(FILE *out, const char *text)
{
    text_marked(out, text, "\"\\", '\\');
}

ARRAY_ORDER(link_order, struct cy_link,
            array_order(a->from, b->from)
                ?: array_order(a->to, b->to)
                ?: array_order(a->wait, b->wait)
                ?: array_order(a->rounds, b->rounds)
                ?: array_order(b->cycles, a->cycles))

static bool is_same(const struct cy_link *a, const struct cy_link *b)
{
    return a->from == b->from && a->to == b->to && a->wait == b->wait &&
           a->rounds == b->rounds;
}

static bool is_on(const struct cy_chain *chain, const struct cy_link *l)
{
    for (size_t i = 0; i < chain->n; i++)
        if (is_same(&chain->links[i], l))
            return true;
    return false;
}

static void write_link(FILE *out, size_t loop, const struct cy_cost_of_loop *c,
                       const struct cy_link *l, bool is_critical)
{
    assert(l->from < c->n && l->to < c->n);
    fprintf(out, "  n%zu_%u -> n%zu_%u [label=\"%s %.2f", loop, l->from, loop,
            l->to, cy_wait_name(l->wait), l->cycles);
    if (l->wait == CY_WAIT_MEMORY)
        fprintf(out, "\\n%s", cy_how_name(l->how));
    if (l->rounds > 0) {
        fputs("\\n", out);
        cy_report_later(out, l->rounds);
    }
    if (cy_report_is_forward(l))
        fprintf(out, "\\ndistance %" PRIu64,
                cy_report_distance(c, &l->forward, l->to));
    fputc('"', out);
    if (l->rounds > 0)
        fputs(", constraint=false", out);
    if (l->wait == CY_WAIT_MEMORY)
        fputs(", style=dashed", out);
    if (is_critical)
        fputs(", color=red, penwidth=2", out);
    fputs("];\n", out);
}

static size_t add(struct cy_link *all, size_t n, const struct cy_link *links,
                  size_t n_links)
{
    for (size_t i = 0; i < n_links; i++)
        all[n + i] = links[i];
    return n + n_links;
}

/* Writes the waits of a loop, but only the longest one between two
   instructions. */
static void write_links(FILE *out, size_t loop, const struct cy_cost_of_loop *c)
{
    const struct cy_bound *b = &c->bound;
    const struct cy_chain *chain = cy_report_chain(c);
    size_t n = b->waits.n + b->n_passages + chain->n;
    struct cy_link *all = memory_new(n, sizeof *all);

    n = add(all, 0, b->waits.links, b->waits.n);
    n = add(all, n, b->passages, b->n_passages);
    n = add(all, n, chain->links, chain->n);
    assert(n == b->waits.n + b->n_passages + chain->n);
    array_sort(all, n, link_order);
    for (size_t i = 0; i < n; i++)
        /* Leave out the wait of a result for the load of its own
           instruction. */
        if ((all[i].from != all[i].to || all[i].rounds > 0) &&
            (i == 0 || !is_same(&all[i - 1], &all[i])))
            write_link(out, loop, c, &all[i], is_on(chain, &all[i]));
    free(all);
}

static void write_loop(FILE *out, const struct cy_report *r, size_t loop)
{
    const struct cy_cost_of_loop *c = &r->prediction->loops[loop];
    char *round = cy_report_round_text(r, c);

    fprintf(out, "  subgraph cluster_%zu {\n    label=\"", loop);
    if (c->name != NULL || c->function != NULL)
        write_text(out, c->name != NULL ? c->name : c->function);
    else
        fprintf(out, "%#" PRIx64, c->address);
    fprintf(out, ": %s", round);
    free(round);
    if (r->data->has_executions)
        fprintf(out, ", %.1f %% of the %s", cy_report_share(r, c),
                r->program != NULL ? "cycles" : "instructions");
    fputs("\";\n", out);
    for (uint32_t i = 0; i < c->n; i++) {
        struct cy_line line =
            cy_code_line(r->code, c->loop->object, c->insns[i].address);

        fprintf(out, "    n%zu_%u [label=\"%" PRIx64 "  ", loop, i,
                c->insns[i].address);
        write_text(out, c->insns[i].shown);
        fputs(line.text[0] != '\0' ? "\\n" : "", out);
        write_text(out, line.text);
        fputs("\"];\n", out);
    }
    fputs("  }\n", out);
    write_links(out, loop, c);
}

void cy_report_dot(FILE *out, const struct cy_report *r)
{
    fputs("digraph depbound {\n  node [shape=box, fontname=monospace];\n", out);
    for (size_t i = 0; i < cy_report_n(r); i++)
        write_loop(out, r, i);
    fputs("}\n", out);
}
