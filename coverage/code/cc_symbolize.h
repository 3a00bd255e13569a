/*
 * cc_symbolize: the instruction at an address of an object, its function
 * and its source line, with the text of that line.
 *
 * The files of the objects are looked for where depsim saw them, then where
 * staticdeps did.  They and source files are opened when they are first needed.
 * The least recently used objects are closed: elfutils holds a file open for
 * each, and the system limits these.
 *
 * Limits: an object's file that is gone, or is another now, has no instructions
 * and no lines.  A source file that is missing, no regular file, larger than 16
 * MiB, or younger than the object has no text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "model/cc_data.h"
#include "binary/disasm.h"
#include "binary/objfile.h"

#define CC_MAX_FRAMES   16
#define CC_OPEN_OBJECTS 4 /* objects that stay open in any case */

struct cc_symbolizer;

struct cc_location {
    struct disasm_insn insn; /* length 0: unknown */
    const char *function;    /* from static.db, or else DWARF; NULL: unknown */
    uint64_t offset;         /* from the first block; 0 if static.db lacks it */
    /* The lines of the address: that of the innermost inlined function first,
       the function's own last; at least one, which may be empty. */
    struct source_frame frames[CC_MAX_FRAMES];
    size_t n_frames;
};

/* The data must have been matched, and outlive the symbolizer. */
struct cc_symbolizer *cc_symbolizer_new(const struct cc_data *data);

/* Sets the syntax of instructions from here on; AT&T's until it is called. */
void cc_symbolizer_set_syntax(struct cc_symbolizer *symbolizer,
                              enum disasm_syntax syntax);

/* Accepts NULL. */
void cc_symbolizer_free(struct cc_symbolizer *symbolizer);

/* Why an object has no instructions and lines; NULL if it has them. */
const char *cc_symbolizer_trouble(struct cc_symbolizer *symbolizer,
                                  uint32_t object);

/* Fills *at, whose texts live until CC_OPEN_OBJECTS others were asked about. */
void cc_symbolize(struct cc_symbolizer *symbolizer, uint32_t object,
                  uint64_t address, struct cc_location *at);

/* Only the innermost line, which is cheap; the text lives as cc_symbolize's. */
struct source_frame cc_symbolize_line(struct cc_symbolizer *symbolizer,
                                      uint32_t object, uint64_t address);

/* Only the instruction; its length is 0 if the instruction is unknown. */
void cc_symbolize_insn(struct cc_symbolizer *symbolizer, uint32_t object,
                       uint64_t address, struct disasm_insn *insn);

/* The name of a function that contains the block, and where the function
   starts; NULL if the block is outside any. */
const char *cc_symbolize_function(const struct cc_symbolizer *symbolizer,
                                  uint32_t block, uint64_t *start);

/* The text of a line of an object whose file is known, without its blanks at
   both ends; NULL if there is none.  Valid until the next call. */
const char *cc_symbolize_source(struct cc_symbolizer *symbolizer,
                                uint32_t object,
                                const struct source_frame *frame);
