/* How the values of a machine file get into members of structs.  A function
   that finds an error reports it, with file, entry and key, and returns -1. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <jansson.h>

#include "machine/cy_machine.h"

/* The place in the file that is being read: a key and its value. */
struct cy_json_place {
    const char *path;
    const char *list;      /* the list's key; NULL: not in a list */
    size_t entry;          /* its number in the list */
    const json_t *sources; /* the file's sources of figures, by name */
    const char *key;
    json_t *value; /* NULL: the file has no such key */
    struct diag *d;
};

/* Reports what is wrong with the value that is being read. */
int cy_json_wrong(const struct cy_json_place *at, const char *what);

/* Reads an object into the struct `all`, in the order of the rows.  The object
   may also have the first n_keys keys of cy_keys. */
int cy_json_rows(struct cy_json_place *at, const struct cy_json_row *rows,
                 size_t n_keys, void *all);

/* The number of values of an array, and its i-th value.  A value that is no
   array counts as an array of one, and NULL as an empty one. */
size_t cy_json_count(const json_t *value);
json_t *cy_json_nth(json_t *value, size_t i);

/* Reads a text or an array of texts into an array that NULL ends; without the
   key it is empty.  cy_machine_free frees it, also after a failure. */
int cy_json_texts(struct cy_json_place *at, void *member);
int cy_json_text(struct cy_json_place *at, void *member);
int cy_json_unsigned(struct cy_json_place *at, void *member);
int cy_json_cycles(struct cy_json_place *at, void *member);
int cy_json_truth(struct cy_json_place *at, void *member);

/* --- cy_rules: as a file has them, and as people read them --- */

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
#define CY_N_LOAD_KEYS 5
#define CY_N_KEYS      23
extern const struct cy_key cy_keys[CY_N_KEYS];

struct cy_rule {
    uint64_t sets[CY_N_KEYS];
    struct cy_cost cost;
};

/* A figure of a machine file, and the instructions that it is for. */
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
    double high; /* cycles to the high half of a product, or to a remainder; <
                    0: as to the other result */
    double places; /* in the dispatch; 0: not known */
    enum cy_basis basis;
};

/* A bit for a mnemonic: most figures do not have it, and are not looked at. */
uint64_t cy_name_bit(const char *mnemonic);
/* The number of a width's bit in a set; 63 if the width is no power of two. */
unsigned cy_width_bit(uint64_t bits);

/* Read an entry of a list: a rule of "forward", or of "load", which has fewer
   keys; a figure of "latency", or of other lists, which have fewer keys. */
int cy_rule_read(struct cy_json_place *at, void *rule);
int cy_figure_read(struct cy_json_place *at, void *figure);

/* --- A machine --- */

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
    struct cy_figure *latencies, *occupancies, *throughputs, *retirings;
    const char **zero_idioms, **fused; /* NULL ends each list */
    size_t n_matches, n_loads, n_forwards, n_latencies, n_occupancies,
        n_throughputs, n_retirings;
    double *rounds;  /* facts.dispatch.rounds */
    void *document;  /* the JSON document that owns all texts */
    char *processor; /* facts.stands_for, or NULL */
};
