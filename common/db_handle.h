/*
 * db_handle: an open database, for the two files of db: db.c runs queries on
 * it; db_open.c opens it, finds out whose it is, and makes the schema.  No
 * other file includes this.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

struct db_kind_info {
    const char *program; /* the program that writes such databases */
    const char *schema;
    int application_id, version;
};

struct db {
    struct sqlite3 *handle;
    char *path;
    const struct db_kind_info *kind;
    bool is_new;       /* the file has no schema yet */
    struct scan *scan; /* the scan that is running, or NULL */
};

/* Says why SQLite's last call failed.  Returns -1. */
int db_fail(const struct db *db, struct diag *d);

/* Defines the function each(), for db_scan. */
int db_define_each(struct db *db, struct diag *d);
