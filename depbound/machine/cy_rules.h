/*
 * cy_rules: the rules and figures of a machine file, as it has them, and as
 * people read them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_RULES_H
#define CY_RULES_H

#include "machine/cy_machine.h"

/* A rule has a set of values for each key, as bits of a number; an empty set
   matches every value.  A question (struct cy_through) has one value for each
   key.  One table of keys serves to read, match and write rules. */
enum cy_key_kind {
    CY_KEY_WORDS,   /* bit i: the i-th word of `words` */
    CY_KEY_WIDTHS,  /* bit i: 2^i bits */
    CY_KEY_NUMBERS, /* bit i: the number i; bit 62: 62 or more */
    CY_KEY_TRUTHS,  /* bit 0: false, or the number 0; bit 1: true */
};

struct cy_key {
    const char *name;
    enum cy_key_kind kind;
    const char *const *words; /* values of CY_KEY_WORDS; NULL ends them */
    size_t offset, size;      /* the value's member of struct cy_through */
};

/* The first keys describe the load; rules for loads have no others. */
#define CY_N_LOAD_KEYS 4
#define CY_N_KEYS      20
extern const struct cy_key cy_keys[CY_N_KEYS];

struct cy_rule {
    uint64_t sets[CY_N_KEYS];
    struct cy_cost cost;
};

/* A figure of the instructions that match it. */
struct cy_figure {
    const char **mnemonics, **forms; /* NULL ends each; no forms: any */
    uint64_t names;                  /* cy_name_bit of each mnemonic */
    uint64_t bits;                   /* widths as CY_KEY_WIDTHS; 0: any */
    bool locked;                     /* matches only atomic instructions */
    bool loads, stores; /* matches only instructions that load, or store */
    double cycles;
    double chained; /* cycles after an instruction of the same figure; < 0: as
                       `cycles` */
    double accumulated; /* `chained` for the operand that a product is added to;
                           < 0: as for other operands */
    double kept; /* cycles from operands in vector registers, if others are not;
                    < 0: as from these */
    double high; /* cycles to the high half of a product; < 0: as to the low */
    double places; /* in the dispatch; 0: not known */
    enum cy_basis basis;
};

/* A bit for a mnemonic: most figures do not have it, and are not looked at. */
uint64_t cy_name_bit(const char *mnemonic);

/* The number of a width's bit in a set; 63 if the width is no power of two. */
unsigned cy_width_bit(uint64_t bits);

struct cy_json_place;

/* Reads a rule of the list "forward", or of "load", which has fewer keys. */
int cy_rule_read(struct cy_json_place *at, void *rule);

/* Reads a figure of the list "latency", or of others, which have fewer keys. */
int cy_figure_read(struct cy_json_place *at, void *figure);

#endif
