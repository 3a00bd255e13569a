/*
 * unwritten: shared by programs with memory that changes without a store.
 *
 * A case X stores to each of n bytes (store_X) and to the bytes before and
 * after them (keep_X), has the n bytes changed, and loads all bytes again
 * (load_X and look_X).  There must be no dependency from store_X to load_X, and
 * one of two occurrences from keep_X to look_X.  In a case kept_X the n bytes
 * do not change: the dependency from store_X to load_X has n occurrences.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALONE __attribute__((noinline, noclone))

/* The value that the cases store. */
static int unwritten_value = 1;

/* Defines functions that only this case uses. */
#define ACCESSES(name, linkage)                                \
    linkage void store_##name(volatile char *p, size_t n)      \
    {                                                          \
        while (n-- > 0)                                        \
            *p++ = (char)unwritten_value;                      \
    }                                                          \
    linkage void load_##name(const volatile char *p, size_t n) \
    {                                                          \
        while (n-- > 0)                                        \
            (void)*p++;                                        \
    }                                                          \
    linkage void keep_##name(volatile char *p)                 \
    {                                                          \
        *p = 1;                                                \
    }                                                          \
    linkage void look_##name(const volatile char *p)           \
    {                                                          \
        (void)*p;                                              \
    }
#define CASE(name) ACCESSES(name, ALONE static)

/* Is `result` the result of a system call, by its number? */
#define CALL(result, ...) (syscall(__VA_ARGS__) == (result))

/* Runs a case, with functions of its own: `happens` is an expression that
   changes the bytes, and is true if it succeeded. */
#define TRY(name, address, n, happens) \
    do {                               \
        ACCESSES(name, ALONE)          \
        char *p_ = (char *)(address);  \
        size_t n_ = (n);               \
                                       \
        store_##name(p_, n_);          \
        keep_##name(p_ - 1);           \
        keep_##name(p_ + n_);          \
        if (!(happens))                \
            unwritten_fails(#name);    \
        load_##name(p_, n_);           \
        look_##name(p_ - 1);           \
        look_##name(p_ + n_);          \
    } while (0)

static inline _Noreturn void unwritten_fails(const char *name)
{
    fprintf(stderr, "%s: %s\n", name, strerror(errno));
    exit(1);
}
