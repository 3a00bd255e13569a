/*
 * unit: what every cmocka test includes, in the order that cmocka asks for.
 *
 * Tests register themselves before main starts; unit/main.c runs those of each
 * file in a process of their own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum unit_role {
    UNIT_TEST,
    UNIT_BEFORE_EACH,
    UNIT_AFTER_EACH,
    UNIT_BEFORE_ALL,
    UNIT_AFTER_ALL,
    N_UNIT_ROLES
};

void unit_add(const char *file, const char *name, enum unit_role role,
              void (*run)(void));

#define UNIT_FUNCTION(name, role)                             \
    static void name(void);                                   \
    static __attribute__((constructor)) void add_##name(void) \
    {                                                         \
        unit_add(__BASE_FILE__, #name, role, name);           \
    }                                                         \
    static void name(void)

/* Defines a test: TEST(a_name_that_is_the_specification) { ... }.  The tests of
   a file run in the order of their definitions. */
#define TEST(name) UNIT_FUNCTION(name, UNIT_TEST)

/* A number below n: the next of a sequence that is the same in each run. */
unsigned unit_below(unsigned n);

/* Enters an empty directory, another one at each call.  All are removed when
   the process exits. */
void unit_enter_directory(void);

/* Writes JSON in which ' stands for each quotation mark. */
void unit_put_json(FILE *out, const char *text);

/* Defines what runs before and after each test of the file, and once before the
   first and after the last: BEFORE_EACH() { ... }. */
#define BEFORE_EACH() UNIT_FUNCTION(before_each, UNIT_BEFORE_EACH)
#define AFTER_EACH()  UNIT_FUNCTION(after_each, UNIT_AFTER_EACH)
#define BEFORE_ALL()  UNIT_FUNCTION(before_all, UNIT_BEFORE_ALL)
#define AFTER_ALL()   UNIT_FUNCTION(after_all, UNIT_AFTER_ALL)
