/*
 * sd_origin: how the addresses of a block's accesses are made.
 *
 * To the run of the block come two of two iterations: from the same registers
 * and other memory, and from other registers. An address that other memory
 * changes was made from a loaded value.  By what the others are changed tells
 * their base: two addresses differ by a constant if they change by the same.
 *
 * Limits: what a site accesses first in the second iteration counts.  Two
 * addresses whose difference is the same number only by the random values have
 * one base, which is as likely as one in 2^64.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ORIGIN_H
#define SD_ORIGIN_H

#include "run/sd_exec.h"

/* An access of an instruction, by number, at a known address.  Most have the
   base of the block's first access, so those are left out, unless they are made
   from a loaded value. */
#define SD_FIRST_BASE 1
struct sd_access {
    uint32_t insn;
    uint8_t is_store, is_loaded; /* 1 or 0; loaded: made from a loaded value */
    uint16_t base; /* a number in the block: the same base, the same number; 0:
                      unknown, as it does not always happen, or there were too
                      many */
};

struct sd_origin {
    struct sd_probe *probes[3];
    size_t probes_room[3];
    struct sd_base {
        uint64_t by_memory, by_registers; /* what the two changed it by */
    } * bases;
    size_t n_bases, bases_room;
    bool has_memory; /* do loaded values matter to any address? */
    struct sd_access *accesses;
    size_t n, room;
};

void sd_origin_fini(struct sd_origin *origin);

/* Where sd_exec_run is to note the addresses of the trace's accesses. */
struct sd_probe *sd_origin_probes(struct sd_origin *origin,
                                  const struct sd_trace *trace);

/* Finds the accesses of a trace that sd_exec_run has run with that key and
   these probes; their order is that of the instructions, the load of each
   first. */
void sd_origin_find(struct sd_origin *origin, struct sd_exec *exec,
                    struct sd_trace *trace, uint64_t key);

#endif
