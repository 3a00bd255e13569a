/*
 * cy_operands_a64: an AArch64 instruction as a machine file describes it.
 *
 * Registers for SIMD and floating point are of the class that x86-64 calls xmm.
 * The operands have the order of the text: the destination comes first.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "step/internal.h"

#include <string.h>

static enum cy_addressing addressing(const struct disasm_operand *m)
{
    if (m->index != NULL)
        return CY_INDEX;
    if (m->base == NULL)
        return CY_RIP;
    return strcmp(m->base, "sp") == 0 ? CY_STACK : CY_BASE;
}

/* Loads that extend are named after the width of what they load; those of
   words without a sign clear the rest, as all writes of words do. */
static enum cy_extend extension(const char *name, bool is_simd)
{
    size_t n = strlen(name);

    if (is_simd || strncmp(name, "ld", 2) != 0)
        return CY_NONE;
    if (strstr(name, "rsb") != NULL || strstr(name, "rsh") != NULL ||
        strstr(name, "rsw") != NULL || strcmp(name, "ldpsw") == 0)
        return CY_SIGN;
    return name[n - 1] == 'b' || name[n - 1] == 'h' ? CY_ZERO : CY_NONE;
}

/* Does the name begin with one of these?  NULL ends them. */
static bool begins(const char *name, const char *const *with)
{
    while (*with != NULL && strncmp(name, *with, strlen(*with)) != 0)
        with++;
    return *with != NULL;
}

/* Exclusive accesses, and loads and stores in one, which VEX may not know. */
static bool is_locked(const struct cy_flow *flow, const char *name)
{
    static const char *const names[] = {
        "ldxr",  "ldxp",  "stxr",  "stxp",  "ldaxr", "ldaxp", "stlxr", "stlxp",
        "cas",   "swp",   "ldadd", "ldclr", "ldeor", "ldset", "ldsm",  "ldum",
        "stadd", "stclr", "steor", "stset", "stsm",  "stum",  NULL};

    return (flow->n_loads > 0 && flow->n_stores > 0) || begins(name, names);
}

/* A load-acquire waits for the store-releases before it; one that begins with
   ldap does not (Arm Architecture Reference Manual, B2.3). */
static bool is_fence(const char *name)
{
    static const char *const names[] = {"dmb",  "dsb",   "isb",   "ldar",
                                        "stlr", "ldlar", "stllr", NULL};

    return begins(name, names);
}

/* Finds the register that a multiplication adds to: the last operand of MADD
   and its like, the destination of others.  There is none if it is multiplied,
   too. */
static void take_sum(struct cy_operands *o, const struct cy_code_insn *insn)
{
    unsigned at =
        strstr(insn->name, "madd") != NULL || strstr(insn->name, "msub") != NULL
            ? 3
            : 0;
    unsigned first = 0, n = 0;

    if (insn->n_operands < 3 || at >= insn->n_operands ||
        insn->operands[at].kind != DISASM_REGISTER ||
        !guest_words_a64(insn->operands[at].base, &o->sum, &o->n_sum))
        return;
    for (unsigned i = 1; i < (at == 3 ? 3 : insn->n_operands); i++)
        if (insn->operands[i].kind == DISASM_REGISTER &&
            guest_words_a64(insn->operands[i].base, &first, &n) &&
            first == o->sum)
            o->n_sum = 0;
}

void cy_operands_a64(struct cy_operands *o, const struct cy_code_insn *insn)
{
    const struct cy_flow *flow = &insn->flow;
    unsigned widest = 0;

    *o = (struct cy_operands){.load.addressing = CY_BASE};
    for (unsigned i = 0; i < insn->n_operands; i++) {
        const struct disasm_operand *op = &insn->operands[i];

        o->form[i] = op->kind == DISASM_IMMEDIATE ? 'i' : 'r';
        if (op->kind == DISASM_REGISTER && op->bits > widest)
            widest = op->bits;
        if (op->kind == DISASM_MEMORY) {
            o->load.addressing = addressing(op);
            o->displacement = op->displacement;
        }
        /* The first register of an access is what it moves. */
        if (op->kind == DISASM_REGISTER && op->is_simd)
            o->load.class = CY_XMM;
    }
    o->is_locked = is_locked(flow, insn->name);
    o->is_fence = is_fence(insn->name);
    o->insn = (struct cy_insn){insn->name, o->form, widest, o->is_locked};
    o->store =
        (struct cy_access){o->load.class, o->load.addressing, 0, CY_NONE};
    if (flow->n_loads > 0)
        o->load.bits = flow->loads[0].size * 8u;
    if (flow->n_stores > 0)
        o->store.bits = flow->stores[0].size * 8u;
    o->load.extend = extension(insn->name, o->load.class == CY_XMM);
    take_sum(o, insn);
}
