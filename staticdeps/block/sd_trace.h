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
#ifndef SD_TRACE_H
#define SD_TRACE_H

#include <stddef.h>

#include "lift/sd_insn.h"
#include "lift/guest.h"

/* Is empty if it is zeroed. */
struct sd_trace {
    struct sd_op *ops; /* pure, CALL, GET, PUT, GETI, PUTI, memory */
    struct sd_call *calls;
    struct sd_value *temps; /* initial values; constants keep them */
    size_t n_ops, n_calls, n_temps;
    size_t ops_room, calls_room, temps_room;
    uint32_t n_sites;      /* the block's instructions */
    uint32_t n_back;       /* instructions on the back path */
    bool needs_memory;     /* is a loaded value needed?  */
    bool live[SD_N_WORDS]; /* registers read before they are written */

    /* While a trace is built: whether the block is complete, so that the back
       path comes next; by register, whether it was read itself, the temporary
       that holds its value (0xffffffff: none; 0xfffffffe: its value is unknown;
       0xfffffffd: its value at the function's start), and whether that is newer
       than the register; the temporaries of the current instruction. */
    bool is_on_back_path;
    size_t last_store; /* the last operation that begins a store, plus 1 */
    bool is_open;
    uint32_t kept[2]; /* temporaries that are needed after the end */
    unsigned n_kept;
    bool is_read[SD_N_WORDS];
    uint32_t current[SD_N_WORDS];
    bool dirty[SD_N_WORDS];
    uint8_t *widths; /* of temporaries: higher bits are 0 */
    uint8_t *needed;
    uint32_t *map;
    size_t widths_room, needed_room, map_room;
};

void sd_trace_fini(struct sd_trace *trace);

/* Begins a block, and uses the memory of the last one again.  An open trace is
   run once: all registers are needed after it, and unknown values are new
   random numbers instead of bottom. */
void sd_trace_begin(struct sd_trace *trace, bool is_open);
/* Appends the instruction at `address`. */
void sd_trace_add(struct sd_trace *trace, const struct sd_insn *insn,
                  uint64_t address);
/* Keeps a temporary of the last instruction, at most two, and returns its name
   in the trace. */
uint32_t sd_trace_keep(struct sd_trace *trace, uint32_t temp);
/* Counts an instruction that has no effect on data. */
void sd_trace_skip(struct sd_trace *trace);

/* Begins the back path. */
void sd_trace_leave(struct sd_trace *trace);
/* Makes registers, or all if `words` is NULL, unknown from now on: a new random
   value each time, or bottom if they are bottom in `initial`, which ends as
   that of sd_exec. */
void sd_trace_havoc(struct sd_trace *trace, const struct sd_regset *words,
                    const struct sd_initial *initial);
/* Sets all registers to random values, the same each time, or to their values
   in `initial`. */
void sd_trace_reenter(struct sd_trace *trace, const struct sd_initial *initial);
/* Adds a number to a register. */
void sd_trace_advance(struct sd_trace *trace, unsigned word, uint64_t distance);

/* Completes the block.  GET and PUT then name whole registers: `imm` is the
   number of a word, and the width is 64. */
void sd_trace_end(struct sd_trace *trace);

/* Drops operations that are not needed, and the values of stores if no loaded
   value is; for sd_trace_end(). */
void sd_trace_sweep(struct sd_trace *trace);

/* sd_rep: a rep instruction that is one large access.

   Each element of movs and stos accesses the bytes beside the previous element.
   If nothing else depends on loaded values, all elements but the first have the
   effect of one large access.  A rep instruction then costs as much as its
   bytes, eight at a time.

   Limits: instructions with 32-bit registers (addr32), and elements with other
   effects, are not recognised. */

struct sd_rep {
    const struct sd_op *begin, *end;  /* after its SD_LOOP; its SD_AGAIN */
    const struct sd_op *leave;        /* its SD_LEAVE */
    const struct sd_op *load, *store; /* NULL: none */
    int64_t load_step, store_step;    /* from one element to the next */
};

/* Describes the rep instruction whose SD_LOOP is before `op`; its first element
   has just been executed, and its values are in trace->temps.  False if the
   instruction is not one large access. */
bool sd_rep_find(struct sd_rep *rep, const struct sd_trace *trace,
                 const struct sd_op *op);

/* How far the register of an SD_PUT moves from one element to the next.  0: by
   an unknown number, or not at all. */
int64_t sd_rep_step(const struct sd_rep *rep, const struct sd_trace *trace,
                    const struct sd_op *put);

/* The first byte that is loaded after an earlier element stored it.
   UINT64_MAX: none; 0: the instruction is not one large access. */
uint64_t sd_rep_meets(const struct sd_rep *rep, const struct sd_trace *trace);

#endif
