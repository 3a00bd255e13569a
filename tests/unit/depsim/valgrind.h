/*
 * What the tests can ask of the stand-in for Valgrind.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_VALGRIND_H
#define TESTS_VALGRIND_H

#include <setjmp.h>
#include <stdbool.h>

/* Can no file be opened? */
extern bool has_no_files;

/* Where ds_message_refuse goes; NULL: it ends the test. */
extern jmp_buf *on_refusal;

#endif
