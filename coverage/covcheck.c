/*
 * covcheck: how much of what depsim saw did staticdeps predict?
 *
 * It joins the two databases, prints one row for each lifetime bound, and
 * holds the figures against the thresholds of the command line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "html/cc_html.h"
#include "cc_options.h"
#include "file.h"
#include "demangle.h"
#include "output.h"

enum { STATUS_OK, STATUS_GATE, STATUS_TROUBLE };

/* --- What covcheck says on standard error --- */

static void warn(const struct diag *d)
{
    fprintf(stderr, "covcheck: %s\n", d->text);
}

/* Warns of a text that may come from a database. */
static void warn_of(const char *text)
{
    struct diag d;

    diag_set(&d, "%s", text);
    warn(&d);
}

/* Warns of what the figures do not cover.  False if that is an error. */
static bool warn_of_notes(const struct cc_notes *notes,
                          const struct cc_options *options)
{
    for (size_t i = 0; i < notes->n; i++) {
        warn_of(notes->items[i].text);
        if (options->is_strict)
            return false;
    }
    return true;
}

static void mark_ends(bool *objects, const struct cc_observed *d)
{
    assert(d->verdict == CC_MISSED);
    objects[d->src_object] = objects[d->dst_object] = true;
}

/* Warns of listed objects whose file is not there: the lists cannot name their
   instructions and lines. */
static void warn_of_files(const struct cc_report *report)
{
    const struct cc_data *data = report->data;
    AUTO_FREE bool *is_listed = memory_new(data->n_objects, sizeof *is_listed);

    for (size_t i = 0; i < report->missed.n; i++)
        mark_ends(is_listed, &data->observed[report->missed.items[i]]);
    for (size_t i = 0; i < report->comparison.outcomes.n_lost; i++)
        mark_ends(is_listed,
                  &data->observed[report->comparison.outcomes.lost[i]]);
    for (size_t i = 0; i < report->false_positives.n; i++) {
        const struct cc_prediction *p =
            &data->predictions[report->false_positives.items[i]];

        is_listed[data->blocks[p->block].object] = true;
        is_listed[data->blocks[p->dst_block].object] = true;
    }
    for (uint32_t i = 0; i < data->n_objects; i++) {
        const char *trouble =
            is_listed[i] ? cc_symbolizer_trouble(report->symbolizer, i) : NULL;

        if (trouble != NULL)
            warn_of(trouble);
    }
}

/* Warns of each check that failed.  True if none did. */
static bool warn_of_checks(const struct cc_check *checks, size_t n)
{
    bool passed = true;
    struct diag d;

    for (size_t i = 0; i < n; i++) {
        if (checks[i].passed)
            continue;
        passed = false;
        cc_check_describe(&checks[i], &d);
        warn(&d);
    }
    return passed;
}

/* --- The report --- */

static bool same_file(const char *a, const char *b)
{
    struct stat sa, sb;

    return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
           sa.st_ino == sb.st_ino;
}

/* Refuses a page that would overwrite an input. */
static int check_html_path(const struct cc_options *options, struct diag *d)
{
    const struct cc_inputs *in = &options->in;
    const char *path = options->html_path;
    bool is_input = false;

    if (path == NULL)
        return 0;
    for (size_t i = 0; i < in->n_deps; i++)
        is_input |= same_file(path, in->deps[i]);
    for (size_t i = 0; i < in->n_statics; i++)
        is_input |= same_file(path, in->statics[i]);
    is_input |= options->baseline != NULL && same_file(path, options->baseline);
    return is_input ? diag_set(d, "--html=%s: it is one of the databases", path)
                    : 0;
}

/* Prints the report, writes the page if one is asked for, and says whether all
   thresholds were reached. */
static int publish(const struct cc_options *options,
                   const struct cc_report *report, const struct cc_curve *curve)
{
    struct diag d;

    warn_of_files(report);
    cc_report_write(stdout, options->format, report);
    if (file_flush_output(&d) != 0 ||
        (options->html_path != NULL &&
         cc_html_write(options->html_path, report, curve, &d) != 0)) {
        warn(&d);
        return STATUS_TROUBLE;
    }
    return warn_of_checks(report->checks, report->n_checks) ? STATUS_OK
                                                            : STATUS_GATE;
}

/* Does every missed dependency have one reason, and does all that was scored
   lie within the scope? */
__attribute__((unused)) static bool add_up(const struct cc_report *r,
                                           const struct cc_data *data)
{
    for (unsigned b = 0; b < data->bounds.n; b++) {
        const struct cc_tally *t = &r->total->tally[b];
        uint64_t missed = 0, missed_occurrences = 0, all = 0;

        for (int i = 0; i < CC_N_REASONS; i++) {
            missed += r->reasons[b].dependencies[i];
            missed_occurrences += r->reasons[b].occurrences[i];
        }
        for (int i = 0; i < CC_N_WHERE; i++)
            all += r->where[b].occurrences[i];
        if (missed != t->missed ||
            missed_occurrences != t->missed_occurrences ||
            all != r->where[b].all ||
            t->found_occurrences + t->missed_occurrences >
                r->where[b].within[data->scope])
            return false;
    }
    return true;
}

