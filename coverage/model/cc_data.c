/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/cc_data.h"

bool cc_bounds_has(const struct cc_bounds *b, uint64_t bound)
{
    assert(b->n <= LIFETIMES_MAX);
    for (unsigned i = 0; i < b->n; i++)
        if (b->bound[i] == bound)
            return true;
    return false;
}

bool cc_bounds_add(struct cc_bounds *b, uint64_t bound)
{
    if (cc_bounds_has(b, bound))
        return true;
    if (b->n == LIFETIMES_MAX)
        return false;
    b->bound[b->n++] = bound;
    return true;
}

TEXT_NAMES(cc_scope_name, cc_scope, "block", "function", "object", "program")

bool cc_scope_parse(const char *name, enum cc_scope *scope)
{
    for (enum cc_scope r = 0; r < CC_N_SCOPES; r++)
        if (strcmp(name, cc_scope_name(r)) == 0) {
            *scope = r;
            return true;
        }
    return false;
}

TEXT_NAMES(cc_evidence_name, cc_evidence, "block", "walk", "flow")

enum cc_scope cc_scope_of(const struct cc_data *data, uint32_t a, uint32_t b)
{
    const struct cc_block *src = &data->blocks[a], *dst = &data->blocks[b];

    assert(a < data->n_blocks && b < data->n_blocks);
    if (a == b)
        return CC_SCOPE_BLOCK;
    if (src->object != dst->object)
        return CC_SCOPE_PROGRAM;
    return src->function != CC_NONE && src->function == dst->function
               ? CC_SCOPE_FUNCTION
               : CC_SCOPE_OBJECT;
}

void cc_add_rebuilt(struct cc_data *data, struct cc_rebuilt rebuilt)
{
    rebuilt.path = memory_text(rebuilt.path);
    rebuilt.build_id = memory_text(rebuilt.build_id);
    rebuilt.static_build_id = memory_text(rebuilt.static_build_id);
    array_append(data, rebuilt, rebuilt);
}

uint32_t cc_add_object(struct cc_data *data, const char *path,
                       const char *build_id)
{
    assert(data->n_objects < CC_NONE);
    array_append(data, objects,
                 (struct cc_object){.path = memory_text(path),
                                    .build_id = memory_text(build_id),
                                    .static_path = memory_text(""),
                                    .arch = memory_text(""),
                                    .last_function = CC_NONE});
    return data->n_objects - 1;
}

uint32_t cc_add_unmatched(struct cc_data *data, const char *path)
{
    for (uint32_t i = 0; i < data->n_unmatched; i++)
        if (strcmp(data->unmatched[i].path, path) == 0)
            return i;
    assert(data->n_unmatched < CC_NONE);
    array_append(data, unmatched,
                 (struct cc_unmatched){.path = memory_text(path)});
    return data->n_unmatched - 1;
}

void cc_set_static(struct cc_object *object, const char *path, const char *arch,
                   const char *filter, uint64_t rob)
{
    free(object->static_path);
    free(object->arch);
    free(object->filter);
    object->static_path = memory_text(path);
    object->arch = memory_text(arch);
    object->filter = filter != NULL ? memory_text(filter) : NULL;
    object->rob = rob;
}

uint32_t cc_new_function(struct cc_data *data, uint32_t object,
                         const char *name, int64_t start)
{
    assert(object < data->n_objects && data->n_functions < CC_NONE);
    data->objects[object].last_function = data->n_functions;
    array_append(data, functions,
                 (struct cc_function){.object = object,
                                      .name = memory_text(name),
                                      .start = start});
    return data->n_functions - 1;
}

uint32_t cc_add_function(struct cc_data *data, uint32_t object,
                         const char *name, int64_t start)
{
    uint32_t last = data->objects[object].last_function;

    assert(object < data->n_objects);
    assert(last == CC_NONE || data->functions[last].object == object);
    if (last != CC_NONE && data->functions[last].start == start &&
        strcmp(data->functions[last].name, name) == 0)
        return last;
    return cc_new_function(data, object, name, start);
}

uint32_t cc_add_block(struct cc_data *data, struct cc_block block)
{
    assert(data->n_blocks < CC_NONE && block.start <= block.end);
    assert(block.object < data->n_objects);
    block.number = data->n_blocks;
    array_append(data, blocks, block);
    return block.number;
}

void cc_add_walks(struct cc_data *data, uint32_t block, const void *bytes,
                  size_t n)
{
    struct cc_block *b = &data->blocks[block];

    assert(block < data->n_blocks && b->number == block);
    array_reserve(data, walks, data->n_walks + n);
    memcpy(data->walks + data->n_walks, bytes, n);
    b->walks = data->n_walks;
    b->n_walks = n;
    data->n_walks += n;
}

uint32_t cc_add_observed(struct cc_data *data, struct cc_observed observed)
{
    assert(data->n_observed < CC_NONE && data->bounds.n > 0);
    assert(data->n_counts == data->n_observed * data->bounds.n);
    observed.counts = (uint32_t)data->n_observed;
    array_append(data, observed, observed);
    for (unsigned i = 0; i < data->bounds.n; i++)
        array_append(data, counts, 0);
    return observed.counts;
}

