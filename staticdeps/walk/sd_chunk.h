/*
 * sd_chunk: code from an address up to the end of its block, ready to be
 * walked: its operations, and where control goes after them.
 *
 * A chunk is a block's trace (sd_trace) that is run once, and what decides
 * where control goes after it.  Most chunks begin at the start of their block.
 * A chunk takes a kilobyte, about a hundred times its code, so all chunks are
 * freed from time to time and made again: walks of a function do not need what
 * earlier walks left in chunks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "program/sd_program.h"
#include "interpret/sd_drawn.h"
#include "interpret/sd_memory.h"
#include "block/sd_trace.h"

enum sd_leaving {
    SD_LEAVES_STRAIGHT, /* goes on at to[0] */
    SD_LEAVES_BY_TEST,  /* goes on at to[cond] */
    SD_LEAVES_INDIRECT, /* goes on at `target` */
    SD_LEAVES_BY_CALL,  /* calls to[0], and comes back to to[1] */
    SD_LEAVES_BY_INDIRECT_CALL,
    SD_LEAVES_BY_RETURN, /* goes on at `target` */
    SD_LEAVES_NEVER      /* traps, or cannot be lifted */
};

struct sd_chunk {
    uint64_t address;
    uint32_t block, n_insns;
    uint32_t site;  /* the site of the first instruction, less 1 */
    uint32_t loop;  /* the innermost loop around it; 0: none */
    bool is_header; /* does a loop begin here? */
    struct sd_op *ops;
    struct sd_call *calls;
    struct sd_value *temps; /* constants keep their values */
    size_t n_ops, n_temps;
    int32_t *distances; /* by imm of loads: what is added to a pointer */

    enum sd_leaving leaving;
    bool is_final; /* does a function that the chunk calls or jumps to end the
                      program? */
    uint64_t to[2];
    bool is_doomed[2];     /* does to[i] never come back? */
    bool stays[2];         /* does to[i] lie in the innermost loop? */
    uint32_t cond, target; /* numbers of temporaries */
    uint32_t test;         /* the operation that makes `cond`, plus 1 */
    bool is_const;         /* is the test's second operand a constant? */
    uint64_t pad;          /* where exceptions of the call land; 0: nowhere */
    const struct sd_model *model; /* of the direct callee; NULL: no model */
    struct sd_chunk_walks *walks; /* what walks note about the chunk */
};

static inline bool sd_chunk_calls(const struct sd_chunk *c)
{
    return c->leaving == SD_LEAVES_BY_CALL ||
           c->leaving == SD_LEAVES_BY_INDIRECT_CALL;
}

/* The pair that a load has shown last, so that it is not recorded again. */
struct sd_seen {
    uint32_t src, walk, distance, delta_k;
    struct sd_overlap overlap;
    uint8_t is_again;
};

/* What walks note about a chunk. */
struct sd_chunk_walks {
    uint32_t walk, visits;   /* the last walk here, and its visits */
    uint32_t root, taken[2]; /* how often to[i] was taken in walks of `root` */
    uint64_t left; /* when its call last returned; UINT64_MAX: not yet */
    uint32_t loop_walk, loop_frame, rounds; /* rounds that are left of a loop */
    bool is_followed[2];                    /* is way[i] set? */
    struct sd_chunk *way[2];
    struct sd_seen *seen; /* indexed by the imm of loads */
    struct sd_loop_test *loop_test;
};

/* All chunks of a program, each made when first asked for. */
struct sd_chunks {
    const struct sd_program *program;
    struct sd_trace trace;
    struct sd_chunk **list; /* indexed by the number of the address */
    size_t room;
    struct keys addresses;
    size_t size, most; /* bytes of all chunks, and the most to keep */
};

void sd_chunks_init(struct sd_chunks *chunks, const struct sd_program *program);
void sd_chunks_fini(struct sd_chunks *chunks);

/* Frees all chunks, if they take too many bytes.  Must be called between the
   walks of two functions, when nothing else refers to a chunk. */
void sd_chunks_trim(struct sd_chunks *chunks);

/* The chunk that begins at an address; NULL if no instruction begins there. */
struct sd_chunk *sd_chunks_at(struct sd_chunks *chunks, uint64_t address);
