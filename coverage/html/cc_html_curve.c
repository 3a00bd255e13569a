/*
 * cc_html_curve: cov_u and cov_w over the lifetime bound, and precision over
 * coverage by support, as pictures.
 *
 * Horizontal positions are percentages of the width, so that the letters have
 * the same size on any screen; vertical ones are pixels.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_html.h"

#define TOP    12.0  /* y of 100% */
#define BOTTOM 212.0 /* y of 0% */
#define LEFT   13.0  /* x of the least bound, in percent of the width */
#define RIGHT  87.0  /* x of the largest finite bound, or of 100% */
#define INF    96.0  /* x of inf */
#define APART  12.0  /* least distance between two labels of the axis */

static void draw_line(FILE *out, const char *class, double x1, double y1,
                      double x2, double y2)
{
    fprintf(out, "<line class=%s x1=%.2f%% y1=%.1f x2=%.2f%% y2=%.1f />\n",
            class, x1, y1, x2, y2);
}

/* The two curves differ by dashes and by the shape of their points. */
static const struct series {
    const char *name;
    struct cc_ratio (*ratio)(const struct cc_tally *);
} series[] = {{"cov_u", cc_cov_u}, {"cov_w", cc_cov_w}};

/* log2, exact for powers of two and linear between them. */
static double log_of(uint64_t n)
{
    assert(n > 0);
    int k = 63 - __builtin_clzll(n);
    return k + ((double)n / (double)(UINT64_C(1) << k) - 1);
}

/* Finds the least and the largest finite bound; false if there is none. */
static bool find_range(const struct cc_curve *c, uint64_t *low, uint64_t *high)
{
    *low = UINT64_MAX;
    *high = 0;
    for (unsigned i = 0; i < c->bounds.n; i++) {
        uint64_t bound = c->bounds.bound[i];

        if (bound == LIFETIME_INF)
            continue;
        *low = bound < *low ? bound : *low;
        *high = bound > *high ? bound : *high;
    }
    return *high > 0;
}

static double place_bound(const struct cc_curve *c, uint64_t bound)
{
    uint64_t low, high;

    if (bound == LIFETIME_INF)
        return INF;
    if (!find_range(c, &low, &high) || low == high)
        return (LEFT + RIGHT) / 2;
    return LEFT + (RIGHT - LEFT) * (log_of(bound) - log_of(low)) /
                      (log_of(high) - log_of(low));
}

static double place_ratio(struct cc_ratio ratio)
{
    assert(ratio.part <= ratio.whole);
    return BOTTOM - (BOTTOM - TOP) * cc_percent(ratio) / 100;
}

/* K is 1024, M is 1024 K: short labels fit the screen of a phone. */
static void write_label(FILE *out, uint64_t bound)
{
    if (bound != LIFETIME_INF && bound % (1 << 20) == 0)
        fprintf(out, "%" PRIu64 "M", bound >> 20);
    else if (bound != LIFETIME_INF && bound >= 4096 && bound % (1 << 10) == 0)
        fprintf(out, "%" PRIu64 "K", bound >> 10);
    else
        fputs(bound_text(bound).text, out);
}

static void write_curve_grid(FILE *out, const struct cc_curve *c)
{
    double last = -100;

    for (int percent = 0; percent <= 100; percent += 25) {
        double y = BOTTOM - (BOTTOM - TOP) * percent / 100;

        fprintf(out,
                "<line class=grid x1=%g%% x2=100%% y1=%g y2=%g />"
                "<text class=y x=%g%% y=%g>%d%%</text>\n",
                LEFT - 1.5, y, y, LEFT - 2.5, y + 4, percent);
    }
    for (unsigned i = 0; i < c->bounds.n; i++) {
        double x = place_bound(c, c->bounds.bound[i]);

        fprintf(out, "<line class=grid x1=%.2f%% x2=%.2f%% y1=%g y2=%g />", x,
                x, BOTTOM, BOTTOM + 5);
        if (c->bounds.bound[i] != LIFETIME_INF && x - last < APART)
            continue;
        if (c->bounds.bound[i] != LIFETIME_INF)
            last = x;
        fprintf(out, "<text class=x x=%.2f%% y=%g>", x, BOTTOM + 20);
        write_label(out, c->bounds.bound[i]);
        fputs("</text>\n", out);
    }
    fprintf(out,
            "<text class=x x=50%% y=%g>lifetime bound, instructions</text>",
            BOTTOM + 40);
}

static void write_curve_point(FILE *out, const struct cc_curve *c, unsigned i,
                              const struct series *s)
{
    double x = place_bound(c, c->bounds.bound[i]);
    struct cc_ratio ratio = s->ratio(&c->tally[i]);

    fprintf(out,
            "<g><title>%s at lifetime %s: %s, %" PRIu64 " of %" PRIu64
            "</title>",
            s->name, bound_text(c->bounds.bound[i]).text,
            report_ratio_text(ratio.part, ratio.whole).text, ratio.part,
            ratio.whole);
    if (s == &series[0])
        fprintf(out, "<circle class=%s cx=%.2f%% cy=%.1f r=3 />", s->name, x,
                place_ratio(ratio));
    else
        fprintf(out,
                "<rect class=%s x=%.2f%% y=%.1f width=11 height=11"
                " transform='translate(-5.5 -5.5)' />",
                s->name, x, place_ratio(ratio));
    fputs("</g>\n", out);
}

