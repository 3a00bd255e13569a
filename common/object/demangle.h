/*
 * demangle: the names of functions as people read them.
 *
 * A name is that of c++filt, or if it is long a shorter one: without the types
 * of the parameters, then without arguments of templates, and at last without
 * its middle.
 *
 * The name of a short symbol can grow beyond any memory and time: compilers
 * make symbols of some hundred characters whose names have billions.  So the
 * library works on all but the shortest symbols in a process of its own, and a
 * symbol that takes longer than a fifth of a second of the processor stays as
 * it is.
 *
 * Limits: not for several threads at once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_OBJECT_DEMANGLE_H
#define COMMON_OBJECT_DEMANGLE_H

#include <stdio.h>

#define DEMANGLE_LONGEST 120 /* characters of a name that people read */

/* Writes the name that C++ gives to a symbol, as c++filt does, or any other
   symbol itself, by a function that makes any text safe for its format; at most
   DEMANGLE_LONGEST bytes of it. */
void demangle_write(FILE *out, const char *symbol,
                    void (*write)(FILE *out, const char *text));

/* Ends the process that looked for long names, if there is one. */
void demangle_fini(void);

/* Shortens a name in place to at most DEMANGLE_LONGEST bytes. */
void demangle_shorten(char *name);

#endif