static void compute(struct cc_report *r, const struct cc_options *options,
                    const struct cc_data *data,
                    const struct cc_baseline *baseline)
{
    r->total = cc_scores_new_total(data);
    r->by_object = cc_scores_new_by_object(data);
    r->by_scope = cc_scores_new_by_scope(data);
    r->by_support = cc_scores_new_by_support(data);
    r->by_evidence = cc_scores_new_by_evidence(data);
    r->program = cc_report_program(data);
    r->symbolizer = cc_symbolizer_new(data);
    cc_symbolizer_set_syntax(r->symbolizer, options->syntax);
    r->groups = options->by == CC_BY_LINE
                    ? cc_groups_new_by_line(data, r->symbolizer)
                    : cc_groups_new(data, options->by);
    r->checks =
        cc_gates_check(options->gates, options->n_gates, r->total,
                       &data->bounds, options->allows_empty, &r->n_checks);
    cc_where_count(data, r->where);
    cc_reasons_count(data, r->reasons);
    r->outside = cc_outside_new(data);
    assert(add_up(r, data));
    assert(r->n_checks >= options->n_gates);
    if (options->n_found > 0)
        r->found = cc_select_observed(data, CC_FOUND, 0, options->n_found);
    assert(options->n_found == 0 || r->found.n_all == r->total->tally[0].found);
    if (options->n_missed > 0)
        r->missed = cc_select_observed(data, CC_MISSED, 0, options->n_missed);
    assert(options->n_missed == 0 ||
           r->missed.n_all == r->total->tally[0].missed);
    if (options->n_false_positives > 0)
        r->false_positives = cc_select_false(data, options->n_false_positives);
    if (options->baseline == NULL)
        return;
    /* The baseline's syntax makes the instructions comparable. */
    cc_symbolizer_set_syntax(r->symbolizer, baseline->syntax);
    r->comparison = cc_compare(data, r->total, r->symbolizer, baseline);
    cc_symbolizer_set_syntax(r->symbolizer, options->syntax);
    if (options->max_drop >= 0)
        r->checks =
            cc_drops_check(&r->comparison, options->max_drop,
                           options->allows_empty, r->checks, &r->n_checks);
}

static void report_fini(struct cc_report *r)
{
    free(r->program);
    free(r->checks);
    cc_outside_fini(&r->outside);
    free(r->found.items);
    free(r->missed.items);
    free(r->false_positives.items);
    cc_comparison_fini(&r->comparison);
    cc_symbolizer_free(r->symbolizer);
    cc_groups_fini(&r->groups);
    cc_scores_free(r->by_evidence);
    cc_scores_free(r->by_support);
    cc_scores_free(r->by_scope);
    cc_scores_free(r->by_object);
    cc_scores_free(r->total);
}

static int judge(const struct cc_options *options, const struct cc_data *data,
                 const struct cc_notes *notes, const struct cc_curve *curve,
                 const struct cc_baseline *baseline)
{
    AUTO_FINI(report_fini)
    struct cc_report report = {
        .data = data,
        .filter = options->filter,
        .notes = notes,
        .command = options->command,
        .syntax = options->syntax,
        .has_colour = terminal_has_colour(STDOUT_FILENO),
    };

    assert(data->bounds.n == data->n_reported);
    for (unsigned b = 0; b < data->bounds.n; b++)
        report.order[b] = b;
    compute(&report, options, data, baseline);
    return publish(options, &report, curve);
}

/* Matches the data that were read, and computes their scores. */
static int score(const struct cc_options *options, struct cc_data *data,
                 const struct cc_baseline *baseline)
{
    struct cc_curve curve = {0};
    int status = STATUS_TROUBLE;

    cc_match(data, options->filter);
    AUTO_FREE struct cc_left_out *left_out = cc_left_out_new(data);
    AUTO_FINI(cc_notes_fini)
    struct cc_notes notes = cc_notes_new(data, &options->in, left_out);
    if (warn_of_notes(&notes, options)) {
        if (options->html_path != NULL)
            cc_curve_take(&curve, data);
        status = judge(options, data, &notes, &curve, baseline);
    }
    return status;
}

/* As many databases as possible are open at once, each in a transaction, so
   that none changes while it is read; the usual limit is 1024 files. */
static void raise_file_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Refuses to compare figures of two scopes, which count different pairs. */
static int check_baseline(const struct cc_options *options,
                          const struct cc_baseline *baseline,
                          const struct cc_data *data, struct diag *d)
{
    if (options->baseline == NULL || baseline->scope == data->scope)
        return 0;
    return diag_set(d, "%s: a report with --scope=%s; this one has --scope=%s",
                    options->baseline, cc_scope_name(baseline->scope),
                    cc_scope_name(data->scope));
}

static int run(const struct cc_options *options)
{
    AUTO_FINI(cc_baseline_fini) struct cc_baseline baseline = {0};
    AUTO_FINI(cc_data_fini) struct cc_data data = {0};
    int status = STATUS_TROUBLE;
    struct diag d;

    raise_file_limit();
    if (check_html_path(options, &d) != 0 ||
        (options->baseline != NULL &&
         cc_baseline_read(&baseline, options->baseline, &d) != 0) ||
        cc_read(&data, &options->in, &d) != 0 ||
        check_baseline(options, &baseline, &data, &d) != 0)
        warn(&d);
    else
        status = score(options, &data, &baseline);
    return status;
}

int main(int argc, char **argv)
{
    AUTO_FINI(cc_options_fini) struct cc_options options;
    int status = STATUS_TROUBLE;
    struct diag d;

    switch (cc_options_parse(&options, argc, argv, &d)) {
    case OPTIONS_RUN:
        status = run(&options);
        break;
    case OPTIONS_DONE:
        status = file_flush_output(&d) == 0 ? STATUS_OK : STATUS_TROUBLE;
        if (status != STATUS_OK)
            warn(&d);
        break;
    case OPTIONS_BAD:
        warn(&d);
        break;
    }
    demangle_fini();
    return status;
}
