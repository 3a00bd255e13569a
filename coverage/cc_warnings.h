/*
 * cc_warnings: what covcheck says on standard error, one line for each.
 *
 * A warning is about what the figures do not cover.  With --strict it is an
 * error: the functions that return a bool say whether covcheck goes on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_WARNINGS_H
#define COVERAGE_CC_WARNINGS_H

#include <stdbool.h>

#include "cc_options.h"
#include "judge/cc_left_out.h"
#include "model/cc_data.h"
#include "report/cc_report.h"
#include "diag.h"

/* A line of any kind. */
void cc_warn(const struct diag *d);

/* Runs whose record ends too early. */
bool cc_warn_of_runs(const struct cc_data *data,
                     const struct cc_options *options);

/* Objects that were built again between the two databases, once for each pair
   of builds. */
bool cc_warn_of_rebuilt(const struct cc_data *data,
                        const struct cc_options *options);

/* Code that ran and that a filter left out, of matched data. */
bool cc_warn_of_filters(const struct cc_data *data,
                        const struct cc_left_out *left_out,
                        const struct cc_options *options);

/* Files without which a report lists addresses alone. */
void cc_warn_of_files(const struct cc_report *report);

/* Each check that failed.  True if none did. */
bool cc_warn_of_checks(const struct cc_check *checks, size_t n);

#endif
