/*
 * sd_splice: the back path of a block -> operations at the end of its trace.
 *
 * Registers become unknown that a callee may change, or that a loop on the path
 * writes, since its number of iterations is unknown.  Of such a loop, only the
 * last iteration is run, as far as it is on the path; the stack pointer is
 * taken to be the same after each iteration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_splice.h"

#include <string.h>

void sd_splice_init(struct sd_splice *splice, enum sd_arch arch, uint32_t limit)
{
    *splice = (struct sd_splice){.arch = arch,
                                 .initial = sd_lift_initial(arch),
                                 .abi = sd_lift_abi(arch),
                                 .limit = limit};
    sd_path_init(&splice->path);
    /* Of two blocks, one at least has instructions. */
    splice->path.longest = limit <= UINT32_MAX / 2 ? 2 * limit + 1 : UINT32_MAX;
}

void sd_splice_fini(struct sd_splice *splice)
{
    sd_path_fini(&splice->path);
}

/* A place in a block. */
struct place {
    const struct sd_node *node;
    uint32_t insn, offset;
};

/* The next instruction that has an effect, and its address; NULL at the
   end. */
static const struct sd_insn *next_insn(const struct sd_splice *splice,
                                       struct place *place, uint64_t *address)
{
    const struct sd_node *node = place->node;

    while (place->insn < node->n_insns) {
        unsigned described = node->insns[place->insn++];
        unsigned length = described & (SD_NO_EFFECT - 1u);
        uint32_t offset = place->offset;

        place->offset += length;
        if (described & SD_NO_EFFECT)
            continue;
        *address = node->address + offset;
        return sd_lift(splice->arch, node->bytes + offset, length);
    }
    return NULL;
}

static void add_writes(struct sd_regset *writes, const struct sd_insn *insn)
{
    for (size_t i = 0; i < insn->n_ops; i++) {
        const struct sd_op *op = &insn->ops[i];
        unsigned first = (unsigned)op->imm / 8, end = first + 1;

        if (op->code == SD_PUTI)
            end = sd_op_words(op, &first);
        else if (op->code != SD_PUT)
            continue;
        for (; first < end; first++)
            sd_regset_add(writes, first);
    }
}

/* Finds out what a block does to registers, once. */
static void find_effects(const struct sd_splice *splice, struct sd_node *node)
{
    struct place place = {.node = node};
    const struct sd_insn *insn;
    uint64_t address;

    if (node->has_effects)
        return;
    node->has_effects = node->is_liftable = true;
    while ((insn = next_insn(splice, &place, &address)) != NULL) {
        add_writes(&node->writes, insn);
        if (insn->status != SD_OK)
            node->is_liftable = false;
    }
    if (node->calls)
        sd_regset_join(&node->writes, &splice->abi.caller_saved);
}

/* Can the whole path be run, and is it short enough? */
static bool is_usable(const struct sd_splice *splice)
{
    const struct sd_path *path = &splice->path;
    uint64_t n_insns = 0;

    for (size_t i = 0; i < path->n_steps; i++) {
        struct sd_node *node = path->steps[i].node;

        if (node == NULL)
            continue;
        find_effects(splice, node);
        n_insns += node->n_insns;
        if (!node->is_liftable || n_insns > splice->limit)
            return false;
    }
    return true;
}

/* If the block ends with a call: what the callee leaves behind. */
static void come_back(const struct sd_splice *splice, struct sd_trace *trace,
                      const struct sd_node *node)
{
    const struct sd_abi *abi = &splice->abi;

    if (!node->calls)
        return;
    sd_trace_havoc(trace, &abi->caller_saved, splice->initial);
    if (abi->return_address_size > 0)
        sd_trace_advance(trace, abi->stack_pointer, abi->return_address_size);
}

/* What the iterations of a loop before its last one leave behind. */
static void go_round(const struct sd_splice *splice, struct sd_trace *trace,
                     const struct sd_loops *loops, uint32_t number)
{
    struct sd_loop *loop = &loops->list[number];

    for (uint32_t i = 0; i < loop->n && !loop->has_effects; i++) {
        struct sd_node *node = loops->nodes[loop->first + i];

        find_effects(splice, node);
        sd_regset_join(&loop->writes, &node->writes);
    }
    loop->has_effects = true;
    sd_regset_remove(&loop->writes, splice->abi.stack_pointer);
    sd_trace_havoc(trace, &loop->writes, splice->initial);
}

static void add_step(const struct sd_splice *splice, struct sd_trace *trace,
                     const struct sd_step *step)
{
    struct place place = {.node = step->node};
    const struct sd_insn *insn;
    uint64_t address;

    if (step->node == NULL) {
        sd_trace_reenter(trace, splice->initial);
        return;
    }
    if (step->inner != 0)
        go_round(splice, trace, &step->node->cfg->loops, step->inner);
    while ((insn = next_insn(splice, &place, &address)) != NULL)
        sd_trace_add(trace, insn, address);
    come_back(splice, trace, step->node);
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
    come_back(splice, trace, node);
    for (size_t i = 0; i < path->n_steps; i++)
        add_step(splice, trace, &path->steps[i]);
}
