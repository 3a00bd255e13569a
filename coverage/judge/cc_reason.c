/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge/cc_reason.h"

#include "model/cc_match.h"
#include "output.h"

/* --- Where dependencies lie --- */

static enum cc_where where_of(const struct cc_data *data,
                              const struct cc_observed *d)
{
    if (d->src_block == CC_NONE || d->dst_block == CC_NONE)
        return CC_OUTSIDE;
    assert(d->src_block < data->n_blocks && d->dst_block < data->n_blocks);
    if (d->src_block == d->dst_block)
        return CC_IN_BLOCK;
    uint32_t src = data->blocks[d->src_block].function;
    uint32_t dst = data->blocks[d->dst_block].function;
    if (src == CC_NONE || dst == CC_NONE)
        return CC_NO_FUNCTION;
    return src == dst ? CC_IN_FUNCTION : CC_ACROSS;
}

void cc_where_count(const struct cc_data *data,
                    struct cc_where_counts counts[LIFETIMES_MAX])
{
    unsigned n = data->bounds.n;

    for (unsigned b = 0; b < n; b++) {
        counts[b] = (struct cc_where_counts){0};
        for (uint32_t i = 0; i < data->n_unmatched; i++)
            counts[b].all += data->unmatched[i].elsewhere[b];
        counts[b].occurrences[CC_OUTSIDE] = counts[b].all;
    }
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];
        const uint64_t *occurrences = cc_counts(data, d);
        enum cc_where where = where_of(data, d);

        enum cc_scope scope =
            where != CC_OUTSIDE ? cc_scope_of(data, d->src_block, d->dst_block)
                                : CC_N_SCOPES;

        for (unsigned b = 0; b < n; b++) {
            for (enum cc_scope r = scope; r < CC_N_SCOPES; r++)
                counts[b].within[r] += occurrences[b];
            counts[b].occurrences[where] += occurrences[b];
            counts[b].all += occurrences[b];
            if (!d->is_cross_thread)
                continue;
            counts[b].cross_thread += occurrences[b] > 0;
            counts[b].cross_thread_occurrences += occurrences[b];
        }
    }
}

/* --- Occurrences outside what was analysed --- */

/* Where a dependency counts: the objects come first, then the objects that only
   depsim knows. */
static uint32_t file_of(const struct cc_data *data, const struct cc_observed *d)
{
    uint32_t object = d->dst_block == CC_NONE ? d->dst_object : d->src_object;

    assert(d->src_block == CC_NONE || d->dst_block == CC_NONE);
    if (object != CC_NONE)
        return object;
    assert(d->unmatched < data->n_unmatched);
    return data->n_objects + d->unmatched;
}

static void count_outside(struct cc_outside *outside,
                          const struct cc_data *data)
{
    unsigned n = data->bounds.n;

    for (uint32_t i = 0; i < data->n_unmatched; i++)
        memcpy(outside->files[data->n_objects + i].occurrences,
               data->unmatched[i].elsewhere, n * sizeof(uint64_t));
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];
        const uint64_t *occurrences = cc_counts(data, d);

        if (d->src_block != CC_NONE && d->dst_block != CC_NONE)
            continue;
        struct cc_outside_file *file = &outside->files[file_of(data, d)];
        for (unsigned b = 0; b < n; b++)
            file->occurrences[b] += occurrences[b];
    }
}

ARRAY_ORDER(file_order, struct cc_outside_file,
            array_order(b->occurrences[0], a->occurrences[0])
                ?: strcmp(a->path, b->path))

/* At most five files, and none with less than one percent of the outside. */
static size_t count_listed(const struct cc_outside *outside)
{
    double all = 0;
    size_t n = 0;

    for (size_t i = 0; i < outside->n; i++)
        all += (double)outside->files[i].occurrences[0];
    while (n < outside->n && n < 5 &&
           100 * (double)outside->files[n].occurrences[0] >= all)
        n++;
    return n;
}

static bool has_any(const struct cc_outside_file *file, unsigned n)
{
    for (unsigned b = 0; b < n; b++)
        if (file->occurrences[b] > 0)
            return true;
    return false;
}

struct cc_outside cc_outside_new(const struct cc_data *data)
{
    struct cc_outside outside = {0};
    size_t n = (size_t)data->n_objects + data->n_unmatched;

    outside.files = memory_new(n, sizeof *outside.files);
    outside.occurrences =
        memory_new(n * data->bounds.n, sizeof *outside.occurrences);
    for (size_t i = 0; i < n; i++) {
        bool is_object = i < data->n_objects;

        outside.files[i] = (struct cc_outside_file){
            is_object ? data->objects[i].path
                      : data->unmatched[i - data->n_objects].path,
            is_object, outside.occurrences + i * data->bounds.n};
    }
    count_outside(&outside, data);
    for (size_t i = 0; i < n; i++)
        if (has_any(&outside.files[i], data->bounds.n))
            outside.files[outside.n++] = outside.files[i];
    array_sort(outside.files, outside.n, file_order);
    outside.n_listed = count_listed(&outside);
    return outside;
}

