/*
 * cc_tables_where: where dependencies lie, how they were forwarded, and why
 * they were missed, as tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/internal.h"

#include <stdlib.h>

#include "report/cc_words.h"

#define TEXT_MARKDOWN (REPORT_SHOWN_TEXT | REPORT_SHOWN_MARKDOWN)

/* --- Where dependencies lie, and how they were forwarded --- */

static void fill_where(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_where_counts *c = &r->where[cc_bound_of(r, i)];

    cc_put_bound(row, R_BOTH("lifetime", "lifetime"), r, i);
    report_count(row, R_KEY("occurrences"), c->all);
    for (enum cc_where w = 0; w < CC_N_WHERE; w++) {
        report_ratio(row,
                     R_SEEN(cc_where_text(w),
                            .flags = w == CC_NO_FUNCTION ? REPORT_EXTRA : 0),
                     c->occurrences[w], c->all);
        report_count(row, R_KEY(cc_where_name(w)), c->occurrences[w]);
    }
    report_count(row, R_SEEN("occurrences", .flags = REPORT_EXTRA), c->all);
    report_count(row, R_KEY("cross_thread.dependencies"), c->cross_thread);
    report_count(row, R_KEY("cross_thread.occurrences"),
                 c->cross_thread_occurrences);
}

struct report_table cc_table_where(const struct cc_report *r)
{
    return REPORT_TABLE(cc_n_bounds(r), fill_where, r, .key = "scopes",
                        .is_plain = true);
}

static void fill_outside(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_outside_file *f = &r->outside->files[i / cc_n_bounds(r)];

    report_text(row, R_KEY("path"), f->path);
    report_bool(row, R_KEY("analysed"), f->is_analysed);
    cc_put_bound(row, R_KEY("lifetime", .flags = REPORT_INNER), r, i);
    report_count(row, R_KEY("occurrences", .flags = REPORT_INNER),
                 f->occurrences[cc_bound_of(r, i)]);
}

struct report_table cc_table_outside(const struct cc_report *r)
{
    return REPORT_TABLE(r->outside->n * cc_n_bounds(r), fill_outside, r,
                        .key = "outside", .inner = "lifetimes",
                        .n_inner = cc_n_bounds(r));
}

static void fill_command(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    char *command = cc_outside_command(r->data, r->outside);

    (void)i;
    report_text(row, R_KEY("outside_command"), command);
    free(command);
}

struct report_table cc_table_command(const struct cc_report *r)
{
    return REPORT_TABLE(1, fill_command, r);
}

static void fill_outside_list(struct report_row *row, const void *from,
                              size_t i)
{
    const struct cc_report *r = from;
    const struct cc_outside_file *f = &r->outside->files[i];

    report_count(row,
                 R_SEEN("occurrences", .shown = TEXT_MARKDOWN, .width = 10),
                 f->occurrences[r->order[0]]);
    report_code(row, R_SEEN("file", .flags = REPORT_LEFT | REPORT_RAGGED),
                f->path, f->is_analysed ? ", in no block" : NULL);
    for (unsigned b = 0; b < cc_n_bounds(r); b++)
        report_count(row,
                     R_SEEN(cc_bound_text(row, r, "within ", r->order[b]),
                            .shown = REPORT_SHOWN_HTML,
                            .flags = b > 0 ? REPORT_EXTRA : 0),
                     f->occurrences[r->order[b]]);
}

struct report_table cc_table_outside_list(const struct cc_report *r)
{
    return REPORT_TABLE(r->outside->n_listed, fill_outside_list, r,
                        .id = "files", .is_joined = true,
                        .bare = REPORT_SHOWN_TEXT);
}

static void put_forward(struct report_row *row, const char *heading,
                        const char *name, unsigned flags, uint64_t part,
                        uint64_t all)
{
    report_ratio(row,
                 R_SEEN(heading, .shown = REPORT_SHOWN_HTML, .flags = flags),
                 part, all);
    report_count(row, R_KEY(name), part);
}

