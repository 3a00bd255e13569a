/*
 * cy_read: the databases -> cy_data.  All queries of static.db and deps.db are
 * here.
 *
 * Objects are matched by build-id, as covcheck matches them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_READ_H
#define CY_READ_H

#include "diag.h"
#include "model/cy_data.h"

/* Reads a static.db and, unless it is NULL, a deps.db. */
int cy_read(struct cy_data *data, const char *statics, const char *deps,
            struct diag *d);

/* Adds what a static.db of block scope predicts for the same objects. */
int cy_read_blocks(struct cy_data *data, const char *statics, struct diag *d);

#endif
