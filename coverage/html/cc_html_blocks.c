/*
 * cc_html_blocks: a bar for each function: what was found and what was missed
 * in it, at each of the bounds; the kept blocks; and the functions with pairs
 * between their blocks.
 *
 * The first blocks are in the page as they are.  The others are packed: an
 * index of them, which page.js unpacks when the page is opened, and parts with
 * several blocks each, which it unpacks when one of their blocks is opened.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_html.h"

#include "demangle.h"

#define OPEN        12     /* blocks that are open at first */
#define PLAIN_BYTES 70000  /* approximate bytes that are not packed */
#define PART_BYTES  100000 /* approximate bytes of a part, unpacked */
#define MOST        3000   /* most blocks in the index */

#define MOST_ROWS  500 /* most functions in the list, at each bound */
#define PLAIN_ROWS 50  /* rows of the list that are not packed */

/* --- Functions --- */

struct item {
    const struct cc_group *group;
    uint64_t scored; /* scored occurrences */
};

ARRAY_ORDER(item_order, struct item,
            array_order(b->scored, a->scored)
                ?: array_order(a->group, b->group))

/* The functions that have something to score at a bound, the most first.  The
   caller frees the list. */
static struct item *rank(const struct cc_groups *functions, unsigned bound,
                         size_t *n)
{
    struct item *items = memory_new(functions->n, sizeof *items);

    *n = 0;
    for (size_t i = 0; i < functions->n; i++) {
        const struct cc_group *g = &functions->list[i];
        struct cc_ratio ratio = cc_cov_w(&g->score->tally[bound]);

        assert(ratio.part <= ratio.whole);
        if (ratio.whole > 0)
            items[(*n)++] = (struct item){g, ratio.whole};
    }
    array_sort(items, *n, item_order);
    return items;
}

/* The blocks and functions that are shown further down on the page. */
struct shown {
    const struct cc_data *data;
    struct cc_arc_blocks blocks, functions;
};

/* Is this function the one that a group stands for? */
static bool is_of(const struct cc_data *data, const struct cc_group *g,
                  uint32_t function, uint32_t object)
{
    const char *name =
        function != CC_NONE ? data->functions[function].name : NULL;

    return object == g->object && name == g->function;
}

/* The number of a group's kept blocks; *first is the rank of the hottest
   one. */
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

/* The number of a group's view in the section of functions, or 0. */
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

