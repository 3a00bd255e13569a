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

#include "program/sd_program.h"
#include "block/sd_steady.h"
#include "interpret/sd_memory.h"

/* sd_reroll: turns the pairs of an unrolled block into dependencies: (src, dst,
   delta_k, support).

   A pair found in iteration k of its reader counts once for that iteration.
   The support of a pair is its count, divided by the number of iterations in
   which both ends exist: K - delta_k of K iterations. */

/* Instructions are numbered from 0 within their block. */
struct sd_dep {
    uint32_t src, dst;
    uint32_t delta_k;
    double support; /* in [0, 1] */
    struct sd_overlap overlap;
};

struct sd_pair {
    uint32_t src, dst, delta_k;
    uint32_t count; /* iterations of dst that show the pair */
    uint32_t last;  /* the last iteration of dst that shows the pair */
    struct sd_overlap overlap;
};

/* A structure of zeros is empty. */
struct sd_reroll {
    struct keys keys;      /* keys of the pairs of the current run */
    struct sd_pair *pairs; /* indexed by the number of the key */
    size_t room;
    struct sd_dep *deps; /* dependencies that all runs up to now keep */
    size_t n_deps, deps_room;
    bool is_later; /* a run has ended */
};

void sd_reroll_fini(struct sd_reroll *reroll);

/* Begins a block: removes the dependencies of the last one. */
void sd_reroll_begin(struct sd_reroll *reroll);

/* Adds that iteration `k` of dst read what iteration k - delta_k of src wrote.
   Within a run, the iterations of a dst must come in order. */
void sd_reroll_add(struct sd_reroll *reroll, uint32_t src, uint32_t dst,
                   uint32_t delta_k, uint32_t k, struct sd_overlap overlap);

/* Counts the pairs of iteration `last` also for all later iterations up to
   `n_iterations`. */
void sd_reroll_repeat(struct sd_reroll *reroll, uint32_t last,
                      uint32_t n_iterations);

/* Ends a run of `n_iterations`: keeps the dependencies whose support reaches
   the threshold in this run and all before.  The support of a dependency is its
   smallest in all runs, and its overlap joins those of all runs.  The
   dependencies are sorted by src, dst and delta_k. */
void sd_reroll_end_run(struct sd_reroll *reroll, uint32_t n_iterations,
                       double threshold);

/* sd_path: the back path of a block, from its end to its next start, which is
   appended to its trace.

   If the block can follow itself, nothing is appended; otherwise, the path with
   the fewest blocks is appended; of several such paths, the one that falls
   through earliest.  The path stays in the innermost loop around the block.  If
   the block is in no loop, the path leads to the nearest return, and from the
   function's start, as if it were called again, to the block.

   On the path, registers become unknown if a callee may change them, or if a
   loop on the path writes them, because its number of iterations is unknown.
   Only the last iteration of such a loop is run, as far as it is on the path;
   the stack pointer is assumed to be the same after each iteration.  If there
   is no path, or the path cannot be run, all registers become unknown.

   Limits: the search covers the 16,384 nearest blocks of the loop or function.
 */

struct sd_step {
    struct sd_node *node; /* NULL: the function returns and is called again */
    uint32_t inner; /* the loop entered here that lacks the block; 0: none */
};

/* A search through the blocks of a graph. */
struct sd_search {
    uint64_t graph;       /* the graph's serial number */
    struct sd_node *from; /* the block where the search began */
    uint32_t number;
    struct sd_trail *trails; /* indexed by a block's number */
    struct sd_node **queue;
    size_t trails_room, queue_room;
};

struct sd_path {
    enum arch arch;
    const struct sd_initial *initial;
    struct sd_abi abi;
    uint32_t limit;   /* the most instructions of a path that is appended */
    uint32_t longest; /* the most blocks of a part of the path */

    struct sd_step *steps;
    size_t n_steps, steps_room;
    struct sd_search search;
    struct sd_search entry; /* the last search from a function's entry, for all
                               blocks of that function */
};

void sd_path_init(struct sd_path *path, enum arch arch, uint32_t limit);
void sd_path_fini(struct sd_path *path);

/* Finds the blocks between the end of `node` and its next start.  False if
   there is no path back. */
bool sd_path_find(struct sd_path *path, struct sd_node *node);

/* Appends the back path of `node` to the trace of its block. */
void sd_path_append(struct sd_path *path, struct sd_trace *trace,
                    struct sd_node *node);

