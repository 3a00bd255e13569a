/* objvar: variables in the frame of a function and in registers, and what two
   names of one variable have in common. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "binary/objfile.h"

#include "binary/object_internal.h"

/* The most entries of debug information of a scope that are looked at. */
#define MOST_ENTRIES 65536

/* An address as a register plus a distance. */
struct based {
    unsigned reg;
    int64_t offset;
};

/* Is an operation a register plus a number? */
static bool is_based(const Dwarf_Op *op, struct based *b)
{
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
        *b = (struct based){(unsigned)(op->atom - DW_OP_breg0),
                            (int64_t)op->number};
    else if (op->atom == DW_OP_bregx && op->number < 1024)
        *b = (struct based){(unsigned)op->number, (int64_t)op->number2};
    else
        return false;
    return true;
}

static bool is_register(const Dwarf_Op *op, unsigned *reg)
{
    if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
        *reg = (unsigned)(op->atom - DW_OP_reg0);
    else if (op->atom == DW_OP_regx && op->number < 1024)
        *reg = (unsigned)op->number;
    else
        return false;
    return true;
}

/* --- The frame --- */

/* The address of the frame, by one of the two tables of call frames. */
static bool cfa_of(Dwarf_CFI *cfi, Dwarf_Addr address, struct based *cfa)
{
    Dwarf_Frame *frame;
    Dwarf_Op *ops;
    size_t n;

    if (cfi == NULL || dwarf_cfi_addrframe(cfi, address, &frame) != 0)
        return false;
    bool is_known = dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1 &&
                    is_based(&ops[0], cfa);
    free(frame);
    return is_known;
}

static bool find_cfa(struct objfile *object, uint64_t pc, struct based *cfa)
{
    Dwarf_Addr bias = 0, address = objfile_theirs(object, pc);
    Dwarf_CFI *cfi = dwfl_module_eh_cfi(object->module, &bias);

    if (cfa_of(cfi, address - bias, cfa))
        return true;
    bias = 0;
    cfi = dwfl_module_dwarf_cfi(object->module, &bias);
    return cfa_of(cfi, address - bias, cfa);
}

Dwarf_Attribute *objvar_location(Dwarf_Die *die, unsigned name,
                                 Dwarf_Attribute *attribute)
{
    Dwarf_Block block;

    if (dwarf_attr(die, name, attribute) == NULL)
        return NULL;
    /* Go writes DWARF 4 with blocks, as older versions had them.  elfutils
       wants an expression, whose length is written as that of a short block. */
    if (dwarf_whatform(attribute) == DW_FORM_block1 &&
        dwarf_formblock(attribute, &block) == 0 && block.length < 128)
        attribute->form = DW_FORM_exprloc;
    return attribute;
}

/* Sets *ops to an entry's attribute at an address of code; returns how many. */
static size_t location_of(Dwarf_Die *die, unsigned name, Dwarf_Addr address,
                          Dwarf_Op **ops)
{
    Dwarf_Attribute attribute;
    size_t n;

    if (objvar_location(die, name, &attribute) == NULL ||
        dwarf_getlocation_addr(&attribute, address, ops, &n, 1) != 1)
        return 0;
    return n;
}

/* The scopes around an instruction. */
struct scopes {
    struct objfile *object;
    uint64_t pc;
    Dwarf_Addr address; /* as the debug information has it */
    Dwarf_Die *list;
    int n;
};

static bool find_scopes(struct scopes *s, struct objfile *object, uint64_t pc)
{
    Dwarf_Addr bias = 0;

    if (dwfl_module_getdwarf(object->module, &bias) == NULL)
        return false;
    const struct objfile_scopes *found = objfile_scopes(object, pc);
    *s = (struct scopes){.object = object,
                         .pc = pc,
                         .address = objfile_theirs(object, pc) - bias,
                         .list = found->list,
                         .n = found->n};
    return s->n > 0;
}

/* The index of the scope that is a function, not inlined; -1: there is none. */
static int function_of(const struct scopes *s)
{
    for (int i = 0; i < s->n; i++)
        if (dwarf_tag(&s->list[i]) == DW_TAG_subprogram)
            return i;
    return -1;
}

/* The address of the frame, from which DW_OP_fbreg counts. */
static bool find_frame(const struct scopes *s, struct based *frame)
{
    int function = function_of(s);
    Dwarf_Op *ops;

    if (function < 0 || location_of(&s->list[function], DW_AT_frame_base,
                                    s->address, &ops) != 1)
        return false;
    if (ops[0].atom == DW_OP_call_frame_cfa)
        return find_cfa(s->object, s->pc, frame);
    frame->offset = 0;
    return is_register(&ops[0], &frame->reg) || is_based(&ops[0], frame);
}

