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

/* sd_library: a table that describes what functions of other files do.

   A line of the table describes one function: what it writes, what it returns,
   which of its arguments it calls, or that it never returns.  The built-in
   table is libraries.txt; lines of the user's file are added, or replace its
   lines.

       LINE   = NAME [CLAUSE]...            # with a comment
       CLAUSE = writes(TO [,SIZE])          the bytes become unknown
              | copies(TO,FROM,SIZE)
              | fills(TO,BYTE,SIZE)
              | returns(TERM)
              | calls(FUNCTION [,TERM]...)  the terms are its arguments
              | never                       the function does not return
              | unknown                     as if there were no line
       TERM   = N | N+N | N*N               argument N, from 1 on
              | #NUMBER
              | fresh                       memory that nothing else points to
              | same [N]                    the same memory in each call with
                                            the same argument N
              | in N                        somewhere in the object of pointer N
              | ? */

enum sd_term_kind {
    SD_TERM_UNKNOWN,
    SD_TERM_ARGUMENT,
    SD_TERM_SUM,
    SD_TERM_PRODUCT,
    SD_TERM_NUMBER,
    SD_TERM_FRESH,
    SD_TERM_SAME,
    SD_TERM_INSIDE
};

struct sd_term {
    enum sd_term_kind kind;
    uint8_t a, b; /* numbers of arguments, from 1 on; 0: none */
    uint64_t number;
};

enum sd_effect_kind { SD_WRITES, SD_COPIES, SD_FILLS };

struct sd_effect {
    enum sd_effect_kind kind;
    struct sd_term to, from, size; /* with SD_FILLS, `from` is the byte */
};

#define SD_MOST_EFFECTS 4
#define SD_MOST_TERMS   6 /* the most terms of a clause */

struct sd_model {
    char *name;
    size_t line; /* number among all lines that were read */
    bool is_unknown;
    bool never; /* the function does not return */
    struct sd_effect effects[SD_MOST_EFFECTS];
    unsigned n_effects;
    struct sd_term result;
    struct sd_term calls[SD_MOST_TERMS]; /* a function, then its arguments */
    unsigned n_calls;                    /* 0: no function is called */
};

struct sd_library {
    struct sd_model *models; /* sorted by name */
    size_t n, room;
    size_t n_lines;
};

/* Reads the built-in table. */
void sd_library_init(struct sd_library *library);
/* Adds the lines of a file.  The message of an error names file and line. */
int sd_library_read(struct sd_library *library, const char *path,
                    struct diag *d);
void sd_library_fini(struct sd_library *library);

/* The bit that makes a number the mark of a function: no address has it set. */
#define SD_LIBRARY_MARK (UINT64_C(1) << 61)
static inline uint64_t sd_library_mark(const struct sd_library *library,
                                       const struct sd_model *model)
{
    return SD_LIBRARY_MARK | (uint64_t)(model - library->models) << 4;
}

/* The model of a function, or NULL if the table does not describe the function.
   An @ ends the name, so a version is ignored. */
const struct sd_model *sd_library_find(const struct sd_library *library,
                                       const char *name);

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
