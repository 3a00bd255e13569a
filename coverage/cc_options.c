/*
 * cc_options: the command line of covcheck.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cc_options.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "num.h"

#define DEFAULT_MIN_WEIGHT 10

static const char bad_percentage[] = "not a percentage from 0 to 100";
static const char bad_bound[] = "a bound is a number from 1, or inf";

static int set_lifetime(void *options, const char *value, struct diag *d)
{
    struct cc_bounds bounds = {0};

    for (;; value++) {
        size_t n = strcspn(value, ",");
        uint64_t bound;

        if (!lifetimes_parse_bound(value, n, &bound))
            return diag_set(d, "%s", bad_bound);
        if (!cc_bounds_add(&bounds, bound))
            return diag_set(d, "more than %d bounds", LIFETIMES_MAX);
        value += n;
        if (*value == '\0')
            break;
    }
    ((struct cc_options *)options)->in.bounds = bounds;
    return 0;
}

static int set_min_weight(void *options, const char *value, struct diag *d)
{
    if (!num_parse_percent(value, &((struct cc_options *)options)->min_weight))
        return diag_set(d, "%s", bad_percentage);
    return 0;
}

static int add_gate(struct cc_options *o, struct cc_gate gate,
                    const char *percentage, struct diag *d)
{
    if (!num_parse_percent(percentage, &gate.bar))
        return diag_set(d, "%s", bad_percentage);
    if (gate.bound != 0 && !cc_bounds_add(&o->in.also, gate.bound))
        return diag_set(d, "more than %d bounds", LIFETIMES_MAX);
    o->gates =
        memory_grow(o->gates, &o->gates_capacity, o->n_gates, sizeof *o->gates);
    o->gates[o->n_gates++] = gate;
    return 0;
}

/* "P", or "L:P". */
static int add_coverage_gate(struct cc_options *o, enum cc_figure figure,
                             const char *value, struct diag *d)
{
    struct cc_gate gate = {.figure = figure};
    const char *colon = strchr(value, ':');

    if (colon == NULL)
        return add_gate(o, gate, value, d);
    if (!lifetimes_parse_bound(value, (size_t)(colon - value), &gate.bound))
        return diag_set(d, "%s", bad_bound);
    return add_gate(o, gate, colon + 1, d);
}

static int set_min_cov_u(void *options, const char *value, struct diag *d)
{
    return add_coverage_gate(options, CC_COV_U, value, d);
}

static int set_min_cov_w(void *options, const char *value, struct diag *d)
{
    return add_coverage_gate(options, CC_COV_W, value, d);
}

static int set_min_precision(void *options, const char *value, struct diag *d)
{
    return add_gate(options, (struct cc_gate){.figure = CC_PRECISION}, value,
                    d);
}

static int set_format(void *options, const char *value, struct diag *d)
{
    if (!cc_format_parse(value, &((struct cc_options *)options)->format))
        return diag_set(d, "not a format; try text or json");
    return 0;
}

static const struct option_def table[] = {
    {"format", 0, "FORMAT", "text or json [text]", set_format},
    {"lifetime", 0, "LIST", "report these bounds [inf,1024,512]", set_lifetime},
    {"min-weight", 0, "P", "drop blocks below P% of the heaviest [10]",
     set_min_weight},
    {"min-cov-u", 0, "[L:]P", "fail if cov_u (at lifetime L) is below P%",
     set_min_cov_u},
    {"min-cov-w", 0, "[L:]P", "fail if cov_w (at lifetime L) is below P%",
     set_min_cov_w},
    {"min-precision", 0, "P", "fail if the precision is below P%",
     set_min_precision},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct program program = {
    "covcheck",
    "[OPTION...] DEPS.DB STATIC.DB",
    "Tells how many of the dependencies that depsim saw staticdeps predicted.",
    table,
};

enum options_result cc_options_parse(struct cc_options *options, int argc,
                                     char **argv, struct diag *d)
{
    enum options_result result;
    int first;

    *options = (struct cc_options){.min_weight = DEFAULT_MIN_WEIGHT};
    result = options_parse(&program, options, argc, argv, &first, d);
    if (result != OPTIONS_RUN)
        return result;
    if (argc - first != 2) {
        diag_set(d, "usage: two databases are needed, of depsim and of "
                    "staticdeps; see covcheck --help");
        return OPTIONS_BAD;
    }
    options->in.deps = &argv[first];
    options->in.statics = &argv[first + 1];
    options->in.n_deps = options->in.n_statics = 1;
    return OPTIONS_RUN;
}

void cc_options_fini(struct cc_options *options)
{
    free(options->gates);
}