void cc_outside_fini(struct cc_outside *outside)
{
    free(outside->files);
    free(outside->occurrences);
}

static void write_word(FILE *out, const char *word)
{
    fputc(' ', out);
    shell_word(out, word);
}

char *cc_outside_command(const struct cc_data *data,
                         const struct cc_outside *outside)
{
    bool adds = false;
    struct memory_stream command = memory_stream_open(&command);
    FILE *out = command.out;
    fputs("staticdeps", out);
    if (data->scope == CC_SCOPE_FUNCTION)
        fputs(" --scope=function", out);
    else if (data->scope > CC_SCOPE_FUNCTION)
        fputs(" --scope=program", out);
    for (uint32_t i = 0; i < data->n_objects; i++)
        write_word(out, data->objects[i].path);
    for (size_t i = 0; i < outside->n_listed; i++) {
        const struct cc_outside_file *file = &outside->files[i];

        /* Code without a file has a path in brackets. */
        if (file->path[0] == '\0' || file->path[0] == '[')
            continue;
        adds = true;
        if (!file->is_analysed)
            write_word(out, file->path);
    }
    char *text = memory_stream_close(&command);
    if (adds)
        return text;
    free(text);
    return NULL;
}

/* --- Code that a filter left out --- */

static bool is_filtered(const struct cc_data *data, uint32_t object)
{
    return object != CC_NONE && data->objects[object].filter != NULL;
}

/* Counts a dependency for an object with one end in it, or both. */
static void add_end(struct cc_left_out *left_out, const struct cc_observed *d,
                    bool is_outside)
{
    left_out->dependencies++;
    left_out->occurrences += d->occurrences;
    if (!is_outside)
        return;
    left_out->has_run = true;
    left_out->outside++;
    left_out->outside_occurrences += d->occurrences;
}

struct cc_left_out *cc_left_out_new(const struct cc_data *data)
{
    struct cc_left_out *list = memory_new(data->n_objects, sizeof *list);

    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];
        uint32_t src = d->src_object, dst = d->dst_object;
        bool has_no_src = d->src_block == CC_NONE;
        bool has_no_dst = d->dst_block == CC_NONE;

        if (is_filtered(data, src))
            add_end(&list[src], d, has_no_src || (src == dst && has_no_dst));
        if (src != dst && is_filtered(data, dst))
            add_end(&list[dst], d, has_no_dst);
    }
    for (size_t i = 0; i < data->n_segments; i++) {
        const struct cc_segment *s = &data->segments[i];

        if (is_filtered(data, s->object) && s->executions > 0 &&
            cc_find_block(data, s->object, s->start) == CC_NONE)
            list[s->object].has_run = true;
    }
    for (uint32_t i = 0; i < data->n_objects; i++)
        assert(list[i].outside <= list[i].dependencies);
    return list;
}

/* --- Why they were missed --- */

/* Whose predictions can miss a dependency for a reason. */
enum { OF_BLOCKS = 1, OF_WALKS = 2, OF_ALL = OF_BLOCKS | OF_WALKS };

static const struct {
    const char *name, *text;
    unsigned of;
} reasons[] = {
    [CC_NOT_ANALYSED] = {"not-analysed", "block not analysed", OF_ALL},
    [CC_NEVER_WALKED] = {"never-walked", "no walk came to one of the ends",
                         OF_WALKS},
    [CC_BELOW_SUPPORT] = {"below-support", "below the support asked for",
                          OF_WALKS},
    [CC_UNRESOLVED_CALL] = {"unresolved-call", "an indirect call unresolved",
                            OF_WALKS},
    [CC_SKIPPED_CALL] = {"call-not-entered", "a callee not entered", OF_WALKS},
    [CC_NEVER_IN_ONE] = {"never-in-one-walk", "both walked, never in one walk",
                         OF_WALKS},
    [CC_UNKNOWN_ADDRESS] = {"unknown-address", "an address was unknown",
                            OF_ALL},
    [CC_DATA_DEPENDENT] = {"data-dependent",
                           "data-dependent: from a loaded value", OF_ALL},
    [CC_DIFFERENT_BASES] = {"different-bases",
                            "different bases (aliased from outside)", OF_ALL},
    [CC_BEYOND_WINDOW] = {"beyond-window", "beyond the unrolled window",
                          OF_BLOCKS},
    [CC_SAME_BASE] = {"same-base", "one base, at another distance", OF_BLOCKS},
    [CC_NOT_SHOWN] = {"not-shown", "walks came to both, and did not show it",
                      OF_WALKS},
};

const char *cc_reason_name(enum cc_reason reason)
{
    return reasons[reason].name;
}

const char *cc_reason_text(enum cc_reason reason)
{
    return reasons[reason].text;
}

/* staticdeps unrolls a block of n instructions until there are at least rob +
   n, and at least twice.  From the first iteration to the last it is one step
   less than there are iterations. */
static bool is_beyond_window(const struct cc_block *block, uint64_t rob,
                             uint64_t distance)
{
    uint64_t n = block->n_instructions, iterations, window;

    if (rob == 0 || n == 0)
        return false;
    iterations = 1 + rob / n + (rob % n != 0);
    if (__builtin_mul_overflow(iterations, n, &window))
        return false;
    return distance >= window;
}

