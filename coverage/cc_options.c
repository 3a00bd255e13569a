/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cc_options.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "text.h"
#include "quote.h"

#define DEFAULT_MIN_SHARE 0.1
#define DEFAULT_LISTED    10
#define UNSET             (-1.0)

static const char bad_bound[] = "a bound must be a number from 1, or inf";

static int set_lifetime(void *to, const char *value, struct diag *d)
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
    *(struct cc_bounds *)to = bounds;
    return 0;
}

/* "P", or "L:P". */
static int add_gate(struct cc_options *o, enum cc_figure figure,
                    const char *value, struct diag *d)
{
    struct cc_gate gate = {.figure = figure};
    const char *colon = strchr(value, ':');

    if (colon != NULL &&
        !lifetimes_parse_bound(value, (size_t)(colon - value), &gate.bound))
        return diag_set(d, "%s", bad_bound);
    if (!num_parse_percent(colon != NULL ? colon + 1 : value, &gate.threshold))
        return diag_set(d, "must be a percentage from 0 to 100");
    if (gate.bound != 0 && !cc_bounds_add(&o->in.also, gate.bound))
        return diag_set(d, "more than %d bounds", LIFETIMES_MAX);
    array_append(o, gates, gate);
    return 0;
}

static int add_cov_u(void *options, const char *value, struct diag *d)
{
    return add_gate(options, CC_COV_U, value, d);
}

static int add_cov_w(void *options, const char *value, struct diag *d)
{
    return add_gate(options, CC_COV_W, value, d);
}

static int add_precision(void *options, const char *value, struct diag *d)
{
    return add_gate(options, CC_PRECISION, value, d);
}

/* "[=N]". */
static int set_list(void *to, const char *value, struct diag *d)
{
    uint64_t number = DEFAULT_LISTED;

    if (value != NULL && strcmp(value, "all") == 0)
        number = CC_ALL;
    else if (value != NULL && (!num_parse(value, &number) || number == 0))
        return diag_set(d, "must be a number from 1, or all");
    *(size_t *)to = number;
    return 0;
}

static int set_scope(void *to, const char *value, struct diag *d)
{
    struct cc_inputs *in = to;

    if (!cc_scope_parse(value, &in->scope))
        return diag_set(d, "must be block, function, object or program");
    in->has_scope = true;
    return 0;
}

static int set_run(void *to, const char *value, struct diag *d)
{
    struct cc_inputs *in = to;
    uint64_t id;

    if (!num_parse(value, &id) || id > INT64_MAX)
        return diag_set(d, "must be the number of a run");
    in->one_run = true;
    in->run_id = (int64_t)id;
    return 0;
}

static int add_deps(void *in, const char *value, struct diag *d)
{
    (void)d;
    cc_inputs_add(in, DB_DEPS, value);
    return 0;
}

static int add_static(void *in, const char *value, struct diag *d)
{
    (void)d;
    cc_inputs_add(in, DB_STATIC, value);
    return 0;
}

static int set_by(void *by, const char *value, struct diag *d)
{
    return cc_by_parse(value, by) ? 0 : diag_set(d, "must be " CC_BY_NAMES);
}

static int set_format(void *format, const char *value, struct diag *d)
{
    return cc_format_parse(value, format)
               ? 0
               : diag_set(d, "must be " CC_FORMAT_NAMES);
}

#define AT(member) OPTION_AT(struct cc_options, member)

static const struct option_def table[] = {
    {"allow-empty", 0, NULL, "a figure without data reaches its threshold",
     OPTION_FLAG, AT(allows_empty)},
    {"baseline", 0, "FILE", "compare with an earlier JSON report", OPTION_TEXT,
     AT(baseline)},
    {"by", 0, "WHAT", "also print each object, function, block or line", AT(by),
     .set = set_by},
    {"deps", 0, "FILE", "read this database of depsim; repeatable", AT(in),
     .set = add_deps},
    {"false", 0, "[=N]", "list N predictions that did not occur [10]",
     AT(n_false_positives), .set = set_list},
    {"format", 0, "FORMAT", "print " CC_FORMAT_NAMES " [text]", AT(format),
     .set = set_format},
    {"found", 0, "[=N]", "list N found dependencies, heaviest first [10]",
     AT(n_found), .set = set_list},
    {"html", 0, "FILE", "also write a page for a browser", OPTION_FILE,
     AT(html_path)},
    {"lifetime", 0, "LIST", "report these bounds [512,1024,inf]", AT(in.bounds),
     .set = set_lifetime},
    {"max-drop", 0, "P", "fail if a figure fell by more than P points",
     OPTION_PERCENT, AT(max_drop)},
    {"min-share", 0, "P", "drop blocks below P% of all instructions [0.1]",
     OPTION_PERCENT, AT(filter.min_share)},
    {"min-weight", 0, "P", "drop blocks below P% of the heaviest",
     OPTION_PERCENT, AT(filter.min_weight)},
    {"min-cov-u", 0, "[L:]P", "fail if cov_u (at lifetime L) is below P%",
     .set = add_cov_u},
    {"min-cov-w", 0, "[L:]P", "fail if cov_w (at lifetime L) is below P%",
     .set = add_cov_w},
    {"min-precision", 0, "[L:]P", "fail if the precision is below P%",
     .set = add_precision},
    {"missed", 0, "[=N]", "list N missed dependencies, heaviest first [10]",
     AT(n_missed), .set = set_list},
    {"run", 0, "ID", "use only this run of the database", AT(in),
     .set = set_run},
    {"scope", 0, "SCOPE", "score block, function, object or program pairs",
     AT(in), .set = set_scope},
    {"static", 0, "FILE", "read this database of staticdeps; repeatable",
     AT(in), .set = add_static},
    {"strict", 0, NULL, "fail if a run is incomplete or code is left out",
     OPTION_FLAG, AT(is_strict)},
    {"syntax", 0, "NAME",
     "show instructions in " DISASM_SYNTAXES " syntax [att]", OPTION_WORD,
     AT(syntax), .words = disasm_syntaxes},
    {0}};

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

/* The default is one filter: setting the other disables it. */
static void complete_filter(struct cc_filter *filter)
{
    if (filter->min_share == UNSET)
        filter->min_share = filter->min_weight == UNSET ? DEFAULT_MIN_SHARE : 0;
    if (filter->min_weight == UNSET)
        filter->min_weight = 0;
}

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
    options->in.every_bound = options->html_path != NULL;
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
