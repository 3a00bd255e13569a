/*
 * sd_resolve: finds the definition of a symbol in several objects, as the
 * dynamic linker does.  Pure.
 *
 * Objects are searched in the order in which they are loaded: the executable,
 * then the libraries that it needs, breadth first, by their sonames; then
 * objects that no other needs, in the order of the command line.  The first
 * definition counts, weak or not.  Symbols that are hidden or protected, and
 * those of a library that was linked with -Bsymbolic, are searched in their own
 * object first.  (System V ABI, "Shared Object Dependencies"; for versions,
 * glibc's elf/dl-lookup.c.)
 *
 * Limits: libraries that are preloaded or opened by dlopen are unknown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_RESOLVE_H
#define SD_RESOLVE_H

#include "elf/sd_dynamic.h"

#define SD_NO_OBJECT UINT32_MAX

/* The purpose of a reference to a symbol. */
enum sd_purpose {
    SD_FOR_ADDRESS,
    SD_FOR_CALL, /* not the executable's entry in its linkage table */
    SD_FOR_COPY  /* not in the executable */
};

struct sd_definition {
    uint32_t object; /* SD_NO_OBJECT: none */
    uint32_t symbol; /* its number in the object */
};

struct sd_resolver {
    const struct sd_dynamic *const *objects; /* the caller's */
    size_t n_objects;
    uint32_t *order, *rank;  /* objects in the order of loading; its inverse */
    struct sd_offer *offers; /* sorted by name, rank and number */
    size_t n_offers;
};

/* At most one object is an executable. */
void sd_resolver_init(struct sd_resolver *resolver,
                      const struct sd_dynamic *const *objects, size_t n);
void sd_resolver_fini(struct sd_resolver *resolver);

/* The definition of symbol number `symbol` of an object. */
struct sd_definition sd_resolve(const struct sd_resolver *resolver,
                                uint32_t object, uint32_t symbol,
                                enum sd_purpose purpose);

#endif
