/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "block/sd_analyse.h"

/* The most blocks that a search visits: without a limit, the searches for all
   blocks of a huge loop would take quadratic time. */
#define MAX_SEEN 16384

/* How a search reached a block. */
struct sd_trail {
    uint32_t search;
    struct sd_node *from; /* NULL: from the search's first block */
};

void sd_path_init(struct sd_path *path, enum arch arch, uint32_t limit)
{
    *path = (struct sd_path){.arch = arch,
                             .initial = guest_of(arch)->initial,
                             .abi = guest_abi(arch),
                             .limit = limit};
    /* Of two blocks in a row, at least one has instructions. */
    path->longest = limit <= UINT32_MAX / 2 ? 2 * limit + 1 : UINT32_MAX;
}

static void fini_search(struct sd_search *s)
{
    free(s->trails);
    free(s->queue);
}

void sd_path_fini(struct sd_path *path)
{
    free(path->steps);
    fini_search(&path->search);
    fini_search(&path->entry);
    *path = (struct sd_path){0};
}

static bool was_seen(const struct sd_search *s, const struct sd_node *node)
{
    return node->number < s->trails_room &&
           s->trails[node->number].search == s->number;
}

/* Notes that a search reached a block; false if this is not the first time. */
static bool visit(struct sd_search *s, const struct sd_node *node,
                  struct sd_node *from)
{
    size_t room = s->trails_room;

    if (was_seen(s, node))
        return false;
    if (node->number >= room) {
        array_reserve(s, trails, node->number);
        memset(s->trails + room, 0,
               (s->trails_room - room) * sizeof *s->trails);
    }
    s->trails[node->number] = (struct sd_trail){s->number, from};
    return true;
}

/* The goal of a search: one block, any block that returns, or all blocks. */
enum goal { TO_TARGET, TO_RETURN, TO_ALL };

/* Searches breadth first inside a loop, from the successors of `from`.  Returns
   the last block before the target, or the first block that returns; NULL if
   the nearest blocks do not lead to the goal. */
static struct sd_node *search(struct sd_search *s, uint32_t longest,
                              uint32_t loop, struct sd_node *from,
                              enum goal goal, const struct sd_node *target)
{
    const struct loops *loops = &from->cfg->loops;
    size_t n_queued = 0, n_done = 0, n_near = 0;
    uint32_t distance = 0;
    struct sd_node *node = from;

    s->from = from;
    s->graph = from->cfg->serial;
    if (++s->number == 0) {
        memset(s->trails, 0, s->trails_room * sizeof *s->trails);
        s->number = 1;
    }
    for (;;) {
        for (uint32_t i = 0; i < sd_node_n_next(node); i++) {
            struct sd_node *next = sd_node_next(node, i);

            if (next == NULL)
                continue;
            if (goal == TO_TARGET && next == target)
                return node;
            if (!loops_hold(loops, loop, next->number) || !visit(s, next, node))
                continue;
            if (goal == TO_RETURN && next->returns)
                return next;
            if (n_queued == MAX_SEEN)
                return NULL;
            array_reserve(s, queue, n_queued);
            s->queue[n_queued++] = next;
        }
        if (n_done == n_near) { /* all blocks up to this distance are done */
            n_near = n_queued;
            if (n_done == n_queued || distance++ == longest)
                return NULL;
        }
        node = s->queue[n_done++];
    }
}

/* Appends the path that a search found, without its start, up to `last`. */
static void collect(struct sd_path *path, const struct sd_search *s,
                    struct sd_node *last)
{
    const struct sd_node *from = s->from;

    assert(last != NULL && from != NULL);
    for (struct sd_node *node = last; node != from;
         node = s->trails[node->number].from)
        array_append(path, steps, (struct sd_step){.node = node});
    size_t end = path->n_steps;
    for (struct sd_node *node = last; node != from;
         node = s->trails[node->number].from)
        path->steps[--end].node = node;
}

/* Notes where the path enters loops that do not contain the block. */
static void find_inner(struct sd_path *path, const struct sd_node *target)
{
    uint32_t last = 0;

    for (size_t i = 0; i < path->n_steps; i++) {
        const struct sd_node *node = path->steps[i].node;
        uint32_t inner = 0;

        if (node != NULL)
            inner = loops_child(&node->cfg->loops, target->loop, node->loop);
        if (inner != last)
            path->steps[i].inner = inner;
        last = inner;
    }
}

