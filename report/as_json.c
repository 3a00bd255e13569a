/*
 * as_json: tables as lists of objects.
 *
 * jansson makes each object; what is around them is written here, so that a
 * list of any length needs no memory.  Keys are in the order of the columns.  A
 * value without data is null.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <jansson.h>

#include "occurrence.h"
#include "report/renderers.h"

/* 15 digits: a percentage has no more that mean anything. */
#define FLAGS (JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY)

static json_t *list_of(const struct report_table *t, size_t from, size_t to,
                       bool is_inner);

static json_t *made(json_t *value)
{
    if (value == NULL)
        memory_exhausted();
    return value;
}

static json_t *text_value(const char *text)
{
    if (text == NULL)
        return json_null();
    AUTO_FREE char *safe = report_safe_utf8(text);
    return made(json_string(safe));
}

static json_t *count_value(uint64_t number)
{
    assert(number <= INT64_MAX);
    return made(json_integer((json_int_t)number));
}

static json_t *real_value(double number)
{
    if (number == floor(number) && fabs(number) < 1e15)
        return made(json_integer((json_int_t)number));
    return made(json_real(number));
}

/* Many readers of JSON have no integers of 64 bits. */
static json_t *address_value(uint64_t address)
{
    return made(json_sprintf("0x%" PRIx64, address));
}

static void set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new_nocheck(object, key, value) != 0)
        memory_exhausted();
}

static json_t *frame_value(const struct source_frame *frame)
{
    json_t *value = made(json_object());

    set(value, "function", text_value(frame->function));
    set(value, "file", text_value(frame->file));
    set(value, "line", count_value((uint64_t)frame->line));
    return value;
}

static json_t *place_value(const struct report_place *at)
{
    json_t *value = made(json_object()), *lines = made(json_array());

    set(value, "address", address_value(at->address));
    set(value, "instruction", text_value(at->insn));
    for (size_t i = 0; i < at->n; i++)
        if (at->frames[i].line > 0)
            json_array_append_new(lines, frame_value(&at->frames[i]));
    set(value, "lines", lines);
    return value;
}

static json_t *counts_value(const struct report_cell *cell)
{
    json_t *value = made(json_array());

    for (size_t i = 0; i < cell->counts.n; i++)
        json_array_append_new(value, count_value(cell->counts.list[i]));
    return value;
}

static json_t *value_of(const struct report_cell *cell)
{
    switch (cell->kind) {
    case TEXT:
    case CODE:
        return text_value(cell->text);
    case FUNCTION:
        return text_value(cell->functions.symbols[0]);
    case COUNT:
        return count_value(cell->number);
    case REAL:
        return real_value(cell->real);
    case TRUTH:
        return json_boolean(cell->truth);
    case ADDRESS:
        return address_value(cell->number);
    case BOUND:
        return cell->number == LIFETIME_INF ? made(json_string("inf"))
                                            : count_value(cell->number);
    case COUNTS:
        return counts_value(cell);
    case RATIO:
        return cell->ratio.whole == 0
                   ? json_null()
                   : real_value(
                         report_percent(cell->ratio.part, cell->ratio.whole));
    case PLACE:
        return place_value(cell->place);
    case ROWS:
        return list_of(cell->table, 0, cell->table->n_rows, false);
    case NO_VALUE:
    case RANGE:
        break;
    }
    return json_null();
}

/* "a.b" is the member b of the object a, which is null if none of its members
   has a value. */
static void set_path(json_t *object, const char *key,
                     const struct report_cell *cell)
{
    const char *dot = strchr(key, '.');
    char outer[64];

    assert(strlen(key) < sizeof outer);
    if (dot == NULL) {
        set(object, key, value_of(cell));
        return;
    }
    snprintf(outer, sizeof outer, "%.*s", (int)(dot - key), key);
    json_t *inner = json_object_get(object, outer);
    if (cell->kind == NO_VALUE && !json_is_object(inner)) {
        set(object, outer, json_null());
        return;
    }
    if (!json_is_object(inner)) {
        inner = made(json_object());
        set(object, outer, inner);
    }
    set_path(inner, dot + 1, cell);
}

