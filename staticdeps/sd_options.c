/* sd_options: the command line of staticdeps. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sched.h>

#include "config.h"
#include "staticdeps.h"

/* Pairs across functions need more walks: fewer walks show each such pair. */
#define EFFORT         4
#define PROGRAM_EFFORT 7

/* The default support: one of sixteen walks is enough; with EFFORT, most
   functions have at most sixteen walks. */
#define SUPPORT 0.06

static const char *const initials[] = {"different", "same", NULL};
static const char *const formats[] = {"", "text", "json", "dep", NULL};

static int add_rule(void *without, const char *value, struct diag *d)
{
    unsigned rule = sd_rule_parse(value);

    if (rule == 0)
        return diag_set(d, "no such rule");
    *(unsigned *)without |= rule;
    return 0;
}

static int add_function(void *options, const char *value, struct diag *d)
{
    struct sd_options *o = options;

    if (value[0] == '\0')
        return diag_set(d, "a name is missing");
    array_append(o, functions, value);
    return 0;
}

static int addresses(const char *value, struct sd_range *r, struct diag *d)
{
    const char *dash = strchr(value, '-');

    if (dash == NULL ||
        !num_parse_span(value, (size_t)(dash - value), &r->start) ||
        !num_parse(dash + 1, &r->end) || r->start > r->end)
        return diag_set(d, "must be two addresses A-B");
    return 0;
}

static int set_range(void *options, const char *value, struct diag *d)
{
    struct sd_options *o = options;

    o->has_range = true;
    return addresses(value, &o->range, d);
}

static int add_region(void *options, const char *value, struct diag *d)
{
    struct sd_options *o = options;
    struct sd_range r = {0, 0};

    if (addresses(value, &r, d) != 0)
        return -1;
    array_append(o, regions, r);
    return 0;
}

static int set_hex(void *hex, const char *value, struct diag *d)
{
    if (value != NULL && value[0] == '\0')
        return diag_set(d, "a file name is missing");
    *(const char **)hex = value != NULL ? value : "-";
    return 0;
}

static int set_arch(void *arch, const char *value, struct diag *d)
{
    return arch_parse(value, arch) ? 0
                                   : diag_set(d, "must be x86-64 or aarch64");
}

#define AT(member) OPTION_AT(struct sd_options, member)

static const struct option_def table[] = {
    {"output", 'o', "FILE",
     "write this database [static.db; none with --format]", OPTION_FILE,
     AT(output)},
    {"scope", 0, "SCOPE", "look at a block, loop, function or program [block]",
     OPTION_WORD, AT(settings.scope), .words = sd_scope_names},
    {"effort", 0, "N", "walk this much in a function, 1 to 9 [4 or 7]",
     OPTION_NUMBER, AT(settings.effort), .min = 1, .max = 9},
    {"support", 0, "P", "keep pairs that P% of the walks show [6]",
     OPTION_SHARE, AT(settings.support)},
    {"without", 0, "RULE", "leave out a rule of walks; repeatable",
     AT(settings.without), .set = add_rule},
    {"library-table", 0, "FILE", "read what functions of other files do",
     OPTION_FILE, AT(library_table)},
    {"rob", 0, "N", "size of the reorder buffer in instructions [512]",
     OPTION_NUMBER, AT(settings.rob), .min = 1, .max = 1000000},
    {"threshold", 0, "P", "keep pairs that P% of the iterations show [80]",
     OPTION_SHARE, AT(settings.threshold)},
    {"seeds", 0, "N", "runs that a dependency must survive [2]", OPTION_NUMBER,
     AT(settings.n_seeds), .min = 1, .max = 1000},
    {"seed", 0, "N", "the first random seed [1]", OPTION_NUMBER,
     AT(settings.seed), .max = INT64_MAX},
    {"initial", 0, "VALUES",
     "registers begin different or the same [different]", OPTION_WORD,
     AT(settings.is_same), .words = initials},
    {"function", 0, "NAME", "only blocks of this function; repeatable",
     .set = add_function},
    {"range", 0, "A-B", "only blocks that begin at A or later, before B",
     .set = set_range},
    {"region", 0, "A-B", "the code from A to B as one block; repeatable",
     .set = add_region},
    {"executed", 0, "DEPS.DB", "only blocks that ran according to this",
     OPTION_FILE, AT(executed)},
    {"min-share", 0, "P", "walk functions with P% of what executed [0]",
     OPTION_SHARE, AT(min_share)},
    {"debug-dir", 0, "DIR", "directory of debug files [/usr/lib/debug]",
     OPTION_TEXT, AT(debug_directory)},
    {"hex", 0, "[=FILE]", "read blocks as lines of hexadecimal code", AT(hex),
     .set = set_hex},
    {"arch", 0, "ARCH", "of --hex: x86-64 or aarch64 [x86-64]",
     AT(settings.arch), .set = set_arch},
    {"jobs", 0, "N", "worker processes [one for each processor]", OPTION_NUMBER,
     AT(jobs), .min = 1, .max = 1024},
    {"format", 0, "FORMAT", "print dependencies as text, json or dep",
     OPTION_WORD, AT(format), .words = formats},
    {"untrusted", 0, NULL, "for servers: read no file but those given here",
     OPTION_FLAG, AT(is_untrusted)},
    {"syntax", 0, "NAME",
     "show instructions in " DISASM_SYNTAXES " syntax [att]", OPTION_WORD,
     AT(syntax), .words = disasm_syntaxes},
    {0}};

