/*
 * sd_alias_a64: AArch64 instructions that VEX does not know, in terms of
 * others.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ALIAS_A64_H
#define SD_ALIAS_A64_H

#include <stdbool.h>
#include <stdint.h>

/* Sets *alias to an older instruction that does the same to registers and
   memory.  False if there is none. */
bool sd_alias_a64(uint32_t word, uint32_t *alias);

#endif
