/*
 * sd_store: results -> static.db.
 *
 * The database is built beside its final place and takes it in one step, when
 * it is complete.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_STORE_H
#define SD_STORE_H

#include <stdbool.h>

#include "diag.h"
#include "sd_blocks.h"
#include "sd_reroll.h"

struct sd_store;

/* Begins a database that is to be put at `path`.  What is there already must
   be a staticdeps database, or an empty file.  NULL on failure. */
struct sd_store *sd_store_open(const char *path, struct diag *d);

/* The file that is to be removed if the program is interrupted. */
const char *sd_store_temporary(const struct sd_store *store);

/* Begins an object; the blocks that follow belong to it. */
int sd_store_object(struct sd_store *store, const char *path,
                    const char *build_id, const char *arch, struct diag *d);

/* A block and its dependencies, by address and by number. */
struct sd_stored_dep {
    uint64_t src, dst;
    struct sd_dep dep;
};
int sd_store_block(struct sd_store *store, const struct sd_block *block,
                   enum sd_status status, const struct sd_stored_dep *deps,
                   size_t n_deps, struct diag *d);

/* An instruction of the block stored last that accessed an unknown address. */
int sd_store_unknown(struct sd_store *store, uint64_t address, bool loads,
                     bool stores, struct diag *d);

/* A row of `analysis`. */
int sd_store_text(struct sd_store *store, const char *key, const char *value,
                  struct diag *d);
int sd_store_int(struct sd_store *store, const char *key, uint64_t value,
                 struct diag *d);
int sd_store_real(struct sd_store *store, const char *key, double value,
                  struct diag *d);

/* Puts the database into its place. */
int sd_store_commit(struct sd_store *store, struct diag *d);

/* Removes what was not committed.  NULL is fine. */
void sd_store_close(struct sd_store *store);

#endif
