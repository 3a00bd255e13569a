/*
 * objvar_part: which member or element of a variable has given bytes.
 *
 * Types come from a file that may be damaged: they may contain themselves, and
 * sizes may be any numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "binary/object_internal.h"

/* Types nested deeper than this are taken to contain themselves. */
#define MOST_DEEP 32

/* The largest constant that programs are taken to subtract from the index of an
   element: the code of a character. */
#define MOST_SUBTRACTED 128

/* The most members of a type, or dimensions of an array, that are looked at. */
#define MOST_MEMBERS    65536
#define MOST_DIMENSIONS 8

bool objvar_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;

    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute),
                             type) != NULL;
}

static bool is_pointer(int tag)
{
    return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
           tag == DW_TAG_rvalue_reference_type;
}

static bool is_structure(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
           tag == DW_TAG_union_type;
}

/* Finds the type that typedefs and qualifiers stand for, and returns its tag,
   or 0 if there is none.  *alias: the name of the last typedef, if any. */
static int peel(const Dwarf_Die *type, Dwarf_Die *peeled, const char **alias)
{
    *peeled = *type;
    *alias = NULL;
    for (int i = 0; i < MOST_DEEP; i++) {
        int tag = dwarf_tag(peeled);
        Dwarf_Die next;

        if (tag != DW_TAG_typedef && tag != DW_TAG_const_type &&
            tag != DW_TAG_volatile_type && tag != DW_TAG_restrict_type &&
            tag != DW_TAG_atomic_type)
            return tag;
        if (tag == DW_TAG_typedef)
            *alias = dwarf_diename(peeled);
        if (!objvar_type_of(peeled, &next))
            return 0;
        *peeled = next;
    }
    return 0;
}

/* May a type have several elements? */
static bool has_elements(const Dwarf_Die *type)
{
    const char *alias;
    Dwarf_Die peeled;
    int tag = peel(type, &peeled, &alias);

    return tag != DW_TAG_base_type && tag != DW_TAG_enumeration_type &&
           !is_pointer(tag);
}

bool objvar_is_rival(const struct objvar_part *part, uint64_t distance,
                     uint64_t size, const Dwarf_Die *type)
{
    return part->stride > 0 && !part->is_first &&
           distance / part->stride <= MOST_SUBTRACTED &&
           size / part->stride >= 2 && (type == NULL || has_elements(type));
}

static bool number_of(Dwarf_Die *die, unsigned name, uint64_t *number)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;

    if (dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &value) !=
        0)
        return false;
    *number = value;
    return true;
}

/* --- Arrays --- */

struct dimensions {
    uint64_t counts[MOST_DIMENSIONS]; /* the outermost dimension first */
    unsigned n;
    uint64_t total; /* the number of all elements */
};

/* How many elements a dimension has; 0: not known. */
static uint64_t count_of(Dwarf_Die *range)
{
    uint64_t count, low = 0, high;

    if (number_of(range, DW_AT_count, &count))
        return count;
    number_of(range, DW_AT_lower_bound, &low); /* it is 1 in Fortran */
    if (!number_of(range, DW_AT_upper_bound, &high) || high < low ||
        high - low == UINT64_MAX)
        return 0;
    return high - low + 1;
}

static bool dimensions_of(Dwarf_Die *array, struct dimensions *d)
{
    Dwarf_Die child;
    int rc = dwarf_child(array, &child);

    *d = (struct dimensions){.total = 1};
    /* The address of an array with a descriptor is that of the descriptor. */
    if (dwarf_hasattr(array, DW_AT_data_location) ||
        dwarf_hasattr(array, DW_AT_byte_stride))
        return false;
    for (; rc == 0; rc = dwarf_siblingof(&child, &child)) {
        uint64_t count = count_of(&child);

        if (d->n == MOST_DIMENSIONS || count == 0 ||
            __builtin_mul_overflow(d->total, count, &d->total))
            return false;
        d->counts[d->n++] = count;
    }
    return d->n > 0;
}

