/*
 * cy_variable: the variable through which a store and a load pass a value, and
 * the left side of an assignment in C.
 *
 * An address is the sum of a number and of registers times factors.  Registers
 * are followed back in their function (cy_origin) until the address has one
 * base: an address of the file, the frame, the thread, or a pointer that debug
 * information knows, in a register or loaded from a variable that is found in
 * the same way.  The rest of the sum is the index of an element.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <ctype.h>

#include "code/internal.h"

/* Registers are followed back over at most so many instructions. */
#define MOST_DEEP 8

/* The sum that makes up an address. */
struct address {
    enum { NO_BASE, FRAME, THREAD, POINTER, LOADED } base;
    unsigned n_bases;
    uint64_t pc;            /* where `reg` has the value of the base */
    unsigned reg;           /* FRAME, POINTER: DWARF's number of the register */
    struct objvar *pointer; /* LOADED: the variable that was loaded */
    uint64_t offset;
    uint64_t stride; /* stride of the elements, as in objvar_part */
    bool is_first, is_upward;
};

struct finder {
    struct cy_code *code;
    uint32_t object;
    struct objfile *file;
    unsigned n_left; /* registers to follow at most */
};

/* An instruction's address and block.  Without a block, registers cannot be
   followed. */
struct place {
    uint64_t pc;
    bool has_point;
    struct cy_point point;
};

static struct objvar *variable_of(struct finder *f, const struct place *at,
                                  const struct flow_access *access,
                                  unsigned depth);

static void add_base(struct address *a, int kind, uint64_t pc, unsigned reg)
{
    a->base = kind;
    a->n_bases++;
    a->pc = pc;
    a->reg = reg;
}

/* Adds a register as the base, if it is the frame, the thread or a pointer. */
static bool add_register(struct finder *f, struct address *a, uint64_t pc,
                         unsigned word)
{
    const struct objvar_part probe = {.size = 1};
    enum arch arch = f->code->data->arch;
    int reg = guest_dwarf_register(arch, word);

    if (guest_is_thread_pointer(arch, word)) {
        add_base(a, THREAD, pc, 0);
        return true;
    }
    if (reg < 0)
        return false;
    if (guest_is_stack_pointer(arch, word) ||
        objvar_is_frame(f->file, pc, (unsigned)reg)) {
        add_base(a, FRAME, pc, (unsigned)reg);
        return true;
    }
    struct objvar *v = objvar_by_register(f->file, pc, (unsigned)reg, &probe);
    if (v == NULL)
        return false;
    objvar_free(v);
    add_base(a, POINTER, pc, (unsigned)reg);
    return true;
}

static void add_stride(struct address *a, uint64_t stride)
{
    a->stride = num_gcd(a->stride, stride);
}

/* Does an instruction write 32 bits of a register, so that the rest is 0? */
static bool is_positive(enum arch arch, const struct cy_code_insn *insn)
{
    unsigned to = arch == ARCH_X86_64 ? insn->n_operands - 1 : 0;

    return insn->n_operands > 0 && insn->operands[to].kind == DISASM_REGISTER &&
           !insn->operands[to].is_simd && insn->operands[to].bits == 32;
}

/* Adds an unknown number times a factor. */
static void add_unknown(struct finder *f, struct address *a,
                        const struct cy_code_insn *made, int factor)
{
    add_stride(a, (uint64_t)abs(factor));
    a->is_first = false;
    a->is_upward &=
        factor > 0 && made != NULL && is_positive(f->code->data->arch, made);
}

/* Is this the address at which x86-64 keeps the thread pointer itself?  (ELF
   Handling For Thread-Local Storage, 3.4.6.) */
static bool is_own_address(enum arch arch, const struct flow_sum *place)
{
    return arch == ARCH_X86_64 && place->is_known && place->constant == 0 &&
           place->n == 1 && place->factors[0] == 1 &&
           guest_is_thread_pointer(arch, place->words[0]);
}

/* Adds the variable that an instruction loaded as the base; false if it is
   none. */
