/*
 * sd_report: the dependencies as text or JSON, or as addresses.
 *
 *     FILE (build-id BUILD_ID)
 *       FUNCTION 0xSTART-0xEND: N instructions
 *         the listing
 *         0xSRC -> 0xDST  delta_k K  support P %
 *
 * A listing is the block's disassembly with a column for each dependency:
 *
 *     delta_k  0 1
 *     401000   o |  movq %rax, (%rdi)
 *     401003   > >  movq (%rdi), %rbx
 *     401006     o  movq %rbx, (%rsi)
 *
 * o writes, > reads, @ does both.  An arrow that leaves at the bottom comes in
 * again at the top, delta_k iterations later.
 *
 * Blocks without dependencies are shown if their status is not "ok".
 *
 * With the scopes beyond the loop there are functions in place of blocks:
 *
 *       FUNCTION 0xSTART-0xEND
 *         0xSRC -> 0xDST  SCOPE  distance N  delta_k K  loop 0xL  support P %
 *
 * delta_k and the header of the loop that was re-entered are there if they are
 * known.  A pair belongs to the function of its load; `from FUNCTION` names
 * that of its store if it is another, and `of FILE` its file.
 *
 * As addresses, in hexadecimal, whatever the scope:
 *
 *     # store load
 *     # FILE (build-id BUILD_ID)
 *     SRC DST
 *
 * Each pair is there once, whatever its delta_k; they are sorted by object, and
 * then by store and load.  If there may be several objects, each address is
 * FILE:ADDRESS, and of --hex LINE:ADDRESS.  A line has two fields, or begins
 * with #.
 *
 * Names come from files, and so may hold any byte: the text escapes control
 * characters and passes on the others; JSON is UTF-8 throughout; of a name
 * before an address, blanks, # and \ are escaped, too.
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
    enum disasm_syntax syntax;  /* of them */
    bool has_functions;         /* in place of blocks */
    bool has_names;             /* before addresses, since they are needed */
    bool has_lines;             /* of --hex, in place of objects */
    bool has_object, has_block; /* has one been printed in this list? */

    /* As addresses: the current object, and what is not yet printed of it. */
    char *path;
    struct sd_report_pair *pairs;
    size_t n_pairs, pairs_room;
};

/* A loop that holds both ends of a pair. */
struct sd_level {
    uint64_t header;
    int64_t block;  /* the header's number in the database */
    int32_t rounds; /* from the store to the load */
};

/* A pair that walks found. */
struct sd_found {
    struct sd_db_pair pair;
    uint32_t src_routine, dst_routine; /* SD_NO_ROUTINE: none */
    size_t src_object, object;         /* numbers; the latter of dst */
    const char *src_path;              /* NULL: the object of dst */
    bool has_loop;
    uint64_t loop;     /* that was re-entered: the address of its header */
    uint32_t n_levels; /* of its distance vector; 0: it has none */
    struct sd_level *levels; /* the outermost first */
};

/* A name from a file, as text.  Of use to sd_report's own files. */
void sd_report_escaped(FILE *out, const char *text);

void sd_report_begin(struct sd_report *report);
void sd_report_object(struct sd_report *report, const char *path,
                      const char *build_id, const char *arch);
void sd_report_block(struct sd_report *report, const struct sd_block *block,
                     const uint8_t *insns, enum sd_status status,
                     const struct sd_db_dep *deps, size_t n_deps);
/* The pairs of an object, sorted by the routines of their loads. */
void sd_report_found(struct sd_report *report,
                     const struct sd_routine *routines,
                     const struct sd_found *found, size_t n);
void sd_report_end(struct sd_report *report);

/* Frees what it holds, but not the stream. */
void sd_report_fini(struct sd_report *report);

/* Of use to sd_report's own files: the same as addresses. */
void sd_report_dep_object(struct sd_report *report, const char *path,
                          const char *build_id);
void sd_report_dep_block(struct sd_report *report, const struct sd_block *block,
                         const struct sd_db_dep *deps, size_t n_deps);
void sd_report_dep_found(struct sd_report *report, const struct sd_found *found,
                         size_t n);
void sd_report_dep_end(struct sd_report *report);

#endif
