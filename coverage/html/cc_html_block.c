/*
 * cc_html_block: a block, or the blocks of a function: instructions and source
 * lines, an arc for each dependency, from the row of the store to that of the
 * load, and a list of the dependencies.
 *
 * The rows have a fixed height, which page.css repeats, so that the arcs meet
 * them without a script.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_html.h"

#include "demangle.h"

/* --- The rows of a listing --- */

/* A row of a listing, of one block or of several.  Limits: a long block shows
   only the ends of its dependencies, with two instructions before and after
   each; of a huge one, 20000 instructions are read.  Without the object's file
   only the ends of the dependencies are known. */
struct row {
    uint32_t object;
    uint64_t address;
    size_t n_omitted;              /* instructions left out; 0: a row of one */
    const struct cc_block *begins; /* the block that this row names; or NULL */
    struct disasm_insn insn;
    struct source_frame frame; /* the innermost source line */
    struct source_frame
        outer; /* the function's own line; no file if it is the same */
};

struct listing {
    struct row *rows;
    size_t n, room;
};

#define NO_ROW SIZE_MAX
#define WHOLE  60    /* instructions: a block with no more is shown whole */
#define FEW    8     /* instructions: likewise, for a block among others */
#define MOST   20000 /* instructions that are read */
#define AROUND 2     /* rows that are shown before and after an end */

/* The row of the instruction at an end of an arc; NO_ROW if no instruction
   starts there.  Rows of several blocks are not sorted. */
static size_t find_row(const struct listing *listing, uint64_t address)
{
    for (size_t i = 0; i < listing->n; i++)
        if (listing->rows[i].address == address &&
            listing->rows[i].begins == NULL)
            return i;
    return NO_ROW;
}

static void add_row(struct listing *l, struct row row)
{
    array_push(l->rows, l->n, l->room, row);
}

static struct row look_at(struct cc_symbolizer *symbolizer, uint32_t object,
                          uint64_t address)
{
    struct row row = {.object = object, .address = address};
    struct cc_location at;

    cc_symbolize(symbolizer, object, address, &at);
    row.insn = at.insn;
    row.frame = at.frames[0];
    if (at.n_frames > 1)
        row.outer = at.frames[at.n_frames - 1];
    return row;
}

/* Adds a row for each instruction of a block that can be read. */
static void disassemble(struct listing *l, const struct cc_block *block,
                        struct cc_symbolizer *symbolizer)
{
    uint64_t address = block->start;

    while (address < block->end && l->n < MOST) {
        struct row row = look_at(symbolizer, block->object, address);

        if (row.insn.length == 0 || row.insn.length > block->end - address)
            return;
        add_row(l, row);
        address += row.insn.length;
    }
}

ARRAY_ORDER(row_order, struct row, array_order(a->address, b->address))

/* Adds the ends of dependencies for which no instruction was read. */
static void add_ends(struct listing *l, const struct cc_arc *arcs,
                     size_t n_arcs)
{
    size_t n_read = l->n, n = 0;

    for (size_t i = 0; i < n_arcs; i++) {
        const uint64_t ends[] = {arcs[i].src, arcs[i].dst};

        for (int end = 0; end < 2; end++) {
            struct row row = {.address = ends[end]};

            if (array_find(&row, l->rows, n_read, row_order) == NULL)
                add_row(l, row);
        }
    }
    array_sort(l->rows, l->n, row_order);
    for (size_t i = 0; i < l->n; i++)
        if (n == 0 || l->rows[n - 1].address != l->rows[i].address)
            l->rows[n++] = l->rows[i];
    l->n = n;
}

static void mark_around(bool *shown, size_t n, size_t row)
{
    size_t first = row > AROUND ? row - AROUND : 0;

    assert(row < n);
    for (size_t i = first; i < n && i <= row + AROUND; i++)
        shown[i] = true;
}

static void omit(struct listing *l, const struct cc_arc *arcs, size_t n_arcs)
{
    AUTO_FREE bool *shown = memory_new(l->n, sizeof *shown);
    size_t n = 0;

    for (size_t i = 0; i < n_arcs; i++) {
        mark_around(shown, l->n, find_row(l, arcs[i].src));
        mark_around(shown, l->n, find_row(l, arcs[i].dst));
    }
    for (size_t i = 0; i < l->n; i++) {
        bool goes_on = n > 0 && l->rows[n - 1].n_omitted > 0;

        if (shown[i])
            l->rows[n++] = l->rows[i];
        else if (goes_on)
            l->rows[n - 1].n_omitted++;
        else {
            l->rows[n] = l->rows[i];
            l->rows[n++].n_omitted = 1;
        }
    }
    l->n = n;
}

