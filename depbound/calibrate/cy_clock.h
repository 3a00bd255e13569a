/*
 * cy_clock: measures cycles of the core, without performance counters.
 *
 * The time stamp counter runs at a rate of its own.  So a sample runs chains
 * of dependent additions, a cycle each, right before and after the measured
 * loop: they tell how many ticks a cycle has at that time.  The loop runs for
 * two numbers of rounds, and the slope between them counts, so that the cost
 * of beginning and ending drops out.
 *
 * A sample counts only if nothing disturbed it: the process was not preempted,
 * the chains before and after agree, and two probes, of independent additions
 * and of jumps, ran as fast before and after as on a quiet core.  The probes
 * show whether a sibling thread is busy on the core, which halves throughput
 * but mostly leaves chains alone.  If the sibling does slow the chains,
 * independent additions seem too fast.
 *
 * A sibling that belongs to another guest of the host is often busy for most of
 * the time, but rarely for all of it.  A clock that may wait begins a sample
 * only while jumps are as fast as they are at best.
 *
 * Limits: a sibling thread that is busy all the time is not noticed, since
 * nothing says how fast the probes could be.  Only x86-64 processors whose
 * dependent addition takes one cycle and whose time stamp counter has a
 * constant rate are measured, in one thread at a time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

/* Runs a loop that is measured for a number of rounds, at least 1. */
typedef void cy_loop(uint64_t rounds, void *data);

#define CY_CLOCK_BINS 400

/* A histogram of a probe's times; each bin is 1 % wide. */
struct cy_probe {
    unsigned bins[CY_CLOCK_BINS], n;
};

struct cy_clock {
    struct cy_probe adds, jumps;
    double quickest; /* cycles of a jump on a quiet core */
    double wait;     /* seconds that it may still wait for a quiet core */
    double waited;   /* seconds */
    unsigned n_good, n_all; /* samples that nothing disturbed; all samples */
    double speeds;          /* the sum of cycles in a tick, of the former */
};

struct cy_reading {
    double cycles;   /* cycles of a round: the median of the samples */
    double ticks;    /* ticks of the time stamp counter, likewise */
    unsigned n_good; /* samples that nothing disturbed */
    unsigned n_all;  /* samples that were taken */
};

/* Learns how fast the probes are when nothing disturbs them; takes some
   milliseconds, or some seconds of those that all samples together may wait for
   a quiet core, 0 or more. */
void cy_clock_init(struct cy_clock *clock, double wait);

/* Is nothing seen to use the core at present?  For clocks that may wait.  If
   `speed` is not NULL, it gets how many cycles of the core a tick has. */
bool cy_clock_is_quiet(const struct cy_clock *clock, double *speed);

/* Cycles of the core in a tick, in the mean of the samples that nothing
   disturbed; NAN: there are none. */
double cy_clock_speed(const struct cy_clock *clock);

/* The time stamp counter of x86-64, in ticks. */
uint64_t cy_clock_ticks(void);

/* Waits for a quiet core, as long as the clock still may. */
void cy_clock_await(struct cy_clock *clock);

/* Seconds of the monotonic clock that the clock did not wait. */
double cy_clock_seconds(const struct cy_clock *clock);

/* Samples runs of `rounds` rounds and of three times as many; 0: as many as the
   clock needs.  Stops when `n_good` samples (at most CY_CLOCK_SAMPLES) were
   undisturbed, or `n_all` were taken.  `cycles` and `ticks` are NAN if none was
   undisturbed. */
struct cy_reading cy_clock_measure(struct cy_clock *clock, cy_loop *loop,
                                   void *data, uint64_t rounds, unsigned n_good,
                                   unsigned n_all);

#define CY_CLOCK_SAMPLES 64

/* The rate of the core's clock at present; takes some milliseconds. */
struct cy_ghz {
    double ghz; /* cycles in a nanosecond; NAN: this kind of processor is not
                   measured */
    bool is_disturbed; /* half of the samples were slower by more than
                          CY_RATE_DIFFERS, or half of them saw jumps that take
                          much longer than others did */
};
#define CY_RATE_DIFFERS 0.03
struct cy_ghz cy_clock_rate(void);

/* The median of n > 0 numbers, which it sorts. */
double cy_median(double *numbers, unsigned n);
