/*
 * sd_op: the operations that a machine instruction is flattened to.
 *
 * Operands are numbers of temporaries, each assigned once.  Number 0 is bottom;
 * number 1 is zero, and stands for unused operands.  All values have 64 bits,
 * each of which may be bottom (undecided); the upper bits of a narrower value
 * are known to be zero.  A vector is several values, so that moving its parts
 * needs no operation and loses no bit.
 *
 * Registers and memory hold random numbers when a block starts.  These are a
 * function of (key, index), so that a register or a memory byte has its value
 * before anything reads it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

struct sd_value {
    uint64_t bits;
    uint64_t bottom; /* a mask of the undecided bits, which are 0 in `bits`, or
                        drawn (sd_drawn) */
};

/* A mask of the low `width` bits, 1 to 64. */
static inline uint64_t sd_mask(unsigned width)
{
    return UINT64_MAX >> (64 - width);
}

static inline struct sd_value sd_known(uint64_t bits)
{
    return (struct sd_value){bits, 0};
}

static inline struct sd_value sd_bottom(unsigned width)
{
    return (struct sd_value){0, sd_mask(width)};
}

static inline bool sd_is_known(struct sd_value v)
{
    return v.bottom == 0;
}

/* SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
   Generators, OOPSLA 2014): the element number `index` of the sequence that
   starts at `key`. */
