/*
 * cc_warnings: what covcheck says on standard error, one line for each.
 *
 * With --strict a warning of what the figures do not cover is an error: the
 * functions that return a bool say whether covcheck goes on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_WARNINGS_H
#define COVERAGE_CC_WARNINGS_H

#include <stdbool.h>

#include "cc_options.h"
#include "report/cc_report.h"
#include "diag.h"

/* A line of any kind. */
void cc_warn(const struct diag *d);

/* What the figures do not cover. */
bool cc_warn_of_notes(const struct cc_notes *notes,
                      const struct cc_options *options);

/* Files without which a report lists addresses alone. */
void cc_warn_of_files(const struct cc_report *report);

/* Each check that failed.  True if none did. */
bool cc_warn_of_checks(const struct cc_check *checks, size_t n);

#endif
