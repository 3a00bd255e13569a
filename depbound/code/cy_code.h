/*
 * cy_code: the instructions of blocks, with their text, flow and source line.
 *
 * A file is opened when it is first needed, and only if its build-id is that of
 * the analysed file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "lift/flow.h"
#include "model/cy_data.h"
#include "binary/disasm.h"

struct cy_code_insn {
    enum arch arch;
    uint64_t address;
    uint8_t length;
    uint8_t bytes[15];
    char text[192];  /* AT&T syntax, as objdump prints it */
    char shown[192]; /* text in the syntax of the reports */
    char name[32];   /* the manual's name: AT&T's "addq" is "add" */
    unsigned n_operands;
    struct disasm_operand operands[DISASM_MOST_OPERANDS];
    struct flow flow;
};

/* The word of the upper half of a vector register of which an instruction
   writes the lower half, needing neither; FLOW_WORDS for other instructions.
   The flow waits for the upper half, and writes it, since a processor has the
   whole register as one result; VEX often writes the lower half alone. */
unsigned cy_insn_upper(const struct cy_code_insn *insn);

struct cy_code;

struct cy_code *cy_code_new(const struct cy_data *data,
                            enum disasm_syntax syntax);
void cy_code_free(struct cy_code *code);

/* Appends the instructions of a block to an array; -1 with *d set if its code
   cannot be read. */
int cy_code_block(struct cy_code *code, const struct cy_block *block,
                  struct cy_code_insn **insns, size_t *n, size_t *room,
                  struct diag *d);

/* The n > 0 bytes of code at an address, which live as long as `code`; NULL:
   they cannot be read. */
const uint8_t *cy_code_bytes(struct cy_code *code, uint32_t object,
                             uint64_t address, size_t n);

/* The length of the instruction at an address, and its bytes; 0 if they cannot
   be read, or are none. */
unsigned cy_code_length(struct cy_code *code, uint32_t object, uint64_t address,
                        const uint8_t **bytes);

/* Decodes the instruction at an address, with its flow and operands; -1 with *d
   set if its code cannot be read. */
int cy_code_at(struct cy_code *code, uint32_t object, uint64_t address,
               struct cy_code_insn *insn, struct diag *d);

/* Finds the flow of the last instruction of a block; -1 with *d set if its code
   cannot be read. */
int cy_code_last(struct cy_code *code, const struct cy_block *block,
                 struct flow *flow, struct diag *d);

/* The registers that the function called by an instruction may overwrite before
   it returns, except the stack pointer. */
struct flow_sources cy_code_overwritten(struct cy_code *code, uint32_t object,
                                        const struct cy_code_insn *call);

/* The source line of an address, as "FILE:LINE" without the file's directory;
   empty if it is not known.  A line in a system header is in brackets, after
   the line of the user's file into which it was inlined. */
struct cy_line {
    char text[512];
};
struct cy_line cy_code_line(const struct cy_code *code, uint32_t object,
                            uint64_t address);

/* The functions that were inlined at an address, the outermost first, each with
   its line: "main a.c:20 > add a.h:5", made safe for terminals; NULL if none
   was inlined.  The caller frees the text. */
char *cy_code_inlined(struct cy_code *code, uint32_t object, uint64_t address);

/* What is wrong with the debug information of an open file, as the end of a
   message, made safe for terminals; NULL if nothing is, or if the file has no
   debug information.  The caller frees the text. */
char *cy_code_unread(const struct cy_code *code, uint32_t object);

/* The path of the source file of an address, absolute if possible, and the line
   in *line; NULL if they are not known.  The caller frees the path. */
char *cy_code_where(struct cy_code *code, uint32_t object, uint64_t address,
                    int *line);

/* Is the first of n instructions of a source file that `source`, a pattern of
   the shell, matches: the path if the pattern has a slash, else the name?  Of
   "PATTERN:LINE", is any of them of this line of such a file? */
bool cy_code_matches(struct cy_code *code, uint32_t object,
                     const struct cy_code_insn *insns, size_t n,
                     const char *source);

/* The text of the source line of an address, without leading blanks; NULL if
   the source cannot be read, or is newer than the object.  Valid until the next
   call. */
const char *cy_code_source(struct cy_code *code, uint32_t object,
                           uint64_t address);

/* The variable through which a store and a load pass a value, such as
   "state.acc", made safe for terminals; NULL if it is not certain.  The caller
   frees the text. */
char *cy_code_variable(struct cy_code *code, uint32_t store_object,
                       uint64_t store, uint32_t load_object, uint64_t load);

/* The variable that an instruction stores to, or loads from, in the same way.
 */
char *cy_code_accessed(struct cy_code *code, uint32_t object, uint64_t address,
                       bool is_store);

/* Finds the left side of the assignment that the store at an address belongs
   to, such as "a[i][j]".  Returns false if it cannot be found. */
bool cy_code_assigned(struct cy_code *code, uint32_t object, uint64_t address,
                      char *text, size_t size);

/* Finds the left side of the assignment whose "=" is at a column, from 1, of a
   source line.  Returns false if there is none. */
bool cy_assigned(const char *line, int column, char *text, size_t size);
