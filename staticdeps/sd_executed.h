/*
 * sd_executed: what depsim has seen to run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_EXECUTED_H
#define SD_EXECUTED_H

#include <stdbool.h>
#include <stdint.h>

#include "diag.h"

struct sd_executed;

/* Opens a deps.db; NULL on failure. */
struct sd_executed *sd_executed_open(const char *path, struct diag *d);
void sd_executed_close(struct sd_executed *executed); /* accepts NULL */

/* Turns to the object of that build-id, in all runs.  One that did not run has
   executed nothing. */
int sd_executed_read(struct sd_executed *executed, const char *build_id,
                     struct diag *d);

/* Was any byte in [start, end) of it executed? */
bool sd_executed_in(const struct sd_executed *executed, uint64_t start,
                    uint64_t end);

#endif
