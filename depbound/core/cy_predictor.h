/*
 * cy_predictor: a branch predictor like those of processors.
 *
 * Conditional branches go by TAGE (Seznec and Michaud, "A case for (partially)
 * tagged geometric history length branch prediction", JILP 2006): tables of
 * counters, each with a tag and a longer history of branches than the one
 * before; the longest history that is known predicts.  Loops with a steady
 * number of rounds have a table of their own (Seznec's loop predictor).
 *
 * The target of an indirect branch is the last one that followed the longest
 * known history (as in Seznec's ITTAGE, 2011).  That history has the addresses
 * and ways of conditional branches, and the targets of indirect ones.  If it is
 * blind, it has the addresses of these instead: on Zen 3 and Zen 4 calls by
 * turns to four functions without a branch of their own are mispredicted, and
 * jumps by turns to places with a branch each are not.
 *
 * Returns count as predicted: processors have a stack for them.
 *
 * Limits: it sees the branches of windows and some thousand before each, so one
 * that is seldom executed is learnt late.  The tables' sizes are not those of a
 * certain processor.  A return costs nothing, even if it goes elsewhere than
 * after its call, or calls are nested more deeply than a processor's stack.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "step/cy_step.h"

struct cy_predictor;

/* `longest`: a loop's exit is predicted if the loop has at most this many
   rounds, and always the same number. */
struct cy_predictor *cy_predictor_new(unsigned longest, bool is_blind);
void cy_predictor_free(struct cy_predictor *p);

/* Forgets the history of branches, but not what the tables learnt. */
void cy_predictor_restart(struct cy_predictor *p);

/* A branch at `address` went to `to`; the instruction after it in the code is
   at `next`.  True if the predictor expected that.  It learns the branch. */
bool cy_predictor_branch(struct cy_predictor *p, enum cy_branch kind,
                         uint64_t address, uint64_t next, uint64_t to);