/* A range of walk numbers without a gap. */
struct run {
    uint64_t first, last;
};

/* Reads a number of seven bits a byte, the lowest first; all bytes but the last
   have their eighth bit set.  False at the end of the bytes, or if there are
   more than 63 bits. */
static bool take_number(struct cc_walks *list, uint64_t *number)
{
    unsigned shift = 0;

    *number = 0;
    while (list->n > 0 && shift < 63) {
        uint8_t byte = *list->bytes++;

        list->n--;
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
        shift += 7;
    }
    return false;
}

/* The next run of the list; `next` is the number after the last run. */
static bool take_run(struct cc_walks *list, uint64_t *next, struct run *run)
{
    uint64_t gap, more;

    if (!take_number(list, &gap) || !take_number(list, &more) ||
        __builtin_add_overflow(*next, gap, &run->first) ||
        __builtin_add_overflow(run->first, more, &run->last) ||
        __builtin_add_overflow(run->last, 1, next))
        return false;
    return true;
}

bool cc_walks_are_valid(struct cc_walks list)
{
    uint64_t next = 0;
    struct run run;

    if (list.n == 0)
        return false;
    while (list.n > 0)
        if (!take_run(&list, &next, &run))
            return false;
    return true;
}

bool cc_walks_meet(struct cc_walks a, struct cc_walks b)
{
    uint64_t next_a = 0, next_b = 0;
    struct run x, y;

    if (!take_run(&a, &next_a, &x) || !take_run(&b, &next_b, &y))
        return false;
    while (x.last < y.first || y.last < x.first)
        if (x.last < y.first ? !take_run(&a, &next_a, &x)
                             : !take_run(&b, &next_b, &y))
            return false;
    return true;
}

static void add_occurrences(const struct cc_bounds *bounds, uint64_t *counts,
                            uint64_t lifetime, uint64_t occurrences)
{
    for (unsigned i = 0; i < bounds->n; i++)
        if (lifetime <= bounds->bound[i])
            counts[i] += occurrences;
}

void cc_add_occurrences(struct cc_data *data, uint32_t observed,
                        uint64_t lifetime, uint64_t occurrences)
{
    assert(observed < data->n_observed);
    add_occurrences(&data->bounds,
                    data->counts + (size_t)observed * data->bounds.n, lifetime,
                    occurrences);
}

void cc_forwards_add(struct cc_forwards *to, const struct cc_forwards *from)
{
    for (int i = 0; i < FORWARD_N; i++)
        to->by[i] += from->by[i];
    to->crossing += from->crossing;
}

void cc_add_forwards(struct cc_data *data, uint32_t observed, uint64_t lifetime,
                     const struct cc_forwards *forwards)
{
    assert(observed < data->n_observed);
    if (lifetime <= data->bounds.bound[0])
        cc_forwards_add(&data->observed[observed].forwards, forwards);
    for (unsigned i = 0; i < data->bounds.n; i++)
        if (lifetime <= data->bounds.bound[i])
            cc_forwards_add(&data->forwards[i], forwards);
}

uint64_t cc_forwards_known(const struct cc_forwards *f)
{
    uint64_t n = 0;

    for (int i = 0; i < FORWARD_N; i++)
        n += f->by[i];
    return n;
}

bool cc_forwards_fail(const struct cc_forwards *f)
{
    return f->by[FORWARD_PARTIAL] + f->by[FORWARD_SEVERAL] >
           f->by[FORWARD_SAME] + f->by[FORWARD_CONTAINED];
}

void cc_add_elsewhere(struct cc_data *data, uint32_t unmatched,
                      uint64_t lifetime, uint64_t occurrences)
{
    assert(unmatched < data->n_unmatched);
    add_occurrences(&data->bounds, data->unmatched[unmatched].elsewhere,
                    lifetime, occurrences);
}

void cc_data_fini(struct cc_data *data)
{
    for (size_t i = 0; i < data->n_rebuilt; i++) {
        free(data->rebuilt[i].path);
        free(data->rebuilt[i].build_id);
        free(data->rebuilt[i].static_build_id);
    }
    free(data->rebuilt);
    for (uint32_t i = 0; i < data->n_objects; i++) {
        free(data->objects[i].path);
        free(data->objects[i].build_id);
        free(data->objects[i].static_path);
        free(data->objects[i].arch);
        free(data->objects[i].filter);
    }
    for (uint32_t i = 0; i < data->n_unmatched; i++)
        free(data->unmatched[i].path);
    for (uint32_t i = 0; i < data->n_functions; i++) {
        free(data->functions[i].name);
        free(data->functions[i].others);
    }
    free(data->incomplete_runs);
    free(data->objects);
    free(data->unmatched);
    free(data->functions);
    free(data->blocks);
    free(data->predictions);
    free(data->accesses);
    free(data->weaks);
    free(data->walks);
    free(data->segments);
    free(data->observed);
    free(data->counts);
    *data = (struct cc_data){0};
}
