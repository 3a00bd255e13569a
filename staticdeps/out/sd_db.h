/*
 * sd_db: results -> static.db.
 *
 * The database is built beside its final place and takes it in one step, when
 * it is complete.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_DB_H
#define SD_DB_H

#include <stdbool.h>

#include "db.h"
#include "diag.h"
#include "decode/sd_blocks.h"
#include "run/sd_origin.h"
#include "run/sd_reroll.h"

struct sd_db;

/* Begins a database of that kind, DB_STATIC or DB_WALKS, that is to be put at
   `path`.  What is there already must be a staticdeps database of either kind,
   or an empty file.  NULL on failure. */
struct sd_db *sd_db_open(const char *path, enum db_kind kind, struct diag *d);

/* The file that is to be removed if the program is interrupted. */
const char *sd_db_temporary(const struct sd_db *db);

/* Begins an object; the blocks that follow belong to it. */
int sd_db_object(struct sd_db *db, const char *path, const char *build_id,
                 const char *arch, struct diag *d);

/* Of DB_WALKS: a function; its number for the blocks that follow is stored into
 *id. */
int sd_db_function(struct sd_db *db, const char *name, uint64_t start,
                   uint64_t end, int64_t *id, struct diag *d);
int sd_db_walked(struct sd_db *db, int64_t function, uint64_t walks,
                 uint64_t instructions, uint64_t blocks, struct diag *d);
/* Its block, of function number 0 if that is not known, to which so many walks
   came. */
int sd_db_code(struct sd_db *db, const struct sd_block *block, int64_t function,
               uint64_t walks, int64_t *id, struct diag *d);

/* Its pair. */
struct sd_db_pair {
    int64_t src_block, dst_block;
    uint64_t src, dst;
    uint32_t src_index, dst_index;
    const char *scope;
    int64_t delta_k; /* -1: none */
    uint32_t distance;
    double support;
    int64_t loop;         /* a block; 0: none */
    const char *evidence; /* walk, flow */
};
int sd_db_pair(struct sd_db *db, const struct sd_db_pair *pair, struct diag *d);
/* A level of its distance vector, from 1 on: the loop's header, a block. */
int sd_db_vector(struct sd_db *db, const struct sd_db_pair *pair,
                 uint32_t level, int64_t loop, int64_t rounds, struct diag *d);

/* Why other pairs are not there: a pair with less support than was asked for;
   the walks that came to a block, as doc/schema.md has them; how the address of
   an access was made, if it was drawn; what became of the call at the end of a
   block.  These are spelt as the schema does. */
int sd_db_weak(struct sd_db *db, const struct sd_db_pair *pair, struct diag *d);
int sd_db_coming(struct sd_db *db, int64_t block, const void *walks,
                 size_t size, struct diag *d);
int sd_db_made(struct sd_db *db, int64_t block, uint64_t address, bool stores,
               const char *made, struct diag *d);
int sd_db_call(struct sd_db *db, int64_t block, const char *fate,
               struct diag *d);

/* Of DB_STATIC: a block and its dependencies, by address and by number. */
struct sd_db_dep {
    uint64_t src, dst;
    struct sd_dep dep;
};
int sd_db_block(struct sd_db *db, const struct sd_block *block,
                enum sd_status status, const struct sd_db_dep *deps,
                size_t n_deps, struct diag *d);

/* An instruction of the last block that accessed an unknown address. */
int sd_db_unknown(struct sd_db *db, uint64_t address, bool loads, bool stores,
                  struct diag *d);

/* An instruction of the last block, and one access of its at a known address.
 */
int sd_db_access(struct sd_db *db, uint64_t address,
                 const struct sd_access *access, struct diag *d);

/* A row of `analysis`. */
int sd_db_text(struct sd_db *db, const char *key, const char *value,
               struct diag *d);
int sd_db_int(struct sd_db *db, const char *key, uint64_t value,
              struct diag *d);
int sd_db_real(struct sd_db *db, const char *key, double value, struct diag *d);

/* Puts the database into its place. */
int sd_db_commit(struct sd_db *db, struct diag *d);

/* Removes what was not committed.  Accepts NULL. */
void sd_db_close(struct sd_db *db);

#endif
