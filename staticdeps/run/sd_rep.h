/*
 * sd_rep: is a rep instruction of a trace one large access?
 *
 * Each element of movs and stos accesses what lies beside the element
 * before it.  If nothing else depends on what is loaded, all elements but the
 * first do together what one access does that is as large as all of them.  So
 * the cost of a rep instruction is that of its bytes, eight at a time.
 *
 * Limits: instructions whose registers have 32 bits (addr32), and those whose
 * elements leave something else behind, are not seen as one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_REP_H
#define SD_REP_H

#include "run/sd_trace.h"

struct sd_rep {
    const struct sd_op *begin, *end;  /* after its SD_LOOP; its SD_AGAIN */
    const struct sd_op *leave;        /* its SD_LEAVE */
    const struct sd_op *load, *store; /* NULL: it has none */
    int64_t load_step, store_step;    /* from one element to the next */
};

/* Of the one that begins at `op`, after its SD_LOOP, and whose first element
   has just been executed: trace->temps are its.  False: it is none that is one
   large access. */
bool sd_rep_find(struct sd_rep *rep, const struct sd_trace *trace,
                 const struct sd_op *op);

/* How far a register moves from one element to the next: that of an SD_PUT. 0:
   by an unknown number, or not at all. */
int64_t sd_rep_step(const struct sd_rep *rep, const struct sd_trace *trace,
                    const struct sd_op *put);

/* From which byte on do the loads read what an earlier element stored?
   UINT64_MAX: from none; 0: it is not one access then. */
uint64_t sd_rep_meets(const struct sd_rep *rep, const struct sd_trace *trace);

#endif
