/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrate/cy_clock.h"

#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#define CHAIN_LINKS   64  /* additions in a round of the chain */
#define CHAIN_SHORT   100 /* rounds of the shorter run */
#define CHAIN_LONG    500
#define PROBE_ROUNDS  300
#define CHAINS_DIFFER 0.005 /* share; more is a disturbance */
#define PROBE_FASTEST (PROBE_ROUNDS * 64 / 16.0) /* cycles of the first bin */
#define JUMPS         2000
#define JUMPS_FASTEST (JUMPS / 4.0) /* cycles of the first bin */
#define QUIET_SHARE   0.03 /* at least this share of samples is quiet */
#define GATE          3    /* most bins from a quiet sample to the quiet bin */
/* A sibling that only polls leaves additions alone, but lets jumps take 1.1 to
   1.4 times what they take on a quiet core (Zen 3); one that computes, 1.6
   times and more. */
#define JUMPS_VARY 1.06
#define LOOKS      3000  /* looks for the quickest jumps */
#define LOOK_APART 0.001 /* seconds from one look to the next */
/* The least ticks that the shorter run of a case takes.  The counter of some
   processors moves in steps of 26 or more. */
#define SHORT_TICKS 10000
/* Ticks for which a loop runs before it is measured: predictors of branches
   learn for some hundred calls, and some chains of moves through memory are
   quicker at first. */
#define WARM_TICKS 250000

static inline uint64_t ticks(void)
{
    uint32_t low, high;

    __asm__ volatile("lfence\n\trdtsc\n\tlfence"
                     : "=a"(low), "=d"(high)
                     :
                     : "memory");
    return (uint64_t)high << 32 | low;
}

/* Runs dependent additions, which take CHAIN_LINKS cycles a round.  All chains
   are one copy of the code, so that its place is no difference between them. */
static __attribute__((noinline)) void chain(uint64_t rounds)
{
    uint64_t value = 1;

    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept 64\n\t"
                     "add %0, %0\n\t"
                     ".endr\n\t"
                     "dec %1\n\t"
                     "jnz 1b"
                     : "+r"(value), "+r"(rounds));
}

/* Runs independent additions. */
static void probe(uint64_t rounds)
{
    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept 8\n\t"
                     "add $1, %%rax\n\t"
                     "add $1, %%rcx\n\t"
                     "add $1, %%rdx\n\t"
                     "add $1, %%rsi\n\t"
                     "add $1, %%r8\n\t"
                     "add $1, %%r9\n\t"
                     "add $1, %%r10\n\t"
                     "add $1, %%r11\n\t"
                     ".endr\n\t"
                     "dec %0\n\t"
                     "jnz 1b"
                     : "+r"(rounds)
                     :
                     : "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11");
}

/* Runs jumps alone. */
static void jump(uint64_t rounds)
{
    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     "dec %0\n\t"
                     "jnz 1b"
                     : "+r"(rounds));
}

/* Ticks of the longer run of the chain minus those of the shorter one. */
static double chain_ticks(void)
{
    uint64_t t0 = ticks(), t1, t2;

    chain(CHAIN_SHORT);
    t1 = ticks();
    chain(CHAIN_LONG);
    t2 = ticks();
    return (double)(t2 - t1) - (double)(t1 - t0);
}

/* Ticks or cycles of both probes. */
struct probes {
    double adds, jumps;
};

static struct probes probe_ticks(void)
{
    uint64_t t0 = ticks(), t1, t2;

    probe(PROBE_ROUNDS);
    t1 = ticks();
    jump(JUMPS);
    t2 = ticks();
    return (struct probes){(double)(t1 - t0), (double)(t2 - t1)};
}

static double loop_ticks(cy_loop *loop, void *data, uint64_t rounds,
                         uint64_t warm)
{
    uint64_t begin = ticks(), t0, t1, t2;

    assert(rounds > 0);
    do
        loop(rounds, data); /* brings code and data into the caches */
    while (ticks() - begin < warm);
    t0 = ticks();
    loop(rounds, data);
    t1 = ticks();
    loop(3 * rounds, data);
    t2 = ticks();
    return (double)(t2 - t1) - (double)(t1 - t0);
}

static long preemptions(void)
{
    struct rusage usage;

    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw + usage.ru_nvcsw;
}

/* A sample: cycles and ticks of 2 * rounds rounds, cycles of each probe's
   slower run, and whether the process and its speed were undisturbed. */
struct sample {
    double cycles, ticks;
    struct probes slower;
    bool steady;
};

