/*
 * cc_html_block: a block, or the blocks of a function: their instructions and
 * source lines, an arc for each dependency, and a list of these.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>

#include "html/cc_html.h"
#include "html/cc_html_text.h"
#include "html/cc_listing.h"
#include "object/demangle.h"
#include "judge/cc_reason.h"
#include "memory.h"
#include "text.h"

/* A page, and what its blocks are written from. */
struct writer {
    FILE *out;
    const struct cc_data *data;
    struct cc_symbolizer *symbolizer;
    const unsigned *order; /* of the bounds */
};

/* The arcs that are drawn: the heaviest of each kind.  The caller frees. */
static struct cc_arc *choose(const struct cc_arc_block *b, size_t *n)
{
    struct cc_arc *chosen = memory_new(b->n, sizeof *chosen);
    size_t n_kind[CC_ARC_KINDS] = {0};

    *n = 0;
    for (size_t i = 0; i < b->n; i++)
        if (n_kind[b->arcs[i].kind]++ < CC_HTML_ARCS)
            chosen[(*n)++] = b->arcs[i];
    return chosen;
}

static void write_frame(struct writer *w, const struct cc_listing_row *row)
{
    const char *text;

    fprintf(w->out, "<td class=where title=\"");
    report_safe_html(w->out, row->frame.file);
    fputs("\">", w->out);
    report_safe_html(w->out, text_base_name(row->frame.file));
    fprintf(w->out, ":%d", row->frame.line);
    if (row->outer.file != NULL)
        fprintf(w->out, " <i>inlined at %d</i>", row->outer.line);
    fputs("</td><td class=source>", w->out);
    text = cc_symbolize_source(w->symbolizer, row->object, &row->frame);
    if (text != NULL)
        report_safe_html(w->out, text);
    fputs("</td>", w->out);
}

static bool same_line(const struct objfile_frame *a,
                      const struct objfile_frame *b)
{
    return a->file == b->file && a->line == b->line;
}

/* Blocks of other functions than this have their names. */
static void write_rows(struct writer *w, const struct cc_listing *listing,
                       uint32_t function)
{
    fputs("<table class=listing><tbody>\n", w->out);
    for (size_t i = 0; i < listing->n; i++) {
        const struct cc_listing_row *row = &listing->rows[i];

        if (row->begins != NULL) {
            fprintf(w->out,
                    "<tr data-row=%zu class=begins><td></td><td class=note>"
                    "block %" PRIx64,
                    i, row->begins->start);
            if (row->begins->function != function) {
                fputs(" of <code>", w->out);
                demangle_write(
                    w->out,
                    row->begins->function != CC_NONE
                        ? w->data->functions[row->begins->function].name
                        : "?",
                    report_safe_html);
                fputs("</code>", w->out);
            }
            fputs(", ran ", w->out);
            report_html_count(w->out, row->begins->weight);
            fputs(" times</td><td></td><td></td></tr>\n", w->out);
            continue;
        }
        if (row->n_omitted > 0) {
            fprintf(w->out,
                    "<tr data-row=%zu><td></td><td class=note>%zu instructions"
                    "</td><td></td><td></td></tr>\n",
                    i, row->n_omitted);
            continue;
        }
        fprintf(w->out,
                "<tr data-row=%zu><td class=address>%" PRIx64 "</td><td "
                "class=insn>",
                i, row->address);
        report_safe_html(w->out, row->insn.length > 0 ? row->insn.text : "?");
        fputs("</td>", w->out);
        if (row->frame.file == NULL || row->frame.line == 0)
            fputs("<td></td><td></td>", w->out);
        else if (i > 0 && same_line(&row->frame, &row[-1].frame))
            fputs("<td class=where>\xe2\x80\xb3</td><td></td>", w->out);
        else
            write_frame(w, row);
        fputs("</tr>\n", w->out);
    }
    fputs("</tbody></table>", w->out);
}

static void write_listing(struct writer *w, const struct cc_arc_block *b,
                          struct cc_arc *arcs, size_t n)
{
    struct cc_arc_span *spans = memory_new(n, sizeof *spans);
    struct cc_listing listing;

    if (b->block != CC_NONE)
        cc_listing_fill(&listing, &w->data->blocks[b->block], w->symbolizer,
                        arcs, n);
    else
        cc_listing_fill_all(&listing, w->data, w->symbolizer, arcs, n);
    for (size_t i = 0; i < n; i++)
        spans[i] = (struct cc_arc_span){cc_listing_find(&listing, arcs[i].src),
                                        cc_listing_find(&listing, arcs[i].dst)};
    fputs("<div class=scroll><div class=code>", w->out);
    cc_html_arcs(w->out, arcs, spans, n, listing.n);
    write_rows(w, &listing, b->function);
    fputs("</div></div>\n", w->out);
    cc_listing_fini(&listing);
    free(spans);
}

static void write_address_cell(FILE *out, uint64_t address)
{
    fprintf(out, "<td class=address data-v=%" PRIu64 ">%" PRIx64 "</td>",
            address, address);
}