/* A bound without data interrupts the line of a series. */
static void write_series(FILE *out, const struct cc_curve *c,
                         const struct series *s)
{
    for (unsigned i = 1; i < c->bounds.n; i++) {
        struct cc_ratio from = s->ratio(&c->tally[i - 1]);
        struct cc_ratio to = s->ratio(&c->tally[i]);

        if (from.whole == 0 || to.whole == 0)
            continue;
        draw_line(out, s->name, place_bound(c, c->bounds.bound[i - 1]),
                  place_ratio(from), place_bound(c, c->bounds.bound[i]),
                  place_ratio(to));
    }
    for (unsigned i = 0; i < c->bounds.n; i++)
        if (s->ratio(&c->tally[i]).whole > 0)
            write_curve_point(out, c, i, s);
}

void cc_html_curve(FILE *out, const struct cc_curve *curve)
{
    fputs("<section><h2>Coverage over the lifetime bound</h2>\n"
          "<p class=legend>"
          "<span><svg width=44 height=14><line class=cov_u x1=0 x2=44 y1=7"
          " y2=7 /><circle class=cov_u cx=22 cy=7 r=3 /></svg> cov_u, of"
          " dependencies</span> "
          "<span><svg width=44 height=14><line class=cov_w x1=0 x2=44 y1=7"
          " y2=7 /><rect class=cov_w x=16.5 y=1.5 width=11 height=11 /></svg> "
          "cov_w,"
          " of occurrences</span></p>\n",
          out);
    fprintf(out,
            "<svg class=curve id=curve role=img height=%g aria-label='cov_u"
            " and cov_w over the lifetime bound'>\n",
            BOTTOM + 48);
    write_curve_grid(out, curve);
    for (size_t i = 0; i < sizeof series / sizeof series[0]; i++)
        write_series(out, curve, &series[i]);
    fputs("</svg></section>\n", out);
}

/* --- By support --- */

/* The picture shows precision (vertical) over cov_u (horizontal), both at the
   first bound; a point is what remains of the predictions at a threshold of
   support.  Both axes begin at the multiple of ten below all points. */

#define SUPPORT_RIGHT 94.0
#define STEPS         5 /* steps from one end of an axis to the other */

/* The scopes differ by the shape of their points, not by colour alone. */
static const char *const shapes[CC_N_SCOPES] = {
    [CC_SCOPE_BLOCK] = "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    [CC_SCOPE_FUNCTION] = "M-4 -4h8v8h-8z",
    [CC_SCOPE_OBJECT] = "M0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z",
    [CC_SCOPE_PROGRAM] = "M0 -5l5 9h-10z",
};

/* The figures at a threshold. */
struct point {
    struct cc_ratio coverage, precision;
};

struct plot {
    const struct cc_report *report;
    unsigned bound;
    int low_x, low_y; /* the start of each axis, in percent */
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
    assert(plot.low_x >= 0 && plot.low_y >= 0);
    return plot;
}

static double place(double from, double to, int low, double percent)
{
    return from + (to - from) * (percent - low) / (100 - low);
}

static double place_x(const struct plot *plot, double percent)
{
    return place(LEFT, SUPPORT_RIGHT, plot->low_x, percent);
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

/* Writes a point; the thresholds `first` to `last` all leave it. */
static void write_point(FILE *out, const struct plot *plot, enum cc_scope scope,
                        const struct point *p, unsigned first, unsigned last)
{
    assert(first <= last && last < CC_N_SUPPORTS);
    fprintf(out,
            "<svg class='point %s' x=%.2f%% y=%.1f overflow=visible>"
            "<title>scope %s, support from %u%%",
            cc_scope_name(scope), place_x(plot, cc_percent(p->coverage)),
            place_y(plot, cc_percent(p->precision)), cc_scope_name(scope),
            first * CC_SUPPORT_STEP);
    if (last > first)
        fprintf(out, " to %u%%", last * CC_SUPPORT_STEP);
    fprintf(out,
            ": cov_u %s, precision %s, %" PRIu64 " of %" PRIu64
            "</title><path d='%s' /></svg>\n",
            report_ratio_text(p->coverage.part, p->coverage.whole).text,
            report_ratio_text(p->precision.part, p->precision.whole).text,
            p->precision.part, p->precision.whole, shapes[scope]);
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
        /* The next point is the same if one count of each figure is. */
        if (i + 1 < CC_N_SUPPORTS && find_point(plot, scope, i + 1, &next) &&
            p.coverage.part == next.coverage.part &&
            p.precision.whole == next.precision.whole)
            continue;
        if (has_before)
            draw_line(out, cc_scope_name(scope),
                      place_x(plot, cc_percent(before.coverage)),
                      place_y(plot, cc_percent(before.precision)),
                      place_x(plot, cc_percent(p.coverage)),
                      place_y(plot, cc_percent(p.precision)));
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

    fprintf(
        out,
        "<section><h2>Precision over coverage, by support</h2>\n<p>Each point"
        " is a threshold: the predictions with at least that support. At"
        " lifetime %s.</p>\n",
        bound_text(report->data->bounds.bound[plot.bound]).text);
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
