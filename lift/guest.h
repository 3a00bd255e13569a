/*
 * guest: VEX's guest of each architecture: where its state holds registers,
 * and what system calls and the ABI of Linux do with them.
 *
 * Offsets are in bytes of the guest's state.  A word is 8 bytes of the state,
 * and has the number offset / 8.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <limits.h>

#include "arch.h"
#include "lift/sd_op.h"

/* The most words of 8 bytes in the guest state of an architecture. */
#define SD_N_WORDS 160

/* The value of a register when a block starts: known, or bottom.  Registers
   that are not listed are random. */
struct sd_initial {
    unsigned offset; /* in the guest state, a multiple of 8 */
    struct sd_value value;
};

/* A set of words. */
struct sd_regset {
    uint64_t bits[(SD_N_WORDS + 63) / 64];
};

static inline void sd_regset_add(struct sd_regset *words, unsigned number)
{
    assert(number < SD_N_WORDS);
    words->bits[number / 64] |= UINT64_C(1) << number % 64;
}

static inline void sd_regset_remove(struct sd_regset *words, unsigned number)
{
    assert(number < SD_N_WORDS);
    words->bits[number / 64] &= ~(UINT64_C(1) << number % 64);
}

static inline void sd_regset_join(struct sd_regset *words,
                                  const struct sd_regset *more)
{
    for (size_t i = 0; i < sizeof words->bits / sizeof words->bits[0]; i++)
        words->bits[i] |= more->bits[i];
}

static inline bool sd_regset_has(const struct sd_regset *words, unsigned number)
{
    assert(number < SD_N_WORDS);
    return (words->bits[number / 64] >> number % 64 & 1) != 0;
}

/* Is `part` a subset of `words`? */
static inline bool sd_regset_includes(const struct sd_regset *words,
                                      const struct sd_regset *part)
{
    for (size_t i = 0; i < sizeof words->bits / sizeof words->bits[0]; i++)
        if (part->bits[i] & ~words->bits[i])
            return false;
    return true;
}

/* Bytes of the state, from `first` up to but not including `end`. */
struct guest_span {
    unsigned first, end;
};

#define GUEST_NO_OFFSET UINT_MAX

struct guest {
    enum arch arch;
    unsigned program_counter, stack_pointer, frame_pointer, thread_pointer;
    unsigned result;              /* where a (system) call returns a value */
    unsigned syscall_clobbers;    /* another register that a system call
                                     overwrites, or GUEST_NO_OFFSET */
    unsigned return_address_size; /* bytes that a return takes from the stack */
    unsigned arguments[9];        /* where a call passes them; ends with 0 */
    struct guest_span general, vectors; /* both kinds of registers */
    struct guest_span flags;            /* of an instruction before: what set
                                           them, and its operands */
    struct guest_span caller_saved[16]; /* by a call; ends with an empty one */
    struct sd_initial initial[16]; /* registers that are not random when a block
                                      starts; ends with GUEST_NO_OFFSET */
    unsigned unread[6];   /* what no chain of dependencies waits for; ends with
                             GUEST_NO_OFFSET */
    bool keeps_halves;    /* writing half of a word keeps the rest at no cost */
    bool relocates_jumps; /* a jump to itself is one of an object file, whose
                             target only a relocation has */
    bool moves_bases;     /* an access may move the register of its address,
                             which then has a pair or a structure's accesses
                             apart */
};

const struct guest *guest_of(enum arch arch);

/* What changes during a call, by the architecture's ABI: the caller-saved
   registers, and the stack pointer, which a return moves above the return
   address. */
struct sd_abi {
    unsigned stack_pointer; /* the stack pointer's word in the guest state */
    unsigned frame_pointer;
    unsigned return_address_size; /* bytes of a return address on the stack */
    struct sd_regset caller_saved;
    unsigned arguments[8]; /* the words of a callee's first arguments */
    unsigned n_arguments;
    unsigned result;     /* the word of a call's result */
    unsigned first, end; /* the words of the general registers */
};

struct sd_abi guest_abi(enum arch arch);

/* Does a call keep a register, by the ABI of Linux?  Other languages and
   systems have other rules: Go's calls keep only the stack pointer. */
bool guest_keeps(enum arch arch, unsigned word);

/* The number in DWARF of a register that addresses are made of; -1: any other
   register. */
int guest_dwarf_register(enum arch arch, unsigned word);

/* Is it the stack pointer, by which any function may address its frame? */
bool guest_is_stack_pointer(enum arch arch, unsigned word);

/* The register from which the variables of a thread are found. */
bool guest_is_thread_pointer(enum arch arch, unsigned word);

/* Finds the words of an AArch64 register by its name, such as "x3" or "v7": *n
   from *first on.  False if the name is another one. */
bool guest_words_a64(const char *name, unsigned *first, unsigned *n);
