/*
 * disasm: machine code as text.  The one door to capstone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_OBJECT_DISASM_H
#define COMMON_OBJECT_DISASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disasm;

/* How instructions of x86-64 are written; of others there is one way. */
enum disasm_syntax { DISASM_ATT, DISASM_INTEL };
#define DISASM_SYNTAXES "att or intel"

/* False if it is no syntax's name. */
bool disasm_syntax_parse(const char *name, enum disasm_syntax *syntax);
const char *disasm_syntax_name(enum disasm_syntax syntax);

struct disasm_insn {
    unsigned length; /* in bytes, at least 1 */
    char text[192];  /* as objdump prints it */
    char name[32];   /* as manuals have it: AT&T's "addq" is "add" */
};

/* For an architecture as static.db names it; NULL if it is not known. */
struct disasm *disasm_new(const char *arch);

/* Accepts NULL. */
void disasm_free(struct disasm *disasm);

/* AT&T's until it is called. */
void disasm_set_syntax(struct disasm *disasm, enum disasm_syntax syntax);

/* The instruction at the beginning of n > 0 bytes, which is at `address`.
   What is no instruction is one byte long, and its text is "(bad)". */
void disasm_insn(struct disasm *disasm, const uint8_t *code, size_t n,
                 uint64_t address, struct disasm_insn *insn);

#endif
