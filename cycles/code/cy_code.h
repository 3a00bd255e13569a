/*
 * cy_code: the instructions of blocks, with their text, flow and source line.
 *
 * Files are opened when they are first needed, and only the file that was
 * analysed is: one of the same path with another build-id is not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_CODE_H
#define CY_CODE_H

#include "diag.h"
#include "lift/cy_flow.h"
#include "model/cy_data.h"
#include "object/disasm.h"

struct cy_code_insn {
    uint64_t address;
    uint8_t length;
    uint8_t bytes[15];
    char text[192];  /* AT&T syntax, as objdump prints it */
    char shown[192]; /* the same in the syntax of the reports */
    char name[32];   /* as manuals have it: AT&T's "addq" is "add" */
    struct cy_flow flow;
};

struct cy_code;

struct cy_code *cy_code_new(const struct cy_data *data,
                            enum disasm_syntax syntax);
void cy_code_free(struct cy_code *code);

/* Appends the instructions of a block to an array; 0 if it was done. */
int cy_code_block(struct cy_code *code, const struct cy_block *block,
                  struct cy_code_insn **insns, size_t *n, size_t *room,
                  struct diag *d);

/* Decodes the last instruction of a block. */
int cy_code_last(struct cy_code *code, const struct cy_block *block,
                 struct cy_code_insn *insn, struct diag *d);

/* A source line, as "FILE:LINE" with the file's last part; empty if there is
   none. */
void cy_code_line(struct cy_code *code, uint32_t object, uint64_t address,
                  char *text, size_t size);

/* The text of that line, without blanks at its beginning; NULL if the source
   cannot be read, or is younger than the object.  Valid until the next call. */
const char *cy_code_source(struct cy_code *code, uint32_t object,
                           uint64_t address);

/* What the assignment stores to that a store at an address is of, as the source
   has it, such as "a[i][j]"; false if that cannot be told. */
bool cy_code_assigned(struct cy_code *code, uint32_t object, uint64_t address,
                      char *text, size_t size);

/* The place that a source line assigns, by the column of its "=" from 1. */
bool cy_assigned(const char *line, int column, char *text, size_t size);

#endif
