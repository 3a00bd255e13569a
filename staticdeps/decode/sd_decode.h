/*
 * sd_decode: where an instruction ends, and where it may jump.
 *
 * Capstone's details (operands, groups) cost more than the decoding itself and
 * are not asked for: a table by its instruction numbers says what transfers
 * control, and a direct jump's distance is the end of its bytes.  Of a vector
 * instruction that capstone does not know, the prefix tells the length.
 * AArch64's few transfers need no disassembler.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_DECODE_H
#define SD_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/sd_arch.h"
#include "object/disasm.h"

struct sd_decoded {
    uint8_t length;     /* in bytes, 1 to 15 */
    bool ends_block;    /* it transfers control, always or sometimes */
    bool has_no_effect; /* on registers that matter, or memory */
    bool is_call;     /* it transfers control, and comes back if all is well */
    bool is_last;     /* control does not reach what is after it */
    bool is_nop;      /* it does nothing, as between two blocks */
    bool is_indirect; /* a jump to where a register or memory says */
    bool has_target;  /* a jump or call to a fixed address */
    uint64_t target;
};

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

/* Decodes an AArch64 instruction; a step of sd_decode. */
bool sd_decode_a64(const uint8_t *code, size_t n, uint64_t address,
                   struct sd_decoded *out);

/* Writes the instruction of `length` bytes as the assembler has it, or, if only
   its length is known, its bytes; cut to fit. */
void sd_decode_text(struct sd_decoder *decoder, enum disasm_syntax syntax,
                    const uint8_t *code, unsigned length, uint64_t address,
                    char *text, size_t size);

#endif
