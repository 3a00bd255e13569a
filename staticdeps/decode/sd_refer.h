/*
 * sd_refer: the addresses that instructions make, without what is there being
 * loaded: of functions and of data.
 *
 * On x86-64 these are lea with a distance from the instruction, and constants
 * of 32 or 64 bits, also as the distance from an index; on AArch64 adr, and
 * adrp with each add after it, as there are two where data has an anchor.
 * (Intel SDM volume 2, 2.2.1.6 "RIP-Relative Addressing"; Arm ARM, C6.2 ADR,
 * ADRP, ADD.)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_REFER_H
#define SD_REFER_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/sd_arch.h"

/* Of the instructions of a block, in their order. */
struct sd_referring {
    enum sd_arch arch;
    uint64_t addresses[32]; /* by register: what was made there, or the page
                               that adrp left; 0: nothing */
};

/* Does the instruction of `length` bytes make an address? */
bool sd_refer(struct sd_referring *referring, const uint8_t *code,
              unsigned length, uint64_t address, uint64_t *made);

#endif
