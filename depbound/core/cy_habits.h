/*
 * cy_habits: which store wrote each byte of memory last, and which loads read
 * from the same store so often that the processor renames them to the register
 * that was stored.
 *
 * A store counts as the same if it is as many stores before the load, as with
 * arguments on the stack; or if its instruction is the same and ran as often
 * since, as with a position that one function stores and another loads.  A load
 * that meets another recent store must learn anew.  A load whose bytes were
 * stored long ago loses little.  In both cases a renamed load had a wrong
 * value, and what came after it begins anew when it retires.
 *
 * Figures that are not the machine file's were measured on Zen 5: with
 * histograms of one value and another every so often, and of runs of a value,
 * and with code that is new to the processor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

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

/* Puts the distinct stores that wrote the bytes last into `stores`, with
   CY_NO_STORE for bytes that none wrote.  Returns their number. */
#define CY_MOST_WRITERS 64
unsigned cy_written_load(struct cy_written *w, uint64_t address, unsigned size,
                         uint32_t stores[CY_MOST_WRITERS]);

/* Is this the first access since the last clearing to a line of 64 bytes? */
bool cy_written_is_first(struct cy_written *w, uint64_t address);

/* How many stores before loads the nearest store was that wrote one of their
   bytes, for loads after at least CY_FARTHEST stores of their window. */
#define CY_FARTHEST  128
#define CY_NEAR_BINS 9
struct cy_near {
    double bins[CY_NEAR_BINS]; /* weighted loads whose nearest store is at most
                                  1, 2, 4 ... CY_FARTHEST stores back; last:
                                  further, or none */
    struct cy_near_insn {
        uint64_t n;      /* loads that count */
        uint32_t stores; /* the least distance; 0: always more than
                            CY_FARTHEST */
    } * by_insn;
};

/* Which loads the processor renames, by the stores that they read before. */
struct cy_habits;

/* `renamed_after`: how many times in a row a load must read the same store's
   bytes to be renamed; 0: a typical number. */
struct cy_habits *cy_habits_new(size_t n_insns, unsigned renamed_after);
void cy_habits_free(struct cy_habits *habits);

#define CY_LONG_AGO SIZE_MAX /* the distance of a store before the window */

/* How often a store's instruction ran again after the store.  It had run
   `before` times before, and has run `executed` times by now, without the
   present execution of the load's own instruction. */
static inline uint32_t cy_rounds_since(uint32_t executed, uint32_t before)
{
    uint32_t rounds = executed - before;

    return rounds - (rounds > 0);
}

/* Whether the processor predicted the store that a load reads. */
enum cy_habit {
    CY_NO_HABIT, /* no prediction: the load read other stores before */
    CY_HABIT,    /* predicted the right store, as so often before */
    CY_BROKEN    /* the load was renamed to another store; what used the wrong
                    value begins anew */
};

/* A load of `insn` reads bytes of a store `distance` stores ago, from 1 on, by
   the instruction `store`, which ran `rounds` times since.  Once the store is
   learnt, the next such load is renamed if `is_renamed`.  With CY_LONG_AGO the
   load reads no store of the window, and the other arguments do not matter. */
enum cy_habit cy_habits_meet(struct cy_habits *habits, uint32_t insn,
                             size_t distance, uint32_t store, uint32_t rounds,
                             bool is_renamed);

/* What was learnt of a load: the store that it read last, by distance and by
   instruction, and how often in a row. */
struct cy_learnt {
    struct cy_learnt_store {
        uint64_t which; /* the store, or 0: none yet */
        unsigned repeats;
    } distance, store;
    bool is_renamed; /* the machine file renames loads of that store */
};

struct cy_learnt *cy_habits_of(struct cy_habits *habits, uint32_t insn);

/* Begins a simulation with what was learnt before the first one, so that it
   does not depend on those before. */
void cy_habits_begin(struct cy_habits *habits);

/* The distances of all loads that were learnt; the caller frees by_insn. */
struct cy_near cy_habits_take_near(struct cy_habits *habits);

/* Learns which stores the loads of a window read.  Clears `written` first.
   Returns the index of the last execution whose loads read other stores than
   the instruction's loads did the time before. */
size_t cy_habits_learn(struct cy_habits *habits,
                       const struct cy_recipes *recipes,
                       struct cy_written *written,
                       const struct cy_recorded *window);
