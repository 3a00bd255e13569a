/*
 * sd_walk_resolve: finds a function that an indirect call may lead to.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/internal.h"

/* The last load of a number, or NULL. */
static const struct sd_loaded *origin_of(const struct sd_walker *w,
                                         uint64_t bits)
{
    for (unsigned i = 1; i <= SD_N_LOADS && i <= w->loads.n; i++) {
        const struct sd_loaded *o =
            &w->loads.list[(w->loads.n - i) % SD_N_LOADS];

        if (o->size == 8 && o->bits == bits)
            return o;
    }
    return NULL;
}

#define MOST_ELEMENTS 512

/* The operation of a chunk that makes a temporary, or NULL. */
static const struct sd_op *maker(const struct sd_chunk *c, uint32_t temp)
{
    for (size_t i = c->n_ops; i-- > 0;)
        if (sd_op_is(&c->ops[i], SD_HAS_RESULT) && c->ops[i].dst == temp)
            return &c->ops[i];
    return NULL;
}

/* The beginning of the array from which a drawn index chose the target; 0:
   there is none. */
static uint64_t array_of(const struct sd_chunk *c, unsigned *step)
{
    const struct sd_op *load = maker(c, c->target), *sum, *scaled;
    uint32_t base, index;

    if (load == NULL || load->code != SD_LOAD || load->width != 64)
        return 0;
    sum = maker(c, load->a);
    if (sum == NULL || sum->code != SD_ADD)
        return 0;
    base = c->temps[sum->a].bottom == 0 ? sum->a : sum->b;
    index = base == sum->a ? sum->b : sum->a;
    if (c->temps[base].bottom != 0)
        return 0;
    scaled = maker(c, index);
    *step = 8;
    if (scaled != NULL && scaled->code == SD_SHL &&
        c->temps[scaled->b].bits < 12)
        *step = 1u << c->temps[scaled->b].bits;
    return c->temps[base].bits + (uint64_t)(int64_t)load->disp;
}

/* A random element of an array of functions; 0 if it is not such an array. */
static uint64_t choose_element(struct sd_walker *w, uint64_t array,
                               unsigned step)
{
    uint64_t function, chosen = 0;
    unsigned n = 0;

    while (
        n < MOST_ELEMENTS &&
        sd_contents_word(w->program->contents, array + n * step, &function) &&
        sd_program_is_function(w->program, function))
        n++;
    if (n > 1)
        sd_contents_word(w->program->contents,
                         array + sd_walker_random(w) % n * step, &chosen);
    return chosen;
}

uint64_t sd_walk_resolve(struct sd_walker *w, struct sd_chunk *c)
{
    const struct sd_tables *tables = &w->program->tables;
    uint64_t target = c->temps[c->target].bits;
    const struct sd_loaded *o;
    const struct sd_entry *e;
    uint64_t array, element;
    size_t first, n;
    unsigned step;

    if (!(w->rules & SD_RULE_TABLES))
        return 0;
    /* A drawn index has hit a function. */
    if (sd_program_is_function(w->program, target))
        return target;
    array = array_of(c, &step);
    element = array != 0 ? choose_element(w, array, step) : 0;
    if (element != 0)
        return element;
    o = origin_of(w, target);
    if (o == NULL || !o->is_far)
        return 0;
    n = sd_tables_at(tables, o->distance, &first);
    if (n == 0 || n > SD_MOST_CANDIDATES)
        return 0;
    e = &tables->list[first + sd_walker_random(w) % n];
    sd_walk_replace(w, o->address - (uint64_t)(int64_t)o->distance,
                    sd_known(e->table));
    return e->function;
}
