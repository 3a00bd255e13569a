/* oracle_cas: did a compare-and-swap succeed?  lackey shows a store either
   way.  The branch after it tells: `jne` is taken if it failed. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ORACLE_CODE 16 /* bytes of code; x86 instructions have at most 15 */

/* The kinds of instructions that matter here. */
enum oracle_kind {
    ORACLE_OTHER,
    ORACLE_CAS,
    ORACLE_JE,
    ORACLE_JNE,
    ORACLE_MOV,
    ORACLE_BIT, /* a bit test of a register: lackey shows accesses that only
                   VEX makes */
    ORACLE_EXCLUSIVE /* a store-exclusive of AArch64: lackey shows loads that
                        only VEX makes */
};

enum oracle_kind oracle_cas_kind(const unsigned char code[ORACLE_CODE]);

/* What to do with a store that was held back. */
enum oracle_verdict {
    ORACLE_WAIT,   /* no store is held back, or the branch did not come yet */
    ORACLE_DONE,   /* the store happened */
    ORACLE_FAILED, /* the store did not happen */
    ORACLE_UNSURE  /* the instructions after the store do not tell */
};

/* A store that waits for its verdict.  All zero: none. */
struct oracle_cas {
    bool waits;
    enum oracle_kind branch; /* ORACLE_OTHER until a branch was executed */
    uint64_t next;           /* address of the instruction after the branch */
};

/* Begins to wait for a verdict; none may be due already. */
void oracle_cas_begin(struct oracle_cas *cas);

/* Takes the instruction that is executed next. */
enum oracle_verdict oracle_cas_step(struct oracle_cas *cas, uint64_t address,
                                    uint64_t length, enum oracle_kind kind);
