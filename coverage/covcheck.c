/*
 * covcheck: how much of what depsim saw did staticdeps predict?
 *
 * It joins the two databases, prints one row for each lifetime bound, and
 * holds the figures against the bars of the command line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc_data.h"
#include "cc_gate.h"
#include "cc_load.h"
#include "cc_match.h"
#include "cc_options.h"
#include "cc_report.h"
#include "cc_score.h"

enum { STATUS_OK, STATUS_GATE, STATUS_TROUBLE };

static void complain(const struct diag *d)
{
    fprintf(stderr, "covcheck: %s\n", d->text);
}

static void warn(const struct cc_data *data, const struct cc_inputs *in)
{
    struct diag d;

    for (size_t i = 0; i < data->n_incomplete; i++) {
        const struct cc_run *run = &data->incomplete_runs[i];

        diag_set(&d, "%s: run %" PRId64 " is incomplete", in->deps[run->source],
                 run->id);
        complain(&d);
    }
}

/* What was printed may still fail to arrive, on a full disk. */
static int flush_report(struct diag *d)
{
    if (ferror(stdout) || fflush(stdout) != 0)
        return diag_set(d, "standard output: %s",
                        errno != 0 ? strerror(errno) : "write error");
    return 0;
}

static bool report_failures(const struct cc_check *checks, size_t n)
{
    bool passed = true;
    struct diag d;

    for (size_t i = 0; i < n; i++) {
        if (checks[i].passed)
            continue;
        passed = false;
        cc_check_describe(&checks[i], &d);
        complain(&d);
    }
    return passed;
}

static int judge(const struct cc_options *options, const struct cc_data *data)
{
    struct cc_score *total = cc_scores_new_total(data);
    struct cc_score *by_object = cc_scores_new_by_object(data);
    size_t n_checks;
    struct cc_check *checks = cc_gates_check(options->gates, options->n_gates,
                                             total, &data->bounds, &n_checks);
    const struct cc_report report = {data,   total,    by_object,
                                     checks, n_checks, options->min_weight};
    int status = STATUS_OK;
    struct diag d;

    cc_report_write(stdout, options->format, &report);
    if (flush_report(&d) != 0) {
        complain(&d);
        status = STATUS_TROUBLE;
    } else if (!report_failures(checks, n_checks))
        status = STATUS_GATE;
    free(checks);
    cc_scores_free(by_object);
    cc_scores_free(total);
    return status;
}

static int run(const struct cc_options *options)
{
    struct cc_data data = {0};
    int status = STATUS_TROUBLE;
    struct diag d;

    if (cc_load(&data, &options->in, &d) == 0) {
        warn(&data, &options->in);
        cc_match(&data, options->min_weight);
        status = judge(options, &data);
    } else
        complain(&d);
    cc_data_fini(&data);
    return status;
}

int main(int argc, char **argv)
{
    struct cc_options options;
    int status = STATUS_TROUBLE;
    struct diag d;

    switch (cc_options_parse(&options, argc, argv, &d)) {
    case OPTIONS_RUN:
        status = run(&options);
        break;
    case OPTIONS_DONE:
        status = flush_report(&d) == 0 ? STATUS_OK : STATUS_TROUBLE;
        if (status != STATUS_OK)
            complain(&d);
        break;
    case OPTIONS_BAD:
        complain(&d);
        break;
    }
    cc_options_fini(&options);
    return status;
}
