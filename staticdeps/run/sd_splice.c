/*
 * sd_splice: appends the back path of a block to its trace.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_splice.h"

#include <assert.h>
#include <string.h>

void sd_splice_init(struct sd_splice *splice, enum arch arch, uint32_t limit)
{
    *splice = (struct sd_splice){.arch = arch,
                                 .initial = guest_initial(arch),
                                 .abi = guest_abi(arch),
                                 .limit = limit};
    /* At least one of two blocks in a row has instructions. */
    splice->path.longest = limit <= UINT32_MAX / 2 ? 2 * limit + 1 : UINT32_MAX;
}

void sd_splice_fini(struct sd_splice *splice)
{
    sd_path_fini(&splice->path);
}

/* Can the whole path be lifted, and is it short enough? */
static bool is_usable(const struct sd_splice *splice)
{
    const struct sd_path *path = &splice->path;
    uint64_t n_insns = 0;

    for (size_t i = 0; i < path->n_steps; i++) {
        const struct sd_node *node = path->steps[i].node;

        if (node == NULL)
            continue;
        n_insns += node->n_insns;
        if (!sd_summary_of_block(node)->is_liftable || n_insns > splice->limit)
            return false;
    }
    return true;
}

/* If the block ends with a call, adds what the callee changes. */
static void add_callee(const struct sd_splice *splice, struct sd_trace *trace,
                       const struct sd_node *node)
{
    const struct sd_abi *abi = &splice->abi;

    if (!node->calls)
        return;
    sd_trace_havoc(trace, &abi->caller_saved, splice->initial);
    if (abi->return_address_size > 0)
        sd_trace_advance(trace, abi->stack_pointer, abi->return_address_size);
}

static void add_step(const struct sd_splice *splice, struct sd_trace *trace,
                     const struct sd_step *step)
{
    const struct sd_insn *insn;
    struct sd_lift_cursor cursor;

    if (step->node == NULL) {
        sd_trace_reenter(trace, splice->initial);
        return;
    }
    if (step->inner != 0) /* all iterations of the loop but the last */
        sd_trace_havoc(
            trace, &sd_summary_of_loop(step->node->cfg, step->inner)->writes,
            splice->initial);
    cursor = sd_node_begin(step->node);
    while ((insn = sd_lift_next(splice->arch, &cursor)) != NULL)
        sd_trace_add(trace, insn, cursor.address);
    add_callee(splice, trace, step->node);
}

void sd_splice_add(struct sd_splice *splice, struct sd_trace *trace,
                   struct sd_node *node)
{
    struct sd_path *path = &splice->path;
    struct sd_regset all;

    if (sd_node_follows_itself(node))
        return;
    sd_trace_leave(trace);
    if (!sd_path_find(path, node) || !is_usable(splice)) {
        memset(&all, 0xff, sizeof all);
        sd_trace_havoc(trace, &all, splice->initial);
        return;
    }
    assert(path->n_steps > 0);
    add_callee(splice, trace, node);
    for (size_t i = 0; i < path->n_steps; i++)
        add_step(splice, trace, &path->steps[i]);
    assert(trace->n_back <= splice->limit);
}
