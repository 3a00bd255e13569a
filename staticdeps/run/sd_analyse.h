/*
 * sd_analyse: finds the dependencies of one block of machine code.
 *
 * A block without loads, or without stores, cannot have any: it is not run, and
 * unknown addresses in it are not counted.  A block is not analysed if it is
 * far longer than any in real code, or would take more work than it may.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ANALYSE_H
#define SD_ANALYSE_H

#include "arch.h"
#include "run/sd_splice.h"
#include "run/sd_exec.h"
#include "run/sd_origin.h"

/* The most operations of a block.  The longest block in a whole system had
   30,991, in libgcrypt. */
#define SD_MOST_OPS ((size_t)1 << 17)

/* What a block costs besides the operations that are run, in operations:
   building its trace, testing whether it settles, reporting its pairs. */
#define SD_WORK_OF_BLOCK 256

/* How far the analysis looks.  For the first two scopes, this is what lies
   between two iterations of a block. */
enum sd_scope {
    SD_SCOPE_BLOCK, /* nothing */
    SD_SCOPE_LOOP,  /* its back path */
    /* For the others, it is how far apart the ends of a pair may be. */
    SD_SCOPE_FUNCTION,
    SD_SCOPE_PROGRAM
};

/* The words of the command line and the database; NULL ends them. */
extern const char *const sd_scope_names[];

static inline bool sd_scope_walks(enum sd_scope scope)
{
    return scope >= SD_SCOPE_FUNCTION;
}

struct sd_settings {
    enum arch arch;
    uint32_t rob;     /* reorder-buffer size, in instructions */
    double threshold; /* in [0, 1] */
    uint32_t n_seeds;
    uint64_t seed;    /* the first */
    unsigned effort;  /* of walks, from 1 to 9 */
    unsigned without; /* the rules of walks that are off */
    double support;   /* of walks, in [0, 1] */
    enum sd_scope scope;
    bool is_same; /* all registers and all memory begin with one number */
};

struct sd_code_block {
    const uint8_t *bytes;
    const uint8_t *insns; /* length and SD_NO_EFFECT of each instruction */
    uint32_t n_insns;
    uint64_t address;
    uint64_t salt; /* makes its random numbers differ from other blocks' */
    struct sd_node *node; /* NULL: nothing lies between two iterations */
};

/* Sums over all blocks up to now. */
struct sd_counts {
    uint64_t n_run;            /* blocks with both loads and stores */
    uint64_t n_lengths_differ; /* instructions of another length in VEX */
    uint64_t n_by_operands;    /* instructions that VEX does not know */
    uint64_t n_unknown_loads, n_unknown_stores;
    uint64_t n_unsupported[SD_N_OPERATIONS]; /* by VEX operation */
};

/* An instruction, by number, that accessed an unknown address. */
struct sd_unknown {
    uint32_t insn;
    uint16_t loads, stores; /* 1 or 0 */
};

struct sd_analyser {
    struct sd_settings settings;
    struct sd_trace trace;
    struct sd_splice splice;
    struct sd_exec exec;
    struct sd_reroll reroll; /* .deps: of the last block */
    struct sd_counts *counts;
    /* Unknown addresses of the last block, in the run of its first seed. */
    struct sd_unknown *unknowns;
    size_t n_unknowns, unknowns_room;
    struct sd_origin origin; /* .accesses: of the last block */
};

void sd_analyser_init(struct sd_analyser *a, const struct sd_settings *s);
void sd_analyser_fini(struct sd_analyser *a);

/* Empties the results of the last block. */
void sd_analyser_clear(struct sd_analyser *a);

/* Analyses a block.  If the result is SD_OK, a->reroll.deps holds its
   dependencies.  Otherwise there are none, because an instruction could not be
   lifted, the block is too long, or its work exceeds a->exec.most_work. */
enum sd_status sd_analyse(struct sd_analyser *a,
                          const struct sd_code_block *block);

#endif
