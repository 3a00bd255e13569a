/*
 * cc_html: a report as one page for a browser.
 *
 * The page needs nothing but itself: its style and script are in it, and it
 * forbids the browser to fetch anything.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_HTML_H
#define COVERAGE_CC_HTML_H

#include "judge/cc_curve.h"
#include "report/cc_report.h"
#include "diag.h"

/* Writes the page into a file, which is replaced when the page is complete. */
int cc_html_write(const char *path, const struct cc_report *report,
                  const struct cc_curve *curve, struct diag *d);

#endif