/* Finds the path by a return and a call; first its cheaper part, from entry. */
static bool find_by_call(struct sd_path *path, struct sd_node *node)
{
    struct sd_node *last = NULL, *returning, *entry = node->entry;
    struct sd_search *from_entry = &path->entry;

    if (entry == NULL)
        return false;
    if (entry != node) { /* one search serves all blocks of a function */
        if (from_entry->from != entry || from_entry->graph != node->cfg->serial)
            search(from_entry, path->longest, 0, entry, TO_ALL, NULL);
        if (was_seen(from_entry, node))
            last = from_entry->trails[node->number].from;
        if (last == NULL)
            return false;
    }
    if (!node->returns) {
        returning =
            search(&path->search, path->longest, 0, node, TO_RETURN, NULL);
        if (returning == NULL)
            return false;
        collect(path, &path->search, returning);
    }
    array_append(path, steps, (struct sd_step){.node = NULL});
    if (entry == node)
        return true;
    array_append(path, steps, (struct sd_step){.node = entry});
    collect(path, from_entry, last);
    return true;
}

__attribute__((unused)) static bool leads_to(const struct sd_node *from,
                                             const struct sd_node *to)
{
    for (uint32_t i = 0; i < sd_node_n_next(from); i++)
        if (sd_node_next(from, i) == to)
            return true;
    return false;
}

/* Do the steps lead from a block back to the same block? */
__attribute__((unused)) static bool is_connected(const struct sd_path *path,
                                                 const struct sd_node *node)
{
    const struct sd_node *last = node;

    for (size_t i = 0; i < path->n_steps; i++) {
        const struct sd_node *next = path->steps[i].node;
        bool is_call = next == NULL;

        if (is_call) { /* a return, then the function's first block */
            next = i + 1 < path->n_steps ? path->steps[++i].node : node;
            if (!last->returns || next != node->entry)
                return false;
        } else if (!leads_to(last, next)) {
            return false;
        }
        last = next;
        if (is_call && i + 1 >= path->n_steps && last == node)
            return true;
    }
    return leads_to(last, node);
}

bool sd_path_find(struct sd_path *path, struct sd_node *node)
{
    struct sd_node *last;

    path->n_steps = 0;
    if (node->loop == 0) {
        if (!find_by_call(path, node))
            return false;
    } else {
        last = search(&path->search, path->longest, node->loop, node, TO_TARGET,
                      node);
        if (last == NULL)
            return false;
        collect(path, &path->search, last);
    }
    find_inner(path, node);
    assert(is_connected(path, node));
    return true;
}

/* Can the whole path be lifted, and is it short enough to be appended? */
static bool is_usable(const struct sd_path *path)
{
    uint64_t n_insns = 0;

    for (size_t i = 0; i < path->n_steps; i++) {
        const struct sd_node *node = path->steps[i].node;

        if (node == NULL)
            continue;
        n_insns += node->n_insns;
        if (!sd_summary_of_block(node)->is_liftable || n_insns > path->limit)
            return false;
    }
    return true;
}

/* If the block ends with a call, makes what the callee may change unknown. */
static void add_callee(const struct sd_path *path, struct sd_trace *trace,
                       const struct sd_node *node)
{
    const struct sd_abi *abi = &path->abi;

    if (!node->calls)
        return;
    sd_trace_havoc(trace, &abi->caller_saved, path->initial);
    if (abi->return_address_size > 0)
        sd_trace_advance(trace, abi->stack_pointer, abi->return_address_size);
}

static void add_step(const struct sd_path *path, struct sd_trace *trace,
                     const struct sd_step *step)
{
    const struct sd_insn *insn;

    if (step->node == NULL) {
        sd_trace_reenter(trace, path->initial);
        return;
    }
    if (step->inner != 0) /* all iterations of the loop but the last */
        sd_trace_havoc(
            trace, &sd_summary_of_loop(step->node->cfg, step->inner)->writes,
            path->initial);
    struct sd_lift_cursor cursor = sd_node_begin(step->node);
    while ((insn = sd_lift_next(path->arch, &cursor)) != NULL)
        sd_trace_add(trace, insn, cursor.address);
    add_callee(path, trace, step->node);
}

void sd_path_append(struct sd_path *path, struct sd_trace *trace,
                    struct sd_node *node)
{
    if (sd_node_follows_itself(node))
        return;
    sd_trace_leave(trace);
    if (!sd_path_find(path, node) || !is_usable(path)) {
        sd_trace_havoc(trace, NULL, path->initial);
        return;
    }
    assert(path->n_steps > 0);
    add_callee(path, trace, node);
    for (size_t i = 0; i < path->n_steps; i++)
        add_step(path, trace, &path->steps[i]);
    assert(trace->n_back <= path->limit);
}
