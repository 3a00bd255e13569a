/*
 * ds_statement: adds to a superblock what records the accesses of a statement.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_STATEMENT_H
#define DS_STATEMENT_H

#include "instrument/ds_block.h"

/* The accesses of a statement of the present instruction.  They are recorded
   behind it: a load or store that faults has not happened. */
void ds_statement_add(struct ds_block *b, const IRStmt *st);

#endif
