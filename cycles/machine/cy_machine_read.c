/*
 * cy_machine: a machine file read.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/cy_json.h"
#include "machine/cy_rules.h"
#include "memory.h"

/* The bit of a value of a key; 63 if the key cannot have the value. */
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
static int read_from(const struct cy_json_place *at, json_t *value,
                     const struct cy_key_def *def, uint64_t *set)
{
    static const char *const keys[] = {"from", NULL};
    unsigned bit;

    if (cy_json_check_keys(at, value, keys) != 0)
        return -1;
    bit = value_bit(def, json_object_get(value, "from"));
    if (bit == 63)
        return cy_json_wrong(at, def->name, "not a whole number from 0 to 62");
    *set = (UINT64_MAX >> 1) & UINT64_MAX << bit;
    return 0;
}

static int read_set(const struct cy_json_place *at, const json_t *object,
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
    for (size_t i = 0; i < cy_json_count(value); i++) {
        unsigned bit = value_bit(def, cy_json_nth(value, i));

        if (bit == 63)
            return cy_json_wrong(at, def->name, what[def->kind]);
        assert(bit < 63);
        *set |= (uint64_t)1 << bit;
    }
    /* An empty array would match nothing, or everything. */
    return value == NULL || *set != 0
               ? 0
               : cy_json_wrong(at, def->name, "no value");
}

static int read_how(const struct cy_json_place *at, const json_t *object,
                    enum cy_how *how)
{
    const struct cy_key_def def = {"how", CY_KEY_WORDS, cy_how_words};
    const json_t *value = json_object_get(object, "how");
    unsigned bit = value == NULL ? 0 : value_bit(&def, value);

    if (bit == 63)
        return cy_json_wrong(at, "how", "not one of its words");
    *how = (enum cy_how)bit;
    return 0;
}

/* A rule with the first n_keys of all keys. */
static int read_rule(const struct cy_json_place *at, json_t *object,
                     size_t n_keys, struct cy_rule *rule)
{
    const char *keys[CY_N_KEYS + 4] = {"cycles"};
    size_t n = 1;

    assert(n_keys == CY_N_KEYS || n_keys == CY_N_LOAD_KEYS);
    if (n_keys == CY_N_KEYS) {
        keys[n++] = "how";
        keys[n++] = "at_least";
    }
    for (size_t k = 0; k < n_keys; k++)
        keys[n++] = cy_keys[k].name;
    assert(n < sizeof keys / sizeof keys[0]); /* NULL ends them */
    if (cy_json_check_keys(at, object, keys) != 0)
        return -1;
    for (size_t k = 0; k < n_keys; k++)
        if (read_set(at, object, &cy_keys[k], &rule->sets[k]) != 0)
            return -1;
    rule->cost.rule = at->entry;
    if (cy_json_cycles(at, object, "cycles", NAN, &rule->cost.cycles) != 0 ||
        cy_json_cycles(at, object, "at_least", 0, &rule->cost.at_least) != 0)
        return -1;
    return read_how(at, object, &rule->cost.how);
}

static int read_figure(const struct cy_json_place *at, json_t *object,
                       bool has_chained, struct cy_figure *figure)
{
    const char *const keys[] = {
        "mnemonic", "form", "bits", "cycles", has_chained ? "chained" : NULL,
        NULL};

    if (cy_json_check_keys(at, object, keys) != 0 ||
        cy_json_texts(at, object, "mnemonic", &figure->mnemonics) != 0 ||
        cy_json_texts(at, object, "form", &figure->forms) != 0 ||
        read_set(at, object, &cy_keys[CY_KEY_BITS], &figure->bits) != 0 ||
        cy_json_cycles(at, object, "cycles", NAN, &figure->cycles) != 0)
        return -1;
    if (figure->mnemonics[0] == NULL)
        return cy_json_wrong(at, "mnemonic", "no value");
    return cy_json_cycles(at, object, "chained", -1, &figure->chained);
}

