/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrate/cy_calibrate.h"

#include <sys/mman.h>
#include <xmmintrin.h>

/* --- Cases --- */

/* A loop with the registers that cases.txt promises. */
#define LOOP(name, setup, body, end)                                        \
    static void name(uint64_t rounds, void *data)                           \
    {                                                                       \
        static const double values[] = {1.5, 1.5, 1.7, 1.7};                \
                                                                            \
        __asm__ volatile("mov %%rsp, %%r12\n\t"                             \
                         "sub $16384, %%rsp\n\t"                            \
                         "and $-4096, %%rsp\n\t"                            \
                         "mov %%rdi, %%rbx\n\t"                             \
                         "mov %%rdi, %%rsi\n\t"                             \
                         "xor %%ecx, %%ecx\n\t"                             \
                         "xor %%eax, %%eax\n\t"                             \
                         "movups (%[values]), %%xmm0\n\t"                   \
                         "movups (%[values]), %%xmm1\n\t"                   \
                         "movups 16(%[values]), %%xmm2\n\t"                 \
                         "movups 16(%[values]), %%xmm3\n\t" setup "\n\t"    \
                         ".p2align 6\n"                                     \
                         "1:\n\t" body "\n\t"                               \
                         "dec %[rounds]\n\t"                                \
                         "jnz 1b\n\t" end "\n\t"                            \
                         "mov %%r12, %%rsp"                                 \
                         : [rounds] "+r"(rounds), "+D"(data)                \
                         : [values] "r"(values)                             \
                         : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9",   \
                           "r10", "r12", "xmm0", "xmm1", "xmm2", "xmm3",    \
                           "xmm4", "xmm5", "xmm6", "xmm7", "memory", "cc"); \
    }
#include "calibrate/cases.h"

const size_t cy_n_cases = sizeof cy_cases / sizeof *cy_cases;

size_t cy_case_named(const char *name)
{
    size_t i = 0;

    while (i < cy_n_cases && strcmp(cy_cases[i].name, name) != 0)
        i++;
    return i;
}

bool cy_case_runs(const struct cy_case *c, const struct cy_cpu *cpu)
{
    return c->flag == NULL || cy_cpu_has(cpu, c->flag);
}

/* --- Passes --- */

#define DATA_SIZE 16384 /* bytes of data of a loop, aligned to their size */

#define FIRST_PASSES 8
#define GOOD_SAMPLES 11
#define TRIES        120  /* the most samples of a pass */
#define AGREE        0.01 /* passes within this share of each other agree */
#define MOST_SECONDS 60   /* for all passes */
#define FLUSH_TO_ZERO \
    0x8040 /* bits of MXCSR: denormal operands and results are zero */

/* Passes use several places in memory, far from each other, by turns, since
   some figures depend on the address. */
#define PLACES 5

struct measuring {
    struct cy_clock *clock;
    const struct cy_cpu *cpu;
    char *places[PLACES];
    double end; /* by cy_clock_seconds */
    bool again; /* measures only loops whose passes do not agree */
};

/* Do k of the sorted passes, from the i-th on, agree? */
static bool agrees(const double *sorted, unsigned i, unsigned k)
{
    assert(k > 0);
    return sorted[i + k - 1] - sorted[i] <= AGREE * sorted[i];
}

/* A speed that 1 in so many passes show repeats, though others differ: some
   loops have several, and which one a pass has is chance. */
#define SHOWN_BY 6
#define FEW      24 /* of so many passes one is disturbed, though no probe is */

void cy_result_settle(struct cy_result *r, enum cy_kind kind)
{
    double sorted[CY_PASSES];
    unsigned n = r->n_passes, most = n - n / SHOWN_BY, few = n / SHOWN_BY, odd;

    assert(n <= CY_PASSES);
    if (n == 0)
        return;
    memcpy(sorted, r->passes, sizeof sorted);
    r->cycles = cy_median(sorted, n);
    r->steady = false;
    for (unsigned i = 0; i + most <= n; i++)
        r->steady |= n >= 3 && agrees(sorted, i, most);
    odd = r->steady ? few : n / FEW;
    r->least = sorted[odd];
    r->most = sorted[n - 1 - odd];
    if (r->steady || n < CY_PASSES)
        return;
    if (kind != CY_FORWARD) /* rules round what they are made of */
        r->cycles = fmax(0.5, cy_halved(r->cycles, 4));
    for (unsigned i = 0; i + few <= n; i++)
        r->steady |= agrees(sorted, i, few);
}

static void measure(struct measuring *m, const struct cy_case *c, enum cy_op op,
                    struct cy_result *r)
{
    struct cy_reading reading;
    char *place;

    if (r->n_passes == CY_PASSES || (m->again && r->steady) ||
        cy_clock_seconds(m->clock) >= m->end)
        return;
    place = m->places[r->n_passes % PLACES];
    memset(place, 0, DATA_SIZE);
    reading =
        cy_clock_measure(m->clock, c->loops[op], place, 0, GOOD_SAMPLES, TRIES);
    if (reading.n_good >= GOOD_SAMPLES / 2)
        r->passes[r->n_passes++] = reading.cycles;
    cy_result_settle(r, c->kind);
}

static void pass(struct measuring *m, struct cy_results *results)
{
    for (size_t i = 0; i < cy_n_cases; i++)
        for (enum cy_op op = 0; op < CY_N_OPS; op++)
            if (cy_cases[i].loops[op] != NULL &&
                cy_case_runs(&cy_cases[i], m->cpu))
                measure(m, &cy_cases[i], op, &results->cases[i][op]);
}

struct cy_results *cy_results_new(void)
{
    struct cy_results *r = memory_new(1, sizeof *r);

    r->cases = memory_new(cy_n_cases, sizeof *r->cases);
    for (size_t i = 0; i < cy_n_cases; i++)
        for (enum cy_op op = 0; op < CY_N_OPS; op++)
            r->cases[i][op].cycles = NAN;
    return r;
}

/* Maps DATA_SIZE bytes, aligned to their size, near an address if that is
   free. */
static char *map_place(uintptr_t near)
{
    char *at = mmap((void *)near, 2 * DATA_SIZE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED)
        memory_exhausted();
    at += -(uintptr_t)at & (DATA_SIZE - 1);
    assert((uintptr_t)at % DATA_SIZE == 0);
    return at;
}

/* --- Sizes of buffers --- */

/* The sizes of the reorder buffer and the store buffer: how many instructions,
   and how many stores, may lie between two that execute at once.

   The loops are chains of square roots that do not depend on each other, with n
   instructions after each.  As long as the buffer holds n, the next chain
   begins before the present one is done; a round takes longer once n is larger
   (H. Wong, Measuring Reorder Buffer Capacity, 2013).

   Other resources, such as registers, may run out before the reorder buffer
   does.  So half of the instructions are moves, which are only renamed where
   that matters, and the others write two kinds of registers by turns.  Nops are
   not used: Zen 4 fuses them.  Rows of one kind of result alone find how many
   registers there are for it.

   Limits:  A buffer that is split between two
   threads of a core has half its size while the other thread is busy. */
#define ROOTS            12   /* roots of a chain, some 200 cycles */
#define CLEAR            1.35 /* rounds that many times longer: a jump */
#define RAMP             10   /* rounds that a jump may take */
#define LEVEL            6 /* rounds that must all lie below or above a jump */
#define LONGEST          192 /* rounds that are tried, each a step longer */
#define ROW_TRIES        4
#define ROW_SAMPLES      5 /* samples of a try */
#define MOST_ROW_SAMPLES 60

/* What follows a chain: the last `n` instructions of a long row, and data. */
struct row {
    uint64_t n;
    void *place;
};

/* A loop of a chain and a row of `total` bodies, each of `bytes` bytes and
   `step` instructions. */
#define ROW_LOOP(name, body, bytes, step, total)                           \
    static void name(uint64_t rounds, void *data)                          \
    {                                                                      \
        const struct row *row = data;                                      \
        static const double value = 1.7;                                   \
                                                                           \
        __asm__ volatile(                                                  \
            "lea 3f(%%rip), %%r8\n\t"                                      \
            "sub %[skipped], %%r8\n\t"                                     \
            "xor %%ecx, %%ecx\n\t"                                         \
            "movsd %[value], %%xmm2\n\t"                                   \
            ".p2align 6\n"                                                 \
            "1:\n\t"                                                       \
            "movaps %%xmm2, %%xmm0\n\t"                                    \
            ".rept 12\n\tsqrtsd %%xmm0, %%xmm0\n\t.endr\n\t"               \
            "jmp *%%r8\n\t"                                                \
            ".rept " #total "\n\t" body "\n\t.endr\n"                      \
            "3:\n\t"                                                       \
            "dec %[rounds]\n\t"                                            \
            "jnz 1b"                                                       \
            : [rounds] "+r"(rounds)                                        \
            : [skipped] "r"(row->n / step * bytes), [value] "m"(value),    \
              "D"(row->place)                                              \
            : "rcx", "rdx", "r8", "xmm0", "xmm2", "xmm4", "cc", "memory"); \
    }
#define MOVE "mov %%rcx, %%rdx\n\t"
ROW_LOOP(instructions,
         MOVE "lea 1(%%rcx), %%rdx\n\t" MOVE "paddd %%xmm2, %%xmm4", 14, 4, 192)
ROW_LOOP(general, "lea 1(%%rcx), %%rdx\n\tlea 1(%%rcx), %%rdx", 8, 2, 192)
ROW_LOOP(vectors, "pshufd $0, %%xmm2, %%xmm4\n\tpshufd $0, %%xmm2, %%xmm4", 10,
         2, 192)
ROW_LOOP(stores, "mov %%ecx, 8(%%rdi)", 3, 1, 192)

/* How much longer the shortest of the LEVEL rounds after i and a ramp is than
   the longest of those before i, if it is a jump; else 0, also if one was not
   measured.  *middle is between the two. */
static double jump_at(const double *rounds, size_t i, double *middle)
{
    double before = 0, after = INFINITY;

    for (size_t j = i - LEVEL; j < i + RAMP + LEVEL; j++)
        if (isnan(rounds[j]))
            return 0;
        else if (j < i)
            before = fmax(before, rounds[j]);
        else if (j >= i + RAMP)
            after = fmin(after, rounds[j]);
    *middle = sqrt(before * after);
    return after > CLEAR * before ? after - before : 0;
}

/* The last of several jumps may be less clear, but is the longest: then a chain
   waits for all of the one before. */
size_t cy_jump(const double *rounds, size_t n)
{
    double most = 0, middle = NAN, at_best = NAN;
    size_t best = SIZE_MAX;

    for (size_t i = LEVEL; i + RAMP + LEVEL <= n; i++) {
        double longer = jump_at(rounds, i, &middle);

        if (longer > most) {
            most = longer;
            at_best = middle;
            best = i;
        }
    }
    if (best == SIZE_MAX)
        return SIZE_MAX;
    while (best < n && rounds[best] < at_best)
        best++;
    return best - 1;
}

/* The number of instructions in the longest row before the jump; 0: no jump is
   clear.  Disturbed rounds are longer, so the least of some tries counts. */
static unsigned size_before(struct cy_clock *clock, cy_loop *loop, char *place,
                            unsigned step)
{
    double rounds[LONGEST];
    size_t jump;

    for (size_t i = 0; i < LONGEST; i++)
        rounds[i] = NAN;
    for (size_t i = 0; i < ROW_TRIES * LONGEST; i++) {
        struct row row = {.n = (i % LONGEST + 1) * step, .place = place};
        struct cy_reading reading = cy_clock_measure(
            clock, loop, &row, 0, ROW_SAMPLES, MOST_ROW_SAMPLES);

        rounds[i % LONGEST] = fmin(rounds[i % LONGEST], reading.cycles);
    }
    jump = cy_jump(rounds, LONGEST);
    return jump == SIZE_MAX ? 0 : (unsigned)(jump + 1) * step;
}

static void measure_buffers(struct cy_window *window, struct cy_clock *clock,
                            char *place)
{
    unsigned n = size_before(clock, instructions, place, 4);

    /* About half of the chain has left the buffer, but both jumps, the move and
       the first root of the next chain are in it, too. */
    window->reorder_buffer = n > 0 ? n + ROOTS / 2 + 5 : 0;
    window->store_buffer = size_before(clock, stores, place, 1);
    window->general_results = size_before(clock, general, place, 2);
    window->vector_results = size_before(clock, vectors, place, 2);
}

void cy_measure(struct cy_results *results, const struct cy_cpu *cpu,
                struct cy_clock *clock)
{
    struct measuring m = {.clock = clock,
                          .cpu = cpu,
                          .end = cy_clock_seconds(clock) + MOST_SECONDS};
    unsigned control = _mm_getcsr();

    for (uintptr_t i = 0; i < PLACES; i++)
        m.places[i] = map_place(0x100000000000 + i * 0x3579abc0000);
    _mm_setcsr(control | FLUSH_TO_ZERO);
    for (int i = 0; i < 2 * CY_PASSES; i++) {
        m.again = i >= FIRST_PASSES;
        pass(&m, results);
    }
    measure_buffers(&results->window, clock, m.places[0]);
    _mm_setcsr(control);
    if (clock->n_all > 0)
        results->undisturbed = (double)clock->n_good / clock->n_all;
}

void cy_results_free(struct cy_results *results)
{
    if (results == NULL)
        return;
    free(results->cases);
    free(results);
}

double cy_result_of(const struct cy_results *results, size_t i, enum cy_op op)
{
    const struct cy_case *c = &cy_cases[i];
    double minus =
        c->minus[op] == NULL ? 0 : cy_result_named(results, c->minus[op]);

    assert(i < cy_n_cases && op < CY_N_OPS && c->links > 0);
    return results->cases[i][op].cycles / c->links - minus;
}

double cy_result_named(const struct cy_results *results, const char *name)
{
    size_t i = cy_case_named(name);

    return i < cy_n_cases ? cy_result_of(results, i, CY_COPY) : NAN;
}
