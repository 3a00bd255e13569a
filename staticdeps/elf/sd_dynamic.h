/*
 * sd_dynamic: what the dynamic linker reads of an executable or shared library:
 * its symbols with their versions, the libraries it needs, its relocations.
 *
 * They are found by section headers; a file without these has none.  Only
 * relocations of 8 bytes are understood, and none of thread-local storage.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_DYNAMIC_H
#define SD_DYNAMIC_H

#include "diag.h"
#include "arch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sd_dyntype { SD_DYN_OTHER, SD_DYN_FUNCTION, SD_DYN_IFUNC };

/* A symbol of the dynamic symbol table.  Number 0 stands for no symbol. */
struct sd_dynsym {
    const char *name, *version; /* NULL: none */
    uint64_t value, size;
    enum sd_dyntype type;
    bool is_defined;
    bool is_offered;     /* other objects may bind to it */
    bool is_own;         /* its object always binds to it: hidden, protected */
    bool is_weak;        /* it may stay undefined */
    bool has_hidden;     /* only a reference to this version finds it */
    uint16_t version_id; /* the file's number for it; 0 and 1: none */
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
    bool is_fixed;    /* it is loaded at its own addresses */
    bool is_symbolic; /* its references find its own symbols first */
    bool has_versions;
    uint64_t end;        /* the address after its last segment */
    const char *soname;  /* NULL: none */
    const char **needed; /* other objects' sonames */
    struct sd_dynsym *symbols;
    struct sd_dynrel *relocations;
    size_t n_needed, n_symbols, n_relocations;
    size_t needed_room, relocations_room;
    char *strings; /* all names */
};

/* Reads the file and leaves out damaged parts.  On failure nothing is left
   open, and sd_dynamic_fini() is harmless. */
int sd_dynamic_read(struct sd_dynamic *dynamic, const char *path,
                    struct diag *d);
void sd_dynamic_fini(struct sd_dynamic *dynamic);

#endif
