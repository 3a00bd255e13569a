/* row: a row of typed values, which a table's function fills. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>

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

/* Keeps memory until the row is freed, and frees it then. */
static void *keep(struct report_row *row, void *memory)
{
    array_append(row, memory, memory);
    return memory;
}

static bool is_for(const struct report_column *column,
                   enum report_format format)
{
    switch (format) {
    case REPORT_JSON:
        return column->key != NULL;
    default:
        return column->heading != NULL &&
               (column->shown == 0 || (column->shown & 1u << format) != 0);
    }
}

/* A new value.  The next one overwrites it if the format does not show it. */
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

    assert(column < row->n);
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

const char *report_keep(struct report_row *row, char *text)
{
    return keep(row, text);
}

const char *report_copy(struct report_row *row, const char *text)
{
    return text != NULL ? keep(row, memory_text(text)) : NULL;
}

/* Copies bytes for the last value, if the format shows its column. */
static void *own(struct report_row *row, const void *from, size_t size)
{
    return row->is_taken && size > 0
               ? memcpy(report_alloc(row, size), from, size)
               : NULL;
}

static const char *own_text(struct report_row *row, const char *text)
{
    return row->is_taken ? report_copy(row, text) : NULL;
}

void report_none(struct report_row *row, struct report_column column)
{
    add(row, column, NO_VALUE);
}

void report_text(struct report_row *row, struct report_column column,
                 const char *text)
{
    struct report_cell *cell = add(row, column, text != NULL ? TEXT : NO_VALUE);

    cell->text = own_text(row, text);
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

    cell->text = own_text(row, text);
    cell->after = own_text(row, after);
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

    cell->counts.list = own(row, counts, n * sizeof *counts);
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

static void add_functions(struct report_row *row, struct report_column column,
                          size_t n, const char *from, const char *from_object,
                          const char *to, const char *to_object)
{
    struct report_cell *cell = add(row, column, FUNCTION);

    cell->functions.symbols[0] = own_text(row, from);
    cell->functions.symbols[1] = own_text(row, to);
    cell->functions.objects[0] = own_text(row, from_object);
    cell->functions.objects[1] = own_text(row, to_object);
    cell->functions.n = n;
}

void report_function(struct report_row *row, struct report_column column,
                     const char *symbol, const char *object)
{
    if (symbol == NULL && object == NULL)
        report_none(row, column);
    else
        add_functions(row, column, 1, symbol, object, NULL, NULL);
}

void report_functions(struct report_row *row, struct report_column column,
                      const char *from, const char *from_object, const char *to,
                      const char *to_object)
{
    add_functions(row, column, 2, from, from_object, to, to_object);
}

void report_place(struct report_row *row, struct report_column column,
                  const struct report_place *place)
{
    struct report_cell *cell = add(row, column, PLACE);
    struct report_place *copy = own(row, place, sizeof *place);

    assert(place->n == 0 || place->frames != NULL);
    if (copy == NULL)
        return;
    copy->insn = report_copy(row, place->insn);
    copy->function = report_copy(row, place->function);
    copy->frames = own(row, place->frames, place->n * sizeof *place->frames);
    cell->place = copy;
}

void report_rows(struct report_row *row, struct report_column column,
                 const struct report_table *table)
{
    struct report_cell *cell = add(row, column, ROWS);

    cell->table = own(row, table, sizeof *table);
}

void report_style(struct report_row *row, enum report_style style)
{
    assert(style < REPORT_N_STYLES);
    if (row->is_taken)
        row->cells[row->n - 1].style = style;
}

void report_known(struct report_row *row, bool is_known)
{
    if (row->is_taken && !is_known)
        row->cells[row->n - 1].kind = NO_VALUE;
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