static bool size_within(const Dwarf_Die *type, unsigned depth, uint64_t *size)
{
    Dwarf_Die peeled, element;
    struct dimensions d;
    const char *alias;
    int tag = depth < MOST_DEEP ? peel(type, &peeled, &alias) : 0;

    if (tag == 0)
        return false;
    if (number_of(&peeled, DW_AT_byte_size, size))
        return *size > 0;
    *size = 8;
    return is_pointer(tag) ||
           (tag == DW_TAG_array_type && dimensions_of(&peeled, &d) &&
            objvar_type_of(&peeled, &element) &&
            size_within(&element, depth + 1, size) &&
            !__builtin_mul_overflow(*size, d.total, size));
}

bool objvar_size_of(const Dwarf_Die *type, uint64_t *size)
{
    return size_within(type, 0, size);
}

/* --- The path to a part --- */

struct walk {
    struct objvar_part part; /* the part, from the beginning of `type` on */
    Dwarf_Die type;
    bool has_neighbour; /* other bytes may end where the type begins */
    unsigned depth;
    FILE *out; /* gets the path: ".acc", "[]" */
};

/* Do the bytes lie within n bytes from `start` on? */
static bool covers(const struct objvar_part *part, uint64_t start, uint64_t n)
{
    uint64_t offset = (uint64_t)part->offset;

    return part->offset >= 0 && offset >= start && offset - start < n &&
           part->size <= n - (offset - start);
}

/* Where a member lies in its structure; false: not known. */
static bool extent_of(Dwarf_Die *member, uint64_t *start, uint64_t *n)
{
    uint64_t bits, first;
    Dwarf_Die type;

    if (number_of(member, DW_AT_bit_size, &bits)) {
        if (!number_of(member, DW_AT_data_bit_offset, &first) || bits > 64 ||
            first > INT64_MAX)
            return false;
        *start = first / 8;
        *n = (first + bits + 7) / 8 - *start;
        return true;
    }
    *start = 0;
    if (dwarf_hasattr(member, DW_AT_data_member_location) &&
        !number_of(member, DW_AT_data_member_location, start))
        return false;
    return objvar_type_of(member, &type) && objvar_size_of(&type, n);
}

/* Finds the member that has the bytes; false if several have them, or elements
   of a later member may be meant. */
static bool member_of(struct walk *w, Dwarf_Die *found, uint64_t *start)
{
    struct objvar_part part = w->part;
    unsigned n_found = 0, n_seen = 0;
    Dwarf_Die child, type;

    /* The member is that of the element with index 0. */
    if (part.stride > 0)
        part.size = 1;
    for (int rc = dwarf_child(&w->type, &child); rc == 0;
         rc = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);
        uint64_t first, n;

        if (++n_seen > MOST_MEMBERS)
            return false;
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
            dwarf_hasattr(&child, DW_AT_declaration) ||
            dwarf_hasattr(&child, DW_AT_external) ||
            !extent_of(&child, &first, &n))
            continue;
        if (part.offset >= 0 && first > (uint64_t)part.offset &&
            objvar_type_of(&child, &type) &&
            objvar_is_rival(&part, first - (uint64_t)part.offset, n, &type))
            return false;
        if (!covers(&part, first, n))
            continue;
        *found = child;
        *start = first;
        n_found++;
    }
    return n_found == 1;
}

static bool walk(struct walk *w);

static bool walk_members(struct walk *w)
{
    uint64_t start;
    Dwarf_Die member;

    /* The bytes are padding, or those of several members. */
    if (!member_of(w, &member, &start))
        return w->part.stride == 0;
    const char *name =
        dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : NULL;
    if (name != NULL)
        fprintf(w->out, ".%s", name);
    assert(w->part.offset >= (int64_t)start);
    w->part.offset -= (int64_t)start;
    w->has_neighbour |= start > 0;
    return objvar_type_of(&member, &w->type) && walk(w);
}

