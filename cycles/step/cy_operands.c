/*
 * cy_operands: an instruction as a machine file describes it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "step/internal.h"

#include <assert.h>
#include <string.h>

/* The parts of lea's address: base, index, scale, displacement. */
static void address_form(char *form, const struct disasm_operand *m)
{
    if (m->base != NULL)
        *form++ = 'b';
    if (m->index != NULL)
        *form++ = 'x';
    if (m->scale > 1)
        *form++ = 's';
    if (m->displacement != 0)
        *form++ = 'd';
    *form = '\0';
}

static enum cy_addressing addressing(const struct disasm_operand *m)
{
    if (m->index != NULL)
        return CY_INDEX;
    if (m->base == NULL || strcmp(m->base, "rip") == 0)
        return CY_RIP;
    return strcmp(m->base, "rsp") == 0 ? CY_STACK : CY_BASE;
}

static enum cy_extend extension(const char *name)
{
    if (strncmp(name, "movz", 4) == 0)
        return CY_ZERO;
    return strcmp(name, "movsx") == 0 || strcmp(name, "movsxd") == 0 ? CY_SIGN
                                                                     : CY_NONE;
}

static bool is_push(const char *name)
{
    return strcmp(name, "push") == 0 || strcmp(name, "call") == 0;
}

static bool is_pop(const char *name)
{
    return strcmp(name, "pop") == 0 || strcmp(name, "ret") == 0 ||
           strcmp(name, "leave") == 0;
}

/* The count of a shift may be %cl; that of shlx may be any register. */
static bool shifts(const char *name)
{
    return (strncmp(name, "sh", 2) == 0 || strncmp(name, "sa", 2) == 0 ||
            strncmp(name, "ro", 2) == 0 || strncmp(name, "rc", 2) == 0);
}

static enum cy_class class_of(unsigned bits)
{
    return bits >= 512   ? CY_ZMM
           : bits >= 256 ? CY_YMM
           : bits >= 128 ? CY_XMM
                         : CY_GENERAL;
}

/* The register operands of an instruction. */
struct reading {
    const char *first; /* the first register operand */
    unsigned widest;
    unsigned n_registers, n_others;
    unsigned n_same; /* leading registers that are the first one */
};

static void take_register(struct reading *r, const struct disasm_operand *op)
{
    assert(op->base != NULL);
    if (op->bits > r->widest)
        r->widest = op->bits;
    if (r->n_registers == 0)
        r->first = op->base;
    r->n_same += r->n_same == r->n_registers && strcmp(op->base, r->first) == 0;
    r->n_registers++;
}

/* The letter of an operand in the form. */
static char letter(const struct disasm_operand *op, bool is_first_of_shift)
{
    if (op->kind == DISASM_IMMEDIATE)
        return 'i';
    return op->kind == DISASM_REGISTER && is_first_of_shift &&
                   strcmp(op->base, "cl") == 0
               ? 'c'
               : 'r';
}

static void take_operands(struct cy_operands *o, struct reading *r,
                          const struct cy_code_insn *insn)
{
    bool is_lea = strcmp(insn->name, "lea") == 0, is_shift = shifts(insn->name);

    o->load.addressing = CY_BASE;
    for (unsigned i = 0; i < insn->n_operands; i++) {
        const struct disasm_operand *op = &insn->operands[i];

        if (op->kind == DISASM_REGISTER)
            take_register(r, op);
        else
            r->n_others++;
        if (op->kind == DISASM_MEMORY || op->kind == DISASM_TARGET) {
            o->load.addressing = addressing(op);
            o->displacement = op->displacement;
        }
        if (!is_lea)
            o->form[i] = letter(op, i == 0 && is_shift);
        else if (op->kind == DISASM_MEMORY)
            address_form(o->form, op);
    }
    assert(r->n_same <= r->n_registers && strlen(o->form) < sizeof o->form);
}

/* Does the instruction read one register as all of its operands?  The last of
   three is only written. */
static bool reads_one_register(const struct reading *r)
{
    return r->n_others == 0 && r->n_same >= 2 &&
           (r->n_same == r->n_registers ||
            (r->n_same == 2 && r->n_registers == 3));
}

/* Legacy prefixes come in any order (Intel's manual, volume 2, 2.1.1). */
static bool is_locked(const struct cy_code_insn *insn)
{
    static const uint8_t prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
                                       0x66, 0x67, 0xf0, 0xf2, 0xf3};
    unsigned i = 0;

    if (strcmp(insn->name, "xchg") == 0)
        return insn->flow.n_loads > 0;
    while (i < insn->length &&
           memchr(prefixes, insn->bytes[i], sizeof prefixes) != NULL)
        if (insn->bytes[i++] == 0xf0)
            return true;
    return false;
}

static bool is_fence(const char *name)
{
    return strcmp(name, "mfence") == 0 || strcmp(name, "lfence") == 0 ||
           strcmp(name, "sfence") == 0;
}

static void operands_x86(struct cy_operands *o, const struct cy_code_insn *insn)
{
    const struct cy_flow *flow = &insn->flow;
    struct reading r = {0};

    *o = (struct cy_operands){0};
    take_operands(o, &r, insn);
    o->is_same = reads_one_register(&r);
    o->is_locked = is_locked(insn);
    o->is_fence = is_fence(insn->name);
    o->moves_stack = is_push(insn->name) || is_pop(insn->name);
    if (r.widest == 0 && flow->n_loads > 0)
        r.widest = flow->loads[0].size * 8u;
    o->insn = (struct cy_insn){insn->name, o->form, r.widest, o->is_locked};
    o->load.class = o->store.class = class_of(r.widest);
    o->store.addressing = o->load.addressing;
    if (is_pop(insn->name))
        o->load.addressing = CY_PUSH;
    if (is_push(insn->name))
        o->store.addressing = CY_PUSH;
    if (flow->n_loads > 0)
        o->load.bits = flow->loads[0].size * 8u;
    if (flow->n_stores > 0)
        o->store.bits = flow->stores[0].size * 8u;
    o->load.extend = extension(insn->name);
}

void cy_operands_of(struct cy_operands *o, const struct cy_code_insn *insn)
{
    static void (*const of[N_ARCHES])(struct cy_operands *,
                                      const struct cy_code_insn *) = {
        [ARCH_X86_64] = operands_x86, [ARCH_AARCH64] = cy_operands_a64};

    assert(insn->arch < N_ARCHES);
    of[insn->arch](o, insn);
}
