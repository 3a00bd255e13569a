/*
 * cy_intake: what depbound works on: two databases, or what staticdeps writes
 * about a program, a region or source into a temporary one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_INTAKE_H
#define CY_INTAKE_H

#include "cy_options.h"
#include "binary/input.h"
#include "read/cy_read.h"

/* Reads the static.db that the user named, or has staticdeps analyse the input,
   and reads what was recorded.  -1: as `d` says, in terms of what the user
   named. */
int cy_intake(struct cy_data *data, struct input *input,
              const struct cy_options *options, struct diag *d);

#endif
