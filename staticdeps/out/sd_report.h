/*
 * sd_report: prints dependencies as text, JSON or addresses.
 *
 *     FILE (build-id BUILD_ID)
 *       FUNCTION 0xSTART-0xEND: N instructions
 *         the listing
 *         0xSRC -> 0xDST  delta_k K  support P %  RELATION at OFFSET
 *
 * A listing is the block's disassembly with a column for each dependency:
 *
 *     delta_k  0 1
 *     401000   o |  movq %rax, (%rdi)
 *     401003   > >  movq (%rdi), %rbx
 *     401006     o  movq %rbx, (%rsi)
 *
 * o writes, > reads, @ does both.  An arrow that leaves at the bottom enters
 * again at the top, delta_k iterations later.
 *
 * Blocks without dependencies are shown if their status is not "ok".
 *
 * With the scopes function and program, functions are listed instead of blocks:
 *
 *       FUNCTION 0xSTART-0xEND
 *         0xSRC -> 0xDST  SCOPE  distance N  delta_k K  loop 0xL  support P %
 *             RELATION at OFFSET, in the same line
 *
 * delta_k, the header of the re-entered loop, the relation and an offset other
 * than 0 are printed if they are known.  A pair is listed in the function of
 * its load; if its store is in another function, `from FUNCTION` names that
 * function, and `of FILE` the file if that is another, too.
 *
 * The format of addresses, in hexadecimal, for all scopes:
 *
 *     # store load
 *     # FILE (build-id BUILD_ID)
 *     SRC DST
 *
 * Each pair is printed once, without delta_k, sorted by object, store and load.
 * If there may be several objects, an address is FILE:ADDRESS, and with --hex
 * it is LINE:ADDRESS.  A line has two fields, or begins with #.
 *
 * Names come from files, so they may contain any byte: text escapes control
 * characters and passes on the others; JSON is always UTF-8; in a name before
 * an address, blanks, # and \ are escaped, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "binary/disasm.h"
#include "out/sd_db.h"

enum sd_format {
    SD_FORMAT_NONE,
    SD_FORMAT_TEXT,
    SD_FORMAT_JSON,
    SD_FORMAT_DEP
};

struct sd_report {
    enum sd_format format;
    FILE *out;
    enum disasm_syntax syntax; /* for listings */
    struct disasm *disasm;     /* for listings; NULL: none printed yet */
    const char *arch;          /* of the current object, from arch_name() */
    bool has_functions;        /* functions are listed instead of blocks */
    bool has_names;            /* addresses are preceded by names */
    bool has_lines;            /* --hex: input lines are printed, not objects */
    bool has_object, has_block; /* printed before, so a comma must follow */

    /* For SD_FORMAT_DEP: the path of the current object, and its pairs that are
       not printed yet. */
    char *path;
    struct sd_report_line *lines;
    size_t n_lines, lines_room;
};

void sd_report_begin(struct sd_report *report);
void sd_report_object(struct sd_report *report, const char *path,
                      const char *build_id, const char *arch);
void sd_report_block(struct sd_report *report, const struct sd_block *block,
                     const uint8_t *insns, enum sd_status status,
                     const struct sd_predicted *pairs, size_t n);
/* Prints the n pairs of an object, which must be sorted by the routines of
   their loads. */
void sd_report_functions(struct sd_report *report,
                         const struct sd_routine *routines,
                         const struct sd_predicted *pairs, size_t n);
void sd_report_end(struct sd_report *report);

/* Frees the report, but not its stream. */
void sd_report_fini(struct sd_report *report);
