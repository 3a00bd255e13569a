/*
 * cy_turn: what is known of an executed instruction before its time is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

/* Does control go elsewhere after an instruction of a window? */
static bool is_taken(const struct cy_recipes *recipes,
                     const struct cy_recorded *window, size_t i)
{
    const struct cy_recipe *r = &recipes->list[window->executed[i].insn], *next;

    if (i + 1 >= window->n || window->executed[i + 1].is_apart)
        return true;
    next = &recipes->list[window->executed[i + 1].insn];
    if (next->object == r->object && next->address == r->address + r->length)
        return false;
    if (window->is_unrolled && r->branch == CY_NO_BRANCH)
        return false;
    /* A string instruction is executed once for each round. */
    return r->branch != CY_NO_BRANCH || next != r || window->per_round > 0;
}

struct cy_turn cy_turn_of(const struct cy_recipes *recipes,
                          const struct cy_recorded *window, size_t i)
{
    uint32_t insn = window->executed[i].insn;
    struct cy_turn turn = {.is_taken = is_taken(recipes, window, i)};

    if (i == 0)
        return turn;
    turn.is_round = window->per_round == 0 &&
                    window->executed[i - 1].insn == insn &&
                    recipes->list[insn].branch == CY_NO_BRANCH;
    turn.is_fused = recipes->list[insn].branch == CY_CONDITIONAL &&
                    recipes->list[window->executed[i - 1].insn].fuses;
    return turn;
}
