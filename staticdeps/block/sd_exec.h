/*
 * sd_exec: runs a block's trace many times on shadow registers and shadow
 * memory, and records each read-after-write pair.
 *
 * Limits: an access at an address that is bottom is skipped, and its site is
 * counted.  A skipped store leaves memory as it was, although it may write any
 * byte.
 *
 * A rep instruction with a known count of at most 1,024 executes that many
 * elements; any other executes one element.  Elements count as instructions, so
 * they shorten a run, but to no less than two iterations.  After 65,536
 * elements, each rep instruction executes one element.
 *
 * Nothing on the back path is recorded: its loads make no dependencies, and the
 * bytes that it writes have no writer.  Before the first iteration, one that is
 * not recorded and the back path are run, so that the first iteration finds
 * what later ones find.
 *
 * As soon as sd_steady says that all further iterations only repeat the pairs
 * of the last one, the run ends, and the pairs of the further ones are counted.
 *
 * A probe runs two iterations without recording, and notes the address of each
 * site in the second one, for sd_analyse.
 *
 * The work of a run is the number of operations that it executes, plus the
 * number of granules that accesses touch beyond their first one; granules of a
 * large access count less.
 *
 * Runs begin with random numbers in registers and memory or, as in harnesses
 * that measure single blocks, with SD_SAME in general registers and in each 8
 * bytes of memory.
 *
 * An iteration costs one indirect jump for each operation, and one look-up in
 * memory for each access (two if it straddles granules).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "interpret/sd_memory.h"
#include "block/sd_trace.h"
#include "block/sd_reroll.h"
#include "block/sd_steady.h"

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
