/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "object/funcfind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "memory.h"
#include "object/demangle.h"
#include "object/funcname.h"
#include "text.h"

/* How many of the names that a part is of are told. */
#define MOST_TOLD 3

/* Does a name end with what was asked, from the start of a component on? */
static bool has_end(const char *name, const char *asked)
{
    size_t n = strlen(name), n_asked = strlen(asked);

    return n > n_asked && strcmp(name + n - n_asked, asked) == 0 &&
           strchr(":.", name[n - n_asked - 1]) != NULL;
}

/* Compares a form of a name. */
static enum funcfind_match compare(const char *name, const char *asked)
{
    return strcmp(name, asked) == 0      ? FUNCFIND_ALL
           : has_end(name, asked)        ? FUNCFIND_END
           : strstr(name, asked) != NULL ? FUNCFIND_PART
                                         : FUNCFIND_NONE;
}

static enum funcfind_match better(enum funcfind_match a, enum funcfind_match b)
{
    return a > b ? a : b;
}

/* Compares a symbol and all forms of its name.  Sets *shortest, which the
   caller frees. */
static enum funcfind_match compare_symbol(const char *symbol, const char *asked,
                                          char **shortest)
{
    bool was_mangled;
    char *name = demangle_name(symbol, &was_mangled);
    char *shown = memory_text(name);
    enum funcfind_match best = compare(symbol, asked);

    demangle_shorten(shown);
    best = better(best, compare(shown, asked));
    for (int form = FUNCNAME_WHOLE; form < FUNCNAME_FORMS; form++) {
        funcname_reduce(name, form, was_mangled);
        best = better(best, compare(name, asked));
    }
    free(shown);
    *shortest = name;
    return best;
}

/* Notes a name that nothing is known to be meant by, unless it is farther from
   what was asked than an earlier one, or than a third of the letters.  Its last
   component may be nearer. */
static void note_nearest(struct funcfind *f, const char *name)
{
    const char *last = strrchr(name, ':');
    unsigned distance = text_distance(name, f->asked);

    if (last != NULL) {
        unsigned of_last = text_distance(last + 1, f->asked);

        distance = of_last < distance ? of_last : distance;
    }
    if (distance > strlen(f->asked) / 3 ||
        (f->nearest != NULL && f->distance <= distance))
        return;
    free(f->nearest);
    f->nearest = memory_text(name);
    f->distance = distance;
}

static void note_meant(struct funcfind *f, const char *name)
{
    for (size_t i = 0; i < f->n_names; i++)
        if (strcmp(f->names[i], name) == 0)
            return;
    array_append(f, names, memory_text(name));
}

void funcfind_among(struct funcfind *f, const char *const *symbols, size_t n,
                    bool *is_meant)
{
    enum funcfind_match *matches = memory_new(n + 1, sizeof *matches), best = 0;
    char **names = memory_new(n + 1, sizeof *names);

    for (size_t i = 0; i < n; i++)
        if (symbols[i] != NULL) {
            matches[i] = compare_symbol(symbols[i], f->asked, &names[i]);
            best = better(best, matches[i]);
            if (best == FUNCFIND_NONE)
                note_nearest(f, names[i]);
        }
    if (best > f->match) {
        f->is_late = f->match != FUNCFIND_NONE;
        f->match = best;
    }
    for (size_t i = 0; i < n; i++) {
        if (matches[i] == f->match && best != FUNCFIND_NONE) {
            is_meant[i] = true;
            if (f->match != FUNCFIND_ALL || f->is_late)
                note_meant(f, names[i]);
        }
        free(names[i]);
    }
    free(names);
    free(matches);
}

/* Says what is wrong; the caller frees. */
static char *fault_of(const struct funcfind *f)
{
    struct memory_stream text;
    size_t i;

    memory_stream_open(&text);
    if (f->match == FUNCFIND_NONE) {
        fputs("there is no such function", text.out);
        if (f->nearest != NULL)
            fprintf(text.out, "; the nearest is %s", f->nearest);
    } else {
        fputs("part of several names: ", text.out);
        for (i = 0; i < f->n_names && i < MOST_TOLD; i++)
            fprintf(text.out, "%s%s", i > 0 ? ", " : "", f->names[i]);
        if (i < f->n_names)
            fprintf(text.out, " and %zu more", f->n_names - i);
    }
    return memory_stream_close(&text);
}

int funcfind_check(const struct funcfind *f, const char *option, struct diag *d)
{
    char *fault;

    if (f->match != FUNCFIND_NONE && f->n_names < 2)
        return 0;
    fault = fault_of(f);
    diag_set(d, "%s=%s: %s", option, f->asked, fault);
    free(fault);
    return -1;
}

void funcfind_fini(struct funcfind *f)
{
    for (size_t i = 0; i < f->n_names; i++)
        free(f->names[i]);
    free(f->names);
    free(f->nearest);
    *f = (struct funcfind){0};
}
