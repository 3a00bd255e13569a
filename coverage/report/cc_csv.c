/*
 * cc_csv: rows of CSV, RFC 4180.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/cc_csv.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "json.h"

static const char *const names[CC_CSV_N] = {
    [CC_CSV_ROW] = "row",
    [CC_CSV_OBJECT] = "object",
    [CC_CSV_BUILD_ID] = "build_id",
    [CC_CSV_FUNCTION] = "function",
    [CC_CSV_START] = "start",
    [CC_CSV_END] = "end",
    [CC_CSV_WEIGHT] = "weight",
    [CC_CSV_LIFETIME] = "lifetime",
    [CC_CSV_AGREEMENT] = "delta_k_agreement",
    [CC_CSV_SRC] = "src",
    [CC_CSV_SRC + 1] = "src_instruction",
    [CC_CSV_SRC + 2] = "src_line",
    [CC_CSV_DST] = "dst",
    [CC_CSV_DST + 1] = "dst_instruction",
    [CC_CSV_DST + 2] = "dst_line",
    [CC_CSV_OCCURRENCES] = "occurrences",
    [CC_CSV_MIN_DISTANCE] = "min_distance",
    [CC_CSV_MAX_DISTANCE] = "max_distance",
    [CC_CSV_DELTA_K] = "delta_k",
    [CC_CSV_REASON] = "reason",
    [CC_CSV_SCOPE] = "scope",
    [CC_CSV_SCORED] = "scored",
    [CC_CSV_CROSS_THREAD] = "cross_thread",
    [CC_CSV_PROGRAM] = "program",
    [CC_CSV_LEFT_OUT] = "left_out",
    [CC_CSV_DST_FUNCTION] = "dst_function",
    [CC_CSV_DST_OBJECT] = "dst_object",
    [CC_CSV_DST_BUILD_ID] = "dst_build_id",
    [CC_CSV_SUPPORT] = "support",
    [CC_CSV_FORWARDS + FORWARD_SAME] = "same",
    [CC_CSV_FORWARDS + FORWARD_CONTAINED] = "contained",
    [CC_CSV_FORWARDS + FORWARD_PARTIAL] = "partial",
    [CC_CSV_FORWARDS + FORWARD_SEVERAL] = "several",
    [CC_CSV_CROSSING] = "crossing",
    [CC_CSV_EVIDENCE] = "evidence",
    [CC_CSV_JUDGED] = "judged",
    [CC_CSV_OCCURRED] = "occurred",
    [CC_CSV_SHARE_U] = "share_u",
    [CC_CSV_SHARE_W] = "share_w",
};

void cc_csv_text(struct cc_csv_row *row, int column, const char *text)
{
    assert(column < CC_CSV_N && row->values[column].kind == CC_CSV_EMPTY);
    if (text != NULL)
        row->values[column] =
            (struct cc_csv_value){.kind = CC_CSV_TEXT, .text = text};
}

static void set_number(struct cc_csv_row *row, int column, int kind,
                       uint64_t number)
{
    assert(column < CC_CSV_N && row->values[column].kind == CC_CSV_EMPTY);
    row->values[column] = (struct cc_csv_value){.kind = kind, .number = number};
}

void cc_csv_count(struct cc_csv_row *row, int column, uint64_t count)
{
    set_number(row, column, CC_CSV_COUNT, count);
}

void cc_csv_address(struct cc_csv_row *row, int column, uint64_t address)
{
    set_number(row, column, CC_CSV_ADDRESS, address);
}

void cc_csv_bound(struct cc_csv_row *row, int column, uint64_t bound)
{
    set_number(row, column, CC_CSV_BOUND, bound);
}

void cc_csv_ratio(struct cc_csv_row *row, int column, struct cc_ratio ratio)
{
    if (ratio.whole > 0)
        row->values[column] =
            (struct cc_csv_value){.kind = CC_CSV_RATIO, .ratio = ratio};
}

/* An apostrophe keeps spreadsheets from taking a text for a formula. */
static void write_text(FILE *out, const char *text)
{
    const char *mark =
        text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL ? "'" : "";

    if (strpbrk(text, ",\"\r\n") == NULL) {
        fprintf(out, "%s%s", mark, text);
        return;
    }
    fprintf(out, "\"%s", mark);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_value(FILE *out, const struct cc_csv_value *v)
{
    char bound[CC_BOUND];

    switch (v->kind) {
    case CC_CSV_EMPTY:
        break;
    case CC_CSV_TEXT:
        write_text(out, v->text);
        break;
    case CC_CSV_COUNT:
        fprintf(out, "%" PRIu64, v->number);
        break;
    case CC_CSV_ADDRESS:
        fprintf(out, "0x%" PRIx64, v->number);
        break;
    case CC_CSV_BOUND:
        cc_bound_format(v->number, bound);
        fputs(bound, out);
        break;
    case CC_CSV_RATIO:
        json_number(out, cc_percent(v->ratio));
        break;
    }
}

static void write_columns(FILE *out, const struct cc_csv_row *row)
{
    for (int c = 0; c < CC_CSV_N; c++) {
        write_value(out, &row->values[c]);
        fputs(c + 1 < CC_CSV_N ? "," : "\r\n", out);
    }
}

void cc_csv_write(FILE *out, const struct cc_report *report,
                  struct cc_csv_row *row)
{
    cc_csv_text(row, CC_CSV_PROGRAM, report->program);
    write_columns(out, row);
}

void cc_csv_header(FILE *out)
{
    struct cc_csv_row row = {0};

    for (int c = 0; c < CC_CSV_N; c++)
        cc_csv_text(&row, c, names[c]);
    for (enum cc_figure f = 0; f < CC_N_FIGURES; f++)
        cc_csv_text(&row, CC_CSV_FIGURES + (int)f, cc_figures[f].name);
    write_columns(out, &row);
}
