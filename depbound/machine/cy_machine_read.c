/*
 * cy_machine_read: reads and writes machine files.  A function that finds an
 * error reports it, with file, entry and key, and returns -1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "machine/cy_machine.h"
#include "file.h"
#include "memory.h"

static const char *const classes[] = {"general", "xmm", "ymm", "zmm", NULL};
static const char *const addressings[] = {"base",  "index", "rip",
                                          "stack", "push",  NULL};
static const char *const extends[] = {"none", "zero", "sign", NULL};
static const char *const relations[] = {"same",    "contained", "partial",
                                        "several", "crossing",  "crossing-page",
                                        NULL};
static const char *const hows[] = {"forwarded", "renamed", "failed", NULL};

#define OF(member)                       \
    offsetof(struct cy_through, member), \
        sizeof((struct cy_through *)NULL)->member

const struct cy_key cy_keys[CY_N_KEYS] = {
    {"class", CY_KEY_WORDS, classes, OF(load.class)},
    {"load_addressing", CY_KEY_WORDS, addressings, OF(load.addressing)},
    {"bits", CY_KEY_WIDTHS, NULL, OF(load.bits)},
    {"extend", CY_KEY_WORDS, extends, OF(load.extend)},
    {"store_class", CY_KEY_WORDS, classes, OF(store.class)},
    {"store_addressing", CY_KEY_WORDS, addressings, OF(store.addressing)},
    {"store_bits", CY_KEY_WIDTHS, NULL, OF(store.bits)},
    {"relation", CY_KEY_WORDS, relations, OF(relation)},
    {"delta_k", CY_KEY_NUMBERS, NULL, OF(delta_k)},
    {"inside", CY_KEY_TRUTHS, NULL, OF(offset)},
    {"offset", CY_KEY_NUMBERS, NULL, OF(offset)},
    {"store_first", CY_KEY_TRUTHS, NULL, OF(store_first)},
    {"load_op", CY_KEY_TRUTHS, NULL, OF(load_op)},
    {"store_rmw", CY_KEY_TRUTHS, NULL, OF(store_rmw)},
    {"load_rmw", CY_KEY_TRUTHS, NULL, OF(load_rmw)},
    {"self", CY_KEY_TRUTHS, NULL, OF(self)},
    {"copy", CY_KEY_TRUTHS, NULL, OF(copy)},
    {"load_parts", CY_KEY_TRUTHS, NULL, OF(load_parts)},
    {"store_parts", CY_KEY_TRUTHS, NULL, OF(store_parts)},
    {"locked", CY_KEY_TRUTHS, NULL, OF(locked)},
};

/* The place in the file that is being read: a key and its value. */
struct place {
    const char *path;
    const char *list;      /* the list's key; NULL: not in a list */
    size_t entry;          /* its number in the list */
    const json_t *sources; /* the file's sources of figures, by name */
    const char *key;
    json_t *value; /* NULL: the file has no such key */
    struct diag *d;
};

/* Reports what is wrong with the value that is being read. */
static int wrong(const struct place *at, const char *what)
{
    assert(at->path != NULL && at->key != NULL);
    if (at->list == NULL)
        return diag_set(at->d, "%s: %s: %s", at->path, at->key, what);
    return diag_set(at->d, "%s: %s[%zu]: %s: %s", at->path, at->list, at->entry,
                    at->key, what);
}

/* A key of an object, and the member of a struct for its value. */
struct row {
    const char *key;                             /* NULL ends a table */
    int (*read)(struct place *at, void *member); /* NULL: for human readers */
    size_t offset;
    bool is_always; /* read is called even if there is no value; else the member
                       stays as it is */
};

/* Reads an object into the struct `all`, in the order of the rows.  The object
   may also have the first n_keys keys of cy_keys. */
static int read_rows(struct place *at, const struct row *rows, size_t n_keys,
                     void *all)
{
    json_t *object = at->value;

    if (!json_is_object(object))
        return wrong(at, "not an object");
    json_object_foreach(object, at->key, at->value)
    {
        size_t i = 0, k = 0;

        while (rows[i].key != NULL && strcmp(rows[i].key, at->key) != 0)
            i++;
        while (k < n_keys && strcmp(cy_keys[k].name, at->key) != 0)
            k++;
        if (rows[i].key == NULL && k == n_keys)
            return wrong(at, "unknown key");
    }
    for (const struct row *row = rows; row->key != NULL; row++) {
        at->key = row->key;
        at->value = json_object_get(object, row->key);
        if (row->read != NULL && (at->value != NULL || row->is_always) &&
            row->read(at, (char *)all + row->offset) != 0)
            return -1;
    }
    at->value = object;
    return 0;
}

