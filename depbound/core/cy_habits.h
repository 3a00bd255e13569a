/*
 * cy_habits: which store wrote each byte of memory last, and which loads meet
 * the same store so often that the processor takes them for one register.
 *
 * A store is the same if it is as many stores ago, as with arguments on the
 * stack; or if its instruction is, and ran as often later, as with a position
 * that one function stores and another one loads.  A load that meets another
 * store of the last ones must learn anew.  One that meets none of them, since
 * its bytes were stored long ago, loses little.  In both cases a load that was
 * taken for a register had a wrong value, so that what came after it begins
 * anew when it retires.
 *
 * What the machine file does not say is of Zen 5: by a histogram of one value
 * with another one every so often, by one of runs of a value, and by code that
 * is new to the processor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_HABITS_H
#define CY_HABITS_H

#include "core/cy_recipe.h"
#include "core/cy_window.h"

/* The store that wrote each byte last. */
#define CY_NO_STORE UINT32_MAX

struct cy_written;

struct cy_written *cy_written_new(void);
void cy_written_free(struct cy_written *w);

/* Forgets all stores. */
void cy_written_clear(struct cy_written *w);

void cy_written_store(struct cy_written *w, uint64_t address, unsigned size,
                      uint32_t store);

/* The stores that wrote `size` bytes last, in `stores`: CY_NO_STORE of bytes
   that none wrote.  Returns how many differ. */
#define CY_MOST_WRITERS 64
unsigned cy_written_load(struct cy_written *w, uint64_t address, unsigned size,
                         uint32_t stores[CY_MOST_WRITERS]);

/* Is it the first access since the last clearing to its line of 64 bytes? */
bool cy_written_is_first(struct cy_written *w, uint64_t address);

/* What loads of the windows met, as far as CY_FARTHEST stores went before them
   in their window: the nearest store that wrote a byte of what they load. */
#define CY_FARTHEST  128
#define CY_NEAR_BINS 9
struct cy_near {
    double bins[CY_NEAR_BINS]; /* loads, as windows weigh, whose nearest store
                                  is at most 1, 2, 4 ... CY_FARTHEST stores
                                  before; last: further, or none */
    struct cy_near_insn {
        uint64_t n;      /* such loads */
        uint32_t stores; /* the fewest to the nearest; 0: more than
                            CY_FARTHEST, always */
    } * by_insn;
};

/* Which loads the processor renames by what they met before. */
struct cy_habits;

/* `renamed_after`: times in a row that a load meets the same store before it is
   renamed; 0: as many as is typical. */
struct cy_habits *cy_habits_new(size_t n_insns, unsigned renamed_after);
void cy_habits_free(struct cy_habits *habits);

#define CY_LONG_AGO SIZE_MAX /* the distance of a store before the window */

/* How often the instruction of a store ran after this store, which it did
   `before` times before, and `executed` times by now.  The store itself is not
   counted; a store of the instruction that loads is not counted yet. */
static inline uint32_t cy_rounds_since(uint32_t executed, uint32_t before)
{
    uint32_t rounds = executed - before;

    return rounds - (rounds > 0);
}

/* What the processor took a load's value for. */
enum cy_habit {
    CY_NO_HABIT, /* for none that it knew: the load met others before */
    CY_HABIT,    /* for the right one, as so often before */
    CY_BROKEN    /* for that of another store, since the load was renamed; what
                    went on with the wrong value begins anew */
};

/* A load of this instruction meets a store of the instruction `store`, which
   ran `rounds` times since, and `distance` stores ago, from 1 on.  If it is
   learnt, the next time the load is renamed if `is_renamed`.  With CY_LONG_AGO
   it meets none of a window, and the rest does not matter. */
enum cy_habit cy_habits_meet(struct cy_habits *habits, uint32_t insn,
                             size_t distance, uint32_t store, uint32_t rounds,
                             bool is_renamed);

/* What all loads that were learnt met; the caller frees by_insn. */
struct cy_near cy_habits_take_near(struct cy_habits *habits);

/* Learns what the loads of a window meet, as if it was executed.  Forgets what
   was written.  Returns the last instruction whose loads met others than the
   last time. */
size_t cy_habits_learn(struct cy_habits *habits,
                       const struct cy_recipes *recipes,
                       struct cy_written *written,
                       const struct cy_recorded *window);

#endif
