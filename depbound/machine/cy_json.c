/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/internal.h"

#include <limits.h>

int cy_json_wrong(const struct cy_json_place *at, const char *what)
{
    assert(at->path != NULL && at->key != NULL);
    if (at->list == NULL)
        return diag_set(at->d, "%s: %s: %s", at->path, at->key, what);
    return diag_set(at->d, "%s: %s[%zu]: %s: %s", at->path, at->list, at->entry,
                    at->key, what);
}

int cy_json_rows(struct cy_json_place *at, const struct cy_json_row *rows,
                 size_t n_keys, void *all)
{
    json_t *object = at->value;

    if (!json_is_object(object))
        return cy_json_wrong(at, "not an object");
    json_object_foreach(object, at->key, at->value)
    {
        size_t i = 0, k = 0;

        while (rows[i].key != NULL && strcmp(rows[i].key, at->key) != 0)
            i++;
        while (k < n_keys && strcmp(cy_keys[k].name, at->key) != 0)
            k++;
        if (rows[i].key == NULL && k == n_keys)
            return cy_json_wrong(at, "unknown key");
    }
    for (const struct cy_json_row *row = rows; row->key != NULL; row++) {
        at->key = row->key;
        at->value = json_object_get(object, row->key);
        if (row->read != NULL && (at->value != NULL || row->is_always) &&
            row->read(at, (char *)all + row->offset) != 0)
            return -1;
    }
    at->value = object;
    return 0;
}

size_t cy_json_count(const json_t *value)
{
    return json_is_array(value) ? json_array_size(value) : value != NULL;
}

json_t *cy_json_nth(json_t *value, size_t i)
{
    assert(i < cy_json_count(value));
    return json_is_array(value) ? json_array_get(value, i) : value;
}

int cy_json_texts(struct cy_json_place *at, void *member)
{
    size_t n = cy_json_count(at->value);
    const char **texts = memory_new(n + 1, sizeof *texts);

    *(const char ***)member = texts;
    for (size_t i = 0; i < n; i++) {
        texts[i] = json_string_value(cy_json_nth(at->value, i));
        if (texts[i] == NULL)
            return cy_json_wrong(at, "not a text or an array of texts");
    }
    return 0;
}

int cy_json_text(struct cy_json_place *at, void *member)
{
    *(const char **)member = json_string_value(at->value);
    return json_is_string(at->value) ? 0 : cy_json_wrong(at, "not a text");
}

int cy_json_cycles(struct cy_json_place *at, void *member)
{
    double cycles = json_number_value(at->value);

    *(double *)member = cycles;
    return json_is_number(at->value) && cycles >= 0 && cycles <= 1e6
               ? 0
               : cy_json_wrong(at, "not a number of cycles from 0 to 1000000");
}

int cy_json_unsigned(struct cy_json_place *at, void *member)
{
    json_int_t n = json_integer_value(at->value);

    *(unsigned *)member = (unsigned)n;
    return json_is_integer(at->value) && n >= 0 && n <= INT_MAX
               ? 0
               : cy_json_wrong(at, "not a whole number from 0 to 2147483647");
}

int cy_json_truth(struct cy_json_place *at, void *member)
{
    *(bool *)member = json_is_true(at->value);
    return json_is_boolean(at->value) ? 0
                                      : cy_json_wrong(at, "not true or false");
}
