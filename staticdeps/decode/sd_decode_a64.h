/*
 * sd_decode_a64: sd_decode for AArch64.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_DECODE_A64_H
#define SD_DECODE_A64_H

#include <stddef.h>

#include "decode/sd_decoded.h"

bool sd_decode_a64(const uint8_t *code, size_t n, uint64_t address,
                   struct sd_decoded *out);

#endif
