/*
 * sd_arch: the architectures whose code can be analysed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ARCH_H
#define SD_ARCH_H

#include <stdbool.h>

enum sd_arch { SD_X86_64, SD_AARCH64, SD_N_ARCHES };

/* The name on the command line and in the database. */
const char *sd_arch_name(enum sd_arch arch);

/* Finds an architecture by its name; false, with *arch untouched, if none has
   it. */
bool sd_arch_parse(const char *name, enum sd_arch *arch);

/* The number of bytes whose multiples are where instructions begin. */
unsigned sd_arch_unit(enum sd_arch arch);

#endif
