/*
 * How the values of a machine file get into members of structs.  A function
 * that finds an error reports it, with file, entry and key, and returns -1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_MACHINE_INTERNAL_H
#define CY_MACHINE_INTERNAL_H

#include <jansson.h>

#include "machine/cy_machine.h"
#include "machine/cy_rules.h"

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

#endif
