/*
 * sd_blocks: cuts executable bytes into basic blocks.
 *
 * Every byte of every section lies in a block.  Bytes that do not decode are
 * blocks of their own, with a status that says so.  Where a jump leads into the
 * middle of an instruction that executes, too (sd_sweep), that instruction ends
 * its block, and the next block lies inside the instruction: both blocks end at
 * one address.  No other blocks overlap.
 *
 * The targets of indirect jumps are unknown.  Compilers align them, so nops
 * that come after a transfer of control, and to which no jump leads, are blocks
 * of their own: the code after the nops may execute without them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "elf/sd_image.h"
#include "binary/input.h"
#include "lift/sd_insn.h"
#include "arch.h"

/* sd_decode: finds where an instruction ends, where it may jump, and to which
   functions and data it refers.

   Capstone's details (operands, groups) cost more than decoding itself, so they
   are not requested: a table of instruction numbers tells what transfers
   control, and the last bytes of a direct jump are its distance.  What it says
   is kept by the bytes that decide it.  The prefix tells the length of vector
   instructions that capstone does not know.
   AArch64's few transfers need no disassembler. */

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

/* sd_sweep: finds where instructions begin.

   The surest code comes first, and later instructions must not overlap earlier
   ones.  Code is followed straight ahead from functions, the entry point and
   the starts in unwinding tables; then from the targets of jumps and calls;
   then after calls, which may not return.  Then come places to which this code
   refers without jumping there, if no function of known size holds them, and if
   code runs from there to a transfer of control: closures of functional
   languages, each after a few words of data, have neither symbols nor frames.
   The remaining gaps are swept from their start: code that only indirect jumps
   reach, padding, and data.  So neither data nor padding derails the decoding
   of known code.

   If data precede code that only indirect jumps reach, an instruction decoded
   from the data may cover the code's first bytes.

   A jump into the middle of an instruction, such as past a prefix, is followed
   if control flow reaches that instruction, too, and if straight code leads
   from the middle exactly to the end of the instruction.  Each instruction has
   at most one such entry, and the last one of a section has none; a jump into
   the middle of the code at that entry begins no block.  Gaps, and places that
   code only refers to, have no such entries, since they may be data.  An
   instruction after a call, which may not return, never contains code that was
   found before. */

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
    uint8_t **marks;    /* by section: a mark for each byte, and one more */
    uint64_t *referred; /* code outside of functions that code refers to;
                           sorted */
    size_t n_referred, referred_room;
};

/* Sweeps all sections.  Decoder and image must outlive the sweep. */
void sd_sweep_init(struct sd_sweep *sweep, struct sd_decoder *decoder,
                   const struct sd_image *image);
void sd_sweep_fini(struct sd_sweep *sweep);

/* Does code begin at this address that lies in no function of known size, and
   that other code refers to without jumping there? */
bool sd_sweep_is_referred(const struct sd_sweep *sweep, uint64_t address);

/* The offset in an instruction, whose marks are given, where the instructions
   inside it begin, which end where it ends; 0: none is inside it. */
unsigned sd_sweep_inside(const uint8_t *marks);

/* The instruction that begins at this offset of a section, decoded again. */
struct sd_decoded sd_sweep_insn(const struct sd_sweep *sweep, size_t section,
                                size_t offset);

struct sd_node;

struct sd_block {
    uint64_t address, size;
    const uint8_t *bytes; /* belong to the image or the line */
    size_t first; /* index of its first instruction in sd_blocks.insns */
    uint32_t n_insns;
    enum sd_status status; /* SD_OK: the block can be analysed */
    struct sd_decoded
        last;             /* the last instruction; length 0: unknown or none */
    const char *function; /* belongs to the image or the line; NULL: none */
    uint64_t function_start;
    uint64_t salt; /* makes the block's random numbers differ from others' */
    struct sd_node *node; /* in a control-flow graph; NULL: none */
    bool is_first;        /* the first of an object, or a region or line */
    bool is_referred;     /* in no function, but code refers to it */
};

/* Does the block end with a jump to its first instruction? */
bool sd_block_follows_itself(const struct sd_block *block);

/* A list of blocks; {0} is the empty list. */
struct sd_blocks {
    struct sd_block *blocks;
    uint8_t *insns; /* length of each instruction, or'ed with SD_NO_EFFECT */
    size_t n_blocks, n_insns;
    size_t blocks_room, insns_room;
};

void sd_blocks_fini(struct sd_blocks *blocks);

/* Cuts the code of an image, in the order of its sections.  The blocks borrow
   from the image. */
void sd_blocks_of_image(struct sd_blocks *blocks, struct sd_decoder *decoder,
                        const struct sd_image *image);

/* Cuts an image piece by piece, if its blocks are too many to be in memory at
   once.  The image must outlive the cutter. */
struct sd_cutter *sd_cutter_new(struct sd_decoder *decoder,
                                const struct sd_image *image);
/* Appends about `most` blocks; false if no blocks are left after them. */
bool sd_cutter_next(struct sd_cutter *cutter, struct sd_blocks *blocks,
                    size_t most);
/* Accepts NULL. */
void sd_cutter_free(struct sd_cutter *cutter);

/* Appends `size` bytes as one block at address 0, even if it contains jumps. */
void sd_blocks_add_bytes(struct sd_blocks *blocks, struct sd_decoder *decoder,
                         const uint8_t *bytes, size_t size,
                         const char *function, uint64_t salt);

/* Appends a range of an image's code as one block, even if it contains jumps.
   False if the range is empty or leaves its section. */
bool sd_blocks_add_region(struct sd_blocks *blocks, struct sd_decoder *decoder,
                          const struct sd_image *image, struct sd_range range);

/* Appends each line as one block at address 0; a line that is no code becomes a
   block without bytes.  The blocks borrow from the lines. */
void sd_blocks_of_lines(struct sd_blocks *blocks, struct sd_decoder *decoder,
                        const struct hexcode *code);

/* Appends the blocks of `more`, and empties `more`. */
void sd_blocks_join(struct sd_blocks *blocks, struct sd_blocks *more);
