/*
 * sd_analyse: one block of machine code -> its dependencies.
 *
 * A block that does not both load and store cannot have any.  It is not
 * run, and its accesses are not searched for unknown addresses.  One that is
 * far longer than any in real code is not analysed, nor one that asks for more
 * work than it may take.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ANALYSE_H
#define SD_ANALYSE_H

#include "elf/sd_arch.h"
#include "run/sd_splice.h"
#include "run/sd_exec.h"
#include "run/sd_origin.h"

/* Operations of a block.  A block of libgcrypt has 30,991, which were the most
   in a system. */
#define SD_MOST_OPS ((size_t)1 << 17)

/* What it costs beside the operations to run a block, in operations: to build
   its trace, to look whether it settles, to tell what was found. */
#define SD_WORK_OF_BLOCK 256

/* How far the analysis looks: what it takes to lie between two iterations of
   a block. */
enum sd_scope {
    SD_SCOPE_BLOCK, /* nothing */
    SD_SCOPE_LOOP,  /* its back path */
    /* Or how far the ends of a pair may be from each other. */
    SD_SCOPE_FUNCTION,
    SD_SCOPE_PROGRAM
};

static inline bool sd_scope_walks(enum sd_scope scope)
{
    return scope >= SD_SCOPE_FUNCTION;
}

struct sd_settings {
    enum sd_arch arch;
    uint32_t rob;     /* reorder-buffer size, in instructions */
    double threshold; /* in [0, 1] */
    uint32_t n_seeds;
    uint64_t seed;    /* the first */
    unsigned effort;  /* of walks, from 1 to 9 */
    unsigned without; /* rules of walks that are left out */
    double support;   /* of walks, in [0, 1] */
    enum sd_scope scope;
};

struct sd_code_block {
    const uint8_t *bytes;
    const uint8_t *insns; /* length and SD_NO_EFFECT of each instruction */
    uint32_t n_insns;
    uint64_t address;
    uint64_t salt; /* tells its random numbers from those of other blocks */
    struct sd_node *node; /* NULL: nothing comes between two iterations */
};

/* Of all blocks so far. */
struct sd_counts {
    uint64_t n_run; /* blocks with both loads and stores */
    uint64_t
        n_lengths_differ;   /* instructions that VEX sees longer or shorter */
    uint64_t n_by_operands; /* instructions that VEX does not know */
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
    struct sd_reroll reroll; /* .deps: those of the last block */
    struct sd_counts *counts;
    /* Of the last block, in the run of its first seed. */
    struct sd_unknown *unknowns;
    size_t n_unknowns, unknowns_room;
    struct sd_origin origin; /* .accesses: those of the last block */
};

void sd_analyser_init(struct sd_analyser *a, const struct sd_settings *s);
void sd_analyser_fini(struct sd_analyser *a);

/* Leaves no dependencies and no unknown addresses. */
void sd_analyser_clear(struct sd_analyser *a);

/* SD_OK: a->reroll.deps holds the dependencies.  Anything else: there are
   none, because some instruction could not be lifted, or the block is too long,
   or its work more than a->exec.most_work. */
enum sd_status sd_analyse(struct sd_analyser *a,
                          const struct sd_code_block *block);

#endif
