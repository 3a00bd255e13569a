/*
 * cy_machine: look-ups in a machine file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <string.h>

#include "machine/internal.h"

/* The value that no set has. */
#define NEVER 63

static const char *const classes[] = {"general", "xmm", "ymm", "zmm", NULL};
static const char *const addressings[] = {"base",  "index", "rip",
                                          "stack", "push",  NULL};
static const char *const extends[] = {"none", "zero", "sign", NULL};
static const char *const relations[] = {"same",    "contained", "partial",
                                        "several", "crossing",  "crossing-page",
                                        NULL};

const char *const cy_how_words[] = {"forwarded", "renamed", "failed", NULL};

const struct cy_key_def cy_keys[CY_N_KEYS] = {
    [CY_KEY_CLASS] = {"class", CY_KEY_WORDS, classes},
    [CY_KEY_LOAD_ADDRESSING] = {"load_addressing", CY_KEY_WORDS, addressings},
    [CY_KEY_BITS] = {"bits", CY_KEY_WIDTHS, NULL},
    [CY_KEY_EXTEND] = {"extend", CY_KEY_WORDS, extends},
    [CY_KEY_STORE_CLASS] = {"store_class", CY_KEY_WORDS, classes},
    [CY_KEY_STORE_ADDRESSING] = {"store_addressing", CY_KEY_WORDS, addressings},
    [CY_KEY_STORE_BITS] = {"store_bits", CY_KEY_WIDTHS, NULL},
    [CY_KEY_RELATION] = {"relation", CY_KEY_WORDS, relations},
    [CY_KEY_DELTA_K] = {"delta_k", CY_KEY_NUMBERS, NULL},
    [CY_KEY_INSIDE] = {"inside", CY_KEY_TRUTHS, NULL},
    [CY_KEY_OFFSET] = {"offset", CY_KEY_NUMBERS, NULL},
    [CY_KEY_STORE_FIRST] = {"store_first", CY_KEY_TRUTHS, NULL},
    [CY_KEY_LOAD_OP] = {"load_op", CY_KEY_TRUTHS, NULL},
    [CY_KEY_STORE_RMW] = {"store_rmw", CY_KEY_TRUTHS, NULL},
    [CY_KEY_LOAD_RMW] = {"load_rmw", CY_KEY_TRUTHS, NULL},
    [CY_KEY_SELF] = {"self", CY_KEY_TRUTHS, NULL},
    [CY_KEY_COPY] = {"copy", CY_KEY_TRUTHS, NULL},
    [CY_KEY_LOAD_PARTS] = {"load_parts", CY_KEY_TRUTHS, NULL},
    [CY_KEY_STORE_PARTS] = {"store_parts", CY_KEY_TRUTHS, NULL},
    [CY_KEY_LOCKED] = {"locked", CY_KEY_TRUTHS, NULL},
};

const struct cy_facts *cy_machine_facts(const struct cy_machine *machine)
{
    assert(machine->facts.uncertain != NULL);
    return &machine->facts;
}

static uint64_t difference(unsigned a, unsigned b)
{
    return a < b ? b - a : a - b;
}

uint64_t cy_machine_distance(const struct cy_machine *machine,
                             const struct cy_cpu *cpu)
{
    uint64_t least = CY_NO_RELATIVE;

    for (size_t i = 0; i < machine->n_matches; i++) {
        const struct cy_match *match = &machine->matches[i];

        if (strcmp(match->vendor, cpu->vendor) != 0)
            continue;
        for (size_t j = 0; j < match->n_models; j++) {
            uint64_t distance = difference(match->family, cpu->family) << 32 |
                                difference(match->models[j], cpu->model);

            if (distance < least)
                least = distance;
        }
    }
    return least;
}

unsigned cy_width_bit(uint64_t bits)
{
    if (bits == 0 || (bits & (bits - 1)) != 0)
        return NEVER;
    return (unsigned)__builtin_ctzll(bits);
}

static void value_load(unsigned *values, const struct cy_access *load)
{
    assert(load->class <= CY_ZMM && load->addressing <= CY_PUSH &&
           load->extend <= CY_SIGN);
    values[CY_KEY_CLASS] = load->class;
    values[CY_KEY_LOAD_ADDRESSING] = load->addressing;
    values[CY_KEY_BITS] = cy_width_bit(load->bits);
    values[CY_KEY_EXTEND] = load->extend;
}

static void value_through(unsigned *values, const struct cy_through *t)
{
    int k = t->delta_k < NEVER ? t->delta_k : NEVER - 1;

    assert(t->store.class <= CY_ZMM && t->store.addressing <= CY_PUSH);
    assert(t->relation <= CY_CROSSING_PAGE && t->delta_k >= -1);
    value_load(values, &t->load);
    values[CY_KEY_STORE_CLASS] = t->store.class;
    values[CY_KEY_STORE_ADDRESSING] = t->store.addressing;
    values[CY_KEY_STORE_BITS] = cy_width_bit(t->store.bits);
    values[CY_KEY_RELATION] = t->relation;
    values[CY_KEY_DELTA_K] = k >= 0 ? (unsigned)k : NEVER;
    values[CY_KEY_INSIDE] = t->offset > 0;
    values[CY_KEY_OFFSET] = t->offset < NEVER ? t->offset : NEVER - 1;
    values[CY_KEY_STORE_FIRST] = t->store_first;
    values[CY_KEY_LOAD_OP] = t->load_op;
    values[CY_KEY_STORE_RMW] = t->store_rmw;
    values[CY_KEY_LOAD_RMW] = t->load_rmw;
    values[CY_KEY_SELF] = t->self;
    values[CY_KEY_COPY] = t->copy;
    values[CY_KEY_LOAD_PARTS] = t->load_parts;
    values[CY_KEY_STORE_PARTS] = t->store_parts;
    values[CY_KEY_LOCKED] = t->locked;
}

