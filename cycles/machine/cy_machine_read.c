/*
 * cy_machine: a machine file read.  The one door to jansson.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/cy_rules.h"
#include "memory.h"

/* What is being read, for messages. */
struct place {
    const char *path;
    const char *list; /* the key of the file */
    size_t entry;     /* its number there */
    struct diag *d;
};

static int wrong(const struct place *at, const char *key, const char *what)
{
    if (at->list == NULL)
        return diag_set(at->d, "%s: %s: %s", at->path, key, what);
    return diag_set(at->d, "%s: %s[%zu]: %s: %s", at->path, at->list, at->entry,
                    key, what);
}

/* Are all keys of the object among these? */
static int check_keys(const struct place *at, json_t *object,
                      const char *const *keys)
{
    const char *key;
    json_t *value;

    if (!json_is_object(object))
        return wrong(at, at->list == NULL ? "the file" : "entry",
                     "not an object");
    json_object_foreach(object, key, value)
    {
        size_t i = 0;

        while (keys[i] != NULL && strcmp(keys[i], key) != 0)
            i++;
        if (keys[i] == NULL)
            return wrong(at, key, "unknown key");
    }
    return 0;
}

/* A value, or an array of values, has `n` values, of which this is the i-th. */
static size_t n_values(const json_t *value)
{
    return json_is_array(value) ? json_array_size(value) : value != NULL;
}

static const json_t *nth_value(const json_t *value, size_t i)
{
    return json_is_array(value) ? json_array_get(value, i) : value;
}

/* A text or an array of texts, none if there is no such key. */
static int read_texts(const struct place *at, const json_t *object,
                      const char *key, const char ***texts)
{
    const json_t *value = json_object_get(object, key);
    size_t n = n_values(value);

    *texts = memory_new(n + 1, sizeof **texts);
    for (size_t i = 0; i < n; i++) {
        (*texts)[i] = json_string_value(nth_value(value, i));
        if ((*texts)[i] == NULL)
            return wrong(at, key, "not a text or an array of texts");
    }
    return 0;
}

static int read_text(const struct place *at, const json_t *object,
                     const char *key, const char **text)
{
    *text = json_string_value(json_object_get(object, key));
    return *text != NULL ? 0 : wrong(at, key, "not a text");
}

/* A number of cycles; without the key, `missing` if it is not NAN. */
static int read_cycles(const struct place *at, const json_t *object,
                       const char *key, double missing, double *cycles)
{
    const json_t *value = json_object_get(object, key);

    *cycles = value == NULL ? missing : json_number_value(value);
    if (value != NULL
            ? !json_is_number(value) || !(*cycles >= 0 && *cycles <= 1e6)
            : isnan(missing))
        return wrong(at, key, "not a number of cycles from 0 to 1000000");
    return 0;
}

static int read_unsigned(const struct place *at, const json_t *value,
                         const char *key, unsigned *number)
{
    json_int_t n = json_integer_value(value);

    if (!json_is_integer(value) || n < 0 || n > INT_MAX)
        return wrong(at, key, "not a whole number from 0 to 2147483647");
    *number = (unsigned)n;
    return 0;
}

/* The bit of one value of a key of rules; 63 if it is no value of that key. */
static unsigned value_bit(const struct cy_key_def *def, const json_t *value)
{
    const char *word = json_string_value(value);
    json_int_t n = json_integer_value(value);
    unsigned bit;

    switch (def->kind) {
    case CY_KEY_WORDS:
        for (bit = 0; word != NULL && def->words[bit] != NULL; bit++)
            if (strcmp(def->words[bit], word) == 0)
                return bit;
        return 63;
    case CY_KEY_WIDTHS:
        return json_is_integer(value) && n >= 8 && n <= 512
                   ? cy_width_bit((uint64_t)n)
                   : 63;
    case CY_KEY_NUMBERS:
        return json_is_integer(value) && n >= 0 && n < 63 ? (unsigned)n : 63;
    case CY_KEY_TRUTHS:
        return json_is_boolean(value) ? json_is_true(value) : 63;
    }
    assert(false);
    return 63;
}

/* {"from": N} has all numbers from N on. */
static int read_from(const struct place *at, json_t *value,
                     const struct cy_key_def *def, uint64_t *set)
{
    static const char *const keys[] = {"from", NULL};
    unsigned bit;

    if (check_keys(at, value, keys) != 0)
        return -1;
    bit = value_bit(def, json_object_get(value, "from"));
    if (bit == 63)
        return wrong(at, def->name, "not a whole number from 0 to 62");
    *set = (UINT64_MAX >> 1) & UINT64_MAX << bit;
    return 0;
}

