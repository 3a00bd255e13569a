/*
 * sd_options: the command line of staticdeps.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "sd_options.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

#include "array.h"
#include "num.h"
#include "walk/sd_effort.h"

#define ROB_MAX   1000000
#define SEEDS_MAX 1000
#define JOBS_MAX  1024

/* Pairs across functions need more walks, because fewer walks show each. */
#define EFFORT         4
#define PROGRAM_EFFORT 7

/* One of sixteen walks is enough; with EFFORT, most functions have at most
   sixteen. */
#define SUPPORT 0.06

static int number(const char *value, uint64_t min, uint64_t max, uint64_t *n,
                  struct diag *d)
{
    uint64_t parsed;

    if (!num_parse(value, &parsed))
        return diag_set(d, "must be a number");
    if (parsed < min || parsed > max)
        return diag_set(d, "must be from %llu to %llu", (unsigned long long)min,
                        (unsigned long long)max);
    *n = parsed;
    return 0;
}

/* Defines the setter of a number from `min` to `max`. */
#define NUMBER(name, member, min, max)                                      \
    static int set_##name(void *options, const char *value, struct diag *d) \
    {                                                                       \
        struct sd_options *o = options;                                     \
        uint64_t n = 0;                                                     \
                                                                            \
        if (number(value, min, max, &n, d) != 0)                            \
            return -1;                                                      \
        o->member = (__typeof__(o->member))n;                               \
        return 0;                                                           \
    }
NUMBER(rob, settings.rob, 1, ROB_MAX)
NUMBER(effort, settings.effort, 1, 9)
NUMBER(seeds, settings.n_seeds, 1, SEEDS_MAX)
NUMBER(seed, settings.seed, 0, INT64_MAX)
NUMBER(jobs, jobs, 1, JOBS_MAX)

/* Defines the setter of a member that a function reads from the value. */
#define SETTER(name, member, read)                                          \
    static int set_##name(void *options, const char *value, struct diag *d) \
    {                                                                       \
        return read(value, &((struct sd_options *)options)->member, d);     \
    }

static int file_name(const char *value, const char **name, struct diag *d)
{
    *name = value;
    return value[0] != '\0' ? 0 : diag_set(d, "a file name is missing");
}
SETTER(output, output, file_name)
SETTER(executed, executed, file_name)
SETTER(library_table, library_table, file_name)

static int share(const char *value, double *part, struct diag *d)
{
    double percent;

    if (!num_parse_percent(value, &percent))
        return diag_set(d, "must be a percentage from 0 to 100");
    *part = percent / 100;
    return 0;
}
SETTER(threshold, settings.threshold, share)
SETTER(support, settings.support, share)

/* The number of a word in a list that ends with NULL, or that of the NULL. */
static unsigned word(const char *value, const char *const *words)
{
    unsigned i = 0;

    while (words[i] != NULL && strcmp(value, words[i]) != 0)
        i++;
    return i;
}

static int set_scope(void *options, const char *value, struct diag *d)
{
    unsigned scope = word(value, sd_scope_names);

    if (sd_scope_names[scope] == NULL)
        return diag_set(d, "must be block, loop, function or program");
    ((struct sd_options *)options)->settings.scope = (enum sd_scope)scope;
    return 0;
}

static int set_initial(void *options, const char *value, struct diag *d)
{
    static const char *const names[] = {"different", "same", NULL};
    unsigned initial = word(value, names);

    if (names[initial] == NULL)
        return diag_set(d, "must be different or same");
    ((struct sd_options *)options)->settings.is_same = initial == 1;
    return 0;
}

static int set_format(void *options, const char *value, struct diag *d)
{
    static const char *const names[] = {"", "text", "json", "dep", NULL};
    unsigned format = word(value, names);

    if (format == SD_FORMAT_NONE || names[format] == NULL)
        return diag_set(d, "must be text, json or dep");
    ((struct sd_options *)options)->format = (enum sd_format)format;
    return 0;
}

static int set_without(void *options, const char *value, struct diag *d)
{
    unsigned rule = sd_rule_parse(value);

    if (rule == 0)
        return diag_set(d, "no such rule");
    ((struct sd_options *)options)->settings.without |= rule;
    return 0;
}

static int set_function(void *options, const char *value, struct diag *d)
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

static int set_region(void *options, const char *value, struct diag *d)
{
    struct sd_options *o = options;
    struct sd_range r = {0, 0};

    if (addresses(value, &r, d) != 0)
        return -1;
    array_append(o, regions, r);
    return 0;
}

