/*
 * sd_flat: turns machine code into VEX IR, and the IR of one instruction into
 * flat operations.  Private to sd_lift, which has VEX's front end and calls
 * sd_flatten(), to sd_flatten (statements), sd_expr (expressions) and sd_irop
 * (operations).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <libvex.h>

#include "lift/guest.h"
#include "lift/sd_insn.h"

/* All instructions are lifted as if they were at this address, the start of a
   page.  A 64-bit constant within 4 GiB of it is taken to be relative to the
   program counter; a constant of a program lies there by chance once in 2^31.
 */
#define SD_LIFT_BASE UINT64_C(0x5bd1e995c2b2a000)

/* A value of up to 256 bits: temporaries of 64 bits, lowest first; or one
   temporary for all of it. */
struct sd_vec {
    uint32_t part[4];
};

struct sd_flat {
    struct sd_insn *out;
    const struct guest *guest;
    bool is_page;  /* addresses are relative to the page of the code */
    bool is_whole; /* each value is one temporary: see sd_lift_whole() */
    const IRTypeEnv *types;
    struct sd_vec *temps; /* values of VEX's temporaries */
    bool is_repeated;     /* the instruction has a rep prefix */
    uint32_t again;       /* a temporary: if 1, the instruction repeats */
    bool is_in_registers; /* the instruction accesses memory only in VEX,
                             which spills a register */
    uint32_t spilled;     /* the spilled value */
    uint32_t spilled_at;  /* where it lies; SD_BOTTOM: not spilled yet */
};

/* The number of temporaries for a value of a type, and the number of bits of
   each: 64 if there are several, or would be several without is_whole. */
unsigned sd_flat_n_parts(const struct sd_flat *f, IRType type);
unsigned sd_flat_width(IRType type);

/* A value with all parts bottom. */
static inline struct sd_vec sd_flat_bottom(void)
{
    return (struct sd_vec){{SD_BOTTOM, SD_BOTTOM, SD_BOTTOM, SD_BOTTOM}};
}

/* Append a pure operation, or one that extracts or deposits bits. */
static inline uint32_t sd_flat_pure(struct sd_flat *f, enum sd_opcode code,
                                    unsigned width, uint32_t a, uint32_t b)
{
    return sd_insn_pure(f->out, code, width, a, b, SD_ZERO);
}

static inline uint32_t sd_flat_extract(struct sd_flat *f, unsigned width,
                                       unsigned from, uint32_t a)
{
    return sd_insn_bits(f->out, SD_EXTRACT, width, from, a, SD_ZERO);
}

static inline uint32_t sd_flat_deposit(struct sd_flat *f, unsigned width,
                                       unsigned at, uint32_t a, uint32_t b)
{
    return sd_insn_bits(f->out, SD_DEPOSIT, width, at, a, b);
}

/* Appends SD_OPAQUE: a result made of n values. */
uint32_t sd_flat_opaque(struct sd_flat *f, bool is_move, unsigned n,
                        const uint32_t *values);

/* With is_whole, notes the size of the register that the last operation reads
   or writes, which may be several words. */
void sd_flat_note_size(struct sd_flat *f, IRType type);

struct sd_vec sd_flat_expr(struct sd_flat *f, const IRExpr *e);

#define SD_ALWAYS UINT32_MAX /* the guard of what always happens */

/* Loads or stores all parts of a value, if the guard holds. */
struct sd_vec sd_flat_load(struct sd_flat *f, IRType type, uint32_t address,
                           uint32_t guard);
void sd_flat_store(struct sd_flat *f, IRType type, uint32_t address,
                   struct sd_vec value, uint32_t guard);

/* Applies a VEX operation to its evaluated arguments.  An unknown operation
   gives bottom and is noted in `out`. */
struct sd_vec sd_flat_irop(struct sd_flat *f, IROp op,
                           const struct sd_vec *args, unsigned n_args);

/* Flattens all statements of one instruction.  `f` has `out`, `guest` and what
   to do; the rest is zeros. */
void sd_flatten(struct sd_flat *f, const IRSB *irsb);

/* --- VEX's front end --- */

/* VEX keeps its state in globals, so that one thread uses it.  It ends the
   program on encodings that it does not expect, by way of a function that must
   not return.  Our function jumps back to vexfront, which leaks nothing: VEX
   allocates from an arena that the next instruction empties. */

/* All extensions of AMD64 and ARM64 processors that VEX knows. */
#define VEXFRONT_AMD64                                                         \
    (VEX_HWCAPS_AMD64_SSE3 | VEX_HWCAPS_AMD64_SSSE3 | VEX_HWCAPS_AMD64_CX16 |  \
     VEX_HWCAPS_AMD64_LZCNT | VEX_HWCAPS_AMD64_AVX | VEX_HWCAPS_AMD64_RDTSCP | \
     VEX_HWCAPS_AMD64_BMI | VEX_HWCAPS_AMD64_AVX2 | VEX_HWCAPS_AMD64_RDRAND |  \
     VEX_HWCAPS_AMD64_F16C | VEX_HWCAPS_AMD64_RDSEED)
#define VEXFRONT_ARM64                                                         \
    (VEX_HWCAPS_ARM64_FHM | VEX_HWCAPS_ARM64_DPBCVAP |                         \
     VEX_HWCAPS_ARM64_DPBCVADP | VEX_HWCAPS_ARM64_SM3 | VEX_HWCAPS_ARM64_SM4 | \
     VEX_HWCAPS_ARM64_SHA3 | VEX_HWCAPS_ARM64_RDM | VEX_HWCAPS_ARM64_ATOMICS | \
     VEX_HWCAPS_ARM64_I8MM | VEX_HWCAPS_ARM64_BF16 | VEX_HWCAPS_ARM64_FP16 |   \
     VEX_HWCAPS_ARM64_VFP16)

enum vexfront_result {
    VEXFRONT_OK,
    VEXFRONT_UNKNOWN, /* VEX does not know the instruction */
    VEXFRONT_PANIC    /* an internal error of VEX, in `use` perhaps */
};

/* Hands the unoptimised, flat IR of the instruction at `code` to `use`, with
   its length in bytes; the IR is valid until `use` returns.  The instruction is
   translated as if it were at `address`.  VEX may read 16 bytes after the end
   of the instruction. */
enum vexfront_result
vexfront(enum arch arch, const uint8_t *code, uint64_t address,
         void (*use)(void *context, const IRSB *irsb, unsigned length),
         void *context);
