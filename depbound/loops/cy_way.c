/*
 * cy_way: the path through a loop that is taken most often.
 *
 * Without executions, the first rule that applies to a branch predicts it, as
 * in Ball and Larus: Branch prediction for free, PLDI 1993.
 *
 * Limits: for branches that depend on data alone, no rule is better than
 * chance.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "loops/internal.h"

/* --- Branches when nothing was executed --- */

/* Properties of a block that predict the branches to it and at its end. */
struct cy_traits {
    bool is_known; /* are the other fields set? */
    bool has_call;
    bool is_move; /* only copies one register to another */
    bool compares_sign, compares_registers;
    bool on_equal, on_not_negative, on_order; /* the condition of its jump */
};

/* Are all operands registers? */
static bool has_registers(const struct cy_code_insn *insn)
{
    for (unsigned i = 0; i < insn->n_operands; i++)
        if (insn->operands[i].kind != DISASM_REGISTER)
            return false;
    return true;
}

/* Names of instructions that the rules need, by architecture. */
static const struct names {
    const char *equal[3], *not_negative[4]; /* jumps by condition */
    const char *order[9];                   /* jumps if less, greater, ... */
    const char *sign;                       /* compares a value with zero */
} names_of[N_ARCHES] = {
    [ARCH_X86_64] = {.equal = {"je"},
                     .not_negative = {"jns", "jg"},
                     .order = {"ja", "jae", "jb", "jbe", "jg", "jge", "jl",
                               "jle"},
                     .sign = "test"},
    [ARCH_AARCH64] = {.equal = {"b.eq", "cbz"},
                      .not_negative = {"b.pl", "b.gt", "tbz"},
                      .order = {"b.hi", "b.hs", "b.lo", "b.ls", "b.gt", "b.ge",
                                "b.lt", "b.le"},
                      .sign = "tst"},
};

static void take_jump(struct cy_traits *t, const struct cy_code_insn *jump)
{
    const struct names *names = &names_of[jump->arch];

    t->on_equal = text_is_any(jump->name, names->equal);
    t->on_not_negative = text_is_any(jump->name, names->not_negative);
    t->on_order = text_is_any(jump->name, names->order);
    /* On AArch64, the jump itself may test the sign bit. */
    if (strcmp(jump->name, "tbz") == 0)
        t->compares_sign = strstr(jump->text, ", #0x1f, ") != NULL ||
                           strstr(jump->text, ", #0x3f, ") != NULL;
}

static void take_compare(struct cy_traits *t,
                         const struct cy_code_insn *compare)
{
    t->compares_sign |=
        strcmp(compare->name, names_of[compare->arch].sign) == 0 ||
        (strcmp(compare->name, "cmp") == 0 && text_ends(compare->text, ", #0"));
    t->compares_registers =
        strcmp(compare->name, "cmp") == 0 && has_registers(compare);
}

static const struct cy_traits *traits_of(struct cy_finder *f, uint32_t block)
{
    AUTO_FREE struct cy_code_insn *insns = NULL;
    size_t n = 0, room = 0;

    assert(block < f->data->n_blocks);
    if (f->traits == NULL)
        f->traits = memory_new(f->data->n_blocks, sizeof *f->traits);
    struct cy_traits *t = &f->traits[block];
    if (t->is_known)
        return t;
    t->is_known = true;
    if (cy_code_block(f->code, &f->data->blocks[block], &insns, &n, &room,
                      NULL) == 0) {
        assert(n > 0);
        t->is_move = n == 1 && strcmp(insns[0].name, "mov") == 0 &&
                     has_registers(&insns[0]);
        take_jump(t, &insns[n - 1]);
        if (n > 1)
            take_compare(t, &insns[n - 2]);
        for (size_t i = 0; i < n; i++)
            t->has_call |= insns[i].flow.leave == FLOW_CALL;
    }
    return t;
}

/* Is the jump at the end of a block likely to be taken?  `follows` is the next
   block, and `target` the jump's. */
static bool is_likely(struct cy_finder *f, uint32_t block, uint32_t follows,
                      uint32_t target)
{
    const struct cy_traits *t = traits_of(f, block),
                           *next = traits_of(f, follows);

    if (traits_of(f, target)->has_call && !next->has_call)
        return false;
    /* The maximum of values is kept more often than replaced. */
    if (t->compares_registers && t->on_order && next->is_move &&
        f->data->blocks[follows].end == f->data->blocks[target].start)
        return true;
    if (t->compares_sign && t->on_not_negative)
        return true;
    return target <= block && !t->on_equal;
}