/* Writes links to a group's hottest block and to its view, if there are any. */
static void write_name(FILE *out, const struct shown *shown,
                       const struct cc_group *g)
{
    bool is_named = g->function != NULL;
    AUTO_FREE char *names =
        is_named ? demangle_names(g->function, g->other_names) : NULL;
    size_t first = 0, n = count_blocks(shown, g, &first);
    size_t view = find_view(shown, g);

    report_html_text(out, "<td class=name title=\"",
                     shown->data->objects[g->object].path, "\">");
    if (first > 0)
        fprintf(out, "<a href=#block-%zu>", first);
    fputs(is_named ? "<code>" : "<i>", out);
    report_safe_html(out, names != NULL ? names : "outside any function");
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

/* Writes the functions from rank `from` up to, but not including, `to`. */
static void write_rows(FILE *out, const struct shown *shown,
                       const struct cc_groups *functions, unsigned bound,
                       size_t from, size_t to)
{
    size_t n;
    AUTO_FREE struct item *items = rank(functions, bound, &n);

    for (size_t i = from; i < n && i < to; i++)
        write_row(out, shown, items[i].group, bound, items[0].scored);
    if (n == 0 && from == 0)
        fputs("<tr class=note><td colspan=11>no data</td></tr>\n", out);
    if (n > to && to == MOST_ROWS)
        fprintf(out,
                "<tr class=note><td colspan=11>and %zu more; covcheck "
                "--by=function lists all</td></tr>\n",
                n - MOST_ROWS);
}

/* Writes the rows that are not in the table itself, packed. */
static void write_packed(FILE *out, const struct cc_report *report,
                         const struct shown *shown,
                         const struct cc_groups *functions)
{
    struct memory_stream pack = memory_stream_open(&pack);

    fputs("<table>", pack.out);
    for (unsigned i = 0; i < report->data->bounds.n; i++) {
        fprintf(pack.out, "<tbody data-bound=%u>\n", report->order[i]);
        write_rows(pack.out, shown, functions, report->order[i],
                   i == 0 ? PLAIN_ROWS : 0, MOST_ROWS);
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
        fprintf(out, "<option value=%u>%s</option>", report->order[i],
                bound_text(bounds->bound[report->order[i]]).text);
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
    AUTO_FINI(cc_groups_fini)
    struct cc_groups functions = cc_groups_new(report->data, CC_BY_FUNCTION);
    struct shown shown = {.data = report->data,
                          .blocks = cc_arcs_find(report->data, false)};

    if (report->data->scope > CC_SCOPE_BLOCK)
        shown.functions = cc_arcs_find(report->data, true);
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
            write_rows(out, &shown, &functions, report->order[0], 0,
                       PLAIN_ROWS);
        fputs("</tbody>\n", out);
    }
    fputs("</table></div>\n", out);
    write_packed(out, report, &shown, &functions);
    fputs("</section>\n", out);
    cc_arcs_free(&shown.functions);
    cc_arcs_free(&shown.blocks);
}

/* --- Blocks, and what is between them --- */

/* A section with blocks or functions. */
struct section {
    FILE *page;
    const struct cc_report *report;
    const char *kind; /* "block" or "function" */
    size_t most;      /* largest size of its parts in bytes, about */
    struct memory_stream index, part;
    size_t n_parts, n_in_part; /* number of parts; blocks in the open part */
    size_t n_plain, n_packed;  /* bytes */
    size_t n_without;          /* blocks for which there was no room */
};

/* A block without dependencies has little to show when it is open. */
static bool is_open(const struct cc_arc_block *b, size_t number)
{
    return number <= OPEN && b->n > 0;
}

static void begin_details(FILE *out, const struct section *s,
                          const struct cc_arc_block *b, size_t number)
{
    fprintf(out, "<details class=block id=%s-%zu%s", s->kind, number,
            is_open(b, number) ? " open" : "");
}

static void close_part(struct section *s)
{
    char id[64];

    if (s->n_in_part == 0)
        return;
    snprintf(id, sizeof id, "%s-part-%zu", s->kind, s->n_parts++);
    s->n_packed += cc_pack_close(&s->part, s->page, id, "");
    s->n_in_part = 0;
}

/* Packs a block: the heading into the index, the rest into a part. */
static void pack(struct section *s, const struct cc_arc_block *b, size_t number)
{
    FILE *index = s->index.out;

    begin_details(index, s, b, number);
    if (s->n_packed < s->most) {
        fprintf(index, " data-part=%s-part-%zu data-at=%zu>", s->kind,
                s->n_parts, s->n_in_part);
        cc_html_block_heading(index, s->report, b);
        if (s->n_in_part++ == 0)
            s->part = memory_stream_open(&s->part);
        fputs("<div>", s->part.out);
        cc_html_block_body(s->part.out, s->report, b);
        fputs("</div>", s->part.out);
        if (memory_stream_size(&s->part) > PART_BYTES)
            close_part(s);
    } else {
        fputc('>', index);
        cc_html_block_heading(index, s->report, b);
        fputs("<p class=note>There was no room for it in this page.</p>",
              index);
        s->n_without++;
    }
    fputs("</details>\n", index);
}

static void write_plain(struct section *s, const struct cc_arc_block *b,
                        size_t number)
{
    struct memory_stream plain = memory_stream_open(&plain);

    begin_details(plain.out, s, b, number);
    fputc('>', plain.out);
    cc_html_block_heading(plain.out, s->report, b);
    cc_html_block_body(plain.out, s->report, b);
    fputs("</details>\n", plain.out);
    AUTO_FREE char *text = memory_stream_close(&plain);
    fwrite(text, 1, plain.size, s->page);
    s->n_plain += plain.size;
}

static void write_legend(FILE *out)
{
    static const char *const texts[CC_ARC_KINDS] = {
        [CC_ARC_FOUND] = "found: predicted, and it occurred",
        [CC_ARC_MISSED] = "missed: it occurred, and was not predicted",
        [CC_ARC_FALSE] = "false: predicted, and it did not occur",
    };

    fputs("<p class=legend>", out);
    for (int kind = 0; kind < CC_ARC_KINDS; kind++) {
        fputs("<span>", out);
        cc_html_arc_key(out, (enum cc_arc_kind)kind);
        fprintf(out, " %s</span> ", texts[kind]);
    }
    fputs("</p>\n", out);
}

/* Writes all blocks or functions, the first ones as they are. */
static void write_all(struct section *s, const struct cc_arc_blocks *found)
{
    size_t n = found->n < MOST ? found->n : MOST;
    char id[64];

    write_legend(s->page);
    s->index = memory_stream_open(&s->index);
    for (size_t i = 0; i < n; i++)
        if (is_open(&found->blocks[i], i + 1) && s->n_plain < PLAIN_BYTES)
            write_plain(s, &found->blocks[i], i + 1);
        else
            pack(s, &found->blocks[i], i + 1);
    close_part(s);
    assert(s->n_in_part == 0 && s->n_without <= n);
    snprintf(id, sizeof id, "%s-index", s->kind);
    cc_pack_close(&s->index, s->page, id, "data-unpack");
    if (n < found->n || s->n_without > 0)
        fprintf(s->page,
                "<p class=note id=more-%ss>Of %zu this page has the heading"
                " alone, and %zu not at all.  A larger --min-share keeps"
                " fewer.</p>\n",
                s->kind, s->n_without, found->n - n);
}

size_t cc_html_blocks(FILE *out, const struct cc_report *report,
                      bool is_between, size_t room)
{
    struct cc_arc_blocks found = cc_arcs_find(report->data, is_between);
    struct section s = {.page = out,
                        .report = report,
                        .kind = is_between ? "function" : "block",
                        .most = room};

    fprintf(out, "<section id=%s</h2>\n",
            is_between ? "between><h2>Between blocks, by function"
                       : "blocks><h2>The hottest blocks");
    if (found.n > 0)
        write_all(&s, &found);
    else
        fprintf(out, "<p class=note>No %s.</p>\n",
                is_between ? "dependency leads from one kept block to another"
                           : "block was kept");
    fputs("</section>\n", out);
    cc_arcs_free(&found);
    return s.n_packed;
}
