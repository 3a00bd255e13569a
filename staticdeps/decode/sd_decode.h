/*
 * sd_decode: finds where an instruction ends, where it may jump, and to which
 * functions and data it refers.
 *
 * Capstone's details (operands, groups) cost more than decoding itself, so they
 * are not requested: a table of instruction numbers tells what transfers
 * control, and the last bytes of a direct jump are its distance.  What it says
 * is kept by the bytes that decide it.  The prefix tells the length of vector
 * instructions that capstone does not know.
 * AArch64's few transfers need no disassembler.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "arch.h"

struct sd_decoded {
    uint8_t length;     /* length of the instruction in bytes, 1 to 15 */
    bool ends_block;    /* may transfer control */
    bool has_no_effect; /* on registers that matter, or memory */
    bool is_call;       /* transfers control and is expected to return */
    bool is_last;       /* control does not reach the next instruction */
    bool is_nop;        /* does nothing: padding between blocks */
    bool is_indirect;   /* a jump through a register or memory */
    bool has_target;    /* a jump or call to a fixed address */
    uint64_t target;
};

struct sd_decoder;

/* Never NULL: if memory is exhausted, the program ends. */
struct sd_decoder *sd_decoder_new(enum arch arch);
void sd_decoder_free(struct sd_decoder *decoder);

/* The number of bytes of which all addresses of instructions are multiples. */
unsigned sd_decoder_unit(const struct sd_decoder *decoder);

/* Decodes the instruction that begins the n bytes at `code`.  False, with *out
   untouched, if no instruction begins there. */
bool sd_decode(struct sd_decoder *decoder, const uint8_t *code, size_t n,
               uint64_t address, struct sd_decoded *out);

/* What sd_refer() keeps from one instruction of a block to the next. */
struct sd_referring {
    enum arch arch;
    uint64_t addresses[32]; /* by register: the address it holds, or the page of
                               adrp; 0: none */
    bool is_constant; /* the last address was a constant, which may be another
                         number */
};

/* Does the instruction of `length` bytes compute an address, *made, without
   loading from there?  On x86-64, such instructions are lea with a distance
   from the instruction, and all with constants of 32 or 64 bits, also as the
   distance from an index; on AArch64, they are adr, and each add after an adrp:
   data with a section anchor has two.  (Intel SDM volume 2, 2.2.1.6
   "RIP-Relative Addressing"; Arm ARM, C6.2 ADR, ADRP, ADD.) */
bool sd_refer(struct sd_referring *referring, const uint8_t *code,
              unsigned length, uint64_t address, uint64_t *made);
