/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/cc_words.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "model/cc_match.h"
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
    static const char *const words[FORWARD_N] = {
        [FORWARD_SAME] = "just what a store wrote",
        [FORWARD_CONTAINED] = "a part of it",
        [FORWARD_PARTIAL] = "more than it",
        [FORWARD_SEVERAL] = "what several wrote",
    };
    const struct cc_forwards *f = &report->data->forwards[0];
    uint64_t n = cc_forwards_known(f);
    const char *before = "";
    int at = 0;

    for (int kind = 0; kind < FORWARD_N; kind++)
        if (f->by[kind] > 0) {
            at +=
                snprintf(text + at, CC_FORWARDS - (size_t)at, "%s%s %s", before,
                         report_ratio_text(f->by[kind], n).text, words[kind]);
            before = ", ";
        }
    if (f->crossing > 0)
        snprintf(text + at, CC_FORWARDS - (size_t)at, "; %s cross a line",
                 report_ratio_text(f->crossing, n).text);
    return n > 0;
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

const char *cc_place_text(enum cc_scope scope)
{
    static const char *const texts[CC_N_SCOPES] = {
        [CC_SCOPE_BLOCK] = "one block",
        [CC_SCOPE_FUNCTION] = "one function",
        [CC_SCOPE_OBJECT] = "one file",
        [CC_SCOPE_PROGRAM] = "the files analysed",
    };

    assert(scope < CC_N_SCOPES);
    return texts[scope];
}

/* How many of the n pairs that are scored were predicted. */
static void write_predicted(FILE *out, uint64_t found, uint64_t n)
{
    if (n == 1)
        fprintf(out, "; it was %spredicted", found == 1 ? "" : "not ");
    else if (found == n)
        fputs("; all of them were predicted", out);
    else if (found == 0)
        fputs("; none of them was predicted", out);
    else
        fprintf(out, "; %" PRIu64 " of them %s predicted", found,
                found == 1 ? "was" : "were");
}

void cc_headline(const struct cc_report *report, char text[CC_HEADLINE])
{
    const struct cc_tally *t = &report->total->tally[report->order[0]];
    uint64_t n = t->found + t->missed, all = n + t->spanning;
    const char *place = cc_place_text(report->data->scope);
    FILE *out = fmemopen(text, CC_HEADLINE, "w");

    if (out == NULL)
        memory_exhausted();
    if (all == 0)
        fputs("No dependency through memory occurred", out);
    else
        fprintf(out, "Of %" PRIu64 " dependenc%s through memory, ", all,
                all == 1 ? "y" : "ies");
    if (n > 0)
        fprintf(out, "%" PRIu64 " lie%s in %s", n, n == 1 ? "s" : "", place);
    else if (all > 0)
        fprintf(out, "none lies in %s", place);
    if (n > 0)
        write_predicted(out, t->found, n);
    fclose(out);
}

char *cc_counted(const struct cc_report *report)
{
    uint64_t bound = report->data->bounds.bound[report->order[0]];

    if (bound == LIFETIME_INF)
        return memory_text("(in kept blocks, at any distance from store to "
                           "load: lifetime inf)");
    return memory_printf("(in kept blocks, up to %" PRIu64
                         " instructions from store to load: lifetime %" PRIu64
                         ")",
                         bound, bound);
}

/* --- Notes --- */

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

static char *left_out_text(const struct cc_object *object,
                           const struct cc_left_out *l)
{
    const struct report_value share =
        report_ratio_text(l->outside_occurrences, l->occurrences);

    return memory_printf("%s: analysed with %s: what ran outside that, %" PRIu64
                         " of %" PRIu64 " dependencies%s%s%s, is not scored",
                         object->static_path, object->filter, l->outside,
                         l->dependencies, l->occurrences > 0 ? ", " : "",
                         l->occurrences > 0 ? share.text : "",
                         l->occurrences > 0 ? " of occurrences" : "");
}

struct cc_notes cc_notes_new(const struct cc_data *data,
                             const struct cc_inputs *in,
                             const struct cc_left_out *left_out)
{
    struct cc_notes notes = {.in = in, .left_out = left_out};
    struct cc_note *note = notes.items =
        memory_new(data->n_incomplete + data->n_rebuilt + data->n_objects,
                   sizeof *notes.items);

    for (size_t i = 0; i < data->n_incomplete; i++) {
        const struct cc_run *run = &data->incomplete_runs[i];
        const char *path = in->deps[run->source];

        *note++ = (struct cc_note){
            memory_printf("%s: run %" PRId64 " is incomplete", path, run->id),
            memory_printf("run %" PRId64 " of %s", run->id, path), i};
    }
    for (size_t i = 0; i < data->n_rebuilt; i++) {
        const struct cc_rebuilt *rebuilt = &data->rebuilt[i];

        if (is_repeated(data, i))
            continue;
        *note++ = (struct cc_note){cc_rebuilt_text(rebuilt, in),
                                   memory_text(rebuilt->path), i};
        notes.n_rebuilt++;
    }
    for (size_t i = 0; i < data->n_objects; i++)
        if (left_out[i].has_run)
            *note++ =
                (struct cc_note){left_out_text(&data->objects[i], &left_out[i]),
                                 memory_text(data->objects[i].static_path), i};
    notes.n = (size_t)(note - notes.items);
    return notes;
}

void cc_notes_fini(struct cc_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) {
        free(notes->items[i].text);
        free(notes->items[i].subject);
    }
    free(notes->items);
    *notes = (struct cc_notes){0};
}
