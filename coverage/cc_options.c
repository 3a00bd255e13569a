/*
 * cc_options: the command line of covcheck.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cc_options.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "num.h"
#include "shell.h"

#define DEFAULT_MIN_SHARE 0.1
#define DEFAULT_LISTED    10
#define UNSET             (-1.0)

static const char bad_bound[] = "a bound must be a number from 1, or inf";

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

static int set_percentage(double *percentage, const char *value, struct diag *d)
{
    if (!num_parse_percent(value, percentage))
        return diag_set(d, "must be a percentage from 0 to 100");
    return 0;
}

/* The default is one filter: setting the other disables it. */
static void complete_filter(struct cc_filter *filter)
{
    if (filter->min_share == UNSET)
        filter->min_share = filter->min_weight == UNSET ? DEFAULT_MIN_SHARE : 0;
    if (filter->min_weight == UNSET)
        filter->min_weight = 0;
}

static int add_gate(struct cc_options *o, struct cc_gate gate,
                    const char *percentage, struct diag *d)
{
    if (set_percentage(&gate.threshold, percentage, d) != 0)
        return -1;
    if (gate.bound != 0 && !cc_bounds_add(&o->in.also, gate.bound))
        return diag_set(d, "more than %d bounds", LIFETIMES_MAX);
    array_append(o, gates, gate);
    return 0;
}

