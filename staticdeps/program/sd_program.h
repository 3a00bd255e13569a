/*
 * sd_program: the code of an object, prepared for walks: the block of an
 * address, the function of a block, and which calls never return.
 *
 * A routine extends from its start, given by a symbol, by .eh_frame or by code
 * that refers to it (sd_sweep), to the next start.  It may be a part of another
 * one that the compiler moved away ("f.cold").  A part without a name is never
 * called, and only one function jumps to it; it is recognised by its frame,
 * which does not begin like that of an entry, or by a conditional jump.
 *
 * A block leads on if there is a way from it to a return.  A call on that way
 * must have a callee that leads on, or a landing pad for exceptions that does.
 * So functions that always end the program are found by the functions they
 * call, also through the procedure linkage table; those that other files define
 * are found in the table of libraries.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_PROGRAM_H
#define SD_PROGRAM_H

#include "elf/sd_contents.h"
#include "elf/sd_lookup.h"
#include "program/sd_cfg.h"
#include "link/sd_link.h"

#define SD_NO_BLOCK   UINT32_MAX
#define SD_NO_ROUTINE UINT32_MAX

/* The address of a function, in data. */
struct sd_entry {
    uint64_t table; /* the address of the table */
    uint64_t function;
    uint32_t offset; /* in the table, in bytes */
};

/* If more functions stand at one offset, the callee stays unknown. */
#define SD_MOST_CANDIDATES 12

struct sd_tables {
    struct sd_entry *list; /* sorted by offset and table */
    size_t n;
};

struct sd_routine {
    const char *name; /* the image's; NULL: none */
    uint64_t start, end;
    uint32_t first, n; /* its blocks, without those of other parts */
    uint32_t whole;    /* the routine it is a part of; mostly itself */
};

struct sd_program {
    const struct sd_image *image;
    const struct sd_blocks *blocks;
    const struct sd_cfg *cfg;
    const struct sd_contents *contents;
    size_t n_blocks;
    struct sd_sections sections;
    uint32_t *routine_of;        /* by block; SD_NO_ROUTINE: none */
    struct sd_routine *routines; /* sorted by section and address */
    uint32_t n_routines;
    uint8_t *leads_on;     /* by block */
    struct sd_stub *stubs; /* sorted; `slot` is the slot's contents */
    size_t n_stubs;
    const struct sd_library *library; /* the caller's; NULL: none */
    const uint64_t *resolvers;        /* of IFUNCs; the caller's */
    size_t n_resolvers;
    struct sd_tables tables;
};

/* The blocks are all those of an image, and numbered as their nodes in the
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

/* The routine of a block, or SD_NO_ROUTINE; if the routine is a part, the
   whole. */
uint32_t sd_program_whole(const struct sd_program *program, uint32_t block);

/* The routine that begins at an address, or SD_NO_ROUTINE. */
uint32_t sd_program_routine(const struct sd_program *program, uint64_t address);

/* Does a routine begin at the address that is no part of another routine? */
bool sd_program_is_function(const struct sd_program *program, uint64_t address);

/* The contents of the slot that belongs to the entry of the procedure linkage
   table at an address; 0: none, or unknown. */
uint64_t sd_program_slot(const struct sd_program *program, uint64_t address);

/* The model of the function with that mark (SD_LIBRARY_MARK); NULL: none. */
const struct sd_model *sd_program_model(const struct sd_program *program,
                                        uint64_t address);

/* May a call of that routine return? */
bool sd_program_returns(const struct sd_program *program, uint32_t routine);

/* Does the routine never return, according to its name? */
bool sd_program_is_final(const struct sd_program *program, uint32_t routine);

/* The landing pad for exceptions from a call, which contains the address
   `call`; 0: none in that function. */
uint64_t sd_program_landing(const struct sd_program *program, uint64_t call);

/* Returns the number of entries at an offset, and sets *first to the first. */
size_t sd_tables_at(const struct sd_tables *tables, int64_t offset,
                    size_t *first);

/* For sd_program_init(): finds the routines, and which blocks lead on; sections
   and stubs are known. */
void sd_program_find_routines(struct sd_program *program);

#endif
