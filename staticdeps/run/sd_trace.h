/*
 * sd_trace: the operations of a whole block, ready to be run many times.
 *
 * Putting the instructions together replaces most of what they do by
 * nothing: registers become temporaries, moves disappear, constants are
 * folded, and what feeds neither an address nor a register or memory byte
 * that is read again is left out; flags, mostly.  It knows nothing of VEX's IR.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_TRACE_H
#define SD_TRACE_H

#include <stddef.h>

#include "ir/sd_insn.h"
#include "ir/sd_regset.h"

struct sd_trace {
    struct sd_op *ops; /* pure, CALL, GET, PUT, GETI, PUTI, memory */
    struct sd_call *calls;
    struct sd_value *temps; /* initial values; constants keep them */
    size_t n_ops, n_calls, n_temps, n_constants;
    size_t ops_room, calls_room, temps_room;
    uint32_t n_insns;      /* of the block; what happens elsewhere has the
                              number behind the last of them */
    uint32_t n_elsewhere;  /* instructions between two iterations */
    bool loads, stores;    /* is there at least one in the block? */
    bool needs_memory;     /* does a loaded value matter? */
    bool live[SD_N_WORDS]; /* registers read before they are written */

    /* While a block is put together: is it complete, so that what comes next
       happens elsewhere; was a register itself read; the temporary that holds
       its value (0xffffffff: none does; 0xfffffffe: nobody knows it;
       0xfffffffd: it is as at the function's start), and whether that is newer
       than the register; the temporaries of the instruction at hand. */
    bool is_elsewhere;
    bool is_read[SD_N_WORDS];
    uint32_t current[SD_N_WORDS];
    bool dirty[SD_N_WORDS];
    uint8_t *widths; /* of temporaries: no bit above is set */
    uint8_t *needed;
    uint32_t *map;
    size_t widths_room, needed_room, map_room;
};

void sd_trace_init(struct sd_trace *code);
void sd_trace_fini(struct sd_trace *code);

/* Begins a block; the room of the last one is used again. */
void sd_trace_begin(struct sd_trace *code);
/* Appends an instruction that stands at `address`. */
void sd_trace_add(struct sd_trace *code, const struct sd_insn *insn,
                  uint64_t address);
/* Counts an instruction that has no effect on data. */
void sd_trace_skip(struct sd_trace *code);

/* What is added from now on happens between two iterations of the block. */
void sd_trace_leave(struct sd_trace *code);
/* Registers that now hold what nobody knows: another random value each time, or
   bottom where `initial` has it, which ends as that of sd_exec does. */
void sd_trace_havoc(struct sd_trace *code, const struct sd_regset *words,
                    const struct sd_initial *initial);
/* All registers get random values, the same each time, or what `initial` has.
 */
void sd_trace_reenter(struct sd_trace *code, const struct sd_initial *initial);
/* Adds a number to a register. */
void sd_trace_advance(struct sd_trace *code, unsigned word, uint64_t distance);

/* Completes the block.  GET and PUT now name whole registers: `imm` is a
   number of a word, and the width 64. */
void sd_trace_end(struct sd_trace *code);

/* Drops what nobody needs; a step of sd_trace_end. */
void sd_trace_prune(struct sd_trace *code);

#endif
