/*
 * sd_exec: runs a block's trace again and again over shadow registers and
 * shadow memory, and hands every read-after-write pair to a recorder.
 *
 * An access at an address that is bottom does not happen; its site is counted.
 * So a store there leaves memory as it was, although it may have hit any byte.
 *
 * A rep instruction with a known count of at most 1,024 happens that often; any
 * other takes one element.  Elements are instructions, so they shorten a run,
 * but not to less than two iterations.  When they add up to 65,536, each rep
 * instruction takes one from then on.
 *
 * Nothing on the back path is recorded: its loads make no dependencies, and the
 * bytes that it writes have no writer.  It also comes before the first
 * iteration, after another iteration that is not recorded either, so that the
 * first one finds what the others find.
 *
 * As soon as sd_steady says that all further iterations only repeat the pairs
 * of the last one, these are counted and not run.
 *
 * A probe runs two iterations that are not recorded and notes the address of
 * each site in the second, for sd_origin.
 *
 * The work of a run is the number of operations that it executes, and of the
 * granules beyond the first that each of them touches; many at once count less.
 *
 * The cost of an iteration is one indirect jump for each operation, and for
 * each access one look-up in the shadow memory (two if it straddles).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_EXEC_H
#define SD_EXEC_H

#include "run/sd_trace.h"
#include "run/sd_reroll.h"
#include "run/sd_shadow.h"
#include "run/sd_steady.h"

/* What a site did: at an address that is bottom; and did it load a byte that
   has a writer? */
enum { SD_UNKNOWN_LOAD = 1, SD_UNKNOWN_STORE = 2, SD_IS_WRITTEN = 4 };

/* The first address that a site loaded from, or stored to. */
struct sd_probe {
    uint64_t address;
    bool has_happened; /* and the address was known */
};

struct sd_exec {
    struct sd_shadow shadow;
    struct sd_value registers[SD_N_WORDS];
    const struct sd_initial *initial; /* ends with offset UINT_MAX */
    struct sd_steady steady;
    bool never_settles; /* for tests: all iterations are run; */
    bool never_joins;   /* all elements of rep instructions are, one by one */
    uint64_t n_rounds;  /* iterations run so far, */
    uint64_t n_steps;   /* and operations of rep instructions, or granules */
    uint64_t work;      /* of the last block, see above, */
    uint64_t most_work; /* and when a run gives up */
    uint8_t *did;       /* by site: the flags above */
    size_t did_room;
    uint64_t unknown_loads, unknown_stores; /* sites of this trace */
};

void sd_exec_init(struct sd_exec *exec, const struct sd_initial *initial);
void sd_exec_fini(struct sd_exec *exec);

/* Runs `n_iterations` from random contents that `key` decides, or fewer if they
   are long; returns how many, or 0 if it gave up, since `work` is more than
   `most_work`.  The unknown addresses of the last run are left in `exec`.
   Unless they are NULL, probes[2 * site] gets the load of the second iteration,
   and probes[2 * site + 1] the store. */
uint32_t sd_exec_run(struct sd_exec *exec, struct sd_trace *trace, uint64_t key,
                     uint32_t n_iterations, struct sd_reroll *reroll,
                     struct sd_probe *probes);

/* Runs two iterations for the probes alone.  The registers begin as with `key`,
   what memory holds as with `memory_key`.  The unknown addresses in `exec` are
   undefined afterwards. */
void sd_exec_probe(struct sd_exec *exec, struct sd_trace *trace, uint64_t key,
                   uint64_t memory_key, struct sd_probe *probes);

/* Of use to sd_exec's own files. */

/* One run: what an operation needs. */
struct sd_run {
    struct sd_exec *exec;
    struct sd_trace *trace;
    struct sd_reroll *reroll;
    unsigned site_bits;  /* of the writers */
    uint32_t iteration;  /* the time of the writers */
    uint32_t n_repeated; /* looks at the counts of rep instructions so far */
    uint64_t n_elements; /* of these, but the first of each */
    uint64_t fresh_key;
    uint64_t n_fresh;        /* random numbers drawn so far */
    bool is_warming;         /* nothing is recorded yet */
    bool never_settles;      /* all iterations have to be run */
    uint32_t enough;         /* the iteration that shows all pairs, or 0 */
    bool needs_no_memory;    /* nor does any value depend on it */
    struct sd_probe *probes; /* NULL: nobody asks for addresses */
};

void sd_exec_iterate(struct sd_run *run);

#endif
