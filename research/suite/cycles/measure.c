/*
 * measure: prints the cycles of each loop that is linked in, a line of JSON
 * each.
 *
 *     measure VARIANT [LOOP...]    measures these loops, or all
 *     measure --list               prints their names
 *     measure --run ROUNDS [LOOP...]    runs these loops for other tools, in
 *                                       calls of as many rounds as a measured
 *                                       one has
 *
 * A loop is called with few and many rounds; the slope is the result.  Each
 * call is repeated, so that a sample takes much longer than a step of the
 * clock.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
#include <xmmintrin.h>

#include "calibrate/cy_clock.h"
#include "step.h"

#define PASSES        5
#define GOOD_SAMPLES  9
#define TRIES         150
#define WHOLE_TRIES   36   /* tries for a whole program; see measure_pass */
#define FEW           320  /* rounds of a short call, a third of a long one's */
#define LONGEST       1000 /* rounds of a call for other tools */
#define REPEATS       1 /* rounds of a short measurement of a whole program */
#define FLUSH_TO_ZERO 0x8040 /* bits FTZ and DAZ of MXCSR */
#define WAIT          600    /* seconds for a quiet core, of all loops */
#define GOOD_SPREAD   0.01   /* largest spread of good passes, see spread_of */

/* From the linker: the list of loops, and the program's first byte. */
extern const struct loop *const __start_loops[], *const __stop_loops[];
extern const unsigned char __ehdr_start[];

static char data[LOOP_SLOTS * LOOP_SLOT] __attribute__((aligned(4096)));

/* Numbers that look random and are the same in each run. */
static unsigned draw(unsigned *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

static void fill(void)
{
    unsigned state = 1;
    struct node *nodes = (struct node *)(data + 4 * LOOP_SLOT);
    int order[512];

    memset(data, 0, sizeof data);
    for (int slot = 0; slot < 3; slot++)
        for (int i = 0; i < 1024; i++)
            ((double *)(data + slot * LOOP_SLOT))[i] =
                1 + draw(&state) % 1000 / 1000.0;
    for (int i = 0; i < 2048; i++)
        ((int *)(data + 3 * LOOP_SLOT))[i] = (int)(draw(&state) % 256);
    for (int i = 0; i < 512; i++)
        order[i] = i;
    for (int i = 511; i > 0; i--) {
        int j = (int)(draw(&state) % (unsigned)(i + 1)), x = order[i];

        order[i] = order[j];
        order[j] = x;
    }
    for (int i = 0; i < 512; i++)
        nodes[order[i]].next = &nodes[order[(i + 1) % 512]];
}

/* Calls of a loop.  `rounds` is shared among all calls.  Their number of rounds
   differs from call to call, so that no branch predictor learns when a loop
   ends: it would learn that only for few rounds. */
struct calls {
    loop_function *run;
    uint64_t times;
};

static void call(uint64_t rounds, void *calls)
{
    const struct calls *c = calls;
    long n = (long)(rounds / c->times);

    for (uint64_t i = 0; i < c->times; i++)
        c->run(n + (long)(i * 5 % 16), data);
}

/* Half the distance between the quartiles of the passes, as a share of their
   median, which is stored to *median. */
static double spread_of(double *cycles, unsigned n, double *median)
{
    *median = cy_median(cycles, n);
    return (cycles[n - 1 - n / 4] - cycles[n / 4]) / 2 / *median;
}

/* What was measured of a loop. */
struct figure {
    double passes[2 * PASSES]; /* cycles of a round, by pass */
    unsigned n, good, all;     /* passes; good samples, and all samples */
    double cycles, spread;
};

static const char *quality(const struct figure *f)
{
    if (f->n == 0)
        return "none";
    return f->n >= 3 && f->spread <= GOOD_SPREAD ? "good" : "noisy";
}

/* Prints where the loop's code lies, and the code. */
static void print_place(const struct step_loop *s)
{
    printf("\"start\":%zu,\"end\":%zu,\"instructions\":%u,\"single\":%s,"
           "\"rounds\":%.6g,\"code\":\"",
           (size_t)s->start, (size_t)s->end, s->n_insns,
           s->single ? "true" : "false", s->rounds);
    for (size_t i = s->start; i < s->end; i++)
        printf("%02x", __ehdr_start[i]);
    fputs("\",", stdout);
}

/* Prints the figures of a loop; `place` is NULL for a whole program. */
static void print(const char *variant, const struct loop *loop,
                  const struct step_loop *place, const struct figure *f)
{
    printf("{\"loop\":\"%s\",\"group\":\"%s\",\"variant\":\"%s\",", loop->name,
           loop->group, variant);
    if (place != NULL)
        print_place(place);
    if (f->n == 0)
        fputs("\"cycles\":null,\"spread\":null,", stdout);
    else
        printf("\"cycles\":%.4f,\"spread\":%.5f,", f->cycles, f->spread);
    printf("\"passes\":%u,\"samples\":%u,\"tried\":%u,\"quality\":\"%s\"}\n",
           f->n, f->good, f->all, quality(f));
    fflush(stdout);
}

/* The number of calls with few rounds that take 4 microseconds or more. */
static uint64_t times_for(loop_function *run)
{
    struct timespec a, b;
    uint64_t times = 1;

    for (; times < 1 << 20; times *= 2) {
        struct calls c = {run, times};

        clock_gettime(CLOCK_MONOTONIC, &a);
        call(FEW * times, &c);
        clock_gettime(CLOCK_MONOTONIC, &b);
        if ((b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec >= 4000)
            break;
    }
    return times;
}

/* Makes a pass over the loop; `rounds` of the loop are one of the source.  A
   pass over a whole program counts only if one sample of four was undisturbed:
   if more are disturbed, the rest are, too, in ways that the clock does not
   see.  22 kernels had less than one good sample in 16; six of them differed by
   11 to 45 % from another run.  134 others had more; none of them differed by
   more than 6 %.  Loops did not differ. */
static void measure_pass(struct cy_clock *clock, const struct loop *loop,
                         bool whole, double rounds, struct figure *f)
{
    struct calls c = {loop->run, 1};
    struct cy_reading r;

    fill();
    if (!whole)
        c.times = times_for(loop->run);
    r = cy_clock_measure(clock, call, &c, whole ? REPEATS : FEW * c.times,
                         GOOD_SAMPLES, whole ? WHOLE_TRIES : TRIES);
    f->good += r.n_good;
    f->all += r.n_all;
    if (r.n_good >= (whole ? GOOD_SAMPLES : 3))
        f->passes[f->n++] = r.cycles / rounds;
    if (f->n > 0)
        f->spread = spread_of(f->passes, f->n, &f->cycles);
}

static void measure(struct cy_clock *clock, const char *variant,
                    const struct loop *loop)
{
    bool whole = strcmp(loop->group, "kernel") == 0;
    struct step_loop place = {.rounds = 1};
    struct figure f = {.n = 0};

    fill();
    if (!whole && step_find(loop, data, &place) != 0) {
        fprintf(stderr, "measure: %s: %s: it has no loop\n", variant,
                loop->name);
        return;
    }
    for (int pass = 0; pass < 2 * PASSES; pass++) {
        if (pass >= PASSES && strcmp(quality(&f), "good") == 0)
            break;
        measure_pass(clock, loop, whole, place.rounds, &f);
    }
    print(variant, loop, whole ? NULL : &place, &f);
}

/* Takes the lock of a core that the process may use, and stays on that core, so
   that only one measurement runs there.  The lock ends with the process. */
static int take_core(void)
{
    cpu_set_t allowed, one, waited_for;
    int waits_for = -1;

    sched_getaffinity(0, sizeof allowed, &allowed);
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        char path[64];
        int fd;

        if (!CPU_ISSET(cpu, &allowed))
            continue;
        snprintf(path, sizeof path, "/tmp/measure-cycles.%u.%u", getuid(), cpu);
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0) {
            fprintf(stderr, "measure: %s: %s\n", path, strerror(errno));
            return -1;
        }
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return sched_setaffinity(0, sizeof one, &one);
        if (waits_for < 0) {
            waits_for = fd;
            waited_for = one;
        } else {
            close(fd);
        }
    }
    if (waits_for < 0)
        return -1;
    fprintf(stderr, "measure: waiting for another measurement\n");
    if (flock(waits_for, LOCK_EX) != 0)
        return -1;
    return sched_setaffinity(0, sizeof waited_for, &waited_for);
}

