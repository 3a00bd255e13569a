/*
 * cc_read: from the databases to cc_data.
 *
 * All that covcheck knows of SQL is in cc_read*.c and cc_objects.c; cc_inputs.c
 * finds the databases.  Nothing that they hold is trusted: what contradicts
 * itself is damage, and reported as such.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_READ_H
#define COVERAGE_CC_READ_H

#include <stdio.h>

#include "model/cc_data.h"
#include "read/cc_objects.h"
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

/* Its parts: the bounds and runs of all deps.db, and each one database. */
int cc_read_bounds(struct cc_data *data, struct cc_source *deps,
                   const struct cc_inputs *in, struct diag *d);
int cc_read_deps(struct cc_data *data, struct cc_source *source,
                 const struct cc_inputs *in, struct diag *d);
int cc_read_static(struct cc_data *data, struct cc_source *source,
                   const struct cc_inputs *in, struct diag *d);
/* How far its analysis looked, with the name that staticdeps has for it; and
   the blocks and predictions of walks. */
#define CC_SCOPE_NAME 16
int cc_read_scope(const struct cc_source *source, enum cc_scope *scope,
                  char name[CC_SCOPE_NAME], struct diag *d);
/* has_evidence: it has tables that say why pairs are not predicted. */
int cc_read_walks(struct cc_data *data, struct cc_source *source,
                  bool has_evidence, struct diag *d);

#endif
