/*
 * covcheck-bytes: covcheck on files whose bytes are anything.
 *
 * The first byte of the input chooses which file it is, a deps.db, a static.db
 * or a baseline, and which options covcheck gets; the rest is the file.  The
 * other files are good ones, among them the program that the databases are
 * about: what they say of its addresses is looked up in it.  It reaches
 * common/db.c, cc_read*.c, what reads a baseline, and with what got through
 * these, all that computes and reports.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "harness.h"

static const char *const names[] = {"deps.db", "static.db", "baseline.json",
                                    "bench"};

#define N_NAMES (sizeof names / sizeof names[0])
#define N_KINDS 3 /* the input stands for one of the first three */

static const char *const options[][3] = {
    {"--format=text", NULL, NULL},
    {"--format=json", "--min-cov-u=50", "--min-precision=50"},
    {"--format=text", "--by=function", NULL},
    {"--format=markdown", "--missed", "--false"},
    {"--format=junit", "--min-cov-w=1024:10", NULL},
    {"--html=report.html", "--min-weight=0", NULL},
    {"--by=block", "--missed=1000", "--false=1000"},
    {"--baseline=baseline.json", "--max-drop=1", "--missed"},
};

#define N_OPTIONS (sizeof options / sizeof options[0])

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness_init("covcheck", names, N_NAMES);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char text[3][32], *argv[5];
    const char *const *chosen;
    int argc = 0;
    size_t which;

    if (n == 0)
        return 0;
    which = bytes[0] % N_KINDS;
    chosen = which == 2 ? options[N_OPTIONS - 1]
                        : options[bytes[0] / N_KINDS % N_OPTIONS];
    for (int i = 0; i < 3 && chosen[i] != NULL; i++)
        argv[argc++] = strcpy(text[i], chosen[i]);
    argv[argc++] = (char[]){"deps.db"};
    argv[argc++] = (char[]){"static.db"};
    harness_replace(names[which], bytes + 1, n - 1);
    harness_run(argv, argc);
    return 0;
}
