/*
 * sd_link: places an executable and its libraries in one address space, as the
 * dynamic linker does.
 *
 * Each object gets a base of its own.  Relocations are resolved, and their
 * results are part of the memory before the program runs.  Therefore walks
 * follow calls through the procedure linkage table, and pointers to functions
 * and data of other objects, by reading memory.
 *
 * The function that the resolver of an IFUNC chooses depends on the processor;
 * so the function's address is replaced by a mark, which names the resolver.  A
 * mark also replaces the address of a function that no object defines, but that
 * the table of libraries describes.
 *
 * To find the definition of a symbol, objects are searched in the order in
 * which they are loaded: the executable, then the libraries that it needs,
 * breadth first, by their sonames; then objects that no other object needs, in
 * the order of the command line.  The first definition counts, weak or not.
 * Symbols that are hidden or protected, and those of a library that was linked
 * with -Bsymbolic, are searched in their own object first.  (System V ABI,
 * "Shared Object Dependencies"; for versions, glibc's elf/dl-lookup.c.)
 *
 * Limits: libraries that are preloaded or opened by dlopen are unknown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "decode/sd_blocks.h"
#include "elf/sd_contents.h"
#include "elf/sd_dynamic.h"
#include "link/sd_library.h"

/* The bit that marks an IFUNC's resolver: no address has this bit. */
#define SD_IFUNC_MARK (UINT64_C(1) << 62)

struct sd_linked {
    struct sd_image image;
    struct sd_dynamic dynamic;
    uint64_t base; /* added to the addresses in the object's file */
    size_t first_block, n_blocks;
};

struct sd_link {
    const struct sd_library *library; /* the caller's; NULL: no table */
    struct sd_linked *objects;
    size_t n_objects, room;

    /* The joined objects: sections, symbols and blocks, object by object. */
    struct sd_image image; /* borrows from the objects' images */
    struct sd_blocks blocks;
    bool *wanted; /* for each block: are its pairs wanted? */
    size_t wanted_room;
    /* Which functions of a single object are walked: by block, the instructions
       that it executed, and how many a function needs; NULL: all are. */
    double *executed;
    double least_executed;
    struct sd_contents contents;
    uint64_t *resolvers; /* addresses of resolvers of IFUNCs; sorted */
    size_t n_resolvers, resolvers_room;
};

/* May the object be added?  There may be one executable, and libraries of its
   architecture. */
bool sd_link_takes(const struct sd_link *link, const struct sd_image *image,
                   const struct sd_dynamic *dynamic);

/* Takes over an object and its blocks, and leaves them empty.  `wanted` tells
   for each block whether its pairs are wanted. */
void sd_link_add(struct sd_link *link, struct sd_image *image,
                 struct sd_dynamic *dynamic, struct sd_blocks *blocks,
                 const bool *wanted);

/* Joins the objects; must be called once, after all objects have been added. */
void sd_link_join(struct sd_link *link);

/* The number of the object that contains a block. */
size_t sd_link_object(const struct sd_link *link, uint32_t block);

void sd_link_fini(struct sd_link *link);

/* --- Definitions of symbols --- */

#define SD_NO_OBJECT UINT32_MAX

/* The purpose of a reference to a symbol. */
enum sd_purpose {
    SD_FOR_ADDRESS,
    SD_FOR_CALL, /* an entry of the executable's PLT is no definition */
    SD_FOR_COPY  /* a definition in the executable does not count */
};

struct sd_definition {
    uint32_t object; /* SD_NO_OBJECT: there is no definition */
    uint32_t symbol; /* number in the symbol table of the object */
};

struct sd_resolver {
    const struct sd_dynamic *const *objects; /* belong to the caller */
    size_t n_objects;
    uint32_t *order, *rank;  /* objects in the order of loading; its inverse */
    struct sd_offer *offers; /* sorted by name, rank and symbol number */
    size_t n_offers;
};

/* Prepares a search in n objects, at most one of which is an executable. */
void sd_resolver_init(struct sd_resolver *resolver,
                      const struct sd_dynamic *const *objects, size_t n);
void sd_resolver_fini(struct sd_resolver *resolver);

/* Finds the definition to which symbol number `symbol` of an object refers. */
struct sd_definition sd_resolve(const struct sd_resolver *resolver,
                                uint32_t object, uint32_t symbol,
                                enum sd_purpose purpose);