static void write_delta_k_cell(FILE *out, const struct cc_arc *arc)
{
    const struct cc_prediction *p = arc->prediction;
    bool is_first = true;

    fprintf(out, "<td class=n data-v=%" PRId64 ">",
            p != NULL && p->delta_k != CC_ANY_DELTA ? (int64_t)p->delta_k : -1);
    /* The judged predictions of a false pair come first. */
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

static void write_dependency(struct writer *w, const struct cc_arc *arc,
                             size_t number)
{
    const char *class = cc_html_arc_class(arc->kind);

    fprintf(w->out, "<tr data-arc=%zu><td class=kind data-v=%s>", number,
            class);
    cc_html_arc_key(w->out, arc->kind);
    fprintf(w->out, " %s</td>", class);
    write_address_cell(w->out, arc->src);
    write_address_cell(w->out, arc->dst);
    for (unsigned i = 0; i < w->data->bounds.n; i++)
        if (arc->observed != NULL)
            cc_html_count_cell(w->out,
                               cc_counts(w->data, arc->observed)[w->order[i]]);
        else
            cc_html_count_cell(w->out, 0);
    cc_html_distance_cell(w->out, arc->observed);
    write_delta_k_cell(w->out, arc);
    fputs("<td class=t>", w->out);
    report_safe_html(w->out, explain(w->data, arc));
    if (arc->observed != NULL && cc_forwards_fail(&arc->observed->forwards))
        fputs("; forward fails", w->out);
    fputs("</td></tr>\n", w->out);
}

static void write_dependencies(struct writer *w, const struct cc_arc *arcs,
                               size_t n)
{
    static const char *const before[] = {"<kind", "<store", "<load", NULL};
    static const char *const after[] = {"distance", "\xce\x94k", "<note", NULL};
    const struct cc_bounds *bounds = &w->data->bounds;

    fputs("<div class='scroll tall'><table class='sortable dependencies'>\n"
          "<thead><tr>",
          w->out);
    cc_html_headings(w->out, before);
    for (unsigned i = 0; i < bounds->n; i++) {
        fputs("<th class=n scope=col><button type=button>within ", w->out);
        cc_html_bound(w->out, bounds->bound[w->order[i]]);
        fputs("</button></th>", w->out);
    }
    cc_html_headings(w->out, after);
    fputs("</tr></thead>\n<tbody>\n", w->out);
    for (size_t i = 0; i < n; i++)
        write_dependency(w, &arcs[i], i);
    fputs("</tbody></table></div>\n", w->out);
}

static void write_kinds(FILE *out, const struct cc_arc_block *b)
{
    for (int kind = 0; kind < CC_ARC_KINDS; kind++)
        fprintf(out, ", %zu %s", b->n_kind[kind],
                cc_html_arc_class((enum cc_arc_kind)kind));
}

/* Says how many of a function's blocks are kept. */
static void write_function_heading(struct writer *w,
                                   const struct cc_arc_block *b)
{
    fputs("<summary><code>", w->out);
    demangle_write(w->out, w->data->functions[b->function].name,
                   report_safe_html);
    fprintf(w->out, "</code> <span>%zu of %zu blocks kept", b->n_kept,
            b->n_blocks);
    write_kinds(w->out, b);
    fputs("</span></summary>\n", w->out);
}

static void write_block_heading(struct writer *w, const struct cc_arc_block *b)
{
    const struct cc_block *block = &w->data->blocks[b->block];
    uint64_t start;
    const char *function =
        cc_symbolize_function(w->symbolizer, b->block, &start);

    fputs("<summary><code>", w->out);
    if (function != NULL)
        demangle_write(w->out, function, report_safe_html);
    else
        fprintf(w->out, "%" PRIx64 ", outside any function", block->start);
    if (function != NULL && block->start > start)
        fprintf(w->out, "+0x%" PRIx64, block->start - start);
    fputs("</code> <span>ran ", w->out);
    report_html_count(w->out, block->weight);
    fputs(" times, ", w->out);
    report_html_count(w->out, block->n_instructions);
    fputs(" instructions", w->out);
    write_kinds(w->out, b);
    if (!block->analysed)
        fputs(", not analysed", w->out);
    fputs("</span></summary>\n", w->out);
}

void cc_html_block_heading(FILE *out, const struct cc_report *report,
                           const struct cc_arc_block *b)
{
    struct writer w = {out, report->data, report->symbolizer, report->order};

    if (b->block != CC_NONE)
        write_block_heading(&w, b);
    else
        write_function_heading(&w, b);
}

void cc_html_block_body(FILE *out, const struct cc_report *report,
                        const struct cc_arc_block *b)
{
    struct writer w = {out, report->data, report->symbolizer, report->order};
    uint32_t object = b->block != CC_NONE
                          ? w.data->blocks[b->block].object
                          : w.data->functions[b->function].object;
    const char *trouble = cc_symbolizer_trouble(w.symbolizer, object);
    size_t n;
    struct cc_arc *arcs = choose(b, &n);

    fputs("<p class=path>", out);
    report_safe_html(out, w.data->objects[object].path);
    fputs("</p>\n", out);
    if (trouble != NULL) {
        fputs("<p class=note>No instructions: ", out);
        report_safe_html(out, trouble);
        fputs("</p>\n", out);
    }
    if (n < b->n)
        fprintf(out,
                "<p class=note>%zu of %zu dependencies are shown, the"
                " heaviest of each kind.</p>\n",
                n, b->n);
    if (n == 0)
        fputs("<p class=note>No dependency lies within it.</p>\n", out);
    write_listing(&w, b, arcs, n);
    if (n > 0)
        write_dependencies(&w, arcs, n);
    free(arcs);
}
