/*
 * whole: a function of loops/whole/ as a loop of its calls.
 *
 * It is compiled with the function's name as NAME, and linked with that
 * function alone.  Its group is "kernel" here, so that whole calls are
 * measured; research/run measure writes the group of its file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "loops/whole/whole.h"

#define TEXT(name)  TEXT_(name)
#define TEXT_(name) #name

whole_function NAME;

/* Turns continue where the last sample ended, so that data that belong to one
   turn never occur again. */
static void run(long n, void *data)
{
    static long turn;

    for (long i = 0; i < n; i++)
        NAME(turn++, data);
}

static const struct loop loop = {"kernel", TEXT(NAME), run};
static const struct loop *const entry __attribute__((section("loops"), used)) =
    &loop;
