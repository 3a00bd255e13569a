/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cc_options.h"

#include <errno.h>
#include <fts.h>
#include <sys/stat.h>

#include "output.h"

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
    assert(bounds.n > 0);
    *(struct cc_bounds *)to = bounds;
    return 0;
}

/* Adds a gate, written as "P" (percent) or "LIFETIME:P". */
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
    assert(gate.bound == 0 || cc_bounds_has(&o->in.also, gate.bound));
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

/* Sets how many a list shows: `value` is N of --list=N, "all", or NULL. */
static int set_list(void *to, const char *value, struct diag *d)
{
    uint64_t number = DEFAULT_LISTED;

    if (value != NULL && strcmp(value, "all") == 0)
        number = CC_ALL;
    else if (value != NULL && (!num_parse(value, &number) || number == 0))
        return diag_set(d, "must be a number from 1, or all");
    assert(number > 0); /* 0 would be no list */
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

static void add_input(struct cc_inputs *in, enum db_kind kind, const char *path)
{
    if (kind == DB_DEPS)
        array_append(in, deps, memory_text(path));
    else
        array_append(in, statics, memory_text(path));
}

static int add_deps(void *in, const char *value, struct diag *d)
{
    (void)d;
    add_input(in, DB_DEPS, value);
    return 0;
}

static int add_static(void *in, const char *value, struct diag *d)
{
    (void)d;
    add_input(in, DB_STATIC, value);
    return 0;
}

/* The names of the formats, by enum cc_format. */
static const char *const formats[] = {"text", "json", "markdown", "junit",
                                      NULL};
static_assert(sizeof formats / sizeof formats[0] == CC_FORMAT_JUNIT + 2,
              "each format has a name");

#define AT(member) OPTION_AT(struct cc_options, member)

static const struct option_def table[] = {
    {"allow-empty", 0, NULL, "a figure without data reaches its threshold",
     OPTION_FLAG, AT(allows_empty)},
    {"baseline", 0, "FILE", "compare with an earlier JSON report", OPTION_TEXT,
     AT(baseline)},
    {"by", 0, "WHAT", "also print each object, function, block or line",
     OPTION_WORD, AT(by), .words = cc_by_words},
    {"deps", 0, "FILE", "read this database of depsim; repeatable", AT(in),
     .set = add_deps},
    {"false", 0, "[=N]", "list N predictions that did not occur [10]",
     AT(n_false_positives), .set = set_list},
    {"format", 0, "FORMAT", "print text, json, markdown or junit [text]",
     OPTION_WORD, AT(format), .words = formats},
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

/* --- Operands --- */

static bool is_directory(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int name_order(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int add_entry(struct cc_inputs *in, const FTSENT *entry, struct diag *d)
{
    enum db_kind kind;

    switch (entry->fts_info) {
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        return diag_set(d, "%s: %s", entry->fts_path,
                        strerror(entry->fts_errno));
    case FTS_F:
        if (!text_matches(entry->fts_name, "?*.db"))
            return 0;
        if (db_identify(entry->fts_path, &kind, d) != 0)
            return -1;
        add_input(in, kind, entry->fts_path);
        return 0;
    default:
        return 0;
    }
}

static int add_directory(struct cc_inputs *in, char *path, struct diag *d)
{
    char *roots[] = {path, NULL};
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, name_order);
    FTSENT *entry;
    int rc = 0;

    if (tree == NULL)
        return diag_set(d, "%s: %s", path, strerror(errno));
    while (rc == 0 && (errno = 0, entry = fts_read(tree)) != NULL)
        rc = add_entry(in, entry, d);
    if (rc == 0 && errno != 0)
        rc = diag_set(d, "%s: %s", path, strerror(errno));
    fts_close(tree);
    return rc;
}

/* Is the first operand a static.db and the second a deps.db? */
static bool are_swapped(char **operands)
{
    enum db_kind first, second;

    return db_identify(operands[0], &first, NULL) == 0 &&
           db_identify(operands[1], &second, NULL) == 0 && first == DB_STATIC &&
           second == DB_DEPS;
}

/* Takes the operands: a database of depsim and one of staticdeps; or, where
   databases were added already or a directory is among them, directories only:
   all files named *.db in and below each, in the order of their names, whatever
   their kind.  Afterwards there is at least one database of each kind.  A
   directory's file that is of neither kind is a failure. */
static int add_operands(struct cc_inputs *in, char **operands, size_t n,
                        struct diag *d)
{
    bool has_directories = false;

    for (size_t i = 0; i < n; i++)
        has_directories |= is_directory(operands[i]);
    if (n == 2 && !has_directories && in->n_deps + in->n_statics == 0) {
        bool swapped = are_swapped(operands);

        add_input(in, DB_DEPS, operands[swapped]);
        add_input(in, DB_STATIC, operands[!swapped]);
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (!is_directory(operands[i]) &&
            (has_directories || in->n_deps + in->n_statics > 0))
            return diag_set(
                d, "%s: a file cannot be combined with %s", operands[i],
                has_directories ? "a directory" : "--deps or --static");
        if (is_directory(operands[i]) && add_directory(in, operands[i], d) != 0)
            return -1;
    }
    if (in->n_deps > 0 && in->n_statics > 0)
        return 0;
    if (has_directories || in->n_deps + in->n_statics > 0)
        return diag_set(d, "%s: no database of %s",
                        has_directories ? operands[0] : "usage",
                        in->n_deps == 0 ? "depsim" : "staticdeps");
    return diag_set(d, "usage: two databases are needed, of depsim and of "
                       "staticdeps; see covcheck --help");
}

/* --- The whole command line --- */

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
    int first;

    *options = (struct cc_options){.filter = {UNSET, UNSET},
                                   .max_drop = -1,
                                   /* getopt changes the order. */
                                   .command = shell_command(argc, argv)};
    enum options_result result =
        options_parse(&program, options, argc, argv, &first, d);
    if (result != OPTIONS_RUN)
        return result;
    if (add_operands(&options->in, argv + first, (size_t)(argc - first), d) !=
            0 ||
        check(options, d) != 0)
        return OPTIONS_BAD;
    /* By default min_share filters; setting only min_weight disables it. */
    if (options->filter.min_share == UNSET)
        options->filter.min_share =
            options->filter.min_weight == UNSET ? DEFAULT_MIN_SHARE : 0;
    if (options->filter.min_weight == UNSET)
        options->filter.min_weight = 0;
    assert(options->filter.min_share >= 0 && options->filter.min_weight >= 0);
    options->in.every_bound = options->html_path != NULL;
    /* Several databases get a row each in the report. */
    if (options->by == CC_BY_NONE &&
        (options->in.n_deps > 1 || options->in.n_statics > 1))
        options->by = CC_BY_OBJECT;
    return OPTIONS_RUN;
}

void cc_options_fini(struct cc_options *options)
{
    free(options->command);
    free(options->gates);
    for (size_t i = 0; i < options->in.n_deps; i++)
        free(options->in.deps[i]);
    for (size_t i = 0; i < options->in.n_statics; i++)
        free(options->in.statics[i]);
    free(options->in.deps);
    free(options->in.statics);
}
