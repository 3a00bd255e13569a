/*
 * kernel: shared by the C kernels.  Each is a program that computes one thing
 * in a function marked HOT, compares the result with what mathematics says of
 * it, and exits with 0 if it is right, or else prints a line and exits with 1.
 *
 * -DSIZE=... sets the size N; the default gives 10^4 to 10^5 innermost
 * iterations, and `sizes` has others.  A number as the program's argument says
 * how often to compute the same anew.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The size, or `n` if none is given. */
#ifdef SIZE
#define SIZE_OR(n) SIZE
#else
#define SIZE_OR(n) n
#endif

/* Marks a hot function: it is not inlined, so that its loops stay in it. */
#define HOT __attribute__((noinline))

/* An array about which the compiler knows no more than if a caller had passed
   it: it may overlap any other.  This holds for PolyBench's arrays, and for
   most code that is compiled on its own. */
static inline void *kernel_any(void *array)
{
    __asm__("" : "+r"(array));
    return array;
}

/* A value that passes through memory from an earlier round of a loop.  With
   -DBROKEN, the kernel becomes its own twin: it reads another place, which the
   loop does not write.  The twin does the same work, but the chain is broken
   and its result wrong; research/run cycles measures both. */
#ifdef BROKEN
#define LAST(place, other) (other)
#else
#define LAST(place, other) (place)
#endif

/* The i-th number of a fixed sequence, spread evenly over [0, 1): multiples of
   the golden ratio, without their integer parts. */
static inline double kernel_sample(unsigned i)
{
    double x = i * 0.6180339887498949;

    return x - floor(x);
}

/* Fills an array of doubles with kernel_sample's numbers from index `first` on,
   less 1/2.  Returns the index after the last. */
static inline unsigned kernel_fill(void *array, size_t size, unsigned first)
{
    double *to = array;

    for (size_t i = 0; i < size / sizeof(*to); i++)
        to[i] = kernel_sample(first++) - 0.5;
    return first;
}

/* Has all that was checked been right? */
static bool kernel_is_right = true;

static inline void kernel_require(bool is_right)
{
    if (!is_right)
        kernel_is_right = false;
}

/* Checks that a value is nearly what it should be. */
static inline void kernel_expect(double is, double should)
{
    kernel_require(fabs(is - should) <= 1e-9 * (1 + fabs(is) + fabs(should)));
}

/* The sum of a term over an index from 0 to n - 1. */
#define SUM(index, n, term)                       \
    ({                                            \
        double sum_ = 0;                          \
        for (int index = 0; index < (n); index++) \
            sum_ += term;                         \
        sum_;                                     \
    })

/* The number of bytes left of `size` after the first `at`, but at most 1 KiB;
   the compiler does not know it.  Long memcpy and memset become a single `rep
   movsb` or `rep stosb`: in glibc, and in compilers if the length is known.
   Each repetition is an instruction: these could be most of a kernel's. */
static inline size_t kernel_piece(size_t size, size_t at)
{
    size_t piece = size - at < 1024 ? size - at : 1024;

    __asm__("" : "+r"(piece));
    return piece;
}

/* Puts back what a kernel changes, before it is repeated. */
static inline void kernel_restore(void *array, const void *from, size_t size)
{
    for (size_t at = 0; at < size; at += 1024)
        memcpy((char *)array + at, (const char *)from + at,
               kernel_piece(size, at));
}

static inline void kernel_clear(void *array, size_t size)
{
    for (size_t at = 0; at < size; at += 1024)
        memset((char *)array + at, 0, kernel_piece(size, at));
}

/* The number of repetitions from the command line; 1 by default.  0 means to
   compute and to check nothing.  Ends the program if it is not a number. */
static inline unsigned long kernel_repeats(int argc, char **argv)
{
    char *end;
    unsigned long n;

    if (argc < 2)
        return 1;
    n = strtoul(argv[1], &end, 10);
    if (argc == 2 && end != argv[1] && *end == '\0')
        return n;
    fprintf(stderr, "usage: %s [REPEATS]\n", argv[0]);
    exit(2);
}

/* The exit status for main.  A broken twin is not checked. */
static inline int kernel_verdict(const char *name)
{
#ifdef BROKEN
    kernel_is_right = true;
#endif
    if (!kernel_is_right)
        fprintf(stderr, "%s: the result is wrong\n", name);
    return kernel_is_right ? 0 : 1;
}

/* In KERNEL's `fill`: fills an object of doubles with the next such numbers. */
#define FILL(object) (n = kernel_fill(&(object), sizeof(object), n))

/* Defines main: makes the input, computes as often as the command line says,
   and checks the result by check(). */
#define KERNEL(name, fill, ...)                             \
    int main(int argc, char **argv)                         \
    {                                                       \
        unsigned long repeats = kernel_repeats(argc, argv); \
        unsigned n = 0;                                     \
                                                            \
        fill;                                               \
        (void)n;                                            \
        for (unsigned long i = 0; i < repeats; i++) {       \
            __VA_ARGS__;                                    \
        }                                                   \
        if (repeats > 0)                                    \
            check();                                        \
        return kernel_verdict(name);                        \
    }
