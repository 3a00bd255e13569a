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
#include <string.h>

#include "memory.h"
#include "object/demangle.h"
#include "terminal.h"

/* Other names that are shown. */
#define MOST_OTHERS 3

static char *shown(const char *symbol)
{
    struct memory_stream name;

    memory_stream_open(&name);
    demangle_write(name.out, symbol, cy_write_plain);
    return memory_stream_close(&name);
}

/* Is one of the first n names equal?  Constructors have several symbols. */
static bool is_among(char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Writes a function's name and others that it has. */
static void write_function(FILE *out, const struct cy_data *data,
                           const char *function)
{
    char *names[1 + MOST_OTHERS] = {shown(function)};
    size_t n_aliases, n = 1, n_left = 0;
    const struct cy_alias *aliases =
        cy_data_aliases(data, function, &n_aliases);

    fputs(names[0], out);
    for (size_t i = 0; i < n_aliases; i++) {
        char *name = shown(aliases[i].name);

        if (is_among(names, n, name)) {
            free(name);
        } else if (n <= MOST_OTHERS) {
            fprintf(out, "%s%s", n == 1 ? " (also " : ", ", name);
            names[n++] = name;
        } else {
            n_left++;
            free(name);
        }
    }
    if (n_left > 0)
        fprintf(out, " and %zu more", n_left);
    fputs(n > 1 ? ")" : "", out);
    while (n > 0)
        free(names[--n]);
}

void cy_report_name(FILE *out, const struct cy_report *r,
                    const struct cy_cost_of_loop *c)
{
    if (c->name != NULL)
        terminal_write(out, c->name);
    else if (c->function != NULL)
        write_function(out, r->data, c->function);
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
    struct memory_stream text;
    size_t n;
    const struct cy_alias *aliases = cy_data_aliases(r->data, function, &n);
    char *whole;

    memory_stream_open(&text);
    for (size_t i = 0; i < n; i++)
        fprintf(text.out, "%s%s", i > 0 ? "," : "", aliases[i].name);
    whole = memory_stream_close(&text);
    report_text(row, R_KEY("other_names"), n > 0 ? whole : NULL);
    free(whole);
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
        cy_write_plain(out, line);
    else
        fprintf(out, "%#" PRIx64, block->function_start);
}

void cy_put_function(struct report_row *row, struct report_column column,
                     const struct cy_report *r, const char *function)
{
    struct memory_stream text;
    char *whole;

    memory_stream_open(&text);
    write_function(text.out, r->data, function);
    if (cy_data_has_namesake(r->data, function))
        write_start(text.out, r, cy_data_of_function(r->data, function));
    whole = memory_stream_close(&text);
    report_code(row, column, whole, NULL);
    free(whole);
}
