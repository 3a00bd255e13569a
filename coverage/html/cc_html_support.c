/*
 * cc_html_support: precision over coverage, by support, as a picture.
 *
 * Across is cov_u, down is precision, both at the first bound; a point is
 * what a threshold of support leaves of the predictions.  Both axes begin at
 * the multiple of ten below all points.  As in cc_html_curve, places across are
 * percentages of the width.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "html/cc_html.h"
#include "html/cc_html_text.h"

#define TOP    12.0
#define BOTTOM 212.0
#define LEFT   13.0 /* in percent of the width */
#define RIGHT  94.0
#define STEPS  5 /* from one end of an axis to the other */

/* The scopes differ by the shape of their points, too. */
static const char *const shapes[CC_N_SCOPES] = {
    [CC_SCOPE_BLOCK] = "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    [CC_SCOPE_FUNCTION] = "M-4 -4h8v8h-8z",
    [CC_SCOPE_OBJECT] = "M0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z",
    [CC_SCOPE_PROGRAM] = "M0 -5l5 9h-10z",
};

/* Where a threshold has figures. */
struct point {
    struct cc_ratio coverage, precision;
};

struct plot {
    const struct cc_report *report;
    unsigned bound;
    int low_x, low_y; /* where the axes begin, in percent */
};

static bool find_point(const struct plot *plot, enum cc_scope scope, unsigned i,
                       struct point *p)
{
    const struct cc_score *s =
        &plot->report->by_support[scope * CC_N_SUPPORTS + i];

    p->coverage = cc_cov_u(&s->tally[plot->bound]);
    p->precision = cc_figure_ratio(CC_PRECISION, s, plot->bound);
    return p->coverage.whole > 0 && p->precision.whole > 0;
}

static void make_room(int *low, struct cc_ratio ratio)
{
    while (cc_percent(ratio) < *low)
        *low -= 10;
}

static struct plot new_plot(const struct cc_report *report)
{
    struct plot plot = {report, report->order[0], 90, 90};
    struct point p;

    for (enum cc_scope r = 0; r <= report->data->scope; r++)
        for (unsigned i = 0; i < CC_N_SUPPORTS; i++)
            if (find_point(&plot, r, i, &p)) {
                make_room(&plot.low_x, p.coverage);
                make_room(&plot.low_y, p.precision);
            }
    return plot;
}

static double place(double from, double to, int low, double percent)
{
    return from + (to - from) * (percent - low) / (100 - low);
}

static double place_x(const struct plot *plot, double percent)
{
    return place(LEFT, RIGHT, plot->low_x, percent);
}

static double place_y(const struct plot *plot, double percent)
{
    return place(BOTTOM, TOP, plot->low_y, percent);
}

static void write_grid(FILE *out, const struct plot *plot)
{
    for (int i = 0; i <= STEPS; i++) {
        int across = plot->low_x + i * (100 - plot->low_x) / STEPS;
        int down = plot->low_y + i * (100 - plot->low_y) / STEPS;
        double x = place_x(plot, across), y = place_y(plot, down);

        fprintf(out,
                "<line class=grid x1=%g%% x2=100%% y1=%g y2=%g />"
                "<text class=y x=%g%% y=%g>%d%%</text>"
                "<line class=grid x1=%.2f%% x2=%.2f%% y1=%g y2=%g />"
                "<text class=x x=%.2f%% y=%g>%d%%</text>\n",
                LEFT - 1.5, y, y, LEFT - 2.5, y + 4, down, x, x, BOTTOM,
                BOTTOM + 5, x, BOTTOM + 20, across);
    }
    fprintf(out, "<text class=x x=50%% y=%g>cov_u</text>\n", BOTTOM + 40);
}

static void write_line(FILE *out, const struct plot *plot, enum cc_scope scope,
                       const struct point *from, const struct point *to)
{
    fprintf(out, "<line class=%s x1=%.2f%% y1=%.1f x2=%.2f%% y2=%.1f />\n",
            cc_scope_name(scope), place_x(plot, cc_percent(from->coverage)),
            place_y(plot, cc_percent(from->precision)),
            place_x(plot, cc_percent(to->coverage)),
            place_y(plot, cc_percent(to->precision)));
}

/* `first` and `last` are the thresholds that leave the same. */
static void write_point(FILE *out, const struct plot *plot, enum cc_scope scope,
                        const struct point *p, unsigned first, unsigned last)
{
    fprintf(out,
            "<svg class='point %s' x=%.2f%% y=%.1f overflow=visible>"
            "<title>scope %s, support from %u%%",
            cc_scope_name(scope), place_x(plot, cc_percent(p->coverage)),
            place_y(plot, cc_percent(p->precision)), cc_scope_name(scope),
            first * CC_SUPPORT_STEP);
    if (last > first)
        fprintf(out, " to %u%%", last * CC_SUPPORT_STEP);
    fputs(": cov_u ", out);
    cc_html_ratio(out, p->coverage);
    fputs(", precision ", out);
    cc_html_ratio(out, p->precision);
    fprintf(out, ", %" PRIu64 " of %" PRIu64 "</title><path d='%s' /></svg>\n",
            p->precision.part, p->precision.whole, shapes[scope]);
}

/* Two points are the same if coverage and precision are: comparing one count of
   each is enough. */
static bool is_same(const struct point *a, const struct point *b)
{
    return a->coverage.part == b->coverage.part &&
           a->precision.whole == b->precision.whole;
}

static void write_points(FILE *out, const struct plot *plot,
                         enum cc_scope scope)
{
    struct point p, next, before;
    unsigned first = 0;
    bool has_before = false;

    for (unsigned i = 0; i < CC_N_SUPPORTS; i++) {
        if (!find_point(plot, scope, i, &p))
            break;
        if (i + 1 < CC_N_SUPPORTS && find_point(plot, scope, i + 1, &next) &&
            is_same(&p, &next))
            continue;
        if (has_before)
            write_line(out, plot, scope, &before, &p);
        write_point(out, plot, scope, &p, first, i);
        before = p;
        has_before = true;
        first = i + 1;
    }
}

static void write_legend(FILE *out, const struct cc_report *report)
{
    fputs("<p class=legend>", out);
    for (enum cc_scope r = 0; r <= report->data->scope; r++)
        fprintf(out,
                "<span class=by-support><svg width=44 height=14><line class=%s"
                " x1=0 x2=44 y1=7 y2=7 /><svg class='point %s' x=22 y=7"
                " overflow=visible><path d='%s' /></svg></svg> scope"
                " %s</span> ",
                cc_scope_name(r), cc_scope_name(r), shapes[r],
                cc_scope_name(r));
    fputs("</p>\n", out);
}

void cc_html_support(FILE *out, const struct cc_report *report)
{
    struct plot plot = new_plot(report);

    fputs("<section><h2>Precision over coverage, by support</h2>\n<p>Each point"
          " is a threshold: the predictions with at least that support. At"
          " lifetime ",
          out);
    cc_html_bound(out, report->data->bounds.bound[plot.bound]);
    fputs(".</p>\n", out);
    write_legend(out, report);
    fprintf(out,
            "<svg class='curve by-support' id=support role=img height=%g"
            " aria-label='precision over coverage, by support'>\n",
            BOTTOM + 48);
    write_grid(out, &plot);
    for (enum cc_scope r = 0; r <= report->data->scope; r++)
        write_points(out, &plot, r);
    fputs("</svg></section>\n", out);
}
