/*
 * cy_machine: reads a machine file.
 *
 * A function that does not find in the file what its caller asks for reports
 * it, with the file, the entry and the key, and returns -1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "machine/internal.h"
#include "file.h"
#include "memory.h"

/* What is being read, for messages. */
struct place {
    const char *path;
    const char *list;      /* the key of the file; NULL: the file itself */
    size_t entry;          /* its number there */
    const json_t *sources; /* where figures may come from, by name */
    struct diag *d;
};

/* Reports what is wrong with a key. */
static int wrong(const struct place *at, const char *key, const char *what)
{
    assert(at->path != NULL && key != NULL);
    if (at->list == NULL)
        return diag_set(at->d, "%s: %s: %s", at->path, key, what);
    return diag_set(at->d, "%s: %s[%zu]: %s: %s", at->path, at->list, at->entry,
                    key, what);
}

/* Checks that it is an object with no other keys; NULL ends the keys. */
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

/* The number of values of an array, and the i-th.  Any other value counts as an
   array of itself, and NULL as an empty one. */
static size_t count(const json_t *value)
{
    return json_is_array(value) ? json_array_size(value) : value != NULL;
}

static const json_t *nth(const json_t *value, size_t i)
{
    assert(i < count(value));
    return json_is_array(value) ? json_array_get(value, i) : value;
}

/* A text, or an array of texts, none if there is no such key.  NULL ends them;
   the caller frees the array, also after a failure. */
