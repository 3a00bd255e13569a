/*
 * cc_cells: figures as people read them, and as JSON has them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/cc_cells.h"

#include <assert.h>
#include <inttypes.h>

#include "model/cc_find.h"
#include "object/demangle.h"
#include "json.h"
#include "memory.h"

void cc_cell_number(uint64_t n, char cell[CC_CELL])
{
    snprintf(cell, CC_CELL, "%" PRIu64, n);
}

void cc_cell_ratio(struct cc_ratio ratio, char cell[CC_CELL])
{
    double percent;

    if (ratio.whole == 0) {
        snprintf(cell, CC_CELL, "no data");
        return;
    }
    assert(ratio.part <= ratio.whole);
    percent = cc_percent(ratio);
    if (ratio.part < ratio.whole && percent > 99.9)
        percent = 99.9;
    if (ratio.part > 0 && percent < 0.1)
        percent = 0.1;
    snprintf(cell, CC_CELL, "%.1f%%", percent);
}

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

char *cc_deltas_text(const struct cc_data *data, const struct cc_observed *d,
                     const char *between)
{
    char *text = NULL;
    size_t size, n;
    FILE *out = open_memstream(&text, &size);
    const struct cc_prediction *p = cc_find_predictions(data, d, &n);

    if (out == NULL)
        memory_exhausted();
    /* What has none comes last. */
    for (size_t i = 0; i < n && p[i].delta_k != CC_ANY_DELTA; i++)
        fprintf(out, "%s%" PRIu64, i > 0 ? between : "", p[i].delta_k);
    if (fclose(out) != 0)
        memory_exhausted();
    return text;
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

void cc_json_ratio(FILE *out, struct cc_ratio ratio)
{
    if (ratio.whole == 0)
        fputs("null", out);
    else
        json_number(out, cc_percent(ratio));
}

void cc_json_bound(FILE *out, uint64_t bound)
{
    const char *quote = bound == LIFETIME_INF ? "\"" : "";
    char text[CC_BOUND];

    cc_bound_format(bound, text);
    fprintf(out, "%s%s%s", quote, text, quote);
}

void cc_write_safe(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        fputc(c < 0x20 || c == 0x7f ? '?' : c, out);
    }
}

static void write_frame(FILE *out, const char *function,
                        const struct objfile_frame *frame)
{
    demangle_write(out, function != NULL ? function : "?", cc_write_safe);
    fputs(" at ", out);
    cc_write_safe(out, cc_base_name(frame->file));
    fprintf(out, ":%d", frame->line);
}

void cc_write_place(FILE *out, const struct cc_location *at)
{
    bool has_line = false;

    for (size_t i = 0; i < at->n_frames; i++) {
        const struct objfile_frame *f = &at->frames[i];
        bool is_last = i + 1 == at->n_frames;

        if (f->line == 0)
            continue;
        fputs(has_line ? ", inlined into " : "", out);
        /* The symbol's name, which staticdeps has, is that of the outermost. */
        write_frame(out, is_last && at->function ? at->function : f->function,
                    f);
        has_line = true;
    }
    if (has_line)
        return;
    demangle_write(out, at->function != NULL ? at->function : "?",
                   cc_write_safe);
    if (at->function != NULL)
        fprintf(out, "+0x%" PRIx64, at->offset);
}

void cc_json_forwards(FILE *out, const struct cc_forwards *f)
{
    static const char *const names[FORWARD_N] = FORWARD_NAMES;

    for (int i = 0; i < FORWARD_N; i++)
        fprintf(out, "\"%s\": %" PRIu64 ", ", names[i], f->by[i]);
    fprintf(out, "\"crossing\": %" PRIu64, f->crossing);
}
