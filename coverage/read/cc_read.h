/*
 * cc_read: from the databases to cc_data.
 *
 * All that covcheck knows of SQL is here.  Nothing that the databases hold is
 * trusted: what contradicts itself is damage, and reported as such.
 *
 * An object is its build-id, whatever its path; one without a build-id matches
 * none.  Of several objects with one build-id (a program and its stripped copy,
 * a library in two static.db) the one cut into most blocks counts, of equals
 * the first, so that nothing counts twice.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_READ_H
#define COVERAGE_CC_READ_H

#include <stdio.h>

#include "model/cc_data.h"
#include "db.h"
#include "diag.h"

/* Which databases are read, and what of them.  Zeroed it is empty; the caller
   calls cc_inputs_fini. */
struct cc_inputs {
    char **deps, **statics; /* their paths */
    size_t n_deps, n_statics;
    size_t deps_room, statics_room;
    bool one_run; /* only the run run_id */
    int64_t run_id;
    struct cc_bounds bounds; /* asked for; none: the default */
    struct cc_bounds also;   /* reported after those */
    bool every_bound;        /* read all others too, unreported */
    bool has_scope;          /* score what lies within `scope` */
    enum cc_scope scope;
};

/* Adds a copy of a path. */
void cc_inputs_add(struct cc_inputs *in, enum db_kind kind, const char *path);

/* Takes the operands of the command line: a database of depsim and one of
   staticdeps; or, where databases were added already or a directory is among
   them, directories only: all files named *.db in and below each, in the order
   of their names, whatever their kind.  Afterwards there is at least one
   database of each kind.  A directory's file that is of neither kind is a
   failure. */
int cc_inputs_operands(struct cc_inputs *in, char **operands, size_t n,
                       struct diag *d);

void cc_inputs_fini(struct cc_inputs *in);

/* Reads what the objects in common have in the databases into empty data.
   Bounds: those asked for, or if there are none those of 512, 1024 and inf
   that all runs recorded, or if that is none all that they did, rising; then
   the others, but before inf if nothing was asked for.  The scope: that asked
   for, or the farthest that all static databases have; a database without it
   is a failure.  The caller calls
   cc_data_fini, after a failure too. */
int cc_read(struct cc_data *data, const struct cc_inputs *in, struct diag *d);

/* Says which two builds of an object the databases have; `write` writes what
   may hold anything. */
void cc_write_rebuilt(FILE *out, const struct cc_rebuilt *rebuilt,
                      const struct cc_inputs *in,
                      void (*write)(FILE *out, const char *text));

#endif
