/*
 * cy_variants: functions of the C library that have variants for processors.
 *
 * The loader asks a function of the library which variant to take (IFUNC).
 * Valgrind shows programs a processor of its own, so a recorded run may have
 * taken other variants than the program takes without it.
 *
 * Limits: only libraries that this program uses itself are looked at, the C
 * library and its mathematical part; programs that ask the processor otherwise
 * are not noticed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "core/cy_windowed.h"

/* Lists the variants that this process has: in each line the path of the
   library, the name of the function, and the variant's address in the file. */
void cy_variants_list(FILE *out);

/* What a run took and this processor does not. */
struct cy_other_variants {
    char *names;   /* "memcpy, strlen"; NULL: nothing is known to differ */
    double cycles; /* in the windows, of these variants */
};

/* Compares the variants that this process has with those that it has in
   Valgrind, and finds those of the latter in the windows.  Nothing is found if
   Valgrind cannot be run. */
struct cy_other_variants cy_variants_of(const struct cy_windowed *windowed);
void cy_variants_fini(struct cy_other_variants *variants);
