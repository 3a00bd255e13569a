/*
 * funcname: the forms of a function's name under which people ask for it.
 *
 * A demangled name loses, one after the other: what the compiler or the linker
 * added to the symbol (".constprop.0", "@plt", the hash of Rust); the return
 * type; the arguments; the arguments of templates.  So "void ns::f<int>(int)
 * [clone .cold]" is "ns::f<int>(int)", "ns::f<int>" and "ns::f", too.
 *
 * None of this uses the C library, which a Valgrind tool does not have.
 *
 * Limits: names are not parsed as a compiler does; what does not look like one
 * of C++, Rust, Go or Fortran stays as it is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef BINARY_FUNCNAME_H
#define BINARY_FUNCNAME_H

#include <stdbool.h>

/* What a form lacks that the one before it has. */
enum funcname_form {
    FUNCNAME_WHOLE,
    FUNCNAME_NO_CLONE,
    FUNCNAME_NO_RETURN,
    FUNCNAME_NO_ARGUMENTS,
    FUNCNAME_NO_TEMPLATES,
    FUNCNAME_FORMS
};

/* Makes a form, in place, of the one before it.  Symbols that are names
   themselves have neither types nor arguments. */
void funcname_reduce(char *name, enum funcname_form form, bool was_mangled);

/* Makes "statistics::add", in place, of gfortran's "__statistics_MOD_add";
   false: it is none. */
bool funcname_fortran(char *symbol);

#endif
