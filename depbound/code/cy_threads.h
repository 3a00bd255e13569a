/*
 * cy_threads: what passes between threads, by source lines and variables.
 *
 * Values pass where a thread loads what another one stored.  Lines of 64 bytes
 * pass where a thread accesses a line in which another one stored other bytes
 * (doc/schema.md).  What that costs is not modelled.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "code/cy_code.h"

/* Pairs of instructions at the same two places that access the same
   variables. */
struct cy_between {
    char *access, *store;   /* "FILE:LINE", or "OBJECT+0x10" */
    char *variable;         /* the accessed one; NULL: not known */
    char *stored;           /* of lines, the stored variable; NULL: not known */
    uint64_t loads, stores; /* of lines; values are only loaded */
    uint64_t turns; /* lines: the most turns of threads (doc/schema.md) with
                       accesses of one pair */
};

struct cy_betweens {
    struct cy_between *list; /* the most accesses first */
    size_t n, room;
    uint64_t accesses; /* of all pairs, listed or not */
};

/* Accesses of an instruction of an analysed file; it may have several. */
struct cy_between_at {
    uint32_t object; /* of `data` */
    uint64_t address;
    uint64_t loads;    /* of values that another thread stored */
    uint64_t accesses; /* to lines that another thread stored to */
};

struct cy_threads {
    struct cy_between_at *at;
    size_t n_at, at_room;
    struct cy_betweens values, lines;
    uint64_t loads; /* all that read a stored value, of whatever thread */
};

/* Reads what a deps.db says of all files, over the runs of `data`.  `code` is
   that of `data`, of which the most is known.  If functions are asked for
   (cy_data_ask), only pairs with an end in one of them are listed. */
int cy_threads_of(struct cy_threads *threads, const char *deps,
                  const struct cy_data *data, struct cy_code *code,
                  enum disasm_syntax syntax, struct diag *d);
void cy_threads_fini(struct cy_threads *threads);
