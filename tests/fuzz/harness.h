/*
 * harness: a program's main, run again and again in one process.
 *
 * What it prints goes into memory, and what every end of it has in common is
 * checked there: a breach aborts, as a sanitizer's finding does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_FUZZ_HARNESS_H
#define TESTS_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

int program_main(int argc, char **argv); /* the main of its source */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Makes the current directory a fresh one, in another fresh one, that the end
   of the process removes, with copies of the files `names` of the directory
   $SEEDS.  `program` is its name in messages. */
void harness_init(const char *program, const char *const *names, size_t n);

/* Has one of these files hold other bytes until the end of the next run. */
void harness_replace(const char *name, const uint8_t *bytes, size_t n);

/* Runs it with the n texts at `arguments` after its name, and checks:
   the exit status is 0, 1 or 2; each line on standard error is a message of
   the program's; there is one if the status is not 0; and the files still hold
   what they held. */
void harness_run(char **arguments, int n);

#endif