/* Lists the rows of a block with n arcs, all of them if it has no more than
   `whole` instructions.  The caller frees the rows. */
static void fill(struct listing *listing, const struct cc_block *block,
                 struct cc_symbolizer *symbolizer, const struct cc_arc *arcs,
                 size_t n, size_t whole)
{
    *listing = (struct listing){0};
    disassemble(listing, block, symbolizer);
    add_ends(listing, arcs, n);
    for (size_t i = 1; i < listing->n; i++)
        assert(row_order(&listing->rows[i - 1], &listing->rows[i]) < 0);
    if (listing->n > whole)
        omit(listing, arcs, n);
    for (size_t i = 0; i < n; i++)
        assert(find_row(listing, arcs[i].src) != NO_ROW &&
               find_row(listing, arcs[i].dst) != NO_ROW);
}

ARRAY_ORDER(number_order, uint32_t, array_order(*a, *b))

/* Appends the rows of a block; each end of an arc is treated as an arc within
   the block. */
static void append(struct listing *l, const struct cc_data *data,
                   uint32_t block, struct cc_symbolizer *symbolizer,
                   const struct cc_arc *arcs, size_t n)
{
    AUTO_FREE struct cc_arc *ends = memory_new(2 * n, sizeof *ends);
    const struct cc_block *b = &data->blocks[block];
    struct listing part;
    size_t n_ends = 0;

    for (size_t i = 0; i < n; i++) {
        if (arcs[i].src_block == block)
            ends[n_ends++] =
                (struct cc_arc){.src = arcs[i].src, .dst = arcs[i].src};
        if (arcs[i].dst_block == block)
            ends[n_ends++] =
                (struct cc_arc){.src = arcs[i].dst, .dst = arcs[i].dst};
    }
    assert(n_ends > 0 && n_ends <= 2 * n);
    fill(&part, b, symbolizer, ends, n_ends, FEW);
    add_row(l, (struct row){.address = b->start, .begins = b});
    for (size_t i = 0; i < part.n; i++)
        add_row(l, part.rows[i]);
    free(part.rows);
}

/* Lists all blocks with an end of one of n arcs: for each block a row with its
   name, then its instructions; of a long block only those around the ends.  The
   caller frees the rows. */
static void fill_all(struct listing *listing, const struct cc_data *data,
                     struct cc_symbolizer *symbolizer,
                     const struct cc_arc *arcs, size_t n)
{
    AUTO_FREE uint32_t *blocks = memory_new(2 * n, sizeof *blocks);

    *listing = (struct listing){0};
    for (size_t i = 0; i < n; i++) {
        blocks[2 * i] = arcs[i].src_block;
        blocks[2 * i + 1] = arcs[i].dst_block;
    }
    array_sort(blocks, 2 * n, number_order);
    for (size_t i = 0; i < 2 * n; i++)
        if (i == 0 || blocks[i] != blocks[i - 1])
            append(listing, data, blocks[i], symbolizer, arcs, n);
}

/* --- Sizes --- */

#define ROW    20 /* pixels: the height of a row, as page.css has it */
#define LANE   9  /* pixels from one lane to the next */
#define MARGIN 20 /* pixels from the innermost lane to the listing */
#define ARCS   25 /* most arcs of each kind in a block */
#define APART  4  /* pixels; arcs leave a row below its middle, end above it */

/* --- Arcs --- */

static const char *const classes[CC_ARC_KINDS] = {
    [CC_ARC_FOUND] = "found",
    [CC_ARC_MISSED] = "missed",
    [CC_ARC_FALSE] = "false",
};

/* Kinds of arcs differ by dashes, by the arrow head and by the mark at the
   start, and not by colour alone. */
static void write_arc_head(FILE *out, enum cc_arc_kind kind, int x, int y)
{
    if (kind == CC_ARC_FALSE)
        fprintf(out, "<path class=open d='M%d %dL%d %dL%d %d'/>", x - 7, y - 4,
                x, y, x - 7, y + 4);
    else
        fprintf(out, "<path class=%s d='M%d %dL%d %dL%d %dZ'/>",
                kind == CC_ARC_FOUND ? "full" : "hollow", x - 8, y - 4, x, y,
                x - 8, y + 4);
}

