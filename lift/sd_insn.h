/*
 * sd_insn: what one machine instruction does, as flat operations.
 *
 * The operations do not depend on the instruction's address (SD_CONST_PC,
 * _PAGE), so that equal bytes share them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "lift/guest.h"
#include "lift/sd_op.h"

/* An instruction of a block is described by its length in bytes (up to 15),
   or'ed with this bit if it has no effect on data (a direct jump, a trap). */
#define SD_NO_EFFECT 0x80

/* VEX's operations are numbered from 0 to less than this number. */
#define SD_N_OPERATIONS 2048

enum sd_status {
    SD_OK,
    SD_UNDECODABLE, /* capstone or VEX does not know an instruction */
    SD_PANIC,       /* VEX failed with an internal error */
    SD_NOT_HEX,     /* a line of --hex that is not hexadecimal */
    SD_TOO_LONG,    /* the block has more operations than are run */
    SD_TOO_COSTLY,  /* the block would take more than its share (sd_room) */
    SD_N_STATUSES
};

/* How control leaves an instruction. */
enum sd_flow {
    SD_FLOW_JUMP, /* to the next instruction, or to another */
    SD_FLOW_CALL,
    SD_FLOW_RETURN,
    SD_FLOW_SYSCALL, /* a system call, then the next instruction */
    SD_FLOW_TRAP     /* to a signal handler, or to nowhere */
};

/* Where control goes after an instruction: if `guard` is 1, to `taken`, else
   to `next`.  VEX inverts conditions as it likes, so the target of a
   conditional jump may be either. */
struct sd_exit {
    enum sd_flow flow; /* along `next` */
    bool is_guarded;   /* there are two targets; `guard` and `taken` are set */
    bool is_direct;    /* `next` is a distance, not a temporary */
    bool is_special;   /* VEX does not just go on, as after a pause: it flushes
                          a cache, makes another kind of system call */
    uint32_t guard, target;
    int64_t taken, next; /* from the instruction's own address, in bytes */
};

struct sd_insn {
    enum sd_status status;
    unsigned length; /* in bytes, as VEX sees it; 0 if unknown */
    uint32_t n_temps;
    bool loads, stores;
    bool by_operands; /* VEX does not know it; see sd_operands.h */
    struct sd_op *ops;
    struct sd_call *calls;
    uint16_t *unsupported; /* VEX operations that gave bottom, by number */
    struct sd_exit exit;   /* `target`: a temporary, if it is not direct */
    size_t n_ops, n_calls, n_unsupported;
    size_t ops_room, calls_room, unsupported_room;
};

/* The name of a status in the database. */
const char *sd_status_name(enum sd_status status);

/* Empties the instruction and keeps its memory. */
void sd_insn_reset(struct sd_insn *insn);
void sd_insn_fini(struct sd_insn *insn);

/* Copies an instruction, without spare room. */
void sd_insn_copy(struct sd_insn *copy, const struct sd_insn *insn);

/* Appends an operation, and gives it a new temporary as its result. */
uint32_t sd_insn_emit(struct sd_insn *insn, struct sd_op op);
/* Appends an operation without a result. */
void sd_insn_effect(struct sd_insn *insn, struct sd_op op);
/* Appends a pure operation; unused operands are SD_ZERO. */
uint32_t sd_insn_pure(struct sd_insn *insn, enum sd_opcode code, unsigned width,
                      uint32_t a, uint32_t b, uint32_t c);
/* Appends SD_EXTRACT, SD_DEPOSIT or SD_SEXT; or another one, if imm is 0. */
uint32_t sd_insn_bits(struct sd_insn *insn, enum sd_opcode code, unsigned width,
                      unsigned imm, uint32_t a, uint32_t b);
/* The operation that defines a temporary, or NULL if none of this instruction
   does; valid until the next operation is appended. */
const struct sd_op *sd_insn_definition(const struct sd_insn *insn,
                                       uint32_t temp);
uint32_t sd_insn_const(struct sd_insn *insn, uint64_t value);
/* Append the instruction's own address plus a distance; append a + b. */
uint32_t sd_insn_const_pc(struct sd_insn *insn, uint64_t distance);
uint32_t sd_insn_add(struct sd_insn *insn, uint32_t a, uint32_t b);
/* Append a read or a write of `width` bits of a register, at a byte offset in
   VEX's guest state; make n words from an offset on bottom. */
uint32_t sd_insn_get(struct sd_insn *insn, unsigned offset, unsigned width);
void sd_insn_put(struct sd_insn *insn, unsigned offset, unsigned width,
                 uint32_t value);
void sd_insn_clobber(struct sd_insn *insn, unsigned offset, unsigned n);
/* Appends SD_READ or SD_WRITE of n bytes. */
void sd_insn_access(struct sd_insn *insn, enum sd_opcode code, uint32_t address,
                    unsigned n);
uint32_t sd_insn_call(struct sd_insn *insn, struct sd_call call);
void sd_insn_unsupported(struct sd_insn *insn, uint16_t operation);

/* --- Machine code becomes flat operations, through VEX (sd_lift) ---

   VEX keeps its state in globals (vexfront), so there is one lifter in a
   process.

   Limits: VEX's errors are not corrected.  Its xchg of ax with another 16-bit
   register (66 91 to 66 97) clears the rest of rax.  Its cmpxchg of 32 bits
   clears the upper half of the register that the processor does not change: rax
   if the operands are equal, the destination if not.

   A cache lifts equal bytes once: most instructions of a program repeat (two in
   three in bash, three in four in libc.so.6).  The cache is a table in which a
   new entry replaces the old one in its place.  It starts small and grows up to
   a bound, because touching new memory takes most of the time of a small
   program.  No result depends on the cache. */

#define SD_INSN_MAX 15 /* bytes of the longest instruction */

/* Lifts the instruction of `length` bytes at `code`.  The result is valid
   until the next call; its status says whether it could be lifted. */
const struct sd_insn *sd_lift(enum arch arch, const uint8_t *code,
                              unsigned length);

/* Lifts an instruction that VEX knows, to see what its results are made of, not
   their values.  Each value of VEX is one temporary, however wide; whatever is
   not arithmetic of a word is SD_OPAQUE; each side exit is an SD_LEAVE; and a
   rep prefix makes no loop. */
const struct sd_insn *sd_lift_whole(enum arch arch, const uint8_t *code,
                                    unsigned length);

/* Iterates over the instructions of a block that have an effect. */
struct sd_lift_cursor {
    const uint8_t *bytes; /* the next instruction's */
    const uint8_t *insns; /* lengths, or'ed with SD_NO_EFFECT */
    uint32_t n_insns;     /* the number of instructions left */
    uint64_t next;        /* the next instruction's address */
    uint64_t address;     /* the address of the last one returned */
};

/* Lifts the next instruction; NULL at the end. */
const struct sd_insn *sd_lift_next(enum arch arch,
                                   struct sd_lift_cursor *cursor);

/* Writes the name of the VEX operation of that number (see sd_insn), for
   example "Iop_Add8x16", cut to fit. */
void sd_lift_operation_name(uint16_t operation, char *name, size_t size);
