/*
 * cc_disasm: machine code as text.  The one door to capstone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_DISASM_H
#define COVERAGE_CC_DISASM_H

#include <stddef.h>
#include <stdint.h>

struct cc_disasm;

struct cc_insn {
    unsigned length; /* in bytes, at least 1 */
    char text[192];  /* AT&T syntax, as objdump prints it */
};

/* For an architecture as static.db names it; NULL if it is not known. */
struct cc_disasm *cc_disasm_new(const char *arch);

/* NULL is fine. */
void cc_disasm_free(struct cc_disasm *disasm);

/* The instruction at the beginning of n > 0 bytes, which stands at `address`.
   What is none is one byte long, and its text is "(bad)". */
void cc_disasm_insn(struct cc_disasm *disasm, const uint8_t *code, size_t n,
                    uint64_t address, struct cc_insn *insn);

#endif
