/*
 * sd_between: what happens between two iterations of a block -> its code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "sd_between.h"
#include <stdlib.h>
#include <string.h>

void sd_between_init(struct sd_between *between, enum sd_arch arch,
                     uint32_t limit)
{
    *between = (struct sd_between){
        .arch = arch, .abi = sd_lift_abi(arch), .limit = limit};
    sd_way_init(&between->way);
}

void sd_between_fini(struct sd_between *between)
{
    sd_way_fini(&between->way);
}

/* Where it is in a block. */
struct walk {
    const struct sd_node *node;
    uint32_t insn, offset;
};

/* The next instruction of a block that has an effect, and where it stands; NULL
   at the end. */
static const struct sd_insn *next(const struct sd_between *between,
                                  struct walk *walk, uint64_t *address)
{
    const struct sd_node *node = walk->node;

    while (walk->insn < node->n_insns) {
        unsigned described = node->insns[walk->insn++];
        unsigned length = described & (SD_NO_EFFECT - 1u);
        uint32_t offset = walk->offset;

        walk->offset += length;
        if (described & SD_NO_EFFECT)
            continue;
        *address = node->address + offset;
        return sd_lift(between->arch, node->bytes + offset, length);
    }
    return NULL;
}

static void add_writes(struct sd_words *writes, const struct sd_insn *insn)
{
    for (size_t i = 0; i < insn->n_ops; i++) {
        const struct sd_op *op = &insn->ops[i];
        unsigned first = (unsigned)op->imm / 8, end = first + 1;

        if (op->code == SD_PUTI)
            end = sd_op_words(op, &first);
        else if (op->code != SD_PUT)
            continue;
        for (; first < end; first++)
            sd_words_add(writes, first);
    }
}

static void join(struct sd_words *words, const struct sd_words *more)
{
    for (size_t i = 0; i < sizeof words->bits / sizeof words->bits[0]; i++)
        words->bits[i] |= more->bits[i];
}

/* Finds out what a block does to registers, once. */
static void find_effects(const struct sd_between *between, struct sd_node *node)
{
    struct walk walk = {.node = node};
    const struct sd_insn *insn;
    uint64_t address;

    if (node->has_effects)
        return;
    node->has_effects = node->is_liftable = true;
    while ((insn = next(between, &walk, &address)) != NULL) {
        add_writes(&node->writes, insn);
        if (insn->status != SD_OK)
            node->is_liftable = false;
    }
    if (node->calls)
        join(&node->writes, &between->abi.changed);
}

static bool is_usable(const struct sd_between *between)
{
    const struct sd_way *way = &between->way;
    uint64_t n_insns = 0;

    for (size_t i = 0; i < way->n_steps; i++) {
        struct sd_node *node = way->steps[i].node;

        n_insns += node->n_insns;
        find_effects(between, node);
        if (!node->is_liftable || n_insns > between->limit)
            return false;
    }
    return true;
}

static void end_node(const struct sd_between *between, struct sd_code *code,
                     const struct sd_node *node)
{
    const struct sd_abi *abi = &between->abi;

    if (!node->calls)
        return;
    sd_code_forget(code, &abi->changed, sd_lift_initial(between->arch));
    if (abi->popped > 0)
        sd_code_advance(code, abi->stack_pointer, abi->popped);
}

static void add_inner(const struct sd_between *between, struct sd_code *code,
                      const struct sd_loops *loops, uint32_t number)
{
    const struct sd_loop *loop = &loops->list[number];
    struct sd_words writes = {{0}};

    for (uint32_t i = loop->first; i < loop->first + loop->n; i++) {
        find_effects(between, loops->nodes[i]);
        join(&writes, &loops->nodes[i]->writes);
    }
    sd_words_remove(&writes, between->abi.stack_pointer);
    sd_code_forget(code, &writes, sd_lift_initial(between->arch));
}

static void add_way(const struct sd_between *between, struct sd_code *code,
                    const struct sd_loops *loops)
{
    const struct sd_way *way = &between->way;

    for (size_t i = 0; i < way->n_steps; i++) {
        struct sd_node *node = way->steps[i].node;
        struct walk walk = {.node = node};
        const struct sd_insn *insn;
        uint64_t address;

        if (way->steps[i].is_entry)
            sd_code_restart(code, sd_lift_initial(between->arch));
        if (way->steps[i].inner != 0)
            add_inner(between, code, loops, way->steps[i].inner);
        while ((insn = next(between, &walk, &address)) != NULL)
            sd_code_add(code, insn, address);
        end_node(between, code, node);
    }
    if (way->ends_with_call)
        sd_code_restart(code, sd_lift_initial(between->arch));
}

void sd_between_add(struct sd_between *between, struct sd_code *code,
                    struct sd_node *node)
{
    static int mode = -1;
    if (mode < 0)
        mode = getenv("SCOPE_MODE") ? atoi(getenv("SCOPE_MODE")) : 3;
    bool follows_itself = node->next[0] == node || node->next[1] == node;
    struct sd_words all;
    memset(&all, 0xff, sizeof all);

    if (follows_itself)
        return;
    sd_code_leave(code);
    if (mode != 4 || node->loop != 0)
        if (sd_way_find(&between->way, node) && is_usable(between)) {
            end_node(between, code, node);
            add_way(between, code, &node->graph->loops);
            return;
        }
    sd_code_forget(code, &all, sd_lift_initial(between->arch));
}
