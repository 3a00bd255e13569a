/*
 * cc_headline: how much of what occurred a report is about, in one line.
 *
 * What is not scored lies in blocks that the filter dropped, reaches beyond the
 * scope, or lies outside what was analysed.  The line has the option, or the
 * place of the command, that shows the larger of the parts that can be shown at
 * all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_HEADLINE_H
#define COVERAGE_CC_HEADLINE_H

#include "report/cc_report.h"

/* All occurrences at a bound, by what becomes of them; and those within the
   scope, in whatever blocks. */
struct cc_share {
    uint64_t all, scored, dropped, between, outside;
    uint64_t within;
};
struct cc_share cc_share_at(const struct cc_report *report, unsigned bound);

/* At the first of the bounds; plain ASCII. */
#define CC_HEADLINE 256
void cc_headline(const struct cc_report *report, char text[CC_HEADLINE]);

#endif
