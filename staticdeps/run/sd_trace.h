/*
 * sd_trace: the operations of a whole block, ready to be run many times.
 *
 * Appending the instructions replaces most of what they do by nothing:
 * registers become temporaries, moves disappear, constants are folded, and what
 * feeds neither an address nor a register or memory byte that is read again is
 * left out; flags, mostly.  It knows nothing of VEX's IR.
 *
 * Each instruction of the block is a site, numbered from 1.  Those on the back
 * path, from an end of the block to its next start, have site 0: their accesses
 * are not recorded.
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
    size_t n_ops, n_calls, n_temps;
    size_t ops_room, calls_room, temps_room;
    uint32_t n_sites;      /* the block's instructions */
    uint32_t n_back;       /* those on the back path */
    bool loads, stores;    /* is there at least one in the block? */
    bool needs_memory;     /* does a loaded value matter? */
    bool live[SD_N_WORDS]; /* registers read before they are written */

    /* While a trace is built: is the block complete, so that what comes next
       lies on the back path; was a register itself read; the temporary that
       holds its value (0xffffffff: none; 0xfffffffe: its value is unknown;
       0xfffffffd: it is as at the function's start), and whether that is newer
       than the register; the temporaries of the current instruction. */
    bool is_on_back_path;
    bool is_open;     /* see sd_trace_open */
    uint32_t kept[2]; /* temporaries that are needed after the end */
    unsigned n_kept;
    bool is_read[SD_N_WORDS];
    uint32_t current[SD_N_WORDS];
    bool dirty[SD_N_WORDS];
    uint8_t *widths; /* of temporaries: no bit above is set */
    uint8_t *needed;
    uint32_t *map;
    size_t widths_room, needed_room, map_room;
};

void sd_trace_init(struct sd_trace *trace);
void sd_trace_fini(struct sd_trace *trace);

/* Begins a block; the room of the last one is used again. */
void sd_trace_begin(struct sd_trace *trace);
/* Begins one that is run once, not again and again: all registers are needed
   after it, and what is unknown is another random number each time, not
   bottom. */
void sd_trace_open(struct sd_trace *trace);
/* Appends the instruction at `address`. */
void sd_trace_add(struct sd_trace *trace, const struct sd_insn *insn,
                  uint64_t address);
/* The trace's name for a temporary of the last instruction, which is kept: at
   most two. */
uint32_t sd_trace_keep(struct sd_trace *trace, uint32_t temp);
/* Counts an instruction that has no effect on data. */
void sd_trace_skip(struct sd_trace *trace);

/* What is added from now on lies on the back path. */
void sd_trace_leave(struct sd_trace *trace);
/* Registers whose values are unknown from now on: another random one each time,
   or bottom where `initial` has it, which ends as that of sd_exec does. */
void sd_trace_havoc(struct sd_trace *trace, const struct sd_regset *words,
                    const struct sd_initial *initial);
/* All registers get random values, the same each time, or what `initial` has.
 */
void sd_trace_reenter(struct sd_trace *trace, const struct sd_initial *initial);
/* Adds a number to a register. */
void sd_trace_advance(struct sd_trace *trace, unsigned word, uint64_t distance);

/* Completes the block.  GET and PUT now name whole registers: `imm` is a
   number of a word, and the width 64. */
void sd_trace_end(struct sd_trace *trace);

/* Drops the operations that nothing needs; a step of sd_trace_end. */
void sd_trace_prune(struct sd_trace *trace);

/* Steps of the others: a new temporary of that value and width, which an
   operation may overwrite, and one for a constant; an operation at the end; the
   same for a pure one, unless its value is found without it.  Each returns the
   temporary that has the value. */
uint32_t sd_trace_temp(struct sd_trace *trace, struct sd_value value,
                       unsigned width);
uint32_t sd_trace_const(struct sd_trace *trace, struct sd_value value);
uint32_t sd_trace_append(struct sd_trace *trace, struct sd_op op);
uint32_t sd_trace_pure(struct sd_trace *trace, struct sd_op op);

#endif
