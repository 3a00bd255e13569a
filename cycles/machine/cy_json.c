/*
 * cy_json: the values of a JSON file, or what is wrong with them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cy_json.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

int cy_json_wrong(const struct cy_json_place *at, const char *key,
                  const char *what)
{
    assert(at->path != NULL && key != NULL);
    if (at->list == NULL)
        return diag_set(at->d, "%s: %s: %s", at->path, key, what);
    return diag_set(at->d, "%s: %s[%zu]: %s: %s", at->path, at->list, at->entry,
                    key, what);
}

int cy_json_check_keys(const struct cy_json_place *at, json_t *object,
                       const char *const *keys)
{
    const char *key;
    json_t *value;

    if (!json_is_object(object))
        return cy_json_wrong(at, at->list == NULL ? "the file" : "entry",
                             "not an object");
    json_object_foreach(object, key, value)
    {
        size_t i = 0;

        while (keys[i] != NULL && strcmp(keys[i], key) != 0)
            i++;
        if (keys[i] == NULL)
            return cy_json_wrong(at, key, "unknown key");
    }
    return 0;
}

size_t cy_json_count(const json_t *value)
{
    return json_is_array(value) ? json_array_size(value) : value != NULL;
}

const json_t *cy_json_nth(const json_t *value, size_t i)
{
    assert(i < cy_json_count(value));
    return json_is_array(value) ? json_array_get(value, i) : value;
}

int cy_json_texts(const struct cy_json_place *at, const json_t *object,
                  const char *key, const char ***texts)
{
    const json_t *value = json_object_get(object, key);
    size_t n = cy_json_count(value);

    *texts = memory_new(n + 1, sizeof **texts);
    for (size_t i = 0; i < n; i++) {
        (*texts)[i] = json_string_value(cy_json_nth(value, i));
        if ((*texts)[i] == NULL)
            return cy_json_wrong(at, key, "not a text or an array of texts");
    }
    return 0;
}

int cy_json_text(const struct cy_json_place *at, const json_t *object,
                 const char *key, const char **text)
{
    *text = json_string_value(json_object_get(object, key));
    return *text != NULL ? 0 : cy_json_wrong(at, key, "not a text");
}

int cy_json_cycles(const struct cy_json_place *at, const json_t *object,
                   const char *key, double missing, double *cycles)
{
    const json_t *value = json_object_get(object, key);

    *cycles = value == NULL ? missing : json_number_value(value);
    if (value != NULL
            ? !json_is_number(value) || !(*cycles >= 0 && *cycles <= 1e6)
            : isnan(missing))
        return cy_json_wrong(at, key,
                             "not a number of cycles from 0 to 1000000");
    return 0;
}

int cy_json_unsigned(const struct cy_json_place *at, const json_t *value,
                     const char *key, unsigned *number)
{
    json_int_t n = json_integer_value(value);

    if (!json_is_integer(value) || n < 0 || n > INT_MAX)
        return cy_json_wrong(at, key,
                             "not a whole number from 0 to 2147483647");
    *number = (unsigned)n;
    return 0;
}

json_t *cy_json_load(const char *path, struct diag *d)
{
    FILE *in = fopen(path, "re");
    json_error_t error;
    json_t *root = NULL;

    if (in == NULL) {
        diag_set(d, "%s: %s", path, strerror(errno));
        return NULL;
    }
    errno = 0;
    root = json_loadf(in, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL && ferror(in))
        diag_set(d, "%s: %s", path, strerror(errno));
    else if (root == NULL)
        diag_set(d, "%s: line %d: not JSON: %s", path, error.line, error.text);
    fclose(in);
    return root;
}