static void write_arc_tail(FILE *out, enum cc_arc_kind kind, int x, int y)
{
    if (kind == CC_ARC_FALSE)
        fprintf(out, "<path class=open d='M%d %dl5 5m0 -5l-5 5'/>", x - 5,
                y - 2);
    else
        fprintf(out, "<circle class=%s cx=%d cy=%d r=2.5 />",
                kind == CC_ARC_FOUND ? "full" : "hollow", x - 3, y);
}

static void write_arc(FILE *out, const struct cc_arc *arc,
                      const struct cc_arc_span *span, int width, size_t number)
{
    int from = (int)span->src_row * ROW + ROW / 2 + APART;
    int to = (int)span->dst_row * ROW + ROW / 2 - APART;
    int lane = width - MARGIN - LANE * (int)arc->lane;
    int bend = from < to ? 4 : -4;

    fprintf(out, "<g class='arc %s' data-arc=%zu>", classes[arc->kind], number);
    fprintf(out, "<title>%s: %" PRIx64 " to %" PRIx64 "</title>",
            classes[arc->kind], arc->src, arc->dst);
    fprintf(out,
            "<path class=line data-from=%zu data-to=%zu d='M%d %dH%dQ%d %d %d "
            "%dV%dQ%d %d %d %dH%d'/>",
            span->src_row, span->dst_row, width, from, lane + 4, lane, from,
            lane, from + bend, to - bend, lane, to, lane + 4, to, width);
    write_arc_head(out, arc->kind, width, to);
    write_arc_tail(out, arc->kind, width, from);
    fputs("</g>\n", out);
}

static void write_arcs(FILE *out, struct cc_arc *arcs,
                       const struct cc_arc_span *spans, size_t n, size_t n_rows)
{
    int width = MARGIN + LANE * (int)cc_arcs_place(arcs, spans, n) + 2;

    fprintf(out, "<svg class=arcs width=%d height=%zu aria-hidden=true>\n",
            width, n_rows * ROW);
    for (size_t i = 0; i < n; i++) {
        assert(spans[i].src_row < n_rows && spans[i].dst_row < n_rows);
        write_arc(out, &arcs[i], &spans[i], width, i);
    }
    fputs("</svg>", out);
}

void cc_html_arc_key(FILE *out, enum cc_arc_kind kind)
{
    fprintf(out,
            "<svg class='arc key %s' width=34 height=12 aria-hidden=true>"
            "<path class=line d='M2 6H34'/>",
            classes[kind]);
    write_arc_head(out, kind, 34, 6);
    write_arc_tail(out, kind, 7, 6);
    fputs("</svg>", out);
}

/* --- Listings --- */

/* The arcs to draw: the heaviest of each kind.  The caller frees. */
static struct cc_arc *choose(const struct cc_arc_block *b, size_t *n)
{
    struct cc_arc *chosen = memory_new(b->n, sizeof *chosen);
    size_t n_kind[CC_ARC_KINDS] = {0};

    *n = 0;
    for (size_t i = 0; i < b->n; i++)
        if (n_kind[b->arcs[i].kind]++ < ARCS)
            chosen[(*n)++] = b->arcs[i];
    assert(*n <= b->n && *n <= CC_ARC_KINDS * ARCS);
    return chosen;
}