/* sd_exec: runs a block's trace many times on shadow registers and shadow
   memory, and records each read-after-write pair.

   Limits: an access at an address that is bottom is skipped, and its site is
   counted.  A skipped store leaves memory as it was, although it may write any
   byte.

   A rep instruction with a known count of at most 1,024 executes that many
   elements; any other executes one element.  Elements count as instructions, so
   they shorten a run, but to no less than two iterations.  After 65,536
   elements, each rep instruction executes one element.

   Nothing on the back path is recorded: its loads make no dependencies, and the
   bytes that it writes have no writer.  Before the first iteration, one that is
   not recorded and the back path are run, so that the first iteration finds
   what later ones find.

   As soon as sd_steady says that all further iterations only repeat the pairs
   of the last one, the run ends, and the pairs of the further ones are counted.

   A probe runs two iterations without recording, and notes the address of each
   site in the second one, for sd_analyse.

   The work of a run is the number of operations that it executes, plus the
   number of granules that accesses touch beyond their first one; granules of a
   large access count less.

   Runs begin with random numbers in registers and memory or, as in harnesses
   that measure single blocks, with SD_SAME in general registers and in each 8
   bytes of memory.

   An iteration costs one indirect jump for each operation, and one look-up in
   memory for each access (two if it straddles granules). */

/* A writer is a site and the time of its store.  Both share 32 bits, so that a
   granule with its eight writers fits one cache line: the lower bits are the
   site, as many as the largest site needs. */

/* The number of bits that sites up to `last` need. */
static inline unsigned sd_site_bits(uint32_t last)
{
    return last == 0 ? 0 : 32 - (unsigned)__builtin_clz(last);
}

static inline uint32_t sd_writer(unsigned site_bits, uint32_t site,
                                 uint32_t time)
{
    assert(site != 0 && site >> site_bits == 0);
    return time << site_bits | site;
}

static inline uint32_t sd_writer_site(unsigned site_bits, uint32_t writer)
{
    return writer & ((UINT32_C(1) << site_bits) - 1);
}

static inline uint32_t sd_writer_time(unsigned site_bits, uint32_t writer)
{
    return writer >> site_bits;
}

/* The first address that a site loaded from, or stored to. */
struct sd_probe {
    uint64_t address;
    bool has_happened; /* the access happened, at a known address */
};

struct sd_exec {
    struct sd_memory memory;
    struct sd_value registers[SD_N_WORDS];
    const struct sd_initial *initial; /* values; UINT_MAX ends them */
    struct sd_steady steady;
    bool is_same; /* memory and the registers in `same` begin as SD_SAME */
    struct sd_regset same;
    bool never_settles; /* all iterations are run */
    bool never_joins;   /* for tests: runs elements one by one */
    uint64_t n_rounds;  /* iterations run up to now */
    uint64_t n_steps;   /* operations of rep instructions, and granules */
    uint64_t work;      /* work of the last block, as defined above */
    uint64_t most_work; /* with more work, a run gives up */
    uint8_t *did;       /* by site: SD_UNKNOWN_LOAD and others */
    size_t did_room;
    struct sd_bytes *stored; /* by iteration and site: the site's last store */
    size_t stored_room;
    uint32_t reading[SD_MOST_OVERLAP]; /* the writers of a load in parts */
};

void sd_exec_init(struct sd_exec *exec, const struct sd_initial *initial);
void sd_exec_fini(struct sd_exec *exec);

/* Runs `n_iterations`, or fewer if rep instructions make them long, from random
   contents chosen by `key`.  Returns the number of iterations, or 0 if `work`
   exceeded `most_work`.  `exec->did` tells what each site did.  Unless `probes`
   is NULL, probes[2 * site], zeroed before, is set to the load of the second
   iteration, and probes[2 * site + 1] to the store. */
uint32_t sd_exec_run(struct sd_exec *exec, struct sd_trace *trace, uint64_t key,
                     uint32_t n_iterations, struct sd_reroll *reroll,
                     struct sd_probe *probes);

/* Runs two iterations only to set `probes`.  `key` chooses the registers, and
   `memory_key` the contents of memory.  What sites did is undefined
   afterwards. */
void sd_exec_probe(struct sd_exec *exec, struct sd_trace *trace, uint64_t key,
                   uint64_t memory_key, struct sd_probe *probes);

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
    struct sd_reroll reroll; /* its deps are those of the last block */
    struct sd_counts *counts;
    /* Unknown addresses of the last block, in the run of its first seed. */
    struct sd_unknown *unknowns;
    size_t n_unknowns, unknowns_room;
    struct sd_origin origin; /* its accesses are those of the last block */
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
