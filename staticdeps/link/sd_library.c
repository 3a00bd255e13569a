/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "link/sd_link.h"

#include <errno.h>

#include "link/libraries.h"

#define MOST_ARGUMENTS 8
#define LONGEST_NAME   255 /* in bytes, of a function in the table */

/* A line of the table, read from left to right. */
struct line {
    const char *at;
    struct diag *d;
};

static const char blanks[] = " \t\r";

static void skip_blanks(struct line *l)
{
    l->at += strspn(l->at, blanks);
}

static bool accept(struct line *l, char c)
{
    skip_blanks(l);
    if (*l->at != c)
        return false;
    l->at++;
    return true;
}

static bool accept_word(struct line *l, const char *text)
{
    skip_blanks(l);
    size_t n = strspn(l->at, "abcdefghijklmnopqrstuvwxyz");
    if (n != strlen(text) || strncmp(l->at, text, n) != 0)
        return false;
    l->at += n;
    return true;
}

static int number(struct line *l, uint64_t most, uint64_t *n)
{
    skip_blanks(l);
    size_t length = strspn(l->at, "0123456789");
    if (!num_parse_span(l->at, length, n) || *n > most)
        return diag_set(l->d, "%.*s: not a number up to %llu",
                        (int)(length > 0 ? length : strcspn(l->at, ",) ")),
                        l->at, (unsigned long long)most);
    l->at += length;
    return 0;
}

static int argument(struct line *l, uint8_t *a)
{
    uint64_t n = 0;

    if (number(l, MOST_ARGUMENTS, &n) != 0)
        return -1;
    *a = (uint8_t)n;
    return n > 0 ? 0 : diag_set(l->d, "arguments are numbered from 1");
}

static int term(struct line *l, struct sd_term *t)
{
    *t = (struct sd_term){.kind = SD_TERM_UNKNOWN};
    if (accept(l, '?'))
        return 0;
    if (accept(l, '#')) {
        t->kind = SD_TERM_NUMBER;
        return number(l, INT64_MAX, &t->number);
    }
    if (accept_word(l, "fresh")) {
        t->kind = SD_TERM_FRESH;
        return 0;
    }
    if (accept_word(l, "same")) {
        t->kind = SD_TERM_SAME;
        skip_blanks(l);
        return *l->at == ')' || *l->at == ',' ? 0 : argument(l, &t->a);
    }
    t->kind = accept_word(l, "in") ? SD_TERM_INSIDE : SD_TERM_ARGUMENT;
    if (argument(l, &t->a) != 0)
        return -1;
    if (t->kind == SD_TERM_INSIDE || (*l->at != '+' && *l->at != '*'))
        return 0;
    t->kind = *l->at++ == '+' ? SD_TERM_SUM : SD_TERM_PRODUCT;
    return argument(l, &t->b);
}

/* Reads `least` to `most` terms of a clause; missing terms are unknown. */
static int terms(struct line *l, const char *clause, unsigned least,
                 unsigned most, struct sd_term list[SD_MOST_TERMS], unsigned *n)
{
    memset(list, 0, SD_MOST_TERMS * sizeof *list);
    *n = 0;
    assert(least <= most && most <= SD_MOST_TERMS);
    if (!accept(l, '('))
        return diag_set(l->d, "%s: a ( is missing", clause);
    do {
        if (*n == most)
            return diag_set(l->d, "%s: too many terms", clause);
        if (term(l, &list[(*n)++]) != 0)
            return -1;
    } while (accept(l, ','));
    if (!accept(l, ')'))
        return diag_set(l->d, "%s: a ) is missing", clause);
    return *n >= least ? 0 : diag_set(l->d, "%s: too few terms", clause);
}

static int effect(struct line *l, const char *clause, enum sd_effect_kind kind,
                  struct sd_model *m)
{
    struct sd_term list[SD_MOST_TERMS];
    struct sd_effect *e = &m->effects[m->n_effects];
    unsigned n;

    if (m->n_effects == SD_MOST_EFFECTS)
        return diag_set(l->d, "%s: more than %u of these", clause,
                        SD_MOST_EFFECTS);
    if (terms(l, clause, kind == SD_WRITES ? 1 : 3, kind == SD_WRITES ? 2 : 3,
              list, &n) != 0)
        return -1;
    *e = (struct sd_effect){.kind = kind, .to = list[0]};
    e->from =
        kind == SD_WRITES ? (struct sd_term){.kind = SD_TERM_UNKNOWN} : list[1];
    e->size = list[kind == SD_WRITES ? 1 : 2];
    m->n_effects++;
    assert(m->n_effects <= SD_MOST_EFFECTS);
    return 0;
}

