/*
 * cy_arch: the architectures whose code is predicted.
 *
 * What differs between them stands in tables by architecture, each beside the
 * code that reads it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CYCLES_CY_ARCH_H
#define CYCLES_CY_ARCH_H

#include <stdbool.h>

enum cy_arch { CY_X86_64, CY_AARCH64, CY_N_ARCHES };

/* The name in static.db and in machine files. */
const char *cy_arch_name(enum cy_arch arch);

/* The name in manuals. */
const char *cy_arch_title(enum cy_arch arch);

/* Finds an architecture by its name; false, with *arch untouched, if none has
   it. */
bool cy_arch_parse(const char *name, enum cy_arch *arch);

/* The machine file for code of this architecture on a processor that has no
   relative among those with a file. */
const char *cy_arch_machine(enum cy_arch arch);

/* LLVM's name of a processor if no machine file tells. */
const char *cy_arch_llvm_cpu(enum cy_arch arch);

/* The architecture of this processor; x86-64 if it is another one. */
enum cy_arch cy_arch_here(void);

#endif
