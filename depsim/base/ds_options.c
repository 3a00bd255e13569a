/*
 * ds_options: the command line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_options.h"

#include "base/ds_message.h"

#define DEPS_FILE "deps.db"

struct ds_options ds_options = {.deps_file = DEPS_FILE,
                                .record_from_start = True,
                                .inline_after = 1024,
                                .windows_apart = 4};

/* Each setter puts the value of an option, as given in `arg`, where `to`
   points. */
static void set_flag(void *to, const HChar *arg, const HChar *value)
{
    Bool is_yes = VG_(strcmp)(value, "yes") == 0;

    if (!is_yes && VG_(strcmp)(value, "no") != 0)
        ds_message_refuse("%s: must be yes or no", arg);
    *(Bool *)to = is_yes;
}

static void set_file(void *to, const HChar *arg, const HChar *value)
{
    if (value[0] == '\0')
        ds_message_refuse("%s: a file name is missing", arg);
    *(const HChar **)to = value;
}

static void set_lifetime(void *to, const HChar *arg, const HChar *value)
{
    if (!lifetimes_parse(to, value))
        ds_message_refuse("%s: must be at most %d numbers from 1, or inf, "
                          "with commas between them",
                          arg, LIFETIMES_MAX);
}

static void add_pattern(void *to, const HChar *arg, const HChar *value)
{
    struct ds_patterns *list = to;

    if (value[0] == '\0')
        ds_message_refuse("%s: an empty pattern matches nothing", arg);
    list->pattern = VG_(realloc)("ds.patterns", list->pattern,
                                 (list->n + 1) * sizeof *list->pattern);
    list->pattern[list->n++] = (struct ds_pattern){value, False};
}

static void set_number(void *to, const HChar *arg, const HChar *value)
{
    HChar *end;
    Long n = VG_(strtoll10)(value, &end);

    if (n < 0 || end == value || *end != '\0')
        ds_message_refuse("%s: must be a number of instructions", arg);
    *(ULong *)to = (ULong)n;
}

/* A number from 1 to `most`, and then the end or a colon; *value becomes what
   follows.  0 if it is none. */
static UInt number_upto(const HChar **value, UInt most)
{
    HChar *end;
    Long n = VG_(strtoll10)(*value, &end);

    if (n < 1 || n > most || (*value)[0] < '0' || (*value)[0] > '9' ||
        (*end != ':' && *end != '\0'))
        return 0;
    *value = end;
    return (UInt)n;
}

static void set_windows(void *to, const HChar *arg, const HChar *value)
{
    struct ds_window_option *windows = to;

    windows->n = number_upto(&value, DS_WINDOWS_MOST);
    windows->length = DS_WINDOW_LENGTH;
    if (*value == ':') {
        value++;
        windows->length = number_upto(&value, DS_WINDOWS_MOST);
    }
    if (windows->n == 0 || windows->length == 0 || *value != '\0')
        ds_message_refuse("%s: must be N or N:LENGTH, numbers from 1 to %d",
                          arg, DS_WINDOWS_MOST);
}

static const struct option {
    const HChar *name, *value, *help, *otherwise;
    void (*set)(void *to, const HChar *arg, const HChar *value);
    void *to;
} table[] = {
    {"--deps-file", "FILE", "write this database; with %p, %n, %q{VAR}",
     DEPS_FILE, set_file, &ds_options.deps_file},
    {"--append", "yes|no", "add the run, instead of replacing others", "no",
     set_flag, &ds_options.append},
    {"--lifetime", "LIST", "count at these bounds: numbers, or inf",
     "every power of two from 1 to 1048576, and inf", set_lifetime,
     &ds_options.bounds},
    {"--objects", "PATTERN", "record only in these objects; repeatable",
     "all objects", add_pattern, &ds_options.objects},
    {"--fn", "PATTERN", "record only in these functions; repeatable",
     "the whole run", add_pattern, &ds_options.functions},
    {"--record-from-start", "yes|no", "no: record only from DEPSIM_START",
     "yes", set_flag, &ds_options.record_from_start},
    {"--aliases", "N", "count loads that alias a store N instructions old", "0",
     set_number, &ds_options.aliases},
    {"--windows", "N[:LENGTH]", "record N windows of LENGTH instructions",
     "none", set_windows, &ds_options.windows},
};
#define N_OPTIONS (sizeof table / sizeof table[0])

Bool ds_options_process(const HChar *arg)
{
    for (SizeT i = 0; i < N_OPTIONS; i++) {
        const struct option *option = &table[i];
        SizeT n = VG_(strlen)(option->name);
        Bool is_it = VG_(strncmp)(arg, option->name, n) == 0 && arg[n] == '=';

        if (VG_(strcmp)(arg, option->name) == 0)
            ds_message_refuse("%s: needs a value, as in %s=%s", arg, arg,
                              option->value);
        if (VG_(check_clom)(cloP, arg, option->name, is_it)) {
            option->set(option->to, arg, arg + n + 1);
            return True;
        }
    }
    return VG_BINT_CLO(arg, "--inline-after", ds_options.inline_after, 0,
                       1 << 30) ||
           VG_BINT_CLO(arg, "--windows-apart", ds_options.windows_apart, 1,
                       1 << 30) ||
           /* Only depsim itself passes this option, so it is not checked. */
           VG_STR_CLO(arg, "--session", ds_options.session);
}

#define COLUMN 32 /* where the explanations begin */

void ds_options_usage(void)
{
    for (SizeT i = 0; i < N_OPTIONS; i++) {
        const struct option *option = &table[i];
        UInt n = VG_(printf)("    %s=%s", option->name, option->value);

        while (n++ < COLUMN)
            VG_(printf)(" ");
        n += VG_(printf)("%s", option->help);
        if (n + VG_(strlen)(option->otherwise) > 76) {
            VG_(printf)("\n");
            for (n = 0; n < COLUMN - 1; n++)
                VG_(printf)(" ");
        }
        VG_(printf)(" [%s]\n", option->otherwise);
    }
}

void ds_options_debug_usage(void)
{
    VG_(printf)
    ("    --inline-after=N          record accesses in line after a superblock "
     "was\n"
     "                              executed N times, and by calls before "
     "[1024]\n"
     "    --windows-apart=N         first record a window in N times its "
     "length "
     "[4]\n"
     "    --session=NAME:DIRECTORY  passed to the program that execve "
     "starts\n");
}

void ds_patterns_complain(const struct ds_patterns *list, const HChar *option,
                          const HChar *what)
{
    for (UInt i = 0; i < list->n; i++)
        if (!list->pattern[i].has_matched)
            ds_message("%s=%s: %s", option, list->pattern[i].text, what);
}