static bool add_loaded(struct finder *f, struct address *a,
                       const struct cy_code_insn *insn, const struct place *at,
                       const struct flow_put *put, unsigned depth)
{
    const struct objvar_part probe = {.size = 1};
    const struct flow *flow = &insn->flow;

    if (flow->n_loads != 1 || put->value.loads != 1 || put->value.is_computed ||
        flow->loads[0].size != 8)
        return false;
    if (is_own_address(f->code->data->arch, &flow->loads[0].place)) {
        add_base(a, THREAD, at->pc, 0);
        return true;
    }
    struct objvar *pointer = variable_of(f, at, &flow->loads[0], depth + 1);
    if (pointer == NULL)
        return false;
    struct objvar *pointee = objvar_through(pointer, &probe);
    if (pointee == NULL) {
        objvar_free(pointer);
        return false;
    }
    objvar_free(pointee);
    objvar_free(a->pointer);
    a->pointer = pointer;
    add_base(a, LOADED, 0, 0);
    return true;
}

static void add_sum(struct finder *f, struct address *a, const struct place *at,
                    const struct flow_sum *sum, int factor, unsigned depth);

/* Adds a factor times the value that an instruction gave to a register. */
static void add_made(struct finder *f, struct address *a,
                     const struct cy_origin *o, int factor, unsigned depth)
{
    const struct cy_code_insn *insn = cy_origins_insn(f->code, o->made);
    const struct place at = {insn->address, true, o->made};
    const struct flow_put *put = &insn->flow.puts[o->put];

    assert(!o->is_entry && o->put < insn->flow.n_puts);
    if (put->sum.is_known) {
        bool was_upward = a->is_upward;

        add_sum(f, a, &at, &put->sum, factor, depth + 1);
        /* This copies the lower half of a register. */
        if (factor > 0 && put->sum.n == 1 && put->sum.constant == 0 &&
            put->sum.factors[0] == 1 && is_positive(f->code->data->arch, insn))
            a->is_upward = was_upward;
    } else if (factor != 1 || !add_loaded(f, a, insn, &at, put, depth))
        add_unknown(f, a, insn, factor);
}

/* Adds a register times a factor. */
static void add_term(struct finder *f, struct address *a,
                     const struct place *at, unsigned word, int factor,
                     unsigned depth)
{
    struct cy_origin o;

    if (factor == 1 && add_register(f, a, at->pc, word))
        return;
    if (depth == MOST_DEEP || f->n_left == 0 || !at->has_point ||
        !cy_origin_of(f->code, at->point, word, &o)) {
        add_unknown(f, a, NULL, factor);
        return;
    }
    f->n_left--;
    a->offset += (uint64_t)factor * (uint64_t)o.moved;
    add_stride(a, o.stride * (uint64_t)abs(factor));
    a->is_upward &= o.stride == 0;
    if (!o.is_entry) {
        add_made(f, a, &o, factor, depth);
    } else if (factor != 1 ||
               !add_register(
                   f, a,
                   cy_origins_insn(f->code, (struct cy_point){o.made.block, 0})
                       ->address,
                   word)) {
        add_unknown(f, a, NULL, factor);
    }
}

static void add_sum(struct finder *f, struct address *a, const struct place *at,
                    const struct flow_sum *sum, int factor, unsigned depth)
{
    a->offset += (uint64_t)factor * sum->constant;
    for (unsigned i = 0; i < sum->n; i++) {
        int product = factor * sum->factors[i];

        if (abs(product) > 4096)
            add_unknown(f, a, NULL, 1);
        else
            add_term(f, a, at, sum->words[i], product, depth);
    }
}

static struct objvar *name_of(struct finder *f, const struct address *a,
                              unsigned size)
{
    const struct objvar_part part = {.offset = (int64_t)a->offset,
                                     .size = size,
                                     .stride = a->stride,
                                     .is_first = a->is_first,
                                     .is_upward = a->is_upward};

    if (a->n_bases > 1)
        return NULL;
    switch (a->base) {
    case FRAME:
        return objvar_in_frame(f->file, a->pc, a->reg, &part);
    case THREAD:
        return objvar_in_thread(f->file, (int64_t)a->offset, &part);
    case POINTER:
        return objvar_by_register(f->file, a->pc, a->reg, &part);
    case LOADED:
        return objvar_through(a->pointer, &part);
    default:
        return objvar_at_address(f->file, a->offset, &part);
    }
}

static struct objvar *variable_of(struct finder *f, const struct place *at,
                                  const struct flow_access *access,
                                  unsigned depth)
{
    struct address a = {.is_first = true, .is_upward = true};

    if (!access->place.is_known || depth >= MOST_DEEP)
        return NULL;
    add_sum(f, &a, at, &access->place, 1, depth);
    struct objvar *v = name_of(f, &a, access->size);
    objvar_free(a.pointer);
    return v;
}

