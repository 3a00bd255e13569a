/*
 * cc_html_functions: a bar for each function: what was found and what was
 * missed in it, at each of the bounds.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <stdlib.h>

#include "html/cc_html.h"
#include "html/cc_html_text.h"
#include "object/demangle.h"
#include "memory.h"

#define MOST 200 /* functions in the list */

struct item {
    const struct cc_group *group;
    uint64_t scored; /* occurrences */
};

static int item_order(const void *pa, const void *pb)
{
    const struct item *a = pa, *b = pb;

    if (a->scored != b->scored)
        return a->scored > b->scored ? -1 : 1;
    return (a->group > b->group) - (a->group < b->group);
}

/* What has anything to score at a bound, the most first; the caller frees. */
static struct item *rank(const struct cc_groups *functions, unsigned bound,
                         size_t *n)
{
    struct item *items = memory_new(functions->n, sizeof *items);

    *n = 0;
    for (size_t i = 0; i < functions->n; i++) {
        const struct cc_group *g = &functions->list[i];
        struct cc_ratio ratio = cc_cov_w(&g->score->tally[bound]);

        if (ratio.whole > 0)
            items[(*n)++] = (struct item){g, ratio.whole};
    }
    if (*n > 1)
        qsort(items, *n, sizeof *items, item_order);
    return items;
}

/* With a link to the first of its blocks that is shown, if one is. */
static void write_name(FILE *out, const struct cc_data *data,
                       const struct cc_arc_blocks *shown,
                       const struct cc_group *g)
{
    bool is_named = g->function != NULL;
    size_t number = 0;

    for (size_t i = 0; i < shown->n && number == 0; i++) {
        const struct cc_block *b = &data->blocks[shown->blocks[i].block];
        const char *name =
            b->function != CC_NONE ? data->functions[b->function].name : NULL;

        if (b->object == g->object && name == g->function)
            number = i + 1;
    }
    fputs("<td class=name title=\"", out);
    cc_html_text(out, data->objects[g->object].path);
    fputs("\">", out);
    if (number > 0)
        fprintf(out, "<a href=#block-%zu>", number);
    fputs(is_named ? "<code>" : "<i>", out);
    demangle_write(out, is_named ? g->function : "outside any function",
                   cc_html_text);
    fputs(is_named ? "</code>" : "</i>", out);
    fputs(number > 0 ? "</a></td>" : "</td>", out);
}

static void write_bar(FILE *out, const struct cc_tally *t, uint64_t most)
{
    struct cc_ratio ratio = cc_cov_w(t);
    double found = 100 * (double)ratio.part / (double)most;
    double missed = 100 * (double)(ratio.whole - ratio.part) / (double)most;

    assert(ratio.whole <= most);
    fprintf(out,
            "<td class=bar><span class=found style='width:%.3f%%'></span>"
            "<span class=missed style='width:%.3f%%'></span></td>",
            found, missed);
}

static void write_row(FILE *out, const struct cc_data *data,
                      const struct cc_arc_blocks *shown,
                      const struct cc_group *g, unsigned bound, uint64_t most)
{
    const struct cc_tally *t = &g->score->tally[bound];

    fputs("<tr>", out);
    write_name(out, data, shown, g);
    write_bar(out, t, most);
    cc_html_count_cell(out, t->found_occurrences);
    cc_html_count_cell(out, t->missed_occurrences);
    cc_html_ratio_cell(out, cc_cov_w(t));
    cc_html_count_cell(out, t->found);
    cc_html_count_cell(out, t->missed);
    cc_html_ratio_cell(out, cc_cov_u(t));
    cc_html_count_cell(out, t->spanning);
    fputs("</tr>\n", out);
}

static void write_body(FILE *out, const struct cc_data *data,
                       const struct cc_arc_blocks *shown,
                       const struct cc_groups *functions, unsigned bound)
{
    size_t n;
    struct item *items = rank(functions, bound, &n);

    fprintf(out, "<tbody data-bound=%u%s>\n", bound,
            bound > 0 ? " hidden" : "");
    for (size_t i = 0; i < n && i < MOST; i++)
        write_row(out, data, shown, items[i].group, bound, items[0].scored);
    if (n == 0)
        fputs("<tr class=note><td colspan=9>no data</td></tr>\n", out);
    if (n > MOST)
        fprintf(out, "<tr class=note><td colspan=9>and %zu more</td></tr>\n",
                n - MOST);
    fputs("</tbody>\n", out);
    free(items);
}

static void write_choice(FILE *out, const struct cc_bounds *bounds)
{
    fputs("<p><label>Lifetime bound: <select id=bound>", out);
    for (unsigned i = 0; i < bounds->n; i++) {
        fprintf(out, "<option value=%u>", i);
        cc_html_bound(out, bounds->bound[i]);
        fputs("</option>", out);
    }
    fputs("</select></label> <label id=search hidden>Search functions and"
          " blocks: <input type=search></label> <span class=legend><span "
          "class=key><span"
          " class=found></span></span> found <span class=key><span"
          " class=missed></span></span> missed occurrences</span></p>\n",
          out);
}

void cc_html_functions(FILE *out, const struct cc_report *report)
{
    static const char *const names[] = {
        "<function", "<occurrences", "found", "missed",   "cov_w",
        "found",     "missed",       "cov_u", "spanning", NULL};
    struct cc_groups functions = cc_groups_new(report->data, CC_BY_FUNCTION);
    struct cc_arc_blocks shown = cc_html_find_blocks(report->data);

    fputs("<section><h2>Functions</h2>\n", out);
    write_choice(out, &report->data->bounds);
    fputs("<div class='scroll tall'><table class=sortable id=functions>\n"
          "<thead><tr><td colspan=2></td><th colspan=3 scope=colgroup>"
          "occurrences</th><th colspan=4 scope=colgroup>dependencies</th></tr>"
          "\n<tr>",
          out);
    cc_html_headings(out, names);
    fputs("</tr></thead>\n", out);
    for (unsigned i = 0; i < report->data->bounds.n; i++)
        write_body(out, report->data, &shown, &functions, i);
    fputs("</table></div></section>\n", out);
    cc_groups_fini(&functions);
    cc_arcs_free(&shown);
}