static inline uint64_t sd_random(uint64_t key, uint64_t index)
{
    uint64_t z = key + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

#define SD_BOTTOM  0u
#define SD_ZERO    1u
#define SD_N_FIXED 2u /* the first temporary that is free */

enum sd_opcode {
    /* Pure: dst = f(a, b, c), of `width` bits.  See sd_op.c. */
    SD_ADD,
    SD_SUB,
    SD_MUL,
    SD_MULHU, /* the upper 64 bits of a 64-bit product */
    SD_MULHS,
    SD_AND,
    SD_OR,
    SD_XOR,
    SD_NOT,
    SD_SHL,
    SD_SHR,
    SD_SAR,
    SD_CMPEQ, /* comparisons of `width` bits give 0 or 1 */
    SD_CMPNE,
    SD_CMPLTU,
    SD_CMPLTS,
    SD_CMPLEU,
    SD_CMPLES,
    SD_DIVU, /* a / b; bottom if b is 0 or the result needs more bits */
    SD_DIVS, /* a has 64 bits; b and the result have `width` */
    SD_MODU, /* remainders; bottom where the quotient is */
    SD_MODS,
    SD_DIVU128, /* (a:b) / c; a, b, c and the result have 64 bits */
    SD_DIVS128,
    SD_MODU128,
    SD_MODS128,
    SD_CLZ, /* leading zeros; of zero: `width` */
    SD_CTZ,
    SD_POPCOUNT,
    SD_BSWAP,
    SD_EXTRACT, /* `width` bits of a from bit number `imm` */
    SD_DEPOSIT, /* a with its `width` bits from number `imm` set to b */
    SD_SEXT,    /* a, a number of `imm` bits, sign-extended to `width` */
    SD_ITE,     /* a != 0 ? b : c */
    SD_N_PURE,

    /* Constants: dst = imm, or imm plus the instruction's own address, or plus
       the start of its page of 4 KiB. */
    SD_CONST = SD_N_PURE,
    SD_CONST_PC,
    SD_CONST_PAGE,
    /* A pure helper function of VEX: dst = the result of call number `imm`. */
    SD_CALL,
    /* dst = a new random number each time if imm is 0, else the run's random
       number `imm`. */
    SD_FRESH,
    /* Registers, by byte offset `imm` into VEX's guest state; `width` bits
       that do not straddle a word of 8 bytes.  With sd_lift_whole() they are c
       bytes. */
    SD_GET,
    SD_PUT, /* register = a */
    /* A rotating register file: element (a + disp) mod c, each of `width`
       bits, the first at byte offset b. */
    SD_GETI,
    SD_PUTI, /* element = dst, which is an operand here */
    /* Memory at address a + disp, `width` bits, 8 to 64: all of an access, or a
       part of one that begins at a.  The access has c bytes if it is a load,
       imm if it is a store; 0: not known. */
    SD_LOAD,
    SD_STORE, /* memory = b */
    /* An access that happens if b (LOADIF) or c (STOREIF) is 1 or bottom. */
    SD_LOADIF,
    SD_STOREIF,
    /* An access of c bytes of unknown value, at a, if b; imm as in SD_STORE. */
    SD_READ,
    SD_WRITE,
    /* A rep prefix: the operations between LOOP and AGAIN are executed for each
       element.  LEAVE jumps past AGAIN if a is 1; b is the number of elements
       left.  AGAIN jumps back if a is 1. */
    SD_LOOP,
    SD_LEAVE,
    SD_AGAIN,
    /* A result made of a and b, whose value is bottom; if imm is 1, a and b are
       only moved.  Used only where values are not (sd_lift_whole). */
    SD_OPAQUE,
    SD_N_OPS
};

struct sd_op {
    uint8_t code;  /* enum sd_opcode */
    uint8_t width; /* in bits: 1 to 64 */
    int16_t disp;  /* memory: displacement; GETI, PUTI: bias */
    uint32_t site; /* memory: the site it is recorded as; 0: not recorded */
    uint32_t dst;
    uint32_t a, b, c;
    uint64_t imm;
};

/* Properties of operations. */
enum {
    /* Which operands name temporaries that the operation reads. */
    SD_READS_A = 1 << 0,
    SD_READS_B = 1 << 1,
    SD_READS_C = 1 << 2,
    SD_READS_DST = 1 << 3,
    SD_HAS_RESULT = 1 << 4, /* the operation assigns the temporary dst */
    SD_ONE_BIT = 1 << 5,    /* the result is 0 or 1 */
    SD_IS_PURE = 1 << 6,
    SD_IS_CONST = 1 << 7,
    SD_GETS = 1 << 8, /* the operation reads registers */
    SD_PUTS = 1 << 9,
    SD_IS_INDEXED = 1 << 10, /* the registers are a rotating file */
    SD_LOADS = 1 << 11,      /* the operation loads from memory */
    SD_STORES = 1 << 12,
    SD_STORES_B = 1 << 13, /* the operation stores the value b */
    SD_IS_CONTROL = 1 << 14
};

extern const uint16_t sd_op_info[SD_N_OPS];

static inline bool sd_op_is(const struct sd_op *op, unsigned what)
{
    return (sd_op_info[op->code] & what) != 0;
}

#define SD_CALL_ARGS 6

/* A call of one of VEX's pure helper functions. */
struct sd_call {
    void *function;
    uint32_t args[SD_CALL_ARGS]; /* numbers of temporaries */
    uint8_t n_args;
    uint8_t width; /* bits of the result */
    /* args[cc_arg] is one of n_cc condition-code operations of VEX, or with
       `has_condition` 16 * condition + operation.  VEX ends the program for
       other values. */
    bool takes_cc, has_condition;
    bool keeps_flags; /* the result has flags as they were before */
    uint8_t cc_arg, n_cc;
};

/* Two pure operations, inline because most operations of a run are these. */
static inline struct sd_value sd_op_extract(const struct sd_op *op,
                                            struct sd_value a)
{
    uint64_t mask = sd_mask(op->width);

    return (struct sd_value){a.bits >> op->imm & mask,
                             a.bottom >> op->imm & mask};
}

static inline struct sd_value
sd_op_deposit(const struct sd_op *op, struct sd_value a, struct sd_value b)
{
    uint64_t mask = sd_mask(op->width);

    return (struct sd_value){
        (a.bits & ~(mask << op->imm)) | (b.bits & mask) << op->imm,
        (a.bottom & ~(mask << op->imm)) | (b.bottom & mask) << op->imm};
}

/* Evaluates a pure operation. */
struct sd_value sd_op_eval(const struct sd_op *op, struct sd_value a,
                           struct sd_value b, struct sd_value c);

/* The words from *first up to the returned one hold the registers that the
   operation accesses; for a rotating file, all its registers. */
unsigned sd_op_words(const struct sd_op *op, unsigned *first);

/* Calls the helper; the result is bottom if an argument is. */
struct sd_value sd_call_eval(const struct sd_call *call,
                             const struct sd_value *temps);