static int set_debug_dir(void *options, const char *value, struct diag *d)
{
    (void)d;
    ((struct sd_options *)options)->debug_directory = value;
    return 0;
}

static int set_hex(void *options, const char *value, struct diag *d)
{
    return file_name(value != NULL ? value : "-",
                     &((struct sd_options *)options)->hex, d);
}

static int set_arch(void *options, const char *value, struct diag *d)
{
    if (!sd_arch_parse(value, &((struct sd_options *)options)->settings.arch))
        return diag_set(d, "must be x86-64 or aarch64");
    return 0;
}

static int set_syntax(void *options, const char *value, struct diag *d)
{
    if (!disasm_syntax_parse(value, &((struct sd_options *)options)->syntax))
        return diag_set(d, "must be " DISASM_SYNTAXES);
    return 0;
}

static int set_untrusted(void *options, const char *value, struct diag *d)
{
    (void)value, (void)d;
    ((struct sd_options *)options)->is_untrusted = true;
    return 0;
}

static const struct option_def table[] = {
    {"output", 'o', "FILE",
     "write this database [static.db; none with --format]", set_output},
    {"scope", 0, "SCOPE", "look at a block, loop, function or program [block]",
     set_scope},
    {"effort", 0, "N", "walk this much in a function, 1 to 9 [4 or 7]",
     set_effort},
    {"support", 0, "P", "keep pairs that P% of the walks show [6]",
     set_support},
    {"without", 0, "RULE", "leave out a rule of walks; repeatable",
     set_without},
    {"library-table", 0, "FILE", "read what functions of other files do",
     set_library_table},
    {"rob", 0, "N", "size of the reorder buffer in instructions [512]",
     set_rob},
    {"threshold", 0, "P", "keep pairs that P% of the iterations show [80]",
     set_threshold},
    {"seeds", 0, "N", "runs that a dependency must survive [2]", set_seeds},
    {"seed", 0, "N", "the first random seed [1]", set_seed},
    {"initial", 0, "VALUES",
     "registers begin different or the same [different]", set_initial},
    {"function", 0, "NAME", "only blocks of this function; repeatable",
     set_function},
    {"range", 0, "A-B", "only blocks that begin at A or later, before B",
     set_range},
    {"region", 0, "A-B", "the code from A to B as one block; repeatable",
     set_region},
    {"executed", 0, "DEPS.DB", "only blocks that ran according to this",
     set_executed},
    {"debug-dir", 0, "DIR", "directory of debug files [/usr/lib/debug]",
     set_debug_dir},
    {"hex", 0, "[=FILE]", "read blocks as lines of hexadecimal code", set_hex},
    {"arch", 0, "ARCH", "of --hex: x86-64 or aarch64 [x86-64]", set_arch},
    {"jobs", 0, "N", "worker processes [one for each processor]", set_jobs},
    {"format", 0, "FORMAT", "print dependencies as text, json or dep",
     set_format},
    {"untrusted", 0, NULL, "for servers: read no file but those given here",
     set_untrusted},
    {"syntax", 0, "NAME",
     "show instructions in " DISASM_SYNTAXES " syntax [att]", set_syntax},
    {NULL, 0, NULL, NULL, NULL},
};

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

/* Sets the defaults that depend on the scope. */
static void set_for_scope(struct sd_settings *settings)
{
    if (settings->effort == 0)
        settings->effort =
            settings->scope == SD_SCOPE_PROGRAM ? PROGRAM_EFFORT : EFFORT;
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
    enum options_result result;

    *o = (struct sd_options){.debug_directory = "/usr/lib/debug",
                             .settings = {.rob = 512,
                                          .threshold = 0.8,
                                          .n_seeds = 2,
                                          .seed = 1,
                                          .support = SUPPORT},
                             .jobs = processors()};
    result = options_parse(&program, o, argc, argv, first, d);
    if (result != OPTIONS_RUN)
        return result;
    set_for_scope(&o->settings);
    /* A listing must not overwrite the analysis of a whole program. */
    if (o->output == NULL && o->format == SD_FORMAT_NONE)
        o->output = "static.db";
    return check(o, *first < argc, d) == 0 ? OPTIONS_RUN : OPTIONS_BAD;
}

void sd_options_fini(struct sd_options *o)
{
    free(o->functions);
    free(o->regions);
    o->functions = NULL;
    o->regions = NULL;
}