static int read_set(const struct place *at, const json_t *object,
                    const struct cy_key_def *def, uint64_t *set)
{
    static const char *const what[] = {
        [CY_KEY_WORDS] = "not one of its words",
        [CY_KEY_WIDTHS] = "not a power of two from 8 to 512",
        [CY_KEY_NUMBERS] = "not a whole number from 0 to 62",
        [CY_KEY_TRUTHS] = "not true or false",
    };
    json_t *value = json_object_get(object, def->name);

    if (def->kind == CY_KEY_NUMBERS && json_is_object(value))
        return read_from(at, value, def, set);
    for (size_t i = 0; i < n_values(value); i++) {
        unsigned bit = value_bit(def, nth_value(value, i));

        if (bit == 63)
            return wrong(at, def->name, what[def->kind]);
        *set |= (uint64_t)1 << bit;
    }
    /* An empty array would match nothing, or everything. */
    return value == NULL || *set != 0 ? 0 : wrong(at, def->name, "no value");
}

static int read_how(const struct place *at, const json_t *object,
                    enum cy_how *how)
{
    const struct cy_key_def def = {"how", CY_KEY_WORDS, cy_how_words};
    const json_t *value = json_object_get(object, "how");
    unsigned bit = value == NULL ? 0 : value_bit(&def, value);

    if (bit == 63)
        return wrong(at, "how", "not one of its words");
    *how = (enum cy_how)bit;
    return 0;
}

/* A rule with the first n_keys of all keys. */
static int read_rule(const struct place *at, json_t *object, size_t n_keys,
                     struct cy_rule *rule)
{
    const char *keys[CY_N_KEYS + 4] = {"cycles"};
    size_t n = 1;

    if (n_keys == CY_N_KEYS) {
        keys[n++] = "how";
        keys[n++] = "at_least";
    }
    for (size_t k = 0; k < n_keys; k++)
        keys[n++] = cy_keys[k].name;
    if (check_keys(at, object, keys) != 0)
        return -1;
    for (size_t k = 0; k < n_keys; k++)
        if (read_set(at, object, &cy_keys[k], &rule->sets[k]) != 0)
            return -1;
    rule->cost.rule = at->entry;
    if (read_cycles(at, object, "cycles", NAN, &rule->cost.cycles) != 0 ||
        read_cycles(at, object, "at_least", 0, &rule->cost.at_least) != 0)
        return -1;
    return read_how(at, object, &rule->cost.how);
}

static int read_figure(const struct place *at, json_t *object, bool has_chained,
                       struct cy_figure *figure)
{
    const char *const keys[] = {
        "mnemonic", "form", "bits", "cycles", has_chained ? "chained" : NULL,
        NULL};

    if (check_keys(at, object, keys) != 0 ||
        read_texts(at, object, "mnemonic", &figure->mnemonics) != 0 ||
        read_texts(at, object, "form", &figure->forms) != 0 ||
        read_set(at, object, &cy_keys[CY_KEY_BITS], &figure->bits) != 0 ||
        read_cycles(at, object, "cycles", NAN, &figure->cycles) != 0)
        return -1;
    if (figure->mnemonics[0] == NULL)
        return wrong(at, "mnemonic", "no value");
    return read_cycles(at, object, "chained", -1, &figure->chained);
}

static int read_match(const struct place *at, json_t *object,
                      struct cy_match *match)
{
    static const char *const keys[] = {"vendor", "family", "models", NULL};
    const json_t *models;

    if (check_keys(at, object, keys) != 0 ||
        read_text(at, object, "vendor", &match->vendor) != 0 ||
        read_unsigned(at, json_object_get(object, "family"), "family",
                      &match->family) != 0)
        return -1;
    models = json_object_get(object, "models");
    match->models = memory_new(n_values(models) + 1, sizeof *match->models);
    for (; match->n_models < n_values(models); match->n_models++)
        if (read_unsigned(at, nth_value(models, match->n_models), "models",
                          &match->models[match->n_models]) != 0)
            return -1;
    return match->n_models > 0 ? 0 : wrong(at, "models", "no value");
}

/* The entries of a list of the file, each of `size` bytes, zeroed; NULL if its
   value is no list.  Without the key the list is empty. */
static void *new_list(struct place *at, const json_t *root, const char *key,
                      size_t size, size_t *n, json_t **list)
{
    at->list = NULL;
    *list = json_object_get(root, key);
    if (*list != NULL && !json_is_array(*list)) {
        wrong(at, key, "not an array");
        return NULL;
    }
    at->list = key;
    *n = json_array_size(*list);
    return memory_new(*n + 1, size);
}

static int read_rules(struct place *at, const json_t *root, const char *key,
                      size_t n_keys, struct cy_rule **rules, size_t *n)
{
    json_t *list;

    *rules = new_list(at, root, key, sizeof **rules, n, &list);
    if (*rules == NULL)
        return -1;
    for (at->entry = 0; at->entry < *n; at->entry++)
        if (read_rule(at, json_array_get(list, at->entry), n_keys,
                      &(*rules)[at->entry]) != 0)
            return -1;
    at->list = NULL;
    return 0;
}

static int read_figures(struct place *at, const json_t *root, const char *key,
                        bool has_chained, struct cy_figure **figures, size_t *n)
{
    json_t *list;

    *figures = new_list(at, root, key, sizeof **figures, n, &list);
    if (*figures == NULL)
        return -1;
    for (at->entry = 0; at->entry < *n; at->entry++)
        if (read_figure(at, json_array_get(list, at->entry), has_chained,
                        &(*figures)[at->entry]) != 0)
            return -1;
    at->list = NULL;
    return 0;
}

