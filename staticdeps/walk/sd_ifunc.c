/*
 * sd_ifunc: what the resolver of an IFUNC may choose.
 *
 * A resolver looks at the processor, which is not known here, so it is not run.
 * Its candidates are the functions whose addresses its own code computes, and
 * each walk takes one of those that the walks of the same root took the least.
 * Candidates are not drawn at random: if a few walks drew the same one, the
 * walks of the root would end too early.  A pair within a candidate, or with
 * its caller, has the support of the walks that took it.
 *
 * Limits: candidates that a resolver reads from a table, or whose addresses are
 * computed in a function that it calls, are not seen.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/internal.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"

#define MOST_CANDIDATES 64 /* of a resolver; glibc's have up to 20 */

static void add(struct sd_ifuncs *f, size_t first, uint64_t address)
{
    for (size_t i = first; i < f->n_candidates; i++)
        if (f->candidates[i].address == address)
            return;
    if (f->n_candidates - first == MOST_CANDIDATES)
        return;
    array_push(f->candidates, f->n_candidates, f->room,
               (struct sd_candidate){.address = address});
}

/* Adds the functions whose addresses are constants of a chunk.  In a chunk that
   was never run, nothing else is known. */
static void add_candidates_of(struct sd_ifuncs *f, const struct sd_chunk *c,
                              size_t first, uint32_t resolver)
{
    for (size_t i = 0; i < c->n_ops; i++) {
        const struct sd_op *op = &c->ops[i];
        uint32_t operands[3] = {op->a, op->b, op->c};

        for (unsigned k = 0; k < 3; k++) {
            struct sd_value v = sd_known(0);
            uint32_t routine;

            if (sd_op_is(op, SD_READS_A << k))
                v = c->temps[operands[k]];
            if (!sd_is_known(v) || v.bits == 0)
                continue;
            routine = sd_program_routine(f->program, v.bits);
            if (routine != SD_NO_ROUTINE && routine != resolver)
                add(f, first, v.bits);
        }
    }
}

static void add_candidates(struct sd_ifuncs *f, struct sd_chunks *chunks,
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
            add_candidates_of(f, c, first, routine);
    }
}

void sd_ifuncs_init(struct sd_ifuncs *f, struct sd_chunks *chunks)
{
    const struct sd_program *p = chunks->program;

    *f = (struct sd_ifuncs){.program = p};
    f->resolvers = memory_new(p->n_resolvers + 1, sizeof *f->resolvers);
    for (size_t i = 0; i < p->n_resolvers; i++) {
        f->resolvers[i].first = f->n_candidates;
        add_candidates(f, chunks, p->resolvers[i]);
        f->resolvers[i].n = f->n_candidates - f->resolvers[i].first;
    }
}

void sd_ifuncs_fini(struct sd_ifuncs *f)
{
    free(f->candidates);
    free(f->resolvers);
    *f = (struct sd_ifuncs){.program = NULL};
}

/* The resolver at an address; NULL: none is there. */
static struct sd_ifunc_resolver *resolver_at(struct sd_ifuncs *f,
                                             uint64_t address)
{
    const uint64_t *list = f->program->resolvers;
    const uint64_t *at =
        array_find(&address, list, f->program->n_resolvers, array_by_number);

    return at != NULL ? &f->resolvers[at - list] : NULL;
}

/* The first candidate, from a random one on, of those taken the least. */
static struct sd_candidate *least_taken(const struct sd_ifunc_resolver *r,
                                        struct sd_candidate *candidates,
                                        uint64_t random)
{
    struct sd_candidate *least = &candidates[random % r->n];

    for (size_t i = 1; i < r->n; i++) {
        struct sd_candidate *c = &candidates[(random % r->n + i) % r->n];

        if (c->taken < least->taken)
            least = c;
    }
    return least;
}

uint64_t sd_ifuncs_choose(struct sd_ifuncs *f, uint64_t mark, uint32_t root,
                          uint32_t walk, uint64_t key)
{
    struct sd_ifunc_resolver *r = resolver_at(f, mark & ~SD_IFUNC_MARK);
    struct sd_candidate *candidates, *c;

    if (r == NULL || r->n == 0)
        return 0;
    if (r->root == root && r->walk == walk)
        return r->chosen;
    candidates = &f->candidates[r->first];
    for (size_t i = 0; i < r->n && r->root != root; i++)
        candidates[i].taken = 0;
    c = least_taken(r, candidates, sd_random(key, mark));
    c->taken++;
    r->root = root;
    r->walk = walk;
    r->chosen = c->address;
    return r->chosen;
}
