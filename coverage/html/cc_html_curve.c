/*
 * cc_html_curve: cov_u and cov_w over the lifetime bound, as a picture.
 *
 * Across, places are percentages of the width, so that the letters have one
 * size on any screen; down, they are pixels.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <inttypes.h>

#include "html/cc_html.h"
#include "html/cc_html_text.h"
#include "lifetimes.h"

#define TOP    12.0  /* y of 100% */
#define BOTTOM 212.0 /* y of 0% */
#define LEFT   13.0  /* x of the least bound, in percent of the width */
#define RIGHT  87.0  /* x of the largest bound but inf */
#define INF    96.0  /* x of inf */
#define APART  12.0  /* from one label of the axis to the next, at least */

/* The two curves differ by dashes and by the shape of their points. */
static const struct series {
    const char *name;
    struct cc_ratio (*ratio)(const struct cc_tally *);
} series[] = {{"cov_u", cc_cov_u}, {"cov_w", cc_cov_w}};

/* log2, exact at powers of two and straight between them. */
static double log_of(uint64_t n)
{
    int k;

    assert(n > 0);
    k = 63 - __builtin_clzll(n);
    return k + ((double)n / (double)(UINT64_C(1) << k) - 1);
}

/* The least and the largest bound but inf; false if there is none. */
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

static double place_x(const struct cc_curve *c, uint64_t bound)
{
    uint64_t low, high;

    if (bound == LIFETIME_INF)
        return INF;
    if (!find_range(c, &low, &high) || low == high)
        return (LEFT + RIGHT) / 2;
    return LEFT + (RIGHT - LEFT) * (log_of(bound) - log_of(low)) /
                      (log_of(high) - log_of(low));
}

static double place_y(struct cc_ratio ratio)
{
    return BOTTOM - (BOTTOM - TOP) * cc_percent(ratio) / 100;
}

/* K is 1024, M 1024 K: so that the labels fit a phone. */
static void write_label(FILE *out, uint64_t bound)
{
    if (bound != LIFETIME_INF && bound % (1 << 20) == 0)
        fprintf(out, "%" PRIu64 "M", bound >> 20);
    else if (bound != LIFETIME_INF && bound >= 4096 && bound % (1 << 10) == 0)
        fprintf(out, "%" PRIu64 "K", bound >> 10);
    else
        cc_html_bound(out, bound);
}

static void write_grid(FILE *out, const struct cc_curve *c)
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
        double x = place_x(c, c->bounds.bound[i]);

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

static void write_point(FILE *out, const struct cc_curve *c, unsigned i,
                        const struct series *s)
{
    double x = place_x(c, c->bounds.bound[i]);
    struct cc_ratio ratio = s->ratio(&c->tally[i]);

    fputs("<g><title>", out);
    fprintf(out, "%s at lifetime ", s->name);
    cc_html_bound(out, c->bounds.bound[i]);
    fputs(": ", out);
    cc_html_ratio(out, ratio);
    fprintf(out, ", %" PRIu64 " of %" PRIu64 "</title>", ratio.part,
            ratio.whole);
    if (s == &series[0])
        fprintf(out, "<circle class=%s cx=%.2f%% cy=%.1f r=3 />", s->name, x,
                place_y(ratio));
    else
        fprintf(out,
                "<rect class=%s x=%.2f%% y=%.1f width=11 height=11"
                " transform='translate(-5.5 -5.5)' />",
                s->name, x, place_y(ratio));
    fputs("</g>\n", out);
}

/* A bound without data interrupts the line. */
static void write_series(FILE *out, const struct cc_curve *c,
                         const struct series *s)
{
    for (unsigned i = 1; i < c->bounds.n; i++) {
        struct cc_ratio from = s->ratio(&c->tally[i - 1]);
        struct cc_ratio to = s->ratio(&c->tally[i]);

        if (from.whole == 0 || to.whole == 0)
            continue;
        fprintf(out, "<line class=%s x1=%.2f%% y1=%.1f x2=%.2f%% y2=%.1f />\n",
                s->name, place_x(c, c->bounds.bound[i - 1]), place_y(from),
                place_x(c, c->bounds.bound[i]), place_y(to));
    }
    for (unsigned i = 0; i < c->bounds.n; i++)
        if (s->ratio(&c->tally[i]).whole > 0)
            write_point(out, c, i, s);
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
    write_grid(out, curve);
    for (size_t i = 0; i < sizeof series / sizeof series[0]; i++)
        write_series(out, curve, &series[i]);
    fputs("</svg></section>\n", out);
}
