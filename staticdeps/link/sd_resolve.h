/*
 * sd_resolve: which definition a symbol of one object means, as the dynamic
 * linker finds it.  Pure.
 *
 * Objects are searched in the order in which they are loaded: the executable,
 * then the libraries that it needs, breadth first, by their sonames; then those
 * that nothing here needs, in the order of the command line.  The first
 * definition counts, weak or not.  A symbol that is hidden or protected, and
 * one of a library that was linked with -Bsymbolic, is searched in its own
 * object first.  (System V ABI, "Shared Object Dependencies"; of versions,
 * glibc's elf/dl-lookup.c.)
 *
 * Not known: libraries that are preloaded or opened while the program runs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_RESOLVE_H
#define SD_RESOLVE_H

#include "elf/sd_dynamic.h"

#define SD_NO_OBJECT UINT32_MAX

/* What a symbol is wanted for. */
enum sd_purpose {
    SD_FOR_ADDRESS,
    SD_FOR_CALL, /* an executable's own entry for a function is not meant */
    SD_FOR_COPY  /* nor is the executable */
};

struct sd_definition {
    uint32_t object; /* SD_NO_OBJECT: none */
    uint32_t symbol; /* its number there */
};

struct sd_resolver {
    const struct sd_dynamic *const *objects; /* the caller's */
    size_t n_objects;
    uint32_t *order, *rank;  /* of loading: the objects, and the inverse */
    struct sd_offer *offers; /* sorted by name, rank and number */
    size_t n_offers;
};

/* At most one object is an executable. */
void sd_resolver_init(struct sd_resolver *resolver,
                      const struct sd_dynamic *const *objects, size_t n);
void sd_resolver_fini(struct sd_resolver *resolver);

/* What symbol number `symbol` of an object means. */
struct sd_definition sd_resolve(const struct sd_resolver *resolver,
                                uint32_t object, uint32_t symbol,
                                enum sd_purpose purpose);

#endif
