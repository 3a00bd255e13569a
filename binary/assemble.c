/*
 * assemble: assembly source -> an object file, by the C preprocessor, if the
 * source needs it, and GNU as: those of Debian's packages for the architecture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <unistd.h>

#include "binary/input_internal.h"
#include "process.h"
#include "binary/objfile.h"

struct tools {
    const char *arch;
    const char *as, *as_option, *as_package;
    const char *cc, *cc_package;
};

/* The tools for an architecture as static.db names it; x86-64's for any other.
 */
static const struct tools *tools_of(const char *arch)
{
    static const struct tools all[] = {
        {"x86-64", "as", "--64", "binutils", "cc", "gcc"},
        {"aarch64", "aarch64-linux-gnu-as", "-mcpu=all",
         "binutils-aarch64-linux-gnu", "aarch64-linux-gnu-gcc",
         "gcc-aarch64-linux-gnu"},
    };
    size_t i = sizeof all / sizeof all[0] - 1;

    while (i > 0 && strcmp(arch, all[i].arch) != 0)
        i--;
    return &all[i];
}

#define NO_NAME \
    "{standard input}" /* what `as` calls input without line markers */

#define SECONDS 60 /* enough for megabytes of source */
#define ASLEEP  10 /* seconds without work; an assembler never waits */

/* Is a text source for x86-64 with brackets around addresses, and without a
   register in the form of AT&T syntax? */
static bool may_be_intel(const struct tools *tools, const char *text)
{
    return strcmp(tools->arch, "x86-64") == 0 && strchr(text, '%') == NULL &&
           strchr(text, '[') != NULL && strstr(text, ".intel_syntax") == NULL;
}

/* Reports the first error of as: "FILE:LINE: Error: WHAT", where errors may be
   fatal; or else the last line of its output, "as: WHAT", since the first only
   names the file. */
static int say(const char *errors, const struct tools *tools, const char *text,
               const char *subject, struct diag *d)
{
    static const char error[] = ": Error: ", fatal[] = ": Fatal error: ";
    const char *word = error, *what = strstr(errors, error), *line;

    if (what == NULL)
        what = strstr(errors, word = fatal);
    line = what;
    if (what == NULL) {
        int n = (int)strlen(errors);

        while (n > 0 && errors[n - 1] == '\n')
            n--;
        line = memrchr(errors, '\n', (size_t)n);
        line = line != NULL ? line + 1 : errors;
        return diag_set(d, "%s: %.*s", subject, (int)(errors + n - line), line);
    }
    while (line > errors && line[-1] != '\n')
        line--;
    if (strncmp(line, NO_NAME, strlen(NO_NAME)) == 0)
        line += strlen(NO_NAME);
    else
        subject = "";
    what += strlen(word);
    return diag_set(d, "%s%.*s: %.*s%s", subject,
                    (int)(what - strlen(word) - line), line,
                    (int)strcspn(what, "\n"), what,
                    may_be_intel(tools, text)
                        ? "; before Intel syntax: .intel_syntax noprefix"
                        : "");
}

/* Reports the first error of the compiler's driver: "FILE:LINE:COLUMN: fatal
   error: WHAT", or "PROGRAM: fatal error: WHAT". */
static int say_of_cc(const char *errors, const char *cc, struct diag *d)
{
    static const char word[] = "error: ";
    const char *what = strstr(errors, word), *line = what;
    int n;

    if (what == NULL)
        return diag_set(d, "%s: %.*s", cc, (int)strcspn(errors, "\n"), errors);
    while (line > errors && line[-1] != '\n')
        line--;
    n = (int)(strstr(line, ": ") - line);
    what += strlen(word);
    return diag_set(d, "%.*s: %.*s", n, line, (int)strcspn(what, "\n"), what);
}

/* Reports that a program cannot be started. */
static int missing(const char *program, const char *package,
                   const struct diag *why, struct diag *d)
{
    const char *colon = strchr(why->text, ':');

    return diag_set(d, "%s: %s (the Debian package %s has it)", program,
                    colon != NULL ? colon + 2 : why->text, package);
}