static const struct program program = {
    .name = "staticdeps",
    .usage = "[OPTION...] FILE...\n       staticdeps [OPTION...] SOURCE.s | -\n"
             "       staticdeps [OPTION...] --hex[=FILE]",
    .summary = "Predicts dependencies through memory from machine code.",
    .licence = VALGRIND_LICENCE,
    .options = table};

/* The number of processors that this process may use, not of all processors. */
static unsigned processors(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return (unsigned)CPU_COUNT(&set);
}

/* Refuses options that exclude each other. */
static int check(const struct sd_options *o, bool has_files, struct diag *d)
{
    bool has_hex = o->hex != NULL, has_regions = o->n_regions > 0;
    bool is_block = o->settings.scope == SD_SCOPE_BLOCK;
    bool selects = o->n_functions > 0 || o->has_range || o->executed != NULL;
    const struct {
        bool is_wrong;
        const char *text;
    } rules[] = {
        {has_hex && has_files,
         "--hex: takes no ELF files; a file of lines is --hex=FILE"},
        {has_hex && (selects || has_regions),
         "--hex: excludes --function, --range, --region, --executed"},
        {has_hex && !is_block, "--hex: needs --scope=block"},
        {has_regions && !is_block, "--region: needs --scope=block"},
        {o->min_share > 0 &&
             (o->settings.scope != SD_SCOPE_FUNCTION || o->executed == NULL),
         "--min-share: needs --scope=function and --executed"},
        {o->settings.is_same && !is_block,
         "--initial=same: needs --scope=block"},
        {has_regions && selects,
         "--region: excludes --function, --range and --executed"},
        {!has_hex && !has_files, "FILE: is missing; see staticdeps --help"},
    };

    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].is_wrong)
            return diag_set(d, "%s", rules[i].text);
    return 0;
}

enum options_result sd_options_parse(struct sd_options *o, int argc,
                                     char **argv, int *first, struct diag *d)
{
    *o = (struct sd_options){.debug_directory = "/usr/lib/debug",
                             .settings = {.rob = 512,
                                          .threshold = 0.8,
                                          .n_seeds = 2,
                                          .seed = 1,
                                          .support = SUPPORT},
                             .jobs = processors()};
    enum options_result result =
        options_parse(&program, o, argc, argv, first, d);
    if (result != OPTIONS_RUN)
        return result;
    if (o->settings.effort == 0)
        o->settings.effort =
            o->settings.scope == SD_SCOPE_PROGRAM ? PROGRAM_EFFORT : EFFORT;
    /* A run that prints a listing must not overwrite static.db. */
    if (o->output == NULL && o->format == SD_FORMAT_NONE)
        o->output = "static.db";
    assert(o->settings.effort > 0 && o->settings.n_seeds > 0);
    assert(o->jobs > 0 && *first <= argc);
    return check(o, *first < argc, d) == 0 ? OPTIONS_RUN : OPTIONS_BAD;
}

void sd_options_fini(struct sd_options *o)
{
    free(o->functions);
    free(o->regions);
    o->functions = NULL;
    o->regions = NULL;
}
