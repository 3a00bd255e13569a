/*
 * unit: what every cmocka test includes, in the order that cmocka asks for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

/* A test case that uses no state: TEST(a_name_that_is_the_specification). */
#define TEST(name) static void name(void **unused __attribute__((unused)))

#endif
