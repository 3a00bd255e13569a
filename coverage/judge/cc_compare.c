/*
 * cc_compare: a score beside an earlier one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "judge/cc_compare.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/cc_match.h"
#include "judge/cc_select.h"
#include "memory.h"
#include "num.h"

/* --- Figures --- */

double cc_change_points(const struct cc_change *change)
{
    assert(change->now.whole > 0 && change->before.has_data);
    return cc_percent(change->now) - change->before.percent;
}

static void add_change(struct cc_comparison *c, struct cc_change change)
{
    assert(change.now.part <= change.now.whole);
    if (change.now.whole > 0 || change.before.has_data)
        c->changes[c->n_changes++] = change;
}

static void compare_figures(struct cc_comparison *c, const struct cc_data *data,
                            const struct cc_score *total,
                            const struct cc_baseline *baseline)
{
    c->changes = memory_new(2 * data->bounds.n + 1, sizeof *c->changes);
    for (unsigned i = 0; i < data->bounds.n; i++)
        for (size_t j = 0; j < baseline->n_bounds; j++) {
            const struct cc_old_bound *old = &baseline->bounds[j];

            if (old->bound != data->bounds.bound[i])
                continue;
            add_change(c, (struct cc_change){CC_COV_U, old->bound,
                                             cc_cov_u(&total->tally[i]),
                                             old->cov_u});
            add_change(c, (struct cc_change){CC_COV_W, old->bound,
                                             cc_cov_w(&total->tally[i]),
                                             old->cov_w});
            break; /* a repetition in the baseline is ignored */
        }
    add_change(c, (struct cc_change){CC_PRECISION, 0, total->precision,
                                     baseline->precision});
}

/* --- Dependencies --- */

/* A dependency by what outlives a build: one that was found before, or one that
   is found or missed now. */
struct key {
    char *text;
    uint64_t weight;
    uint32_t observed; /* CC_NONE: of the baseline */
    bool is_found;
};

struct keys {
    struct key *list;
    size_t n, capacity;
};

/* A line, counted from that of its function if they are in one file: new lines
   before a function do not change it.  What was inlined from another
   file has its line there. */
static void relative_line(const char *line, const char *function_line,
                          char *text, size_t n)
{
    const char *colon = strrchr(line, ':');
    size_t file = colon != NULL ? (size_t)(colon - line) : 0;
    uint64_t at, from;

    if (colon != NULL && function_line != NULL &&
        strncmp(line, function_line, file + 1) == 0 &&
        num_parse(colon + 1, &at) && num_parse(function_line + file + 1, &from))
        snprintf(text, n, "%.*s%+" PRId64, (int)file, line,
                 (int64_t)(at - from));
    else
        snprintf(text, n, "%s", line);
}

static void add_key(struct keys *keys, const struct cc_identity *id,
                    struct key key)
{
    char text[2048], src[512], dst[512];

    if (id->src_line != NULL && id->dst_line != NULL) {
        relative_line(id->src_line, id->function_line, src, sizeof src);
        relative_line(id->dst_line, id->function_line, dst, sizeof dst);
        snprintf(text, sizeof text, "%s\n%s\n%s",
                 id->function != NULL ? id->function : "", src, dst);
    } else if (id->function != NULL)
        snprintf(text, sizeof text, "%s\n+%" PRIx64 "\n+%" PRIx64, id->function,
                 id->src - id->function_start, id->dst - id->function_start);
    else
        return; /* nothing outlives a build */
    key.text = memory_text(text);
    keys->list =
        memory_grow(keys->list, &keys->capacity, keys->n, sizeof *keys->list);
    keys->list[keys->n++] = key;
}

/* Of one text: the baseline's first, then the heaviest. */
static int key_order(const void *pa, const void *pb)
{
    const struct key *a = pa, *b = pb;
    int by = strcmp(a->text, b->text);

    if (by == 0)
        by = (a->observed != CC_NONE) - (b->observed != CC_NONE);
    if (by == 0)
        by = (a->weight < b->weight) - (a->weight > b->weight);
    return by != 0 ? by
                   : (a->observed > b->observed) - (a->observed < b->observed);
}

static uint64_t weight_of(const struct cc_data *data,
                          const struct cc_observed *d)
{
    return cc_counts(data, d)[cc_bounds_largest(&data->bounds)];
}

static void add_lost(struct cc_comparison *c, size_t *capacity,
                     uint32_t observed)
{
    assert(observed != CC_NONE);
    c->lost = memory_grow(c->lost, capacity, c->n_lost, sizeof *c->lost);
    c->lost[c->n_lost++] = observed;
}

/* "FILE:LINE", or NULL for an unknown line. */
static const char *line_text(const struct objfile_frame *frame, char *text,
                             size_t n)
{
    if (frame->line == 0)
        return NULL;
    snprintf(text, n, "%s:%d", cc_base_name(frame->file), frame->line);
    return text;
}

static void add_observed_key(struct keys *keys, const struct cc_data *data,
                             struct cc_symbolizer *symbolizer, uint32_t number)
{
    const struct cc_observed *d = &data->observed[number];
    struct objfile_frame src =
        cc_symbolize_line(symbolizer, d->src_object, d->src);
    struct objfile_frame dst =
        cc_symbolize_line(symbolizer, d->dst_object, d->dst);
    char src_line[512], dst_line[512], function_line[512];
    struct cc_identity id = {.src = d->src, .dst = d->dst};
    struct objfile_frame function;

