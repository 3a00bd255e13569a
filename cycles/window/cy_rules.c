/*
 * cy_rules: what passages through memory cost.
 *
 * A machine file counts the rounds of a loop between store and load, but a
 * processor sees whether the store is the latest one of its instruction.  In a
 * loop whose code is in the order of its addresses, `rounds` later stores of
 * the instruction mean as many rounds if the store comes first, and one more if
 * the load does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct rule {
    struct cy_asked asked;
    bool is_used, is_found;
    struct cy_cost cost;
};

struct cy_rules {
    const struct cy_machine *machine;
    struct rule *rules;
    size_t room, n; /* room: a power of 2 */
};

struct cy_rules *cy_rules_new(const struct cy_machine *machine)
{
    struct cy_rules *r = memory_new(1, sizeof *r);

    *r = (struct cy_rules){
        .machine = machine, .rules = memory_new(256, sizeof *r->rules), 256, 0};
    return r;
}

void cy_rules_free(struct cy_rules *r)
{
    if (r == NULL)
        return;
    free(r->rules);
    free(r);
}

static bool is_same(const struct cy_asked *a, const struct cy_asked *b)
{
    return a->store == b->store && a->load == b->load &&
           a->relation == b->relation && a->rounds == b->rounds &&
           a->is_inside == b->is_inside && a->is_copy == b->is_copy;
}

static struct rule *slot_of(const struct cy_rules *r,
                            const struct cy_asked *asked)
{
    uint64_t hash = asked->store * UINT64_C(0x9e3779b97f4a7c15);
    size_t i;

    hash = (hash ^ asked->load) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= (uint64_t)asked->relation << 40 ^ (uint64_t)asked->rounds << 44 ^
            (uint64_t)asked->is_inside << 50 ^ (uint64_t)asked->is_copy << 51;
    i = (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (r->room - 1);
    while (r->rules[i].is_used && !is_same(&r->rules[i].asked, asked))
        i = (i + 1) & (r->room - 1);
    return &r->rules[i];
}

static void grow(struct cy_rules *r)
{
    struct rule *old = r->rules;
    size_t n = r->room;

    r->room *= 2;
    r->rules = memory_new(r->room, sizeof *r->rules);
    for (size_t i = 0; i < n; i++)
        if (old[i].is_used)
            *slot_of(r, &old[i].asked) = old[i];
    free(old);
}

static void look_up(const struct cy_rules *r, struct rule *rule,
                    const struct cy_recipes *recipes)
{
    const struct cy_asked *a = &rule->asked;
    const struct cy_recipe *from = &recipes->list[a->store],
                           *to = &recipes->list[a->load];
    const struct cy_flow *stores = &from->step->insn->flow,
                         *loads = &to->step->insn->flow;
    bool store_first = from->address < to->address;
    struct cy_through through = {
        .store = from->step->operands.store,
        .load = to->step->operands.load,
        .relation = a->relation,
        .offset = a->is_inside,
        .delta_k = a->rounds + !store_first,
        .load_op = loads->n_stores == 0 && cy_flow_computes_with_load(loads),
        .store_first = store_first,
        .store_rmw = stores->n_loads > 0,
        .load_rmw = loads->n_stores > 0,
        .self = a->store == a->load,
        .copy = a->is_copy,
        .load_parts = loads->has_parts,
        .store_parts = stores->has_parts,
        .locked =
            from->step->operands.is_locked || to->step->operands.is_locked,
    };

    if (through.delta_k > CY_MOST_ROUNDS)
        through.delta_k = CY_MOST_ROUNDS;
    rule->is_found = r->machine != NULL &&
                     cy_machine_forward(r->machine, &through, &rule->cost);
    if (!rule->is_found)
        rule->cost =
            (struct cy_cost){.how = CY_FORWARDED, .cycles = to->load_cycles};
}

bool cy_rules_find(struct cy_rules *r, const struct cy_recipes *recipes,
                   const struct cy_asked *asked, struct cy_cost *cost)
{
    struct rule *rule;

    if (2 * r->n >= r->room)
        grow(r);
    rule = slot_of(r, asked);
    if (!rule->is_used) {
        *rule = (struct rule){.asked = *asked, .is_used = true};
        look_up(r, rule, recipes);
        r->n++;
    }
    *cost = rule->cost;
    return rule->is_found;
}
