/*
 * objunit: the compilation units of an object's debug information: which one
 * has an address, with its row of the line table and its scopes, and what of
 * them cannot be read.
 *
 * Compilers need not list the addresses of units in one place: clang and Go do
 * not.  So all units are asked once which addresses they have, and a unit that
 * is needed is asked which addresses its functions have.
 *
 * A unit that is split names a file, relative to the program's directory or to
 * that of its compiler.  The file is opened only if all files that it may be
 * are regular or missing: a pipe would never end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/stat.h>

#include "binary/object_internal.h"

/* The most entries of a unit, and ranges of addresses of one entry, that are
   looked at. */
#define MOST_ENTRIES 4000000
#define MOST_RANGES  1000000
#define MOST_DEEP    64

/* The most units that are asked whether they are split. */
#define MOST_UNITS 100000

/* --- Units that are split --- */

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;

    return dwarf_formstring(dwarf_attr(die, name, &attribute));
}

/* The name of the file that has the rest of a unit; NULL: the unit is whole. */
static const char *rest_of(Dwarf_Die *unit)
{
    const char *name = text_of(unit, DW_AT_dwo_name);

    return name != NULL ? name : text_of(unit, DW_AT_GNU_dwo_name);
}

enum found { MISSING, REGULAR, OTHER };

/* Looks for a file, and frees its path. */
static enum found look_for(char *path)
{
    struct stat st;
    enum found found = stat(path, &st) != 0  ? MISSING
                       : S_ISREG(st.st_mode) ? REGULAR
                                             : OTHER;

    free(path);
    return found;
}

/* Is there a file with the rest of a unit? */
static bool has_rest(struct objfile *object, Dwarf_Die *unit, const char *name)
{
    const char *program = NULL;
    const char *directory = text_of(unit, DW_AT_comp_dir);
    enum found beside, there = MISSING, package;

    dwfl_module_info(object->module, NULL, NULL, NULL, NULL, NULL, &program,
                     NULL);
    if (program == NULL)
        return false;
    int n = (int)(text_base_name(program) - program);
    package = look_for(memory_printf("%s.dwp", program));
    if (name[0] == '/')
        return look_for(memory_text(name)) == REGULAR && package != OTHER;
    beside = look_for(memory_printf("%.*s%s", n, program, name));
    if (directory != NULL)
        there = look_for(
            directory[0] == '/'
                ? memory_printf("%s/%s", directory, name)
                : memory_printf("%.*s%s/%s", n, program, directory, name));
    return beside != OTHER && there != OTHER && package != OTHER &&
           (beside == REGULAR || there == REGULAR || package == REGULAR);
}

bool objfile_whole_unit(struct objfile *object, Dwarf_Die *unit,
                        Dwarf_Die *whole)
{
    const char *name = rest_of(unit);
    Dwarf_Half version;
    uint8_t type;
    Dwarf_Die rest;

    *whole = *unit;
    if (name == NULL)
        return true;
    if (!has_rest(object, unit, name) ||
        dwarf_cu_info(unit->cu, &version, &type, NULL, &rest, NULL, NULL,
                      NULL) != 0 ||
        rest.cu == NULL)
        return false;
    *whole = rest;
    return true;
}

/* --- What cannot be read --- */

/* Has the file debug information?  *method: how it is compressed, or 0. */
static bool has_debug(const struct objfile *object, unsigned *method)
{
    Elf_Scn *section = NULL;
    GElf_Shdr h;
    GElf_Chdr c;

    do
        section = objfile_named(object, ".debug_info", section, &h);
    while (section != NULL && (h.sh_type == SHT_NOBITS || h.sh_size == 0));
    *method = section != NULL && (h.sh_flags & SHF_COMPRESSED) != 0 &&
                      gelf_getchdr(section, &c) != NULL
                  ? c.ch_type
                  : 0;
    return section != NULL;
}

static char *compressed(unsigned method)
{
    switch (method) {
    case 0:
        return memory_text("its debug information cannot be read");
    case 1:
        return memory_text("its debug information cannot be read: it is "
                           "compressed by zlib, with errors");
    case 2:
        return memory_text("its debug information cannot be read: it is "
                           "compressed by zstd, which this elfutils does not "
                           "know");
    default:
        return memory_printf("its debug information cannot be read: it is "
                             "compressed by method %u, which nobody knows",
                             method);
    }
}

