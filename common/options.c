/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include <getopt.h>
#include <unistd.h>

#include "config.h"
#include "output.h"

enum { OPT_HELP = 256, OPT_VERSION, OPT_FIRST };

static size_t count(const struct option_def *defs)
{
    size_t n = 0;

    while (defs[n].name != NULL)
        n++;
    return n;
}

/* May an option's argument be left out: "[=N]", but not "[L:]P"? */
static bool is_optional(const char *argument)
{
    return argument != NULL && strncmp(argument, "[=", 2) == 0;
}

/* Has an option the fields that its kind needs? */
__attribute__((unused)) static bool fits_kind(const struct option_def *o)
{
    bool has_value = o->argument != NULL && !is_optional(o->argument);

    switch (o->kind) {
    case OPTION_CALL:
        return o->set != NULL;
    case OPTION_FLAG:
        return o->argument == NULL && o->size == sizeof(bool);
    case OPTION_TEXT:
    case OPTION_FILE:
        return has_value && o->size == sizeof(const char *);
    case OPTION_NUMBER:
        return has_value && o->min <= o->max &&
               (o->size == sizeof(uint64_t) ||
                (o->size == sizeof(uint32_t) && o->max <= UINT32_MAX));
    case OPTION_PERCENT:
    case OPTION_SHARE:
        return has_value && o->size == sizeof(double);
    case OPTION_WORD:
        return has_value && o->words != NULL &&
               (o->size == sizeof(uint32_t) || o->size == sizeof(bool));
    }
    return false;
}

/* Does each option have one unique name, and all that --help and getopt
   need? */
__attribute__((unused)) static bool
is_well_formed(const struct option_def *defs)
{
    for (size_t i = 0; defs[i].name != NULL; i++) {
        const struct option_def *o = &defs[i];

        if (o->name[0] == '\0' || strpbrk(o->name, "= ") != NULL ||
            o->help == NULL || !fits_kind(o) || strcmp(o->name, "help") == 0 ||
            strcmp(o->name, "version") == 0 || o->letter == ':' ||
            o->letter == '?' || o->letter == 'h')
            return false;
        for (size_t j = 0; j < i; j++)
            if (strcmp(defs[j].name, o->name) == 0 ||
                (o->letter != 0 && defs[j].letter == o->letter))
                return false;
    }
    return true;
}

static int argument_kind(const struct option_def *def)
{
    if (def->argument == NULL)
        return no_argument;
    return is_optional(def->argument) ? optional_argument : required_argument;
}

static void print_option(const char *name, char letter, const char *argument,
                         const char *help)
{
    char left[80];

    snprintf(left, sizeof left, "%s%c%s--%s%s%s", letter ? "-" : "  ",
             letter ? letter : ' ', letter ? ", " : " ", name,
             argument != NULL && !is_optional(argument) ? "=" : "",
             argument != NULL ? argument : "");
    AUTO_FREE char *line = memory_printf("  %-30s %s\n", left, help);
    terminal_fold(stdout, line, 33, terminal_width(STDOUT_FILENO));
}

static void print_help(const struct program *program)
{
    const struct option_group *group = program->groups;

    printf("Usage: %s %s\n%s\n", program->name, program->usage,
           program->summary);
    if (program->examples != NULL)
        printf("\nExamples:\n%s", program->examples);
    if (group == NULL)
        puts("\nOptions:");
    for (const struct option_def *o = program->options; o->name != NULL; o++) {
        if (group != NULL && group->first != NULL &&
            strcmp(o->name, group->first) == 0)
            printf("\n%s:\n", group++->heading);
        print_option(o->name, o->letter, o->argument, o->help);
    }
    assert(group == NULL || group->first == NULL);
    if (group != NULL)
        puts("");
    print_option("help", 'h', NULL, "print this and exit");
    print_option("version", 0, NULL, "print the version and exit");
}

/* The table of options in getopt_long's own form, which the caller frees. */
static struct option *long_options(const struct option_def *defs)
{
    size_t n = count(defs);
    struct option *longs = memory_new(n + 3, sizeof *longs);

    for (size_t i = 0; i < n; i++)
        longs[i] = (struct option){defs[i].name, argument_kind(&defs[i]), NULL,
                                   OPT_FIRST + (int)i};
    longs[n] = (struct option){"help", no_argument, NULL, OPT_HELP};
    longs[n + 1] = (struct option){"version", no_argument, NULL, OPT_VERSION};
    return longs;
}

static char *short_options(const struct option_def *defs, bool ends_at_operand)
{
    char *shorts = memory_new(4 + 3 * count(defs), 1), *end = shorts;

    if (ends_at_operand)
        *end++ = '+';
    *end++ = ':'; /* tell a missing argument from an unknown option */
    *end++ = 'h';
    for (; defs->name != NULL; defs++) {
        if (defs->letter == 0)
            continue;
        *end++ = defs->letter;
        for (int colons = argument_kind(defs); colons > 0; colons--)
            *end++ = ':';
    }
    return shorts;
}

static const struct option_def *find(const struct option_def *defs, int opt)
{
    if (opt >= OPT_FIRST)
        return &defs[opt - OPT_FIRST];
    while (defs->name != NULL && defs->letter != opt)
        defs++;
    return defs;
}

/* The name of the option that is most like an unknown one of n characters;
   NULL: no name is. */