bool objvar_is_frame(struct objfile *object, uint64_t pc, unsigned reg)
{
    struct based frame;
    struct scopes s;

    return find_scopes(&s, object, pc) && find_frame(&s, &frame) &&
           frame.reg == reg;
}

/* --- Variables of a scope --- */

/* The name of the function that a scope belongs to. */
static const char *name_of_function(const struct scopes *s, int scope)
{
    assert(scope >= 0);
    for (; scope < s->n; scope++) {
        int tag = dwarf_tag(&s->list[scope]);

        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            return dwarf_diename(&s->list[scope]);
    }
    return NULL;
}

typedef struct objvar *try_variable(const struct scopes *s, Dwarf_Die *die,
                                    void *how);

/* The first variable of the innermost scope for which `try` finds something. */
static struct objvar *find_variable(const struct scopes *s, int *scope,
                                    try_variable *try, void *how)
{
    unsigned n = 0;

    for (int i = 0; i < s->n; i++) {
        Dwarf_Die die;

        for (int rc = dwarf_child(&s->list[i], &die);
             rc == 0 && n < MOST_ENTRIES; rc = dwarf_siblingof(&die, &die)) {
            int tag = dwarf_tag(&die);

            n++;
            if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter)
                continue;
            struct objvar *v = try(s, &die, how);
            if (v != NULL) {
                *scope = i;
                return v;
            }
        }
        if (dwarf_tag(&s->list[i]) == DW_TAG_subprogram)
            break;
    }
    return NULL;
}

/* --- Locals --- */

struct slot {
    struct based frame;
    unsigned reg;
    const struct objvar_part *part;
    int64_t start; /* start of the variable, relative to the register */
    bool has_rival;
};

/* Where a variable in the frame begins, relative to the register; its type. */
static bool find_slot(const struct scopes *s, const struct slot *slot,
                      Dwarf_Die *die, int64_t *start, Dwarf_Die *type,
                      uint64_t *size)
{
    struct based at;
    Dwarf_Op *ops;

    if (location_of(die, DW_AT_location, s->address, &ops) != 1)
        return false;
    if (ops[0].atom == DW_OP_fbreg) {
        at = slot->frame;
        if (__builtin_add_overflow(at.offset, (int64_t)ops[0].number,
                                   &at.offset))
            return false;
    } else if (!is_based(&ops[0], &at)) {
        return false;
    }
    *start = at.offset;
    return at.reg == slot->reg && objvar_type_of(die, type) &&
           objvar_size_of(type, size);
}

static struct objvar *try_slot(const struct scopes *s, Dwarf_Die *die,
                               void *how)
{
    struct slot *slot = how;
    struct objvar_part part = *slot->part;
    const char *name = dwarf_diename(die);
    Dwarf_Die type;
    uint64_t size;

    if (name == NULL || !find_slot(s, slot, die, &slot->start, &type, &size) ||
        __builtin_sub_overflow(part.offset, slot->start, &part.offset) ||
        part.offset < 0 || (uint64_t)part.offset >= size)
        return NULL;
    return objvar_part_of(name, &type, true, &part);
}

/* Notes whether an element of a variable after the found one may be meant. */
static struct objvar *try_rival(const struct scopes *s, Dwarf_Die *die,
                                void *how)
{
    struct slot *slot = how;
    int64_t start, distance;
    Dwarf_Die type;
    uint64_t size;

    slot->has_rival |=
        find_slot(s, slot, die, &start, &type, &size) &&
        !__builtin_sub_overflow(start, slot->start, &distance) &&
        distance > 0 &&
        objvar_is_rival(slot->part, (uint64_t)distance, size, &type);
    return NULL;
}

struct objvar *objvar_in_frame(struct objfile *object, uint64_t pc,
                               unsigned reg, const struct objvar_part *part)
{
    struct slot slot = {.reg = reg, .part = part};
    struct objvar *v = NULL;
    struct scopes s;
    int scope;

    if (find_scopes(&s, object, pc) && find_frame(&s, &slot.frame))
        v = find_variable(&s, &scope, try_slot, &slot);
    if (v == NULL)
        return NULL;
    assert(scope < s.n);
    const char *name = name_of_function(&s, scope);
    v->function = name != NULL ? memory_text(name) : NULL;
    find_variable(&s, &scope, try_rival, &slot);
    if (!slot.has_rival)
        return v;
    objvar_free(v);
    return NULL;
}

