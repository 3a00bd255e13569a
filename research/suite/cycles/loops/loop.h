/*
 * loop: what every measured loop includes.
 *
 * LOOP(GROUP, NAME) begins a function with one hot loop of n rounds over
 * `data`, and puts it on the list of loops.  The group says what bounds the
 * loop, as its author meant it; what a compiler makes of it can differ:
 *
 *     memory   the latency of a chain through memory
 *     broken   the loop without _broken in its name, with that chain broken and
 *              nothing else changed
 *     fixed    the loop without _fixed or _widened in its name, with one fix of
 *              depbound made; see fixed.c
 *     other    anything else
 *     kernel   a whole program; its rounds are repetitions
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

/* The size of a slot in bytes; not a multiple of 4096, so that loads and stores
   of different slots do not look alike to the processor. */
#define LOOP_SLOT 9536

/* The data: slots of 1,024 doubles from 1 to 2, but slot 3 has ints from 0 to
   255 in random order, and slot 4 the nodes of a list. */
#define LOOP_SLOTS 6
#define SLOT(i)    ((void *)((char *)data + LOOP_SLOT * (i)))

struct node {
    struct node *next;
    long value;
};

typedef void loop_function(long n, void *data);

struct loop {
    const char *group, *name;
    loop_function *run;
};

#define LOOP(group, name)                                         \
    loop_function name;                                           \
    static const struct loop name##_loop = {#group, #name, name}; \
    static const struct loop *const name##_entry                  \
        __attribute__((section("loops"), used)) = &name##_loop;   \
    __attribute__((noinline)) void name(long n, void *data)
