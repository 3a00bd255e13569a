/*
 * cc_headline: how much of what occurred a report is about, in one line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/cc_headline.h"

#include <assert.h>
#include <inttypes.h>

#include "memory.h"
#include "report/report.h"

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
    char cell[REPORT_VALUE];

    report_ratio_text(part, all, cell);
    fprintf(out, "; %s%s%s", before, cell, after);
}

/* What cannot be scored, if it is most of the rest, and what could be. */
static void write_rest(FILE *out, const struct cc_share *s, enum cc_scope scope)
{
    if (s->between >= s->dropped && s->between >= s->outside && s->between > 0)
        write_part(out, "", s->between, s->all,
                   scope == CC_SCOPE_BLOCK ? " span blocks"
                                           : " reach beyond it");
    if (s->dropped > 0 && s->dropped >= s->outside)
        write_part(out, "--min-share=0 adds ", s->dropped, s->all, "");
    else if (s->outside > 0)
        write_part(out, "", s->outside, s->all, " lie outside, see below");
}

void cc_headline(const struct cc_report *report, char text[CC_HEADLINE])
{
    const uint64_t bound = report->data->bounds.bound[0];
    enum cc_scope scope = report->data->scope;
    struct cc_share s = cc_share_at(report, 0);
    FILE *out = fmemopen(text, CC_HEADLINE, "w");
    char cell[REPORT_VALUE];

    if (out == NULL)
        memory_exhausted();
    report_ratio_text(s.scored, s.all, cell);
    if (s.all > 0)
        fprintf(out, "%s of %" PRIu64 " occurrences ", cell, s.all);
    else
        fputs("nothing occurred ", out);
    if (bound != LIFETIME_INF)
        fprintf(out, "within %" PRIu64, bound);
    else
        fputs("at any distance", out);
    fputs(s.all > 0 ? " are scored" : "", out);
    if (scope != CC_SCOPE_BLOCK)
        fprintf(out, ", those of scope %s", cc_scope_name(scope));
    write_rest(out, &s, scope);
    fclose(out);
}