/* "P", or "L:P". */
static int add_gate_at(struct cc_options *o, enum cc_figure figure,
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

/* "[=N]". */
static int set_list(size_t *n, const char *value, struct diag *d)
{
    uint64_t number = DEFAULT_LISTED;

    if (value != NULL && strcmp(value, "all") == 0)
        number = CC_ALL;
    else if (value != NULL && (!num_parse(value, &number) || number == 0))
        return diag_set(d, "must be a number from 1, or all");
    *n = number;
    return 0;
}

static int set_scope(void *options, const char *value, struct diag *d)
{
    struct cc_inputs *in = &((struct cc_options *)options)->in;

    if (!cc_scope_parse(value, &in->scope))
        return diag_set(d, "must be block, function, object or program");
    in->has_scope = true;
    return 0;
}

static int set_run(void *options, const char *value, struct diag *d)
{
    struct cc_inputs *in = &((struct cc_options *)options)->in;
    uint64_t id;

    if (!num_parse(value, &id) || id > INT64_MAX)
        return diag_set(d, "must be the number of a run");
    in->one_run = true;
    in->run_id = (int64_t)id;
    return 0;
}

static int set_html(void *options, const char *value, struct diag *d)
{
    if (*value == '\0')
        return diag_set(d, "a file name is missing");
    ((struct cc_options *)options)->html_path = value;
    ((struct cc_options *)options)->in.every_bound = true;
    return 0;
}

/* The function that sets an option `o` to `value`; the expression is 0, or -1
   with *d set. */
#define SETTER(name, set)                                             \
    static int name(void *options, const char *value, struct diag *d) \
    {                                                                 \
        struct cc_options *o = options;                               \
                                                                      \
        (void)value, (void)d;                                         \
        return set;                                                   \
    }
SETTER(set_min_weight, set_percentage(&o->filter.min_weight, value, d))
SETTER(set_min_share, set_percentage(&o->filter.min_share, value, d))
SETTER(set_max_drop, set_percentage(&o->max_drop, value, d))
SETTER(set_min_cov_u, add_gate_at(o, CC_COV_U, value, d))
SETTER(set_min_cov_w, add_gate_at(o, CC_COV_W, value, d))
SETTER(set_min_precision, add_gate_at(o, CC_PRECISION, value, d))
SETTER(set_found, set_list(&o->n_found, value, d))
SETTER(set_missed, set_list(&o->n_missed, value, d))
SETTER(set_false, set_list(&o->n_false_positives, value, d))
SETTER(set_baseline, (o->baseline = value, 0))
SETTER(set_allow_empty, (o->allows_empty = true, 0))
SETTER(set_strict, (o->is_strict = true, 0))
SETTER(add_deps, (cc_inputs_add(&o->in, DB_DEPS, value), 0))
SETTER(add_static, (cc_inputs_add(&o->in, DB_STATIC, value), 0))
SETTER(set_by,
       cc_by_parse(value, &o->by) ? 0 : diag_set(d, "must be " CC_BY_NAMES))
SETTER(set_format, cc_format_parse(value, &o->format)
                       ? 0
                       : diag_set(d, "must be " CC_FORMAT_NAMES))
SETTER(set_syntax, disasm_syntax_parse(value, &o->syntax)
                       ? 0
                       : diag_set(d, "must be " DISASM_SYNTAXES))

static const struct option_def table[] = {
    {"allow-empty", 0, NULL, "a figure without data reaches its threshold",
     set_allow_empty},
    {"baseline", 0, "FILE", "compare with an earlier JSON report",
     set_baseline},
    {"by", 0, "WHAT", "also print each object, function, block or line",
     set_by},
    {"deps", 0, "FILE", "read this database of depsim; repeatable", add_deps},
    {"false", 0, "[=N]", "list N predictions that did not occur [10]",
     set_false},
    {"format", 0, "FORMAT", "print " CC_FORMAT_NAMES " [text]", set_format},
    {"found", 0, "[=N]", "list N found dependencies, heaviest first [10]",
     set_found},
    {"html", 0, "FILE", "also write a page for a browser", set_html},
    {"lifetime", 0, "LIST", "report these bounds [512,1024,inf]", set_lifetime},
    {"max-drop", 0, "P", "fail if a figure fell by more than P points",
     set_max_drop},
    {"min-share", 0, "P", "drop blocks below P% of all instructions [0.1]",
     set_min_share},
    {"min-weight", 0, "P", "drop blocks below P% of the heaviest",
     set_min_weight},
    {"min-cov-u", 0, "[L:]P", "fail if cov_u (at lifetime L) is below P%",
     set_min_cov_u},
    {"min-cov-w", 0, "[L:]P", "fail if cov_w (at lifetime L) is below P%",
     set_min_cov_w},
    {"min-precision", 0, "[L:]P", "fail if the precision is below P%",
     set_min_precision},
    {"missed", 0, "[=N]", "list N missed dependencies, heaviest first [10]",
     set_missed},
    {"run", 0, "ID", "use only this run of the database", set_run},
    {"scope", 0, "SCOPE", "score block, function, object or program pairs",
     set_scope},
    {"static", 0, "FILE", "read this database of staticdeps; repeatable",
     add_static},
    {"strict", 0, NULL, "fail if a run is incomplete or code is left out",
     set_strict},
    {"syntax", 0, "NAME",
     "show instructions in " DISASM_SYNTAXES " syntax [att]", set_syntax},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct program program = {
    .name = "covcheck",
    .usage = "[OPTION...] DEPS.DB STATIC.DB | DIRECTORY...",
    .summary =
        "Scores the dependencies that staticdeps predicted against those that "
        "depsim "
        "saw.",
    .licence = "GPL-2.0-or-later",
    .options = table,
};

static int check(struct cc_options *o, struct diag *d)
{
    if (o->max_drop >= 0 && o->baseline == NULL)
        return diag_set(d, "--max-drop: needs a --baseline");
    if (o->in.one_run && o->in.n_deps > 1)
        return diag_set(d, "--run: more than one database of depsim");
    return 0;
}

enum options_result cc_options_parse(struct cc_options *options, int argc,
                                     char **argv, struct diag *d)
{
    enum options_result result;
    int first;

    *options = (struct cc_options){.filter = {UNSET, UNSET},
                                   .max_drop = -1,
                                   /* getopt changes the order. */
                                   .command = shell_command(argc, argv)};
    result = options_parse(&program, options, argc, argv, &first, d);
    if (result != OPTIONS_RUN)
        return result;
    if (cc_inputs_operands(&options->in, argv + first, (size_t)(argc - first),
                           d) != 0 ||
        check(options, d) != 0)
        return OPTIONS_BAD;
    complete_filter(&options->filter);
    /* Several databases get a row each. */
    if (options->by == CC_BY_NONE &&
        (options->in.n_deps > 1 || options->in.n_statics > 1))
        options->by = CC_BY_OBJECT;
    return OPTIONS_RUN;
}

void cc_options_fini(struct cc_options *options)
{
    free(options->command);
    free(options->gates);
    cc_inputs_fini(&options->in);
}
