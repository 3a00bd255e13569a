/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/sd_rounds.h"

void sd_rounds_init(struct sd_rounds *r, const struct loops *loops,
                    const struct sd_node *nodes, size_t n_blocks)
{
    *r = (struct sd_rounds){.loops = loops,
                            .nodes = nodes,
                            .seen = memory_new(loops->n + 1, sizeof *r->seen),
                            .entries =
                                memory_new(loops->n + 1, sizeof *r->entries)};
    r->list = memory_grow(NULL, &r->room, 0, sizeof *r->list);
    r->list[SD_NO_ROUND] = (struct sd_round){0};
    for (size_t i = 0; i < n_blocks; i++)
        if (nodes[i].is_header)
            r->seen[nodes[i].loop].n_headers++;
}

void sd_rounds_fini(struct sd_rounds *r)
{
    free(r->seen);
    free(r->entries);
    free(r->list);
    *r = (struct sd_rounds){0};
}

void sd_rounds_begin(struct sd_rounds *r, uint32_t walk)
{
    r->walk = walk;
    r->n = 0;
    r->now = SD_NO_ROUND;
}

/* Leaves the innermost loop: if `is_ended`, for a block outside, otherwise
   because the frame ends. */
static void leave(struct sd_rounds *r, bool is_ended)
{
    const struct sd_round *now = &r->list[r->now];
    struct sd_rounds_seen *seen = &r->seen[now->loop];

    assert(r->now != SD_NO_ROUND && now->outer < r->now);
    if (seen->walk != r->walk) {
        seen->walk = r->walk;
        seen->most = seen->most_cut = 0;
        seen->least = UINT32_MAX;
    }
    if (is_ended && now->is_known) {
        if (seen->most <= now->number)
            seen->most = now->number + 1;
        if (seen->least > now->number)
            seen->least = now->number + 1;
    } else if (seen->most_cut <= now->number) {
        seen->most_cut = now->number + 1;
    }
    r->now = now->outer;
}

void sd_rounds_leave_all(struct sd_rounds *r)
{
    while (r->now != SD_NO_ROUND)
        leave(r, false);
}

static uint32_t add(struct sd_rounds *r, const struct sd_round *round)
{
    uint32_t number = (uint32_t)++r->n;

    assert(round->outer < number && round->run < number && round->loop != 0);
    if (r->n >= r->room)
        r->list = memory_grow(r->list, &r->room, r->n, sizeof *r->list);
    r->list[number] = *round;
    if (round->run == SD_NO_ROUND)
        r->list[number].run = number;
    return number;
}

/* Begins a run of a loop.  The numbers of its rounds are not known if control
   comes to the middle of the loop. */
static void enter(struct sd_rounds *r, uint32_t frame, uint32_t loop,
                  bool is_known)
{
    r->now = add(r, &(struct sd_round){.outer = r->now,
                                       .loop = loop,
                                       .frame = frame,
                                       .is_known = is_known});
}

void sd_rounds_arrive(struct sd_rounds *r, uint32_t frame, uint32_t block,
                      bool is_begin)
{
    const struct sd_node *node = &r->nodes[block];
    bool is_header = is_begin && node->is_header;
    const struct sd_round *now = &r->list[r->now];

    for (; r->now != SD_NO_ROUND; now = &r->list[r->now]) {
        if (now->frame > frame)
            leave(r, false);
        else if (now->frame == frame && !loops_hold(r->loops, now->loop, block))
            leave(r, true);
        else
            break;
    }
    if (r->now != SD_NO_ROUND && now->frame == frame &&
        now->loop == node->loop) {
        if (is_header)
            sd_rounds_skip(r, 1);
        return;
    }
    uint32_t loop =
        r->now != SD_NO_ROUND && now->frame == frame ? now->loop : 0;
    while (loop != node->loop) { /* enter the loops down to that of the block */
        loop = loops_child(r->loops, loop, node->loop);
        enter(r, frame, loop, is_header && loop == node->loop);
    }
}

void sd_rounds_skip(struct sd_rounds *r, uint32_t rounds)
{
    struct sd_round next = r->list[r->now];

    assert(r->now != SD_NO_ROUND);
    next.number += rounds;
    r->now = add(r, &next);
}

