/*
 * changed: shared by programs that compare the bytes that a system call really
 * changes with the bytes that depsim takes for changed.
 *
 * A case X stores a value to each byte of a window (store_X), makes a call, and
 * looks which bytes have changed.  It does so with two values: a byte that the
 * kernel writes cannot equal both.  The second time it loads each byte
 * (load_X): one occurrence of the dependency on store_X is expected for each
 * byte that kept both values, and the case prints their number.  Bytes that the
 * case itself puts into the window for the call, by PREPARED, are left out on
 * both sides.
 *
 * A case is skipped if this machine or Valgrind cannot make its call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALONE  __attribute__((noinline, noclone))
#define WINDOW 4096

static struct {
    char before[64];
    char window[WINDOW] __attribute__((aligned(64)));
} changed_area;

/* The window, to which a call is to write. */
#define AT (changed_area.window)

static unsigned char changed_value; /* the value that was stored this time */
static char changed_given[WINDOW];  /* content of the window before the call */
static char changed[WINDOW];        /* 1: by the call or by the case */

/* Notes what the case has put into the window. */
static void changed_begin(void)
{
    memcpy(changed_given, AT, WINDOW);
}

static void changed_end(void)
{
    for (int i = 0; i < WINDOW; i++)
        changed[i] |= AT[i] != changed_given[i] ||
                      changed_given[i] != (char)changed_value;
}

static void changed_print(const char *name)
{
    int n = 0;

    for (int i = 0; i < WINDOW; i++)
        n += !changed[i];
    printf("%s %d\n", name, n);
    fflush(stdout);
}

/* The cases, in the order of their definitions. */
static void (*changed_cases[100])(void);

static void changed_run(void)
{
    for (int i = 0; i < 100; i++)
        if (changed_cases[i] != NULL)
            changed_cases[i]();
}

/* A case: `prepare` is a statement that runs before the call; `call` is
   negative if the call failed.  Both run twice. */
#define CHANGED(name, prepare, call)                            \
    ALONE static void store_##name(volatile char *p)            \
    {                                                           \
        for (int i = 0; i < WINDOW; i++)                        \
            p[i] = (char)changed_value;                         \
    }                                                           \
    ALONE static void load_##name(const volatile char *p)       \
    {                                                           \
        for (int i = 0; i < WINDOW; i++)                        \
            (void)p[i];                                         \
    }                                                           \
    static void case_##name(void)                               \
    {                                                           \
        memset(changed, 0, WINDOW);                             \
        for (int i = 0; i < 2; i++) {                           \
            changed_value = i == 0 ? 0x5a : 0xa5;               \
            if (i == 0)                                         \
                memset(AT, changed_value, WINDOW);              \
            else                                                \
                store_##name(AT);                               \
            prepare;                                            \
            changed_begin();                                    \
            errno = 0;                                          \
            if ((long)(call) < 0) {                             \
                printf("%s skip %s\n", #name, strerror(errno)); \
                return;                                         \
            }                                                   \
            changed_end();                                      \
        }                                                       \
        load_##name(AT);                                        \
        changed_print(#name);                                   \
    }                                                           \
    __attribute__((constructor)) static void add_##name(void)   \
    {                                                           \
        changed_cases[__COUNTER__] = case_##name;               \
    }

/* A case of the system call of its name, for which nothing is prepared. */
#define CALLED(name, ...) CHANGED(name, , syscall(SYS_##name, __VA_ARGS__))

/* Puts a value into the window. */
#define PUT(offset, value) memcpy(AT + (offset), &(value), sizeof(value))