    id.function =
        cc_symbolize_function(symbolizer, d->src_block, &id.function_start);
    function = cc_symbolize_line(symbolizer, d->src_object, id.function_start);
    id.function_line =
        line_text(&function, function_line, sizeof function_line);
    id.src_line = line_text(&src, src_line, sizeof src_line);
    id.dst_line = line_text(&dst, dst_line, sizeof dst_line);
    add_key(keys, &id,
            (struct key){.weight = weight_of(data, d),
                         .observed = number,
                         .is_found = d->verdict == CC_FOUND});
}

/* As many of the missed are lost as fewer are found than before. */
static void take_lost(struct cc_comparison *c, size_t *capacity,
                      const struct key *key, size_t n)
{
    int64_t fewer = 0;

    assert(n > 0 && strcmp(key[0].text, key[n - 1].text) == 0);
    for (size_t i = 0; i < n; i++)
        fewer += key[i].observed == CC_NONE ? 1 : -(int64_t)key[i].is_found;
    for (size_t i = 0; i < n && fewer > 0; i++)
        if (key[i].observed != CC_NONE && !key[i].is_found) {
            add_lost(c, capacity, key[i].observed);
            fewer--;
        }
}

static void find_lost(struct cc_comparison *c, size_t *capacity,
                      struct keys *keys)
{
    if (keys->n > 1)
        qsort(keys->list, keys->n, sizeof *keys->list, key_order);
    for (size_t i = 0, end; i < keys->n; i = end) {
        for (end = i + 1; end < keys->n && strcmp(keys->list[i].text,
                                                  keys->list[end].text) == 0;)
            end++;
        assert(end == keys->n ||
               strcmp(keys->list[i].text, keys->list[end].text) < 0);
        take_lost(c, capacity, &keys->list[i], end - i);
    }
    for (size_t i = 0; i < keys->n; i++)
        free(keys->list[i].text);
    free(keys->list);
}

static uint32_t find_object(const struct cc_data *data, const char *build_id)
{
    for (uint32_t i = 0; i < data->n_objects; i++)
        if (strcmp(data->objects[i].build_id, build_id) == 0)
            return i;
    return CC_NONE;
}

static void compare_dependencies(struct cc_comparison *c,
                                 const struct cc_data *data,
                                 struct cc_symbolizer *symbolizer,
                                 const struct cc_baseline *baseline)
{
    bool *is_same = memory_new(data->n_objects, sizeof *is_same);
    struct keys keys = {0};
    size_t capacity = 0;
    uint32_t object = CC_NONE, found;

    for (size_t i = 0; i < baseline->n_found; i++) {
        const struct cc_identity *old = &baseline->found[i];

        /* Those of one object are neighbours. */
        if (object == CC_NONE ||
            strcmp(data->objects[object].build_id, old->build_id) != 0)
            object = find_object(data, old->build_id);

        if (object == CC_NONE) {
            add_key(&keys, old, (struct key){.observed = CC_NONE});
            continue;
        }
        is_same[object] = true;
        found = cc_find_observed(data, object, old->src, old->dst);
        if (found != CC_NONE && data->observed[found].verdict == CC_MISSED &&
            weight_of(data, &data->observed[found]) > 0)
            add_lost(c, &capacity, found);
    }
    for (size_t i = 0; keys.n > 0 && i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];

        if ((d->verdict == CC_FOUND || d->verdict == CC_MISSED) &&
            !is_same[d->src_object] && weight_of(data, d) > 0)
            add_observed_key(&keys, data, symbolizer, (uint32_t)i);
    }
    find_lost(c, &capacity, &keys);
    free(is_same);
}

/* Heaviest first, and each once, however often a baseline names it. */
static void sort_lost(struct cc_comparison *c, const struct cc_data *data)
{
    size_t n = 0;

    cc_sort_heaviest(data, c->lost, c->n_lost,
                     cc_bounds_largest(&data->bounds));
    for (size_t i = 0; i < c->n_lost; i++)
        assert(data->observed[c->lost[i]].verdict == CC_MISSED);
    for (size_t i = 0; i < c->n_lost; i++)
        if (i == 0 || c->lost[i] != c->lost[n - 1])
            c->lost[n++] = c->lost[i];
    c->n_lost = n;
}

struct cc_comparison cc_compare(const struct cc_data *data,
                                const struct cc_score *total,
                                struct cc_symbolizer *symbolizer,
                                const struct cc_baseline *baseline)
{
    struct cc_comparison c = {0};

    compare_figures(&c, data, total, baseline);
    assert(c.n_changes <= 2 * data->bounds.n + 1);
    compare_dependencies(&c, data, symbolizer, baseline);
    sort_lost(&c, data);
    return c;
}

struct cc_check *cc_drops_check(const struct cc_comparison *comparison,
                                double max_drop, bool allow_empty,
                                struct cc_check *checks, size_t *n_checks)
{
    size_t n = *n_checks;

    assert(max_drop >= 0 && max_drop <= 100);
    checks = realloc(checks, (n + comparison->n_changes + 1) * sizeof *checks);
    if (checks == NULL)
        memory_exhausted();
    for (size_t i = 0; i < comparison->n_changes; i++) {
        const struct cc_change *change = &comparison->changes[i];
        struct cc_check check = {.figure = change->figure,
                                 .bound = change->bound,
                                 .threshold = max_drop,
                                 .ratio = change->now,
                                 .is_drop = true,
                                 .before = change->before.percent};

        if (!change->before.has_data)
            continue; /* nothing to fall from */
        if (change->now.whole == 0)
            check.passed = allow_empty;
        else /* figures that differ by less came from the same counts */
            check.passed = -cc_change_points(change) <= max_drop + 1e-9;
        checks[n++] = check;
    }
    *n_checks = n;
    return checks;
}

void cc_comparison_fini(struct cc_comparison *comparison)
{
    free(comparison->changes);
    free(comparison->lost);
    *comparison = (struct cc_comparison){0};
}
