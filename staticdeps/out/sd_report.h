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
 * than 0 are printed if they are known.
 * A pair is listed in the function of its load; `from FUNCTION` names the
 * function of its store if that is another, and `of FILE` its file.
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
#ifndef SD_REPORT_H
#define SD_REPORT_H

#include <stdio.h>

#include "flow/sd_program.h"
#include "out/sd_db.h"

enum sd_format {
    SD_FORMAT_NONE,
    SD_FORMAT_TEXT,
    SD_FORMAT_JSON,
    SD_FORMAT_DEP
};

/* A pair as two addresses; src_name is the path of the object of src. */
struct sd_report_pair {
    const char *src_name;
    uint64_t src, dst;
};

struct sd_report {
    enum sd_format format;
    FILE *out;
    struct sd_decoder *decoder; /* for the listings; the caller's */
    enum disasm_syntax syntax;  /* of the listings */
    bool has_functions;         /* instead of blocks */
    bool has_names;             /* addresses are preceded by names */
    bool has_lines;             /* of --hex: lines instead of objects */
    bool has_object, has_block; /* has one been printed in this list? */

    /* For addresses: the current object, and its pairs that are not printed
       yet. */
    char *path;
    struct sd_report_pair *pairs;
    size_t n_pairs, pairs_room;
};

/* A loop that contains both ends of a pair. */
struct sd_level {
    uint64_t header;
    int64_t block;  /* the header's number in the database */
    int32_t rounds; /* from the store to the load */
};

/* A pair that walks found. */
struct sd_found {
    struct sd_db_pair pair;
    uint32_t src_routine, dst_routine; /* SD_NO_ROUTINE: none */
    size_t src_object, object;         /* numbers; `object` is that of dst */
    const char *src_path;              /* NULL: the object of dst */
    bool has_loop;
    uint64_t loop;           /* the header of the re-entered loop */
    uint32_t n_levels;       /* of its distance vector; 0: none */
    struct sd_level *levels; /* the outermost first */
};

/* Prints a name from a file as text.  For sd_report's own files. */
void sd_report_escaped(FILE *out, const char *text);

void sd_report_begin(struct sd_report *report);
void sd_report_object(struct sd_report *report, const char *path,
                      const char *build_id, const char *arch);
void sd_report_block(struct sd_report *report, const struct sd_block *block,
                     const uint8_t *insns, enum sd_status status,
                     const struct sd_db_dep *deps, size_t n_deps);
/* Prints the pairs of an object, which are sorted by the routines of their
   loads. */
void sd_report_found(struct sd_report *report,
                     const struct sd_routine *routines,
                     const struct sd_found *found, size_t n);
void sd_report_end(struct sd_report *report);

/* Frees the report, but not its stream. */
void sd_report_fini(struct sd_report *report);

/* For sd_report's own files: these print addresses. */
void sd_report_dep_object(struct sd_report *report, const char *path);
void sd_report_dep_block(struct sd_report *report, const struct sd_block *block,
                         const struct sd_db_dep *deps, size_t n_deps);
void sd_report_dep_found(struct sd_report *report, const struct sd_found *found,
                         size_t n);
void sd_report_dep_end(struct sd_report *report);

#endif
