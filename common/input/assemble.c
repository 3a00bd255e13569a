/*
 * assemble: assembly source -> an object file, by GNU as.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "input/subprocess.h"
#include "memory.h"

/* What as says of the first thing that is wrong: "FILE:LINE: Error: WHAT". */
static int say(const char *errors, const char *subject, struct diag *d)
{
    static const char word[] = ": Error: ";
    const char *what = strstr(errors, word), *line = what;

    if (what == NULL)
        return diag_set(d, "as: %.*s", (int)strcspn(errors, "\n"), errors);
    while (line > errors && line[-1] != '\n')
        line--;
    while (line < what && what[-1] >= '0' && what[-1] <= '9')
        what--;
    line = what;
    what = strstr(what, word) + strlen(word);
    return diag_set(d, "%s:%.*s: %.*s", subject, (int)strcspn(line, ":"), line,
                    (int)strcspn(what, "\n"), what);
}

/* The directive that begins a line, or NULL. */
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

/* Without .loc, lines are those of the text, but their file would be what .file
   names: the source of a compiler.  Makes a comment of it. */
static void drop_file(char *text)
{
    char *file;

    if (find_directive(text, ".loc") == NULL)
        while ((file = find_directive(text, ".file")) != NULL)
            *file = '#';
}

int assemble(const char *text, size_t n, const char *subject,
             const char *object, struct diag *d)
{
    char *argv[] = {"as", "--64", "-g", "-o", (char *)object, "-", NULL};
    struct subprocess_output out;
    struct diag ignored;
    char *input;
    size_t size;
    FILE *memory = open_memstream(&input, &size);
    int rc = 0;

    if (memory == NULL)
        memory_exhausted();
    if (strpbrk(subject, "\"\\\n") == NULL)
        fprintf(memory, "# 1 \"%s\"\n", subject);
    fwrite(text, 1, n, memory);
    if (fclose(memory) != 0)
        memory_exhausted();
    drop_file(input);
    if (subprocess_run(argv, input, size, &out, &ignored) != 0) {
        rc = diag_set(d, "as: %s (the Debian package binutils has it)",
                      strchr(ignored.text, ':') != NULL
                          ? strchr(ignored.text, ':') + 2
                          : ignored.text);
    } else {
        if (out.status < 0)
            rc = diag_set(d, "as: ended by a signal");
        else if (out.status != 0)
            rc = say(out.errors, subject, d);
        subprocess_fini(&out);
    }
    free(input);
    return rc;
}
