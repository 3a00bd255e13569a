/*
 * sd_results: analyses objects, and writes the results to the database and the
 * report.
 *
 * Objects are analysed in batches.  An archive has many small members: if they
 * were analysed one by one, most of the time would be spent on starting
 * workers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "elf/sd_image.h"
#include "program/sd_cfg.h"
#include "link/sd_link.h"
#include "block/sd_analyse.h"
#include "out/sd_pool.h"
#include "out/sd_report.h"

struct sd_object {
    struct sd_image image;
    struct sd_cfg *cfg; /* NULL if the scope is the block */
    size_t first;       /* number of its first block in the batch */
};

/* Objects of one architecture. */
struct sd_batch {
    struct sd_object *objects;
    size_t n_objects, objects_room;
    size_t n_begun;          /* objects with blocks in earlier batches */
    struct sd_blocks blocks; /* the blocks of all objects, object by object */
    size_t n_bytes;          /* bytes of code */
};

/* Is there room for another object?  A batch is large enough to keep workers
   busy, and small enough that memory does not grow with the archive. */
bool sd_batch_has_room(const struct sd_batch *batch, enum arch arch);

/* Appends an object, its blocks to be analysed, and the graph of all its
   blocks, which may be NULL.  Takes them over, and leaves image and blocks
   empty. */
void sd_batch_add(struct sd_batch *batch, struct sd_image *image,
                  struct sd_blocks *blocks, struct sd_cfg *cfg);

/* After the results of a batch with one object have been taken, replaces its
   blocks by `more`, further blocks of that object; empties `more`. */
void sd_batch_continue(struct sd_batch *batch, struct sd_blocks *more);

/* Empties the batch. */
void sd_batch_fini(struct sd_batch *batch);

/* Each block is written with its function's name.  The total length of an
   object's names is limited, so that a small file with long names does not make
   a huge database; compilers do not come near the limit.  After the limit, a
   long name is cut to SD_SHORT_NAME bytes, including a 0 byte, and ends in
   "...". */
#define SD_SHORT_NAME     64
#define SD_NAMES_PER_BYTE 64 /* bytes of names per byte of code */
#define SD_NAMES_FREE     (1u << 20)

struct sd_results {
    struct sd_db *db; /* belongs to the caller; NULL: none is written */
    struct sd_report report;
    struct sd_progress progress;
    struct sd_counts counts;
    uint64_t n_blocks, n_insns, n_deps, n_duplicates;
    uint64_t n_unknown_relocations, n_foreign_members, n_large_debugdata,
        n_without_loops;
    uint64_t n_walks, n_walked; /* walks, and instructions executed in walks */
    uint64_t n_numbered;        /* earlier objects' walks, for unique numbers */
    uint64_t n_not_walked;      /* functions that were not walked */
    uint64_t n_flows_cut;       /* functions whose data flow was cut short */
    uint64_t n_by_status[SD_N_STATUSES];

    /* For the current object: the bytes of functions' names that may still be
       written, and the last name that was cut. */
    uint64_t name_room;
    char short_name[SD_SHORT_NAME];

    /* State of the current batch. */
    const struct sd_batch *batch;
    size_t n_begun;             /* objects begun */
    size_t n_taken;             /* blocks with results */
    struct sd_predicted *pairs; /* pairs of the current block */
    size_t pairs_room;
    uint64_t *addresses; /* addresses of the block's instructions */
    size_t addresses_room;
};

/* Analyses a batch in at most `jobs` processes, and writes its results. */
int sd_results_add(struct sd_results *results, const struct sd_batch *batch,
                   const struct sd_settings *settings, unsigned jobs,
                   struct diag *d);

/* Joins objects, analyses them by walks, and writes the results.  Both ends of
   a pair must be in wanted blocks. */
int sd_results_walk(struct sd_results *results, struct sd_link *link,
                    const struct sd_settings *settings, unsigned jobs,
                    struct diag *d);

/* Writes the settings and the counts of all batches to the database. */
int sd_results_end(struct sd_results *results,
                   const struct sd_settings *settings, struct diag *d);

void sd_results_fini(struct sd_results *results);

/* Only for sd_results_walks.c: sd_results_object() writes an object and the
   aliases of its functions.  After sd_results_names() has begun an image,
   sd_results_name() returns a function's name, cut if the names are too long;
   it is valid until the next call. */
int sd_results_object(struct sd_results *results, const struct sd_image *image,
                      struct diag *d);
void sd_results_names(struct sd_results *results, const struct sd_image *image);
const char *sd_results_name(struct sd_results *results, const char *name);