static int clause(struct line *l, struct sd_model *m)
{
    static const char *const effects[] = {"writes", "copies", "fills"};
    struct sd_term list[SD_MOST_TERMS];
    unsigned n;

    for (unsigned i = 0; i < sizeof effects / sizeof effects[0]; i++)
        if (accept_word(l, effects[i]))
            return effect(l, effects[i], (enum sd_effect_kind)i, m);
    if (accept_word(l, "never")) {
        m->never = true;
        return 0;
    }
    if (accept_word(l, "unknown")) {
        m->is_unknown = true;
        return 0;
    }
    if (accept_word(l, "calls"))
        return terms(l, "calls", 1, SD_MOST_TERMS, m->calls, &m->n_calls);
    if (!accept_word(l, "returns"))
        return diag_set(l->d, "%.*s: no such clause",
                        (int)strcspn(l->at, " \t(#"), l->at);
    if (terms(l, "returns", 1, 1, list, &n) != 0)
        return -1;
    m->result = list[0];
    return 0;
}

static int read_line(struct sd_library *library, const char *text,
                     struct diag *d)
{
    struct line l = {.at = text, .d = d};
    struct sd_model m = {.line = library->n_lines++};

    skip_blanks(&l);
    size_t n = strcspn(l.at, " \t\r#");
    if (n == 0)
        return 0;
    text = l.at;
    for (l.at += n; skip_blanks(&l), *l.at != '\0' && *l.at != '#';)
        if (clause(&l, &m) != 0)
            return -1;
    m.name = strndup(text, n);
    if (m.name == NULL)
        memory_exhausted();
    array_push(library->models, library->n, library->room, m);
    return 0;
}

ARRAY_ORDER(compare, struct sd_model,
            strcmp(a->name, b->name) ?: array_order(a->line, b->line))

/* Sorts the functions by name, and keeps the last line of each name. */
static void sort(struct sd_library *library)
{
    size_t n = 0;

    array_sort(library->models, library->n, compare);
    for (size_t i = 0; i < library->n; i++) {
        if (i + 1 < library->n &&
            strcmp(library->models[i].name, library->models[i + 1].name) == 0)
            free(library->models[i].name);
        else
            library->models[n++] = library->models[i];
    }
    library->n = n;
    assert(n == 0 || library->models[n - 1].name != NULL);
}

static int read_all(struct sd_library *library, const char *lines,
                    size_t n_lines, const char *path, struct diag *d)
{
    FILE *in = fmemopen((void *)(uintptr_t)lines, n_lines, "r");
    AUTO_FREE char *text = NULL;
    size_t room = 0, number = 0;
    struct diag why;
    ssize_t n;
    int rc = 0;

    if (in == NULL)
        memory_exhausted();
    while (rc == 0 && (n = getline(&text, &room, in)) >= 0) {
        number++;
        if (n > 0 && text[n - 1] == '\n')
            text[n - 1] = '\0';
        if (read_line(library, text, &why) != 0)
            rc = diag_set(d, "%s:%zu: %s", path, number, why.text);
    }
    fclose(in);
    sort(library);
    return rc;
}

int sd_library_read(struct sd_library *library, const char *path,
                    struct diag *d)
{
    size_t n;
    AUTO_FREE char *text = file_text(path, FILE_MOST_TEXT, &n, d);

    return text != NULL ? read_all(library, text, n, path, d) : -1;
}

void sd_library_init(struct sd_library *library)
{
    struct diag d;
    int rc;

    *library = (struct sd_library){.n = 0};
    rc =
        read_all(library, libraries, sizeof libraries - 1, "libraries.txt", &d);
    assert(rc == 0);
    (void)rc;
}

void sd_library_fini(struct sd_library *library)
{
    for (size_t i = 0; i < library->n; i++)
        free(library->models[i].name);
    free(library->models);
    *library = (struct sd_library){.n = 0};
}

const struct sd_model *sd_library_find(const struct sd_library *library,
                                       const char *name)
{
    const struct sd_model *m = library->models;
    size_t n = strnlen(name, LONGEST_NAME + 1), place;
    const char *at = memchr(name, '@', n);

    if (at != NULL)
        n = (size_t)(at - name);
    if (n > LONGEST_NAME)
        return NULL;
    place = array_bisect(0, library->n, i, strncmp(m[i].name, name, n) < 0);
    m += place; /* the first name that has this prefix is the shortest */
    return place < library->n && strncmp(m->name, name, n) == 0 &&
                   m->name[n] == '\0' && !m->is_unknown
               ? m
               : NULL;
}
