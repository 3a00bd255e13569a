/*
 * cy_predictor: a branch predictor like those of processors.
 *
 * Conditional branches go by TAGE (Seznec and Michaud, "A case for (partially)
 * tagged geometric history length branch prediction", JILP 2006): tables of
 * counters, each with a tag and a longer history of branches than the one
 * before; the longest history that is known predicts.  Loops with a steady
 * number of rounds have a table of their own (Seznec's loop predictor), unless
 * the machine file says that there is none: Golden Cove does not know the exit
 * of ten rounds with a random branch in each.
 *
 * The target of an indirect branch is the last one that followed the longest
 * known history (as in Seznec's ITTAGE, 2011).  Tables have 512 entries each,
 * unless a machine file says otherwise: on Zen 3, a round of 500 jumps to eight
 * places was known by heart, and one of 600 was not.
 *
 * A history has the ways of the last conditional branches, and of the last
 * taken ones of all kinds what struct cy_history says.  A conditional branch
 * that was never taken is in none, and predicted.  On Zen 3, jumps by turns to
 * four places are predicted if bit 2 or 3 of the last byte of a branch differs
 * that is among the last nine that were taken, and mispredicted if other bits
 * do, or the targets; which way a conditional branch went tells the target even
 * after 64 jumps.
 *
 * Returns go by a stack of what follows the calls.  If it has no room for a
 * call, it loses the oldest one, whose return is then mispredicted; without a
 * size of the stack all count as predicted, as does a return whose call is not
 * known.
 *
 * A return is late if only that stack tells its target: those that followed the
 * same taken branch went elsewhere the last two times.  On Golden Cove such a
 * one takes two cycles more, as loops of 1 to 16 calls of a function show, with
 * up to six jumps in it; without a jump in the function, the calls tell where
 * its return goes.  A branch is near if it is among those that were taken last,
 * as many as the machine file says, in eight ways.
 *
 * Limits: it sees the branches of windows and some thousand before each, so one
 * that is seldom executed is learnt late.  A machine file may say how many
 * counters there are, but not how they are dealt among the tables.  A return
 * costs nothing, even if it goes elsewhere than after its call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "core/cy_window.h"
#include "step/cy_step.h"

struct cy_predictor;

/* `longest`: a loop's exit is predicted if the loop has at most this many
   rounds, and always the same number. */
struct cy_predictor *cy_predictor_new(unsigned longest, struct cy_history has);
void cy_predictor_free(struct cy_predictor *p);

/* Forgets the history of branches, but not what the tables learnt. */
void cy_predictor_restart(struct cy_predictor *p);

/* What the predictor made of a branch. */
struct cy_foreseen {
    bool is_right; /* it expected where the branch went */
    bool is_late;  /* a late return */
    bool is_near;  /* near, or not taken */
};

/* A branch at `address` went to `to`; the instruction after it in the code is
   at `next`.  It is learnt. */
struct cy_foreseen cy_predictor_branch(struct cy_predictor *p,
                                       enum cy_branch kind, uint64_t address,
                                       uint64_t next, uint64_t to);

/* --- What a predictor learns of the branches just before a window --- */

/* A lead has conditional and indirect branches only (cy_window).  The direct
   jumps, calls and returns between them, which a predictor's history has too,
   are found in the code: from where a branch led, they lead to the next one.

   Limits: a return is not known to lead anywhere if its call came before the
   lead; what follows it, up to the next branch of the lead, is left out. */
struct cy_training;

/* Both live as long as what is returned. */
struct cy_training *cy_training_new(const struct cy_windows *windows,
                                    struct cy_code *code, enum arch arch);
void cy_training_free(struct cy_training *training);

/* Tells the predictor the branches before window number i. */
void cy_train(struct cy_training *training, size_t i, struct cy_predictor *p);
