/*
 * sd_origin: finds what the addresses of a block's accesses are computed from.
 *
 * Besides the block's own run, there are two of two iterations: one with the
 * same registers and other memory, and one with other registers.  An address
 * that other memory changes was computed from a loaded value.  The amount by
 * which an address changes identifies its base: two addresses differ by a
 * constant if they change by the same amount.
 *
 * Limits: only the first address of a site in the second iteration counts.  Two
 * addresses that change by the same amount by chance seem to have one base; the
 * probability is 2^-64.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ORIGIN_H
#define SD_ORIGIN_H

#include "run/sd_exec.h"

/* An access of instruction number `insn` at a known address.  Most accesses
   have the base of the block's first access; they are left out, unless their
   address is computed from a loaded value. */
#define SD_FIRST_BASE 1
struct sd_access {
    uint32_t insn;
    uint8_t is_store, is_loaded; /* 1 or 0; loaded: from a loaded value */
    uint16_t base; /* its number in the block; 0: unknown, because the access
                      does not always happen, or there are too many bases */
};

struct sd_origin {
    struct sd_probe *probes[3];
    size_t probes_room[3];
    struct sd_base {
        uint64_t by_memory, by_registers; /* by what the two runs changed it */
    } * bases;
    size_t n_bases, bases_room;
    bool has_memory; /* does an address depend on a loaded value?  */
    struct sd_access *accesses;
    size_t n, room;
};

void sd_origin_fini(struct sd_origin *origin);

/* The probes to pass to sd_exec_run(), for the addresses of a trace. */
struct sd_probe *sd_origin_probes(struct sd_origin *origin,
                                  const struct sd_trace *trace);

/* Finds the accesses of a trace, after sd_exec_run() with that key and these
   probes.  They are in the order of instructions, the load of each first. */
void sd_origin_find(struct sd_origin *origin, struct sd_exec *exec,
                    struct sd_trace *trace, uint64_t key);

#endif
