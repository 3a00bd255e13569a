/*
 * cy_functions: functions of one name, other names of one function, and those
 * that the user means.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "model/cy_data.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "object/demangle.h"

const struct cy_block *cy_data_of_function(const struct cy_data *data,
                                           const char *function)
{
    for (size_t i = 0; i < data->n_blocks && function != NULL; i++)
        if (data->blocks[i].function == function)
            return &data->blocks[i];
    return NULL;
}

bool cy_data_has_namesake(const struct cy_data *data, const char *function)
{
    for (size_t i = 0; i < data->n_names && function != NULL; i++)
        if (data->names[i] != function && strcmp(data->names[i], function) == 0)
            return true;
    return false;
}

static int by_start(const void *pa, const void *pb)
{
    const struct cy_alias *a = pa, *b = pb;

    return array_order(a->object, b->object) ?: array_order(a->start, b->start);
}

static int by_function(const void *pa, const void *pb)
{
    const struct cy_alias *a = pa, *b = pb;

    return array_order((uintptr_t)a->function, (uintptr_t)b->function)
               ?: strcmp(a->name, b->name);
}

void cy_data_link_aliases(struct cy_data *data)
{
    struct cy_alias *list = data->aliases;

    array_sort(list, data->n_aliases, by_start);
    for (size_t i = 0; i < data->n_blocks; i++) {
        const struct cy_block *b = &data->blocks[i];
        struct cy_alias key = {.object = b->object, .start = b->function_start};
        size_t k =
            array_bisect(0, data->n_aliases, n, by_start(&list[n], &key) < 0);

        if (!b->has_function_start)
            continue;
        for (; k < data->n_aliases && by_start(&list[k], &key) == 0; k++)
            list[k].function = b->function;
    }
    array_sort(list, data->n_aliases, by_function);
}

const struct cy_alias *cy_data_aliases(const struct cy_data *data,
                                       const char *function, size_t *n)
{
    const struct cy_alias *list = data->aliases;
    uintptr_t wanted = (uintptr_t)function;
    size_t first = array_bisect(0, data->n_aliases, i,
                                (uintptr_t)list[i].function < wanted);

    for (*n = 0; first + *n < data->n_aliases && function != NULL &&
                 list[first + *n].function == function;
         ++*n)
        ;
    return *n > 0 ? &list[first] : NULL;
}

bool cy_data_is_asked(const struct cy_data *data, const char *function)
{
    for (size_t i = 0; i < data->n_asked; i++)
        if (data->asked[i] == function)
            return true;
    return false;
}

static void add_asked(struct cy_data *data, const char *function)
{
    if (!cy_data_is_asked(data, function))
        array_append(data, asked, function);
}

int cy_data_ask(struct cy_data *data, const char *name, struct diag *d)
{
    struct funcfind find = {.asked = name};
    size_t n = data->n_names + data->n_aliases;
    const char **symbols = memory_new(n, sizeof *symbols);
    bool *is_meant = memory_new(n, sizeof *is_meant);
    int rc;

    for (size_t i = 0; i < data->n_names; i++)
        symbols[i] = data->names[i];
    for (size_t i = 0; i < data->n_aliases; i++)
        if (data->aliases[i].function != NULL)
            symbols[data->n_names + i] = data->aliases[i].name;
    funcfind_among(&find, symbols, n, is_meant);
    rc = funcfind_check(&find, "--function", d);
    for (size_t i = 0; i < data->n_names; i++)
        if (is_meant[i])
            add_asked(data, data->names[i]);
    for (size_t i = 0; i < data->n_aliases; i++)
        if (is_meant[data->n_names + i])
            add_asked(data, data->aliases[i].function);
    funcfind_fini(&find);
    free(is_meant);
    free(symbols);
    return rc;
}