char *preprocess(const char *arch, const char *path, size_t *n, struct diag *d)
{
    const struct tools *tools = tools_of(arch);
    /* Marks are comments, so -C keeps comments. */
    char *argv[] = {(char *)tools->cc,    "-E",         "-C", "-x",
                    "assembler-with-cpp", (char *)path, NULL};
    struct subprocess_output out;
    struct diag why;
    char *text = NULL;
    const struct subprocess_limits limits = {.seconds = SECONDS};

    if (access(path, R_OK) != 0) {
        diag_set(d, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (subprocess_run(argv, "", 0, &limits, &out, &why) != 0) {
        missing(tools->cc, tools->cc_package, &why, d);
        return NULL;
    }
    if (out.status < 0) {
        diag_set(d, "%s: %s", tools->cc, out.end);
    } else if (out.status != 0) {
        say_of_cc(out.errors, tools->cc, d);
    } else {
        text = out.text;
        *n = out.n;
        out.text = NULL;
    }
    subprocess_fini(&out);
    return text;
}

/* Where a directive begins a line, after blanks; NULL if it does not. */
static char *directive(char *line, const char *name)
{
    line += strspn(line, " \t");
    return strncmp(line, name, strlen(name)) == 0 &&
                   strchr(" \t", line[strlen(name)]) != NULL
               ? line
               : NULL;
}

static char *find_directive(char *text, const char *name)
{
    for (char *line = text; line != NULL; line = strchr(line, '\n')) {
        char *found = directive(line += *line == '\n', name);

        if (found != NULL)
            return found;
    }
    return NULL;
}

/* Turns .file into a comment.  Without .loc, lines are those of the text, but
   .file would name a compiler's source as their file. */
static void drop_file(char *text)
{
    if (find_directive(text, ".loc") == NULL)
        while ((text = find_directive(text, ".file")) != NULL)
            *text = '#';
}

int assemble(const char *arch, const char *text, size_t n, const char *subject,
             const char *object, struct diag *d)
{
    const struct tools *tools = tools_of(arch);
    char *argv[] = {(char *)tools->as,
                    (char *)tools->as_option,
                    "-g",
                    "-o",
                    (char *)object,
                    "-",
                    NULL};
    struct subprocess_output out;
    struct diag why;
    struct memory_stream input;
    const struct subprocess_limits limits = {SECONDS, ASLEEP};
    int rc = 0;

    memory_stream_open(&input);
    if (strpbrk(subject, "\"\\\n") == NULL)
        fprintf(input.out, "# 1 \"%s\"\n", subject);
    fwrite(text, 1, n, input.out);
    drop_file(memory_stream_close(&input));
    if (subprocess_run(argv, input.text, input.size, &limits, &out, &why) !=
        0) {
        rc = missing(tools->as, tools->as_package, &why, d);
    } else {
        if (out.status < 0)
            rc = diag_set(d, "%s: %s: %s", subject, tools->as, out.end);
        else if (out.status != 0)
            rc = say(out.errors, tools, input.text, subject, d);
        subprocess_fini(&out);
    }
    free(input.text);
    return rc;
}

/* --- Labels --- */

/* Labels whose addresses are looked for. */
struct labels {
    const char *prefix;
    uint64_t *addresses;
    size_t n;
};

static void take_label(void *argument, const char *name, uint64_t address)
{
    const struct labels *l = argument;
    size_t length = strlen(l->prefix);
    uint64_t i;

    assert(length > 0);
    if (strncmp(name, l->prefix, length) == 0 && num_parse(name + length, &i) &&
        i < l->n)
        l->addresses[i] = address;
}

int input_labels(struct input *input, const char *text, size_t n_text,
                 const char *prefix, uint64_t *addresses, size_t n,
                 struct diag *d)
{
    struct labels labels = {prefix, addresses, n};
    char *object = input_temporary(input, "labels.o", d);
    struct objfile *file = NULL;
    int rc = -1;

    if (object == NULL)
        return -1;
    if (assemble(input->arch, text, n_text, input->subject, object, d) == 0 &&
        (file = objfile_open(object, NULL, d)) != NULL) {
        objfile_symbols(file, take_label, &labels);
        rc = 0;
    }
    objfile_close(file);
    unlink(object);
    free(object);
    return rc;
}