char *objfile_unread(struct objfile *object)
{
    unsigned method, n = 0;
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias;

    if (has_debug(object, &method) &&
        dwfl_module_nextcu(object->module, NULL, &bias) == NULL)
        return compressed(method);
    while (n++ < MOST_UNITS &&
           (unit = dwfl_module_nextcu(object->module, unit, &bias)) != NULL) {
        Dwarf_Die whole;

        if (!objfile_whole_unit(object, unit, &whole))
            return memory_printf(
                "its debug information is split, and %s cannot "
                "be read",
                rest_of(unit));
    }
    return NULL;
}

/* --- The unit of an address --- */

/* Addresses of a unit or a function. */
struct range {
    uint64_t low, high; /* as the debug information has the addresses */
    size_t of;
};

struct ranges {
    struct range *list; /* sorted once all are added */
    size_t n_list, list_room;
};

struct unit {
    Dwarf_Die die;
    Dwarf_Addr bias;
    bool has_functions; /* the functions were looked for */
    Dwarf_Die whole;    /* then: the unit with its separate part */
    struct ranges ranges;
    Dwarf_Die *functions;
    size_t n_functions, functions_room;
    size_t n_entries;
};

struct objunits {
    struct ranges ranges;
    struct unit *units;
    size_t n_units, units_room;
};

/* Adds the ranges of an entry, except dropped code: the linker leaves it at 0
   or 1; in object files of compilers, code begins at 0. */
static void add_ranges(struct ranges *r, const struct objfile *object,
                       Dwarf_Die *die, size_t of)
{
    uint64_t lowest = object->rel.sections != NULL ? 0 : 2;
    Dwarf_Addr base, low, high;
    ptrdiff_t at = 0;
    size_t n = 0;

    while (n++ < MOST_RANGES &&
           (at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
        if (low >= lowest && low < high)
            array_append(r, list, (struct range){low, high, of});
}

ARRAY_ORDER(range_order, struct range,
            array_order(a->low, b->low) ?: array_order(b->high, a->high))

/* The last range that begins at or before an address, if it has the address. */
static const struct range *find_range(const struct ranges *r, uint64_t address)
{
    size_t n = array_bisect(0, r->n_list, i, r->list[i].low <= address);

    return n > 0 && address < r->list[n - 1].high ? &r->list[n - 1] : NULL;
}

static struct objunits *units_of(struct objfile *object)
{
    struct objunits *u = memory_new(1, sizeof *u);
    Dwarf_Die *die = NULL;
    Dwarf_Addr bias;

    while ((die = dwfl_module_nextcu(object->module, die, &bias)) != NULL) {
        add_ranges(&u->ranges, object, die, u->n_units);
        array_append(u, units, (struct unit){.die = *die, .bias = bias});
    }
    array_sort(u->ranges.list, u->ranges.n_list, range_order);
    return u;
}

void objunits_free(struct objunits *u)
{
    if (u == NULL)
        return;
    for (size_t i = 0; i < u->n_units; i++) {
        free(u->units[i].ranges.list);
        free(u->units[i].functions);
    }
    free(u->units);
    free(u->ranges.list);
    free(u);
}

static struct unit *find_unit(struct objfile *object, uint64_t address)
{
    GElf_Addr other = objfile_theirs(object, address);

    if (object->units == NULL)
        object->units = units_of(object);
    struct objunits *u = object->units;
    /* All units are of one file, so they have one bias. */
    if (u->n_units == 0)
        return NULL;
    assert(u->ranges.n_list == 0 || u->n_units > 0);
    const struct range *range =
        find_range(&u->ranges, other - u->units[0].bias);
    return range != NULL ? &u->units[range->of] : NULL;
}

Dwarf_Die *objfile_unit(struct objfile *object, uint64_t address,
                        Dwarf_Addr *bias)
{
    struct unit *unit = find_unit(object, address);

    if (unit == NULL)
        return dwfl_module_addrdie(object->module,
                                   objfile_theirs(object, address), bias);
    *bias = unit->bias;
    return &unit->die;
}

/* --- Lines --- */

/* The number of the last row at or before an address; `n`: there is none. */
static size_t row_at(Dwarf_Lines *lines, size_t n, Dwarf_Addr address)
{
    size_t before =
        array_bisect(0, n, i, ({
                         Dwarf_Addr at = UINT64_MAX;

                         dwarf_lineaddr(dwarf_onesrcline(lines, i), &at);
                         at <= address;
                     }));

    assert(before <= n);
    return before > 0 ? before - 1 : n;
}

Dwarf_Line *objfile_row(struct objfile *object, uint64_t address)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = objfile_unit(object, address, &bias);
    Dwarf_Lines *lines;
    size_t n;

    if (unit == NULL || dwarf_getsrclines(unit, &lines, &n) != 0)
        return NULL;
    size_t at = row_at(lines, n, objfile_theirs(object, address) - bias);
    if (at == n)
        return NULL;
    for (;; at--) {
        Dwarf_Line *row = dwarf_onesrcline(lines, at);
        bool is_end = true;
        int line = 0;

        if (row == NULL || dwarf_lineendsequence(row, &is_end) != 0 || is_end)
            return NULL;
        if (dwarf_lineno(row, &line) == 0 && line > 0)
            return row;
        if (at == 0)
            return NULL;
    }
}

/* --- Scopes --- */

static void add_functions(struct unit *unit, const struct objfile *object,
                          Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;

    if (depth == MOST_DEEP)
        return;
    for (int rc = dwarf_child(parent, &die);
         rc == 0 && unit->n_entries < MOST_ENTRIES;
         rc = dwarf_siblingof(&die, &die)) {
        unit->n_entries++;
        switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
            add_ranges(&unit->ranges, object, &die, unit->n_functions);
            array_append(unit, functions, die);
            add_functions(unit, object, &die, depth + 1);
            break;
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_lexical_block:
            add_functions(unit, object, &die, depth + 1);
            break;
        default:
            break;
        }
    }
}

