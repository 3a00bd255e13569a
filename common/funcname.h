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
 * Limits: names are not parsed as a compiler does; what does not look like a
 * name of C++, Rust, Go or Fortran stays as it is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <stdbool.h>

/* The forms, in order: each loses a part that the one before it has. */
enum funcname_form {
    FUNCNAME_WHOLE,
    FUNCNAME_NO_CLONE,
    FUNCNAME_NO_RETURN,
    FUNCNAME_NO_ARGUMENTS,
    FUNCNAME_NO_TEMPLATES,
    FUNCNAME_FORMS
};

/* Changes a name, in place, from the form before `form` into that form.
   Symbols that are names themselves have neither types nor arguments. */
void funcname_reduce(char *name, enum funcname_form form, bool was_mangled);

/* Changes gfortran's "__statistics_MOD_add", in place, into "statistics::add";
   false: the symbol is none of gfortran's. */
bool funcname_fortran(char *symbol);
