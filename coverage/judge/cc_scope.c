/*
 * cc_scope: how far apart the two ends of dependencies lie in the code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "judge/cc_scope.h"

static const struct {
    const char *name, *text;
} scopes[] = {
    [CC_IN_BLOCK] = {"block", "one block"},
    [CC_IN_FUNCTION] = {"function", "one function"},
    [CC_ACROSS] = {"across_functions", "two functions"},
    [CC_NO_FUNCTION] = {"unknown_function", "unknown"},
    [CC_OUTSIDE] = {"outside", "outside"},
};

const char *cc_scope_name(enum cc_scope scope)
{
    return scopes[scope].name;
}

const char *cc_scope_text(enum cc_scope scope)
{
    return scopes[scope].text;
}

static enum cc_scope scope_of(const struct cc_data *data,
                              const struct cc_observed *d)
{
    uint32_t src, dst;

    if (d->src_block == CC_NONE || d->dst_block == CC_NONE)
        return CC_OUTSIDE;
    if (d->src_block == d->dst_block)
        return CC_IN_BLOCK;
    src = data->blocks[d->src_block].function;
    dst = data->blocks[d->dst_block].function;
    if (src == CC_NONE || dst == CC_NONE)
        return CC_NO_FUNCTION;
    return src == dst ? CC_IN_FUNCTION : CC_ACROSS;
}

void cc_scopes_count(const struct cc_data *data,
                     struct cc_scope_counts counts[LIFETIMES_MAX])
{
    unsigned n = data->bounds.n;

    for (unsigned b = 0; b < n; b++) {
        counts[b] = (struct cc_scope_counts){.all = data->elsewhere[b]};
        counts[b].occurrences[CC_OUTSIDE] = data->elsewhere[b];
    }
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];
        const uint64_t *occurrences = cc_counts(data, d);
        enum cc_scope scope = scope_of(data, d);

        for (unsigned b = 0; b < n; b++) {
            counts[b].occurrences[scope] += occurrences[b];
            counts[b].all += occurrences[b];
        }
    }
}
