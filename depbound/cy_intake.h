/*
 * cy_intake: reads the input of depbound: two databases, or a temporary one for
 * which staticdeps analyses a program, a region or source.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "cy_options.h"
#include "binary/input.h"
#include "read/cy_read.h"

/* Reads the user's static.db, or has staticdeps analyse the input, and reads
   what was recorded.  -1 with *d set, in terms of the files that the user
   named. */
int cy_intake(struct cy_data *data, struct input *input,
              const struct cy_options *options, struct diag *d);
