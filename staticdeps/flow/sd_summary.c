/*
 * sd_summary: finds what a block or a loop writes as a whole.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "flow/sd_cfg.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

void sd_summaries_init(struct sd_summaries *summaries, enum sd_arch arch,
                       size_t n_blocks, size_t n_loops)
{
    *summaries = (struct sd_summaries){
        .arch = arch,
        .abi = sd_lift_abi(arch),
        .n_blocks = n_blocks,
        .n_loops = n_loops,
        .blocks = memory_new(n_blocks, sizeof *summaries->blocks),
        .loops = memory_new(n_loops, sizeof *summaries->loops)};
}

void sd_summaries_fini(struct sd_summaries *summaries)
{
    free(summaries->blocks);
    free(summaries->loops);
    *summaries = (struct sd_summaries){0};
}

static void add_writes(struct sd_regset *writes, const struct sd_insn *insn)
{
    for (size_t i = 0; i < insn->n_ops; i++) {
        unsigned word, end;

        if (!sd_op_is(&insn->ops[i], SD_PUTS))
            continue;
        end = sd_op_words(&insn->ops[i], &word);
        for (; word < end; word++)
            sd_regset_add(writes, word);
    }
}

const struct sd_summary *sd_summary_of_block(const struct sd_summaries *all,
                                             const struct sd_node *node)
{
    struct sd_summary *summary = &all->blocks[node->number];
    struct sd_lift_cursor cursor = sd_node_begin(node);
    const struct sd_insn *insn;

    if (summary->is_known)
        return summary;
    assert(node->number < all->n_blocks);
    summary->is_known = summary->is_liftable = true;
    while ((insn = sd_lift_next(all->arch, &cursor)) != NULL) {
        add_writes(&summary->writes, insn);
        if (insn->status != SD_OK)
            summary->is_liftable = false;
    }
    if (node->calls)
        sd_regset_join(&summary->writes, &all->abi.caller_saved);
    return summary;
}

const struct sd_summary *sd_summary_of_loop(const struct sd_summaries *all,
                                            const struct sd_loops *loops,
                                            uint32_t number)
{
    const struct sd_loop *loop = &loops->list[number];
    struct sd_summary *summary = &all->loops[number];

    assert(number > 0 && number < all->n_loops);
    if (summary->is_known)
        return summary;
    summary->is_known = summary->is_liftable = true;
    for (uint32_t i = 0; i < loop->n; i++) {
        const struct sd_summary *block =
            sd_summary_of_block(all, loops->nodes[loop->first + i]);

        summary->is_liftable &= block->is_liftable;
        sd_regset_join(&summary->writes, &block->writes);
        assert(sd_regset_includes(&summary->writes, &block->writes));
    }
    sd_regset_remove(&summary->writes, all->abi.stack_pointer);
    return summary;
}
