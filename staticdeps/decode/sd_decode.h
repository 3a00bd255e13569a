/*
 * sd_decode: where an instruction ends, and where it may jump.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_DECODE_H
#define SD_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/sd_decoded.h"
#include "elf/sd_arch.h"

struct sd_decoder;

/* Never NULL; without memory the program ends. */
struct sd_decoder *sd_decoder_new(enum sd_arch arch);
void sd_decoder_free(struct sd_decoder *decoder);

/* Instructions begin at multiples of this many bytes. */
unsigned sd_decoder_unit(const struct sd_decoder *decoder);

/* Decodes the instruction at `code`, of which n bytes are there.  False, and
 *out untouched, if there is none. */
bool sd_decode(struct sd_decoder *decoder, const uint8_t *code, size_t n,
               uint64_t address, struct sd_decoded *out);

/* Writes the instruction of `length` bytes as the assembler has it, or, if only
   its length is known, its bytes; cut to fit. */
void sd_decode_text(struct sd_decoder *decoder, const uint8_t *code,
                    unsigned length, uint64_t address, char *text, size_t size);

#endif
