/*
 * cy_likely: which way a branch in a loop goes, when nothing was executed.
 *
 * The first rule that applies decides, as in Ball and Larus: Branch prediction
 * for free, PLDI 1993.  Branches with a way out of the loop are decided
 * elsewhere.
 *
 * Limits: for branches that depend on data alone, no rule is better than
 * chance.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "loops/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* What is known about a block. */
struct cy_traits {
    bool is_known; /* it was asked for */
    bool has_call;
    bool is_move; /* of one register to another, and nothing else */
    bool compares_sign, compares_registers;
    bool on_equal, on_not_negative, on_order; /* its jump */
};

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Are all operands registers? */
static bool has_registers(const struct cy_code_insn *insn)
{
    for (unsigned i = 0; i < insn->n_operands; i++)
        if (insn->operands[i].kind != DISASM_REGISTER)
            return false;
    return true;
}

/* Names of instructions, by architecture. */
static const struct names {
    const char *equal[3], *not_negative[4]; /* jumps */
    const char *order[9];                   /* jumps */
    const char *sign;                       /* a comparison with zero */
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

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

static void take_jump(struct cy_traits *t, const struct cy_code_insn *jump)
{
    const struct names *names = &names_of[jump->arch];

    t->on_equal = is_one_of(jump->name, names->equal);
    t->on_not_negative = is_one_of(jump->name, names->not_negative);
    t->on_order = is_one_of(jump->name, names->order);
    /* AArch64 may test the sign in the jump. */
    if (strcmp(jump->name, "tbz") == 0)
        t->compares_sign = strstr(jump->text, ", #0x1f, ") != NULL ||
                           strstr(jump->text, ", #0x3f, ") != NULL;
}

static void take_compare(struct cy_traits *t,
                         const struct cy_code_insn *compare)
{
    t->compares_sign |=
        strcmp(compare->name, names_of[compare->arch].sign) == 0 ||
        (strcmp(compare->name, "cmp") == 0 && ends_in(compare->text, ", #0"));
    t->compares_registers =
        strcmp(compare->name, "cmp") == 0 && has_registers(compare);
}

static const struct cy_traits *traits_of(struct cy_finder *f, uint32_t block)
{
    struct cy_traits *t;
    struct cy_code_insn *insns = NULL;
    size_t n = 0, room = 0;
    struct diag ignored;

    assert(block < f->data->n_blocks);
    if (f->traits == NULL)
        f->traits = memory_new(f->data->n_blocks, sizeof *f->traits);
    t = &f->traits[block];
    if (t->is_known)
        return t;
    t->is_known = true;
    if (cy_code_block(f->code, &f->data->blocks[block], &insns, &n, &room,
                      &ignored) == 0) {
        assert(n > 0);
        t->is_move = n == 1 && strcmp(insns[0].name, "mov") == 0 &&
                     has_registers(&insns[0]);
        take_jump(t, &insns[n - 1]);
        if (n > 1)
            take_compare(t, &insns[n - 2]);
        for (size_t i = 0; i < n; i++)
            t->has_call |= insns[i].flow.leave == FLOW_CALL;
    }
    free(insns);
    return t;
}

bool cy_likely_jumps(struct cy_finder *f, uint32_t block, uint32_t follows,
                     uint32_t target)
{
    const struct cy_traits *t = traits_of(f, block),
                           *next = traits_of(f, follows);

    if (traits_of(f, target)->has_call && !next->has_call)
        return false;
    /* A maximum is replaced less often than it is kept. */
    if (t->compares_registers && t->on_order && next->is_move &&
        f->data->blocks[follows].end == f->data->blocks[target].start)
        return true;
    if (t->compares_sign && t->on_not_negative)
        return true;
    return target <= block && !t->on_equal;
}
