/*
 * sd_sweep: executable bytes -> where instructions begin.
 *
 * What is surest comes first, and nothing overlaps what came before it:
 * from functions, the entry, and the starts that unwinding tables name, code
 * is followed straight ahead; then from the targets of its jumps and calls;
 * then after its calls, which may not come back.  The gaps that are left are
 * swept from their start: code that only indirect jumps reach, padding, and
 * data.  So data and padding derail nothing that is known to be code.
 *
 * Where data lie before code that only indirect jumps reach, their last
 * instruction may cover its first bytes.  A jump into the middle of an
 * instruction, such as after a prefix, leads nowhere.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_SWEEP_H
#define SD_SWEEP_H

#include "decode/sd_decode.h"
#include "elf/sd_image.h"

/* What is known of a byte. */
enum {
    SD_LENGTH = 0x0f,  /* of the instruction that begins here; 0: none does */
    SD_LEADER = 0x10,  /* a block begins here */
    SD_QUIET = 0x20,   /* the instruction has no effect on data */
    SD_COVERED = 0x40, /* it belongs to an instruction, or to data */
    SD_FIXED = 0x80    /* no instruction reaches over the border before it */
};

struct sd_sweep {
    size_t n_sections;
    struct sd_decoder *decoder;
    const struct sd_image *image;
    bool keeps_transfers;
    size_t most_special; /* or it no longer does */
    uint8_t **marks;     /* by section; one more than its bytes */

    /* What marks do not tell of transfers of control and of nops: lists of a
       few neighbours each, which begin where `first` says, by section. */
    struct sd_special *special;
    size_t n_special, special_room;
    uint32_t **first;
};

/* No two instructions overlap.  Unless it keeps transfers, which takes memory,
   sd_sweep_insn decodes again; so it does if they are more than those of any
   real code.  Decoder and image must outlive it. */
void sd_sweep_init(struct sd_sweep *sweep, struct sd_decoder *decoder,
                   const struct sd_image *image, bool keeps_transfers);
void sd_sweep_fini(struct sd_sweep *sweep);

/* The instruction that begins at this offset of a section. */
struct sd_decoded sd_sweep_insn(const struct sd_sweep *sweep, size_t section,
                                size_t offset);

#endif
