/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/internal.h"

#include <limits.h>

/* --- Members of JSON --- */

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

/* --- Rules --- */

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
    {"scaled", CY_KEY_TRUTHS, NULL, OF(load.is_scaled)},
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
    {"rmw_register", CY_KEY_TRUTHS, NULL, OF(rmw_register)},
    {"moved", CY_KEY_TRUTHS, NULL, OF(moved)},
    {"copy", CY_KEY_TRUTHS, NULL, OF(copy)},
    {"load_parts", CY_KEY_TRUTHS, NULL, OF(load_parts)},
    {"store_parts", CY_KEY_TRUTHS, NULL, OF(store_parts)},
    {"locked", CY_KEY_TRUTHS, NULL, OF(locked)},
};

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
static int read_set(struct cy_json_place *at, const struct cy_key *key,
                    uint64_t *set)
{
    static const char *const what[] = {
        [CY_KEY_WORDS] = "not one of its words",
        [CY_KEY_WIDTHS] = "not a power of two from 8 to 512",
        [CY_KEY_NUMBERS] = "not a whole number from 0 to 62",
        [CY_KEY_TRUTHS] = "not true or false",
    };
    static const struct cy_json_row from[] = {{.key = "from"}, {0}};
    json_t *values = at->value;
    bool is_from = key->kind == CY_KEY_NUMBERS && json_is_object(values);

    if (is_from && cy_json_rows(at, from, 0, NULL) != 0)
        return -1;
    at->key = key->name;
    for (size_t i = 0; i < cy_json_count(values); i++) {
        json_t *value = cy_json_nth(values, i);
        unsigned bit =
            value_bit(key, is_from ? json_object_get(value, "from") : value);

        if (bit == 63)
            return cy_json_wrong(at, what[key->kind]);
        assert(bit < 63);
        *set |= is_from ? (UINT64_MAX >> 1) & UINT64_MAX << bit
                        : (uint64_t)1 << bit;
    }
    /* An empty array is refused: it might mean nothing or everything. */
    return values == NULL || *set != 0 ? 0 : cy_json_wrong(at, "no value");
}

static int read_widths(struct cy_json_place *at, void *member)
{
    const struct cy_key key = {.name = at->key, .kind = CY_KEY_WIDTHS};

    return read_set(at, &key, member);
}

static int read_how(struct cy_json_place *at, void *member)
{
    const struct cy_key key = {.kind = CY_KEY_WORDS, .words = hows};
    unsigned bit = value_bit(&key, at->value);

    *(enum cy_how *)member = (enum cy_how)bit;
    return bit < 63 ? 0 : cy_json_wrong(at, "not one of its words");
}

/* A figure's source must be one of the file's, and its name tells what the
   figure rests on. */
static int read_source(struct cy_json_place *at, void *member)
{
    const char *name = json_string_value(at->value) ?: "";

    *(enum cy_basis *)member =
        text_begins(name, "published") ? CY_PUBLISHED
        : text_begins(name, "typical") || text_begins(name, "guessed")
            ? CY_GUESSED
            : CY_MEASURED;
    return json_object_get(at->sources, name)
               ? 0
               : cy_json_wrong(at, "not one of the file's sources");
}

int cy_rule_read(struct cy_json_place *at, void *entry)
{
#define RULE(member) offsetof(struct cy_rule, cost.member)
    static const struct cy_json_row rows[] = {
        {"how", read_how, RULE(how), false},
        {"at_least", cy_json_cycles, RULE(at_least), false},
        {"source", read_source, RULE(basis), false},
        {"guessed", cy_json_truth, RULE(is_guessed), false},
        {"cycles", cy_json_cycles, RULE(cycles), true},
        {0},
    };
    bool is_load = strcmp(at->list, "load") == 0;
    size_t n_keys = is_load ? CY_N_LOAD_KEYS : CY_N_KEYS;
    struct cy_rule *rule = entry;
    json_t *object = at->value;

    if (cy_json_rows(at, is_load ? rows + 2 : rows, n_keys, rule) != 0)
        return -1;
    for (size_t k = 0; k < n_keys; k++) {
        at->value = json_object_get(object, cy_keys[k].name);
        if (read_set(at, &cy_keys[k], &rule->sets[k]) != 0)
            return -1;
    }
    if (rule->cost.is_guessed)
        rule->cost.basis = CY_GUESSED;
    return 0;
}

int cy_figure_read(struct cy_json_place *at, void *entry)
{
#define FIGURE(member) offsetof(struct cy_figure, member)
    static const struct cy_json_row rows[] = {
        {"chained", cy_json_cycles, FIGURE(chained), false},
        {"accumulated", cy_json_cycles, FIGURE(accumulated), false},
        {"kept", cy_json_cycles, FIGURE(kept), false},
        {"high", cy_json_cycles, FIGURE(high), false},
        {"places", cy_json_cycles, FIGURE(places), false},
        {"mnemonic", cy_json_texts, FIGURE(mnemonics), true},
        {"form", cy_json_texts, FIGURE(forms), true},
        {"bits", read_widths, FIGURE(bits), false},
        {"locked", cy_json_truth, FIGURE(locked), false},
        {"loads", cy_json_truth, FIGURE(loads), false},
        {"stores", cy_json_truth, FIGURE(stores), false},
        {"cycles", cy_json_cycles, FIGURE(cycles), true},
        {"source", read_source, FIGURE(basis), false},
        {0},
    };
    bool is_latency = strcmp(at->list, "latency") == 0,
         is_throughput = strcmp(at->list, "throughput") == 0;
    struct cy_figure *figure = entry;

    figure->chained = figure->accumulated = figure->kept = figure->high = -1;
    if (cy_json_rows(at,
                     is_latency      ? rows
                     : is_throughput ? rows + 4
                                     : rows + 5,
                     0, figure) != 0)
        return -1;
    for (size_t i = 0; figure->mnemonics[i] != NULL; i++)
        figure->names |= cy_name_bit(figure->mnemonics[i]);
    at->key = "mnemonic";
    return figure->mnemonics[0] != NULL ? 0 : cy_json_wrong(at, "no value");
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
