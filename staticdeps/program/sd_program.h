/*
 * sd_program: the code of an object, prepared for walks: the block of an
 * address, the function of a block, and which calls never return.
 *
 * A routine extends from its start, given by a symbol, by .eh_frame or by code
 * that refers to it (sd_sweep), to the next start.  A routine may be a part of
 * another one that the compiler moved away ("f.cold").  A part without a name
 * is never called, and only one function jumps to it; its frame, which does not
 * begin like that of an entry, or a conditional jump to it gives it away.
 *
 * A block leads on if there is a path from it to a return.  A call on that path
 * must have a callee that leads on, or a landing pad for exceptions that leads
 * on.  So functions that always end the program are found by the functions they
 * call, also through the procedure linkage table; functions that other files
 * define are found in the table of libraries.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "graph/loops.h"
#include "link/sd_link.h"

/* --- The graph of where control may go from each basic block (sd_cfg) ---

   The known edges are fixed targets of jumps, falling through, and the return
   of a call.  An indirect jump leads to the blocks of its function to which no
   known edge leads, if there are any: the cases of a switch.  Returns have no
   edges, and there are no edges to undecodable bytes.

   A jump into another function is an edge: compilers move the cold parts of a
   function far away, under another name.  A call directly before the start of a
   function has no edge to that start: such a call does not return.

   Compilers align the head of a loop by nops, and jump over them.  Such padding
   has no edges, because it would be one more entry to the loop. */

/* A basic block. */
struct sd_node {
    const struct sd_cfg *cfg;
    uint64_t address;
    const uint8_t *bytes; /* belong to the image */
    const uint8_t *insns; /* lengths of instructions, as in struct sd_blocks */
    uint32_t n_insns;
    uint32_t number;         /* index in the graph's nodes */
    uint32_t loop;           /* the innermost loop around it; 0: none */
    uint32_t n_more;         /* successors in `more` */
    bool is_header;          /* the header of `loop` */
    bool calls;              /* the block ends with a call */
    bool returns;            /* the block ends by leaving the function */
    struct sd_node *entry;   /* first block of the function; NULL: unknown */
    struct sd_node *next[2]; /* the block after it, its target; NULL: none */
    struct sd_node **more;   /* more successors */
};

/* The number of successors of a block, some of which are NULL. */
static inline uint32_t sd_node_n_next(const struct sd_node *node)
{
    return 2 + node->n_more;
}

static inline struct sd_node *sd_node_next(const struct sd_node *node,
                                           uint32_t number)
{
    return number < 2 ? node->next[number] : node->more[number - 2];
}

/* A cursor before the block's first instruction. */
static inline struct sd_lift_cursor sd_node_begin(const struct sd_node *node)
{
    return (struct sd_lift_cursor){.bytes = node->bytes,
                                   .insns = node->insns,
                                   .n_insns = node->n_insns,
                                   .next = node->address};
}

/* Can the block execute twice in a row? */
static inline bool sd_node_follows_itself(const struct sd_node *node)
{
    return node->next[0] == node || node->next[1] == node;
}

/* What a block or a loop writes as a whole.  A summary is computed on its first
   use, and kept as long as the graph. */
struct sd_summary {
    bool is_known;    /* the other fields are set */
    bool is_liftable; /* all instructions of a block can be lifted */
    struct sd_regset writes;
};

struct sd_cfg {
    uint64_t serial;       /* unique in the process */
    struct sd_node *nodes; /* blocks, in their order; then hubs, to which all
                              indirect jumps of a function lead */
    size_t n_nodes;
    size_t *first; /* first block of each section; then the number of blocks */
    size_t *first_grain; /* by section: index in `grains` */
    uint32_t *grains;    /* blocks, for sd_cfg_block() */
    uint8_t *insns;
    struct sd_node **indirect_targets; /* targets, function by function */
    size_t n_indirect_targets;
    struct loops loops;
    enum arch arch;
    struct sd_abi abi;
    struct sd_summary *block_summaries; /* indexed by node */
    struct sd_summary *loop_summaries;
};

/* Builds the graph of all blocks of an image, and sets the nodes of the blocks.
   The caller frees the graph by sd_cfg_free(). */
struct sd_cfg *sd_cfg_new(struct sd_blocks *blocks,
                          const struct sd_image *image);

/* Finds the loops of n blocks, whose numbers are their places in `nodes`, and
   sets the loop of each. */
void sd_cfg_find_loops(struct loops *loops, struct sd_node *nodes, size_t n);

