/*
 * cy_buffers: sizes of the reorder buffer and the store buffer.
 *
 * Limits: other resources may end before the reorder buffer does, registers for
 * example.  So the instructions take turns: half of them have no result, and
 * those that have one take turns between kinds of registers.  A buffer that is
 * split between two threads of a core has half its size while the other thread
 * is busy.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>

#include "calibrate/internal.h"

#define ROOTS   12   /* of a chain, some 200 cycles */
#define CLEAR   1.35 /* times longer: a jump */
#define RAMP    4    /* rounds that a jump may take */
#define LEVEL   6    /* rounds of which all lie below the jump, or above it */
#define LONGEST 192  /* rounds, each a step longer than the one before */
#define TRIES   4
#define SAMPLES 5 /* of a try */
#define MOST    60

/* Instructions after a chain: the last `n` of a long row. */
struct row {
    uint64_t n;
    void *place;
};

/* A loop over a chain and a row of `total` times `bytes` bytes, whose end is
   `step` instructions each. */
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
#define NOP ".byte 0x0f, 0x1f, 0x40, 0\n\t"
ROW_LOOP(instructions, NOP "lea 1(%%rcx), %%rdx\n\t" NOP "paddd %%xmm2, %%xmm4",
         16, 4, 192)
ROW_LOOP(stores, "mov %%ecx, 8(%%rdi)", 3, 1, 192)

/* How much longer all rounds after i and a ramp are than all before i; NAN: one
   of them could not be measured. */
static double jump_at(const double *rounds, size_t i)
{
    double before = 0, after = INFINITY;

    for (size_t j = i - LEVEL; j < i + RAMP + LEVEL; j++)
        if (isnan(rounds[j]))
            return NAN;
        else if (j < i)
            before = fmax(before, rounds[j]);
        else if (j >= i + RAMP)
            after = fmin(after, rounds[j]);
    return after / before;
}

size_t cy_jump(const double *rounds, size_t n)
{
    double most = CLEAR, middle;
    size_t best = SIZE_MAX;

    for (size_t i = LEVEL; i + RAMP + LEVEL <= n; i++)
        if (jump_at(rounds, i) > most) {
            most = jump_at(rounds, i);
            best = i;
        }
    if (best == SIZE_MAX)
        return SIZE_MAX;
    middle = rounds[best - 1] * sqrt(most);
    while (best < n && rounds[best] < middle)
        best++;
    return best - 1;
}

/* The number of instructions in a row before the jump; 0: none is clear.  What
   disturbs a round makes it longer, so the least of some tries counts. */
static unsigned size_of(struct cy_clock *clock, cy_loop *loop, char *place,
                        unsigned step)
{
    double rounds[LONGEST];
    size_t jump;

    for (size_t i = 0; i < LONGEST; i++)
        rounds[i] = NAN;
    for (size_t i = 0; i < TRIES * LONGEST; i++) {
        struct row row = {.n = (i % LONGEST + 1) * step, .place = place};
        struct cy_reading reading =
            cy_clock_measure(clock, loop, &row, 0, SAMPLES, MOST);

        rounds[i % LONGEST] = fmin(rounds[i % LONGEST], reading.cycles);
    }
    jump = cy_jump(rounds, LONGEST);
    return jump == SIZE_MAX ? 0 : (unsigned)(jump + 1) * step;
}

void cy_buffers_measure(struct cy_window *window, struct cy_clock *clock,
                        char *place)
{
    unsigned n = size_of(clock, instructions, place, 4);

    /* About half of the chain has left, and both jumps, the move and the first
       root of the next chain are in the buffer, too. */
    window->reorder_buffer = n > 0 ? n + ROOTS / 2 + 5 : 0;
    window->store_buffer = size_of(clock, stores, place, 1);
}
