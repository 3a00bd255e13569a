/*
 * ds_valgrind: what depsim needs and Valgrind's headers for tools do not
 * declare: some system calls, and two variables of the core.
 *
 * This is the one module that uses symbols of the core which those headers do
 * not have, or enters the kernel past it: what to look at first when Valgrind
 * changes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_VALGRIND_H
#define DS_VALGRIND_H

#include "pub_tool_basics.h"

/* A system call: its result, or the negative of an error's number. */
Word ds_valgrind_system_call(Word number, Word a, Word b, Word c, Word d,
                             Word e, Word f);

/* Adds an option, which must stay, to those that Valgrind gives to itself when
   it follows an execve (--trace-children=yes). */
void ds_valgrind_hand_on(const HChar *option);

/* Discards all translations.  Only before a system call, where the core itself
   discards some, for munmap. */
void ds_valgrind_discard_translations(void);

#endif
