/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "depbound.h"

#include <unistd.h>

#include "config.h"

#include "db.h"
#include "output.h"

static const char *const initials[] = {"different", "same", NULL};
static const char *const marks[] = {"", "auto", NULL};

static int set_edges(void *options, const char *value, struct diag *d)
{
    struct cy_options *o = options;

    o->has_edges = true;
    for (enum cy_edges e = CY_EDGES_NONE; e <= CY_EDGES_OBSERVED; e++)
        if (strcmp(cy_edges_name(e), value) == 0) {
            o->choice.edges = e;
            return 0;
        }
    return diag_set(d, "must be none, static or observed");
}

static int set_calibrate(void *options, const char *value, struct diag *d)
{
    struct cy_options *o = options;

    (void)d;
    o->calibrates = true;
    o->calibration = value;
    return 0;
}

static int add_range(void *ranges, const char *value, struct diag *d)
{
    const char *dash = strchr(value, '-');
    uint64_t start, end;

    if (dash == NULL ||
        !num_parse_span(value, (size_t)(dash - value), &start) ||
        !num_parse(dash + 1, &end) || start >= end)
        return diag_set(d, "must be two addresses START-END");
    regions_add(ranges, start, end, value);
    return 0;
}

static int add_object(void *asked, const char *value, struct diag *d)
{
    struct cy_wish *a = asked;

    if (value[0] == '\0')
        return diag_set(d, "must not be empty");
    array_append(a, objects, value);
    return 0;
}

static int set_format(void *options, const char *value, struct diag *d)
{
    struct cy_options *o = options;
    enum cy_format format = cy_format_parse(value);

    if (strcmp(value, "help") == 0)
        o->lists_formats = true;
    else if (format == CY_N_FORMATS)
        return diag_set(d, "must be " CY_FORMAT_NAMES);
    else
        o->format = format;
    return 0;
}

static int set_dot(void *options, const char *value, struct diag *d)
{
    (void)value;
    return set_format(options, "dot", d);
}

/* Parses "L3:8M". */
static int set_cache(void *sizes, const char *value, struct diag *d)
{
    static const char units[] = "KMG";
    const char *unit = NULL;
    size_t n = strlen(value);
    uint64_t size = 0;

    if (n > 4 && value[0] == 'L' && value[1] >= '1' && value[1] <= '3' &&
        value[2] == ':' && num_parse_span(value + 3, n - 4, &size))
        unit = strchr(units, value[n - 1]);
    if (unit == NULL || size == 0 || size > 1048576)
        return diag_set(d, "must be L1, L2 or L3, a colon and a size, as L3:8M "
                           "or L2:512K");
    ((double *)sizes)[value[1] - '1'] =
        (double)size * (double)(UINT64_C(1) << 10 * (unit - units));
    return 0;
}

/* Sets a number above 0, at most `most`; `what` says what it must be. */
static int set_positive(double *to, const char *value, double most,
                        const char *what, struct diag *d)
{
    char *end;
    double number = strtod(value, &end);

    if (end == value || *end != '\0' || !(number > 0 && number <= most))
        return diag_set(d, "must be a number of %s", what);
    *to = number;
    return 0;
}

static int set_clock(void *clock, const char *value, struct diag *d)
{
    return set_positive(clock, value, 100, "gigahertz above 0, at most 100", d);
}

static int set_time(void *time, const char *value, struct diag *d)
{
    return set_positive(time, value, 1e9, "seconds above 0", d);
}

static int set_top(void *top, const char *value, struct diag *d)
{
    uint64_t n;

    if (!num_parse(value, &n) || n == 0 || n > 1000000)
        return diag_set(d, "must be a number from 1 to 1000000");
    *(size_t *)top = (size_t)n;
    return 0;
}

/* --record; parse() handles the command that follows. */
static int set_record(void *options, const char *value, struct diag *d)
{
    (void)options, (void)value, (void)d;
    return 0;
}

#define AT(member) OPTION_AT(struct cy_options, member)

