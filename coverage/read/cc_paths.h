/*
 * cc_paths: which databases the command line names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_PATHS_H
#define COVERAGE_CC_PATHS_H

#include <stddef.h>

#include "db.h"
#include "diag.h"

struct cc_paths {
    char **deps, **statics;
    size_t n_deps, n_statics;
    size_t deps_room, statics_room;
};

/* Adds a copy of the path. */
void cc_paths_add(struct cc_paths *paths, enum db_kind kind, const char *path);

/* Takes the operands: a database of depsim and one of staticdeps; or, where
   databases were added already or a directory is among them, directories
   only: all files named *.db in and below each, in the order of their names,
   whatever their kind.  Afterwards there is at least one database of each
   kind.  A directory's file that is of neither kind is a failure. */
int cc_paths_operands(struct cc_paths *paths, char **operands, size_t n,
                      struct diag *d);

void cc_paths_fini(struct cc_paths *paths);

#endif
