/*
 * internal: a machine file in memory, and the keys of its rules.
 *
 * A rule has a set of values for each key, as bits of a number; an empty set
 * matches every value.  A question has one value for each key.  One table of
 * keys serves to read rules, to match them and to write them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_MACHINE_INTERNAL_H
#define CY_MACHINE_INTERNAL_H

#include "machine/cy_machine.h"

enum cy_key_kind {
    CY_KEY_WORDS,   /* bit i: the i-th of the words */
    CY_KEY_WIDTHS,  /* bit i: 2^i bits */
    CY_KEY_NUMBERS, /* bit i: the number i; bit 62: 62 or more */
    CY_KEY_TRUTHS,  /* bit 0: false, or the number 0; bit 1: true */
};

struct cy_key {
    const char *name;
    enum cy_key_kind kind;
    const char *const *words; /* of CY_KEY_WORDS; NULL ends them */
    size_t offset, size;      /* of the value in struct cy_through */
};

/* The first keys are of the load; rules for loads have these only. */
#define CY_N_LOAD_KEYS 4
#define CY_N_KEYS      20
extern const struct cy_key cy_keys[CY_N_KEYS];

struct cy_rule {
    uint64_t sets[CY_N_KEYS];
    struct cy_cost cost;
};

/* Figures of instructions. */
struct cy_figure {
    const char **mnemonics, **forms; /* NULL ends each; forms: NULL, any */
    uint64_t bits;                   /* as CY_KEY_WIDTHS; 0: any */
    bool locked;                     /* only atomic ones */
    double cycles;
    double chained; /* after an instruction of the same figure; < 0: cycles */
    double accumulated; /* the same for the operand that is added to; < 0:
                           as for the others */
};

struct cy_match {
    const char *vendor;
    unsigned family;
    unsigned *models;
    size_t n_models;
};

struct cy_machine {
    struct cy_facts facts;
    struct cy_match *matches;
    struct cy_rule *loads, *forwards;
    struct cy_figure *latencies, *occupancies, *throughputs;
    const char **zero_idioms, **fused; /* NULL ends each */
    size_t n_matches, n_loads, n_forwards, n_latencies, n_occupancies,
        n_throughputs;
    double *rounds;  /* of the dispatch */
    void *document;  /* what the texts belong to */
    char *processor; /* that it stands for, or NULL */
};

/* The bit of a width in bits, which is a power of two; 63 if it is none. */
unsigned cy_width_bit(uint64_t bits);

#endif