/* The object of the rows from number i on: with is_inner the members of one
   row, else what the rows have in common, and the list of inner objects. */
static json_t *object_of(const struct report_table *t, size_t i, bool is_inner)
{
    json_t *object = made(json_object());
    bool has_inner = t->inner != NULL && !is_inner;
    AUTO_FINI(row_fini) struct report_row row;

    row_fill(&row, t, REPORT_JSON, i);
    for (size_t c = 0; c < row.n; c++) {
        const struct report_column *column = &row.cells[c].column;
        bool is_of_inner = (column->flags & R_INNER) != 0;

        if (has_inner && is_of_inner &&
            json_object_get(object, t->inner) == NULL)
            set(object, t->inner, list_of(t, i, i + t->n_inner, true));
        if (t->inner == NULL || is_of_inner == is_inner)
            set_path(object, column->key, &row.cells[c]);
    }
    return object;
}

static json_t *list_of(const struct report_table *t, size_t from, size_t to,
                       bool is_inner)
{
    json_t *list = made(json_array());
    size_t step = t->inner != NULL && !is_inner ? t->n_inner : 1;

    assert(step > 0 && from <= to && to <= t->n_rows);
    for (size_t i = from; i < to; i += step)
        json_array_append_new(list, object_of(t, i, is_inner));
    return list;
}

static void write_key(struct report *r, const char *key)
{
    fprintf(r->out, "%s\n  \"%s\": ", r->n_written++ > 0 ? "," : "", key);
}

/* Writes a value.  Escapes control characters that JSON allows as they are, but
   that a terminal obeys. */
static void dump(FILE *out, const json_t *value)
{
    AUTO_FREE char *text = json_dumps(value, FLAGS);
    char *at = text;

    if (text == NULL)
        memory_exhausted();
    while (*at != '\0') {
        bool is_control = false;
        size_t n = 0, next = 0;

        for (; at[n] != '\0' && !is_control; n += is_control ? 0 : next)
            next = text_next(at + n, &is_control);
        fwrite(at, 1, n, out);
        at += n;
        if (is_control) {
            fprintf(out, "\\u%04x", (unsigned char)at[next - 1]);
            at += next;
        }
    }
}

/* Writes a value; a list of objects has each object on a line. */
static void write_value(struct report *r, const json_t *value, int indent)
{
    size_t n = json_is_array(value) ? json_array_size(value) : 0;

    if (n == 0 || !json_is_object(json_array_get(value, 0))) {
        dump(r->out, value);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        fprintf(r->out, "%s\n%*s", i > 0 ? "," : "[", indent, "");
        dump(r->out, json_array_get(value, i));
    }
    fprintf(r->out, "\n%*s]", indent - 2, "");
}

/* The members of the one object of a table without a key. */
static void write_members(struct report *r, const struct report_table *t)
{
    json_t *object = object_of(t, 0, false), *value;
    const char *key;

    assert(t->n_rows == (t->inner != NULL ? t->n_inner : 1));
    json_object_foreach(object, key, value)
    {
        write_key(r, key);
        write_value(r, value, 4);
    }
    json_decref(object);
}

/* An object, with each of its lists of objects in lines of its own. */
static void write_object(struct report *r, const struct report_table *t,
                         size_t i)
{
    json_t *object = object_of(t, i, false), *value;
    const char *key, *before = "{";

    json_object_foreach(object, key, value)
    {
        fprintf(r->out, "%s\"%s\": ", before, key);
        write_value(r, value, 6);
        before = ", ";
    }
    fputs(*before == '{' ? "{}" : "}", r->out);
    json_decref(object);
}

void json_table(struct report *r, const struct report_table *t)
{
    size_t step = t->inner != NULL ? t->n_inner : 1;

    if (t->key == NULL) {
        write_members(r, t);
        return;
    }
    write_key(r, t->key);
    if (t->is_object) {
        write_object(r, t, 0);
        return;
    }
    for (size_t i = 0; i < t->n_rows; i += step) {
        fputs(i > 0 ? ",\n    " : "[\n    ", r->out);
        write_object(r, t, i);
    }
    fputs(t->n_rows > 0 ? "\n  ]" : "[]", r->out);
}