static int read_texts(const struct place *at, const json_t *object,
                      const char *key, const char ***texts)
{
    const json_t *value = json_object_get(object, key);
    size_t n = count(value);

    *texts = memory_new(n + 1, sizeof **texts);
    for (size_t i = 0; i < n; i++) {
        (*texts)[i] = json_string_value(nth(value, i));
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

/* Takes a value of a key; `number` is a double or an unsigned. */
typedef int take_number(const struct place *at, const json_t *value,
                        const char *key, void *number);

static int take_cycles(const struct place *at, const json_t *value,
                       const char *key, void *number)
{
    double cycles = json_number_value(value);

    if (!json_is_number(value) || !(cycles >= 0 && cycles <= 1e6))
        return wrong(at, key, "not a number of cycles from 0 to 1000000");
    *(double *)number = cycles;
    return 0;
}

static int take_unsigned(const struct place *at, const json_t *value,
                         const char *key, void *number)
{
    json_int_t n = json_integer_value(value);

    if (!json_is_integer(value) || n < 0 || n > INT_MAX)
        return wrong(at, key, "not a whole number from 0 to 2147483647");
    *(unsigned *)number = (unsigned)n;
    return 0;
}

/* Reads a number; without the key it is `missing`, which NAN forbids. */
static int read_cycles(const struct place *at, const json_t *object,
                       const char *key, double missing, double *cycles)
{
    const json_t *value = json_object_get(object, key);

    *cycles = missing;
    return value == NULL && !isnan(missing)
               ? 0
               : take_cycles(at, value, key, cycles);
}

/* Reads a truth; without the key it is false. */
static int read_truth(const struct place *at, const json_t *object,
                      const char *key, bool *truth)
{
    const json_t *value = json_object_get(object, key);

    *truth = json_is_true(value);
    return value == NULL || json_is_boolean(value)
               ? 0
               : wrong(at, key, "not true or false");
}

/* Reads an object whose keys are all optional. */
static int read_members(const struct place *at, const json_t *root,
                        const char *name, const struct cy_member *members,
                        take_number *take, void *all)
{
    json_t *object = json_object_get(root, name), *value;
    const char *key;

    if (object != NULL && !json_is_object(object))
        return wrong(at, name, "not an object");
    json_object_foreach(object, key, value)
    {
        const struct cy_member *m = members;

        while (m->key != NULL && strcmp(m->key, key) != 0)
            m++;
        if (m->key == NULL)
            return wrong(at, key, "unknown key");
        if (take(at, value, key, (char *)all + m->offset) != 0)
            return -1;
    }
    return 0;
}

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

/* Reads {"from": N}, which stands for all numbers from N on. */
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
    for (size_t i = 0; i < count(value); i++) {
        unsigned bit = value_bit(def, nth(value, i));

        if (bit == 63)
            return wrong(at, def->name, what[def->kind]);
        assert(bit < 63);
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

/* Where the figure comes from is for readers of the file, but must be said. */
static int check_source(const struct place *at, const json_t *object)
{
    const json_t *value = json_object_get(object, "source");

    if (value == NULL)
        return 0;
    if (json_object_get(at->sources, json_string_value(value) ?: "") == NULL)
        return wrong(at, "source", "not one of the file's sources");
    return 0;
}

/* Reads a rule, which has the keys of the list "forward", or those that rules
   of the list "load" may have. */
static int read_rule(const struct place *at, json_t *object, void *entry)
{
    bool is_load = strcmp(at->list, "load") == 0;
    size_t n_keys = is_load ? CY_N_LOAD_KEYS : CY_N_KEYS;
    struct cy_rule *rule = entry;
    const char *keys[CY_N_KEYS + 6] = {"cycles", "source", "guessed"};
    size_t n = 3;

    if (!is_load) {
        keys[n++] = "how";
        keys[n++] = "at_least";
    }
    for (size_t k = 0; k < n_keys; k++)
        keys[n++] = cy_keys[k].name;
    assert(n < sizeof keys / sizeof keys[0]); /* NULL ends them */
    if (check_keys(at, object, keys) != 0)
        return -1;
    for (size_t k = 0; k < n_keys; k++)
        if (read_set(at, object, &cy_keys[k], &rule->sets[k]) != 0)
            return -1;
    rule->cost.rule = at->entry;
    if (check_source(at, object) != 0 ||
        read_truth(at, object, "guessed", &rule->cost.is_guessed) != 0 ||
        read_cycles(at, object, "cycles", NAN, &rule->cost.cycles) != 0 ||
        read_cycles(at, object, "at_least", 0, &rule->cost.at_least) != 0)
        return -1;
    return read_how(at, object, &rule->cost.how);
}

static int read_figure(const struct place *at, json_t *object, void *entry)
{
    static const char *const keys[] = {"chained", "accumulated", "mnemonic",
                                       "form",    "bits",        "cycles",
                                       "source",  "locked",      NULL};
    bool can_chain = strcmp(at->list, "latency") == 0;
    struct cy_figure *figure = entry;

    if (check_keys(at, object, can_chain ? keys : keys + 2) != 0 ||
        read_texts(at, object, "mnemonic", &figure->mnemonics) != 0 ||
        read_texts(at, object, "form", &figure->forms) != 0 ||
        read_set(at, object, &cy_keys[CY_KEY_BITS], &figure->bits) != 0 ||
        read_truth(at, object, "locked", &figure->locked) != 0 ||
        read_cycles(at, object, "cycles", NAN, &figure->cycles) != 0)
        return -1;
    if (figure->mnemonics[0] == NULL)
        return wrong(at, "mnemonic", "no value");
    if (check_source(at, object) != 0)
        return -1;
    return read_cycles(at, object, "chained", -1, &figure->chained) != 0 ||
                   read_cycles(at, object, "accumulated", -1,
                               &figure->accumulated) != 0
               ? -1
               : 0;
}

static int read_match(const struct place *at, json_t *object, void *entry)
{
    static const char *const keys[] = {"vendor", "family", "models", NULL};
    struct cy_match *match = entry;
    const json_t *models;

    if (check_keys(at, object, keys) != 0 ||
        read_text(at, object, "vendor", &match->vendor) != 0 ||
        take_unsigned(at, json_object_get(object, "family"), "family",
                      &match->family) != 0)
        return -1;
    models = json_object_get(object, "models");
    match->models = memory_new(count(models) + 1, sizeof *match->models);
    for (; match->n_models < count(models); match->n_models++)
        if (take_unsigned(at, nth(models, match->n_models), "models",
                          &match->models[match->n_models]) != 0)
            return -1;
    return match->n_models > 0 ? 0 : wrong(at, "models", "no value");
}

/* A list of the file, and where the machine has its entries. */
struct list {
    const char *key;
    size_t size; /* of an entry */
    size_t entries, n;
    int (*read)(const struct place *at, json_t *object, void *entry);
};

#define LIST(key, member, read)                           \
    {                                                     \
        key, sizeof *((struct cy_machine *)NULL)->member, \
            offsetof(struct cy_machine, member),          \
            offsetof(struct cy_machine, n_##member), read \
    }

static const struct list lists[] = {
    LIST("match", matches, read_match),
    LIST("load", loads, read_rule),
    LIST("forward", forwards, read_rule),
    LIST("latency", latencies, read_figure),
    LIST("occupancy", occupancies, read_figure),
    LIST("throughput", throughputs, read_figure),
};
#define N_LISTS (sizeof lists / sizeof lists[0])

/* Reads a list, which is empty if the key is missing. */
static int read_list(struct place *at, const json_t *root,
                     const struct list *list, struct cy_machine *m)
{
    json_t *array = json_object_get(root, list->key);
    size_t n = json_array_size(array);
    char *entries;

    assert(at->list == NULL && list->size > 0);
    if (array != NULL && !json_is_array(array))
        return wrong(at, list->key, "not an array");
    entries = memory_new(n + 1, list->size);
    memcpy((char *)m + list->entries, &entries, sizeof entries);
    memcpy((char *)m + list->n, &n, sizeof n);
    at->list = list->key;
    for (at->entry = 0; at->entry < n; at->entry++)
        if (list->read(at, json_array_get(array, at->entry),
                       entries + at->entry * list->size) != 0)
            return -1;
    at->list = NULL;
    return 0;
}

static const struct cy_member rates[] = {
    {"load_general", offsetof(struct cy_rates, load[CY_GENERAL])},
    {"load_xmm", offsetof(struct cy_rates, load[CY_XMM])},
    {"load_ymm", offsetof(struct cy_rates, load[CY_YMM])},
    {"load_zmm", offsetof(struct cy_rates, load[CY_ZMM])},
    {"store_general", offsetof(struct cy_rates, store[CY_GENERAL])},
    {"store_xmm", offsetof(struct cy_rates, store[CY_XMM])},
    {"store_ymm", offsetof(struct cy_rates, store[CY_YMM])},
    {"store_zmm", offsetof(struct cy_rates, store[CY_ZMM])},
    {"any", offsetof(struct cy_rates, any[CY_GENERAL])},
    {"any_xmm", offsetof(struct cy_rates, any[CY_XMM])},
    {"any_ymm", offsetof(struct cy_rates, any[CY_YMM])},
    {"any_zmm", offsetof(struct cy_rates, any[CY_ZMM])},
    {"locked", offsetof(struct cy_rates, locked)},
    {0},
};

/* Wider accesses without a figure for units that loads and stores share have
   that of general registers. */
static int read_rates(const struct place *at, const json_t *root,
                      struct cy_rates *all)
{
    for (const struct cy_member *r = rates; r->key != NULL; r++)
        *(double *)(void *)((char *)all + r->offset) = NAN;
    if (read_members(at, root, "access", rates, take_cycles, all) != 0)
        return -1;
    for (enum cy_class c = CY_XMM; c <= CY_ZMM; c++)
        if (isnan(all->any[c]))
            all->any[c] = all->any[CY_GENERAL];
    return 0;
}

/* The width of the dispatch and the cycles of rounds, or how many instructions
   begin in a cycle, if there is the key. */
static int read_dispatch(const struct place *at, const json_t *root,
                         struct cy_machine *m)
{
    static const char *const keys[] = {
        "width",    "rounds",       "line_places", "line_cycles",
        "branches", "instructions", NULL};
    json_t *object = json_object_get(root, "dispatch");
    const json_t *rounds = json_object_get(object, "rounds");
    struct cy_dispatch *dispatch = &m->facts.dispatch;
    double branches;

    dispatch->width = NAN;
    if (object == NULL)
        return 0;
    if (!json_is_object(object))
        return wrong(at, "dispatch", "not an object");
    if (check_keys(at, object, keys) != 0 ||
        read_cycles(at, object, "instructions", 0, &dispatch->instructions) !=
            0)
        return -1;
    if (dispatch->instructions > 0 && json_object_get(object, "width") == NULL)
        return 0;
    if (read_cycles(at, object, "width", NAN, &dispatch->width) != 0)
        return -1;
    if (dispatch->width < 1)
        return wrong(at, "width", "less than 1");
    dispatch->rounds = m->rounds =
        memory_new(count(rounds) + 1, sizeof(double));
    for (size_t i = 0; i < count(rounds); i++)
        if (take_cycles(at, nth(rounds, i), "rounds", &m->rounds[i]) != 0)
            return -1;
    dispatch->n_rounds = count(rounds);
    if (read_cycles(at, object, "line_places", 0, &dispatch->line_places) !=
            0 ||
        read_cycles(at, object, "line_cycles", 0, &dispatch->line_cycles) != 0)
        return -1;
    if (dispatch->line_places > 0 && dispatch->line_cycles < 1)
        return wrong(at, "line_cycles", "less than 1");
    if (read_cycles(at, object, "branches", 0, &branches) != 0)
        return -1;
    if (branches != floor(branches) || branches > 16)
        return wrong(at, "branches", "not a whole number up to 16");
    dispatch->branches = (unsigned)branches;
    return 0;
}

/* The architecture; without the key x86-64. */
static int read_arch(const struct place *at, const json_t *root,
                     enum cy_arch *arch)
{
    const json_t *value = json_object_get(root, "arch");

    *arch = CY_X86_64;
    return value == NULL || cy_arch_parse(json_string_value(value) ?: "", arch)
               ? 0
               : wrong(at, "arch", "not x86-64 or aarch64");
}

static int read_root(struct cy_machine *m, json_t *root, const char *path,
                     struct diag *d)
{
    static const char *const keys[] = {
        "name",   "source",      "sources",    "match",     "llvm_mca_cpu",
        "window", "load",        "forward",    "latency",   "occupancy",
        "access", "zero_idioms", "fused",      "uncertain", "dispatch",
        "forced", "published",   "throughput", "arch",      "zero_upper",
        NULL};
    struct place at = {path, NULL, 0, json_object_get(root, "sources"), d};

    if (check_keys(&at, root, keys) != 0 ||
        read_arch(&at, root, &m->facts.arch) != 0 ||
        read_text(&at, root, "name", &m->facts.name) != 0 ||
        read_text(&at, root, "source", &m->facts.source) != 0 ||
        read_text(&at, root, "llvm_mca_cpu", &m->facts.llvm_cpu) != 0)
        return -1;
    for (size_t i = 0; i < N_LISTS; i++)
        if (read_list(&at, root, &lists[i], m) != 0)
            return -1;
    if (read_members(&at, root, "window", cy_window_members, take_unsigned,
                     &m->facts.window) != 0 ||
        read_rates(&at, root, &m->facts.rates) != 0 ||
        read_dispatch(&at, root, m) != 0 ||
        read_truth(&at, root, "forced", &m->facts.is_forced) != 0 ||
        read_truth(&at, root, "published", &m->facts.is_published) != 0 ||
        read_truth(&at, root, "zero_upper", &m->facts.zero_upper) != 0 ||
        read_texts(&at, root, "zero_idioms", &m->zero_idioms) != 0 ||
        read_texts(&at, root, "fused", &m->fused) != 0)
        return -1;
    return read_texts(&at, root, "uncertain", &m->facts.uncertain);
}

/* The file; the caller releases it.  NULL: it cannot be read, or is no JSON. */
static json_t *load(const char *path, struct diag *d)
{
    size_t n;
    char *text = file_text(path, FILE_MOST_TEXT, &n, d);
    json_error_t error;
    json_t *root;

    if (text == NULL)
        return NULL;
    root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        diag_set(d, "%s: line %d: not JSON: %s", path, error.line, error.text);
    free(text);
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
    free_figures(m->throughputs, m->n_throughputs);
    free(m->zero_idioms);
    free(m->fused);
    free(m->facts.uncertain);
    free(m->rounds);
    json_decref(m->document);
    free(m->processor);
    free(m);
}
