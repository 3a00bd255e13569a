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

#include "elf/sd_image.h"
#include "program/sd_cfg.h"
#include "link/sd_link.h"

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
