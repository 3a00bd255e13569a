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
#include "report/report.h"

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

bool cc_forwards_format(const struct cc_report *report, char text[CC_FORWARDS])
{
    const struct cc_forwards *f = &report->data->forwards[0];
    uint64_t n = cc_forwards_known(f);

    if (n == 0)
        return false;
    snprintf(text, CC_FORWARDS,
             "at lifetime %s %.1f %% same bytes, %.1f %% contained, %.1f %% "
             "partial, %.1f %% several stores; %.1f %% cross a line",
             bound_text(report->data->bounds.bound[0]).text,
             report_percent(f->by[FORWARD_SAME], n),
             report_percent(f->by[FORWARD_CONTAINED], n),
             report_percent(f->by[FORWARD_PARTIAL], n),
             report_percent(f->by[FORWARD_SEVERAL], n),
             report_percent(f->crossing, n));
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

/* --- How much of what occurred is scored --- */

struct cc_share cc_share_at(const struct cc_report *report, unsigned bound)
{
    const struct cc_tally *t = &report->total->tally[bound];
    const struct cc_where_counts *c = &report->where[bound];
    struct cc_share s = {
        .all = c->all,
        .scored = t->found_occurrences + t->missed_occurrences,
        .outside = c->occurrences[CC_OUTSIDE],
    };

    s.within = c->within[report->data->scope];
    assert(s.scored <= s.within);
    s.dropped = s.within - s.scored;
    s.between = s.all - s.outside - s.within;
    return s;
}

static void write_part(FILE *out, const char *before, uint64_t part,
                       uint64_t all, const char *after)
{
    fprintf(out, "; %s%s%s", before, report_ratio_text(part, all).text, after);
}

/* Says which options would add what the filter drops. */
static void write_dropped(FILE *out, const struct cc_share *s,
                          const struct cc_filter *filter)
{
    bool by_share = filter->min_share > 0, by_weight = filter->min_weight > 0;

    if (by_share || by_weight)
        write_part(out,
                   by_share && by_weight ? "--min-share=0 --min-weight=0 adds "
                   : by_share            ? "--min-share=0 adds "
                                         : "--min-weight=0 adds ",
                   s->dropped, s->all, "");
    else
        write_part(out, "", s->dropped, s->all,
                   " lie in blocks without executions");
}

/* Says what cannot be scored, if it is most of the rest, and what could be. */
static void write_rest(FILE *out, const struct cc_share *s,
                       const struct cc_report *report)
{
    enum cc_scope scope = report->data->scope;

    if (s->between >= s->dropped && s->between >= s->outside && s->between > 0)
        write_part(out, "", s->between, s->all,
                   scope == CC_SCOPE_BLOCK ? " span blocks"
                                           : " reach beyond it");
    if (s->dropped > 0 && s->dropped >= s->outside)
        write_dropped(out, s, &report->filter);
    else if (s->outside > 0)
        write_part(out, "", s->outside, s->all, " lie outside, see below");
}

void cc_headline(const struct cc_report *report, char text[CC_HEADLINE])
{
    const uint64_t bound = report->data->bounds.bound[0];
    enum cc_scope scope = report->data->scope;
    struct cc_share s = cc_share_at(report, 0);
    FILE *out = fmemopen(text, CC_HEADLINE, "w");

    if (out == NULL)
        memory_exhausted();
    if (s.all > 0)
        fprintf(out, "%s of %" PRIu64 " occurrences ",
                report_ratio_text(s.scored, s.all).text, s.all);
    else
        fputs("nothing occurred ", out);
    if (bound != LIFETIME_INF)
        fprintf(out, "within %" PRIu64, bound);
    else
        fputs("at any distance", out);
    fputs(s.all > 0 ? " are scored" : "", out);
    if (scope != CC_SCOPE_BLOCK)
        fprintf(out, ", those of scope %s", cc_scope_name(scope));
    write_rest(out, &s, report);
    fclose(out);
}
