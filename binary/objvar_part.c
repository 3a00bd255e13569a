/*
 * objvar_part: which member or element of a variable has some bytes.
 *
 * Types come from a file that may be damaged: they may contain themselves, and
 * sizes may be any numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "binary/object_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Types that contain more types than this contain themselves. */
#define MOST_DEEP 32

/* The largest constant that programs are taken to subtract from the number of
   an element: that of a character. */
#define MOST_SUBTRACTED 128

/* The most members of a type, or dimensions of an array, that are looked at. */
#define MOST_MEMBERS    65536
#define MOST_DIMENSIONS 8

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

bool objvar_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;

    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute),
                             type) != NULL;
}

static bool is_wrapped(int tag)
{
    return tag == DW_TAG_typedef || tag == DW_TAG_const_type ||
           tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
           tag == DW_TAG_atomic_type;
}

bool objvar_peel(const Dwarf_Die *type, Dwarf_Die *peeled)
{
    *peeled = *type;
    for (int i = 0; i < MOST_DEEP; i++) {
        Dwarf_Die next;

        if (!is_wrapped(dwarf_tag(peeled)))
            return true;
        if (!objvar_type_of(peeled, &next))
            return false;
        *peeled = next;
    }
    return false;
}

/* May a type have several elements? */
static bool has_elements(const Dwarf_Die *type)
{
    Dwarf_Die peeled;

    if (!objvar_peel(type, &peeled))
        return true;
    switch (dwarf_tag(&peeled)) {
    case DW_TAG_base_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        return false;
    default:
        return true;
    }
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
    uint64_t counts[MOST_DIMENSIONS]; /* the outermost first */
    unsigned n;
    uint64_t total; /* elements */
};

/* How many elements a dimension has; 0: not known. */
static uint64_t count_of(Dwarf_Die *range)
{
    uint64_t count, low = 0, high;

    if (number_of(range, DW_AT_count, &count))
        return count;
    number_of(range, DW_AT_lower_bound, &low); /* Fortran's begin at 1 */
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
    /* The address of such an array is that of its description. */
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

    if (depth == MOST_DEEP || !objvar_peel(type, &peeled))
        return false;
    if (number_of(&peeled, DW_AT_byte_size, size))
        return *size > 0;
    switch (dwarf_tag(&peeled)) {
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        *size = 8;
        return true;
    case DW_TAG_array_type:
        return dimensions_of(&peeled, &d) &&
               objvar_type_of(&peeled, &element) &&
               size_within(&element, depth + 1, size) &&
               !__builtin_mul_overflow(*size, d.total, size);
    default:
        return false;
    }
}

bool objvar_size_of(const Dwarf_Die *type, uint64_t *size)
{
    return size_within(type, 0, size);
}

/* --- The way to a part --- */

struct walk {
    struct objvar_part part; /* the rest, from the beginning of `type` on */
    Dwarf_Die type;
    bool has_neighbour; /* other bytes may end where the type begins */
    unsigned depth;
    FILE *out; /* gets ".acc", "[]" */
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

/* Finds the only member that has the bytes, and no member after it is one whose
   elements may be meant. */
static bool member_of(struct walk *w, Dwarf_Die *found, uint64_t *start)
{
    struct objvar_part part = w->part;
    unsigned n_found = 0, n_seen = 0;
    Dwarf_Die child, type;

    /* Where the index is 0. */
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
    const char *name;

    /* Padding, several members, or what several members of a union share. */
    if (!member_of(w, &member, &start))
        return w->part.stride == 0;
    name = dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : NULL;
    if (name != NULL)
        fprintf(w->out, ".%s", name);
    w->part.offset -= (int64_t)start;
    w->has_neighbour |= start > 0;
    return objvar_type_of(&member, &w->type) && walk(w);
}

static void write_elements(struct walk *w, const struct dimensions *d,
                           uint64_t index)
{
    uint64_t rest = d->total;

    for (unsigned i = 0; i < d->n; i++) {
        rest /= d->counts[i];
        fprintf(w->out, "[%" PRIu64 "]", index / rest);
        index %= rest;
    }
}

static void write_any(struct walk *w, const struct dimensions *d)
{
    for (unsigned i = 0; i < d->n; i++)
        fputs("[]", w->out);
}

/* Is the array certainly meant, although its element is not known? */
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
    bool is_aligned;

