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
#include "html/cc_pack.h"
#include "object/demangle.h"
#include "array.h"

#define MOST  500 /* functions in the list, at each bound */
#define PLAIN 50  /* of the first; the others are packed */

struct item {
    const struct cc_group *group;
    uint64_t scored; /* occurrences */
};

static int item_order(const void *pa, const void *pb)
{
    const struct item *a = pa, *b = pb;

    return array_order(b->scored, a->scored) ?: array_order(a->group, b->group);
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
    array_sort(items, *n, item_order);
    return items;
}

/* What is shown further down. */
struct shown {
    const struct cc_data *data;
    struct cc_arc_blocks blocks, functions;
};

/* Is that the name of a group's function? */
static bool is_of(const struct cc_data *data, const struct cc_group *g,
                  uint32_t function, uint32_t object)
{
    const char *name =
        function != CC_NONE ? data->functions[function].name : NULL;

    return object == g->object && name == g->function;
}

/* How many of its blocks are kept; *first is the number of the hottest. */
static size_t count_blocks(const struct shown *shown, const struct cc_group *g,
                           size_t *first)
{
    size_t n = 0;

    for (size_t i = 0; i < shown->blocks.n; i++) {
        const struct cc_block *b =
            &shown->data->blocks[shown->blocks.blocks[i].block];

        if (is_of(shown->data, g, b->function, b->object) && n++ == 0)
            *first = i + 1;
    }
    return n;
}

/* The number of its view in the section of functions, or 0. */
static size_t find_view(const struct shown *shown, const struct cc_group *g)
{
    for (size_t i = 0; i < shown->functions.n; i++) {
        uint32_t function = shown->functions.blocks[i].function;

        if (is_of(shown->data, g, function,
                  shown->data->functions[function].object))
            return i + 1;
    }
    return 0;
}

/* Links to its hottest block, and to its view, if there are any. */
static void write_name(FILE *out, const struct shown *shown,
                       const struct cc_group *g)
{
    bool is_named = g->function != NULL;
    char *names = is_named ? demangle_names(g->function, g->other_names) : NULL;
    size_t first = 0, n = count_blocks(shown, g, &first);
    size_t view = find_view(shown, g);

    fputs("<td class=name title=\"", out);
    report_safe_html(out, shown->data->objects[g->object].path);
    fputs("\">", out);
    if (first > 0)
        fprintf(out, "<a href=#block-%zu>", first);
    fputs(is_named ? "<code>" : "<i>", out);
    report_safe_html(out, names != NULL ? names : "outside any function");
    free(names);
    fputs(is_named ? "</code>" : "</i>", out);
    fprintf(out, "%s</td><td class=n data-v=%zu>", first > 0 ? "</a>" : "", n);
    if (n > 0)
        fprintf(out, "<a class=all href=#blocks>%zu</a>", n);
    fputs("</td><td>", out);
    if (view > 0)
        fprintf(out, "<a href=#function-%zu>arcs</a>", view);
    fputs("</td>", out);
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

static void write_row(FILE *out, const struct shown *shown,
                      const struct cc_group *g, unsigned bound, uint64_t most)
{
    const struct cc_tally *t = &g->score->tally[bound];

    fputs("<tr>", out);
    write_name(out, shown, g);
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

/* Those from `from` on, and before `to`. */
static void write_rows(FILE *out, const struct shown *shown,
                       const struct cc_groups *functions, unsigned bound,
                       size_t from, size_t to)
{
    size_t n;
    struct item *items = rank(functions, bound, &n);

    for (size_t i = from; i < n && i < to; i++)
        write_row(out, shown, items[i].group, bound, items[0].scored);
    if (n == 0 && from == 0)
        fputs("<tr class=note><td colspan=11>no data</td></tr>\n", out);
    if (n > to && to == MOST)
        fprintf(out,
                "<tr class=note><td colspan=11>and %zu more; covcheck "
                "--by=function lists all</td></tr>\n",
                n - MOST);
    free(items);
}

/* The rows that the table does not have as they are. */
static void write_packed(FILE *out, const struct cc_report *report,
                         const struct shown *shown,
                         const struct cc_groups *functions)
{
    struct memory_stream pack;

    memory_stream_open(&pack);
    fputs("<table>", pack.out);
    for (unsigned i = 0; i < report->data->bounds.n; i++) {
        fprintf(pack.out, "<tbody data-bound=%u>\n", report->order[i]);
        write_rows(pack.out, shown, functions, report->order[i],
                   i == 0 ? PLAIN : 0, MOST);
        fputs("</tbody>\n", pack.out);
    }
    fputs("</table>", pack.out);
    cc_pack_close(&pack, out, "function-rows", "data-rows=functions");
}

static void write_choice(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;

    fputs("<p><label>Lifetime bound: <select id=bound>", out);
    for (unsigned i = 0; i < bounds->n; i++) {
        fprintf(out, "<option value=%u>", report->order[i]);
        cc_html_bound(out, bounds->bound[report->order[i]]);
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
        "<function", "blocks", "<between", "<occurrences", "found",    "missed",
        "cov_w",     "found",  "missed",   "cov_u",        "spanning", NULL};
    struct cc_groups functions = cc_groups_new(report->data, CC_BY_FUNCTION);
    struct shown shown = {.data = report->data,
                          .blocks = cc_arcs_find(report->data)};

    if (report->data->scope > CC_SCOPE_BLOCK)
        shown.functions = cc_arcs_find_between(report->data);
    fputs("<section><h2>Functions</h2>\n", out);
    write_choice(out, report);
    fputs("<div class='scroll tall'><table class=sortable id=functions>\n"
          "<thead><tr class=extra><td colspan=4></td><th colspan=3 "
          "scope=colgroup>"
          "occurrences</th><th colspan=4 scope=colgroup>dependencies</th></tr>"
          "\n<tr>",
          out);
    cc_html_headings(out, names);
    fputs("</tr></thead>\n", out);
    for (unsigned i = 0; i < report->data->bounds.n; i++) {
        fprintf(out, "<tbody data-bound=%u%s>\n", report->order[i],
                i == 0 ? "" : " hidden");
        if (i == 0)
            write_rows(out, &shown, &functions, report->order[0], 0, PLAIN);
        fputs("</tbody>\n", out);
    }
    fputs("</table></div>\n", out);
    write_packed(out, report, &shown, &functions);
    fputs("</section>\n", out);
    cc_groups_fini(&functions);
    cc_arcs_free(&shown.functions);
    cc_arcs_free(&shown.blocks);
}
