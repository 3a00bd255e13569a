/* cy_data: what the databases know about a program: its blocks of code, how
   often they executed, and its dependencies through memory. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "machine/cy_machine.h"

#define CY_NO_BLOCK UINT32_MAX

struct cy_object {
    char *path, *build_id;
};

/* What of a program the user asks for; all pointers may be NULL: all. */
struct cy_wish {
    const char *function;
    const char **objects; /* patterns of the shell for names of files, or for
                             whole paths if they have a slash; and "main" */
    size_t n_objects, objects_room;
};

/* A basic block.  Blocks are sorted by object and address. */
struct cy_block {
    uint32_t object;
    uint32_t n_insns;
    uint64_t start, end;
    uint64_t executions;  /* see executions.h; 0 without a deps.db */
    const char *function; /* the function's symbol, the same pointer in all its
                             blocks; NULL: not known */
    bool has_function_start;
    uint64_t function_start; /* where the function begins */
    const char *region;      /* the user's name of the block, or NULL */
};

/* A dependency over more instructions costs nothing: reorder buffers hold no
   more (Golden Cove's has 512 entries). */
#define CY_MOST_APART 512

/* A dependency within an object, predicted or observed.  Pairs are sorted by
   object, load and store. */
struct cy_pair {
    uint32_t object;
    bool has_loop, has_vector, has_relation, has_offset;
    uint64_t store, load;
    /* Iterations of the block from store to load, if the pair is predicted,
       lies in one block and the number is fixed; else -1. */
    int64_t delta_k;
    /* The fewest instructions from store to load; UINT64_MAX: not known. */
    uint64_t distance;
    /* If has_loop, predicted by walks: where the loop that was re-entered in
       between begins; else no loop was. */
    uint64_t loop;
    /* If has_vector: where the innermost loop around both ends begins, and its
       rounds from store to load; -1: an outer loop carries the pair. */
    uint64_t innermost;
    int64_t rounds;
    double support; /* support, from 0 to 1 if predicted; observed: 1 */
    /* Observed: occurrences at less than four times the smallest distance. */
    uint64_t near;
    /* Observed: occurrences whose store was another thread's, in the run that
       has most. */
    uint64_t passed;
    /* Observed: all occurrences, by distance, in `classes` of cy_data. */
    size_t first_class;
    unsigned n_classes;
    /* If has_relation: how the load's bytes overlap the store's (mostly, if
       observed). */
    enum cy_relation relation;
    /* If has_offset, predicted: the load's address minus the store's, in
       bytes. */
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
    bool is_present; /* false: there is no such database */
};

/* Ranges of addresses. */
struct cy_spans {
    struct cy_span {
        uint32_t object;
        uint64_t start, end;
    } * list;
    size_t n, room;
};

/* Another name of a function. */
struct cy_alias {
    uint32_t object;
    uint64_t start; /* where the function begins */
    char *name;
    const char *function; /* as in cy_block; NULL: no block has this start */
};

struct cy_data {
    enum arch arch; /* architecture of all objects */
    struct cy_object *objects;
    size_t n_objects, objects_room;
    uint32_t program; /* the object that is the program, and not a library */
    struct cy_block *blocks;
    size_t n_blocks, blocks_room;
    char **names; /* symbols of functions; blocks point to them */
    size_t n_names, names_room;
    struct cy_alias *aliases; /* sorted by function and name */
    size_t n_aliases, aliases_room;
    const struct cy_wish *wish; /* what the user asks for; NULL: all */
    const char **asked;         /* those of `names` that the user asks for */
    size_t n_asked, asked_room;
    struct cy_pairs predicted, observed;
    struct cy_frequent {
        uint64_t near; /* as in cy_pair */
        uint32_t pair; /* its index */
    } * by_near; /* observed pairs that are not too far apart, those with most
                    occurrences at a small distance first */
    size_t n_by_near;
    struct cy_pairs in_blocks; /* predicted by an analysis of each block alone,
                                  as the body of a loop */
    struct cy_distances *classes; /* those of a pair are sorted by distance */
    size_t n_classes, classes_room;
    bool has_executions;
    char *runs_of; /* build-id of the program whose runs count, which is the
                      first of `objects` that is one; NULL: all runs */
    uint64_t instructions; /* executed in these runs */
    uint64_t recorded;     /* part of `instructions` while recording was on */
    uint64_t known_instructions; /* executed in known blocks */
};

