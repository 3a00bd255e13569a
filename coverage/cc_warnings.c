/*
 * cc_warnings: what covcheck says on standard error.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cc_warnings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report/cc_cells.h"
#include "report/cc_headline.h"

void cc_warn(const struct diag *d)
{
    fprintf(stderr, "covcheck: %s\n", d->text);
}

/* An incomplete run is used, unless the user is strict. */
bool cc_warn_of_runs(const struct cc_data *data,
                     const struct cc_options *options)
{
    struct diag d;

    for (size_t i = 0; i < data->n_incomplete; i++) {
        const struct cc_run *run = &data->incomplete_runs[i];

        diag_set(&d, "%s: run %" PRId64 " is incomplete",
                 options->in.deps[run->source], run->id);
        cc_warn(&d);
        if (options->is_strict)
            return false;
    }
    return true;
}

/* So is a part of a program. */
bool cc_warn_of_filters(const struct cc_data *data,
                        const struct cc_left_out *left_out,
                        const struct cc_options *options)
{
    for (uint32_t i = 0; i < data->n_objects; i++) {
        if (!left_out[i].has_run)
            continue;
        fputs("covcheck: ", stderr);
        cc_write_left_out(stderr, &data->objects[i], &left_out[i],
                          cc_write_safe);
        fputc('\n', stderr);
        if (options->is_strict)
            return false;
    }
    return true;
}

/* Has an object before it the same two builds? */
static bool is_repeated(const struct cc_data *data, size_t i)
{
    const struct cc_rebuilt *r = &data->rebuilt[i];

    for (size_t j = 0; j < i; j++)
        if (strcmp(data->rebuilt[j].path, r->path) == 0 &&
            strcmp(data->rebuilt[j].build_id, r->build_id) == 0)
            return true;
    return false;
}

/* What another build executed is left out, unless the user is strict. */
bool cc_warn_of_rebuilt(const struct cc_data *data,
                        const struct cc_options *options)
{
    struct diag d;

    for (size_t i = 0; i < data->n_rebuilt; i++) {
        if (is_repeated(data, i))
            continue;
        cc_describe_rebuilt(&data->rebuilt[i], &options->in, &d);
        cc_warn(&d);
        if (options->is_strict)
            return false;
    }
    return true;
}

static void mark_ends(bool *objects, const struct cc_observed *d)
{
    objects[d->src_object] = objects[d->dst_object] = true;
}

/* The lists name instructions and lines only of objects whose file is there. */
void cc_warn_of_files(const struct cc_report *report)
{
    const struct cc_data *data = report->data;
    bool *is_listed = memory_new(data->n_objects, sizeof *is_listed);

    for (size_t i = 0; report->missed && i < report->missed->n; i++)
        mark_ends(is_listed, &data->observed[report->missed->items[i]]);
    for (size_t i = 0;
         report->comparison && i < report->comparison->fates.n_lost; i++)
        mark_ends(is_listed,
                  &data->observed[report->comparison->fates.lost[i]]);
    for (size_t i = 0;
         report->false_positives && i < report->false_positives->n; i++) {
        const struct cc_prediction *p =
            &data->predictions[report->false_positives->items[i]];

        is_listed[data->blocks[p->block].object] = true;
        is_listed[data->blocks[p->dst_block].object] = true;
    }
    for (uint32_t i = 0; i < data->n_objects; i++) {
        const char *trouble =
            is_listed[i] ? cc_symbolizer_trouble(report->symbolizer, i) : NULL;
        struct diag d;

        if (trouble == NULL)
            continue;
        diag_set(&d, "%s", trouble);
        cc_warn(&d);
    }
    free(is_listed);
}

bool cc_warn_of_checks(const struct cc_check *checks, size_t n)
{
    bool passed = true;
    struct diag d;

    for (size_t i = 0; i < n; i++) {
        if (checks[i].passed)
            continue;
        passed = false;
        cc_check_describe(&checks[i], &d);
        cc_warn(&d);
    }
    return passed;
}
