/*
 * cy_dependencies: the dependencies through memory of a loop, each with what it
 * costs a round.
 *
 * A dependency costs what the chain waits for it, if memory limits the loop;
 * any other costs nothing as long as the chain is what it is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "memory.h"
#include "report/internal.h"

static int dependency_order(const void *pa, const void *pb)
{
    const struct cy_dependency *a = pa, *b = pb;

    return array_order(a->load, b->load)
               ?: array_order(a->store, b->store)
               ?: array_order(a->rounds, b->rounds)
               ?: array_order(b->how == CY_FAILED, a->how == CY_FAILED);
}

static bool is_same(const struct cy_dependency *a,
                    const struct cy_dependency *b)
{
    return a->load == b->load && a->store == b->store && a->rounds == b->rounds;
}

static struct cy_dependency of_link(const struct cy_link *l)
{
    return (struct cy_dependency){.store = l->forward.store,
                                  .load = l->to,
                                  .rounds = l->forward.rounds,
                                  .how = l->how,
                                  .forward = &l->forward,
                                  .support = l->support};
}

static struct cy_dependency of_failed(const struct cy_failed *f)
{
    return (struct cy_dependency){.store = f->store,
                                  .load = f->load,
                                  .rounds = f->rounds,
                                  .how = CY_FAILED,
                                  .forward = &f->forward,
                                  .support = f->support};
}

/* Adds what the chain waits for each. */
static void add_costs(const struct cy_cost_of_loop *c,
                      struct cy_dependency *list, size_t n)
{
    const struct cy_chain *chain = cy_report_chain(c);
    double once = 0;

    if (!cy_report_gains(c))
        return;
    for (size_t i = 0; i < chain->n; i++)
        once += chain->links[i].cycles;
    for (size_t i = 0; i < chain->n && once > 0; i++) {
        struct cy_dependency key = of_link(&chain->links[i]);

        if (chain->links[i].wait != CY_WAIT_MEMORY)
            continue;
        for (size_t j = 0; j < n; j++)
            if (is_same(&list[j], &key))
                list[j].cycles += chain->links[i].cycles * chain->cycles / once;
    }
}

struct cy_dependency *cy_report_dependencies(const struct cy_cost_of_loop *c,
                                             size_t *n)
{
    const struct cy_bound *b = &c->bound;
    struct cy_dependency *list =
        memory_new(b->n_passages + b->n_failed, sizeof *list);
    size_t n_all = 0;

    for (size_t i = 0; i < b->n_passages; i++)
        list[n_all++] = of_link(&b->passages[i]);
    for (unsigned i = 0; i < b->n_failed; i++)
        list[n_all++] = of_failed(&b->failed[i]);
    array_sort(list, n_all, dependency_order);
    *n = 0;
    for (size_t i = 0; i < n_all; i++) {
        assert(list[i].store < c->n && list[i].load < c->n);
        if (*n == 0 || !is_same(&list[*n - 1], &list[i]))
            list[(*n)++] = list[i];
    }
    add_costs(c, list, *n);
    return list;
}
