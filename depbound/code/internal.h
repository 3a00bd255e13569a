/*
 * internal: the parts of cy_code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_CODE_INTERNAL_H
#define CY_CODE_INTERNAL_H

#include "code/cy_code.h"
#include "binary/objfile.h"

/* cy_origins: where the value of a register comes from, within a function. */
struct cy_origin_block {
    uint32_t block;             /* of cy_data */
    struct cy_code_insn *insns; /* NULL: not needed yet */
    size_t n;
    uint32_t next[2]; /* of the function's blocks; CY_NO_BLOCK: none */
    size_t visit;     /* the last search that reached its end ... */
    int64_t moved;    /* ... after this was added */
};

/* The function that was asked about last. */
struct cy_origins {
    const char *function; /* NULL: none yet */
    uint32_t object;
    struct cy_origin_block *blocks;
    size_t n_blocks, blocks_room;
    uint32_t entry;  /* where it begins */
    bool is_tangled; /* not all ways through it are known */
    size_t visit;
};
void cy_origins_fini(struct cy_origins *origins);

/* Before an instruction of one of the function's blocks. */
struct cy_point {
    uint32_t block;
    size_t insn;
};

/* Finds an address among the blocks of its function; false: it is in none. */
bool cy_origins_find(struct cy_code *code, uint32_t object, uint64_t address,
                     struct cy_point *point);
const struct cy_code_insn *cy_origins_insn(const struct cy_code *code,
                                           struct cy_point point);

/* The only value that a register may have at a point. */
struct cy_origin {
    bool is_entry;        /* it has the value that the function began with */
    struct cy_point made; /* else: by this instruction */
    unsigned put;         /* by which of its writes */
    int64_t moved;        /* what was added since then, at first */
    uint64_t stride; /* multiples of it are added again and again; 0: nothing */
};

/* False: it may have several values, or nobody knows. */
bool cy_origin_of(struct cy_code *code, struct cy_point point, unsigned word,
                  struct cy_origin *origin);

/* The greatest number that both are multiples of; 0 if both are 0. */
uint64_t cy_common_divisor(uint64_t a, uint64_t b);

/* cy_callee: what was found of calls. */
struct cy_callee {
    uint32_t object;
    uint64_t entry; /* FLOW_NOWHERE: not known */
    struct flow_sources overwritten;
};

struct cy_callees {
    struct cy_callee *list; /* sorted */
    size_t n, room;
};
void cy_callees_fini(struct cy_callees *callees);

struct cy_code {
    const struct cy_data *data;
    struct disasm *disasm;
    enum disasm_syntax syntax; /* of the reports */
    struct objfile **files;    /* by object; NULL: not opened yet */
    struct cy_origins origins;
    struct cy_callees callees;
};

/* The file of an object; NULL with *d set if it cannot be opened. */
struct objfile *cy_code_file(struct cy_code *code, uint32_t object,
                             struct diag *d);

/* The text of the source line of an address, and its column in it; NULL as
   cy_code_source() says. */
const char *cy_code_text(struct cy_code *code, uint32_t object,
                         uint64_t address, int *column);

#endif
