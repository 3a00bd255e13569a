/*
 * cy_way: the way around a loop that is taken most.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "loops/internal.h"

#include <assert.h>

#include "array.h"

/* Does one block alone lead to this one? */
static bool has_one_predecessor(const struct cy_finder *f, uint32_t block)
{
    return f->first_before[block + 1] - f->first_before[block] == 1;
}

/* How often the branch at the end of a block was taken, as far as the blocks
   tell: a successor without another predecessor was executed as often as the
   branch went to it, and the other successor has the rest.  *follows: how often
   it was not taken. */
static uint64_t taken_of(const struct cy_finder *f, uint32_t block,
                         uint64_t *follows)
{
    uint32_t follower = f->nodes[block].next[0],
             target = f->nodes[block].next[1];
    uint64_t all = cy_heat(f, block), jumps;

    assert(follower != CY_NO_BLOCK && target != CY_NO_BLOCK);
    jumps = cy_heat(f, target);
    *follows = cy_heat(f, follower);
    if (!has_one_predecessor(f, follower) && !has_one_predecessor(f, target))
        return jumps;
    if (!has_one_predecessor(f, follower))
        *follows = all > jumps ? all - jumps : 0;
    else if (!has_one_predecessor(f, target))
        jumps = all > *follows ? all - *follows : 0;
    return jumps;
}

static bool is_apart(const struct cy_finder *f, uint32_t block)
{
    return block < f->first || block > f->last;
}

/* Compilers move unlikely code away from the loop. */
static bool likely_jumps(struct cy_finder *f, uint32_t block, uint32_t follows,
                         uint32_t target)
{
    if (is_apart(f, follows) != is_apart(f, target))
        return is_apart(f, follows);
    return cy_likely_jumps(f, block, follows, target);
}

/* Is the jump at the end of a block taken more often than not? */
static bool is_hotter(struct cy_finder *f, uint32_t block)
{
    const struct cy_node *node = &f->nodes[block];
    uint64_t follows, taken;

    if (!f->data->has_executions)
        return likely_jumps(f, block, node->next[0], node->next[1]);
    taken = taken_of(f, block, &follows);
    return taken > follows;
}

/* The successor that is taken most, if it is the header or not on the way yet;
   CY_NO_BLOCK: there is none. */
static uint32_t hottest_next(struct cy_finder *f, uint32_t block,
                             uint32_t number, struct cy_loop *loop)
{
    const struct cy_node *node = &f->nodes[block];
    bool follows = node->next[0] != CY_NO_BLOCK &&
                   f->in_loop[node->next[0]] == number,
         jumps = node->next[1] != CY_NO_BLOCK &&
                 f->in_loop[node->next[1]] == number;

    if (follows && jumps) {
        /* Compilers tell that code which lies apart is cold. */
        loop->is_way_guessed |=
            !f->data->has_executions &&
            is_apart(f, node->next[0]) == is_apart(f, node->next[1]);
        return node->next[is_hotter(f, block)];
    }
    return follows ? node->next[0] : jumps ? node->next[1] : CY_NO_BLOCK;
}

static uint64_t entries_of(const struct cy_finder *f,
                           const struct cy_body *body, uint32_t number)
{
    uint64_t n = 0;

    for (uint32_t j = f->first_before[body->header];
         j < f->first_before[body->header + 1]; j++)
        if (f->in_loop[f->before[j]] != number)
            n += cy_heat(f, f->before[j]);
    return n;
}

static void append(const struct cy_finder *f, struct cy_loop *loop,
                   size_t *room, uint32_t block)
{
    array_push(loop->blocks, loop->n_blocks, *room, block);
    loop->has_call |= f->nodes[block].calls;
    if (cy_heat(f, block) < loop->rounds)
        loop->rounds = cy_heat(f, block);
}

bool cy_follow(struct cy_finder *f, const struct cy_body *body, uint32_t number,
               struct cy_loop *loop)
{
    uint32_t block = body->header;
    size_t room = 0;

    *loop = (struct cy_loop){.object = f->data->blocks[block].object,
                             .rounds = UINT64_MAX};
    for (size_t i = 0; i < body->n; i++)
        f->in_loop[f->members[body->first + i]] = number;
    assert(f->in_loop[body->header] == number);
    loop->entries = entries_of(f, body, number);
    f->first = f->last = block;
    while (f->first > 0 && f->in_loop[f->first - 1] == number)
        f->first--;
    while (f->last + 1 < f->data->n_blocks && f->in_loop[f->last + 1] == number)
        f->last++;
    do {
        append(f, loop, &room, block);
        if (block != body->header)
            f->in_loop[block] = 0;
        block = hottest_next(f, block, number, loop);
    } while (block != CY_NO_BLOCK && block != body->header);
    if (loop->entries > loop->rounds)
        loop->entries = loop->rounds;
    assert(loop->rounds <= cy_heat(f, body->header));
    if (cy_heat(f, body->header) > 0)
        loop->share_of_path =
            (double)loop->rounds / (double)cy_heat(f, body->header);
    return block == body->header;
}