static void fill_forwards(struct report_row *row, const void *from, size_t i)
{
    static const char *const names[FORWARD_N] = FORWARD_NAMES;
    const struct cc_report *r = from;
    const struct cc_forwards *f = &r->data->forwards[cc_bound_of(r, i)];
    uint64_t all = cc_forwards_known(f);

    cc_put_bound(
        row, R_BOTH("lifetime", "lifetime", .shown = REPORT_SHOWN_HTML), r, i);
    report_count(row, R_KEY("occurrences"), all);
    for (int kind = 0; kind < FORWARD_N; kind++)
        put_forward(row, kind == FORWARD_SAME ? "same bytes" : names[kind],
                    names[kind], 0, f->by[kind], all);
    put_forward(row, "crossing a line", "crossing", REPORT_EXTRA, f->crossing,
                all);
    report_count(row,
                 R_SEEN("occurrences", .shown = REPORT_SHOWN_HTML,
                        .flags = REPORT_EXTRA),
                 all);
}

struct report_table cc_table_forwards(const struct cc_report *r)
{
    return REPORT_TABLE(cc_n_bounds(r), fill_forwards, r, .key = "forwards",
                        .is_plain = true);
}

/* --- Why dependencies were missed --- */

static enum cc_reason reason_number(const struct cc_report *r, size_t i)
{
    enum cc_reason reason = 0;

    for (;; reason++)
        if (cc_reason_applies(r->data, reason) && i-- == 0)
            return reason;
}

static void fill_missed(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    enum cc_reason reason = reason_number(r, i);
    const struct cc_reason_counts *c = &r->reasons[r->order[0]];
    uint64_t dependencies = 0, occurrences = 0;

    for (int any = 0; any < CC_N_REASONS; any++) {
        dependencies += c->dependencies[any];
        occurrences += c->occurrences[any];
    }
    report_text(row, R_SEEN("reason", .flags = REPORT_LEFT, .width = 39),
                cc_reason_text(reason));
    report_count(row, R_SEEN("dependencies", .shown = REPORT_SHOWN_MARKDOWN),
                 c->dependencies[reason]);
    report_ratio(row, R_SEEN("dependencies", .shown = REPORT_SHOWN_TEXT),
                 c->dependencies[reason], dependencies);
    report_count(row, R_SEEN("occurrences", .shown = REPORT_SHOWN_MARKDOWN),
                 c->occurrences[reason]);
    report_ratio(row, R_SEEN("occurrences", .shown = REPORT_SHOWN_TEXT),
                 c->occurrences[reason], occurrences);
    for (unsigned b = 0; b < cc_n_bounds(r); b++) {
        const char *unit = cc_bound_text(row, r, "", r->order[b]);

        c = &r->reasons[r->order[b]];
        report_count(row,
                     R_SEEN("dependencies", .unit = unit,
                            .shown = REPORT_SHOWN_HTML,
                            .flags = b > 0 ? REPORT_EXTRA : 0),
                     c->dependencies[reason]);
        report_count(row,
                     R_SEEN("occurrences", .unit = unit,
                            .shown = REPORT_SHOWN_HTML,
                            .flags = b > 0 ? REPORT_EXTRA : 0),
                     c->occurrences[reason]);
    }
}

struct report_table cc_table_missed(const struct cc_report *r)
{
    size_t n = 0;

    for (enum cc_reason reason = 0; reason < CC_N_REASONS; reason++)
        n += cc_reason_applies(r->data, reason);
    return REPORT_TABLE(n, fill_missed, r, .is_joined = true, .is_plain = true);
}

static void fill_reasons(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_reason_counts *c = &r->reasons[cc_bound_of(r, i)];

    cc_put_bound(row, R_KEY("lifetime"), r, i);
    for (enum cc_reason reason = 0; reason < CC_N_REASONS; reason++) {
        char key[64];

        snprintf(key, sizeof key, "%s.dependencies", cc_reason_name(reason));
        report_count(row, R_KEY(report_copy(row, key)),
                     c->dependencies[reason]);
        snprintf(key, sizeof key, "%s.occurrences", cc_reason_name(reason));
        report_count(row, R_KEY(report_copy(row, key)), c->occurrences[reason]);
    }
}

struct report_table cc_table_reasons(const struct cc_report *r)
{
    return REPORT_TABLE(cc_n_bounds(r), fill_reasons, r,
                        .key = "missed_reasons");
}