/* The number of values of an array, and its i-th value.  A value that is no
   array counts as an array of one, and NULL as an empty one. */
static size_t count(const json_t *value)
{
    return json_is_array(value) ? json_array_size(value) : value != NULL;
}

static json_t *nth(json_t *value, size_t i)
{
    assert(i < count(value));
    return json_is_array(value) ? json_array_get(value, i) : value;
}

/* Reads a text or an array of texts into an array that NULL ends; without the
   key it is empty.  cy_machine_free frees it, also after a failure. */
static int read_texts(struct place *at, void *member)
{
    size_t n = count(at->value);
    const char **texts = memory_new(n + 1, sizeof *texts);

    *(const char ***)member = texts;
    for (size_t i = 0; i < n; i++) {
        texts[i] = json_string_value(nth(at->value, i));
        if (texts[i] == NULL)
            return wrong(at, "not a text or an array of texts");
    }
    return 0;
}

static int read_text(struct place *at, void *member)
{
    *(const char **)member = json_string_value(at->value);
    return json_is_string(at->value) ? 0 : wrong(at, "not a text");
}

static int read_cycles(struct place *at, void *member)
{
    double cycles = json_number_value(at->value);

    *(double *)member = cycles;
    return json_is_number(at->value) && cycles >= 0 && cycles <= 1e6
               ? 0
               : wrong(at, "not a number of cycles from 0 to 1000000");
}

static int read_unsigned(struct place *at, void *member)
{
    json_int_t n = json_integer_value(at->value);

    *(unsigned *)member = (unsigned)n;
    return json_is_integer(at->value) && n >= 0 && n <= INT_MAX
               ? 0
               : wrong(at, "not a whole number from 0 to 2147483647");
}

static int read_truth(struct place *at, void *member)
{
    *(bool *)member = json_is_true(at->value);
    return json_is_boolean(at->value) ? 0 : wrong(at, "not true or false");
}