void cy_data_fini(struct cy_data *data);

/* Sorts the blocks and predicted pairs, as look-ups need them, and finds the
   functions of aliases. */
void cy_data_sort(struct cy_data *data);

/* Checks that the observed pairs are sorted, and finds the frequent ones. */
void cy_data_sort_observed(struct cy_data *data);

void cy_spans_add(struct cy_spans *spans, struct cy_span span);

/* Sorts and joins the ranges, for cy_spans_have(). */
void cy_spans_sort(struct cy_spans *spans);
bool cy_spans_have(const struct cy_spans *spans, uint32_t object,
                   uint64_t address);

void cy_data_add_block(struct cy_data *data, struct cy_block block);
void cy_pairs_add(struct cy_pairs *pairs, struct cy_pair pair);

/* Does a block begin inside the last instruction of the block before it?  False
   for CY_NO_BLOCK. */
bool cy_data_is_inside(const struct cy_data *data, uint32_t block);

/* The number of the block that has an address, or CY_NO_BLOCK. */
uint32_t cy_data_block(const struct cy_data *data, uint32_t object,
                       uint64_t address);

/* The function at an address, as in cy_block; NULL: not known. */
const char *cy_function_at(const struct cy_data *data, uint32_t object,
                           uint64_t address);

/* The number of the object with a build-id, or CY_NO_OBJECT. */
#define CY_NO_OBJECT UINT32_MAX
uint32_t cy_data_object(const struct cy_data *data, const char *build_id);

/* Takes what the user asks for, which must live as long; -1: there is no such
   object or function. */
int cy_data_ask(struct cy_data *data, const struct cy_wish *wish,
                struct diag *d);

/* Does the user ask for the function, a pointer of `names` or NULL, of an
   object, which may be of another cy_data? */
bool cy_data_is_asked(const struct cy_data *data,
                      const struct cy_object *object, const char *function);

/* Is a file the dynamic linker, by its name? */
bool cy_object_is_loader(const char *path);

/* Does a pattern of cy_wish match the name of a file?  `is_program`: it is the
   program. */
bool cy_object_matches(const char *pattern, const char *path, bool is_program);

/* The first block of a function (a pointer of `names`), or NULL. */
const struct cy_block *cy_data_of_function(const struct cy_data *data,
                                           const char *function);

/* The name of a function without a symbol: "libz.so.1+0x4f210".  The caller
   frees it.  And has a function such a name? */
char *cy_function_address(const char *path, uint64_t start);
bool cy_function_is_address(const char *name);

/* Does another function have the same symbol? */
bool cy_data_has_namesake(const struct cy_data *data, const char *function);

/* The *n other names of a function; NULL: none.  `function` may be NULL. */
const struct cy_alias *cy_data_aliases(const struct cy_data *data,
                                       const char *function, size_t *n);

/* The first pair with the store and load of `ends`; NULL: there is none. */
const struct cy_pair *cy_pairs_find(const struct cy_pairs *pairs,
                                    const struct cy_pair *ends);

/* Index of the first pair of an object whose load is at an address or after it;
   it may be of a later object, or pairs->n. */
size_t cy_pairs_from(const struct cy_pairs *pairs, uint32_t object,
                     uint64_t load);

/* The first of *n pairs of the load at an address; NULL: there are none. */
const struct cy_pair *cy_pairs_of_load(const struct cy_pairs *pairs,
                                       uint32_t object, uint64_t load,
                                       size_t *n);
