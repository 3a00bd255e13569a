/*
 * cy_needed: reads only the observed dependencies that matter to loops: of a
 * large program, these are a tenth.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "chain/cy_predict.h"
#include "read/cy_read.h"

/* Functions that loops call, by their names' addresses. */
struct called {
    uintptr_t *list;
    size_t n_list, list_room;
};

static void add_loop(struct cy_spans *spans, struct called *called,
                     const struct cy_data *data,
                     const struct cy_cost_of_loop *c)
{
    const struct cy_loop *loop = c->loop;

    for (size_t i = 0; i < loop->n_blocks; i++) {
        const struct cy_block *b = &data->blocks[loop->blocks[i]];

        cy_spans_add(spans, (struct cy_span){b->object, b->start, b->end});
    }
    if (loop->outer_end > loop->outer_start)
        cy_spans_add(spans, (struct cy_span){loop->object, loop->outer_start,
                                             loop->outer_end});
    for (uint32_t i = 0; i < c->n && loop->has_call; i++) {
        const char *function =
            cy_function_at(data, loop->object, c->insns[i].flow.called);

        if (function != NULL)
            array_append(called, list, (uintptr_t)function);
    }
}

int cy_needed_read(const struct cy_prediction *p, struct cy_data *data,
                   const char *deps, struct diag *d)
{
    struct cy_spans spans = {0};
    struct called called = {0};
    int rc;

    for (size_t i = 0; i < p->n; i++)
        add_loop(&spans, &called, data, &p->loops[i]);
    array_sort(called.list, called.n_list, array_by_number);
    for (size_t i = 0; i < data->n_blocks; i++) {
        const struct cy_block *b = &data->blocks[i];
        uintptr_t function = (uintptr_t)b->function;

        if (array_find(&function, called.list, called.n_list,
                       array_by_number) != NULL)
            cy_spans_add(&spans, (struct cy_span){b->object, b->start, b->end});
    }
    free(called.list);
    cy_spans_sort(&spans);
    rc = cy_read_observed(data, deps, &spans, d);
    cy_spans_fini(&spans);
    return rc;
}