static struct sample take(cy_loop *loop, void *data, uint64_t rounds,
                          uint64_t warm)
{
    const double chain_cycles = CHAIN_LINKS * (CHAIN_LONG - CHAIN_SHORT);
    long before = preemptions();
    int cpu = sched_getcpu();
    double chain0, chain1, inside, rate;
    struct probes probe0, probe1;

    probe(PROBE_ROUNDS); /* lets the core reach its frequency */
    probe0 = probe_ticks();
    chain0 = chain_ticks();
    inside = loop_ticks(loop, data, rounds, warm);
    chain1 = chain_ticks();
    probe1 = probe_ticks();
    rate = chain_cycles / ((chain0 + chain1) / 2);
    return (struct sample){
        .cycles = inside * rate,
        .ticks = inside,
        .slower = {fmax(probe0.adds, probe1.adds) * rate,
                   fmax(probe0.jumps, probe1.jumps) * rate},
        .steady = preemptions() == before && sched_getcpu() == cpu &&
                  chain0 > 0 && chain1 > 0 && inside > 0 &&
                  fabs(chain0 - chain1) <= CHAINS_DIFFER * chain0,
    };
}

/* --- Waiting for a quiet core --- */

uint64_t cy_clock_ticks(void)
{
    return ticks();
}

struct look {
    double jump;  /* cycles of a jump and of the subtraction that the next one
                     waits for, so not below 1 */
    double speed; /* cycles of the core in a tick */
};

/* What interrupts one chain leaves the other alone. */
static struct look look(void)
{
    const double n = JUMPS / CHAIN_LINKS * CHAIN_LINKS;
    uint64_t t0, t1, t2, t3, t4;
    double least;

    chain(1);
    t0 = ticks();
    chain(JUMPS / CHAIN_LINKS);
    t1 = ticks();
    jump(JUMPS);
    t2 = ticks();
    chain(JUMPS / CHAIN_LINKS);
    t3 = ticks();
    t4 = ticks();
    least = fmin((double)(t1 - t0), (double)(t3 - t2));
    return (struct look){
        .jump = (double)(t2 - t1) / least * n / JUMPS,
        /* Without what reading the counter takes. */
        .speed = n / (least - (double)(t4 - t3)),
    };
}

double cy_clock_seconds(const struct cy_clock *clock)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - clock->waited;
}

static void look_later(struct cy_clock *clock)
{
    const struct timespec time = {0, (long)(1e9 * LOOK_APART)};
    double before = cy_clock_seconds(clock), slept;

    nanosleep(&time, NULL);
    slept = cy_clock_seconds(clock) - before;
    clock->waited += slept;
    clock->wait -= slept;
}

bool cy_clock_is_quiet(const struct cy_clock *clock, double *speed)
{
    struct look now = look();

    if (speed != NULL)
        *speed = now.speed;
    return now.jump <= JUMPS_VARY * clock->quickest;
}

void cy_clock_await(struct cy_clock *clock)
{
    while (clock->wait > 0 && !cy_clock_is_quiet(clock, NULL))
        look_later(clock);
}

static void nothing(uint64_t rounds, void *data)
{
    (void)data;
    chain(rounds);
}

/* The bin of a probe that takes `share` times the first bin's time; -1:
   none. */
static int bin_of(double share)
{
    double bin = log(share) / log(1.01);

    return bin >= 0 && bin < CY_CLOCK_BINS ? (int)bin : -1;
}

static void count_probe(struct cy_probe *probe, double share)
{
    int bin = bin_of(share);

    assert(bin < CY_CLOCK_BINS);
    if (bin >= 0) {
        probe->bins[bin]++;
        probe->n++;
    }
}

static void count(struct cy_clock *clock, const struct sample *s)
{
    if (!s->steady)
        return;
    count_probe(&clock->adds, s->slower.adds / PROBE_FASTEST);
    count_probe(&clock->jumps, s->slower.jumps / JUMPS_FASTEST);
}

/* The fullest bin of the quickest probes, except for the few that only seem
   quicker because the chains beside them were slow. */
static int quiet_bin(const struct cy_probe *probe)
{
    const unsigned *bins = probe->bins;
    double least = fmax(8, QUIET_SHARE * probe->n);
    int bin = 1;

    while (bin < CY_CLOCK_BINS - 2 &&
           bins[bin - 1] + bins[bin] + bins[bin + 1] < least)
        bin++;
    while (bin < CY_CLOCK_BINS - 2 && bins[bin + 1] > bins[bin])
        bin++;
    assert(bin > 0 && bin < CY_CLOCK_BINS);
    return bin;
}

