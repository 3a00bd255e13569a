/*
 * cc_words: what covcheck's reports say in words.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/cc_words.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "memory.h"
#include "model/cc_find.h"

#define MAX_NAMED 3 /* objects whose path names a program */

void cc_filter_text(const struct cc_filter *filter, char text[CC_FILTER_TEXT])
{
    char share[64] = "", weight[64] = "";

    if (filter->min_share > 0)
        snprintf(share, sizeof share,
                 "executed at least %.12g%% of all instructions",
                 filter->min_share);
    if (filter->min_weight > 0)
        snprintf(weight, sizeof weight,
                 "ran at least %.12g%% as often as the heaviest",
                 filter->min_weight);
    snprintf(text, CC_FILTER_TEXT, "%s%s%s", share,
             *share != '\0' && *weight != '\0' ? " and " : "", weight);
    if (*text == '\0')
        snprintf(text, CC_FILTER_TEXT, "were executed");
}

uint64_t *cc_deltas_of(const struct cc_data *data, const struct cc_observed *d,
                       size_t *n)
{
    size_t n_all;
    const struct cc_prediction *p = cc_find_predictions(data, d, &n_all);
    uint64_t *deltas = memory_new(n_all, sizeof *deltas);

    /* What has none comes last. */
    for (*n = 0; *n < n_all && p[*n].delta_k != CC_ANY_DELTA; (*n)++)
        deltas[*n] = p[*n].delta_k;
    return deltas;
}

char *cc_deltas_text(const struct cc_data *data, const struct cc_observed *d)
{
    size_t n;
    uint64_t *deltas = cc_deltas_of(data, d, &n);
    struct memory_stream text;

    memory_stream_open(&text);
    for (size_t i = 0; i < n; i++)
        fprintf(text.out, "%s%" PRIu64, i > 0 ? ", " : "", deltas[i]);
    free(deltas);
    return memory_stream_close(&text);
}

const char *cc_evidence_text(enum cc_evidence evidence)
{
    static const char *const texts[CC_N_EVIDENCES] = {
        [CC_EVIDENCE_BLOCK] = "",
        [CC_EVIDENCE_WALK] = " by walks",
        [CC_EVIDENCE_FLOW] = " by flow",
    };

    assert(evidence < CC_N_EVIDENCES);
    return texts[evidence];
}

const struct cc_where_counts *
cc_report_between_threads(const struct cc_report *report, char bound[CC_BOUND])
{
    const struct cc_bounds *bounds = &report->data->bounds;
    unsigned largest = cc_bounds_largest(bounds);

    if (report->where[largest].cross_thread == 0)
        return NULL;
    cc_bound_format(bounds->bound[largest], bound);
    return &report->where[largest];
}

static double percent(uint64_t part, uint64_t whole)
{
    return 100 * (double)part / (double)whole;
}

bool cc_forwards_format(const struct cc_report *report, char text[CC_FORWARDS])
{
    const struct cc_forwards *f = &report->data->forwards[0];
    uint64_t n = cc_forwards_known(f);
    char bound[CC_BOUND];

    if (n == 0)
        return false;
    cc_bound_format(report->data->bounds.bound[0], bound);
    snprintf(text, CC_FORWARDS,
             "at lifetime %s %.1f %% same bytes, %.1f %% contained, %.1f %% "
             "partial, %.1f %% several stores; %.1f %% cross a line",
             bound, percent(f->by[FORWARD_SAME], n),
             percent(f->by[FORWARD_CONTAINED], n),
             percent(f->by[FORWARD_PARTIAL], n),
             percent(f->by[FORWARD_SEVERAL], n), percent(f->crossing, n));
    return true;
}

char *cc_report_program(const struct cc_data *data)
{
    uint32_t n = data->n_objects > MAX_NAMED + 1 ? MAX_NAMED : data->n_objects;
    struct memory_stream text;

    memory_stream_open(&text);
    for (uint32_t i = 0; i < n; i++)
        fprintf(text.out, "%s%s", i > 0 ? ", " : "", data->objects[i].path);
    if (n < data->n_objects)
        fprintf(text.out, " and %" PRIu32 " more", data->n_objects - n);
    return memory_stream_close(&text);
}
