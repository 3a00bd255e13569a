/*
 * sd_ifunc: what the resolver of an IFUNC may choose.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_ifunc.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

#define MOST_CANDIDATES 64 /* of a resolver; glibc's have up to 20 */

static void add(struct sd_ifuncs *f, size_t first, uint64_t address)
{
    for (size_t i = first; i < f->n_candidates; i++)
        if (f->candidates[i] == address)
            return;
    if (f->n_candidates - first == MOST_CANDIDATES)
        return;
    f->candidates = memory_grow(f->candidates, &f->room, f->n_candidates,
                                sizeof *f->candidates);
    f->candidates[f->n_candidates++] = address;
}

/* Constants of a chunk that was never run are all that is known in it. */
static void look(struct sd_ifuncs *f, const struct sd_chunk *c, size_t first,
                 uint32_t resolver)
{
    for (size_t i = 0; i < c->n_ops; i++) {
        const struct sd_op *op = &c->ops[i];
        uint32_t operands[3] = {op->a, op->b, op->c};

        for (unsigned k = 0; k < 3; k++) {
            struct sd_drawn v = sd_drawn_known(0);
            uint32_t routine;

            if (sd_op_is(op, SD_READS_A << k))
                v = c->temps[operands[k]];
            if (!sd_drawn_is_known(v) || v.bits == 0)
                continue;
            routine = sd_program_routine(f->program, v.bits);
            if (routine != SD_NO_ROUTINE && routine != resolver)
                add(f, first, v.bits);
        }
    }
}

static void look_at_resolver(struct sd_ifuncs *f, struct sd_chunks *chunks,
                             uint64_t address)
{
    const struct sd_program *p = f->program;
    uint32_t routine = sd_program_routine(p, address);
    size_t first = f->n_candidates;

    if (routine == SD_NO_ROUTINE)
        return;
    for (uint32_t i = 0; i < p->routines[routine].n; i++) {
        uint32_t block = p->routines[routine].first + i;
        const struct sd_chunk *c =
            sd_chunks_at(chunks, p->blocks->blocks[block].address);

        if (c != NULL)
            look(f, c, first, routine);
    }
}

void sd_ifuncs_init(struct sd_ifuncs *f, struct sd_chunks *chunks)
{
    const struct sd_program *p = chunks->program;

    *f = (struct sd_ifuncs){.program = p};
    f->first = memory_new(p->n_resolvers + 1, sizeof *f->first);
    for (size_t i = 0; i < p->n_resolvers; i++) {
        look_at_resolver(f, chunks, p->resolvers[i]);
        f->first[i + 1] = f->n_candidates;
    }
}

void sd_ifuncs_fini(struct sd_ifuncs *f)
{
    free(f->candidates);
    free(f->first);
    *f = (struct sd_ifuncs){.program = NULL};
}

uint64_t sd_ifuncs_choose(const struct sd_ifuncs *f, uint64_t mark,
                          uint64_t key)
{
    const struct sd_program *p = f->program;
    uint64_t resolver = mark & ~SD_IFUNC_MARK;
    size_t low = 0, high = p->n_resolvers, n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (p->resolvers[middle] < resolver)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == p->n_resolvers || p->resolvers[low] != resolver)
        return 0;
    n = f->first[low + 1] - f->first[low];
    return n > 0 ? f->candidates[f->first[low] + sd_random(key, mark) % n] : 0;
}