/* --- Pointers in registers --- */

struct pointer {
    unsigned reg;
    const struct objvar_part *part;
};

/* The value of a variable may be a register, or a register plus a number. */
static struct objvar *try_pointer(const struct scopes *s, Dwarf_Die *die,
                                  void *how)
{
    const struct pointer *p = how;
    struct objvar_part part = *p->part;
    struct based value = {0};
    Dwarf_Die type;
    Dwarf_Op *ops;
    size_t n = location_of(die, DW_AT_location, s->address, &ops);
    bool is_value = (n == 1 && is_register(&ops[0], &value.reg)) ||
                    (n == 2 && is_based(&ops[0], &value) &&
                     ops[1].atom == DW_OP_stack_value);

    if (!is_value || value.reg != p->reg ||
        __builtin_sub_overflow(part.offset, value.offset, &part.offset))
        return NULL;
    const char *name = dwarf_diename(die);
    return name != NULL && objvar_type_of(die, &type)
               ? objvar_pointee(name, &type, &part)
               : NULL;
}

struct objvar *objvar_by_register(struct objfile *object, uint64_t pc,
                                  unsigned reg, const struct objvar_part *part)
{
    struct pointer p = {reg, part};
    struct objvar *v = NULL;
    struct scopes s;
    int scope;

    if (find_scopes(&s, object, pc))
        v = find_variable(&s, &scope, try_pointer, &p);
    return v;
}

struct objvar *objvar_through(const struct objvar *pointer,
                              const struct objvar_part *part)
{
    return pointer->has_type
               ? objvar_pointee(pointer->name, &pointer->type, part)
               : NULL;
}

/* --- Two names of one variable --- */

/* Is `whole` the name `part` followed by a member or an element? */
static bool goes_on(const char *whole, const char *part)
{
    size_t n = strlen(whole);

    return strncmp(whole, part, n) == 0 &&
           (part[n] == '\0' || part[n] == '.' || part[n] == '[');
}

static char *shown_as(const struct objvar *v, const char *name)
{
    return v->function != NULL ? memory_printf("%s(): %s", v->function, name)
                               : memory_text(name);
}

static char *shown(const struct objvar *v)
{
    return shown_as(v, v->name);
}

/* A name without the numbers of elements: "p[]" for "p[3]" and "*p". */
static char *without_numbers(const char *name)
{
    char *text =
        name[0] == '*' ? memory_printf("%s[]", name + 1) : memory_text(name);
    char *to = text;

    for (const char *from = text; *from != '\0'; from++) {
        *to++ = *from;
        if (*from == '[')
            from += strcspn(from, "]") - 1;
    }
    *to = '\0';
    assert(strlen(text) <= strlen(name) + 1);
    return text;
}

/* The name of the array of which both are elements; NULL: there is none. */
static char *common_array(const struct objvar *a, const struct objvar *b)
{
    AUTO_FREE char *x = without_numbers(a->name), *y = without_numbers(b->name);
    bool is_one = goes_on(x, y) || goes_on(y, x);

    return is_one ? shown_as(a, strlen(x) < strlen(y) ? x : y) : NULL;
}

static bool is_numbered(const struct objvar *v)
{
    return strstr(v->name, "[]") == NULL;
}

char *objvar_common(const struct objvar *a, const struct objvar *b)
{
    if (a == NULL || b == NULL)
        return a != NULL ? shown(a) : b != NULL ? shown(b) : NULL;
    if (a->function != NULL && b->function != NULL &&
        strcmp(a->function, b->function) != 0)
        return NULL;
    if (goes_on(a->name, b->name))
        return shown(a);
    if (goes_on(b->name, a->name))
        return shown(b);
    if (a->is_object && b->is_object)
        return is_numbered(a) && is_numbered(b) ? NULL : common_array(a, b);
    if (a->member != NULL && b->member != NULL &&
        !goes_on(a->member, b->member) && !goes_on(b->member, a->member))
        return NULL;
    /* A pointer leads to the variable that the other one names. */
    if (a->is_object || b->is_object)
        return shown(a->is_object ? a : b);
    if (a->member == NULL || b->member == NULL)
        return common_array(a, b);
    return memory_text(goes_on(a->member, b->member) ? a->member : b->member);
}

void objvar_free(struct objvar *v)
{
    if (v == NULL)
        return;
    free(v->name);
    free(v->member);
    free(v->function);
    free(v);
}
