/*
 * cc_name: the names of functions as people read them.
 *
 * Limits: what a short C++ symbol stands for can be so long that to say it
 * takes for ever, so symbols of more than 128 characters stay as they are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_NAME_H
#define COVERAGE_CC_NAME_H

#include <stdio.h>

/* Writes the name that C++ gives to a symbol, as c++filt does, or any other
   symbol itself, by a function that makes any text safe for its format. */
void cc_name_write(FILE *out, const char *symbol,
                   void (*write)(FILE *out, const char *text));

#endif