bool cc_reason_applies(const struct cc_data *data, enum cc_reason reason)
{
    for (uint32_t i = 0; i < data->n_objects; i++)
        if (reasons[reason].of &
            (data->objects[i].is_walked ? OF_WALKS : OF_BLOCKS))
            return true;
    return reason == CC_NOT_ANALYSED;
}

static bool is_in_one_walk(const struct cc_data *data, const struct cc_block *a,
                           const struct cc_block *b)
{
    return data->objects[a->object].analysis ==
               data->objects[b->object].analysis &&
           cc_walks_meet((struct cc_walks){data->walks + a->walks, a->n_walks},
                         (struct cc_walks){data->walks + b->walks, b->n_walks});
}

/* The reason if no walk came to both ends. */
static enum cc_reason reason_of_calls(const struct cc_data *data,
                                      const struct cc_block *src,
                                      const struct cc_block *dst)
{
    const uint32_t functions[] = {src->function, dst->function};
    bool has_skipped = false;

    if (src->function == dst->function)
        return CC_NEVER_IN_ONE;
    for (int i = 0; i < 2; i++) {
        if (functions[i] == CC_NONE)
            continue;
        if (data->functions[functions[i]].has_unresolved)
            return CC_UNRESOLVED_CALL;
        has_skipped |= data->functions[functions[i]].has_skipped;
    }
    return has_skipped ? CC_SKIPPED_CALL : CC_NEVER_IN_ONE;
}

/* The reason if some walk came to both ends, but the addresses differed. */
static enum cc_reason reason_of_addresses(const struct cc_data *data,
                                          const struct cc_observed *d)
{
    struct cc_access src = cc_find_access(data, d->src_block, d->src, true);
    struct cc_access dst = cc_find_access(data, d->dst_block, d->dst, false);

    if (src.is_unknown || dst.is_unknown)
        return CC_UNKNOWN_ADDRESS;
    if (src.is_loaded || dst.is_loaded)
        return CC_DATA_DEPENDENT;
    return src.base != 1 || dst.base != 1 ? CC_DIFFERENT_BASES : CC_NOT_SHOWN;
}

/* The reason in an object that was walked. */
static enum cc_reason reason_of_walks(const struct cc_data *data,
                                      const struct cc_observed *d)
{
    const struct cc_block *src = &data->blocks[d->src_block];
    const struct cc_block *dst = &data->blocks[d->dst_block];

    if (!src->analysed || !dst->analysed)
        return CC_NOT_ANALYSED;
    if (!src->is_reached || !dst->is_reached)
        return CC_NEVER_WALKED;
    if (cc_is_weak(data, d))
        return CC_BELOW_SUPPORT;
    if (src != dst && !is_in_one_walk(data, src, dst))
        return reason_of_calls(data, src, dst);
    return reason_of_addresses(data, d);
}

/* The reason without walks: both ends lie in one block. */
static enum cc_reason reason_in_block(const struct cc_data *data,
                                      const struct cc_observed *observed)
{
    const struct cc_block *block = &data->blocks[observed->src_block];
    struct cc_access src =
        cc_find_access(data, observed->src_block, observed->src, true);
    struct cc_access dst =
        cc_find_access(data, observed->src_block, observed->dst, false);
    bool is_known = src.base != 0 && dst.base != 0;

    assert(observed->src_block == observed->dst_block);
    if (!block->analysed)
        return CC_NOT_ANALYSED;
    if (src.is_unknown || dst.is_unknown)
        return CC_UNKNOWN_ADDRESS;
    if (src.is_loaded || dst.is_loaded)
        return CC_DATA_DEPENDENT;
    if (is_known && src.base != dst.base)
        return CC_DIFFERENT_BASES;
    if (is_beyond_window(block, data->objects[block->object].rob,
                         observed->min_distance))
        return CC_BEYOND_WINDOW;
    return is_known ? CC_SAME_BASE : CC_DIFFERENT_BASES;
}

enum cc_reason cc_reason_of(const struct cc_data *data,
                            const struct cc_observed *observed)
{
    const struct cc_block *src = &data->blocks[observed->src_block];

    assert(observed->verdict == CC_MISSED);
    if (data->objects[src->object].is_walked)
        return reason_of_walks(data, observed);
    return reason_in_block(data, observed);
}

void cc_reasons_count(const struct cc_data *data,
                      struct cc_reason_counts counts[LIFETIMES_MAX])
{
    unsigned n = data->bounds.n;

    for (unsigned b = 0; b < n; b++)
        counts[b] = (struct cc_reason_counts){0};
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];
        const uint64_t *occurrences = cc_counts(data, d);

        if (d->verdict != CC_MISSED)
            continue;
        enum cc_reason reason = cc_reason_of(data, d);
        for (unsigned b = 0; b < n; b++) {
            counts[b].dependencies[reason] += occurrences[b] > 0;
            counts[b].occurrences[reason] += occurrences[b];
        }
    }
}
