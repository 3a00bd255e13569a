/*
 * sd_results: objects -> what is found in them, in the database and the report.
 *
 * Objects are analysed in batches.  The members of an archive are many and
 * small: one by one, most of the time would go into starting workers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_RESULTS_H
#define SD_RESULTS_H

#include "elf/sd_image.h"
#include "flow/sd_cfg.h"
#include "link/sd_link.h"
#include "run/sd_analyse.h"
#include "out/sd_progress.h"
#include "out/sd_report.h"

struct sd_object {
    struct sd_image image;
    struct sd_cfg *cfg; /* NULL: the scope is the block */
    size_t first;       /* its first block */
};

/* All objects have the same architecture. */
struct sd_batch {
    struct sd_object *objects;
    size_t n_objects, objects_room;
    size_t n_begun;          /* of whose blocks results were taken before */
    struct sd_blocks blocks; /* of all, in their order */
    size_t n_bytes;          /* of code */
};

/* Is there room for another object's blocks?  So many fit that workers have
   enough to do, and so few that memory does not grow with the archive. */
bool sd_batch_has_room(const struct sd_batch *batch, enum sd_arch arch);

/* Appends an object and those of its blocks that are to be analysed.  Takes
   over both, and leaves them empty, and the graph of all its blocks; accepts
   NULL for it. */
void sd_batch_add(struct sd_batch *batch, struct sd_image *image,
                  struct sd_blocks *blocks, struct sd_cfg *cfg);

/* When results of its blocks were taken, puts the blocks of `more`, those that
   its only object has besides, in their place, and empties it. */
void sd_batch_continue(struct sd_batch *batch, struct sd_blocks *more);

/* Empties it. */
void sd_batch_fini(struct sd_batch *batch);

/* Each block has its function's name.  So that many blocks with long names do
   not make a huge database of a small file, there is a limit to all names of an
   object, which those of compilers do not come near: after it, a long name is
   written as this many bytes, with a 0 byte, that end in "...". */
#define SD_SHORT_NAME     64
#define SD_NAMES_PER_BYTE 64 /* of code */
#define SD_NAMES_FREE     (1u << 20)

struct sd_results {
    struct sd_db *db; /* the caller's, as the report's stream is; NULL: none */
    struct sd_report report;
    struct sd_progress progress;
    struct sd_counts counts;
    uint64_t n_blocks, n_insns, n_deps, n_duplicates;
    uint64_t n_unknown_relocations, n_foreign_members, n_large_debugdata,
        n_without_loops;
    uint64_t n_walks, n_walked; /* walks, and their instructions */
    uint64_t n_numbered; /* walks of the objects so far: their numbers go on */
    uint64_t n_not_walked; /* functions that were left out */
    uint64_t n_flows_cut; /* functions whose flow was not followed to its end */
    uint64_t n_by_status[SD_N_STATUSES];

    /* Of the current object: bytes of functions' names that may still be
       written, and the beginning of a name for which they are too few. */
    uint64_t name_room;
    char short_name[SD_SHORT_NAME];

    /* Of the current batch. */
    const struct sd_batch *batch;
    size_t n_begun; /* objects */
    size_t n_taken; /* blocks */
    struct sd_db_dep *deps;
    size_t deps_room;
    uint64_t *addresses; /* of a block's instructions */
    size_t addresses_room;
};

/* Analyses the batch in at most `jobs` processes, and takes the results. */
int sd_results_add(struct sd_results *results, const struct sd_batch *batch,
                   const struct sd_settings *settings, unsigned jobs,
                   struct diag *d);

/* Joins objects, and analyses them by walks.  Both ends of a pair must lie in
   blocks that are wanted. */
int sd_results_walk(struct sd_results *results, struct sd_link *link,
                    const struct sd_settings *settings, unsigned jobs,
                    struct diag *d);

/* Writes the settings, and the counts of all batches, to the database. */
int sd_results_end(struct sd_results *results,
                   const struct sd_settings *settings, struct diag *d);

void sd_results_fini(struct sd_results *results);

/* Of use to sd_results' own files: the names of an image's functions, each of
   them or what there is room for, valid until the next. */
void sd_results_names(struct sd_results *results, const struct sd_image *image);
const char *sd_results_name(struct sd_results *results, const char *name);

#endif
