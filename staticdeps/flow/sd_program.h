/*
 * sd_program: the code of an object as walks need it: which block an address
 * lies in, which function a block belongs to, and what never comes back.
 *
 * A function, here a routine, reaches from its start, which a symbol or
 * .eh_frame tells, to the next one.  Parts that the compiler moved away
 * ("f.cold") belong to it.  One without a name is known by its frame, which is
 * no function's entry's, or by a conditional jump: it is never called, and one
 * function alone jumps to it.
 *
 * A block leads on if there is a way from it to a return; a call lies on that
 * way only if the callee leads on, or where exceptions land.  So a function
 * that always ends the program is found through the functions that it calls,
 * also by way of the procedure linkage table, and those that other files define
 * through the table of libraries.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_PROGRAM_H
#define SD_PROGRAM_H

#include "elf/sd_contents.h"
#include "elf/sd_lookup.h"
#include "flow/sd_buckets.h"
#include "flow/sd_cfg.h"
#include "flow/sd_tables.h"
#include "link/sd_link.h"

#define SD_NO_BLOCK   UINT32_MAX
#define SD_NO_ROUTINE UINT32_MAX

struct sd_routine {
    const char *name; /* the image's; NULL: none */
    uint64_t start, end;
    uint32_t first, n; /* its blocks; those of its other parts not included */
    uint32_t whole;    /* the routine that it is a part of, mostly itself */
};

struct sd_program {
    const struct sd_image *image;
    const struct sd_blocks *blocks;
    const struct sd_cfg *cfg;
    const struct sd_contents *contents;
    size_t first_block, n_blocks; /* those of the image among the blocks */
    struct sd_sections sections;
    size_t *first;                 /* by section: its first block */
    struct sd_buckets *by_address; /* by section: its blocks */
    struct sd_buckets by_insn;     /* the blocks, by their first one */
    uint32_t *routine_of;          /* by block; SD_NO_ROUTINE: none */
    struct sd_routine *routines;   /* sorted by section and address */
    uint32_t n_routines;
    uint8_t *leads_on;     /* by block */
    struct sd_stub *stubs; /* sorted; their slots' contents in place of these */
    size_t n_stubs;
    const struct sd_library *library; /* the caller's; NULL: none */
    const uint64_t *resolvers;        /* of IFUNCs; the caller's */
    size_t n_resolvers;
    struct sd_tables tables;
};

/* Of blocks that have nodes in the graph, numbered alike: all of an image. */
void sd_program_init(struct sd_program *program, const struct sd_image *image,
                     const struct sd_blocks *blocks, const struct sd_cfg *cfg,
                     const struct sd_contents *contents,
                     const struct sd_library *library);
void sd_program_fini(struct sd_program *program);

/* The block that the address lies in, or SD_NO_BLOCK. */
uint32_t sd_program_block(const struct sd_program *program, uint64_t address);

/* The block of a site of the walks: the number of an instruction, plus 1. */
uint32_t sd_program_block_of(const struct sd_program *program, uint32_t site);

/* The routine that a block lies in, or the one that this is a part of; or
   SD_NO_ROUTINE. */
uint32_t sd_program_whole(const struct sd_program *program, uint32_t block);

/* The routine that begins at the address, or SD_NO_ROUTINE. */
uint32_t sd_program_routine(const struct sd_program *program, uint64_t address);

/* Does a routine begin there that is no part of another? */
bool sd_program_is_function(const struct sd_program *program, uint64_t address);

/* What is in the slot of the entry of the procedure linkage table at an
   address; 0: there is none, or it is not known. */
uint64_t sd_program_slot(const struct sd_program *program, uint64_t address);

/* The function of the table of libraries whose mark (SD_LIBRARY_MARK) that is;
   NULL: none. */
const struct sd_model *sd_program_model(const struct sd_program *program,
                                        uint64_t address);

/* May a call of that routine come back? */
bool sd_program_returns(const struct sd_program *program, uint32_t routine);

/* Does it never come back, as its name says? */
bool sd_program_is_final(const struct sd_program *program, uint32_t routine);

/* Where an exception lands that leaves a call, an address in which is given; 0:
   nowhere in that function. */
uint64_t sd_program_landing(const struct sd_program *program, uint64_t call);

/* The first step of sd_program_init: which blocks lie where; and its end. */
void sd_program_number_blocks(struct sd_program *program);
void sd_program_forget_blocks(struct sd_program *program);

/* A step of sd_program_init: finds the parts of other routines. */
void sd_program_join_parts(struct sd_program *program);

/* The last step: finds the tables of functions in its data. */
void sd_program_find_tables(struct sd_program *program);

#endif
