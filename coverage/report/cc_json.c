/* cc_json: a report for programs: the order of its tables, and the tables that
   only JSON has. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/cc_report.h"

static void fill_head(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    char headline[CC_HEADLINE];

    (void)i;
    cc_headline(r, headline);
    report_text(row, R_KEY("scope"), cc_scope_name(r->data->scope));
    report_text(row, R_KEY("syntax"), disasm_syntaxes[r->syntax]);
    report_text(row, R_KEY("headline"), headline);
}

static void fill_shares(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    struct cc_share s = cc_share_at(r, cc_bound_of(r, i));

    cc_put_bound(row, R_KEY("lifetime"), r, i);
    report_ratio(row, R_KEY("share"), s.scored, s.all);
    report_count(row, R_KEY("occurrences"), s.all);
    report_count(row, R_KEY("scored"), s.scored);
    report_count(row, R_KEY("dropped"), s.dropped);
    report_count(row, R_KEY("between_blocks"), s.between);
    report_count(row, R_KEY("outside"), s.outside);
    report_ratio(row, R_KEY("within_scope"), s.within, s.all);
}

static void fill_settings(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;

    (void)i;
    report_real(row, R_KEY("min_weight"), r->filter.min_weight);
    report_real(row, R_KEY("min_share"), r->filter.min_share);
    report_count(row, R_KEY("runs"), r->data->n_runs);
    if (r->groups.by != CC_BY_NONE)
        report_text(row, R_KEY("by"), cc_by_words[r->groups.by]);
}

static void fill_object(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t object = i / cc_n_bounds(r);
    const struct cc_object *o = &r->data->objects[object];
    const struct cc_left_out *left_out = &r->notes->left_out[object];

    assert(left_out->outside <= left_out->dependencies);
    report_text(row, R_KEY("path"), o->path);
    report_text(row, R_KEY("build_id"), o->build_id);
    report_text(row, R_KEY("filter"), o->filter);
    report_count(row, R_KEY("left_out.dependencies"), left_out->outside);
    report_count(row, R_KEY("left_out.occurrences"),
                 left_out->outside_occurrences);
    cc_put_score(row, r, &r->by_object[object], i);
}

static void fill_incomplete(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_run *run = &r->data->incomplete_runs[i];

    report_text(row, R_KEY("database"), r->notes->in->deps[run->source]);
    report_count(row, R_KEY("run"), (uint64_t)run->id);
}

static void fill_rebuilt(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_note *note = &r->notes->items[r->data->n_incomplete + i];
    const struct cc_rebuilt *b = &r->data->rebuilt[note->number];

    assert(note->number < r->data->n_rebuilt);
    report_text(row, R_KEY("path"), b->path);
    report_text(row, R_KEY("database"), r->notes->in->deps[b->deps]);
    report_text(row, R_KEY("build_id"), b->build_id);
    report_text(row, R_KEY("static_database"),
                r->notes->in->statics[b->statics]);
    report_text(row, R_KEY("static_build_id"), b->static_build_id);
}

static void fill_group(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_group *g = &r->groups.list[i / cc_n_bounds(r)];
    const struct cc_object *o = &r->data->objects[g->object];

    report_text(row, R_KEY("path"), o->path);
    report_text(row, R_KEY("object"), o->build_id);
    report_text(row, R_KEY("function"), g->function);
    report_text(row, R_KEY("other_names"), g->other_names);
    if (r->groups.by == CC_BY_LINE) {
        report_text(row, R_KEY("file"), g->file);
        report_count(row, R_KEY("line"), (uint64_t)g->line);
    }
    report_address(row, R_KEY("start"), g->start);
    report_address(row, R_KEY("end"), g->end);
    report_count(row, R_KEY("weight"), g->weight);
    cc_put_score(row, r, g->score, i);
}

static void fill_support(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t threshold = i / cc_n_bounds(r);

    assert(threshold / CC_N_SUPPORTS <= r->data->scope);
    report_text(row, R_KEY("scope"),
                cc_scope_name((enum cc_scope)(threshold / CC_N_SUPPORTS)));
    report_count(row, R_KEY("support"),
                 threshold % CC_N_SUPPORTS * CC_SUPPORT_STEP);
    cc_put_lifetime(row, r, i);
    cc_put_part(row, &r->by_support[threshold], cc_bound_of(r, i), R_HIDDEN);
}

static void fill_outside(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_outside_file *f = &r->outside.files[i / cc_n_bounds(r)];

    report_text(row, R_KEY("path"), f->path);
    report_bool(row, R_KEY("analysed"), f->is_analysed);
    cc_put_bound(row, R_KEY("lifetime", .flags = R_INNER), r, i);
    report_count(row, R_KEY("occurrences", .flags = R_INNER),
                 f->occurrences[cc_bound_of(r, i)]);
}

static void fill_command(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    AUTO_FREE char *command = cc_outside_command(r->data, &r->outside);

    (void)i;
    report_text(row, R_KEY("outside_command"), command);
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

static void fill_transitions(struct report_row *row, const void *from, size_t i)
{
    static const char *const befores[] = {"found", "missed", "new"};
    static const char *const nows[] = {"found", "missed", "unscored", "gone"};
    const struct cc_report *r = from;
    const struct cc_outcomes *f = &r->comparison.outcomes;

    (void)i;
    for (unsigned before = 0; before < CC_N_BEFORE; before++)
        for (int now = 0; now < (before == CC_NEW ? CC_UNSCORED_NOW : CC_N_NOW);
             now++)
            report_count(row,
                         R_KEY(report_keep(
                             row, memory_printf("transitions.%s.%s",
                                                befores[before], nows[now]))),
                         f->counts[before][now]);
    report_count(row, R_KEY("transitions.unnamed.before"), f->n_unnamed_before);
    report_count(row, R_KEY("transitions.unnamed.now"), f->n_unnamed_now);
}

/* --- The report --- */