static const struct option_def table[] = {
    {"record", 0, NULL,
     "run what follows, a program with its arguments, in depsim first",
     .set = set_record},
    {"deps-file", 0, "FILE", "keep what --record recorded there", OPTION_TEXT,
     AT(recording)},
    {"trace-children", 0, NULL, "record the programs that it starts, too",
     OPTION_FLAG, AT(follows)},
    {"native", 0, NULL, "run it on the processor, too, and compare the times",
     OPTION_FLAG, AT(runs_again)},
    {"time", 0, "SECONDS", "compare with this user time, which you measured",
     AT(time), .set = set_time},
    {"static", 0, NULL, "use no execution: take no deps.db", OPTION_FLAG,
     AT(runs_nothing)},
    {"hex", 0, "BYTES", "this machine code, or that of each line of a file",
     OPTION_TEXT, AT(hex)},
    {"range", 0, "START-END", "this code as the body of a loop; repeatable",
     AT(ranges), .set = add_range},
    {"objects", 0, "PATTERN",
     "only files of such names, as 'libz*' or main; repeatable",
     AT(choice.wish), .set = add_object},
    {"function", 0, "NAME", "only loops of this function", OPTION_TEXT,
     AT(choice.wish.function)},
    {"source", 0, "PATTERN[:LINE]",
     "only loops of such source files, as '*.h', or of a line", OPTION_TEXT,
     AT(choice.source)},
    {"unrolled", 0, NULL, "repeat regions without a jump back", OPTION_FLAG,
     AT(choice.is_unrolled)},
    {"initial", 0, "VALUES",
     "registers begin different or the same [different]", OPTION_WORD,
     AT(is_same), .words = initials},
    {"verbose", 'v', NULL, "text: with all loops, lines and pairs", OPTION_FLAG,
     AT(is_verbose)},
    {"annotate", 0, NULL, "show the code of each loop, with its chain",
     OPTION_FLAG, AT(annotates)},
    {"inlines", 0, NULL, "with --annotate or HTML: show what was inlined there",
     OPTION_FLAG, AT(has_inlines)},
    {"top", 0, "N", "show at most N loops [10]", AT(n_shown), .set = set_top},
    {"min-share", 0, "P", "leave out loops below P% of all instructions [1]",
     OPTION_PERCENT, AT(choice.min_share)},
    {"format", 0, "NAME", "print " CY_FORMAT_NAMES " [text]",
     .set = set_format},
    {"dot", 0, NULL, "the same as --format=dot", .set = set_dot},
    {"syntax", 0, "NAME",
     "show instructions in " DISASM_SYNTAXES " syntax [att]", OPTION_WORD,
     AT(syntax), .words = disasm_syntaxes},
    {"output", 'o', "FILE", "also write all loops to this SQLite database",
     OPTION_TEXT, AT(output)},
    {"region-markers", 0, "auto",
     "only print source with loops marked for llvm-mca", OPTION_WORD, AT(marks),
     .words = marks},
    {"cpu", 0, "NAME",
     "predict for this machine file; help lists them [this one]", OPTION_TEXT,
     AT(cpu)},
    {"cache", 0, "LEVEL:SIZE",
     "with a cache of this size, as L3:8M; repeatable", AT(cache_kib),
     .set = set_cache},
    {"clock", 0, "GHZ", "tell times at this clock [--record: as measured]",
     AT(clock), .set = set_clock},
    {"penalties", 0, NULL, "only list what forwards cost, by --cpu",
     OPTION_FLAG, AT(lists_penalties)},
    {"variants", 0, NULL,
     "only list variants of the C library's functions taken here", OPTION_FLAG,
     AT(lists_variants)},
    {"llvm-mca", 0, "PROGRAM", "run this llvm-mca, or none [the newest]",
     OPTION_TEXT, AT(mca)},
    {"edges", 0, "WHICH", "none, static or observed [observed if recorded]",
     .set = set_edges},
    {"support", 0, "P", "leave out predictions with less support [50]",
     OPTION_SHARE, AT(choice.min_support)},
    {"calibrate", 0, "[=FILE]", "only measure this processor: a machine file",
     .set = set_calibrate},
    {"force", 0, NULL, "make it also on a machine too busy to measure",
     OPTION_FLAG, AT(is_forced)},
    {"wait", 0, "SECONDS", "calibrate or --native only while nothing else runs",
     AT(wait), .set = set_time},
    {"baseline", 0, "FILE", "compare with this report of --format=json",
     OPTION_TEXT, AT(baseline)},
    {"max-slowdown", 0, "P",
     "fail if cycles are more than P% above the baseline's", OPTION_PERCENT,
     AT(max_slowdown)},
    {"untrusted", 0, NULL, "for servers: read no file but those given here",
     OPTION_FLAG, AT(is_untrusted)},
    {0}};

static const struct option_group groups[] = {
    {"record", "What runs, or is read"},
    {"verbose", "What is shown"},
    {"cpu", "What the figures rest on"},
    {"baseline", "Comparing with an earlier report"},
    {"untrusted", "Servers"},
    {NULL, NULL}};