/* The first rule that has all the values; NULL if there is none. */
static const struct cy_rule *first_match(const struct cy_rule *rules, size_t n,
                                         const unsigned *values, size_t n_keys)
{
    assert(n_keys <= CY_N_KEYS);
    for (size_t k = 0; k < n_keys; k++)
        assert(values[k] <= NEVER);
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;

        while (k < n_keys && (rules[i].sets[k] == 0 ||
                              (rules[i].sets[k] >> values[k] & 1) != 0))
            k++;
        if (k == n_keys)
            return &rules[i];
    }
    return NULL;
}

bool cy_machine_load(const struct cy_machine *machine,
                     const struct cy_access *load, double *cycles)
{
    unsigned values[CY_N_LOAD_KEYS];
    const struct cy_rule *rule;

    value_load(values, load);
    rule =
        first_match(machine->loads, machine->n_loads, values, CY_N_LOAD_KEYS);
    if (rule != NULL)
        *cycles = rule->cost.cycles;
    return rule != NULL;
}

bool cy_machine_forward(const struct cy_machine *machine,
                        const struct cy_through *through, struct cy_cost *cost)
{
    unsigned values[CY_N_KEYS];
    const struct cy_rule *rule;

    value_through(values, through);
    rule =
        first_match(machine->forwards, machine->n_forwards, values, CY_N_KEYS);
    if (rule == NULL)
        return false;
    assert(rule->cost.cycles >= 0 && rule->cost.how <= CY_FAILED);
    *cost = rule->cost;
    return true;
}

static bool has_text(const char *const *texts, const char *text)
{
    assert(text != NULL);
    for (; *texts != NULL; texts++)
        if (**texts == *text && strcmp(*texts, text) == 0)
            return true;
    return false;
}

static bool is_for(const struct cy_figure *figure, const struct cy_insn *insn)
{
    assert(insn->mnemonic != NULL);
    if (!has_text((const char *const *)figure->mnemonics, insn->mnemonic) ||
        (figure->locked && !insn->locked))
        return false;
    if (figure->forms[0] != NULL &&
        (insn->form == NULL ||
         !has_text((const char *const *)figure->forms, insn->form)))
        return false;
    return figure->bits == 0 ||
           (figure->bits >> cy_width_bit(insn->bits) & 1) != 0;
}

static const struct cy_figure *find_figure(const struct cy_figure *figures,
                                           size_t n, const struct cy_insn *insn)
{
    for (size_t i = 0; i < n; i++)
        if (is_for(&figures[i], insn))
            return &figures[i];
    return NULL;
}

bool cy_machine_latency(const struct cy_machine *machine,
                        const struct cy_insn *insn, const struct cy_insn *from,
                        double *cycles)
{
    const struct cy_figure *figure =
        find_figure(machine->latencies, machine->n_latencies, insn);

    if (figure == NULL)
        return false;
    if (figure->chained >= 0 && from != NULL && is_for(figure, from))
        *cycles = figure->chained;
    else
        *cycles = figure->cycles;
    assert(*cycles >= 0);
    return true;
}

bool cy_machine_accumulates(const struct cy_machine *machine,
                            const struct cy_insn *insn,
                            const struct cy_insn *from, double *cycles)
{
    const struct cy_figure *figure =
        find_figure(machine->latencies, machine->n_latencies, insn);

    if (figure == NULL || figure->accumulated < 0 || !is_for(figure, from))
        return false;
    *cycles = figure->accumulated;
    return true;
}

static bool find_cycles(const struct cy_figure *figures, size_t n,
                        const struct cy_insn *insn, double *cycles)
{
    const struct cy_figure *figure = find_figure(figures, n, insn);

    if (figure != NULL)
        *cycles = figure->cycles;
    return figure != NULL;
}

bool cy_machine_occupancy(const struct cy_machine *machine,
                          const struct cy_insn *insn, double *cycles)
{
    return find_cycles(machine->occupancies, machine->n_occupancies, insn,
                       cycles);
}

bool cy_machine_throughput(const struct cy_machine *machine,
                           const struct cy_insn *insn, double *cycles)
{
    return find_cycles(machine->throughputs, machine->n_throughputs, insn,
                       cycles);
}

bool cy_machine_is_fused(const struct cy_machine *machine,
                         const struct cy_insn *insn)
{
    return has_text(machine->fused, insn->mnemonic);
}

bool cy_machine_is_zero_idiom(const struct cy_machine *machine,
                              const struct cy_insn *insn)
{
    return has_text(machine->zero_idioms, insn->mnemonic);
}