static int read_match(const struct cy_json_place *at, json_t *object,
                      struct cy_match *match)
{
    static const char *const keys[] = {"vendor", "family", "models", NULL};
    const json_t *models;

    if (cy_json_check_keys(at, object, keys) != 0 ||
        cy_json_text(at, object, "vendor", &match->vendor) != 0 ||
        cy_json_unsigned(at, json_object_get(object, "family"), "family",
                         &match->family) != 0)
        return -1;
    models = json_object_get(object, "models");
    match->models =
        memory_new(cy_json_count(models) + 1, sizeof *match->models);
    for (; match->n_models < cy_json_count(models); match->n_models++)
        if (cy_json_unsigned(at, cy_json_nth(models, match->n_models), "models",
                             &match->models[match->n_models]) != 0)
            return -1;
    return match->n_models > 0 ? 0 : cy_json_wrong(at, "models", "no value");
}

/* The entries of a list of the file, each of `size` bytes, zeroed; NULL if its
   value is no list.  Without the key the list is empty. */
static void *new_list(struct cy_json_place *at, const json_t *root,
                      const char *key, size_t size, size_t *n, json_t **list)
{
    at->list = NULL;
    *list = json_object_get(root, key);
    if (*list != NULL && !json_is_array(*list)) {
        cy_json_wrong(at, key, "not an array");
        return NULL;
    }
    at->list = key;
    *n = json_array_size(*list);
    return memory_new(*n + 1, size);
}

static int read_rules(struct cy_json_place *at, const json_t *root,
                      const char *key, size_t n_keys, struct cy_rule **rules,
                      size_t *n)
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

static int read_figures(struct cy_json_place *at, const json_t *root,
                        const char *key, bool has_chained,
                        struct cy_figure **figures, size_t *n)
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

static int read_matches(struct cy_json_place *at, const json_t *root,
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

static int read_window(const struct cy_json_place *at, const json_t *root,
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
        return cy_json_wrong(at, "window", "not an object");
    if (cy_json_check_keys(at, object, keys) != 0)
        return -1;
    for (size_t i = 0; keys[i] != NULL; i++) {
        const json_t *value = json_object_get(object, keys[i]);

        if (value != NULL &&
            cy_json_unsigned(at, value, keys[i], sizes[i]) != 0)
            return -1;
    }
    return 0;
}

static int read_rates(const struct cy_json_place *at, const json_t *root,
                      struct cy_rates *rates)
{
    static const char *const keys[] = {
        "load_general", "load_xmm",  "load_ymm",  "load_zmm", "store_general",
        "store_xmm",    "store_ymm", "store_zmm", "any",      NULL};
    json_t *object = json_object_get(root, "access");

    if (object != NULL && !json_is_object(object))
        return cy_json_wrong(at, "access", "not an object");
    if (object != NULL && cy_json_check_keys(at, object, keys) != 0)
        return -1;
    for (size_t i = 0; keys[i] != NULL; i++) {
        double *cycles = i < 4   ? &rates->load[i]
                         : i < 8 ? &rates->store[i - 4]
                                 : &rates->any;

        *cycles = NAN;
        if (json_object_get(object, keys[i]) != NULL &&
            cy_json_cycles(at, object, keys[i], NAN, cycles) != 0)
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
    struct cy_json_place at = {path, NULL, 0, d};

    if (cy_json_check_keys(&at, root, keys) != 0 ||
        cy_json_text(&at, root, "name", &m->name) != 0 ||
        cy_json_text(&at, root, "source", &m->source) != 0 ||
        cy_json_text(&at, root, "llvm_mca_cpu", &m->llvm_cpu) != 0 ||
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
        cy_json_texts(&at, root, "zero_idioms", &m->zero_idioms) != 0 ||
        cy_json_texts(&at, root, "fused", &m->fused) != 0)
        return -1;
    return cy_json_texts(&at, root, "uncertain", &m->uncertain);
}

struct cy_machine *cy_machine_read(const char *path, struct diag *d)
{
    struct cy_machine *m = memory_new(1, sizeof *m);

    m->document = cy_json_load(path, d);
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
