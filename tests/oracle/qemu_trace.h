/*
 * qemu_trace: what QEMU's plugin tells qemu_pairs: words of 64 bits, in the
 * order in which things happen.  The first two are the addresses where the
 * program's code begins and ends.
 *
 * The two uppermost bits are the kind of a word.  The lower 56 are an address;
 * the six bits between are the binary logarithm of a size in bytes: of an
 * access; for an instruction that loads or stores a pair of registers, of each
 * register; and 0 for any other.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <stdint.h>

enum qemu_trace_kind {
    QEMU_TRACE_INSN,  /* an instruction is executed */
    QEMU_TRACE_LOAD,  /* an instruction loads */
    QEMU_TRACE_STORE, /* an instruction stores */
    QEMU_TRACE_CALL /* a system call came back; a word each for its number, four
                       arguments and the result follows */
};

#define QEMU_TRACE_CALL_WORDS 6

static inline uint64_t qemu_trace_word(enum qemu_trace_kind kind,
                                       unsigned shift, uint64_t address)
{
    return (uint64_t)kind << 62 | (uint64_t)shift << 56 |
           (address & (((uint64_t)1 << 56) - 1));
}