    if (!dimensions_of(&array, &d))
        return w->part.stride == 0;
    if (!objvar_type_of(&array, &w->type) || !objvar_size_of(&w->type, &size) ||
        __builtin_mul_overflow(size, d.total, &total))
        return false;
    if (w->part.stride == 0 && !covers(&w->part, 0, total))
        return false;
    if (w->part.stride > 0 && !is_certain(w, size, total))
        return false;
    is_aligned = w->part.stride % size == 0;
    if (w->part.stride > 0)
        write_any(w, &d);
    else if ((uint64_t)w->part.offset % size + w->part.size <= size)
        write_elements(w, &d, (uint64_t)w->part.offset / size);
    else
        write_any(w, &d);
    w->part.offset = (int64_t)((uint64_t)w->part.offset % size);
    w->part.stride = 0;
    w->has_neighbour = true;
    /* Several elements, or some bytes of one. */
    if (!is_aligned || !covers(&w->part, 0, size))
        return true;
    return walk(w);
}

/* Writes the way to the part that lies in the type; false: it cannot be told.
 */
static bool walk(struct walk *w)
{
    Dwarf_Die whole = w->type;
    uint64_t size;

    if (w->depth++ == MOST_DEEP || !objvar_peel(&whole, &w->type))
        return false;
    switch (dwarf_tag(&w->type)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        if (w->part.stride == 0 &&
            (!objvar_size_of(&w->type, &size) || !covers(&w->part, 0, size)))
            return false;
        return walk_members(w);
    case DW_TAG_array_type:
        return walk_array(w);
    default:
        return w->part.stride == 0 && objvar_size_of(&w->type, &size) &&
               covers(&w->part, 0, size);
    }
}

/* --- Names --- */

/* "struct node", "node_t" of a structure without a name; NULL: no name. */
static char *name_of_type(const Dwarf_Die *type)
{
    Dwarf_Die at = *type, next;
    const char *alias = NULL, *name, *kind;

    for (int i = 0; i < MOST_DEEP; i++) {
        if (!is_wrapped(dwarf_tag(&at)))
            break;
        if (dwarf_tag(&at) == DW_TAG_typedef)
            alias = dwarf_diename(&at);
        if (!objvar_type_of(&at, &next))
            return NULL;
        at = next;
    }
    name = dwarf_diename(&at);
    switch (dwarf_tag(&at)) {
    case DW_TAG_structure_type:
        kind = "struct";
        break;
    case DW_TAG_union_type:
        kind = "union";
        break;
    case DW_TAG_class_type:
        kind = "class";
        alias = NULL;
        break;
    default:
        return NULL;
    }
    return name != NULL    ? memory_printf("%s %s", kind, name)
           : alias != NULL ? memory_text(alias)
                           : NULL;
}

static struct objvar *variable_of(const struct walk *w, char *name)
{
    struct objvar *v = memory_new(1, sizeof *v);

    v->name = name;
    v->has_type = true;
    v->type = w->type;
    return v;
}

/* "(struct node).next"; NULL if the type has no name, or no member is meant. */
static char *member_name(const Dwarf_Die *type, const char *way)
{
    char *name = name_of_type(type), *member = NULL;

    if (name != NULL && way[0] == '.')
        member = memory_printf("(%s)%s", name, way);
    free(name);
    return member;
}

struct objvar *objvar_part_of(const char *name, const Dwarf_Die *type,
                              bool has_neighbour,
                              const struct objvar_part *part)
{
    struct walk w = {
        .part = *part, .type = *type, .has_neighbour = has_neighbour};
    struct objvar *v = NULL;
    struct memory_stream way;
    bool is_told;
    char *text;

    memory_stream_open(&way);
    w.out = way.out;
    is_told = walk(&w);
    text = memory_stream_close(&way);
    if (is_told) {
        v = variable_of(&w, memory_printf("%s%s", name, text));
        v->member = member_name(type, text);
        v->is_object = true;
    }
    free(text);
    return v;
}

/* The offset within an element, and the number of the element. */
static int64_t split(int64_t offset, uint64_t size, int64_t *index)
{
    int64_t rest;

    *index = offset / (int64_t)size;
    rest = offset % (int64_t)size;
    if (rest < 0) {
        rest += (int64_t)size;
        (*index)--;
    }
    return rest;
}

static bool is_structure(const Dwarf_Die *type)
{
    Dwarf_Die peeled;
    int tag;

    if (!objvar_peel(type, &peeled))
        return false;
    tag = dwarf_tag(&peeled);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
           tag == DW_TAG_union_type;
}