/* The variable that an instruction stores to, or loads from. */
static struct objvar *accessed(struct cy_code *code, uint32_t object,
                               uint64_t address, bool is_store)
{
    struct finder f = {.code = code, .object = object, .n_left = 64};
    struct place at = {.pc = address};
    struct cy_code_insn insn;

    if (cy_code_at(code, object, address, &insn, NULL) != 0)
        return NULL;
    f.file = cy_code_file(code, object, NULL);
    unsigned n = is_store ? insn.flow.n_stores : insn.flow.n_loads;
    if (f.file == NULL || !insn.flow.is_known || insn.flow.is_cut || n != 1)
        return NULL;
    at.has_point = cy_origins_find(code, object, address, &at.point);
    return variable_of(
        &f, &at, is_store ? &insn.flow.stores[0] : &insn.flow.loads[0], 0);
}

/* The name of two accesses to one variable, either of which may be NULL; it
   frees both. */
static char *name_both(struct objvar *a, struct objvar *b)
{
    char *name = text_make_safe(objvar_common(a, b));

    objvar_free(a);
    objvar_free(b);
    return name;
}

char *cy_code_variable(struct cy_code *code, uint32_t store_object,
                       uint64_t store, uint32_t load_object, uint64_t load)
{
    return name_both(accessed(code, store_object, store, true),
                     accessed(code, load_object, load, false));
}

char *cy_code_accessed(struct cy_code *code, uint32_t object, uint64_t address,
                       bool is_store)
{
    return name_both(accessed(code, object, address, is_store), NULL);
}

/* --- Assignments --- */

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of the assignment operator, such as "=" or "+=", at `at`; 0 if
   there is none. */
static size_t operator_at(const char *at)
{
    size_t n = strspn(at, "+-*/%&|^<>");

    if (n > 2 || at[n] != '=' || at[n + 1] == '=')
        return 0;
    if (n == 1 && strchr("<>", at[0]) != NULL) /* a comparison, such as "<=" */
        return 0;
    if (n == 2 && (at[0] != at[1] || strchr("<>", at[0]) == NULL))
        return 0;
    return n + 1;
}

/* The start of the operand that ends before `end`: a name with subscripts and
   members, perhaps after "*"; `end` if there is none. */
static size_t operand(const char *line, size_t end)
{
    size_t at = end, name;

    assert(end <= strlen(line));
    for (;;) {
        int depth = 0;

        while (at > 0 && (depth > 0 || line[at - 1] == ']')) {
            at--;
            depth += line[at] == ']' ? 1 : line[at] == '[' ? -1 : 0;
        }
        if (depth > 0)
            return end;
        for (name = at; at > 0 && is_name(line[at - 1]); at--)
            ;
        if (at == name || isdigit((unsigned char)line[at]))
            return end;
        if (at > 0 && line[at - 1] == '.')
            at--;
        else if (at > 1 && line[at - 1] == '>' && line[at - 2] == '-')
            at -= 2;
        else
            break;
    }
    while (at > 0 && line[at - 1] == '*')
        at--;
    return at;
}

bool cy_assigned(const char *line, int column, char *text, size_t size)
{
    size_t n = strlen(line), end, start;

    if (column < 1 || (size_t)column > n)
        return false;
    end = (size_t)column - 1;
    if (operator_at(line + end) == 0 ||
        (end > 0 && strchr("=!<>+-*/%&|^", line[end - 1]) != NULL))
        return false;
    while (end > 0 && strchr(" \t", line[end - 1]) != NULL)
        end--;
    start = operand(line, end);
    /* After another operator, the operand is only the end of an expression. */
    if (start == end || end - start >= size ||
        (start > 0 && strchr(" \t;{},)", line[start - 1]) == NULL))
        return false;
    assert(start < end);
    memcpy(text, line + start, end - start);
    text[end - start] = '\0';
    return true;
}

bool cy_code_assigned(struct cy_code *code, uint32_t object, uint64_t address,
                      char *text, size_t size)
{
    int column;
    const char *line = cy_code_text(code, object, address, &column);

    return line != NULL && cy_assigned(line, column, text, size);
}