static bool is_asked(const char *name, int n, char **names)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return n == 0;
}

static int usage(void)
{
    fprintf(stderr, "Usage: measure VARIANT [LOOP...]\n"
                    "       measure --list\n"
                    "       measure --run ROUNDS [LOOP...]\n");
    return 2;
}

static int list(void)
{
    for (const struct loop *const *l = __start_loops; l != __stop_loops; l++)
        puts((*l)->name);
    return 0;
}

static int run(long rounds, int n, char **names)
{
    bool found = false;

    for (const struct loop *const *l = __start_loops; l != __stop_loops; l++)
        if (is_asked((*l)->name, n, names)) {
            fill();
            for (long left = rounds; left > 0; left -= LONGEST)
                (*l)->run(left < LONGEST ? left : LONGEST, data);
            found = true;
        }
    if (!found)
        fprintf(stderr, "measure: %s: no such loop\n", names[0]);
    return found ? 0 : 2;
}

int main(int argc, char **argv)
{
    struct cy_clock clock;

    if (argc < 2)
        return usage();
    if (strcmp(argv[1], "--run") == 0)
        return argc >= 3 ? run(atol(argv[2]), argc - 3, argv + 3) : usage();
    if (strcmp(argv[1], "--list") == 0)
        return list();
    if (take_core() != 0)
        return 2;
    _mm_setcsr(_mm_getcsr() | FLUSH_TO_ZERO);
    cy_clock_init(&clock, WAIT);
    for (const struct loop *const *l = __start_loops; l != __stop_loops; l++)
        if (is_asked((*l)->name, argc - 2, argv + 2))
            measure(&clock, argv[1], *l);
    return 0;
}
