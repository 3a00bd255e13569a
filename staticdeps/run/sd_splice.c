/*
 * sd_splice: what happens between two iterations of a block -> its code.
 *
 * What nobody knows is forgotten: what a callee may change, and what the code
 * of a loop that lies on the way writes, since nobody knows how often it goes
 * round.  Of such a loop, only the last round is run, as far as it is on the
 * way; the stack pointer is taken to be the same after each round.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_splice.h"

#include <string.h>

void sd_splice_init(struct sd_splice *between, enum sd_arch arch,
                    uint32_t limit)
{
    *between = (struct sd_splice){.arch = arch,
                                  .initial = sd_lift_initial(arch),
                                  .abi = sd_lift_abi(arch),
                                  .limit = limit};
    sd_path_init(&between->way);
    /* Of two blocks, one at least has instructions. */
    between->way.longest = limit <= UINT32_MAX / 2 ? 2 * limit + 1 : UINT32_MAX;
}

void sd_splice_fini(struct sd_splice *between)
{
    sd_path_fini(&between->way);
}

/* A place in a block. */
struct place {
    const struct sd_node *node;
    uint32_t insn, offset;
};

/* The next instruction that has an effect, and where it stands; NULL at the
   end. */
static const struct sd_insn *next_insn(const struct sd_splice *between,
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
        return sd_lift(between->arch, node->bytes + offset, length);
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
static void find_effects(const struct sd_splice *between, struct sd_node *node)
{
    struct place place = {.node = node};
    const struct sd_insn *insn;
    uint64_t address;

    if (node->has_effects)
        return;
    node->has_effects = node->is_liftable = true;
    while ((insn = next_insn(between, &place, &address)) != NULL) {
        add_writes(&node->writes, insn);
        if (insn->status != SD_OK)
            node->is_liftable = false;
    }
    if (node->calls)
        sd_regset_join(&node->writes, &between->abi.changed);
}

/* Can the whole way be run, and is it short enough? */
static bool is_usable(const struct sd_splice *between)
{
    const struct sd_path *way = &between->way;
    uint64_t n_insns = 0;

    for (size_t i = 0; i < way->n_steps; i++) {
        struct sd_node *node = way->steps[i].node;

        if (node == NULL)
            continue;
        find_effects(between, node);
        n_insns += node->n_insns;
        if (!node->is_liftable || n_insns > between->limit)
            return false;
    }
    return true;
}

/* If the block ends with a call: what the callee leaves behind. */
static void come_back(const struct sd_splice *between, struct sd_trace *code,
                      const struct sd_node *node)
{
    const struct sd_abi *abi = &between->abi;

    if (!node->calls)
        return;
    sd_trace_havoc(code, &abi->changed, between->initial);
    if (abi->return_address_size > 0)
        sd_trace_advance(code, abi->stack_pointer, abi->return_address_size);
}

/* What the rounds of a loop before its last one leave behind. */
static void go_round(const struct sd_splice *between, struct sd_trace *code,
                     const struct sd_loops *loops, uint32_t number)
{
    struct sd_loop *loop = &loops->list[number];

    for (uint32_t i = 0; i < loop->n && !loop->has_effects; i++) {
        struct sd_node *node = loops->nodes[loop->first + i];

        find_effects(between, node);
        sd_regset_join(&loop->writes, &node->writes);
    }
    loop->has_effects = true;
    sd_regset_remove(&loop->writes, between->abi.stack_pointer);
    sd_trace_havoc(code, &loop->writes, between->initial);
}

static void add_step(const struct sd_splice *between, struct sd_trace *code,
                     const struct sd_step *step)
{
    struct place place = {.node = step->node};
    const struct sd_insn *insn;
    uint64_t address;

    if (step->node == NULL) {
        sd_trace_reenter(code, between->initial);
        return;
    }
    if (step->inner != 0)
        go_round(between, code, &step->node->graph->loops, step->inner);
    while ((insn = next_insn(between, &place, &address)) != NULL)
        sd_trace_add(code, insn, address);
    come_back(between, code, step->node);
}

void sd_splice_add(struct sd_splice *between, struct sd_trace *code,
                   struct sd_node *node)
{
    struct sd_path *way = &between->way;
    struct sd_regset all;

    if (sd_node_follows_itself(node))
        return;
    sd_trace_leave(code);
    if (!sd_path_find(way, node) || !is_usable(between)) {
        memset(&all, 0xff, sizeof all);
        sd_trace_havoc(code, &all, between->initial);
        return;
    }
    come_back(between, code, node);
    for (size_t i = 0; i < way->n_steps; i++)
        add_step(between, code, &way->steps[i]);
}
