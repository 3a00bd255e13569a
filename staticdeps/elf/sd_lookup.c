/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/sd_image.h"

static int compare(const void *x, const void *y, void *argument)
{
    const struct sd_image *image = argument;
    const size_t *a = x, *b = y;

    return array_order(image->sections[*a].address, image->sections[*b].address)
               ?: array_order(*a, *b);
}

void sd_sections_init(struct sd_sections *sections,
                      const struct sd_image *image)
{
    size_t n = image->n_sections;

    sections->image = image;
    sections->order = memory_new(n, sizeof *sections->order);
    for (size_t i = 0; i < n; i++)
        sections->order[i] = i;
    if (n > 1)
        qsort_r(sections->order, n, sizeof *sections->order, compare,
                (void *)(uintptr_t)image);
}

void sd_sections_fini(struct sd_sections *sections)
{
    free(sections->order);
    *sections = (struct sd_sections){0};
}

size_t sd_sections_find(const struct sd_sections *sections, uint64_t address)
{
    const struct sd_section *list = sections->image->sections;
    size_t number,
        end = array_bisect(0, sections->image->n_sections, i,
                           list[sections->order[i]].address <= address);

    if (end == 0)
        return SD_NO_SECTION;
    number = sections->order[end - 1];
    assert(list[number].address <= address);
    return address - list[number].address < list[number].size ? number
                                                              : SD_NO_SECTION;
}

/* The end of a function; the next function begins at `next`. */
static uint64_t end_of(const struct sd_image *image, const struct sd_symbol *s,
                       uint64_t next)
{
    const struct sd_section *section = &image->sections[s->section];
    uint64_t end;

    if (s->size > 0)
        return __builtin_add_overflow(s->address, s->size, &end) ? UINT64_MAX
                                                                 : end;
    end = section->address + section->size;
    return next < end ? next : end;
}

static size_t count_functions(const struct sd_image *image)
{
    size_t n = 0;

    for (size_t i = 0; i < image->n_symbols; i++) {
        assert(i == 0 ||
               image->symbols[i - 1].address <= image->symbols[i].address);
        n += image->symbols[i].is_function;
    }
    return n;
}

/* Goes from the last function to the first, because a function without a size
   ends where the next function begins. */
void sd_functions_init(struct sd_functions *functions,
                       const struct sd_image *image)
{
    uint64_t reach = 0, here = UINT64_MAX, next = UINT64_MAX;
    size_t n = count_functions(image);

    *functions = (struct sd_functions){
        .n = n,
        .list = memory_new(n, sizeof *functions->list),
        .around = memory_new(n, sizeof *functions->around)};
    for (size_t i = image->n_symbols; i-- > 0;) {
        const struct sd_symbol *s = &image->symbols[i];

        if (!s->is_function)
            continue;
        if (s->address < here) {
            next = here;
            here = s->address;
        }
        functions->list[--n] =
            (struct sd_function){.name = s->name,
                                 .start = s->address,
                                 .end = end_of(image, s, next)};
        assert(functions->list[n].end >= s->address);
    }
    assert(n == 0);
    for (size_t i = 0; i < functions->n; i++) {
        if (functions->list[i].end > reach)
            reach = functions->list[i].end;
        functions->list[i].reach = reach;
    }
}

void sd_functions_fini(struct sd_functions *functions)
{
    free(functions->list);
    free(functions->around);
    *functions = (struct sd_functions){0};
}

/* Pushes the functions that start at or before the address.  The last one comes
   to lie on top; of several with the same start, the first of the list. */
static void enter(struct sd_functions *f, uint64_t address)
{
    while (f->next < f->n && f->list[f->next].start <= address) {
        size_t end = f->next + 1;

        while (end < f->n && f->list[end].start == f->list[f->next].start)
            end++;
        for (size_t i = end; i-- > f->next;)
            f->around[f->depth++] = i;
        f->next = end;
    }
    assert(f->depth <= f->n);
}

const struct sd_function *sd_functions_find(struct sd_functions *f,
                                            uint64_t address)
{
    if (address < f->last)
        f->next = f->depth = 0;
    f->last = address;
    enter(f, address);
    /* Functions deeper in the stack that have ended are popped when they are on
       top. */
    while (f->depth > 0 && f->list[f->around[f->depth - 1]].end <= address)
        f->depth--;
    return f->depth > 0 ? &f->list[f->around[f->depth - 1]] : NULL;
}

bool sd_functions_match(const struct sd_functions *functions,
                        const bool *is_meant, uint64_t address)
{
    /* Only functions that start at or before the address may contain it. */
    size_t i =
        array_bisect(0, functions->n, k, functions->list[k].start <= address);

    while (i-- > 0 && functions->list[i].reach > address)
        if (address < functions->list[i].end && is_meant[i])
            return true;
    return false;
}

/* --- Functions of known size --- */

/* Adds the `size` bytes from an address on, unless `size` is 0 or they wrap
   around. */
static void add(struct sd_extents *e, uint64_t start, uint64_t size)
{
    uint64_t end;

    if (size > 0 && !__builtin_add_overflow(start, size, &end))
        e->list[e->n++] = (struct sd_range){start, end};
}

/* Sorts the list, and joins ranges that overlap or touch. */
static void join(struct sd_extents *e)
{
    size_t kept = 0;

    array_sort(e->list, e->n, array_by_number);
    for (size_t i = 0; i < e->n; i++) {
        struct sd_range *last = kept > 0 ? &e->list[kept - 1] : NULL;

        if (last == NULL || e->list[i].start > last->end)
            e->list[kept++] = e->list[i];
        else if (e->list[i].end > last->end)
            last->end = e->list[i].end;
    }
    e->n = kept;
}

void sd_extents_init(struct sd_extents *e, const struct sd_image *image)
{
    *e = (struct sd_extents){
        .list = memory_new(image->n_symbols + image->n_frames + 1,
                           sizeof *e->list)};
    for (size_t i = 0; i < image->n_symbols; i++)
        if (image->symbols[i].is_function)
            add(e, image->symbols[i].address, image->symbols[i].size);
    for (size_t i = 0; i < image->n_frames; i++)
        add(e, image->frames[i].start,
            image->frames[i].end - image->frames[i].start);
    join(e);
}

void sd_extents_fini(struct sd_extents *e)
{
    free(e->list);
    *e = (struct sd_extents){.list = NULL};
}

bool sd_extents_hold(const struct sd_extents *e, uint64_t address)
{
    size_t end = array_bisect(0, e->n, i, e->list[i].start <= address);

    assert(end <= e->n);
    return end > 0 && address < e->list[end - 1].end;
}
