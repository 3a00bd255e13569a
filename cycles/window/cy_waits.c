/*
 * cy_waits: what each instruction of a loop reads from registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "array.h"
#include "memory.h"
#include "window/cy_chain.h"
#include "window/cy_simulate.h"

struct waits {
    const struct cy_cost_of_loop *c;
    struct cy_chain all;
    size_t room;
};

/* The step that wrote each word last, or none, and in which round. */
struct writers {
    uint32_t step[CY_WORDS], rounds[CY_WORDS];
};

static void define(struct writers *w, const struct cy_step *s, uint32_t step)
{
    for (unsigned i = 0; i < CY_WORDS; i++)
        if (cy_sources_has(&s->overwritten, i))
            w->step[i] = CY_NO_INSN;
    for (unsigned i = 0; i < s->insn->flow.n_puts && cy_step_puts(s); i++) {
        w->step[s->insn->flow.puts[i].word] = step;
        w->rounds[s->insn->flow.puts[i].word] = 0;
    }
}

/* Adds the waits of a step for what a value is made of. */
static void add_waits(struct waits *m, const struct writers *w, uint32_t step,
                      const struct cy_sources *from, enum cy_wait wait,
                      double cycles)
{
    for (unsigned i = 0; i < CY_WORDS; i++)
        if (cy_sources_has(from, i) && w->step[i] != CY_NO_INSN)
            array_push(
                m->all.links, m->all.n, m->room,
                cy_plain_link(w->step[i], step, wait, w->rounds[i], cycles));
}

static void add_step(struct waits *m, const struct writers *w, uint32_t step,
                     const struct cy_model *model)
{
    const struct cy_machine *machine = model->machine;
    const struct cy_load_latency *loads = &model->loads;
    const struct cy_step *s = &m->c->steps[step];
    const struct cy_flow *flow = &s->insn->flow;
    double load = cy_step_load_cycles(s, machine, loads), own;

    cy_step_cycles(s, NULL, machine, loads, &own);
    for (unsigned i = 0; i < flow->n_loads; i++)
        add_waits(m, w, step, &flow->loads[i].address, CY_WAIT_ADDRESS, load);
    for (unsigned i = 0; i < flow->n_puts && !cy_step_is_idiom(s, machine); i++)
        add_waits(m, w, step, &flow->puts[i].value, CY_WAIT_REGISTER,
                  flow->puts[i].is_free ? 0 : own);
    for (unsigned i = 0; i < flow->n_stores; i++) {
        add_waits(m, w, step, &flow->stores[i].address, CY_WAIT_DATA, 0);
        add_waits(m, w, step, &flow->stores[i].data,
                  flow->stores[i].data.is_computed ? CY_WAIT_REGISTER
                                                   : CY_WAIT_DATA,
                  flow->stores[i].data.is_computed ? own : 0);
    }
}

/* All waits for registers. */
struct cy_chain cy_waits_of(const struct cy_cost_of_loop *c,
                            const struct cy_model *model)
{
    struct waits m = {.c = c};
    struct writers w;

    for (unsigned i = 0; i < CY_WORDS; i++)
        w.step[i] = CY_NO_INSN;
    for (uint32_t i = 0; i < c->n; i++)
        define(&w, &c->steps[i], i);
    for (unsigned i = 0; i < CY_WORDS; i++)
        w.rounds[i] = 1;
    for (uint32_t i = 0; i < c->n; i++) {
        add_step(&m, &w, i, model);
        define(&w, &c->steps[i], i);
    }
    return m.all;
}
