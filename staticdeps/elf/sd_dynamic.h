/*
 * sd_dynamic: what the dynamic linker reads of an executable or shared library:
 * its symbols with their versions, the libraries it needs, its relocations.
 *
 * Section headers lead to all this, so nothing is read of a file without them.
 * Only relocations of 8 bytes are understood, and none of thread-local storage.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "arch.h"

enum sd_dyntype { SD_DYN_OTHER, SD_DYN_FUNCTION, SD_DYN_IFUNC };

/* A symbol of the dynamic symbol table.  Number 0 stands for no symbol. */
struct sd_dynsym {
    const char *name, *version; /* NULL: none */
    uint64_t value, size;
    enum sd_dyntype type;
    bool is_defined;
    bool is_offered;     /* other objects may bind to the symbol */
    bool is_own;         /* hidden or protected: its object always uses it */
    bool is_weak;        /* the symbol may stay undefined */
    bool has_hidden;     /* only references to its version find the symbol */
    uint16_t version_id; /* number of the version in the file; 0, 1: none */
};

enum sd_dynkind {
    SD_DYN_UNKNOWN,  /* 8 bytes of unknown value */
    SD_DYN_RELATIVE, /* the object's base + addend */
    SD_DYN_IN_PLACE, /* the object's base + the 8 bytes at the place */
    SD_DYN_ADDRESS,  /* the symbol's address + addend */
    SD_DYN_CALLED,   /* the address of a function, in a slot for calls */
    SD_DYN_RESOLVED, /* the result of the IFUNC resolver at base + addend */
    SD_DYN_COPY      /* the symbol's bytes in another object */
};

struct sd_dynrel {
    uint64_t place;
    int64_t addend;
    uint32_t symbol;
    enum sd_dynkind kind;
};

struct sd_dynamic {
    enum arch arch;
    bool is_linked;   /* an executable or library with section headers */
    bool is_program;  /* an executable */
    bool is_fixed;    /* loaded at the addresses in the file */
    bool is_symbolic; /* references search their own object first */
    bool has_versions;
    uint64_t end;        /* the address after its last segment */
    const char *soname;  /* NULL: none */
    const char **needed; /* sonames of the libraries it needs */
    struct sd_dynsym *symbols;
    struct sd_dynrel *relocations;
    size_t n_needed, n_symbols, n_relocations;
    size_t needed_room, relocations_room;
    char *strings; /* holds the names of symbols and versions */
};

/* Reads the file and leaves out damaged parts.  On failure nothing is left
   open, and sd_dynamic_fini() is harmless. */
int sd_dynamic_read(struct sd_dynamic *dynamic, const char *path,
                    struct diag *d);
void sd_dynamic_fini(struct sd_dynamic *dynamic);
