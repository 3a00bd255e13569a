/*
 * sd_chunk: code from an address up to the end of its block, ready to be
 * walked: its operations, and where control goes after them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_CHUNK_H
#define SD_CHUNK_H

#include "flow/sd_program.h"
#include "random/sd_drawn.h"

enum sd_leaving {
    SD_LEAVES_STRAIGHT, /* for to[0] */
    SD_LEAVES_BY_TEST,  /* for to[cond] */
    SD_LEAVES_INDIRECT, /* for `target` */
    SD_LEAVES_BY_CALL,  /* of to[0], and comes back to to[1] */
    SD_LEAVES_BY_INDIRECT_CALL,
    SD_LEAVES_BY_RETURN, /* for `target` */
    SD_LEAVES_NEVER      /* it traps, or cannot be lifted */
};

/* Functions that come back elsewhere, or not at all, by their names. */
enum sd_callee {
    SD_CALLEE_PLAIN,
    SD_CALLEE_SETJMP,
    SD_CALLEE_LONGJMP,
    SD_CALLEE_THROWS, /* its first argument */
    SD_CALLEE_RETHROWS,
    SD_CALLEE_CATCHES, /* it returns what was thrown */
    SD_CALLEE_FINAL    /* it ends the program */
};

struct sd_chunk {
    uint64_t address;
    uint32_t block, n_insns;
    uint32_t site;  /* of the first instruction, less 1 */
    uint32_t loop;  /* the innermost around it; 0: none */
    bool is_header; /* does a loop begin here? */
    struct sd_op *ops;
    struct sd_call *calls;
    struct sd_value *temps; /* constants keep their values */
    size_t n_ops, n_temps;
    int32_t *distances; /* by the imm of loads: what is added to a pointer */

    enum sd_leaving leaving;
    enum sd_callee callee; /* of a call or a tail call of a fixed address */
    uint64_t to[2];
    bool is_doomed[2];     /* does to[i] never come back? */
    bool stays[2];         /* does to[i] lie in the innermost loop? */
    uint32_t cond, target; /* temporaries */
    uint32_t test;         /* the operation that makes `cond`, plus 1 */
    bool is_const;         /* is the test's second operand a constant? */
    uint64_t pad;          /* where exceptions of its call land; 0: nowhere */
    const struct sd_model *model; /* of a direct call; NULL: it has code, or is
                                     unknown */
    struct sd_chunk_walks *walks; /* what walks note about it */
};

/* All chunks of a program, each made when it is first asked for. */
struct sd_chunks;

/* The chunk that begins at an address; NULL: no instruction begins there. */
struct sd_chunk *sd_chunks_at(struct sd_chunks *chunks, uint64_t address);

static inline bool sd_chunk_calls(const struct sd_chunk *c)
{
    return c->leaving == SD_LEAVES_BY_CALL ||
           c->leaving == SD_LEAVES_BY_INDIRECT_CALL;
}

#endif