static const char *nearest(const struct option_def *defs, const char *text,
                           size_t n)
{
    AUTO_FREE char *asked = memory_printf("%.*s", (int)n, text);
    const char *best = NULL;
    unsigned least = (unsigned)n / 3 + 1;

    for (; defs->name != NULL; defs++) {
        unsigned distance = text_distance(defs->name, asked);

        if (distance <= least) {
            best = defs->name;
            least = distance - (distance > 0);
        }
    }
    return best;
}

static int bad_option(const struct option_def *defs, int opt, char **argv,
                      struct diag *d)
{
    const char *text = argv[optind - 1], *like;
    const char *what =
        opt == ':' ? "needs an argument" : "unknown or ambiguous option";

    /* optopt is the value of an unknown short option, or that of a long option
       with an argument that the option does not take. */
    if (opt == '?' && optopt >= OPT_HELP)
        what = "takes no argument";
    else if (optopt > 0 && optopt < OPT_HELP)
        return diag_set(d, "-%c: %s", optopt, what);
    like = opt == '?' && optopt == 0 && strncmp(text, "--", 2) == 0
               ? nearest(defs, text + 2, strcspn(text + 2, "="))
               : NULL;
    return diag_set(d, "%.*s: %s%s%s%s", (int)strcspn(text, "="), text, what,
                    like != NULL ? "; did you mean --" : "",
                    like != NULL ? like : "", like != NULL ? "?" : "");
}

/* Stores a number in an unsigned type of some size, where it fits. */
static void store(void *to, size_t size, uint64_t n)
{
    if (size == sizeof(uint64_t))
        memcpy(to, &n, size);
    else if (size == sizeof(uint32_t))
        memcpy(to, &(uint32_t){(uint32_t)n}, size);
    else {
        assert(size == sizeof(bool));
        *(bool *)to = n != 0;
    }
}

static int set_number(const struct option_def *o, void *to, const char *value,
                      struct diag *d)
{
    uint64_t n;

    if (!num_parse(value, &n))
        return diag_set(d, "must be a number");
    if (n < o->min || n > o->max)
        return diag_set(d, "must be from %" PRIu64 " to %" PRIu64, o->min,
                        o->max);
    store(to, o->size, n);
    return 0;
}

/* Sets the diag to "must be a, b or c". */
static int bad_word(const char *const *words, struct diag *d)
{
    struct diag list = {""};

    assert(words[0] != NULL);
    for (size_t i = 0; words[i] != NULL; i++) {
        const char *between = list.text[0] == '\0'   ? ""
                              : words[i + 1] != NULL ? ", "
                                                     : " or ";
        size_t n = strlen(list.text);

        if (words[i][0] != '\0')
            snprintf(list.text + n, sizeof list.text - n, "%s%s", between,
                     words[i]);
    }
    return diag_set(d, "must be %s", list.text);
}

static int set_word(const struct option_def *o, void *to, const char *value,
                    struct diag *d)
{
    for (size_t i = 0; o->words[i] != NULL; i++)
        if (value[0] != '\0' && strcmp(o->words[i], value) == 0) {
            store(to, o->size, i);
            return 0;
        }
    return bad_word(o->words, d);
}

static int set(const struct option_def *o, void *options, const char *value,
               struct diag *d)
{
    void *to = (char *)options + o->offset;

    switch (o->kind) {
    case OPTION_CALL:
        return o->set(to, value, d);
    case OPTION_FLAG:
        *(bool *)to = true;
        return 0;
    case OPTION_FILE:
        if (value[0] == '\0')
            return diag_set(d, "a file name is missing");
        __attribute__((fallthrough));
    case OPTION_TEXT:
        *(const char **)to = value;
        return 0;
    case OPTION_NUMBER:
        return set_number(o, to, value, d);
    case OPTION_PERCENT:
    case OPTION_SHARE:
        if (!num_parse_percent(value, to))
            return diag_set(d, "must be a percentage from 0 to 100");
        if (o->kind == OPTION_SHARE)
            *(double *)to /= 100;
        return 0;
    case OPTION_WORD:
        return set_word(o, to, value, d);
    }
    assert(false); /* is_well_formed has checked all kinds */
    return -1;
}

static enum options_result parse(const struct program *program, void *options,
                                 int argc, char **argv,
                                 const struct option *longs, const char *shorts,
                                 struct diag *d)
{
    int opt;

    opterr = 0;
    optind = 0; /* restart, GNU's way: a unit test parses more than once */
    while ((opt = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        const struct option_def *def;
        struct diag value;

        switch (opt) {
        case OPT_HELP:
        case 'h':
            print_help(program);
            return OPTIONS_DONE;
        case OPT_VERSION:
            printf("%s %s (%s)\n", program->name, PACKAGE_VERSION,
                   program->licence);
            return OPTIONS_DONE;
        case '?':
        case ':':
            bad_option(program->options, opt, argv, d);
            return OPTIONS_BAD;
        }
        def = find(program->options, opt);
        assert(def->name != NULL);
        if (set(def, options, optarg, &value) == 0)
            continue;
        diag_set(d, "--%s=%s: %s", def->name, optarg != NULL ? optarg : "",
                 value.text);
        return OPTIONS_BAD;
    }
    return OPTIONS_RUN;
}

enum options_result options_parse(const struct program *program, void *options,
                                  int argc, char **argv, int *first,
                                  struct diag *d)
{
    AUTO_FREE struct option *longs = long_options(program->options);
    AUTO_FREE char *shorts =
        short_options(program->options, program->ends_at_operand);

    assert(is_well_formed(program->options));
    enum options_result result =
        parse(program, options, argc, argv, longs, shorts, d);
    *first = optind;
    return result;
}
