/*
 * cy_region: code that llvm-mca is asked about, and its answer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_REGION_H
#define CY_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An instruction, and the answer about it. */
struct cy_mca_insn {
    const uint8_t *bytes;
    uint8_t length;
    bool is_left_out; /* only its latency is wanted */
    bool is_known;    /* the rest is valid */
    bool may_load;
    uint16_t uops;
    double latency; /* in cycles, with that of its load */
};

/* Code that is repeated, as the body of a loop is. */
struct cy_mca_region {
    struct cy_mca_insn *insns;
    size_t n;
    size_t n_unknown;  /* instructions that LLVM does not know */
    double throughput; /* in cycles for one round, without what is left out:
                          the longest of dispatch, units for memory, others */
    double dispatch, memory, other;
    double width; /* places in the dispatch of a cycle */
    double total; /* what llvm-mca itself predicts, for all */
};

/* Are all figures of an answer such that code can have them?  What llvm-mca
   prints, and what the cache holds, may be anything. */
bool cy_mca_region_is_possible(const struct cy_mca_region *region);

#endif
