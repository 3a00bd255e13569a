/*
 * sd_analyse: finds the dependencies of one block of machine code.
 *
 * A block without loads, or without stores, cannot have dependencies: it is not
 * run, and unknown addresses in it are not counted.  A block is not analysed if
 * it is far longer than any in real code, or if it would take too much work.
 *
 * Two more runs, of two iterations each, find what addresses are computed from:
 * one has the same registers and other memory, and one has other registers.  An
 * address that other memory changes was computed from a loaded value.  The
 * amount by which an address changes identifies its base: two addresses differ
 * by a constant if they change by the same amount.
 *
 * Limits: only the first address of a site in the second iteration counts.  Two
 * addresses that change by the same amount by chance seem to have one base; the
 * probability is 2^-64.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "arch.h"
#include "block/sd_exec.h"
#include "block/sd_path.h"

/* The most operations of a block.  The longest block in a whole system had
   30,991, in libgcrypt. */
#define SD_MOST_OPS ((size_t)1 << 17)

/* What a block costs besides the operations that are run, in operations:
   building its trace, testing whether it settles, reporting its pairs. */
#define SD_WORK_OF_BLOCK 256

/* How far the analysis looks.  The first two scopes say what lies between two
   iterations of a block. */
enum sd_scope {
    SD_SCOPE_BLOCK, /* nothing lies between */
    SD_SCOPE_LOOP,  /* the back path of the block lies between */
    /* The other scopes say how far apart the ends of a pair may be. */
    SD_SCOPE_FUNCTION,
    SD_SCOPE_PROGRAM
};

/* The names of scopes, for command line and database; NULL ends the list. */
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
    unsigned effort;  /* effort of walks, from 1 to 9 */
    unsigned without; /* enum sd_rule: rules of walks that are off */
    double support;   /* the least support in walks, in [0, 1] */
    enum sd_scope scope;
    bool is_same; /* all registers and all memory begin with one number */
};

/* Sums over all blocks that were analysed up to now. */
struct sd_counts {
    uint64_t n_run;            /* blocks with both loads and stores */
    uint64_t n_lengths_differ; /* instructions of another length in VEX */
    uint64_t n_by_operands;    /* instructions that VEX does not know */
    uint64_t n_unknown_loads, n_unknown_stores;
    uint64_t n_unsupported[SD_N_OPERATIONS]; /* counts by VEX operation */
};

/* An instruction, by number, that accessed an unknown address. */
struct sd_unknown {
    uint32_t insn;
    uint16_t loads, stores; /* 1 or 0 */
};

/* An access of instruction number `insn` at a known address.  Most accesses
   have the base of the block's first access; these are left out, unless their
   address is computed from a loaded value. */
#define SD_FIRST_BASE 1
struct sd_access {
    uint32_t insn;
    uint8_t is_store, is_loaded; /* 1 or 0; is_loaded: from a loaded value */
    uint16_t base; /* number of the base; 0: unknown, because the access does
                      not always happen, or there are too many */
};

struct sd_origin {
    struct sd_probe *probes[3];
    size_t probes_room[3];
    struct sd_base {
        uint64_t by_memory, by_registers; /* what two runs add to an address */
    } * bases;
    size_t n_bases, bases_room;
    bool has_memory; /* does an address depend on a loaded value?  */
    struct sd_access *accesses;
    size_t n, room;
};

struct sd_analyser {
    struct sd_settings settings;
    struct sd_trace trace;
    struct sd_path path;
    struct sd_exec exec;
    struct sd_reroll reroll; /* .deps: those of the last block */
    struct sd_counts *counts;
    /* Unknown addresses of the last block, in the run of its first seed. */
    struct sd_unknown *unknowns;
    size_t n_unknowns, unknowns_room;
    struct sd_origin origin; /* .accesses: those of the last block */
};

void sd_analyser_init(struct sd_analyser *a, const struct sd_settings *s);
void sd_analyser_fini(struct sd_analyser *a);

/* Analyses a block.  If the result is SD_OK, a->reroll.deps holds its
   dependencies.  Otherwise it holds none, because the block is not OK itself,
   an instruction could not be lifted, the block is too long, or its work
   exceeds a->exec.most_work.  Nothing lies between two iterations of a block
   without a node. */
enum sd_status sd_analyse(struct sd_analyser *a, const struct sd_blocks *blocks,
                          const struct sd_block *block);