void sd_rounds_lose(struct sd_rounds *r)
{
    struct sd_round now = r->list[r->now];

    assert(r->now != SD_NO_ROUND);
    leave(r, false);
    enter(r, now.frame, now.loop, false);
}

uint32_t sd_rounds_ahead(struct sd_rounds *r, uint32_t round, uint32_t rounds)
{
    const struct sd_round *from = &r->list[round], *last = &r->list[r->n];

    assert(round <= r->n);
    if (round == SD_NO_ROUND || from->run != r->list[r->now].run)
        return SD_NO_ROUND;
    if (last->run == from->run && last->number == from->number + rounds)
        return (uint32_t)r->n;
    struct sd_round next = *from;
    next.number += rounds;
    return add(r, &next);
}

/* Goes through the loops of the frame that hold both places, innermost first.
   Runs of an inner loop can be compared, since each begins at round 0. */
bool sd_rounds_since(const struct sd_rounds *r, uint32_t frame, uint32_t then,
                     struct sd_nest *nest)
{
    const struct sd_round *a = &r->list[then], *b = &r->list[r->now];

    assert(then <= r->n && r->now <= r->n);
    while (a->frame == frame && b->frame == frame && a->loop != b->loop)
        if (r->loops->list[a->loop].depth > r->loops->list[b->loop].depth)
            a = &r->list[a->outer];
        else
            b = &r->list[b->outer];
    if (a->frame != frame || b->frame != frame || a->loop == 0)
        return false;
    uint32_t depth = r->loops->list[a->loop].depth;
    if (depth == 0 || depth > SD_MOST_LEVELS)
        return false;
    nest->n = depth;
    nest->loop = a->loop;
    for (; depth > 0; a = &r->list[a->outer], b = &r->list[b->outer]) {
        if (a->frame != frame || b->frame != frame || a->loop != b->loop ||
            r->seen[a->loop].n_headers != 1 ||
            (a->run != b->run && !(a->is_known && b->is_known && depth > 1)))
            return false;
        depth--;
        nest->run = b->run;
        nest->at[depth] = b->number;
        nest->rounds[depth] = (int32_t)(b->number - a->number);
    }
    return true;
}

/* Has a loop, or a loop around it, a run that did not end? */
static bool is_cut(const struct sd_rounds *r, uint32_t loop)
{
    for (; loop != 0; loop = r->loops->list[loop].parent)
        if (r->seen[loop].walk == r->walk && r->seen[loop].most_cut > 0)
            return true;
    return false;
}

uint32_t sd_rounds_most(const struct sd_rounds *r, uint32_t loop)
{
    const struct sd_rounds_seen *seen = &r->seen[loop];

    if (seen->walk != r->walk || seen->most == 0 ||
        seen->most_cut > seen->most ||
        (seen->least != seen->most && is_cut(r, loop)))
        return UINT32_MAX;
    return seen->most;
}

void sd_rounds_note_entry(struct sd_rounds *r, uint32_t frame, uint32_t header,
                          uint32_t from, uint64_t time)
{
    uint32_t loop = r->nodes[header].loop;
    struct sd_entry_of_loop *e = &r->entries[loop];

    assert(r->nodes[header].is_header && loop != 0);
    if (e->walk != r->walk || e->frame != frame || from == UINT32_MAX ||
        !loops_hold(r->loops, loop, from))
        *e = (struct sd_entry_of_loop){
            .walk = r->walk, .frame = frame, .entered = time};
    e->header = header;
    e->last = time;
}

uint32_t sd_rounds_reentered(const struct sd_rounds *r, uint32_t frame,
                             uint32_t block, uint64_t time)
{
    for (uint32_t i = r->nodes[block].loop; i != 0;
         i = r->loops->list[i].parent) {
        const struct sd_entry_of_loop *e = &r->entries[i];

        assert(e->entered <= e->last);
        if (e->walk == r->walk && e->frame == frame && e->entered <= time)
            return e->last > time ? e->header + 1 : 0;
    }
    return 0;
}