static const struct program program = {
    .name = "depbound",
    .usage = "[OPTION...] PROGRAM [DEPS.DB] [STATIC.DB]\n"
             "       depbound [OPTION...] --record [OPTION...] PROGRAM "
             "[ARGUMENT...]\n"
             "       depbound [OPTION...] FILE.s\n"
             "       depbound [OPTION...] --hex=BYTES",
    .summary = "Says which dependency limits a program, what it costs, and "
               "what a fix gains.",
    .licence = VALGRIND_LICENCE,
    .options = table,
    .groups = groups,
    .examples =
        "  depbound --record ./bench 1000       what limits it, as it runs\n"
        "  depbound ./bench                     what would, by its code alone\n"
        "  depbound --annotate --function=kernel --record ./bench 1000\n"};

/* May the file be a program?  -1 with *d set if it is a database, a script or
   no file. */
static int check_program(const char *path, const struct diag *why,
                         struct diag *d)
{
    static const char magic[] = "SQLite format 3";
    char bytes[sizeof magic] = "";
    uint64_t size;

    if (strcmp(path, "-") == 0)
        return 0;
    int fd = file_open(path, &size, d);
    if (fd < 0)
        return -1;
    if (read(fd, bytes, sizeof bytes) < (ssize_t)sizeof bytes)
        bytes[0] = '\0';
    close(fd);
    if (memcmp(bytes, "#!", 2) == 0 && !input_is_source(path))
        return diag_set(d,
                        "%s: a script; name the program that runs it, or use "
                        "--record",
                        path);
    if (memcmp(bytes, magic, sizeof magic) != 0)
        return 0;
    *d = *why;
    return -1;
}

static int take_file(struct cy_options *o, const char *path, struct diag *d)
{
    const char **place = &o->program;
    enum db_kind kind;
    struct diag why;

    if (db_identify(path, &kind, &why) == 0)
        place = kind == DB_DEPS ? &o->deps : &o->statics;
    else if (check_program(path, &why, d) != 0)
        return -1;
    if (*place != NULL)
        return diag_set(d, "%s: %s is given already", path,
                        place == &o->deps      ? "a deps.db"
                        : place == &o->statics ? "a static.db"
                                               : "a program");
    *place = path;
    return 0;
}

void cy_options_fini(struct cy_options *o)
{
    regions_fini(&o->ranges);
    free(o->choice.wish.objects);
    free(o->invocation);
    o->invocation = NULL;
}

/* Checks the options that pass code instead of a program. */
static int check_regions(const struct cy_options *o, struct diag *d)
{
    const char *which = o->hex != NULL ? "--hex" : "--range";

    if (o->hex == NULL && o->ranges.n == 0)
        return 0;
    if (o->hex != NULL && o->program != NULL)
        return diag_set(d, "--hex: takes no program");
    if (o->hex != NULL && o->ranges.n > 0)
        return diag_set(d, "--hex: takes no --range");
    if (o->deps != NULL || o->statics != NULL)
        return diag_set(d, "%s: takes no database", which);
    if (cy_choice_is_part(&o->choice))
        return diag_set(d, "%s: takes no %s", which,
                        o->choice.wish.function != NULL ? "--function"
                                                        : "--objects");
    return 0;
}

static int check_record(const struct cy_options *o, struct diag *d)
{
    const char *only = o->recording != NULL ? "--deps-file"
                       : o->follows         ? "--trace-children"
                       : o->runs_again      ? "--native"
                                            : NULL;

    if (o->command == NULL)
        return only == NULL ? 0 : diag_set(d, "%s: only with --record", only);
    if (o->command[0] == NULL)
        return o->program != NULL
                   ? diag_set(d,
                              "--record: must stand before the program: "
                              "depbound --record %s",
                              o->program)
                   : diag_set(d, "--record: no program given");
    if (o->is_untrusted)
        return diag_set(d, "--record: takes no --untrusted");
    if (o->program != NULL || o->deps != NULL || o->hex != NULL)
        return diag_set(d, "--record: takes no other program or deps.db");
    return o->runs_nothing ? diag_set(d, "--static: takes no --record") : 0;
}

/* Checks what compares the model with measured times. */
static int check_time(const struct cy_options *o, struct diag *d)
{
    if (o->time > 0 && o->runs_again)
        return diag_set(d, "--time: takes no --native, which measures it");
    if (o->time > 0 && o->deps == NULL && o->command == NULL)
        return diag_set(d, "--time: needs a deps.db or --record");
    if (o->time > 0 && o->cpu != NULL && o->clock == 0)
        return diag_set(d, "--time: with --cpu, it needs --clock");
    return 0;
}

