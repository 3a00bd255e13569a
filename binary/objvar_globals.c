/* objvar_globals: where the global variables of a file are. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "binary/object_internal.h"

/* The most entries of debug information that are looked at, for about a second.
 */
#define MOST_ENTRIES 4000000

/* Blocks that are nested deeper than this are not searched. */
#define MOST_DEEP 24

/* Variables of a thread of a program: on x86-64 they end at the thread pointer,
   on AArch64 two words lie between.  (ELF Handling For Thread-Local Storage,
   section 3; ELF for the Arm 64-bit Architecture, 5.8.) */
#define THREAD_HEAD 16
#define MOST_THREAD ((uint64_t)1 << 40)

/* A variable; one from the symbol table has no entry of debug information. */
struct global {
    uint64_t address, size;
    bool has_die;
    Dwarf_Die die;
    const char *name;
};

/* The variables of the file, or those of a thread. */
struct globals {
    struct global *list; /* by address; they do not overlap */
    size_t n_list, list_room;
};

/* All variables.  Addresses of a thread's count from the first of them. */
struct objvar_index {
    Dwfl_Module *module;
    struct globals file, thread;
    size_t n_entries;
};

static uint64_t round_up(uint64_t n, uint64_t alignment)
{
    return (n + alignment - 1) & ~(alignment - 1);
}

ARRAY_ORDER(global_order, struct global,
            array_order(a->address, b->address)
                ?: array_order(b->has_die, a->has_die))

/* The address that an operation stands for. */
static bool address_of(Dwarf_Attribute *location, Dwarf_Op *op, Dwarf_Addr bias,
                       uint64_t *address)
{
    Dwarf_Attribute result;
    Dwarf_Addr found;

    switch (op->atom) {
    case DW_OP_addr:
        *address = op->number + bias;
        return true;
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index:
        if (dwarf_getlocation_attr(location, op, &result) != 0 ||
            dwarf_formaddr(&result, &found) != 0)
            return false;
        *address = found + bias;
        return true;
    default:
        return false;
    }
}

/* Do the operations give an address in the variables of a thread? */
static bool is_of_thread(const Dwarf_Op *ops, size_t n)
{
    return n == 2 &&
           (ops[0].atom == DW_OP_const4u || ops[0].atom == DW_OP_const8u) &&
           (ops[1].atom == DW_OP_form_tls_address ||
            ops[1].atom == DW_OP_GNU_push_tls_address);
}

/* Is an address in a section that is loaded?  Variables of a section that the
   linker dropped are left at 0, and those of its warnings, which are not
   loaded, at the first addresses. */
static bool is_loaded(Dwfl_Module *module, Dwarf_Addr address)
{
    Dwarf_Addr bias;

    return dwfl_module_address_section(module, &address, &bias) != NULL;
}

