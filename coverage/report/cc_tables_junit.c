/*
 * cc_tables_junit: figures as properties, and gates and notes as test cases.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/internal.h"

#include <stdlib.h>

#include "report/cc_words.h"

static void put_note(struct report_row *row, const struct cc_report *r,
                     size_t i)
{
    char *note = cc_note_text(r->notes, i);

    report_text(row, VALUE, note);
    free(note);
}

static void put_value(struct report_row *row, struct cc_ratio ratio)
{
    if (ratio.whole > 0)
        report_real(row, VALUE, cc_percent(ratio));
    else
        report_text(row, VALUE, "no data");
}

/* Property number i of a score: a figure at each bound, then precision.  Names
   have a text before them. */
static void put_share(struct report_row *row, const struct cc_report *r,
                      const struct cc_score *s, const char *before, size_t i)
{
    size_t b = i / CC_N_FIGURES;
    bool is_last = b == cc_n_bounds(r);
    enum cc_figure f =
        is_last ? CC_PRECISION : (enum cc_figure)(i % CC_N_FIGURES);
    char name[64];

    cc_figure_label(f, is_last ? 0 : r->data->bounds.bound[b], name);
    report_printf(row, NAME, "%s%s", before, name);
    put_value(row, is_last ? s->precision : cc_figure_ratio(f, s, (unsigned)b));
}

/* The headline, the notes, the score, and those of the scopes below it. */
static void fill_property(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t n_notes = r->notes->n, n = cc_n_bounds(r) * CC_N_FIGURES + 1;
    char text[CC_HEADLINE];

    if (i == 0) {
        cc_headline(r, text);
        report_text(row, NAME, "scored");
        report_text(row, VALUE, text);
    } else if (i <= n_notes) {
        report_text(row, NAME, "left out");
        put_note(row, r, i - 1);
    } else if ((i -= n_notes + 1) < n) {
        put_share(row, r, r->total, "", i);
    } else if ((i -= n) == 0) {
        report_text(row, NAME, "delta-k agreement");
        put_value(row, r->total->agreement);
    } else if (i == 1) {
        report_text(row, NAME, "dependencies between threads");
        report_count(
            row, VALUE,
            r->where[cc_bounds_largest(&r->data->bounds)].cross_thread);
    } else {
        i -= 2;
        snprintf(text, sizeof text,
                 "scope %s: ", cc_scope_name((enum cc_scope)(i / n)));
        put_share(row, r, &r->by_scope[i / n], text, i % n);
    }
}

struct report_table cc_table_properties(const struct cc_report *r)
{
    size_t n = cc_n_bounds(r) * CC_N_FIGURES + 1;

    return REPORT_TABLE(1 + r->notes->n + n + 2 + r->data->scope * n,
                        fill_property, r);
}

/* What the figures do not cover is a case that was skipped, since most readers
   show no properties. */
static void fill_case(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_check *c;
    char name[64];
    struct diag d;

    if (i < r->notes->n) {
        char *subject = cc_note_subject(r->notes, i);

        report_printf(row, NAME, "left out of %s", subject);
        put_note(row, r, i);
        free(subject);
        return;
    }
    c = &r->checks[i - r->notes->n];
    cc_figure_label(c->figure, c->bound, name);
    cc_check_describe(c, &d);
    report_printf(row, NAME, "%s, %s %.12g%s", name,
                  c->is_drop ? "drop of at most" : "at least", c->threshold,
                  c->is_drop ? " points" : "%");
    report_style(row, c->passed ? REPORT_GOOD : REPORT_BAD);
    report_text(row, VALUE, d.text);
}

struct report_table cc_table_cases(const struct cc_report *r)
{
    return REPORT_TABLE(r->notes->n + r->n_checks, fill_case, r);
}