/* --- The way --- */

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
    return is_likely(f, block, follows, target);
}

/* Is the jump at the end of a block taken more often than not? */
static bool is_hotter(struct cy_finder *f, uint32_t block)
{
    const struct cy_node *node = &f->nodes[block];

    if (!f->data->has_executions)
        return likely_jumps(f, block, node->next[0], node->next[1]);
    return node->least[1] + node->most[1] > node->least[0] + node->most[0];
}

/* The successor that is taken most often, if it is the header or not on the
   path yet; else CY_NO_BLOCK. */
static uint32_t hottest_next(struct cy_finder *f, uint32_t block,
                             uint32_t number, struct cy_loop *loop)
{
    const struct cy_node *node = &f->nodes[block];
    bool follows = node->next[0] != CY_NO_BLOCK &&
                   f->in_loop[node->next[0]] == number,
         jumps = node->next[1] != CY_NO_BLOCK &&
                 f->in_loop[node->next[1]] == number;

    if (follows && jumps) {
        /* No guess if one successor lies apart: compilers move cold code. */
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
            n += f->nodes[f->before[j]]
                     .most[cy_edge_to(f, f->before[j], body->header)];
    return n;
}

ARRAY_ORDER(block_order, uint32_t, array_order(*a, *b))

/* Takes the blocks of a loop's body.  The number of rounds starts as that of
   all paths. */
static void take_body(const struct cy_finder *f, const struct cy_body *body,
                      struct cy_loop *loop)
{
    const uint32_t *members = &f->members[body->first];

    loop->rounds = cy_heat(f, body->header);
    loop->body = memory_new(body->n, sizeof *loop->body);
    loop->n_body = body->n;
    memcpy(loop->body, members, body->n * sizeof *members);
    array_sort(loop->body, loop->n_body, block_order);
    for (size_t i = 1; i < body->n; i++)
        loop->has_other_ways |=
            cy_heat(f, members[i]) > cy_come_to(f, members[i], true);
}

bool cy_loop_has(const struct cy_loop *loop, uint32_t block)
{
    return array_find(&block, loop->body, loop->n_body, block_order) != NULL;
}

/* Takes an edge of the path.  *away: an upper bound on the rounds that left the
   path; a round that leaves the loop at the path's end does not count. */
static void take_edge(const struct cy_finder *f, struct cy_loop *loop,
                      uint32_t from, uint32_t to, uint64_t *away)
{
    const struct cy_node *node = &f->nodes[from];
    int j = cy_edge_to(f, from, to);
    uint64_t all = cy_heat(f, from), most = node->most[j],
             other = all - node->least[j];

    if (to == loop->blocks[0]) {
        bool goes_on =
            node->next[!j] != CY_NO_BLOCK && cy_loop_has(loop, node->next[!j]);

        most = goes_on ? all - node->least[!j] : all;
        other = goes_on ? node->most[!j] : 0;
    }
    if (most < loop->rounds)
        loop->rounds = most;
    *away += other;
}

bool cy_follow(struct cy_finder *f, const struct cy_body *body, uint32_t number,
               struct cy_loop *loop)
{
    uint32_t block = body->header;
    uint64_t all = cy_heat(f, block), away = 0;
    size_t room = 0;

    *loop = (struct cy_loop){.object = f->data->blocks[block].object};
    for (size_t i = 0; i < body->n; i++)
        f->in_loop[f->members[body->first + i]] = number;
    assert(f->in_loop[body->header] == number);
    take_body(f, body, loop);
    loop->entries = entries_of(f, body, number);
    f->first = f->last = block;
    while (f->first > 0 && f->in_loop[f->first - 1] == number)
        f->first--;
    while (f->last + 1 < f->data->n_blocks && f->in_loop[f->last + 1] == number)
        f->last++;
    do {
        uint32_t last = block;

        array_push(loop->blocks, loop->n_blocks, room, block);
        loop->has_call |= f->nodes[block].calls;
        if (block != body->header)
            f->in_loop[block] = 0;
        block = hottest_next(f, block, number, loop);
        if (block != CY_NO_BLOCK)
            take_edge(f, loop, last, block, &away);
    } while (block != CY_NO_BLOCK && block != body->header);
    if (loop->entries > loop->rounds)
        loop->entries = loop->rounds;
    if (all > 0) {
        loop->share_of_path = (double)loop->rounds / (double)all;
        loop->least_share =
            fmin(loop->share_of_path,
                 fmax(0, ((double)all - (double)away) / (double)all));
    }
    return block == body->header;
}
