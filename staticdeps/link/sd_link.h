/*
 * sd_link: an executable and its libraries in one address space, as the dynamic
 * linker puts them there.
 *
 * Each object gets a base of its own, and what relocations say of other
 * objects (sd_resolve) becomes part of what memory holds before the program
 * runs.  So calls through the procedure linkage table, pointers to functions
 * and data of other objects need no more than the memory that a walk reads.
 *
 * What the resolver of an IFUNC would choose depends on the processor.  Where
 * the linker would put its choice there is a mark, which names the resolver.
 * A mark also stands for the address of a function that no object defines, but
 * that the table of libraries describes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_LINK_H
#define SD_LINK_H

#include "decode/sd_blocks.h"
#include "elf/sd_contents.h"
#include "elf/sd_dynamic.h"
#include "link/sd_library.h"

/* No address has that bit: the mark of the resolver at the rest of it. */
#define SD_IFUNC_MARK (UINT64_C(1) << 62)

struct sd_linked {
    struct sd_image image;
    struct sd_dynamic dynamic;
    uint64_t base; /* is added to its addresses */
    size_t first_block, n_blocks;
};

struct sd_link {
    const struct sd_library *library; /* the caller's; NULL: none */
    struct sd_linked *objects;
    size_t n_objects, room;

    /* All of them, when they are joined; sections, symbols and blocks in the
       objects' order. */
    struct sd_image image; /* it borrows from theirs */
    struct sd_blocks blocks;
    bool *wanted; /* by block */
    size_t wanted_room;
    struct sd_contents contents;
    uint64_t *resolvers; /* of IFUNCs; sorted */
    size_t n_resolvers, resolvers_room;
};

/* Can the object be one of theirs?  One executable can, and libraries of its
   architecture. */
bool sd_link_takes(const struct sd_link *link, const struct sd_image *image,
                   const struct sd_dynamic *dynamic);

/* Takes over an object and its blocks, and leaves them empty.  `wanted` says of
   each block whether its pairs are. */
void sd_link_add(struct sd_link *link, struct sd_image *image,
                 struct sd_dynamic *dynamic, struct sd_blocks *blocks,
                 const bool *wanted);

/* Joins them: once, when all are added. */
void sd_link_join(struct sd_link *link);

/* The object of a block. */
size_t sd_link_object(const struct sd_link *link, uint32_t block);

void sd_link_fini(struct sd_link *link);

#endif
