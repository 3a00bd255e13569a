/*
 * cc_html_arcs: the arcs beside a listing, from the row of the store to that
 * of the load.
 *
 * The rows have a fixed height, which the style repeats, so that the arcs meet
 * them without a script.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <inttypes.h>

#include "html/cc_html.h"
#include "html/cc_html_text.h"

#define ROW    20 /* pixels: the height of a row, as page.css has it */
#define LANE   9  /* from one lane to the next */
#define MARGIN 20 /* between the innermost lane and the listing */
#define APART  4  /* an arc leaves a row below its middle and ends above */

static const char *const classes[CC_ARC_KINDS] = {
    [CC_ARC_FOUND] = "found",
    [CC_ARC_MISSED] = "missed",
    [CC_ARC_FALSE] = "false",
};

const char *cc_html_arc_class(enum cc_arc_kind kind)
{
    return classes[kind];
}

/* The kinds differ by dashes, by the head and by the mark at the beginning,
   not by colour alone. */
static void write_head(FILE *out, enum cc_arc_kind kind, int x, int y)
{
    if (kind == CC_ARC_FALSE)
        fprintf(out, "<path class=open d='M%d %dL%d %dL%d %d'/>", x - 7, y - 4,
                x, y, x - 7, y + 4);
    else
        fprintf(out, "<path class=%s d='M%d %dL%d %dL%d %dZ'/>",
                kind == CC_ARC_FOUND ? "full" : "hollow", x - 8, y - 4, x, y,
                x - 8, y + 4);
}

static void write_tail(FILE *out, enum cc_arc_kind kind, int x, int y)
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
    write_head(out, arc->kind, width, to);
    write_tail(out, arc->kind, width, from);
    fputs("</g>\n", out);
}

void cc_html_arcs(FILE *out, struct cc_arc *arcs,
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
    write_head(out, kind, 34, 6);
    write_tail(out, kind, 7, 6);
    fputs("</svg>", out);
}
