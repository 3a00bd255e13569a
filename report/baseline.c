/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/baseline.h"

#include <jansson.h>

#include "file.h"

json_t *baseline_parse(const char *text, size_t n, const char *path,
                       struct diag *d)
{
    json_error_t error;
    json_t *root = json_loadb(
        text, n, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);

    if (root == NULL)
        diag_set(d, "%s: not JSON: line %d: %s", path, error.line, error.text);
    return root;
}

json_t *baseline_read(const char *path, struct diag *d)
{
    size_t n;
    AUTO_FREE char *text = file_text(path, FILE_MOST_TEXT, &n, d);

    return text != NULL ? baseline_parse(text, n, path, d) : NULL;
}

int baseline_refuse(const char *path, const char *program, const char *what,
                    struct diag *d)
{
    return diag_set(d, "%s: not a %s JSON report: %s", path, program, what);
}

bool baseline_text(const json_t *object, const char *key, const char **text)
{
    const json_t *value = json_object_get(object, key);

    *text = json_string_value(value);
    return *text != NULL || json_is_null(value);
}

bool baseline_figure(const json_t *object, const char *key, double most,
                     double *figure)
{
    const json_t *value = json_object_get(object, key);

    *figure = json_is_real(value) ? json_real_value(value) : NAN;
    return json_is_null(value) || (*figure >= 0 && *figure <= most);
}

bool baseline_count(const json_t *object, const char *key, uint64_t most,
                    uint64_t *count)
{
    double figure;

    assert(most <= INT64_MAX);
    if (!baseline_figure(object, key, (double)most, &figure) ||
        figure != floor(figure)) /* which also refuses NAN */
        return false;
    *count = (uint64_t)figure;
    return true;
}

char *baseline_line(const char *line, const char *origin)
{
    const char *colon = line != NULL ? strrchr(line, ':') : NULL;
    size_t file = colon != NULL ? (size_t)(colon - line) : 0;
    uint64_t at, from;

    if (colon != NULL && origin != NULL &&
        strncmp(line, origin, file + 1) == 0 && num_parse(colon + 1, &at) &&
        num_parse(origin + file + 1, &from))
        return memory_printf("%.*s%+" PRId64, (int)file, line,
                             (int64_t)(at - from));
    return memory_text(line != NULL ? line : "");
}

struct baseline_item {
    char *key;
    bool is_before;
    uint64_t order;
    uint32_t number;
};

void baseline_add(struct baseline_items *items, bool is_before, uint32_t number,
                  uint64_t order, char *key)
{
    if (key != NULL)
        array_push(items->list, items->n, items->room,
                   (struct baseline_item){key, is_before, order, number});
}

ARRAY_ORDER(item_order, struct baseline_item,
            strcmp(a->key, b->key)
                ?: b->is_before - a->is_before
                ?: array_order(a->order, b->order)
                ?: array_order(a->number, b->number))

void baseline_match(struct baseline_items *items,
                    void (*take)(void *of, const struct baseline_group *group),
                    void *of)
{
    const struct baseline_item *list = items->list;
    AUTO_FREE uint32_t *numbers = memory_new(items->n, sizeof *numbers);

    array_sort(items->list, items->n, item_order);
    for (size_t i = 0, start = 0; i < items->n; i++) {
        bool is_last =
            i + 1 == items->n || strcmp(list[i].key, list[i + 1].key) != 0;
        struct baseline_group group = {.before = numbers + start};

        numbers[i] = list[i].number;
        if (!is_last)
            continue;
        while (start + group.n_before <= i &&
               list[start + group.n_before].is_before)
            group.n_before++;
        group.now = group.before + group.n_before;
        group.n_now = i + 1 - start - group.n_before;
        assert(group.n_before + group.n_now > 0);
        take(of, &group);
        start = i + 1;
    }
    for (size_t i = 0; i < items->n; i++)
        free(items->list[i].key);
    free(items->list);
    *items = (struct baseline_items){0};
}