/* Accepts NULL. */
void sd_cfg_free(struct sd_cfg *cfg);

/* The last block that begins at or before an address of a section. */
uint32_t sd_cfg_block(const struct sd_cfg *cfg, size_t section,
                      uint64_t address);

/* What a block may write: what its instructions write and, if it ends with a
   call, what the callee may write. */
const struct sd_summary *sd_summary_of_block(const struct sd_node *node);

/* What a loop may write: what its blocks write, but not the stack pointer,
   which is assumed to be the same in each iteration. */
const struct sd_summary *sd_summary_of_loop(const struct sd_cfg *cfg,
                                            uint32_t number);

/* --- Routines --- */

#define SD_NO_BLOCK   UINT32_MAX
#define SD_NO_ROUTINE UINT32_MAX

/* A word of data that is the address of a function. */
struct sd_entry {
    uint64_t table; /* the address of the table */
    uint64_t function;
    uint32_t offset; /* bytes from the start of the table */
};

/* If more functions are at one offset of tables, the callee stays unknown. */
#define SD_MOST_CANDIDATES 12

struct sd_tables {
    struct sd_entry *list; /* sorted by offset and table */
    size_t n;
};

struct sd_routine {
    const char *name; /* belongs to the image; NULL: no name */
    uint64_t start, end;
    uint32_t first, n; /* blocks, without those of other parts */
    uint32_t whole;    /* the routine that it is a part of, mostly itself */
};

struct sd_program {
    const struct sd_image *image;
    const struct sd_blocks *blocks;
    const struct sd_cfg *cfg;
    const struct sd_contents *contents;
    size_t n_blocks;
    struct sd_sections sections;
    uint32_t *routine_of;        /* by block; SD_NO_ROUTINE: no routine */
    uint32_t *target_of;         /* by block: that of its last instruction's
                                    target, or SD_NO_BLOCK */
    struct sd_routine *routines; /* sorted by section and address */
    uint32_t n_routines;
    uint8_t *leads_on;     /* by block: does the block lead on? */
    struct sd_stub *stubs; /* sorted; `slot` is what the slot contains */
    size_t n_stubs;
    const struct sd_library *library; /* the caller's; NULL: no table */
    const uint64_t *resolvers;        /* of IFUNCs; belong to the caller */
    size_t n_resolvers;
    struct sd_tables tables;
};

/* `blocks` must be all blocks of the image, numbered as their nodes in the
   graph. */
void sd_program_init(struct sd_program *program, const struct sd_image *image,
                     const struct sd_blocks *blocks, const struct sd_cfg *cfg,
                     const struct sd_contents *contents,
                     const struct sd_library *library);
void sd_program_fini(struct sd_program *program);

/* The block that contains an address, or SD_NO_BLOCK. */
uint32_t sd_program_block(const struct sd_program *program, uint64_t address);

/* The block of a site of walks: an instruction's number plus 1. */
uint32_t sd_program_block_of(const struct sd_program *program, uint32_t site);

/* The routine of a block, or SD_NO_ROUTINE; for a part of a routine, the whole
   routine. */
uint32_t sd_program_whole(const struct sd_program *program, uint32_t block);

/* The routine that begins at an address, or SD_NO_ROUTINE. */
uint32_t sd_program_routine(const struct sd_program *program, uint64_t address);

/* Does a routine that is no part of another begin at an address? */
bool sd_program_is_function(const struct sd_program *program, uint64_t address);

/* What the slot of the entry of the procedure linkage table at an address
   contains; 0 if there is no such entry, or the contents are unknown. */
uint64_t sd_program_slot(const struct sd_program *program, uint64_t address);

/* The model of the function whose mark is `address`; NULL: it is no mark. */
const struct sd_model *sd_program_model(const struct sd_program *program,
                                        uint64_t address);

/* May a call of a routine return? */
bool sd_program_returns(const struct sd_program *program, uint32_t routine);

/* Does the table of libraries say that a routine of this name never returns? */
bool sd_program_is_final(const struct sd_program *program, uint32_t routine);

/* The landing pad for exceptions from the call whose bytes contain the address
   `call`; 0 if its function has none for the call. */
uint64_t sd_program_landing(const struct sd_program *program, uint64_t call);

/* Returns the number of entries at an offset, and sets *first to the first. */
size_t sd_tables_at(const struct sd_tables *tables, int64_t offset,
                    size_t *first);

/* Only for sd_program_init(): finds the routines, and which blocks lead on.
   Sections and stubs must be known. */
void sd_program_find_routines(struct sd_program *program);