/* Writes what identifies each dependency of a verdict to a later run. */
static void write_identities(struct report *out, const struct cc_report *r,
                             const char *key, enum cc_verdict verdict)
{
    const struct cc_data *data = r->data;
    AUTO_FREE uint32_t *items = memory_new(data->n_observed, sizeof *items);
    struct cc_list list = {r, items, 0};

    for (uint32_t i = 0; i < data->n_observed; i++)
        if (data->observed[i].verdict == verdict &&
            cc_weight_of(data, &data->observed[i]) > 0)
            items[list.n++] = i;
    cc_write_table(out, cc_table_identities(&list, key));
}

static void write_figures(struct report *out, const struct cc_report *r)
{
    cc_write_table(out, REPORT_TABLE(1, fill_head, r));
    cc_write_table(
        out, REPORT_TABLE(cc_n_bounds(r), fill_shares, r, .key = "scored"));
    cc_write_table(out, cc_table_total(r));
    cc_write_table(out, REPORT_TABLE(1, fill_settings, r));
    cc_write_table(out, REPORT_TABLE(r->data->n_objects * cc_n_bounds(r),
                                     fill_object, r, .key = "objects",
                                     .inner = "lifetimes",
                                     .n_inner = cc_n_bounds(r)));
    cc_write_table(out, REPORT_TABLE(r->data->n_incomplete, fill_incomplete, r,
                                     .key = "incomplete_runs"));
    cc_write_table(out, REPORT_TABLE(r->notes->n_rebuilt, fill_rebuilt, r,
                                     .key = "rebuilt"));
    cc_write_table(out, cc_table_gates(r));
    if (r->groups.by != CC_BY_NONE)
        cc_write_table(out,
                       REPORT_TABLE(r->groups.n * cc_n_bounds(r), fill_group, r,
                                    .key = "groups", .inner = "lifetimes",
                                    .n_inner = cc_n_bounds(r)));
    cc_write_table(out, cc_table_scopes(r));
    cc_write_table(
        out, REPORT_TABLE((r->data->scope + 1) * CC_N_SUPPORTS * cc_n_bounds(r),
                          fill_support, r, .key = "by_support",
                          .inner = "lifetimes", .n_inner = cc_n_bounds(r)));
    cc_write_table(out, cc_table_evidences(r));
    cc_write_table(out, cc_table_where(r));
    cc_write_table(out,
                   REPORT_TABLE(r->outside.n * cc_n_bounds(r), fill_outside, r,
                                .key = "outside", .inner = "lifetimes",
                                .n_inner = cc_n_bounds(r)));
    cc_write_table(out, REPORT_TABLE(1, fill_command, r));
    cc_write_table(out, cc_table_forwards(r));
    cc_write_table(out, REPORT_TABLE(cc_n_bounds(r), fill_reasons, r,
                                     .key = "missed_reasons"));
    write_identities(out, r, "found_dependencies", CC_FOUND);
    write_identities(out, r, "all_missed_dependencies", CC_MISSED);
}

/* Writes the lists of dependencies, and what has changed since the baseline. */
static void write_lists(struct report *out, const struct cc_report *r)
{
    const struct cc_outcomes *f = &r->comparison.outcomes;
    const struct cc_list lost = {r, f->lost, f->n_lost};
    const struct cc_list found = {r, r->found.items, r->found.n};
    const struct cc_list missed = {r, r->missed.items, r->missed.n};
    const struct cc_list false_ones = {r, r->false_positives.items,
                                       r->false_positives.n};

    if (r->comparison.changes != NULL) {
        cc_write_table(out, cc_table_changes(r));
        cc_write_table(out, REPORT_TABLE(1, fill_transitions, r));
        cc_write_table(out,
                       cc_table_observed(&lost, "lost_dependencies", "lost"));
        cc_write_table(out, cc_table_gone(r));
    }
    if (found.items != NULL)
        cc_write_table(out, cc_table_observed(
                                &found, "listed_found_dependencies", "found"));
    if (missed.items != NULL)
        cc_write_table(
            out, cc_table_observed(&missed, "missed_dependencies", "missed"));
    if (false_ones.items != NULL)
        cc_write_table(out, cc_table_false(&false_ones));
}

void cc_write_json(struct report *out, const struct cc_report *r)
{
    report_begin(out);
    write_figures(out, r);
    write_lists(out, r);
    report_end(out);
}
