/* cy_between: what passes between threads, in the report. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/internal.h"

/* People see pairs with this share of the accesses of their kind, in percent;
   the verdict, and text that is not verbose, have what is this share of the
   loads. */
#define SEEN  1.0
#define NAMED 0.1

static double percent(uint64_t part, uint64_t of)
{
    return of > 0 ? 100 * (double)part / (double)of : 0;
}

static uint64_t accesses_of(const struct cy_between *b)
{
    return b->loads + b->stores;
}

static bool is_named(const struct cy_report *r, const struct cy_betweens *all)
{
    return percent(all->accesses, r->threads->loads) >= NAMED;
}

/* How many pairs people see. */
static size_t n_seen(const struct cy_report *r, const struct cy_betweens *all)
{
    size_t n = 0;

    while (n < all->n && n < r->n_shown &&
           percent(accesses_of(&all->list[n]), all->accesses) >= SEEN)
        n++;
    return n;
}

static void put_places(struct report_row *row, const struct cy_between *b)
{
    report_code(row,
                R_BOTH("accessed at", "access", .width = 18, .flags = R_LEFT),
                b->access, NULL);
    report_code(
        row,
        R_BOTH("variable", "variable", .width = 12, .flags = R_LEFT | R_EXTRA),
        b->variable, NULL);
    report_code(row,
                R_BOTH("stored by another at", "store", .width = 20,
                       .flags = R_LEFT | R_RAGGED),
                b->store, NULL);
}

static void fill_value(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_betweens *all = &r->threads->values;
    const struct cy_between *b = &all->list[i];

    assert(i < all->n && b->stores == 0 && b->loads > 0);
    if (i >= n_seen(r, all))
        report_hide(row);
    report_count(row, R_BOTH("loads", "loads", .width = 12), b->loads);
    put_places(row, b);
}

static void fill_line(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_betweens *all = &r->threads->lines;
    const struct cy_between *b = &all->list[i];

    assert(i < all->n && b->turns > 0 && b->turns <= accesses_of(b));
    if (i >= n_seen(r, all))
        report_hide(row);
    report_count(row, R_BOTH("loads", "loads", .width = 12), b->loads);
    report_count(
        row,
        R_BOTH("stores", "stores", .width = 12, .flags = R_CLOSE | R_EXTRA),
        b->stores);
    report_count(row, R_BOTH("turns", "turns", .flags = R_CLOSE | R_EXTRA),
                 b->turns);
    put_places(row, b);
    report_code(
        row, R_BOTH("variable", "stored", .flags = R_LEFT | R_RAGGED | R_EXTRA),
        b->stored, NULL);
}

static void fill_all(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_threads *t = r->threads;

    (void)i;
    report_count(row, R_KEY("loads"), t->loads);
    report_count(row, R_KEY("passed"), t->values.accesses);
    report_count(row, R_KEY("sharing"), t->lines.accesses);
    report_rows(row, R_KEY("values"),
                &REPORT_TABLE(t->values.n, fill_value, r));
    report_rows(row, R_KEY("lines"), &REPORT_TABLE(t->lines.n, fill_line, r));
}

static void write_all(struct report *out, const struct cy_report *r)
{
    const struct cy_threads *t = r->threads;

    report_heading(out, "between threads");
    report_paragraph(out,
                     "values: %" PRIu64 " of %" PRIu64
                     " loads of stored values (%.3g %%) read what another "
                     "thread had stored, be it once and long ago; what that "
                     "costs is not modelled",
                     t->values.accesses, t->loads,
                     percent(t->values.accesses, t->loads));
    report_table(out,
                 &REPORT_TABLE(t->values.n, fill_value, r, .id = "passed"));
    if (t->lines.accesses == 0)
        return;
    report_paragraph(out,
                     "lines of 64 bytes: %" PRIu64
                     " accesses to a line in which another thread had stored "
                     "other bytes since (false sharing, if the two run at "
                     "once); how many of them wait on a processor, and how "
                     "long, is not modelled",
                     t->lines.accesses);
    report_table(out, &REPORT_TABLE(t->lines.n, fill_line, r, .id = "shared"));
}

void cy_report_between(struct report *out, const struct cy_report *r)
{
    if (r->threads == NULL)
        return;
    if (out->format == REPORT_JSON)
        report_table(out, &REPORT_TABLE(1, fill_all, r, .key = "threads",
                                        .is_object = true));
    else if (n_seen(r, &r->threads->values) + n_seen(r, &r->threads->lines) >
                 0 &&
             (out->format != REPORT_TEXT || r->is_verbose ||
              is_named(r, &r->threads->values) ||
              is_named(r, &r->threads->lines)))
        write_all(out, r);
}

void cy_report_beyond(FILE *out, const struct cy_report *r)
{
    const struct cy_threads *t = r->threads;

    if (t == NULL)
        return;
    bool has_values = is_named(r, &t->values);
    bool has_lines = is_named(r, &t->lines);
    if (!has_values && !has_lines)
        return;
    fputs("not modelled: ", out);
    if (has_values)
        fprintf(out,
                "what passes between threads, at most %.3g %% of the loads of "
                "stored values%s",
                percent(t->values.accesses, t->loads),
                has_lines ? ", and " : "");
    if (has_lines)
        fprintf(out,
                "%" PRIu64 " accesses to lines in which another thread stored "
                "other bytes (false sharing, if the two run at once)",
                t->lines.accesses);
    if (has_lines && t->lines.n > 0)
        fprintf(out, ", most at %s", t->lines.list[0].access);
    fputc('\n', out);
}

double cy_report_waiting(const struct cy_report *r)
{
    double share = 0;

    for (size_t i = 0; i < r->prediction->n; i++)
        if (r->prediction->loops[i].unknown.is_spin)
            share += r->prediction->loops[i].share;
    return share;
}
