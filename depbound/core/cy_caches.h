/*
 * cy_caches: when a line is in the first cache that was not there.
 *
 * A line on its way is shared by all that want it.  As many are on their way at
 * once as the processor keeps track of, and each level hands over one line
 * after the other.  Lines that follow each other up or down are asked for
 * ahead, and come as fast as the level hands them over to such a stream; so are
 * those of an instruction whose addresses are the same number of bytes apart.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "core/cy_reuse.h"

#define CY_LINES_KEPT 256 /* lines on their way that are known, by low bits */
#define CY_STREAMS    16
#define CY_STRIDES    256 /* instructions whose strides are known, likewise */

struct cy_caches {
    const struct cy_memory *memory; /* NULL: all is in the first caches */
    struct cy_coming {
        uint64_t line;
        double time;
        uint32_t asker; /* the instruction that asked for it */
        uint8_t level;
    } coming[CY_LINES_KEPT];
    double misses[CY_MOST_MISSES]; /* when the last ones ended, in a ring */
    unsigned n_misses;
    double next[CY_BEYOND + 1]; /* when a level can hand over a line */
    struct cy_stream {
        uint64_t line; /* its last line */
        int64_t step;
        unsigned n;  /* such steps in a row */
        double time; /* when that line was there */
        uint64_t used;
    } streams[CY_STREAMS];
    uint64_t n_used;
    struct cy_walker {
        uint64_t address; /* its last access */
        int64_t step;
        uint32_t insn, n; /* n: such steps in a row */
        uint32_t n_short; /* steps in a row to the same line or the next */
    } strides[CY_STRIDES];
};

void cy_caches_restart(struct cy_caches *caches,
                       const struct cy_memory *memory);

/* An access of data. */
struct cy_asked_line {
    uint64_t address;
    double time;        /* when it begins */
    uint32_t insn;      /* its instruction */
    uint8_t place;      /* cy_reuse */
    double early;       /* the page and the line were asked for so many cycles
                           before */
    bool is_early;      /* the line was prefetched, as many cycles before as its
                           level takes */
    bool is_page_early; /* its page was looked up by then */
};

/* Does the instruction walk through its data, by short steps if not equal ones?
 */
bool cy_caches_walks(const struct cy_caches *caches, uint32_t insn);

/* When an access has its line, and what it waits for. */
struct cy_arrived {
    double page;    /* when its page is known */
    double there;   /* when the line is there */
    unsigned level; /* that the line comes from; 0: the first cache */
    uint32_t asker; /* the instruction that asked for the line first */
    bool is_new;    /* this access asked for it first */
};
struct cy_arrived cy_caches_line(struct cy_caches *caches,
                                 const struct cy_asked_line *asked);

/* How many cycles code delays what is fetched. */
double cy_caches_code(const struct cy_caches *caches, uint8_t place);
