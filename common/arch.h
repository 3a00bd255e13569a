/*
 * arch: the architectures whose code can be analysed.
 *
 * What differs between them stands in tables by architecture, each beside the
 * code that reads it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

enum arch { ARCH_X86_64, ARCH_AARCH64, N_ARCHES };

/* An architecture's name in options, in databases and in machine files. */
const char *arch_name(enum arch arch);

/* The architecture's name in manuals. */
const char *arch_title(enum arch arch);

/* Finds an architecture by its name; false, with *arch untouched, if none has
   it. */
bool arch_parse(const char *name, enum arch *arch);

/* The number of bytes whose multiples are where instructions begin. */
unsigned arch_unit(enum arch arch);

/* The architecture of this processor; x86-64 if it is another one. */
enum arch arch_here(void);
