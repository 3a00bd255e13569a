/*
 * sd_program_lookup: finds the block of an address or of an instruction, the
 * routine of a block or an address, the routines that are parts of others, and
 * the landing pads of exceptions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "flow/sd_program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

uint32_t sd_program_block(const struct sd_program *p, uint64_t address)
{
    size_t section = sd_sections_find(&p->sections, address), first;
    const struct sd_block *blocks = p->blocks->blocks;

    if (section == SD_NO_SECTION)
        return SD_NO_BLOCK;
    first = p->cfg->first[section];
    if (first == p->cfg->first[section + 1])
        return SD_NO_BLOCK;
    return (uint32_t)array_bisect(first + 1, p->cfg->first[section + 1], i,
                                  blocks[i].address <= address) -
           1;
}

uint32_t sd_program_block_of(const struct sd_program *p, uint32_t site)
{
    const struct sd_block *blocks = p->blocks->blocks;
    size_t block = array_bisect(1, p->n_blocks, i, blocks[i].first < site) - 1;

    assert(site != 0);
    while (blocks[block].n_insns == 0)
        block--; /* skip blocks without instructions */
    return (uint32_t)block;
}

uint32_t sd_program_whole(const struct sd_program *p, uint32_t block)
{
    uint32_t routine = p->routine_of[block];

    return routine == SD_NO_ROUTINE ? routine : p->routines[routine].whole;
}

uint32_t sd_program_routine(const struct sd_program *p, uint64_t address)
{
    uint32_t block = sd_program_block(p, address), routine;

    if (block == SD_NO_BLOCK)
        return SD_NO_ROUTINE;
    routine = p->routine_of[block];
    return routine != SD_NO_ROUTINE && p->routines[routine].start == address
               ? routine
               : SD_NO_ROUTINE;
}

bool sd_program_is_function(const struct sd_program *p, uint64_t address)
{
    uint32_t routine = sd_program_routine(p, address);

    return routine != SD_NO_ROUTINE && p->routines[routine].whole == routine;
}

/* Parts of routines. */

#define MANY (UINT32_MAX - 1) /* routines */

/* How control reaches a routine's start. */
struct arrival {
    uint32_t jumper;     /* the only routine that jumps there, or MANY */
    bool is_conditional; /* one of the jumps is conditional */
    bool is_called;
};

static struct arrival *find_arrivals(const struct sd_program *p)
{
    struct arrival *arrivals = memory_new(p->n_routines + 1u, sizeof *arrivals);

    for (uint32_t i = 0; i < p->n_routines; i++)
        arrivals[i].jumper = SD_NO_ROUTINE;
    for (uint32_t i = 0; i < p->n_blocks; i++) {
        const struct sd_block *block = &p->blocks->blocks[i];
        uint32_t from = p->routine_of[i], to;
        struct arrival *a;

        if (!block->last.has_target || from == SD_NO_ROUTINE)
            continue;
        to = sd_program_routine(p, block->last.target);
        if (to == SD_NO_ROUTINE || to == from)
            continue;
        a = &arrivals[to];
        if (block->last.is_call) {
            a->is_called = true;
            continue;
        }
        a->is_conditional |= !block->last.is_last;
        if (a->jumper != from)
            a->jumper = a->jumper == SD_NO_ROUTINE ? from : MANY;
    }
    return arrivals;
}

struct by_name {
    const char *name;
    uint32_t routine;
};

static int compare_names(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Longer names are ignored: many may share millions of bytes. */
#define LONGEST_NAME 4096

static bool has_short_name(const struct sd_routine *r)
{
    return r->name != NULL &&
           strnlen(r->name, LONGEST_NAME + 1) <= LONGEST_NAME;
}

/* The routine with the part's name up to the dot, or SD_NO_ROUTINE. */
static uint32_t by_name(const struct by_name *names, size_t n, const char *name,
                        const char *dot)
{
    struct by_name key, *found;
    char *whole = memory_text(name);

    whole[dot - name] = '\0';
    key.name = whole;
    found = bsearch(&key, names, n, sizeof key, compare_names);
    free(whole);
    return found != NULL ? found->routine : SD_NO_ROUTINE;
}

/* Is it a stub of the linkage table?  They all jump to the table's beginning,
   which is not a part of any. */
static bool is_stub(const struct sd_routine *r)
{
    return has_short_name(r) && strstr(r->name, "@plt") != NULL;
}

/* The function that a routine without a name is a part of, or SD_NO_ROUTINE. */
static uint32_t by_jump(const struct sd_program *p, uint32_t routine,
                        const struct arrival *a)
{
    const struct sd_image *image = p->image;
    bool has_frame;

    if (a->is_called || a->jumper >= p->n_routines ||
        is_stub(&p->routines[a->jumper]))
        return SD_NO_ROUTINE;
    has_frame = array_find(&p->routines[routine].start, image->parts,
                           image->n_parts, array_by_number) != NULL;
    return has_frame || a->is_conditional ? a->jumper : SD_NO_ROUTINE;
}

/* Makes parts of parts into parts of the whole. */
static void shorten(struct sd_program *p)
{
    for (uint32_t i = 0; i < p->n_routines; i++) {
        uint32_t whole = p->routines[i].whole;

        for (unsigned k = 0; k < 8 && p->routines[whole].whole != whole; k++)
            whole = p->routines[whole].whole;
        if (p->routines[whole].whole != whole)
            p->routines[i].whole = i; /* a circle */
        else
            p->routines[i].whole = whole;
    }
}

void sd_program_join_parts(struct sd_program *p)
{
    struct by_name *names = memory_new(p->n_routines + 1u, sizeof *names);
    struct arrival *arrivals = find_arrivals(p);
    size_t n = 0;

    for (uint32_t i = 0; i < p->n_routines; i++)
        if (has_short_name(&p->routines[i]))
            names[n++] = (struct by_name){p->routines[i].name, i};
    array_sort(names, n, compare_names);
    for (uint32_t i = 0; i < p->n_routines; i++) {
        const char *name = p->routines[i].name, *dot;
        uint32_t whole = SD_NO_ROUTINE;

        dot = has_short_name(&p->routines[i]) ? strstr(name, ".cold") : NULL;
        if (dot != NULL) /* several functions may have that name */
            whole = arrivals[i].jumper < p->n_routines
                        ? arrivals[i].jumper
                        : by_name(names, n, name, dot);
        else if (name == NULL && p->routines[i].n > 0)
            whole = by_jump(p, i, &arrivals[i]);
        if (whole != SD_NO_ROUTINE)
            p->routines[i].whole = whole;
    }
    shorten(p);
    free(arrivals);
    free(names);
}

uint64_t sd_program_landing(const struct sd_program *p, uint64_t call)
{
    const struct sd_landing *l = p->image->landings;
    size_t end = array_bisect(0, p->image->n_landings, i, l[i].start <= call);

    return end > 0 && call < l[end - 1].end ? l[end - 1].pad : 0;
}
