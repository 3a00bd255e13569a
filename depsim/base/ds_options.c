/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/ds_options.h"

#include "pub_tool_errormgr.h"
#include "pub_tool_execontext.h"

#include "text.h"

#define DEPS_FILE "deps.db"

struct ds_options ds_options = {.deps_file = DEPS_FILE,
                                .record_from_start = True,
                                .inline_after = 1024,
                                .windows_apart = 4};

/* Each setter puts an option's value, given in `arg`, where `to` points. */
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
    if (!num_parse(value, to))
        ds_message_refuse("%s: must be a number", arg);
}

/* The number from 1 to DS_WINDOWS_MOST that n characters spell, or 0. */
static UInt number_upto_most(const HChar *value, SizeT n)
{
    uint64_t number;

    return num_parse_span(value, n, &number) && number <= DS_WINDOWS_MOST
               ? (UInt)number
               : 0;
}

static void set_windows(void *to, const HChar *arg, const HChar *value)
{
    struct ds_window_option *windows = to;
    const HChar *colon = VG_(strchr)(value, ':');
    SizeT n = colon != NULL ? (SizeT)(colon - value) : VG_(strlen)(value);

    windows->n = number_upto_most(value, n);
    windows->length = DS_WINDOW_LENGTH;
    if (colon != NULL)
        windows->length = number_upto_most(colon + 1, VG_(strlen)(colon + 1));
    if (windows->n == 0 || windows->length == 0)
        ds_message_refuse("%s: must be N or N:LENGTH, numbers from 1 to %d",
                          arg, DS_WINDOWS_MOST);
}

static void set_apart(void *to, const HChar *arg, const HChar *value)
{
    UInt *apart = to;

    *apart = number_upto_most(value, VG_(strlen)(value));
    if (*apart == 0)
        ds_message_refuse("%s: must be a number from 1 to %d", arg,
                          DS_WINDOWS_MOST);
}

struct option {
    const HChar *name, *value, *help, *otherwise;
    void (*set)(void *to, const HChar *arg, const HChar *value);
    void *to;
};

static const struct option options[] = {
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
    {"--inline-after", "N", "record in line after N runs of a superblock",
     "1024", set_number, &ds_options.inline_after},
    {"--windows-apart", "N", "first record a window in N times its length", "4",
     set_apart, &ds_options.windows_apart},
    {"--session", "NAME:DIRECTORY", "passed to what execve starts", "none",
     set_file, &ds_options.session},
};

#define N       (sizeof options / sizeof *options)
#define N_DEBUG 3 /* the last ones, which only --help-debug shows */

static Bool process(const HChar *arg, const struct option *option)
{
    SizeT n = VG_(strlen)(option->name);
    Bool is_it = VG_(strncmp)(arg, option->name, n) == 0 && arg[n] == '=';

    if (VG_(strcmp)(arg, option->name) == 0)
        ds_message_refuse("%s: needs a value, as in %s=%s", arg, arg,
                          option->value);
    if (!VG_(check_clom)(cloP, arg, option->name, is_it))
        return False;
    option->set(option->to, arg, arg + n + 1);
    return True;
}

Bool ds_options_process(const HChar *arg)
{
    for (SizeT i = 0; i < N; i++)
        if (process(arg, &options[i]))
            return True;
    return False;
}

#define COLUMN 32 /* where the explanations begin in a line */

static void explain(const struct option *option)
{
    UInt n = VG_(printf)("    %s=%s", option->name, option->value);

    do
        n += VG_(printf)(" ");
    while (n < COLUMN);
    n += VG_(printf)("%s", option->help);
    if (n + VG_(strlen)(option->otherwise) > 76) {
        VG_(printf)("\n");
        for (n = 0; n < COLUMN - 1; n++)
            VG_(printf)(" ");
    }
    VG_(printf)(" [%s]\n", option->otherwise);
}

void ds_options_usage(void)
{
    for (SizeT i = 0; i < N - N_DEBUG; i++)
        explain(&options[i]);
}

void ds_options_debug_usage(void)
{
    for (SizeT i = N - N_DEBUG; i < N; i++)
        explain(&options[i]);
}

/* Messages. */

#define LOST_RUN 0 /* the only kind of error */

/* The part of messages that is not printed yet. */
static struct {
    HChar text[1 << 15]; /* more than a message with two paths */
    SizeT n;
} line;

/* Prints the line with "?" instead of each control character. */
static void flush(void)
{
    line.text[line.n] = '\0';
    text_make_safe(line.text);
    VG_(printf)("%s", line.text);
    line.n = 0;
}

static void put(HChar c, void *unused)
{
    (void)unused;
    if (line.n + 1 == sizeof line.text)
        flush();
    line.text[line.n++] = c;
}

static void print(const HChar *format, va_list args)
{
    VG_(message_flush)();
    VG_(printf)("depsim: ");
    VG_(vcbprintf)(put, NULL, format, args);
    flush();
    VG_(printf)("\n");
}

void ds_message(const HChar *format, ...)
{
    va_list args;

    va_start(args, format);
    print(format, args);
    va_end(args);
}

void ds_message_refuse(const HChar *format, ...)
{
    va_list args;

    va_start(args, format);
    print(format, args);
    va_end(args);
    VG_(exit)(2);
}

void ds_message_pass(const HChar *lines)
{
    VG_(message_flush)();
    VG_(printf)("%s", lines);
}

/* The core asks how much of an error's details it should keep. */
static UInt no_details(const Error *error)
{
    (void)error;
    return 0;
}

/* If errors were found, Valgrind's core gives the process the status of
   --error-exitcode, unless a signal ended the program or the option is missing.
   So depsim, which looks for no errors in programs, declares itself a tool that
   finds errors when it has one to report.  If it did so earlier, the core would
   print a summary of errors at the end of each run.

   The core calls none of the other functions that it wants for errors: a lost
   run is not printed, compared with others or suppressed. */
void ds_message_failure(void)
{
    VG_(needs_tool_errors)
    (NULL, NULL, NULL, False, no_details, NULL, NULL, NULL, NULL, NULL, NULL,
     NULL);
    VG_(unique_error)
    (VG_INVALID_THREADID, LOST_RUN, 0, NULL, NULL, VG_(null_ExeContext)(),
     False, False, True);
}
