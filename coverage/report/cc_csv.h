/*
 * cc_csv: rows of CSV, RFC 4180.
 *
 * A column that does not apply to a row is empty, and so is a figure without
 * data.  Texts that a spreadsheet would take for a formula begin with an
 * apostrophe; numbers are never negative.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_CSV_H
#define COVERAGE_CC_CSV_H

#include <stdint.h>
#include <stdio.h>

#include "report/cc_report.h"

/* Columns may be added after the last. */
enum cc_csv_column {
    CC_CSV_ROW,
    CC_CSV_OBJECT,
    CC_CSV_BUILD_ID,
    CC_CSV_FUNCTION,
    CC_CSV_START,
    CC_CSV_END,
    CC_CSV_WEIGHT,
    CC_CSV_LIFETIME,
    CC_CSV_FIGURES, /* one for each of cc_figures */
    CC_CSV_AGREEMENT = CC_CSV_FIGURES + CC_N_FIGURES,
    CC_CSV_SRC, /* and its instruction and line, as those of CC_CSV_DST */
    CC_CSV_DST = CC_CSV_SRC + 3,
    CC_CSV_OCCURRENCES = CC_CSV_DST + 3,
    CC_CSV_MIN_DISTANCE,
    CC_CSV_MAX_DISTANCE,
    CC_CSV_DELTA_K,
    CC_CSV_REASON,
    CC_CSV_SCOPE,
    CC_CSV_SCORED, /* the share of all that occurred */
    CC_CSV_CROSS_THREAD,
    CC_CSV_PROGRAM,
    CC_CSV_LEFT_OUT, /* what the figures do not cover, in words */
    CC_CSV_DST_FUNCTION,
    CC_CSV_DST_OBJECT,
    CC_CSV_DST_BUILD_ID,
    CC_CSV_SUPPORT,  /* the least that predictions have, in percent */
    CC_CSV_FORWARDS, /* one for each `enum forward`, and that of crossing */
    CC_CSV_CROSSING = CC_CSV_FORWARDS + FORWARD_N,
    CC_CSV_EVIDENCE,
    CC_CSV_JUDGED, /* predictions, and those that occurred within the bound */
    CC_CSV_OCCURRED,
    CC_CSV_SHARE_U, /* of all that was found: dependencies, and occurrences */
    CC_CSV_SHARE_W,
    CC_CSV_N
};

/* A zeroed row is empty. */
struct cc_csv_row {
    struct cc_csv_value {
        enum {
            CC_CSV_EMPTY,
            CC_CSV_TEXT,
            CC_CSV_COUNT,
            CC_CSV_ADDRESS,
            CC_CSV_BOUND,
            CC_CSV_RATIO
        } kind;
        const char *text;
        uint64_t number;
        struct cc_ratio ratio;
    } values[CC_CSV_N];
    char lines[2][512]; /* room for the texts of both ends */
    struct disasm_insn insns[2];
};

/* Each sets a column that is empty.  A text must stay as long as the row; NULL,
   or a ratio without data, leaves the column empty. */
void cc_csv_text(struct cc_csv_row *row, int column, const char *text);
void cc_csv_count(struct cc_csv_row *row, int column, uint64_t count);
void cc_csv_address(struct cc_csv_row *row, int column, uint64_t address);
void cc_csv_bound(struct cc_csv_row *row, int column, uint64_t bound);
void cc_csv_ratio(struct cc_csv_row *row, int column, struct cc_ratio ratio);

/* Writes the names of the columns. */
void cc_csv_header(FILE *out);

/* Writes the row, and the program in its column, so that rows of several
   reports can be put together. */
void cc_csv_write(FILE *out, const struct cc_report *report,
                  struct cc_csv_row *row);

#endif
