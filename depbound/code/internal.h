/* internal: the parts of cy_code. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "code/cy_code.h"
#include "binary/objfile.h"

/* cy_origin: a block of the function whose register values are traced. */
struct cy_origin_block {
    uint32_t block;             /* block number in cy_data */
    struct cy_code_insn *insns; /* instructions; NULL: not read yet */
    size_t n;
    uint32_t next[2]; /* successors in its function, or CY_NO_BLOCK */
    size_t visit;     /* the last search that reached its end ... */
    int64_t moved;    /* ... and what was added up to there */
};

/* The function of the last query, kept for the next one. */
struct cy_origins {
    struct cy_named {
        uint64_t name;  /* hash of object and function, without ".cold" */
        uint32_t block; /* block number in cy_data */
    } * named; /* the blocks of functions, by both; NULL: no query yet */
    size_t n_named, named_room;
    const char *function; /* its name; NULL: no query yet */
    uint32_t object;
    struct cy_origin_block *blocks;
    size_t n_blocks, blocks_room;
    uint32_t entry;  /* block with the function's entry */
    bool is_tangled; /* some paths through it are not known */
    size_t visit;
};
void cy_origins_fini(struct cy_origins *origins);

/* A point before an instruction of one of the function's blocks. */
struct cy_point {
    uint32_t block;
    size_t insn;
};

/* Finds an address in the blocks of its function; false if it is in none. */
bool cy_origins_find(struct cy_code *code, uint32_t object, uint64_t address,
                     struct cy_point *point);
const struct cy_code_insn *cy_origins_insn(struct cy_code *code,
                                           struct cy_point point);

/* The only value that a register may have at a point. */
struct cy_origin {
    bool is_entry;        /* is it the value at the function's entry? */
    struct cy_point made; /* else the instruction that wrote the value */
    unsigned put;         /* the index of the write in `made` */
    int64_t moved;        /* added since then, at the first time */
    uint64_t stride;      /* multiples of this are added in loops; 0: none */
};

/* Finds a register's value at a point; false if it is not known, or not
   unique. */
bool cy_origin_of(struct cy_code *code, struct cy_point point, unsigned word,
                  struct cy_origin *origin);

/* The registers that a callee may overwrite, once found. */
struct cy_callee {
    uint32_t object;
    uint64_t entry; /* FLOW_NOWHERE if the callee is not known */
    struct flow_sources overwritten;
};

struct cy_callees {
    struct cy_callee *list; /* callees, sorted */
    size_t n, room;
};

struct cy_code {
    const struct cy_data *data;
    struct disasm *disasm;
    enum disasm_syntax syntax; /* syntax of instructions in reports */
    struct objfile **files;    /* files by object; NULL: not opened yet */
    struct cy_origins origins;
    struct cy_callees callees;
};

/* The file of an object; NULL with *d set if it cannot be opened. */
struct objfile *cy_code_file(struct cy_code *code, uint32_t object,
                             struct diag *d);

/* The text of the source line of an address, and the column of the address in
   it; NULL as for cy_code_source(). */
const char *cy_code_text(struct cy_code *code, uint32_t object,
                         uint64_t address, int *column);