/* Writes "[1][2]", or with `is_any` "[][]". */
static void write_elements(struct walk *w, const struct dimensions *d,
                           bool is_any, uint64_t index)
{
    uint64_t rest = d->total;

    assert(d->n > 0 && d->n <= MOST_DIMENSIONS);
    for (unsigned i = 0; i < d->n; i++) {
        rest /= d->counts[i];
        if (is_any)
            fputs("[]", w->out);
        else
            fprintf(w->out, "[%" PRIu64 "]", index / rest);
        index %= rest;
    }
}

/* Is the array certainly meant, although the element's index is not known? */
static bool is_certain(const struct walk *w, uint64_t size, uint64_t total)
{
    uint64_t offset = (uint64_t)w->part.offset;

    if (w->part.offset < 0 || offset >= total)
        return false;
    return w->part.is_first ||
           (offset < size && (w->part.is_upward || !w->has_neighbour));
}

static bool walk_array(struct walk *w)
{
    Dwarf_Die array = w->type;
    struct dimensions d;
    uint64_t size, total;

    if (!dimensions_of(&array, &d))
        return w->part.stride == 0;
    if (!objvar_type_of(&array, &w->type) || !objvar_size_of(&w->type, &size) ||
        __builtin_mul_overflow(size, d.total, &total))
        return false;
    if (w->part.stride == 0 ? !covers(&w->part, 0, total)
                            : !is_certain(w, size, total))
        return false;
    bool is_aligned = w->part.stride % size == 0;
    assert(size > 0 && w->part.offset >= 0);
    uint64_t within = (uint64_t)w->part.offset % size;
    write_elements(w, &d, w->part.stride > 0 || within + w->part.size > size,
                   (uint64_t)w->part.offset / size);
    w->part.offset = (int64_t)within;
    w->part.stride = 0;
    w->has_neighbour = true;
    /* The bytes are those of several elements, or some of one. */
    if (!is_aligned || !covers(&w->part, 0, size))
        return true;
    return walk(w);
}

/* Writes the path to the part of the type; false: it cannot be told. */
static bool walk(struct walk *w)
{
    Dwarf_Die whole = w->type;
    const char *alias;
    uint64_t size;
    int tag = w->depth++ < MOST_DEEP ? peel(&whole, &w->type, &alias) : 0;

    if (tag == 0 || tag == DW_TAG_array_type)
        return tag != 0 && walk_array(w);
    if (w->part.stride == 0 &&
        (!objvar_size_of(&w->type, &size) || !covers(&w->part, 0, size)))
        return false;
    return is_structure(tag) ? walk_members(w) : w->part.stride == 0;
}

/* --- Names --- */

/* A structure's name: "struct node", or its typedef's, "node_t"; or NULL. */
static char *name_of_type(const Dwarf_Die *type)
{
    Dwarf_Die peeled;
    const char *alias;
    int tag = peel(type, &peeled, &alias);

    if (!is_structure(tag))
        return NULL;
    const char *name = dwarf_diename(&peeled);
    if (name == NULL)
        return alias != NULL && tag != DW_TAG_class_type ? memory_text(alias)
                                                         : NULL;
    return memory_printf("%s %s",
                         tag == DW_TAG_structure_type ? "struct"
                         : tag == DW_TAG_union_type   ? "union"
                                                      : "class",
                         name);
}

/* Takes the name.  `way` is the path from the type to the part; if it leads to
   a member of a type with a name, the member is "(struct node).next". */
static struct objvar *variable_of(const struct walk *w, const Dwarf_Die *type,
                                  const char *way, char *name)
{
    struct objvar *v = memory_new(1, sizeof *v);
    AUTO_FREE char *its = way[0] == '.' ? name_of_type(type) : NULL;

    *v = (struct objvar){.name = name, .has_type = true, .type = w->type};
    if (its != NULL)
        v->member = memory_printf("(%s)%s", its, way);
    return v;
}

