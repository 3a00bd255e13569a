/*
 * sd_trace: the operations of a whole block, ready to be run many times.
 *
 * Appending an instruction drops most of its operations: registers become
 * temporaries, moves disappear, and constants are folded.  At the end, values
 * that feed neither an address nor a register or byte that is read again are
 * left out, mostly flags.  This module does not depend on VEX's IR.
 *
 * Each instruction of the block is a site, numbered from 1.  Instructions on
 * the back path, from the end of the block to its next start, have site 0:
 * their accesses are not recorded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "lift/sd_insn.h"

/* A structure of zeros is empty. */
struct sd_trace {
    struct sd_op *ops; /* pure ones, CALL, GET, PUT, GETI, PUTI, accesses */
    struct sd_call *calls;
    struct sd_value *temps; /* initial values, which constants keep */
    size_t n_ops, n_calls, n_temps;
    size_t ops_room, calls_room, temps_room;
    uint32_t n_sites;      /* the block's instructions */
    uint32_t n_back;       /* instructions on the back path */
    bool needs_memory;     /* is any loaded value needed? */
    bool live[SD_N_WORDS]; /* registers read before they are written */

    /* While a trace is built.  is_on_back_path: the block is complete.  By
       register, is_read: was it read itself?  current: the temporary of its
       value (0xffffffff: none; 0xfffffffe: the value is unknown; 0xfffffffd:
       the value at the function's start); dirty: is `current` newer?  map: by
       temporary of the current instruction, the temporary of the trace. */
    bool is_on_back_path;
    size_t last_store; /* the latest operation that begins a store, plus 1 */
    bool is_open;
    uint32_t kept[2]; /* temporaries that are needed after the block */
    unsigned n_kept;
    bool is_read[SD_N_WORDS];
    uint32_t current[SD_N_WORDS];
    bool dirty[SD_N_WORDS];
    uint8_t *widths; /* widths of temporaries: higher bits are 0 */
    uint8_t *needed;
    uint32_t *map;
    size_t widths_room, needed_room, map_room;
};

void sd_trace_fini(struct sd_trace *trace);

/* Begins a block, in the memory of the last block's trace.  An open trace is
   run once: all registers are needed after the run, and unknown values are new
   random numbers instead of bottom. */
void sd_trace_begin(struct sd_trace *trace, bool is_open);
/* Appends the instruction at `address`. */
void sd_trace_add(struct sd_trace *trace, const struct sd_insn *insn,
                  uint64_t address);
/* Keeps a temporary of the last instruction, and returns its number in the
   trace.  A trace can keep two. */
uint32_t sd_trace_keep(struct sd_trace *trace, uint32_t temp);
/* Counts an instruction that has no effect on data. */
void sd_trace_skip(struct sd_trace *trace);

/* Begins the back path. */
void sd_trace_leave(struct sd_trace *trace);
/* Makes registers, or all if `words` is NULL, unknown from now on: a register
   gets a new random value each time, or bottom if it is bottom in `initial`, a
   list as in sd_exec. */
void sd_trace_havoc(struct sd_trace *trace, const struct sd_regset *words,
                    const struct sd_initial *initial);
/* Sets all registers to random values, which are the same each time, or to
   their values in `initial`. */
void sd_trace_reenter(struct sd_trace *trace, const struct sd_initial *initial);
/* Adds `distance` to register number `word`. */
void sd_trace_advance(struct sd_trace *trace, unsigned word, uint64_t distance);

/* Completes the block.  GET and PUT then name whole registers: `imm` is the
   number of a word, and the width is 64. */
void sd_trace_end(struct sd_trace *trace);

/* Only for sd_trace_end(): drops operations that are not needed, and the values
   of stores if no loaded value is needed. */
void sd_trace_sweep(struct sd_trace *trace);

/* sd_rep: a rep instruction that is one large access.

   Each element of movs and stos accesses the bytes beside the previous element.
   If nothing else depends on loaded values, all elements but the first have the
   effect of one large access.  The cost of a rep instruction then is one step
   for each 8 bytes.

   Limits: instructions with 32-bit registers (addr32), and elements with other
   effects, are not recognised. */

struct sd_rep {
    const struct sd_op *begin, *end;  /* the one after SD_LOOP; SD_AGAIN */
    const struct sd_op *leave;        /* the SD_LEAVE of the instruction */
    const struct sd_op *load, *store; /* NULL: no such access */
    int64_t load_step, store_step;    /* bytes from one element to the next */
};

/* Describes the rep instruction whose SD_LOOP is before `op`.  Its first
   element must just have been executed: the values are in trace->temps.  False
   if the instruction is not one large access. */
bool sd_rep_find(struct sd_rep *rep, const struct sd_trace *trace,
                 const struct sd_op *op);

/* How far the register of an SD_PUT moves from one element to the next; 0 if it
   does not move, or by an unknown number. */
int64_t sd_rep_step(const struct sd_rep *rep, const struct sd_trace *trace,
                    const struct sd_op *put);

/* The offset of the first byte that is loaded after an earlier element stored
   it; UINT64_MAX: there is none; 0: the instruction is not one large access. */
uint64_t sd_rep_meets(const struct sd_rep *rep, const struct sd_trace *trace);