static int check(const struct cy_options *o, struct diag *d)
{
    if (o->max_slowdown >= 0 && o->baseline == NULL)
        return diag_set(d, "--max-slowdown: needs a --baseline");
    if (o->marks && o->baseline != NULL)
        return diag_set(d, "--region-markers: takes no --baseline");
    if (check_record(o, d) != 0 || check_time(o, d) != 0)
        return -1;
    if (check_regions(o, d) != 0)
        return -1;
    if (o->is_same && o->statics != NULL)
        return diag_set(d, "--initial: takes no static.db");
    if (o->marks && (o->format != CY_TEXT || o->annotates))
        return diag_set(d, "--region-markers: is no report; it takes no "
                           "--format or --annotate");
    if (o->has_inlines && o->format != CY_HTML &&
        (o->format != CY_TEXT || !o->annotates))
        return diag_set(d, "--inlines: needs --annotate, or --format=html");
    if (o->program == NULL && o->statics == NULL && o->hex == NULL &&
        o->command == NULL)
        return diag_set(d, "usage: no program and no static.db given; --help "
                           "lists the options");
    if (o->is_forced)
        return diag_set(d, "--force: only with --calibrate");
    if (o->wait > 0 && !o->runs_again)
        return diag_set(d, "--wait: only with --calibrate or --native");
    if (o->runs_nothing && o->deps != NULL)
        return diag_set(d, "--static: takes no deps.db");
    if (o->deps == NULL && o->command == NULL &&
        (o->cache_kib[0] > 0 || o->cache_kib[1] > 0 || o->cache_kib[2] > 0))
        return diag_set(d, "--cache: no deps.db given");
    if (o->has_edges && o->choice.edges == CY_EDGES_OBSERVED &&
        o->deps == NULL && o->command == NULL)
        return diag_set(d, "--edges=observed: no deps.db given");
    return 0;
}

/* The number of arguments before --record, or of all arguments. */
static int up_to_record(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--record") == 0)
            return i + 1;
    return argc;
}

/* Parses the options before --record, which are the first `own` arguments, and
   those after it, up to the recorded program. */
static enum options_result parse(struct cy_options *o, int argc, char **argv,
                                 int own, int *first, struct diag *d)
{
    bool records = own > 1 && strcmp(argv[own - 1], "--record") == 0;
    struct program of_record = program;
    enum options_result result =
        options_parse(&program, o, own, argv, first, d);
    int next;

    assert(own <= argc);
    if (!records || result != OPTIONS_RUN)
        return result;
    /* getopt expects a program name before the options. */
    of_record.ends_at_operand = true;
    result =
        options_parse(&of_record, o, argc - own + 1, argv + own - 1, &next, d);
    assert(next > 0 && own - 1 + next <= argc);
    o->command = argv + own - 1 + next;
    return result;
}

/* Does the file name end like that of a report? */
static bool is_of_report(const char *name)
{
    static const char *const ends[] = {".html", ".json", ".md",
                                       ".txt",  ".dot",  ".yaml"};

    for (size_t i = 0; name != NULL && i < sizeof ends / sizeof ends[0]; i++) {
        size_t n = strlen(name), end = strlen(ends[i]);

        if (n > end && strcmp(name + n - end, ends[i]) == 0)
            return true;
    }
    return false;
}

enum options_result cy_options_parse(struct cy_options *o, int argc,
                                     char **argv, struct diag *d)
{
    int first, own = up_to_record(argc, argv);

    *o = (struct cy_options){.choice = {.min_support = 0.5, .min_share = 1},
                             .n_shown = 10,
                             .max_slowdown = -1,
                             /* before getopt reorders the arguments */
                             .invocation = shell_command(argc, argv)};
    enum options_result result = parse(o, argc, argv, own, &first, d);
    if (result != OPTIONS_RUN)
        return result;
    o->lists = o->cpu != NULL && strcmp(o->cpu, "help") == 0;
    if (o->lists || o->lists_formats || o->lists_penalties || o->lists_variants)
        return OPTIONS_RUN;
    if (is_of_report(o->output)) {
        diag_set(d,
                 "--output=%s: it writes a database; the report goes to "
                 "standard output",
                 o->output);
        return OPTIONS_BAD;
    }
    if (o->calibrates && o->is_untrusted) {
        diag_set(d, "--calibrate: takes no --untrusted");
        return OPTIONS_BAD;
    }
    if (o->calibrates && first < own) {
        diag_set(d, "%s: --calibrate takes no files", argv[first]);
        return OPTIONS_BAD;
    }
    for (; first < own; first++)
        if (take_file(o, argv[first], d) != 0)
            return OPTIONS_BAD;
    if (!o->has_edges)
        o->choice.edges = o->deps != NULL || o->command != NULL
                              ? CY_EDGES_OBSERVED
                              : CY_EDGES_STATIC;
    assert(o->n_shown > 0 && o->choice.edges <= CY_EDGES_OBSERVED);
    return o->calibrates || check(o, d) == 0 ? OPTIONS_RUN : OPTIONS_BAD;
}
