/*
 * sd_chunk: code from an address up to the end of its block, ready to be
 * walked: its operations, and where control goes after them.
 *
 * A chunk is a block's trace (sd_trace) that is run once, and what decides
 * where control goes after it.  Most chunks begin where their block does.  A
 * chunk takes a kilobyte, about a hundred times its code, so all chunks are
 * forgotten from time to time and made again: no function's walks need what
 * earlier ones left there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_CHUNK_H
#define SD_CHUNK_H

#include "program/sd_program.h"
#include "interpret/sd_drawn.h"
#include "keys.h"
#include "interpret/sd_memory.h"
#include "block/sd_trace.h"

enum sd_leaving {
    SD_LEAVES_STRAIGHT, /* for to[0] */
    SD_LEAVES_BY_TEST,  /* for to[cond] */
    SD_LEAVES_INDIRECT, /* for `target` */
    SD_LEAVES_BY_CALL,  /* of to[0], and comes back to to[1] */
    SD_LEAVES_BY_INDIRECT_CALL,
    SD_LEAVES_BY_RETURN, /* for `target` */
    SD_LEAVES_NEVER      /* it traps, or cannot be lifted */
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
    bool is_final; /* does a function that it calls or jumps to end the
                      program? */
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

static inline bool sd_chunk_calls(const struct sd_chunk *c)
{
    return c->leaving == SD_LEAVES_BY_CALL ||
           c->leaving == SD_LEAVES_BY_INDIRECT_CALL;
}

/* What a load has shown last, so that it is not recorded again. */
struct sd_seen {
    uint32_t src, walk, distance, delta_k;
    struct sd_overlap overlap;
    uint8_t is_again;
};

/* What walks note about a chunk. */
struct sd_chunk_walks {
    uint32_t walk, visits;   /* in that walk */
    uint32_t root, taken[2]; /* in that root's walks: ways, by number */
    uint64_t left; /* when its last call returned; UINT64_MAX: not yet */
    uint32_t loop_walk, loop_frame, rounds; /* that are left of a loop */
    bool is_followed[2];                    /* is way[i] known? */
    struct sd_chunk *way[2];
    struct sd_seen *seen; /* by the imm of loads */
    struct sd_loop_test *loop_test;
};

/* All chunks of a program, each made when it is first asked for. */
struct sd_chunks {
    const struct sd_program *program;
    struct sd_trace trace;
    struct sd_chunk **list; /* by number of the address */
    size_t room;
    struct keys addresses;
    size_t size, most; /* their bytes, and those that sd_chunks_trim() keeps */
};

void sd_chunks_init(struct sd_chunks *chunks, const struct sd_program *program);
void sd_chunks_fini(struct sd_chunks *chunks);

/* Forgets all chunks, if they are too large.  Is called between two functions,
   when no other struct refers to a chunk. */
void sd_chunks_trim(struct sd_chunks *chunks);

/* The chunk that begins at an address; NULL: no instruction begins there. */
struct sd_chunk *sd_chunks_at(struct sd_chunks *chunks, uint64_t address);

#endif
