/*
 * covcheck-options: covcheck with a command line of any texts.
 *
 * The input is the command line, an argument a line.  It reaches options.c,
 * cc_options.c, num.c, lifetimes.c, and on good databases every report.  No
 * argument keeps a slash: so covcheck cannot be told to write a file of
 * somebody else's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "harness.h"

#define MAX_ARGUMENTS 32
#define MAX_TEXT      4096

static const char *const names[] = {"deps.db", "static.db", "baseline.json",
                                    "bench"};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness_init("covcheck", names, sizeof names / sizeof names[0]);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char text[MAX_TEXT + 1], *arguments[MAX_ARGUMENTS], *rest = text;
    int n_arguments = 0;

    if (n > MAX_TEXT)
        return 0;
    if (n > 0)
        memcpy(text, bytes, n);
    text[n] = '\0';
    for (char *c = text; c < text + n; c++)
        if (*c == '/')
            *c = '_';
    while (n_arguments < MAX_ARGUMENTS && rest != NULL)
        arguments[n_arguments++] = strsep(&rest, "\n");
    harness_run(arguments, n_arguments);
    return 0;
}