static int read_matches(struct place *at, const json_t *root,
                        struct cy_machine *m)
{
    json_t *list;

    m->matches =
        new_list(at, root, "match", sizeof *m->matches, &m->n_matches, &list);
    if (m->matches == NULL)
        return -1;
    for (at->entry = 0; at->entry < m->n_matches; at->entry++)
        if (read_match(at, json_array_get(list, at->entry),
                       &m->matches[at->entry]) != 0)
            return -1;
    at->list = NULL;
    return 0;
}

static int read_window(const struct place *at, const json_t *root,
                       struct cy_window *window)
{
    static const char *const keys[] = {"scheduler", "reorder_buffer",
                                       "load_buffer", "store_buffer", NULL};
    unsigned *const sizes[] = {&window->scheduler, &window->reorder_buffer,
                               &window->load_buffer, &window->store_buffer};
    json_t *object = json_object_get(root, "window");

    if (object == NULL)
        return 0;
    if (!json_is_object(object))
        return wrong(at, "window", "not an object");
    if (check_keys(at, object, keys) != 0)
        return -1;
    for (size_t i = 0; keys[i] != NULL; i++) {
        const json_t *value = json_object_get(object, keys[i]);

        if (value != NULL && read_unsigned(at, value, keys[i], sizes[i]) != 0)
            return -1;
    }
    return 0;
}

static int read_rates(const struct place *at, const json_t *root,
                      struct cy_rates *rates)
{
    static const char *const keys[] = {
        "load_general", "load_xmm",  "load_ymm",  "load_zmm", "store_general",
        "store_xmm",    "store_ymm", "store_zmm", "any",      NULL};
    json_t *object = json_object_get(root, "access");

    if (object != NULL && !json_is_object(object))
        return wrong(at, "access", "not an object");
    if (object != NULL && check_keys(at, object, keys) != 0)
        return -1;
    for (size_t i = 0; keys[i] != NULL; i++) {
        double *cycles = i < 4   ? &rates->load[i]
                         : i < 8 ? &rates->store[i - 4]
                                 : &rates->any;

        *cycles = NAN;
        if (json_object_get(object, keys[i]) != NULL &&
            read_cycles(at, object, keys[i], NAN, cycles) != 0)
            return -1;
    }
    return 0;
}

static int read_root(struct cy_machine *m, json_t *root, const char *path,
                     struct diag *d)
{
    static const char *const keys[] = {
        "name",      "source", "match",       "llvm_mca_cpu",
        "window",    "load",   "forward",     "latency",
        "occupancy", "access", "zero_idioms", "fused",
        "uncertain", NULL};
    struct place at = {path, NULL, 0, d};

    if (check_keys(&at, root, keys) != 0 ||
        read_text(&at, root, "name", &m->name) != 0 ||
        read_text(&at, root, "source", &m->source) != 0 ||
        read_text(&at, root, "llvm_mca_cpu", &m->llvm_cpu) != 0 ||
        read_matches(&at, root, m) != 0 ||
        read_window(&at, root, &m->window) != 0 ||
        read_rates(&at, root, &m->rates) != 0 ||
        read_rules(&at, root, "load", CY_N_LOAD_KEYS, &m->loads, &m->n_loads) !=
            0 ||
        read_rules(&at, root, "forward", CY_N_KEYS, &m->forwards,
                   &m->n_forwards) != 0 ||
        read_figures(&at, root, "latency", true, &m->latencies,
                     &m->n_latencies) != 0 ||
        read_figures(&at, root, "occupancy", false, &m->occupancies,
                     &m->n_occupancies) != 0 ||
        read_texts(&at, root, "zero_idioms", &m->zero_idioms) != 0 ||
        read_texts(&at, root, "fused", &m->fused) != 0)
        return -1;
    return read_texts(&at, root, "uncertain", &m->uncertain);
}

/* The document of a file; NULL with *d set if it has none. */
static json_t *load(const char *path, struct diag *d)
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

struct cy_machine *cy_machine_read(const char *path, struct diag *d)
{
    struct cy_machine *m = memory_new(1, sizeof *m);

    m->document = load(path, d);
    if (m->document != NULL && read_root(m, m->document, path, d) == 0)
        return m;
    cy_machine_free(m);
    return NULL;
}

static void free_figures(struct cy_figure *figures, size_t n)
{
    for (size_t i = 0; i < n && figures != NULL; i++) {
        free(figures[i].mnemonics);
        free(figures[i].forms);
    }
    free(figures);
}

void cy_machine_free(struct cy_machine *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->n_matches && m->matches != NULL; i++)
        free(m->matches[i].models);
    free(m->matches);
    free(m->loads);
    free(m->forwards);
    free_figures(m->latencies, m->n_latencies);
    free_figures(m->occupancies, m->n_occupancies);
    free(m->zero_idioms);
    free(m->fused);
    free(m->uncertain);
    json_decref(m->document);
    free(m);
}
