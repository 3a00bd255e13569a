/*
 * sd_xz: compressed bytes in the xz format.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_XZ_H
#define SD_XZ_H

#include <stddef.h>
#include <stdint.h>

/* What the n bytes decompress to, and its size.  NULL if they are damaged, or
   it would be larger than `most` bytes; only then *size is.  The caller
   frees. */
uint8_t *sd_xz_decompress(const uint8_t *bytes, size_t n, size_t most,
                          size_t *size);

/* CRC-32 (IEEE 802.3) of what `sum` is that of, 0 for nothing, and n bytes
   after it. */
uint32_t sd_xz_crc32(const uint8_t *bytes, size_t n, uint32_t sum);

#endif
