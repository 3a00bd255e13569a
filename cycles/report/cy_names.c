/*
 * cy_names: functions and loops as people know them.
 *
 * Code has several names where the linker folded equal functions into one, or
 * where the source gave it several.  Two functions have one name where each is
 * known in its own file only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/internal.h"

#include <inttypes.h>
#include <stdlib.h>

#include "memory.h"
#include "object/demangle.h"
#include "terminal.h"

/* The other symbols of a function's code, separated by commas, which the
   caller frees; NULL if there are none. */
static char *others_of(const struct cy_report *r, const char *function)
{
    struct memory_stream text;
    size_t n;
    const struct cy_alias *aliases = cy_data_aliases(r->data, function, &n);

    if (n == 0)
        return NULL;
    memory_stream_open(&text);
    for (size_t i = 0; i < n; i++)
        fprintf(text.out, "%s%s", i > 0 ? "," : "", aliases[i].name);
    return memory_stream_close(&text);
}

/* Writes a function's name and others that it has. */
static void write_function(FILE *out, const struct cy_report *r,
                           const char *function)
{
    char *others = others_of(r, function);
    char *text = demangle_names(function, others);

    fputs(text, out);
    free(text);
    free(others);
}

void cy_report_name(FILE *out, const struct cy_report *r,
                    const struct cy_cost_of_loop *c)
{
    if (c->name != NULL)
        terminal_write(out, c->name);
    else if (c->function != NULL)
        write_function(out, r, c->function);
    else
        fprintf(out, "%#" PRIx64, c->address);
}

char *cy_report_name_text(const struct cy_report *r,
                          const struct cy_cost_of_loop *c)
{
    struct memory_stream name;

    memory_stream_open(&name);
    cy_report_name(name.out, r, c);
    return memory_stream_close(&name);
}

void cy_put_other_names(struct report_row *row, const struct cy_report *r,
                        const char *function)
{
    char *others = others_of(r, function);

    report_text(row, R_KEY("other_names"), others);
    free(others);
}

/* Where a function begins, if that is known: its line, or its address. */
static void write_start(FILE *out, const struct cy_report *r,
                        const struct cy_block *block)
{
    char line[512];

    if (block == NULL || !block->has_function_start)
        return;
    fputs(" at ", out);
    cy_code_line(r->code, block->object, block->function_start, line,
                 sizeof line);
    if (line[0] != '\0')
        terminal_write(out, line);
    else
        fprintf(out, "%#" PRIx64, block->function_start);
}

void cy_put_function(struct report_row *row, struct report_column column,
                     const struct cy_report *r, const char *function)
{
    struct memory_stream text;
    char *whole;

    memory_stream_open(&text);
    write_function(text.out, r, function);
    if (cy_data_has_namesake(r->data, function))
        write_start(text.out, r, cy_data_of_function(r->data, function));
    whole = memory_stream_close(&text);
    report_code(row, column, whole, NULL);
    free(whole);
}
