/*
 * sd_rep: recognises rep instructions of a trace that are one large access.
 *
 * Each element of movs and stos accesses the bytes beside the previous element.
 * If nothing else depends on loaded values, all elements but the first have the
 * effect of one large access.  A rep instruction then costs as much as its
 * bytes, eight at a time.
 *
 * Limits: instructions with 32-bit registers (addr32), and elements with other
 * effects, are not recognised.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_REP_H
#define SD_REP_H

#include "run/sd_trace.h"

struct sd_rep {
    const struct sd_op *begin, *end;  /* after its SD_LOOP; its SD_AGAIN */
    const struct sd_op *leave;        /* its SD_LEAVE */
    const struct sd_op *load, *store; /* NULL: none */
    int64_t load_step, store_step;    /* from one element to the next */
};

/* Describes the rep instruction whose SD_LOOP is before `op`; its first element
   has just been executed, and its values are in trace->temps.  False if the
   instruction is not one large access. */
bool sd_rep_find(struct sd_rep *rep, const struct sd_trace *trace,
                 const struct sd_op *op);

/* How far the register of an SD_PUT moves from one element to the next.  0: by
   an unknown number, or not at all. */
int64_t sd_rep_step(const struct sd_rep *rep, const struct sd_trace *trace,
                    const struct sd_op *put);

/* The first byte that is loaded after an earlier element stored it.
   UINT64_MAX: none; 0: the instruction is not one large access. */
uint64_t sd_rep_meets(const struct sd_rep *rep, const struct sd_trace *trace);

#endif
