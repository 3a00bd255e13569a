/*
 * sd_refer: finds the addresses of functions and data that instructions compute
 * without loading from there.
 *
 * On x86-64 these are lea with a distance from the instruction, and constants
 * of 32 or 64 bits, also as the distance from an index; on AArch64 adr, and
 * adrp with each add after it: data with a section anchor has two.  (Intel SDM
 * volume 2, 2.2.1.6 "RIP-Relative Addressing"; Arm ARM, C6.2 ADR, ADRP, ADD.)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_REFER_H
#define SD_REFER_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/sd_arch.h"

/* The state between the instructions of a block, which come in order. */
struct sd_referring {
    enum sd_arch arch;
    uint64_t addresses[32]; /* by register: the address it holds, or the page of
                               adrp; 0: none */
    bool is_constant; /* the last address was a constant, which may be another
                         number */
};

/* Does the instruction of `length` bytes compute an address, *made? */
bool sd_refer(struct sd_referring *referring, const uint8_t *code,
              unsigned length, uint64_t address, uint64_t *made);

#endif
