/*
 * cy_clock: cycles of the core, without counters.
 *
 * The time stamp counter runs at a rate of its own.  So a sample runs chains of
 * dependent additions, a cycle each, right before and after what is measured:
 * they say how many ticks a cycle has now.  What is measured runs for two
 * numbers of rounds, and the slope between them counts, so that the cost of
 * beginning and ending drops out.
 *
 * A sample counts only if nothing disturbed it: the process was not preempted,
 * the chains before and after agree, and two probes ran before and after as
 * they do when all is quiet: independent additions, and jumps alone.  They show
 * whether a sibling thread is busy on the same core, which halves throughput
 * but mostly leaves chains alone.  If it does slow the chains, independent
 * additions seem too fast.
 *
 * Limits: a sibling thread that is busy all the time is not noticed, since
 * nothing says how fast the probes could be.  x86-64 whose dependent addition
 * takes one cycle, with a time stamp counter of constant rate.  Not for several
 * threads at once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CYCLES_CY_CLOCK_H
#define CYCLES_CY_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Runs something for a number of rounds, at least 1. */
typedef void cy_loop(uint64_t rounds, void *data);

#define CY_CLOCK_BINS 400

/* How often a probe took each time; a bin is 1 % wide. */
struct cy_probe {
    unsigned bins[CY_CLOCK_BINS], n;
};

struct cy_clock {
    struct cy_probe adds, jumps;
    unsigned n_good, n_all; /* samples that nothing disturbed, and all */
};

struct cy_reading {
    double cycles;   /* a round: the median of the samples */
    unsigned n_good; /* samples that nothing disturbed */
    unsigned n_all;  /* samples that were taken */
};

/* Learns how fast the probes are when nothing disturbs them; takes
   some milliseconds. */
void cy_clock_init(struct cy_clock *clock);

/* Takes samples of a number of rounds and of three times as many; 0: as many as
   the clock needs.  Takes them until `n_good`, at most CY_CLOCK_SAMPLES, are
   undisturbed, or `n_all` were taken.  If none was undisturbed, cycles is NAN.
 */
struct cy_reading cy_clock_measure(struct cy_clock *clock, cy_loop *loop,
                                   void *data, uint64_t rounds, unsigned n_good,
                                   unsigned n_all);

#define CY_CLOCK_SAMPLES 64

/* Cycles of the core in a nanosecond, now; takes some milliseconds.  NAN if
   this kind of processor is not measured. */
double cy_clock_rate(void);

/* The middle of n > 0 numbers, which it sorts. */
double cy_median(double *numbers, unsigned n);

#endif