/* Writes rows; blocks of other functions than `function` get its name. */
static void write_rows(FILE *out, const struct cc_report *r,
                       const struct listing *listing, uint32_t function)
{
    fputs("<table class=listing><tbody>\n", out);
    for (size_t i = 0; i < listing->n; i++) {
        const struct row *row = &listing->rows[i];

        if (row->begins != NULL) {
            fprintf(out,
                    "<tr data-row=%zu class=begins><td></td><td class=note>"
                    "block %" PRIx64,
                    i, row->begins->start);
            if (row->begins->function != function) {
                fputs(" of <code>", out);
                demangle_write(
                    out,
                    row->begins->function != CC_NONE
                        ? r->data->functions[row->begins->function].name
                        : "?",
                    report_safe_html);
                fputs("</code>", out);
            }
            fputs(", ran ", out);
            report_html_count(out, row->begins->weight);
            fputs(" times</td><td></td><td></td></tr>\n", out);
            continue;
        }
        if (row->n_omitted > 0) {
            fprintf(out,
                    "<tr data-row=%zu><td></td><td class=note>%zu instructions"
                    "</td><td></td><td></td></tr>\n",
                    i, row->n_omitted);
            continue;
        }
        fprintf(out,
                "<tr data-row=%zu><td class=address>%" PRIx64 "</td><td "
                "class=insn>",
                i, row->address);
        report_html_text(out, "", row->insn.length > 0 ? row->insn.text : "?",
                         "</td>");
        if (row->frame.file == NULL || row->frame.line == 0)
            fputs("<td></td><td></td>", out);
        else if (i > 0 && row->frame.file == row[-1].frame.file &&
                 row->frame.line == row[-1].frame.line)
            fputs("<td class=where>\xe2\x80\xb3</td><td></td>", out);
        else {
            report_html_text(out, "<td class=where title=\"", row->frame.file,
                             "\">");
            report_safe_html(out, text_base_name(row->frame.file));
            fprintf(out, ":%d", row->frame.line);
            if (row->outer.file != NULL)
                fprintf(out, " <i>inlined at %d</i>", row->outer.line);
            report_html_text(
                out, "</td><td class=source>",
                cc_symbolize_source(r->symbolizer, row->object, &row->frame),
                "</td>");
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table>", out);
}

static void write_listing(FILE *out, const struct cc_report *r,
                          const struct cc_arc_block *b, struct cc_arc *arcs,
                          size_t n)
{
    AUTO_FREE struct cc_arc_span *spans = memory_new(n, sizeof *spans);
    struct listing listing;

    if (b->block != CC_NONE)
        fill(&listing, &r->data->blocks[b->block], r->symbolizer, arcs, n,
             WHOLE);
    else
        fill_all(&listing, r->data, r->symbolizer, arcs, n);
    for (size_t i = 0; i < n; i++)
        spans[i] = (struct cc_arc_span){find_row(&listing, arcs[i].src),
                                        find_row(&listing, arcs[i].dst)};
    fputs("<div class=scroll><div class=code>", out);
    write_arcs(out, arcs, spans, n, listing.n);
    write_rows(out, r, &listing, b->function);
    fputs("</div></div>\n", out);
    free(listing.rows);
}

static void write_address_cell(FILE *out, uint64_t address)
{
    fprintf(out, "<td class=address data-v=%" PRIu64 ">%" PRIx64 "</td>",
            address, address);
}

/* Writes the distances of a dependency; NULL: the dependency did not occur. */
static void write_distance_cell(FILE *out, const struct cc_observed *d)
{
    if (d == NULL) {
        fputs("<td data-v=-1></td>", out);
        return;
    }
    fprintf(out, "<td class=n data-v=%" PRIu64 ">", d->min_distance);
    report_html_count(out, d->min_distance);
    if (d->max_distance > d->min_distance) {
        fputs("\xe2\x80\x93", out);
        report_html_count(out, d->max_distance);
    }
    fputs("</td>", out);
}

static void write_delta_k_cell(FILE *out, const struct cc_arc *arc)
{
    const struct cc_prediction *p = arc->prediction;
    bool is_first = true;

    fprintf(out, "<td class=n data-v=%" PRId64 ">",
            p != NULL && p->delta_k != CC_ANY_DELTA ? (int64_t)p->delta_k : -1);
    /* Predictions that were judged wrong come first. */
    for (size_t i = 0; i < arc->n_predictions; i++) {
        if (p[i].delta_k == CC_ANY_DELTA)
            continue;
        fprintf(out, "%s%" PRIu64, is_first ? "" : ", ", p[i].delta_k);
        is_first = false;
    }
    fputs("</td>", out);
}

static const char *explain(const struct cc_data *data, const struct cc_arc *arc)
{
    assert((arc->kind == CC_ARC_MISSED) == (arc->prediction == NULL));
    switch (arc->kind) {
    case CC_ARC_FOUND:
        if (arc->prediction->evidence == CC_EVIDENCE_FLOW)
            return "predicted by flow";
        if (arc->src_block != arc->dst_block)
            return "predicted by walks";
        if (!arc->observed->has_delta_k)
            return "\xce\x94k is not always the same";
        return arc->observed->agrees ? "\xce\x94k explains the distance"
                                     : "\xce\x94k is not the distance's reason";
    case CC_ARC_MISSED:
        return cc_reason_text(cc_reason_of(data, arc->observed));
    default:
        return arc->prediction->evidence == CC_EVIDENCE_FLOW
                   ? "predicted by flow, did not occur"
                   : "predicted, did not occur";
    }
}

static void write_dependency(FILE *out, const struct cc_report *r,
                             const struct cc_arc *arc, size_t number)
{
    const char *class = classes[arc->kind];

    fprintf(out, "<tr data-arc=%zu><td class=kind data-v=%s>", number, class);
    cc_html_arc_key(out, arc->kind);
    fprintf(out, " %s</td>", class);
    write_address_cell(out, arc->src);
    write_address_cell(out, arc->dst);
    for (unsigned i = 0; i < r->data->bounds.n; i++)
        if (arc->observed != NULL)
            cc_html_count_cell(out,
                               cc_counts(r->data, arc->observed)[r->order[i]]);
        else
            cc_html_count_cell(out, 0);
    write_distance_cell(out, arc->observed);
    write_delta_k_cell(out, arc);
    fputs("<td class=t>", out);
    report_safe_html(out, explain(r->data, arc));
    if (arc->observed != NULL && cc_forwards_fail(&arc->observed->forwards))
        fputs("; forward fails", out);
    fputs("</td></tr>\n", out);
}

static void write_dependencies(FILE *out, const struct cc_report *r,
                               const struct cc_arc *arcs, size_t n)
{
    static const char *const before[] = {"<kind", "<store", "<load", NULL};
    static const char *const after[] = {"distance", "\xce\x94k", "<note", NULL};
    const struct cc_bounds *bounds = &r->data->bounds;

    fputs("<div class='scroll tall'><table class='sortable dependencies'>\n"
          "<thead><tr>",
          out);
    cc_html_headings(out, before);
    for (unsigned i = 0; i < bounds->n; i++) {
        fprintf(out,
                "<th class=n scope=col><button type=button>within %s"
                "</button></th>",
                bound_text(bounds->bound[r->order[i]]).text);
    }
    cc_html_headings(out, after);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < n; i++)
        write_dependency(out, r, &arcs[i], i);
    fputs("</tbody></table></div>\n", out);
}

static void write_kinds(FILE *out, const struct cc_arc_block *b)
{
    for (int kind = 0; kind < CC_ARC_KINDS; kind++)
        fprintf(out, ", %zu %s", b->n_kind[kind], classes[kind]);
}

static void write_block_heading(FILE *out, const struct cc_report *r,
                                const struct cc_arc_block *b)
{
    const struct cc_block *block = &r->data->blocks[b->block];
    uint64_t start;
    const char *function =
        cc_symbolize_function(r->symbolizer, b->block, &start);

    if (function != NULL)
        demangle_write(out, function, report_safe_html);
    else
        fprintf(out, "%" PRIx64 ", outside any function", block->start);
    if (function != NULL && block->start > start)
        fprintf(out, "+0x%" PRIx64, block->start - start);
    fputs("</code> <span>ran ", out);
    report_html_count(out, block->weight);
    fputs(" times, ", out);
    report_html_count(out, block->n_instructions);
    fputs(" instructions", out);
    write_kinds(out, b);
    if (!block->analysed)
        fputs(", not analysed", out);
}

void cc_html_block_heading(FILE *out, const struct cc_report *r,
                           const struct cc_arc_block *b)
{
    assert((b->block == CC_NONE) != (b->function == CC_NONE));
    fputs("<summary><code>", out);
    if (b->block != CC_NONE)
        write_block_heading(out, r, b);
    else {
        demangle_write(out, r->data->functions[b->function].name,
                       report_safe_html);
        assert(b->n_kept <= b->n_blocks);
        fprintf(out, "</code> <span>%zu of %zu blocks kept", b->n_kept,
                b->n_blocks);
        write_kinds(out, b);
    }
    fputs("</span></summary>\n", out);
}

void cc_html_block_body(FILE *out, const struct cc_report *r,
                        const struct cc_arc_block *b)
{
    uint32_t object = b->block != CC_NONE
                          ? r->data->blocks[b->block].object
                          : r->data->functions[b->function].object;
    const char *trouble = cc_symbolizer_trouble(r->symbolizer, object);
    size_t n;
    AUTO_FREE struct cc_arc *arcs = choose(b, &n);

    report_html_text(out, "<p class=path>", r->data->objects[object].path,
                     "</p>\n");
    if (trouble != NULL)
        report_html_text(out, "<p class=note>No instructions: ", trouble,
                         "</p>\n");
    if (n < b->n)
        fprintf(out,
                "<p class=note>%zu of %zu dependencies are shown, the"
                " heaviest of each kind.</p>\n",
                n, b->n);
    if (n == 0)
        fputs("<p class=note>No dependency lies within it.</p>\n", out);
    write_listing(out, r, b, arcs, n);
    if (n > 0)
        write_dependencies(out, r, arcs, n);
}
