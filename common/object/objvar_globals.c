/*
 * objvar_globals: where the global variables of a file are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "object/internal.h"

#include <stdlib.h>

#include "array.h"
#include "memory.h"

/* The most entries of debug information that are looked at, for about a second.
 */
#define MOST_ENTRIES 4000000

/* The largest constant that programs are taken to subtract from the number of
   an element. */
#define MOST_SUBTRACTED 16

/* The deepest block that is looked into. */
#define MOST_DEEP 24

/* A variable; one of the symbol table has no entry of debug information. */
struct global {
    uint64_t address, size;
    bool has_die;
    Dwarf_Die die;
    const char *name;
};

struct objvar_index {
    struct global *globals; /* by address; they do not overlap */
    size_t n_globals, globals_room;
    size_t n_entries;
};

static int global_order(const void *pa, const void *pb)
{
    const struct global *a = pa, *b = pb;

    return array_order(a->address, b->address)
               ?: array_order(b->has_die, a->has_die);
}

/* Adds a variable if it has one address. */
static void add_variable(struct objvar_index *index, Dwarf_Die *die,
                         Dwarf_Addr bias)
{
    struct global g = {.has_die = true, .die = *die};
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Op *ops;
    size_t n;

    if (dwarf_attr(die, DW_AT_location, &attribute) == NULL ||
        dwarf_getlocation(&attribute, &ops, &n) != 0 || n != 1)
        return;
    if (ops[0].atom == DW_OP_addr) {
        g.address = ops[0].number + bias;
    } else if (ops[0].atom == DW_OP_addrx ||
               ops[0].atom == DW_OP_GNU_addr_index) {
        Dwarf_Attribute result;
        Dwarf_Addr address;

        if (dwarf_getlocation_attr(&attribute, &ops[0], &result) != 0 ||
            dwarf_formaddr(&result, &address) != 0)
            return;
        g.address = address + bias;
    } else {
        return;
    }
    g.name = dwarf_diename(die);
    /* The linker leaves variables at 0 whose section it dropped. */
    if (g.address == 0 || g.name == NULL || !objvar_type_of(die, &type) ||
        !objvar_size_of(&type, &g.size))
        return;
    array_append(index, globals, g);
}

static void add_children(struct objvar_index *index, Dwarf_Die *parent,
                         Dwarf_Addr bias, unsigned depth)
{
    Dwarf_Die die;

    if (depth == MOST_DEEP)
        return;
    for (int rc = dwarf_child(parent, &die);
         rc == 0 && index->n_entries < MOST_ENTRIES;
         rc = dwarf_siblingof(&die, &die)) {
        index->n_entries++;
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
            add_variable(index, &die, bias);
            break;
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
            add_children(index, &die, bias, depth + 1);
            break;
        default:
            break;
        }
    }
}

static void add_symbols(struct objvar_index *index, struct objfile *object)
{
    int n = dwfl_module_getsymtab(object->module);

    for (int i = 1; i < n; i++) {
        struct global g = {0};
        GElf_Sym symbol;
        GElf_Word section;

        g.name = dwfl_module_getsym(object->module, i, &symbol, &section);
        if (g.name == NULL || g.name[0] == '\0' ||
            GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
            symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0)
            continue;
        g.address = symbol.st_value;
        g.size = symbol.st_size;
        array_append(index, globals, g);
    }
}

/* Of variables that overlap, which mostly are names of one, keeps the first. */
static void drop_overlapping(struct objvar_index *index)
{
    size_t n = 0;

    for (size_t i = 0; i < index->n_globals; i++) {
        const struct global *g = &index->globals[i];

        if (n == 0 || g->address - index->globals[n - 1].address >=
                          index->globals[n - 1].size)
            index->globals[n++] = *g;
    }
    index->n_globals = n;
}

static struct objvar_index *index_of(struct objfile *object)
{
    struct objvar_index *index = memory_new(1, sizeof *index);
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias;

    while ((unit = dwfl_module_nextcu(object->module, unit, &bias)) != NULL &&
           index->n_entries < MOST_ENTRIES) {
        Dwarf_Die whole;

        objfile_whole_unit(object, unit, &whole);
        add_children(index, &whole, bias, 0);
    }
    add_symbols(index, object);
    array_sort(index->globals, index->n_globals, global_order);
    drop_overlapping(index);
    return index;
}

void objvar_index_free(struct objvar_index *index)
{
    if (index == NULL)
        return;
    free(index->globals);
    free(index);
}

/* What a variable has at an offset. */
static struct objvar *part_of(const struct global *g, bool has_neighbour,
                              const struct objvar_part *part)
{
    Dwarf_Die die = g->die, type;

    if (g->has_die)
        return objvar_type_of(&die, &type)
                   ? objvar_part_of(g->name, &type, has_neighbour, part)
                   : NULL;
    if (part->stride == 0 && part->size > g->size - (uint64_t)part->offset)
        return NULL;
    return objvar_of_symbol(g->name, has_neighbour, part);
}

/* Could an element of an array after this variable be meant, whose number has a
   constant subtracted that leads to where this variable begins?  That of
   b[k - 4] does if an array of 4 elements lies before b. */
static bool is_ambiguous(const struct objvar_index *index, size_t number,
                         const struct objvar_part *part)
{
    const struct global *g = &index->globals[number];

    if (part->stride == 0 || part->is_first)
        return false;
    for (size_t i = number + 1; i < index->n_globals; i++) {
        const struct global *other = &index->globals[i];
        uint64_t distance = other->address - g->address;

        if (distance / part->stride > MOST_SUBTRACTED)
            return false;
        if (distance % part->stride == 0 && other->size >= 2 * part->stride)
            return true;
    }
    return false;
}

struct objvar *objvar_at_address(struct objfile *object, uint64_t address,
                                 const struct objvar_part *part)
{
    struct objvar_index *index = object->variables;
    struct objvar_part rest = *part;
    const struct global *g;
    bool has_neighbour;
    size_t n;

    if (object->rel.sections != NULL)
        return NULL; /* data has no addresses yet */
    if (index == NULL)
        index = object->variables = index_of(object);
    n = array_bisect(0, index->n_globals, i,
                     index->globals[i].address <= address);
    if (n == 0)
        return NULL;
    g = &index->globals[n - 1];
    if (address - g->address >= g->size || g->size > INT64_MAX)
        return NULL;
    rest.offset = (int64_t)(address - g->address);
    if (is_ambiguous(index, n - 1, &rest))
        return NULL;
    has_neighbour = n > 1 && index->globals[n - 2].size ==
                                 g->address - index->globals[n - 2].address;
    return part_of(g, has_neighbour, &rest);
}
