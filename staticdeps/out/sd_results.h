/*
 * sd_results: what was found -> the database and the report.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_RESULTS_H
#define SD_RESULTS_H

#include "run/sd_analyse.h"
#include "out/sd_batch.h"
#include "out/sd_progress.h"
#include "out/sd_report.h"

struct sd_results {
    struct sd_db *db; /* the caller's, as the report's stream is */
    struct sd_report report;
    struct sd_progress progress;
    struct sd_counts counts;
    uint64_t n_blocks, n_insns, n_deps, n_duplicates;
    uint64_t n_unknown_relocations, n_foreign_members;
    uint64_t n_by_status[SD_N_STATUSES];

    /* Of the current batch. */
    const struct sd_batch *batch;
    size_t n_begun; /* objects */
    struct sd_db_dep *deps;
    size_t deps_room;
    uint64_t *addresses; /* of a block's instructions */
    size_t addresses_room;
};

/* Analyses the batch in at most `jobs` processes, and takes the results. */
int sd_results_add(struct sd_results *results, const struct sd_batch *batch,
                   const struct sd_settings *settings, unsigned jobs,
                   struct diag *d);

/* Writes the settings, and the counts of all batches. */
int sd_results_end(struct sd_results *results,
                   const struct sd_settings *settings, struct diag *d);

void sd_results_fini(struct sd_results *results);

#endif