static bool is_quiet(const struct cy_clock *clock, const struct sample *s)
{
    return s->steady &&
           abs(bin_of(s->slower.adds / PROBE_FASTEST) -
               quiet_bin(&clock->adds)) <= GATE &&
           abs(bin_of(s->slower.jumps / JUMPS_FASTEST) -
               quiet_bin(&clock->jumps)) <= GATE;
}

void cy_clock_init(struct cy_clock *clock, double wait)
{
    assert(wait >= 0);
    *clock = (struct cy_clock){.quickest = INFINITY, .wait = wait};
    for (int i = 0; i < LOOKS && clock->wait > 0; i++) {
        clock->quickest = fmax(1, fmin(clock->quickest, look().jump));
        look_later(clock);
    }
    for (int i = 0; i < 1000; i++) {
        struct sample s;

        cy_clock_await(clock);
        s = take(nothing, NULL, 1, 0);
        count(clock, &s);
    }
}

/* Rounds whose run takes SHORT_TICKS or a little more. */
static uint64_t find_rounds(cy_loop *loop, void *data)
{
    uint64_t rounds = 8;

    for (; rounds < (uint64_t)1 << 40; rounds *= 2) {
        uint64_t best = UINT64_MAX;

        for (int i = 0; i < 3; i++) {
            uint64_t t0 = ticks(), t1;

            loop(rounds, data);
            t1 = ticks();
            best = t1 - t0 < best ? t1 - t0 : best;
        }
        if (best >= SHORT_TICKS)
            break;
    }
    return rounds;
}

ARRAY_ORDER(number_order, double, array_order(*a, *b))

double cy_median(double *numbers, unsigned n)
{
    assert(n > 0);
    qsort(numbers, n, sizeof *numbers, number_order);
    return n % 2 == 1 ? numbers[n / 2]
                      : (numbers[n / 2 - 1] + numbers[n / 2]) / 2;
}

struct cy_reading cy_clock_measure(struct cy_clock *clock, cy_loop *loop,
                                   void *data, uint64_t rounds, unsigned n_good,
                                   unsigned n_all)
{
    double cycles[CY_CLOCK_SAMPLES], inside[CY_CLOCK_SAMPLES];
    struct cy_reading reading = {.cycles = NAN, .ticks = NAN};
    unsigned *n = &reading.n_good;

    assert(n_good <= CY_CLOCK_SAMPLES);
    if (rounds == 0)
        rounds = find_rounds(loop, data);
    while (*n < n_good && reading.n_all < n_all) {
        struct sample s;

        cy_clock_await(clock);
        s = take(loop, data, rounds, WARM_TICKS);
        reading.n_all++;
        clock->n_all++;
        count(clock, &s);
        if (!is_quiet(clock, &s))
            continue;
        clock->n_good++;
        clock->speeds += s.cycles / s.ticks;
        inside[*n] = s.ticks / (2 * (double)rounds);
        cycles[(*n)++] = s.cycles / (2 * (double)rounds);
    }
    assert(*n <= n_good && reading.n_all >= *n);
    if (*n > 0) {
        reading.cycles = cy_median(cycles, *n);
        reading.ticks = cy_median(inside, *n);
    }
    return reading;
}

double cy_clock_speed(const struct cy_clock *clock)
{
    return clock->speeds / clock->n_good;
}

/* Runs of a chain, of which the quickest counts, and rounds of a run, which
   take about a fifth of a millisecond. */
#define RATE_RUNS   15
#define RATE_ROUNDS 10000

struct cy_ghz cy_clock_rate(void)
{
    double times[RATE_RUNS], jumps[RATE_RUNS], median, of_a_jump;

    for (unsigned i = 0; i < RATE_RUNS; i++) {
        struct timespec from, to;

        clock_gettime(CLOCK_MONOTONIC, &from);
        chain(RATE_ROUNDS);
        clock_gettime(CLOCK_MONOTONIC, &to);
        times[i] = 1e9 * (double)(to.tv_sec - from.tv_sec) +
                   (double)(to.tv_nsec - from.tv_nsec);
        jumps[i] = look().jump;
    }
    median = cy_median(times, RATE_RUNS); /* sorts them */
    of_a_jump = cy_median(jumps, RATE_RUNS);
    return (struct cy_ghz){CHAIN_LINKS * RATE_ROUNDS / times[0],
                           median > (1 + CY_RATE_DIFFERS) * times[0] ||
                               of_a_jump > JUMPS_VARY * jumps[0]};
}
