/*
 * sd_xz: decompresses the xz format.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_XZ_H
#define SD_XZ_H

#include <stddef.h>
#include <stdint.h>

/* Decompresses n bytes; the caller frees.  NULL if they are damaged, or if the
   result would exceed `most` bytes; only then *size exceeds it. */
uint8_t *sd_xz_decompress(const uint8_t *bytes, size_t n, size_t most,
                          size_t *size);

/* Continues a CRC-32 (IEEE 802.3), which is 0 at first, over n more bytes. */
uint32_t sd_xz_crc32(const uint8_t *bytes, size_t n, uint32_t sum);

#endif
