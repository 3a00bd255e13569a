/*
 * as_csv: rows of CSV, RFC 4180, of all tables under one header.
 *
 * A column that does not apply to a row is empty, and so is a figure without
 * data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "json.h"
#include "memory.h"
#include "report/renderers.h"
#include "text.h"

/* The values of a row by the column of CSV; all have the same texts. */
struct values {
    char *text[REPORT_COLUMNS];
};

static size_t column_named(const struct report *r, const char *name)
{
    size_t i = 0;

    while (r->names[i] != NULL && strcmp(r->names[i], name) != 0)
        i++;
    assert(r->names[i] != NULL && i < REPORT_COLUMNS);
    return i;
}

static void put(struct values *values, size_t column, char *text)
{
    assert(values->text[column] == NULL);
    values->text[column] = text;
}

static void put_text(struct values *values, size_t column, const char *text)
{
    if (text != NULL) {
        struct memory_stream safe;

        memory_stream_open(&safe);
        report_safe_csv(safe.out, text);
        put(values, column, memory_stream_close(&safe));
    }
}

static void put_number(struct values *values, size_t column, double number)
{
    struct memory_stream text;

    memory_stream_open(&text);
    json_number(text.out, number);
    put(values, column, memory_stream_close(&text));
}

static void put_counts(struct values *values, size_t column,
                       const struct report_cell *cell)
{
    struct memory_stream text;

    memory_stream_open(&text);
    for (size_t i = 0; i < cell->counts.n; i++)
        fprintf(text.out, "%s%" PRIu64, i > 0 ? " " : "", cell->counts.list[i]);
    put(values, column, memory_stream_close(&text));
}

/* An instruction has a column of its own after its address, and so has its
   line. */
static void put_place(struct values *values, size_t column,
                      const struct report_place *at)
{
    char line[512];

    put(values, column, memory_printf("0x%" PRIx64, at->address));
    put_text(values, column + 1, at->insn);
    if (at->n == 0 || at->frames[0].line == 0)
        return;
    snprintf(line, sizeof line, "%s:%d", text_base_name(at->frames[0].file),
             at->frames[0].line);
    put_text(values, column + 2, line);
}

static void put_cell(struct values *values, size_t column,
                     const struct report_cell *cell)
{
    switch (cell->kind) {
    case TEXT:
    case CODE:
        put_text(values, column, cell->text);
        break;
    case FUNCTION:
        put_text(values, column, cell->functions.symbols[0]);
        break;
    case COUNT:
        put(values, column, memory_printf("%" PRIu64, cell->number));
        break;
    case TRUTH:
        put(values, column, memory_printf("%d", cell->truth));
        break;
    case ADDRESS:
        put(values, column, memory_printf("0x%" PRIx64, cell->number));
        break;
    case BOUND:
        put_text(values, column, bound_text(cell->number).text);
        break;
    case REAL:
        put_number(values, column, cell->real);
        break;
    case RATIO:
        if (cell->ratio.whole > 0)
            put_number(values, column,
                       report_percent(cell->ratio.part, cell->ratio.whole));
        break;
    case COUNTS:
        put_counts(values, column, cell);
        break;
    case PLACE:
        put_place(values, column, cell->place);
        break;
    case NO_VALUE:
        break;
    case RANGE:
    case ROWS:
        assert(!"a value that no column of CSV has");
    }
}

static void write_values(const struct report *r, struct values *values)
{
    for (size_t i = 0; r->names[i] != NULL; i++) {
        if (values->text[i] != NULL)
            fputs(values->text[i], r->out);
        fputs(r->names[i + 1] != NULL ? "," : "\r\n", r->out);
        free(values->text[i]);
    }
}

void csv_table(struct report *r, const struct report_table *t)
{
    for (size_t i = 0; i < t->n_rows && t->csv != NULL; i++) {
        struct values values = {0};
        struct report_row row;

        row_fill(&row, t, REPORT_CSV, i);
        put_text(&values, 0, t->csv);
        put_text(&values, column_named(r, "program"), r->program);
        for (size_t c = 0; c < row.n; c++)
            put_cell(&values, column_named(r, row.cells[c].column.csv),
                     &row.cells[c]);
        write_values(r, &values);
        row_fini(&row);
    }
}
