/*
 * cy_data: what the databases know about a program: its blocks of code, how
 * often they executed, and its dependencies through memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_DATA_H
#define CY_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"
#include "arch.h"
#include "machine/cy_machine.h"

#define CY_NO_BLOCK UINT32_MAX

struct cy_object {
    char *path, *build_id;
};

/* Sorted by object and address. */
struct cy_block {
    uint32_t object;
    uint32_t n_insns;
    uint64_t start, end;
    uint64_t executions;  /* see executions.h; 0 without a deps.db */
    const char *function; /* its symbol, one pointer for each function; NULL:
                             not known */
    bool has_function_start;
    uint64_t function_start; /* where that begins */
    const char *region;      /* the user's name for it; NULL: it is no region */
};

/* A dependency within an object, predicted or observed.  Sorted by object,
   load and store. */
struct cy_pair {
    uint32_t object;
    uint64_t store, load;
    /* Iterations of the block, if it is predicted, both lie in one block and
       the number is fixed; else -1. */
    int64_t delta_k;
    /* The fewest instructions in between; UINT64_MAX: not known. */
    uint64_t distance;
    /* Predicted by walks: where the loop that was re-entered in between begins;
       0: no loop was. */
    bool has_loop;
    uint64_t loop;
    /* With a distance vector: where the innermost loop around both ends begins,
       and its rounds between them; -1 if an outer loop carries the pair. */
    bool has_vector;
    uint64_t innermost;
    int64_t rounds;
    double support; /* predicted: of the analysis; observed: 1 */
    /* Observed: how often at a distance of less than four times the
       smallest. */
    uint64_t near;
    /* Observed: all occurrences, in classes of cy_data by distance. */
    size_t first_class;
    unsigned n_classes;
    /* How most occurrences were forwarded, or all are, if it is predicted. */
    bool has_relation;
    enum cy_relation relation;
    /* Predicted: the load's address minus the store's, in bytes. */
    bool has_offset;
    int64_t offset;
};

/* Occurrences at distances above one bound and up to another. */
struct cy_distances {
    uint64_t above, upto; /* in instructions; `upto` may be INT64_MAX */
    uint64_t occurrences;
};

struct cy_pairs {
    struct cy_pair *pairs;
    size_t n, room;
    bool is_present; /* false: no such database */
};

/* Another name of a function. */
struct cy_alias {
    uint32_t object;
    uint64_t start; /* where the function begins */
    char *name;
    const char *function; /* of a block; NULL: there is none */
};

struct cy_data {
    enum arch arch; /* of all objects */
    struct cy_object *objects;
    size_t n_objects, objects_room;
    struct cy_block *blocks;
    size_t n_blocks, blocks_room;
    char **names; /* of each function; blocks point to them */
    size_t n_names, names_room;
    struct cy_alias *aliases; /* sorted by function and name */
    size_t n_aliases, aliases_room;
    const char **asked; /* of `names`: the functions that the user means */
    size_t n_asked, asked_room;
    struct cy_pairs predicted, observed;
    struct cy_pairs in_blocks; /* predicted by an analysis of each block alone,
                                  as the body of a loop */
    struct cy_distances *classes; /* of a pair: by distance */
    size_t n_classes, classes_room;
    bool has_executions;
    uint64_t instructions;       /* executed, in all runs */
    uint64_t recorded;           /* of these, while recording was on */
    uint64_t known_instructions; /* executed in blocks */
};

void cy_data_fini(struct cy_data *data);

/* Sorts the blocks and pairs that were read, and finds the functions of
   aliases. */
void cy_data_sort(struct cy_data *data);

void cy_data_add_block(struct cy_data *data, struct cy_block block);
void cy_pairs_add(struct cy_pairs *pairs, struct cy_pair pair);

/* Does a block lie inside the last instruction of the one before it?  False for
   CY_NO_BLOCK. */
bool cy_data_is_inside(const struct cy_data *data, uint32_t block);

/* The block that has an address, or CY_NO_BLOCK. */
uint32_t cy_data_block(const struct cy_data *data, uint32_t object,
                       uint64_t address);

/* Finds the functions that the user means by a name; -1 if there are none. */
int cy_data_ask(struct cy_data *data, const char *name, struct diag *d);

/* Is it one of them? */
bool cy_data_is_asked(const struct cy_data *data, const char *function);

/* A block of the function with this name. */
const struct cy_block *cy_data_of_function(const struct cy_data *data,
                                           const char *function);

/* Has another function the same symbol? */
bool cy_data_has_namesake(const struct cy_data *data, const char *function);

/* The first other name of a function, which may be NULL, and *n of them. */
const struct cy_alias *cy_data_aliases(const struct cy_data *data,
                                       const char *function, size_t *n);

/* The first pair with the same ends, or NULL. */
const struct cy_pair *cy_pairs_find(const struct cy_pairs *pairs,
                                    const struct cy_pair *ends);

/* Where the pairs begin whose load is at an address or after it, if they are in
   an object. */
size_t cy_pairs_from(const struct cy_pairs *pairs, uint32_t object,
                     uint64_t load);

/* The first pair of the load at an address, and *n of them. */
const struct cy_pair *cy_pairs_of_load(const struct cy_pairs *pairs,
                                       uint32_t object, uint64_t load,
                                       size_t *n);

#endif
