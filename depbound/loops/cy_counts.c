/*
 * cy_counts: how often each edge of the graph was taken, as far as the
 * executions of blocks tell.
 *
 * What leaves a block by one edge does not leave it by the other, and what
 * comes to a block by one edge is at most what executed there, less what came
 * by the others.  The bounds of each edge are narrowed by those of its
 * neighbours until none changes.
 *
 * Limits: where branches join other branches, blocks may not tell more than
 * bounds.  An execution that a signal or an exit ended counts as if it had gone
 * on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "loops/internal.h"

/* What one pass leaves open, the next ones narrow; more hardly do. */
#define MOST_PASSES 16

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static void begin(struct cy_finder *f, uint32_t block)
{
    struct cy_node *node = &f->nodes[block];

    for (int j = 0; j < 2; j++)
        if (node->next[j] != CY_NO_BLOCK)
            node->most[j] =
                least_of(cy_heat(f, block), cy_heat(f, node->next[j]));
}

/* Narrows the bounds of the edges from a block: each has at least what the
   other cannot have.  False: it had. */
static bool narrow_after(struct cy_finder *f, uint32_t block)
{
    struct cy_node *node = &f->nodes[block];
    bool changed = false;

    for (int j = 0; j < 2 && !node->has_other; j++) {
        uint64_t least =
            least_of(node->most[j], less(cy_heat(f, block), node->most[!j]));

        if (node->next[j] == CY_NO_BLOCK || least <= node->least[j])
            continue;
        node->least[j] = least;
        changed = true;
    }
    return changed;
}

/* Narrows the bounds of the edges to a block. */
static bool narrow_before(struct cy_finder *f, uint32_t block)
{
    uint64_t least = cy_come_to(f, block, false);
    bool changed = false;

    for (uint32_t i = f->first_before[block]; i < f->first_before[block + 1];
         i++) {
        struct cy_node *node = &f->nodes[f->before[i]];
        int j = cy_edge_to(f, f->before[i], block);
        uint64_t most = less(cy_heat(f, block), less(least, node->least[j]));

        /* Counts that do not fit tell nothing. */
        if (most >= node->most[j] || most < node->least[j])
            continue;
        node->most[j] = most;
        changed = true;
    }
    return changed;
}

uint64_t cy_come_to(const struct cy_finder *f, uint32_t block, bool most)
{
    uint64_t n = 0;

    for (uint32_t i = f->first_before[block]; i < f->first_before[block + 1];
         i++) {
        const struct cy_node *node = &f->nodes[f->before[i]];
        int j = cy_edge_to(f, f->before[i], block);

        n += most ? node->most[j] : node->least[j];
    }
    return n;
}

void cy_count_edges(struct cy_finder *f)
{
    uint32_t n = (uint32_t)f->data->n_blocks;
    bool changed = f->data->has_executions;

    for (uint32_t i = 0; i < n && changed; i++)
        begin(f, i);
    for (int pass = 0; pass < MOST_PASSES && changed; pass++) {
        changed = false;
        for (uint32_t i = 0; i < n; i++)
            changed |= narrow_after(f, i);
        for (uint32_t i = 0; i < n; i++)
            changed |= narrow_before(f, i);
    }
}