/* The text of the path to the part; NULL: it cannot be told. */
static char *way_of(struct walk *w)
{
    struct memory_stream way = memory_stream_open(&way);

    w->out = way.out;
    bool is_told = walk(w);
    char *text = memory_stream_close(&way);
    if (is_told)
        return text;
    free(text);
    return NULL;
}

struct objvar *objvar_part_of(const char *name, const Dwarf_Die *type,
                              bool has_neighbour,
                              const struct objvar_part *part)
{
    struct walk w = {
        .part = *part, .type = *type, .has_neighbour = has_neighbour};
    AUTO_FREE char *way = way_of(&w);

    if (way == NULL)
        return NULL;
    struct objvar *v =
        variable_of(&w, type, way, memory_printf("%s%s", name, way));
    v->is_object = true;
    return v;
}

/* Splits an offset into an element's number, *index, and the offset in it. */
static int64_t split(int64_t offset, uint64_t size, int64_t *index)
{
    int64_t n = (int64_t)size, rest = offset % n;

    assert(n > 0);
    *index = offset / n - (rest < 0);
    return rest < 0 ? rest + n : rest;
}

/* What a pointer to a structure points to: a member of the structure, or of one
   in an array of structures. */
static struct objvar *structure_of(const char *name, bool is_reference,
                                   const Dwarf_Die *type, uint64_t size,
                                   const struct objvar_part *part)
{
    struct walk w = {.part = *part, .type = *type, .has_neighbour = true};
    bool is_array = part->stride > 0 && part->stride % size == 0;
    int64_t index;

    if (is_array) {
        w.part.offset = split(part->offset, size, &index);
        w.part.stride = 0;
    }
    AUTO_FREE char *way = way_of(&w);
    if (way == NULL)
        return NULL;
    bool is_member = way[0] == '.';
    return variable_of(&w, type, way,
                       is_array       ? memory_printf("%s[]%s", name, way)
                       : is_reference ? memory_printf("%s%s", name, way)
                       : is_member    ? memory_printf("%s->%s", name, way + 1)
                                      : memory_printf("*%s", name));
}

/* What a pointer to anything but a structure points to. */
static struct objvar *element_of(const char *name, bool is_reference,
                                 const Dwarf_Die *type, uint64_t size,
                                 const struct objvar_part *part)
{
    struct walk w = {.type = *type};
    int64_t index, rest = split(part->offset, size, &index);
    struct dimensions d;
    const char *alias;
    Dwarf_Die row;
    char *text;

    if (is_reference) {
        if (part->stride > 0 || index != 0)
            return NULL;
        text = memory_text(name);
    } else if (part->stride % size != 0 &&
               peel(type, &row, &alias) == DW_TAG_array_type &&
               dimensions_of(&row, &d)) {
        static const char any[] = "[][][][][][][][][]";

        /* The pointer adds one dimension to those of the array. */
        _Static_assert(sizeof any > 2 * (MOST_DIMENSIONS + 1), "all fit");
        text = memory_printf("%s%.*s", name, 2 * (int)(d.n + 1), any);
    } else if (part->stride > 0 || (uint64_t)rest + part->size > size) {
        text = memory_printf("%s[]", name);
    } else if (index != 0) {
        text = memory_printf("%s[%" PRId64 "]", name, index);
    } else {
        text = memory_printf("*%s", name);
    }
    return variable_of(&w, type, "", text);
}

struct objvar *objvar_pointee(const char *name, const Dwarf_Die *type,
                              const struct objvar_part *part)
{
    Dwarf_Die pointer, pointee, whole;
    const char *alias;
    uint64_t size;
    int tag = peel(type, &pointer, &alias);

    if (!is_pointer(tag) || !objvar_type_of(&pointer, &pointee) ||
        !objvar_size_of(&pointee, &size) || size > INT64_MAX / 2)
        return NULL;
    assert(size > 0);
    return (is_structure(peel(&pointee, &whole, &alias)) ? structure_of
                                                         : element_of)(
        name, tag != DW_TAG_pointer_type, &pointee, size, part);
}
