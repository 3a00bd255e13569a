/*
 * cy_insn: instructions, and values through memory, as a machine file describes
 * them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CYCLES_CY_INSN_H
#define CYCLES_CY_INSN_H

#include <stdbool.h>
#include <stddef.h>

/* The register that a load fills, or a store writes. */
enum cy_class { CY_GENERAL, CY_XMM, CY_YMM, CY_ZMM };

/* How an instruction addresses memory. */
enum cy_addressing {
    CY_BASE,  /* a register and a displacement */
    CY_INDEX, /* with an index register */
    CY_RIP,
    CY_STACK, /* the stack pointer and a displacement */
    CY_PUSH,  /* push, pop, call and ret: the instruction moves the pointer */
};

enum cy_extend { CY_NONE, CY_ZERO, CY_SIGN };

/* How the bytes of a load overlap those of the store. */
enum cy_relation {
    CY_SAME,          /* the same bytes */
    CY_CONTAINED,     /* fewer bytes, all from this store */
    CY_PARTIAL,       /* some bytes from elsewhere, not from a recent store */
    CY_SEVERAL,       /* bytes of several recent stores */
    CY_CROSSING,      /* same or contained, across a line of 64 bytes */
    CY_CROSSING_PAGE, /* same or contained, across a page of 4096 bytes */
};

/* One access to memory. */
struct cy_access {
    enum cy_class class;
    enum cy_addressing addressing;
    unsigned bits;         /* of memory: 8 to 512 */
    enum cy_extend extend; /* of a load: CY_NONE if it fills the register, or
                              is of 32 bits without a sign */
};

/* A value that goes from a store to a load. */
struct cy_through {
    struct cy_access store, load;
    enum cy_relation relation;
    unsigned offset;  /* where the load begins in the store, in bytes */
    int delta_k;      /* iterations from the store to the load; -1: unknown */
    bool load_op;     /* the load's instruction computes with the value, and
                         does not store it */
    bool store_first; /* the store is before the load in the loop's order */
    bool store_rmw;   /* the store is part of an instruction that also loads */
    bool load_rmw;    /* the load is part of one that also stores */
    bool self;        /* both are of the same instruction */
    bool copy;        /* the chain consists of moves alone */
    bool load_parts, store_parts; /* the instruction has several accesses, as
                                     AArch64's pairs have */
    bool locked; /* one of the instructions is atomic, or exclusive */
};

enum cy_how { CY_FORWARDED, CY_RENAMED, CY_FAILED };

/* What a value costs on its way through memory. */
struct cy_cost {
    enum cy_how how;
    double cycles;   /* from the stored value to the loaded one */
    double at_least; /* that each passage with arithmetic needs, from load to
                        load; 0: nothing is known */
    size_t rule;     /* the rule's place in the file, from 0 */
    bool is_guessed; /* the file says that nobody measured it */
};

/* The part of an instruction that computes in registers, without its load or
   store. */
struct cy_insn {
    const char *mnemonic; /* capstone's name, without AT&T's suffix of size */
    const char *form;     /* its operands, as doc/machine.md has them: "rr" */
    unsigned bits;        /* of its widest operand; 0: unknown */
    bool locked;          /* it is atomic */
};

#endif
