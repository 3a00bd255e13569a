/*
 * executions: how often blocks of code executed, by the segments of deps.db.
 *
 * A segment is a straight run of instructions with the number of its
 * executions, so that those of an instruction are the sum over the segments
 * that hold it.  A block executes as often as the instruction of it that
 * executed most.  That is its first instruction, unless control also comes into
 * its middle: blocks are cut without knowing where indirect jumps lead.
 *
 * A jump may lead into an instruction, such as past its prefix.  The code that
 * begins inside the instruction and ends where that ends has executions of its
 * own: those of the segments that begin there.
 *
 * A repeated string instruction counts once for each repetition, in a segment
 * of its own.  So a part of a block that is as short as one does not count,
 * unless all parts that executed are: then the one that executed least does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

/* The segments that were added: {0} has none. */
struct executions {
    struct executions_step *steps;
    size_t n_steps, steps_room;
    uint64_t total;
};

/* Adds a segment, which must not end before it starts; false, with nothing
   added, if all executions together exceed 64 bits.  If it begins inside an
   instruction, `inside_until` is where that ends; otherwise at most `start`. */
bool executions_add(struct executions *e, uint32_t object, uint64_t start,
                    uint64_t end, uint64_t inside_until, uint64_t executions);

/* Call it after the last executions_add and before the first executions_of. */
void executions_sum(struct executions *e);

/* The executions of the block from `start` up to `end`, which may lie inside an
   instruction. */
uint64_t executions_of(const struct executions *e, uint32_t object,
                       uint64_t start, uint64_t end, bool is_inside);

void executions_fini(struct executions *e);