/* Adds a variable if it has one address. */
static void add_variable(struct objvar_index *index, Dwarf_Die *die,
                         Dwarf_Addr bias)
{
    struct global g = {.has_die = true, .die = *die};
    struct globals *to = &index->file;
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Op *ops;
    size_t n;

    if (objvar_location(die, DW_AT_location, &attribute) == NULL ||
        dwarf_getlocation(&attribute, &ops, &n) != 0)
        return;
    if (is_of_thread(ops, n)) {
        to = &index->thread;
        g.address = ops[0].number;
    } else if (n != 1 || !address_of(&attribute, &ops[0], bias, &g.address) ||
               !is_loaded(index->module, g.address)) {
        return;
    }
    g.name = dwarf_diename(die);
    if (g.name != NULL && objvar_type_of(die, &type) &&
        objvar_size_of(&type, &g.size))
        array_append(to, list, g);
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

/* Has a symbol an address in memory?  A symbol of a section that is not loaded,
   for which elfutils gives the section -1, has none; an absolute one has a
   number. */
static bool is_placed(const GElf_Sym *symbol, GElf_Word section)
{
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS &&
           section != (GElf_Word)-1;
}

static void add_symbols(struct objvar_index *index, struct objfile *object)
{
    int n = dwfl_module_getsymtab(object->module);

    for (int i = 1; i < n; i++) {
        struct global g = {0};
        GElf_Sym symbol;
        GElf_Word section;

        g.name = dwfl_module_getsym(object->module, i, &symbol, &section);
        int type = GELF_ST_TYPE(symbol.st_info);
        if (g.name == NULL || g.name[0] == '\0' ||
            (type != STT_OBJECT && type != STT_TLS) ||
            !is_placed(&symbol, section) || symbol.st_size == 0)
            continue;
        g.address = symbol.st_value;
        g.size = symbol.st_size;
        if (type == STT_TLS)
            array_append(&index->thread, list, g);
        else
            array_append(&index->file, list, g);
    }
}

/* Drops variables of a thread that have address 0 because the linker dropped
   their section: no symbol at 0 has the name. */
static void drop_zeros(struct globals *globals)
{
    size_t n = 0, n_zero = 0;

    while (n_zero < globals->n_list && globals->list[n_zero].address == 0)
        n_zero++;
    for (size_t i = 0; i < globals->n_list; i++) {
        const struct global *g = &globals->list[i];
        bool is_there = i >= n_zero || !g->has_die;

        for (size_t j = i + 1; j < n_zero && !is_there; j++)
            is_there = !globals->list[j].has_die &&
                       strstr(globals->list[j].name, g->name) != NULL;
        if (is_there)
            globals->list[n++] = *g;
    }
    globals->n_list = n;
}

/* Keeps the first of variables that overlap: mostly names of one variable. */
static void drop_overlapping(struct globals *globals)
{
    size_t n = 0;

    for (size_t i = 0; i < globals->n_list; i++) {
        const struct global *g = &globals->list[i];

        if (n == 0 || g->address - globals->list[n - 1].address >=
                          globals->list[n - 1].size)
            globals->list[n++] = *g;
    }
    assert(n <= globals->n_list);
    globals->n_list = n;
}

static struct objvar_index *index_of(struct objfile *object)
{
    struct objvar_index *index = memory_new(1, sizeof *index);
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias;

    index->module = object->module;
    while ((unit = dwfl_module_nextcu(object->module, unit, &bias)) != NULL &&
           index->n_entries < MOST_ENTRIES) {
        Dwarf_Die whole;

        objfile_whole_unit(object, unit, &whole);
        add_children(index, &whole, bias, 0);
    }
    add_symbols(index, object);
    array_sort(index->file.list, index->file.n_list, global_order);
    array_sort(index->thread.list, index->thread.n_list, global_order);
    drop_overlapping(&index->file);
    drop_zeros(&index->thread);
    drop_overlapping(&index->thread);
    return index;
}

void objvar_index_free(struct objvar_index *index)
{
    if (index == NULL)
        return;
    free(index->file.list);
    free(index->thread.list);
    free(index);
}

/* The type of a variable; false: it is not known. */
static bool type_of(const struct global *g, Dwarf_Die *type)
{
    Dwarf_Die die = g->die;

    return g->has_die && objvar_type_of(&die, type);
}

/* The part of a variable that only the symbol table knows. */
static struct objvar *of_symbol(const char *name, bool has_neighbour,
                                const struct objvar_part *part)
{
    if (part->stride > 0 && !part->is_first &&
        (part->offset != 0 || (has_neighbour && !part->is_upward)))
        return NULL;
    struct objvar *v = memory_new(1, sizeof *v);
    v->name = part->stride > 0 ? memory_printf("%s[]", name)
              : part->offset != 0
                  ? memory_printf("%s+%" PRId64, name, part->offset)
                  : memory_text(name);
    v->is_object = true;
    return v;
}

/* The part of a variable at an offset. */
static struct objvar *part_of(const struct global *g, bool has_neighbour,
                              const struct objvar_part *part)
{
    Dwarf_Die type;

    if (g->has_die)
        return type_of(g, &type)
                   ? objvar_part_of(g->name, &type, has_neighbour, part)
                   : NULL;
    assert((uint64_t)part->offset < g->size);
    if (part->stride == 0 && part->size > g->size - (uint64_t)part->offset)
        return NULL;
    return of_symbol(g->name, has_neighbour, part);
}

/* Could an element of a later variable than this one be meant? */
static bool is_ambiguous(const struct globals *globals, size_t number,
                         const struct objvar_part *part)
{
    uint64_t start = globals->list[number].address;
    Dwarf_Die type;

    for (size_t i = number + 1; i < globals->n_list; i++) {
        const struct global *other = &globals->list[i];

        assert(other->address > start);
        /* From this distance on, no array can be meant. */
        if (!objvar_is_rival(part, other->address - start, UINT64_MAX, NULL))
            return false;
        if (objvar_is_rival(part, other->address - start, other->size,
                            type_of(other, &type) ? &type : NULL))
            return true;
    }
    return false;
}

static struct objvar *find(const struct globals *globals, uint64_t address,
                           const struct objvar_part *part)
{
    struct objvar_part rest = *part;

    size_t n = array_bisect(0, globals->n_list, i,
                            globals->list[i].address <= address);
    if (n == 0)
        return NULL;
    const struct global *g = &globals->list[n - 1];
    if (address - g->address >= g->size || g->size > INT64_MAX)
        return NULL;
    rest.offset = (int64_t)(address - g->address);
    assert(rest.offset >= 0 && (uint64_t)rest.offset < g->size);
    if (is_ambiguous(globals, n - 1, &rest))
        return NULL;
    bool has_neighbour = n > 1 && globals->list[n - 2].size ==
                                      g->address - globals->list[n - 2].address;
    return part_of(g, has_neighbour, &rest);
}

static const struct objvar_index *needed(struct objfile *object)
{
    if (object->variables == NULL)
        object->variables = index_of(object);
    return object->variables;
}

struct objvar *objvar_at_address(struct objfile *object, uint64_t address,
                                 const struct objvar_part *part)
{
    if (object->rel.sections != NULL) {
        const struct objrel_section *s =
            objrel_find(&object->rel, false, address);

        if (s == NULL)
            return NULL;
        assert(address - s->address < s->size);
        address += s->other - s->address + object->elf_bias;
    }
    return find(&needed(object)->file, address, part);
}

/* Where a program's variables of a thread start, from the thread pointer. */
static bool thread_of(struct objfile *object, int64_t *start)
{
    GElf_Ehdr header;
    GElf_Phdr h;
    size_t n;

    if (gelf_getehdr(object->elf, &header) == NULL ||
        elf_getphdrnum(object->elf, &n) != 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (gelf_getphdr(object->elf, (int)i, &h) == NULL || h.p_type != PT_TLS)
            continue;
        if (h.p_align == 0)
            h.p_align = 1;
        if (h.p_align > MOST_THREAD || h.p_memsz > MOST_THREAD ||
            (h.p_align & (h.p_align - 1)) != 0 || h.p_vaddr % h.p_align != 0)
            return false;
        assert(h.p_align > 0 && h.p_memsz <= MOST_THREAD);
        *start = header.e_machine == EM_AARCH64
                     ? (int64_t)round_up(THREAD_HEAD, h.p_align)
                     : -(int64_t)round_up(h.p_memsz, h.p_align);
        return true;
    }
    return false;
}

struct objvar *objvar_in_thread(struct objfile *object, int64_t distance,
                                const struct objvar_part *part)
{
    int64_t start;

    if (!thread_of(object, &start) ||
        __builtin_sub_overflow(distance, start, &distance) || distance < 0)
        return NULL;
    return find(&needed(object)->thread, (uint64_t)distance, part);
}
