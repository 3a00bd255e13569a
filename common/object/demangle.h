/*
 * demangle: the names of functions as people read them.
 *
 * Limits: the name of a short C++ symbol can grow beyond any memory, so
 * symbols of more than 128 characters stay as they are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_OBJECT_DEMANGLE_H
#define COMMON_OBJECT_DEMANGLE_H

#include <stdio.h>

/* Writes the name that C++ gives to a symbol, as c++filt does, or any other
   symbol itself, by a function that makes any text safe for its format. */
void demangle_write(FILE *out, const char *symbol,
                    void (*write)(FILE *out, const char *text));

#endif
