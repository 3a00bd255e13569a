/*
 * sd_db: writes results to static.db.
 *
 * The database is built beside its final place, and moved there in one step
 * when it is complete.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "db.h"
#include "block/sd_analyse.h"

/* A loop that contains both ends of a pair. */
struct sd_level {
    uint64_t header; /* the address of the loop's header, a block */
    int64_t block;   /* the number of that block in the database */
    int32_t rounds;  /* iterations from the store to the load */
};

/* A pair that was predicted. */
struct sd_predicted {
    uint64_t src, dst;             /* addresses */
    uint32_t src_index, dst_index; /* numbers of instructions in their blocks */
    int64_t delta_k;               /* -1: the pair has no delta k */
    double support;                /* in (0, 1] */
    struct sd_overlap overlap;

    /* The fields below are set only for pairs from walks. */
    const char *scope;    /* "block" to "program"; NULL: not from walks */
    const char *evidence; /* "walk" or "flow" */
    int64_t src_block, dst_block; /* numbers in the database */
    uint32_t distance;
    uint32_t src_routine, dst_routine; /* SD_NO_ROUTINE: in no function */
    size_t src_object, object;         /* numbers; `object` holds dst */
    const char *src_path; /* path of the file of src; NULL: that of dst */
    uint64_t header;      /* header of the re-entered loop, if has_loop */
    int64_t header_block; /* number in the database; 0: none */
    bool has_loop;
    uint32_t n_levels;       /* length of the distance vector; 0: none */
    struct sd_level *levels; /* from the outermost loop inwards */
};

struct sd_db;

/* Begins a database of kind DB_STATIC or DB_WALKS for `path`.  An old file
   there must be a staticdeps database of either kind, or empty.  NULL on
   failure. */
struct sd_db *sd_db_open(const char *path, enum db_kind kind, struct diag *d);

/* The file to remove if the program is interrupted. */
const char *sd_db_temporary(const struct sd_db *db);

/* Begins an object, to which the next blocks belong; sets *id to its number. */
int sd_db_object(struct sd_db *db, const char *path, const char *build_id,
                 const char *arch, int64_t *id, struct diag *d);

/* DB_WALKS: adds a function, and sets *id to its number. */
int sd_db_function(struct sd_db *db, const char *name, uint64_t start,
                   uint64_t end, int64_t *id, struct diag *d);
/* DB_WALKS: adds a block of function number `function` (0: unknown), which
   `walks` walks visited. */
int sd_db_code(struct sd_db *db, const struct sd_block *block, int64_t function,
               uint64_t walks, int64_t *id, struct diag *d);

/* The other tables, with their columns. */
enum sd_table {
    SD_TABLE_ALIAS, /* object, the address where a function begins, another name
                       of it */
    /* DB_STATIC alone: */
    SD_TABLE_UNKNOWN, /* block, an instruction that accessed an unknown address,
                         loads, stores */
    SD_TABLE_ACCESS,  /* block, an instruction that accessed a known address,
                         stores, the number of its base, whether the address was
                         loaded */
    /* DB_WALKS alone: */
    SD_TABLE_WALKED, /* function, walks, instructions, blocks */
    SD_TABLE_VECTOR, /* for a pair: source block and address, destination block
                        and address; level from 1, block of the loop's header,
                        rounds */
    /* Reasons for missing pairs, named as in doc/schema.md. */
    SD_TABLE_WEAK,   /* a pair with less than the required support: source and
                  destination block, source and destination address, support */
    SD_TABLE_VISITS, /* block, the walks that visited it as a BLOB */
    SD_TABLE_MADE,   /* block, address, stores, what the drawn address of the
                        access was computed from */
    SD_TABLE_CALL,   /* block, what became of the call at its end */
    SD_N_TABLES
};
/* Adds a row of n values to a table. */
int sd_db_add(struct sd_db *db, enum sd_table table,
              const struct db_value *values, size_t n, struct diag *d);

/* DB_STATIC: adds a block, and sets *id to its number. */
int sd_db_block(struct sd_db *db, const struct sd_block *block,
                enum sd_status status, int64_t *id, struct diag *d);

/* Adds a pair; with DB_STATIC, it belongs to the block added last. */
int sd_db_pair(struct sd_db *db, const struct sd_predicted *pair,
               struct diag *d);

/* Adds a row to the table `analysis`. */
int sd_db_fact(struct sd_db *db, const char *key, struct db_value value,
               struct diag *d);

/* Moves the database to its final place. */
int sd_db_commit(struct sd_db *db, struct diag *d);

/* Closes the database, and removes it if it was not committed.  Accepts NULL.
 */
void sd_db_close(struct sd_db *db);
