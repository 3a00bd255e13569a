/*
 * sd_chunk: code from an address up to the end of its block, ready to be
 * walked.
 *
 * A chunk is a block's trace (sd_trace) that is run once, and what decides
 * where control goes after it.  Chunks are made when a walk first comes to
 * them, and kept; most begin where their block does.  They take a kilobyte
 * each, some hundred times their code, so they are forgotten from time to time,
 * and made again: nothing that they hold lasts longer than a function's walks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_CHUNK_H
#define SD_CHUNK_H

#include "flow/sd_program.h"
#include "run/sd_trace.h"
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

/* What a load has shown last, so that the same is not recorded again. */
struct sd_seen {
    uint32_t src, walk, distance, delta_k, is_again;
};

struct sd_chunk {
    uint64_t address;
    uint32_t block;
    uint32_t n_insns;
    uint32_t loop;  /* the innermost around it; 0: none */
    bool is_header; /* does a loop begin here? */
    uint32_t site;  /* of the first instruction, less 1 */
    struct sd_op *ops;
    struct sd_call *calls;
    struct sd_drawn *temps; /* constants keep their values */
    size_t n_ops, n_temps;
    struct sd_seen *seen; /* by the imm of loads */
    int32_t *distances;   /* the same: what is added to a pointer */

    enum sd_leaving leaving;
    enum sd_callee callee; /* of a call or a tail call of a fixed address */
    uint64_t pad;          /* where exceptions of its call land; 0: nowhere */
    bool is_doomed[2];     /* does to[i] never come back? */
    bool stays[2];         /* does to[i] lie in the innermost loop? */
    bool is_const;         /* is the second operand of its test a constant? */
    bool is_followed[2];   /* is way[i] set? */
    uint32_t cond, target; /* temporaries */
    uint32_t test;         /* the operation that `cond` comes from, plus 1 */
    uint64_t to[2];
    const struct sd_model *model; /* of a direct call; NULL: it has code, or is
                                     unknown */
    struct sd_chunk *way[2];

    /* The walker's. */
    uint32_t walk, visits; /* in that walk */
    uint64_t left; /* when the last call of it returned; UINT64_MAX: not yet */
    uint32_t root, taken[2];                /* in that root's walks */
    uint32_t loop_walk, loop_frame, rounds; /* that are left of a loop */
    struct sd_winding *motion;
};

struct sd_chunks {
    const struct sd_program *program;
    struct sd_trace trace;
    struct sd_chunk **table; /* open addressing */
    unsigned bits;
    size_t n;
    size_t size, most; /* bytes of them, and those that sd_chunks_trim keeps */
};

void sd_chunks_init(struct sd_chunks *chunks, const struct sd_program *program);
void sd_chunks_fini(struct sd_chunks *chunks);

/* Forgets all chunks, if they are too large; between two functions, when nobody
   has one. */
void sd_chunks_trim(struct sd_chunks *chunks);

/* The chunk that begins at the address; NULL: no instruction begins there. */
struct sd_chunk *sd_chunks_at(struct sd_chunks *chunks, uint64_t address);

/* What a routine is by its name. */
enum sd_callee sd_callee_of(const struct sd_program *program, uint32_t routine);

#endif