/* The bit of a key's value in a set; 63 if the key cannot have the value. */
static unsigned value_bit(const struct cy_key *key, const json_t *value)
{
    const char *word = json_string_value(value);
    json_int_t n = json_integer_value(value);
    unsigned bit;

    switch (key->kind) {
    case CY_KEY_WORDS:
        for (bit = 0; word != NULL && key->words[bit] != NULL; bit++)
            if (strcmp(key->words[bit], word) == 0)
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

/* Reads a key's values into a set.  {"from": N}: all numbers from N on. */
static int read_set(struct place *at, const struct cy_key *key, uint64_t *set)
{
    static const char *const what[] = {
        [CY_KEY_WORDS] = "not one of its words",
        [CY_KEY_WIDTHS] = "not a power of two from 8 to 512",
        [CY_KEY_NUMBERS] = "not a whole number from 0 to 62",
        [CY_KEY_TRUTHS] = "not true or false",
    };
    static const struct row from[] = {{.key = "from"}, {0}};
    json_t *values = at->value;
    bool is_from = key->kind == CY_KEY_NUMBERS && json_is_object(values);

    if (is_from && read_rows(at, from, 0, NULL) != 0)
        return -1;
    at->key = key->name;
    for (size_t i = 0; i < count(values); i++) {
        json_t *value = nth(values, i);
        unsigned bit =
            value_bit(key, is_from ? json_object_get(value, "from") : value);

        if (bit == 63)
            return wrong(at, what[key->kind]);
        assert(bit < 63);
        *set |= is_from ? (UINT64_MAX >> 1) & UINT64_MAX << bit
                        : (uint64_t)1 << bit;
    }
    /* An empty array is refused: it might mean nothing or everything. */
    return values == NULL || *set != 0 ? 0 : wrong(at, "no value");
}

static int read_widths(struct place *at, void *member)
{
    const struct cy_key key = {.name = at->key, .kind = CY_KEY_WIDTHS};

    return read_set(at, &key, member);
}

static int read_how(struct place *at, void *member)
{
    const struct cy_key key = {.kind = CY_KEY_WORDS, .words = hows};
    unsigned bit = value_bit(&key, at->value);

    *(enum cy_how *)member = (enum cy_how)bit;
    return bit < 63 ? 0 : wrong(at, "not one of its words");
}

/* A figure's source is for human readers, but must be one of the file's. */
static int check_source(struct place *at, void *member)
{
    (void)member;
    return json_object_get(at->sources, json_string_value(at->value) ?: "")
               ? 0
               : wrong(at, "not one of the file's sources");
}

/* Reads a rule of the list "forward", or of "load", which has fewer keys. */
static int read_rule(struct place *at, void *entry)
{
#define RULE(member) offsetof(struct cy_rule, cost.member)
    static const struct row rows[] = {
        {"how", read_how, RULE(how), false},
        {"at_least", read_cycles, RULE(at_least), false},
        {"source", check_source, 0, false},
        {"guessed", read_truth, RULE(is_guessed), false},
        {"cycles", read_cycles, RULE(cycles), true},
        {0},
    };
    bool is_load = strcmp(at->list, "load") == 0;
    size_t n_keys = is_load ? CY_N_LOAD_KEYS : CY_N_KEYS;
    struct cy_rule *rule = entry;
    json_t *object = at->value;

    if (read_rows(at, is_load ? rows + 2 : rows, n_keys, rule) != 0)
        return -1;
    for (size_t k = 0; k < n_keys; k++) {
        at->value = json_object_get(object, cy_keys[k].name);
        if (read_set(at, &cy_keys[k], &rule->sets[k]) != 0)
            return -1;
    }
    return 0;
}

/* Reads a figure of the list "latency", or of others, which have fewer keys. */
static int read_figure(struct place *at, void *entry)
{
#define FIGURE(member) offsetof(struct cy_figure, member)
    static const struct row rows[] = {
        {"chained", read_cycles, FIGURE(chained), false},
        {"accumulated", read_cycles, FIGURE(accumulated), false},
        {"mnemonic", read_texts, FIGURE(mnemonics), true},
        {"form", read_texts, FIGURE(forms), true},
        {"bits", read_widths, FIGURE(bits), false},
        {"locked", read_truth, FIGURE(locked), false},
        {"cycles", read_cycles, FIGURE(cycles), true},
        {"source", check_source, 0, false},
        {0},
    };
    bool can_chain = strcmp(at->list, "latency") == 0;
    struct cy_figure *figure = entry;

    figure->chained = figure->accumulated = -1;
    if (read_rows(at, can_chain ? rows : rows + 2, 0, figure) != 0)
        return -1;
    at->key = "mnemonic";
    return figure->mnemonics[0] != NULL ? 0 : wrong(at, "no value");
}

static int read_models(struct place *at, void *entry)
{
    struct cy_match *match = entry;
    json_t *values = at->value;
    size_t n = count(values);

    match->models = memory_new(n + 1, sizeof *match->models);
    for (; match->n_models < n; match->n_models++) {
        at->value = nth(values, match->n_models);
        if (read_unsigned(at, &match->models[match->n_models]) != 0)
            return -1;
    }
    return n > 0 ? 0 : wrong(at, "no value");
}

static int read_match(struct place *at, void *entry)
{
    static const struct row rows[] = {
        {"vendor", read_text, offsetof(struct cy_match, vendor), true},
        {"family", read_unsigned, offsetof(struct cy_match, family), true},
        {"models", read_models, 0, true},
        {0},
    };

    return read_rows(at, rows, 0, entry);
}

#define MACHINE(member) offsetof(struct cy_machine, member)
#define LIST(member, read)                      \
    read, MACHINE(member), MACHINE(n_##member), \
        sizeof *((struct cy_machine *)NULL)->member

/* The lists of a machine file, and where struct cy_machine has them. */
static const struct {
    const char *key;
    int (*read)(struct place *at, void *entry);
    size_t entries, n;
    size_t size; /* bytes of an entry */
} lists[] = {
    {"match", LIST(matches, read_match)},
    {"load", LIST(loads, read_rule)},
    {"forward", LIST(forwards, read_rule)},
    {"latency", LIST(latencies, read_figure)},
    {"occupancy", LIST(occupancies, read_figure)},
    {"throughput", LIST(throughputs, read_figure)},
};

static int read_list(struct place *at, void *machine)
{
    json_t *array = at->value;
    size_t n = json_array_size(array), i = 0;
    char *entries;

    while (strcmp(lists[i].key, at->key) != 0) {
        i++;
        assert(i < sizeof lists / sizeof *lists);
    }
    if (!json_is_array(array))
        return wrong(at, "not an array");
    entries = memory_new(n + 1, lists[i].size);
    memcpy((char *)machine + lists[i].entries, &entries, sizeof entries);
    memcpy((char *)machine + lists[i].n, &n, sizeof n);
    at->list = lists[i].key;
    for (at->entry = 0; at->entry < n; at->entry++) {
        at->key = "entry";
        at->value = json_array_get(array, at->entry);
        if (lists[i].read(at, entries + at->entry * lists[i].size) != 0)
            return -1;
    }
    at->list = NULL;
    return 0;
}

static int read_window(struct place *at, void *window)
{
    json_t *object = at->value;

    if (!json_is_object(object))
        return wrong(at, "not an object");
    json_object_foreach(object, at->key, at->value)
    {
        const struct cy_member *m = cy_window_members;

        while (m->key != NULL && strcmp(m->key, at->key) != 0)
            m++;
        if (m->key == NULL)
            return wrong(at, "unknown key");
        if (read_unsigned(at, (char *)window + m->offset) != 0)
            return -1;
    }
    return 0;
}

/* Without a figure of their own in the units that loads and stores share,
   vector accesses have that of general registers. */
static int read_rates(struct place *at, void *member)
{
#define RATE(member) read_cycles, offsetof(struct cy_rates, member), false
    static const struct row rows[] = {
        {"load_general", RATE(load[CY_GENERAL])},
        {"load_xmm", RATE(load[CY_XMM])},
        {"load_ymm", RATE(load[CY_YMM])},
        {"load_zmm", RATE(load[CY_ZMM])},
        {"store_general", RATE(store[CY_GENERAL])},
        {"store_xmm", RATE(store[CY_XMM])},
        {"store_ymm", RATE(store[CY_YMM])},
        {"store_zmm", RATE(store[CY_ZMM])},
        {"any", RATE(any[CY_GENERAL])},
        {"any_xmm", RATE(any[CY_XMM])},
        {"any_ymm", RATE(any[CY_YMM])},
        {"any_zmm", RATE(any[CY_ZMM])},
        {"locked", RATE(locked)},
        {0},
    };
    struct cy_rates *all = member;

    for (const struct row *row = rows; row->key != NULL; row++)
        *(double *)(void *)((char *)all + row->offset) = NAN;
    if (at->value != NULL && read_rows(at, rows, 0, all) != 0)
        return -1;
    for (enum cy_class c = CY_XMM; c <= CY_ZMM; c++)
        if (isnan(all->any[c]))
            all->any[c] = all->any[CY_GENERAL];
    return 0;
}

static int read_width(struct place *at, void *machine)
{
    struct cy_dispatch *dispatch =
        &((struct cy_machine *)machine)->facts.dispatch;

    if (at->value == NULL && dispatch->instructions > 0)
        return 0;
    if (read_cycles(at, &dispatch->width) != 0)
        return -1;
    return dispatch->width >= 1 ? 0 : wrong(at, "less than 1");
}

static int read_rounds(struct place *at, void *machine)
{
    struct cy_machine *m = machine;
    json_t *values = at->value;
    size_t n = count(values);

    m->rounds = memory_new(n + 1, sizeof *m->rounds);
    for (size_t i = 0; i < n; i++) {
        at->value = nth(values, i);
        if (read_cycles(at, &m->rounds[i]) != 0)
            return -1;
    }
    m->facts.dispatch.rounds = m->rounds;
    m->facts.dispatch.n_rounds = n;
    return 0;
}

static int read_branches(struct place *at, void *member)
{
    double branches;

    if (read_cycles(at, &branches) != 0)
        return -1;
    *(unsigned *)member = (unsigned)branches;
    return branches == floor(branches) && branches <= 16
               ? 0
               : wrong(at, "not a whole number up to 16");
}

/* Reads the key "dispatch", if there is one: the dispatch's width and rounds,
   or only how many instructions begin in a cycle. */
static int read_dispatch(struct place *at, void *machine)
{
#define DISPATCH(member) MACHINE(facts.dispatch.member)
    static const struct row rows[] = {
        {"instructions", read_cycles, DISPATCH(instructions), false},
        {"width", read_width, 0, true},
        {"rounds", read_rounds, 0, false},
        {"line_places", read_cycles, DISPATCH(line_places), false},
        {"line_cycles", read_cycles, DISPATCH(line_cycles), false},
        {"branches", read_branches, DISPATCH(branches), false},
        {0},
    };
    struct cy_dispatch *dispatch =
        &((struct cy_machine *)machine)->facts.dispatch;

    dispatch->width = NAN;
    if (at->value == NULL)
        return 0;
    if (read_rows(at, rows, 0, machine) != 0)
        return -1;
    at->key = "line_cycles";
    if (dispatch->line_places > 0 && dispatch->line_cycles < 1)
        return wrong(at, "less than 1");
    /* Without a width the rest does not count. */
    if (isnan(dispatch->width))
        *dispatch = (struct cy_dispatch){
            .width = NAN, .instructions = dispatch->instructions};
    return 0;
}

/* Reads the architecture, which is x86-64 if the file has no such key. */
static int read_arch(struct place *at, void *member)
{
    return arch_parse(json_string_value(at->value) ?: "", member)
               ? 0
               : wrong(at, "not x86-64 or aarch64");
}

static const struct row root_rows[] = {
    {"arch", read_arch, MACHINE(facts.arch), false},
    {"name", read_text, MACHINE(facts.name), true},
    {"source", read_text, MACHINE(facts.source), true},
    {"sources", NULL, 0, false},
    {"llvm_mca_cpu", read_text, MACHINE(facts.llvm_cpu), true},
    {"match", read_list, 0, false},
    {"load", read_list, 0, false},
    {"forward", read_list, 0, false},
    {"latency", read_list, 0, false},
    {"occupancy", read_list, 0, false},
    {"throughput", read_list, 0, false},
    {"window", read_window, MACHINE(facts.window), false},
    {"access", read_rates, MACHINE(facts.rates), true},
    {"dispatch", read_dispatch, 0, true},
    {"forced", read_truth, MACHINE(facts.is_forced), false},
    {"published", read_truth, MACHINE(facts.is_published), false},
    {"zero_upper", read_truth, MACHINE(facts.zero_upper), false},
    {"zero_idioms", read_texts, MACHINE(zero_idioms), true},
    {"fused", read_texts, MACHINE(fused), true},
    {"uncertain", read_texts, MACHINE(facts.uncertain), true},
    {0},
};

/* Reads JSON, which the caller releases; NULL with *d set on failure. */
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
    struct place at = {.path = path, .key = "the file", .d = d};

    m->document = at.value = load(path, d);
    at.sources = json_object_get(m->document, "sources");
    if (m->document != NULL && read_rows(&at, root_rows, 0, m) == 0)
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

/* Writes the value of a key that a bit of its set stands for. */
static void write_value(FILE *out, const struct cy_key *key, unsigned bit)
{
    switch (key->kind) {
    case CY_KEY_WORDS:
        fputs(key->words[bit], out);
        break;
    case CY_KEY_WIDTHS:
        fprintf(out, "%llu", 1ULL << bit);
        break;
    case CY_KEY_NUMBERS:
        break;
    case CY_KEY_TRUTHS:
        fputs(bit == 1 ? "yes" : "no", out);
        break;
    }
}

/* Writes the consecutive numbers of a set from `first` on, as "2 to 5", or as
   "2 or more" if they have no end.  Returns the last one. */
static unsigned write_numbers(FILE *out, uint64_t set, unsigned first)
{
    unsigned last = first;

    while (last < 63 && (set >> (last + 1) & 1) != 0)
        last++;
    if (last >= 62)
        fprintf(out, "%u or more", first);
    else if (last > first)
        fprintf(out, "%u to %u", first, last);
    else
        fprintf(out, "%u", first);
    return last;
}

static void write_rule(FILE *out, const struct cy_rule *rule)
{
    const char *before = "";

    fprintf(out, "%8.2f  %-9s  ", rule->cost.cycles, hows[rule->cost.how]);
    for (size_t k = 0; k < CY_N_KEYS; k++) {
        const char * or = "";

        if (rule->sets[k] == 0)
            continue;
        fprintf(out, "%s%s ", before, cy_keys[k].name);
        for (unsigned bit = 0; bit < 64; bit++)
            if (rule->sets[k] >> bit & 1) {
                fputs(or, out);
                if (cy_keys[k].kind == CY_KEY_NUMBERS)
                    bit = write_numbers(out, rule->sets[k], bit);
                else
                    write_value(out, &cy_keys[k], bit);
                or = " or ";
            }
        before = ", ";
    }
    fprintf(out, "%s\n", before[0] == '\0' ? "in all other cases" : "");
}

void cy_machine_penalties(FILE *out, const struct cy_machine *m)
{
    fprintf(out,
            "%s: cycles from a store to a load of its bytes; the first line "
            "that fits counts\n\n  cycles  how        if\n",
            m->facts.name);
    for (size_t i = 0; i < m->n_forwards; i++)
        write_rule(out, &m->forwards[i]);
}
