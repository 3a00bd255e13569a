/* Shared by the kernels of forms: a store and a load with a label each, in
   functions that the compiler leaves as they are. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#define APART __attribute__((noipa))

#ifdef __aarch64__
#define STORE_INSN(value, place) "str " value ", " place
#define LOAD_INSN(value, place)  "ldr " value ", " place
#else
#define STORE_INSN(value, place) "movq " value ", " place
#define LOAD_INSN(value, place)  "movq " place ", " value
#endif

#define STORE(label, place, value)                          \
    __asm__ volatile(".L" label ": " STORE_INSN("%1", "%0") \
                     : "=m"(*(place))                       \
                     : "r"((long)(value))                   \
                     : "memory")
#define LOAD(label, place)                                     \
    ({                                                         \
        long value_;                                           \
        __asm__ volatile(".L" label ": " LOAD_INSN("%0", "%1") \
                         : "=r"(value_)                        \
                         : "m"(*(place))                       \
                         : "memory");                          \
        value_;                                                \
    })
