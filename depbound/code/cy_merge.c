/*
 * cy_merge: instructions that write the lower half of a vector register, and
 * keep the upper one.
 *
 * A processor has the whole register as one result, so it waits for the former
 * one.  VEX often writes the lower half alone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "code/cy_code.h"

#include <assert.h>
#include <string.h>

static bool merges(const struct cy_code_insn *insn)
{
    static const char *const names[] = {"cvtsi2s", "cvtss2sd", "cvtsd2ss",
                                        "sqrts",   "rcpss",    "rsqrtss",
                                        "rounds"};

    if (strcmp(insn->name, "movsd") == 0 || strcmp(insn->name, "movss") == 0)
        return insn->flow.n_loads + insn->flow.n_stores == 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (insn->arch == ARCH_X86_64 &&
            strncmp(insn->name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Is its source the register that it writes? */
static bool is_of_itself(const struct cy_code_insn *insn)
{
    const struct disasm_operand *first = &insn->operands[0],
                                *last = &insn->operands[insn->n_operands - 1];

    assert(insn->n_operands > 0);
    for (; first < last && first->kind != DISASM_REGISTER; first++)
        ;
    return first < last && last->kind == DISASM_REGISTER &&
           strcmp(first->base, last->base) == 0;
}

static void wait_for(struct flow_put *put, unsigned upper, bool for_lower)
{
    put->value.words[upper / 64] |= UINT64_C(1) << upper % 64;
    if (!for_lower)
        put->value.words[(upper - 1) / 64] &=
            ~(UINT64_C(1) << (upper - 1) % 64);
    put->value.is_computed = true;
    put->is_free = false;
}

unsigned cy_insn_upper(const struct cy_code_insn *insn)
{
    unsigned first = FLOW_WORDS - 1;

    if (!merges(insn))
        return FLOW_WORDS;
    for (unsigned i = 0; i < insn->flow.n_puts; i++)
        first =
            insn->flow.puts[i].word < first ? insn->flow.puts[i].word : first;
    return first + 1;
}

void cy_insn_merge(struct cy_code_insn *insn)
{
    unsigned word = cy_insn_upper(insn);
    struct flow_put *lower, *upper;
    bool for_lower;

    if (word >= FLOW_WORDS)
        return;
    for_lower = is_of_itself(insn);
    lower = flow_put_of(&insn->flow, word - 1);
    upper = flow_put_of(&insn->flow, word);
    if (upper == NULL && insn->flow.n_puts < FLOW_MOST_PUTS) {
        upper = &insn->flow.puts[insn->flow.n_puts++];
        *upper = *lower;
        upper->word = (uint8_t)word;
    }
    wait_for(lower, word, for_lower);
    if (upper != NULL)
        wait_for(upper, word, for_lower);
}
