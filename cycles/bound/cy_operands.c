/*
 * cy_operands: an instruction as a machine file describes it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/cy_operands.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* An operand in AT&T's syntax: up to a comma outside parentheses. */
static size_t operand_length(const char *text)
{
    size_t n = 0;

    for (int depth = 0; text[n] != '\0' && (text[n] != ',' || depth > 0); n++)
        depth += (text[n] == '(') - (text[n] == ')');
    return n;
}

/* The width of a register, in bits, from its name without the percent sign. */
static unsigned register_bits(const char *name, size_t n)
{
    assert(n > 0);
    if (n >= 3 && strncmp(name + 1, "mm", 2) == 0)
        return name[0] == 'x' ? 128 : name[0] == 'y' ? 256 : 512;
    if (name[0] == 'r' && isdigit((unsigned char)name[1]))
        return name[n - 1] == 'd'   ? 32
               : name[n - 1] == 'w' ? 16
               : name[n - 1] == 'b' ? 8
                                    : 64;
    if (name[0] == 'r')
        return 64;
    if (name[0] == 'e')
        return 32;
    if (name[n - 1] == 'l' || name[n - 1] == 'h')
        return 8;
    return n == 2 ? 16 : 64;
}

/* The parts of lea's address: DISPLACEMENT(BASE, INDEX, SCALE). */
static void address_form(char *form, const char *text, size_t n)
{
    const char *open = memchr(text, '(', n), *comma;
    size_t used = 0;

    if (open == NULL)
        return;
    if (open[1] == '%')
        form[used++] = 'b';
    comma = memchr(open, ',', n - (size_t)(open - text));
    if (comma != NULL) {
        const char *scale =
            memchr(comma + 1, ',', n - (size_t)(comma + 1 - text));

        form[used++] = 'x';
        if (scale != NULL && strtoul(scale + 1, NULL, 10) > 1)
            form[used++] = 's';
    }
    if (open > text && strncmp(text, "0(", 2) != 0)
        form[used++] = 'd';
    form[used] = '\0';
}

static enum cy_addressing addressing(const char *text, size_t n)
{
    const char *open = memchr(text, '(', n);
    size_t inner;

    if (open == NULL)
        return CY_RIP;
    inner = n - (size_t)(open - text);
    if (memchr(open, ',', inner) != NULL)
        return CY_INDEX;
    if (strncmp(open, "(%rip", 5) == 0)
        return CY_RIP;
    return strncmp(open, "(%rsp", 5) == 0 ? CY_STACK : CY_BASE;
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
static bool is_shift(const char *name)
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

/* What the operands say of the registers. */
struct reading {
    struct cy_operands *o;
    const char *name; /* of the instruction */
    unsigned widest;
    const char *first; /* the first register operand, */
    size_t first_n;
    unsigned n_registers, n_others;
    unsigned n_same; /* leading registers that are the first one */
    enum cy_addressing addressing;
    size_t used; /* characters of the form */
};

static void letter(struct reading *r, char c)
{
    if (r->used + 1 < sizeof r->o->form)
        r->o->form[r->used++] = c;
}

static void take_register(struct reading *r, const char *text, size_t n)
{
    unsigned bits = register_bits(text + 1, n - 1);

    if (bits > r->widest)
        r->widest = bits;
    if (r->n_registers == 0) {
        r->first = text;
        r->first_n = n;
    }
    if (r->n_same == r->n_registers && n == r->first_n &&
        strncmp(text, r->first, n) == 0)
        r->n_same++;
    r->n_registers++;
}

static void take_operand(struct reading *r, const char *text, size_t n)
{
    bool is_lea = strcmp(r->name, "lea") == 0;

    if (text[0] == '%' && memchr(text, '(', n) == NULL &&
        memchr(text, ':', n) == NULL) {
        bool is_count =
            n == 3 && strncmp(text, "%cl", 3) == 0 && is_shift(r->name);

        take_register(r, text, n);
        if (!is_lea)
            letter(r, is_count && r->n_registers == 1 ? 'c' : 'r');
        return;
    }
    r->n_others++;
    if (text[0] == '$') {
        letter(r, 'i');
        return;
    }
    r->addressing = addressing(text, n);
    r->o->displacement = strtoll(text, NULL, 0);
    if (is_lea)
        address_form(r->o->form, text, n);
    else
        letter(r, 'r');
}

/* The last of three is only written. */
static bool reads_one_register(const struct reading *r)
{
    return r->n_others == 0 && r->n_same >= 2 &&
           (r->n_same == r->n_registers ||
            (r->n_same == 2 && r->n_registers == 3));
}

static void take_operands(struct reading *r, const char *text)
{
    const char *at = strchr(text, ' ');

    if (strncmp(text, "lock ", 5) == 0 || strncmp(text, "rep", 3) == 0)
        at = at != NULL ? strchr(at + 1, ' ') : NULL;
    while (at != NULL && *at != '\0') {
        size_t n;

        at += strspn(at, " ,");
        n = operand_length(at);
        if (n == 0)
            break;
        take_operand(r, at, n);
        at += n;
    }
}

void cy_operands_of(struct cy_operands *o, const struct cy_code_insn *insn)
{
    struct reading r = {.o = o, .name = insn->name, .addressing = CY_BASE};
    const struct cy_flow *flow = &insn->flow;

    *o = (struct cy_operands){0};
    take_operands(&r, insn->text);
    assert(r.n_same <= r.n_registers && r.used < sizeof o->form);
    o->is_same = reads_one_register(&r);
    o->moves_stack = is_push(insn->name) || is_pop(insn->name);
    if (r.widest == 0 && flow->n_loads > 0)
        r.widest = flow->loads[0].size * 8u;
    o->insn = (struct cy_insn){insn->name, o->form, r.widest};
    o->load = (struct cy_access){
        class_of(r.widest), is_pop(insn->name) ? CY_PUSH : r.addressing,
        flow->n_loads > 0 ? flow->loads[0].size * 8u : 0,
        extension(insn->name)};
    o->store = (struct cy_access){
        class_of(r.widest), is_push(insn->name) ? CY_PUSH : r.addressing,
        flow->n_stores > 0 ? flow->stores[0].size * 8u : 0, CY_NONE};
}