/* Finds the scope within another one that has the address. */
static bool scope_within(const Dwarf_Die *scope, Dwarf_Addr address,
                         Dwarf_Die *found)
{
    Dwarf_Die parent = *scope, die;
    size_t n = 0;

    for (int rc = dwarf_child(&parent, &die); rc == 0 && n < MOST_ENTRIES;
         rc = dwarf_siblingof(&die, &die)) {
        int tag = dwarf_tag(&die);

        n++;
        if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
            dwarf_haspc(&die, address) > 0) {
            *found = die;
            return true;
        }
    }
    return false;
}

static void find_scopes(struct objfile *object, struct unit *unit,
                        Dwarf_Addr address, struct objfile_scopes *s)
{
    Dwarf_Die list[MOST_DEEP];
    int n = 0;

    if (!unit->has_functions) {
        objfile_whole_unit(object, &unit->die, &unit->whole);
        add_functions(unit, object, &unit->whole, 0);
        array_sort(unit->ranges.list, unit->ranges.n_list, range_order);
        unit->has_functions = true;
    }
    const struct range *range = find_range(&unit->ranges, address);
    if (range == NULL)
        return;
    assert(range->low <= address && range->of < unit->n_functions);
    list[n++] = unit->whole;
    list[n++] = unit->functions[range->of];
    while (n < MOST_DEEP && scope_within(&list[n - 1], address, &list[n]))
        n++;
    assert(n >= 2 && n <= MOST_DEEP);
    s->list = memory_new((size_t)n, sizeof *s->list);
    for (s->n = 0; s->n < n; s->n++)
        s->list[s->n] = list[n - 1 - s->n];
}

const struct objfile_scopes *objfile_scopes(struct objfile *object,
                                            uint64_t address)
{
    for (size_t i = 0; i < OBJFILE_KEPT_SCOPES && i < object->n_scopes; i++)
        if (object->scopes[i].address == address)
            return &object->scopes[i];
    struct objfile_scopes *s =
        &object->scopes[object->n_scopes++ % OBJFILE_KEPT_SCOPES];
    free(s->list);
    *s = (struct objfile_scopes){.address = address};
    struct unit *unit = find_unit(object, address);
    assert(s->list == NULL && s->n == 0);
    if (unit != NULL)
        find_scopes(object, unit, objfile_theirs(object, address) - unit->bias,
                    s);
    return s;
}
