/*
 * harness: a program's main, run again and again in one process.
 *
 * Its output goes into memory, and what must hold at each end of it is
 * checked there: a breach aborts, as a sanitizer's finding does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

int program_main(int argc, char **argv); /* of the program under test */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Makes a fresh directory in another fresh one, which the end of the process
   removes, copies the files `names` of the directory $SEEDS there, and makes it
   the current one.  `program` is the name of the program in messages. */
void harness_init(const char *program, const char *const *names, size_t n);

/* Replaces the bytes of a copied file until the end of the next run. */
void harness_replace(const char *name, const uint8_t *bytes, size_t n);

/* Runs the program with n arguments after its name, and checks: the exit status
   is 0, 1 or 2; each line on standard error is a message of the program; there
   is one if the status is not 0; and the files are unchanged. */
void harness_run(char **arguments, int n);
