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
              size_t i)
{
    assert(table->n_columns <= REPORT_COLUMNS && i < table->n_rows);
    row->n = 0;
    row->is_hidden = false;
    row->memory = NULL;
    row->n_memory = row->memory_room = 0;
    table->fill(row, table->from, i);
    assert(row->n == table->n_columns);
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

static struct report_cell *add(struct report_row *row, int kind)
{
    assert(row->n < REPORT_COLUMNS);
    row->cells[row->n] = (struct report_cell){.kind = kind};
    return &row->cells[row->n++];
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

void report_none(struct report_row *row)
{
    add(row, NO_VALUE);
}

void report_absent(struct report_row *row)
{
    add(row, ABSENT);
}

void report_text(struct report_row *row, const char *text)
{
    add(row, text != NULL ? TEXT : NO_VALUE)->text = report_copy(row, text);
}

static const char *formatted(struct report_row *row, const char *format,
                             va_list args)
{
    char *text;

    if (vasprintf(&text, format, args) < 0)
        memory_exhausted();
    return keep(row, text);
}

void report_printf(struct report_row *row, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add(row, TEXT)->text = formatted(row, format, args);
    va_end(args);
}

void report_code(struct report_row *row, const char *text, const char *after)
{
    struct report_cell *cell = add(row, text != NULL ? CODE : NO_VALUE);

    cell->text = report_copy(row, text);
    cell->after = report_copy(row, after);
}

void report_count(struct report_row *row, uint64_t count)
{
    add(row, COUNT)->number = count;
}

void report_real(struct report_row *row, double number)
{
    assert(isfinite(number));
    add(row, REAL)->real = number;
}

void report_bool(struct report_row *row, bool truth)
{
    add(row, TRUTH)->truth = truth;
}

void report_address(struct report_row *row, uint64_t address)
{
    add(row, ADDRESS)->number = address;
}

void report_bound(struct report_row *row, uint64_t bound)
{
    add(row, BOUND)->number = bound;
}

void report_range(struct report_row *row, uint64_t low, uint64_t high)
{
    struct report_cell *cell = add(row, RANGE);

    assert(low <= high);
    cell->range.low = low;
    cell->range.high = high;
}

void report_counts(struct report_row *row, const uint64_t *counts, size_t n)
{
    struct report_cell *cell = add(row, COUNTS);

    cell->counts.list = copy_of(row, counts, n * sizeof *counts);
    cell->counts.n = n;
}

void report_ratio(struct report_row *row, uint64_t part, uint64_t whole)
{
    struct report_cell *cell = add(row, RATIO);

    assert(part <= whole);
    cell->ratio.part = part;
    cell->ratio.whole = whole;
}

void report_function(struct report_row *row, const char *symbol,
                     const char *object)
{
    bool is_known = symbol != NULL || object != NULL;
    struct report_cell *cell = add(row, is_known ? FUNCTION : NO_VALUE);

    cell->functions.symbols[0] = report_copy(row, symbol);
    cell->functions.objects[0] = report_copy(row, object);
    cell->functions.n = 1;
}

void report_functions(struct report_row *row, const char *from,
                      const char *from_object, const char *to,
                      const char *to_object)
{
    struct report_cell *cell = add(row, FUNCTION);

    cell->functions.symbols[0] = report_copy(row, from);
    cell->functions.symbols[1] = report_copy(row, to);
    cell->functions.objects[0] = report_copy(row, from_object);
    cell->functions.objects[1] = report_copy(row, to_object);
    cell->functions.n = 2;
}

void report_place(struct report_row *row, const struct report_place *place)
{
    struct report_place *own = copy_of(row, place, sizeof *place);

    own->insn = report_copy(row, place->insn);
    own->function = report_copy(row, place->function);
    own->frames = copy_of(row, place->frames, place->n * sizeof *place->frames);
    add(row, PLACE)->place = own;
}

void report_rows(struct report_row *row, const struct report_table *table)
{
    add(row, ROWS)->table = copy_of(row, table, sizeof *table);
}

void report_style(struct report_row *row, enum report_style style)
{
    assert(row->n > 0);
    row->cells[row->n - 1].style = style;
}

void report_hide(struct report_row *row)
{
    row->is_hidden = true;
}

void report_link(struct report_row *row, const char *format, ...)
{
    va_list args;

    assert(row->n > 0);
    va_start(args, format);
    row->cells[row->n - 1].link = formatted(row, format, args);
    va_end(args);
}
