/* disasm: machine code as text, and the operands of instructions. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "basics.h"

struct disasm;

/* The syntax of x86-64 instructions; other architectures have one only. */
enum disasm_syntax { DISASM_ATT, DISASM_INTEL };
#define DISASM_SYNTAXES "att or intel"
extern const char *const disasm_syntaxes[]; /* their names; ends with NULL */

/* Parses a syntax's name.  False if there is no such syntax. */
bool disasm_syntax_parse(const char *name, enum disasm_syntax *syntax);

struct disasm_insn {
    unsigned length; /* in bytes, at least 1 */
    char text[192];  /* as objdump prints it */
    char name[32];   /* the mnemonic in manuals: AT&T's "addq" is "add";
                        AArch64's B with a condition is "b.ne" */
};

/* An operand of an instruction. */
struct disasm_operand {
    enum disasm_kind {
        DISASM_REGISTER,
        DISASM_IMMEDIATE,
        DISASM_MEMORY,
        DISASM_TARGET /* of a jump or call, unless it is in memory */
    } kind;
    unsigned bits;        /* width of a register; 0: one of x87 */
    bool is_simd;         /* AArch64: a register for SIMD and floating point */
    const char *base;     /* base of an address, or the register; NULL: none */
    const char *index;    /* index of an address; NULL: none */
    unsigned scale;       /* factor of the index */
    int64_t displacement; /* added to an address */
    unsigned bytes; /* x86-64: of the code, for an immediate, a target or a
                       displacement; 0: there are none */
};
#define DISASM_MOST_OPERANDS 8

/* Makes a disassembler for an architecture of static.db; NULL: not known. */
struct disasm *disasm_new(const char *arch);

/* Accepts NULL. */
void disasm_free(struct disasm *disasm);

/* Sets the syntax, which is AT&T's by default. */
void disasm_set_syntax(struct disasm *disasm, enum disasm_syntax syntax);

/* The instruction at the beginning of n > 0 bytes, which is at `address`.
   Bytes that begin no instruction are returned as one of the least length, 1 on
   x86-64 and 4 on AArch64, with the text "(bad)". */
void disasm_insn(struct disasm *disasm, const uint8_t *code, size_t n,
                 uint64_t address, struct disasm_insn *insn);

/* The length of that instruction; 0: the bytes begin none.  Quicker, since
   instructions that begin alike are decoded once. */
unsigned disasm_length(struct disasm *disasm, const uint8_t *code, size_t n);

/* Lists the operands of an instruction as its text has them, on x86-64 in
   AT&T's order, at most DISASM_MOST_OPERANDS.  Returns how many. */
unsigned disasm_operands(struct disasm *disasm, const uint8_t *code, size_t n,
                         struct disasm_operand *operands);
