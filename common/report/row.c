/*
 * row: a row of typed values, which a table's function fills.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "memory.h"
#include "report/renderers.h"

void row_fill(struct report_row *row, const struct report_table *table,
              enum report_format format, size_t i)
{
    assert(i < table->n_rows);
    row->format = format;
    row->n = 0;
    row->is_hidden = false;
    row->memory = NULL;
    row->n_memory = row->memory_room = 0;
    table->fill(row, table->from, i);
}

void row_fini(struct report_row *row)
{
    for (size_t i = 0; i < row->n_memory; i++)
        free(row->memory[i]);
    free(row->memory);
}

/* Keeps what the row frees at its end. */
static void *keep(struct report_row *row, void *memory)
{
    array_append(row, memory, memory);
    return memory;
}

static bool is_for(const struct report_column *column,
                   enum report_format format)
{
    switch (format) {
    case REPORT_CSV:
        return column->csv != NULL;
    case REPORT_JSON:
        return column->key != NULL;
    default:
        return column->heading != NULL &&
               (column->shown == 0 || (column->shown & 1u << format) != 0);
    }
}

/* A new value; one that the format does not have is the room after the last. */
static struct report_cell *add(struct report_row *row,
                               struct report_column column, int kind)
{
    struct report_cell *cell = &row->cells[row->n];

    assert(row->n + 1 < REPORT_COLUMNS);
    *cell = (struct report_cell){.column = column, .kind = kind};
    row->is_taken = is_for(&column, row->format);
    row->n += row->is_taken;
    return cell;
}

size_t row_unit_end(const struct report_row *row, size_t column)
{
    const char *unit = row->cells[column].column.unit;
    size_t end = column + 1;

    for (; end < row->n; end++) {
        const char *other = row->cells[end].column.unit;

        if (unit != other &&
            (unit == NULL || other == NULL || strcmp(unit, other) != 0))
            break;
    }
    return end;
}

bool row_has_units(const struct report_row *row)
{
    bool has_units = false;

    for (size_t c = 0; c < row->n; c++)
        has_units |= row->cells[c].column.unit != NULL;
    return has_units;
}

void *report_alloc(struct report_row *row, size_t size)
{
    return keep(row, memory_new(size, 1));
}

static void *copy_of(struct report_row *row, const void *from, size_t size)
{
    return size > 0 ? memcpy(report_alloc(row, size), from, size) : NULL;
}

const char *report_copy(struct report_row *row, const char *text)
{
    return text != NULL ? copy_of(row, text, strlen(text) + 1) : NULL;
}

void report_none(struct report_row *row, struct report_column column)
{
    add(row, column, NO_VALUE);
}

void report_text(struct report_row *row, struct report_column column,
                 const char *text)
{
    add(row, column, text != NULL ? TEXT : NO_VALUE)->text =
        report_copy(row, text);
}

void report_printf(struct report_row *row, struct report_column column,
                   const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add(row, column, TEXT)->text = keep(row, memory_vprintf(format, args));
    va_end(args);
}

void report_code(struct report_row *row, struct report_column column,
                 const char *text, const char *after)
{
    struct report_cell *cell = add(row, column, text != NULL ? CODE : NO_VALUE);

    cell->text = report_copy(row, text);
    cell->after = report_copy(row, after);
}

void report_count(struct report_row *row, struct report_column column,
                  uint64_t count)
{
    add(row, column, COUNT)->number = count;
}

void report_real(struct report_row *row, struct report_column column,
                 double number)
{
    assert(isfinite(number));
    add(row, column, REAL)->real = number;
}

void report_bool(struct report_row *row, struct report_column column,
                 bool truth)
{
    add(row, column, TRUTH)->truth = truth;
}

void report_address(struct report_row *row, struct report_column column,
                    uint64_t address)
{
    add(row, column, ADDRESS)->number = address;
}

void report_bound(struct report_row *row, struct report_column column,
                  uint64_t bound)
{
    add(row, column, BOUND)->number = bound;
}

void report_range(struct report_row *row, struct report_column column,
                  uint64_t low, uint64_t high)
{
    struct report_cell *cell = add(row, column, RANGE);

    assert(low <= high);
    cell->range.low = low;
    cell->range.high = high;
}

void report_counts(struct report_row *row, struct report_column column,
                   const uint64_t *counts, size_t n)
{
    struct report_cell *cell = add(row, column, COUNTS);

    cell->counts.list = copy_of(row, counts, n * sizeof *counts);
    cell->counts.n = n;
}

void report_ratio(struct report_row *row, struct report_column column,
                  uint64_t part, uint64_t whole)
{
    struct report_cell *cell = add(row, column, RATIO);

    assert(part <= whole);
    cell->ratio.part = part;
    cell->ratio.whole = whole;
}

void report_function(struct report_row *row, struct report_column column,
                     const char *symbol, const char *object)
{
    bool is_known = symbol != NULL || object != NULL;
    struct report_cell *cell = add(row, column, is_known ? FUNCTION : NO_VALUE);

    cell->functions.symbols[0] = report_copy(row, symbol);
    cell->functions.objects[0] = report_copy(row, object);
    cell->functions.n = 1;
}

void report_functions(struct report_row *row, struct report_column column,
                      const char *from, const char *from_object, const char *to,
                      const char *to_object)
{
    struct report_cell *cell = add(row, column, FUNCTION);

    cell->functions.symbols[0] = report_copy(row, from);
    cell->functions.symbols[1] = report_copy(row, to);
    cell->functions.objects[0] = report_copy(row, from_object);
    cell->functions.objects[1] = report_copy(row, to_object);
    cell->functions.n = 2;
}

void report_place(struct report_row *row, struct report_column column,
                  const struct report_place *place)
{
    struct report_place *own = copy_of(row, place, sizeof *place);

    own->insn = report_copy(row, place->insn);
    own->function = report_copy(row, place->function);
    own->frames = copy_of(row, place->frames, place->n * sizeof *place->frames);
    add(row, column, PLACE)->place = own;
}

void report_rows(struct report_row *row, struct report_column column,
                 const struct report_table *table)
{
    add(row, column, ROWS)->table = copy_of(row, table, sizeof *table);
}

void report_style(struct report_row *row, enum report_style style)
{
    if (row->is_taken)
        row->cells[row->n - 1].style = style;
}

void report_hide(struct report_row *row)
{
    row->is_hidden = true;
}

void report_link(struct report_row *row, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (row->is_taken)
        row->cells[row->n - 1].link = keep(row, memory_vprintf(format, args));
    va_end(args);
}
