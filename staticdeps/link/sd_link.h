/*
 * sd_link: places an executable and its libraries in one address space, as the
 * dynamic linker does.
 *
 * Each object gets a base of its own.  Relocations are resolved (sd_resolve),
 * and their results are part of the memory before the program runs.  So walks
 * follow calls through the procedure linkage table, and pointers to functions
 * and data of other objects, by reading memory.
 *
 * The function that the resolver of an IFUNC chooses depends on the processor;
 * so its address is replaced by a mark, which names the resolver.  A mark also
 * replaces the address of a function that no object defines, but the table of
 * libraries describes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_LINK_H
#define SD_LINK_H

#include "decode/sd_blocks.h"
#include "elf/sd_contents.h"
#include "elf/sd_dynamic.h"
#include "link/sd_library.h"

/* Marks the address of an IFUNC's resolver: no address has that bit. */
#define SD_IFUNC_MARK (UINT64_C(1) << 62)

struct sd_linked {
    struct sd_image image;
    struct sd_dynamic dynamic;
    uint64_t base; /* added to its addresses */
    size_t first_block, n_blocks;
};

struct sd_link {
    const struct sd_library *library; /* the caller's; NULL: none */
    struct sd_linked *objects;
    size_t n_objects, room;

    /* The objects joined; sections, symbols and blocks in the objects' order.
     */
    struct sd_image image; /* borrows from the objects' images */
    struct sd_blocks blocks;
    bool *wanted; /* by block */
    size_t wanted_room;
    struct sd_contents contents;
    uint64_t *resolvers; /* of IFUNCs; sorted */
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

/* Joins the objects; to be called once, after all have been added. */
void sd_link_join(struct sd_link *link);

/* The object of a block. */
size_t sd_link_object(const struct sd_link *link, uint32_t block);

void sd_link_fini(struct sd_link *link);

#endif