/* Takes the name, and the way from the type to the part. */
static struct objvar *pointee_of(const struct walk *w, const Dwarf_Die *type,
                                 char *name, const char *way)
{
    struct objvar *v = variable_of(w, name);

    v->member = member_name(type, way);
    return v;
}

/* What a pointer to a structure points to: a member of it, or one of an element
   of an array of them. */
static struct objvar *structure_of(const char *name, bool is_reference,
                                   const Dwarf_Die *type, uint64_t size,
                                   const struct objvar_part *part)
{
    struct walk w = {.part = *part, .type = *type, .has_neighbour = true};
    bool is_array = part->stride > 0 && part->stride % size == 0;
    struct memory_stream way;
    struct objvar *v = NULL;
    char *text;
    int64_t index;

    if (is_array) {
        w.part.offset = split(part->offset, size, &index);
        w.part.stride = 0;
    }
    memory_stream_open(&way);
    w.out = way.out;
    if (!walk(&w)) {
        free(memory_stream_close(&way));
        return NULL;
    }
    text = memory_stream_close(&way);
    if (is_array)
        v = pointee_of(&w, type, memory_printf("%s[]%s", name, text), text);
    else if (is_reference)
        v = pointee_of(&w, type, memory_printf("%s%s", name, text), text);
    else if (text[0] == '.')
        v = pointee_of(&w, type, memory_printf("%s->%s", name, text + 1), text);
    else
        v = pointee_of(&w, type, memory_printf("*%s", name), text);
    free(text);
    return v;
}

/* "[][]" for elements of an array with one dimension, and a row for each
 * number.
 */
static const char *any_of(const struct dimensions *d)
{
    static const char any[] = "[][][][][][][][][]";

    _Static_assert(sizeof any > 2 * (MOST_DIMENSIONS + 1), "all fit");
    return any + sizeof any - 1 - 2 * (d->n + 1);
}

/* What a pointer to anything else points to. */
static struct objvar *element_of(const char *name, bool is_reference,
                                 const Dwarf_Die *type, uint64_t size,
                                 const struct objvar_part *part)
{
    struct walk w = {.type = *type};
    int64_t index, rest = split(part->offset, size, &index);
    struct dimensions d;
    Dwarf_Die row;

    if (is_reference)
        return part->stride == 0 && index == 0
                   ? pointee_of(&w, type, memory_text(name), "")
                   : NULL;
    if (part->stride % size != 0 && objvar_peel(type, &row) &&
        dwarf_tag(&row) == DW_TAG_array_type && dimensions_of(&row, &d))
        return pointee_of(&w, type, memory_printf("%s%s", name, any_of(&d)),
                          "");
    if (part->stride > 0 || (uint64_t)rest + part->size > size)
        return pointee_of(&w, type, memory_printf("%s[]", name), "");
    if (index != 0)
        return pointee_of(&w, type,
                          memory_printf("%s[%" PRId64 "]", name, index), "");
    return pointee_of(&w, type, memory_printf("*%s", name), "");
}

struct objvar *objvar_pointee(const char *name, const Dwarf_Die *type,
                              const struct objvar_part *part)
{
    Dwarf_Die pointer, pointee;
    uint64_t size;
    int tag;

    if (!objvar_peel(type, &pointer))
        return NULL;
    tag = dwarf_tag(&pointer);
    if ((tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type &&
         tag != DW_TAG_rvalue_reference_type) ||
        !objvar_type_of(&pointer, &pointee) ||
        !objvar_size_of(&pointee, &size) || size > INT64_MAX / 2)
        return NULL;
    return (is_structure(&pointee) ? structure_of : element_of)(
        name, tag != DW_TAG_pointer_type, &pointee, size, part);
}

struct objvar *objvar_of_symbol(const char *name, bool has_neighbour,
                                const struct objvar_part *part)
{
    struct objvar *v;

    if (part->stride > 0 && !part->is_first &&
        (part->offset != 0 || (has_neighbour && !part->is_upward)))
        return NULL;
    v = memory_new(1, sizeof *v);
    v->name = part->stride > 0 ? memory_printf("%s[]", name)
              : part->offset != 0
                  ? memory_printf("%s+%" PRId64, name, part->offset)
                  : memory_text(name);
    v->is_object = true;
    return v;
}
