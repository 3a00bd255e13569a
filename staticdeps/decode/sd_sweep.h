/*
 * sd_sweep: finds where instructions begin.
 *
 * The surest code comes first, and later instructions must not overlap earlier
 * ones.  Code is followed straight ahead from functions, the entry point and
 * the starts in unwinding tables; then from the targets of jumps and calls;
 * then after calls, which may not return.  Then come places to which this code
 * refers without jumping there, if no function of known size holds them, and if
 * code runs from there to a transfer of control: closures of functional
 * languages, each after a few words of data, have neither symbols nor frames.
 * The remaining gaps are swept from their start: code that only indirect jumps
 * reach, padding, and data.  So neither data nor padding derails the decoding
 * of known code.
 *
 * If data precede code that only indirect jumps reach, an instruction decoded
 * from the data may cover the code's first bytes.
 *
 * A jump into the middle of an instruction, such as past a prefix, is followed
 * if control flow reaches that instruction, too, and if straight code leads
 * from the middle exactly to the end of the instruction.  Each instruction has
 * at most one such entry, and the last one of a section has none; a jump into
 * the middle of the code at that entry begins no block.  Gaps, and places that
 * code only refers to, have no such entries, since they may be data.  An
 * instruction after a call, which may not return, never contains code that was
 * found before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "decode/sd_decode.h"
#include "elf/sd_image.h"

/* What is known about a byte. */
enum {
    SD_LENGTH = 0x0f,  /* length of the instruction that begins here; 0: none */
    SD_LEADER = 0x10,  /* a block begins here */
    SD_QUIET = 0x20,   /* the instruction has no effect on data */
    SD_COVERED = 0x40, /* the byte is part of an instruction, or data */
    SD_FIXED = 0x80    /* a symbol or data begin, or a jump leads here: no
                          instruction before may extend to this byte */
};

struct sd_sweep {
    size_t n_sections;
    struct sd_decoder *decoder;
    const struct sd_image *image;
    bool keeps_transfers;
    size_t most_special; /* the limit of `special`; with more, none is kept */
    uint8_t **marks;     /* by section: a mark for each byte, and one more */
    uint64_t *referred;  /* code outside of functions that code refers to;
                            sorted */
    size_t n_referred, referred_room;

    /* The transfers of control and the nops, sorted by place. */
    struct sd_special *special;
    size_t n_special, special_room;
};

/* Sweeps all sections.  With `keeps_transfers`, transfers of control are kept
   in memory, unless there are more of them than in any real code; otherwise
   sd_sweep_insn() decodes them again.  Decoder and image must outlive the
   sweep. */
void sd_sweep_init(struct sd_sweep *sweep, struct sd_decoder *decoder,
                   const struct sd_image *image, bool keeps_transfers);
void sd_sweep_fini(struct sd_sweep *sweep);

/* Does code begin at this address that lies in no function of known size, and
   that other code refers to without jumping there? */
bool sd_sweep_is_referred(const struct sd_sweep *sweep, uint64_t address);

/* The offset in an instruction, whose marks are given, where the instructions
   inside it begin, which end where it ends; 0: none is inside it. */
unsigned sd_sweep_inside(const uint8_t *marks);

/* The instruction that begins at this offset of a section. */
struct sd_decoded sd_sweep_insn(const struct sd_sweep *sweep, size_t section,
                                size_t offset);
