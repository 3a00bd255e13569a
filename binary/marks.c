/* marks: finds the regions that users of llvm-mca, OSACA and IACA marked. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "binary/input.h"

static const struct {
    const char *text;
    bool begins;
    enum mark_tool tool;
} words[] = {
    {"LLVM-MCA-BEGIN", true, MARK_LLVM_MCA},
    {"LLVM-MCA-END", false, MARK_LLVM_MCA},
    {"OSACA-BEGIN", true, MARK_OSACA},
    {"OSACA-END", false, MARK_OSACA},
};

/* The name after a mark: up to the end of the line or comment. */
static char *name_at(const char *at, const char *end)
{
    const char *stop = at;

    while (stop < end && *stop != '\n' &&
           !(stop + 1 < end && stop[0] == '*' && stop[1] == '/'))
        stop++;
    while (at < stop && strchr(" \t\r", *at) != NULL)
        at++;
    while (stop > at && strchr(" \t\r", stop[-1]) != NULL)
        stop--;
    return strndup(at, (size_t)(stop - at));
}

/* A place in source. */
struct place {
    char *file; /* NULL: the source itself */
    size_t line;
};

/* Adds a comment as a mark; false if the comment is none. */
static bool take_mark(struct marks *marks, const char *at, const char *end,
                      const struct place *place)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t n = strlen(words[i].text);
        const char *after = at + n;

        if ((size_t)(end - at) < n || memcmp(at, words[i].text, n) != 0 ||
            (after < end && strchr(" \t\r\n*", *after) == NULL))
            continue;
        char *name = name_at(after, end);
        if (name == NULL)
            memory_exhausted();
        array_push(marks->marks, marks->n, marks->room,
                   (struct mark){.begins = words[i].begins,
                                 .tool = words[i].tool,
                                 .file = place->file != NULL
                                             ? memory_text(place->file)
                                             : NULL,
                                 .line = place->line,
                                 .name = name});
        return true;
    }
    return false;
}

/* The end of the comment or text that begins at `at`, which is not empty. */
static const char *end_of(const char *at, const char *end)
{
    if (*at == '"') {
        for (at++; at < end && *at != '"' && *at != '\n'; at++)
            at += *at == '\\' && at + 1 < end;
        return at < end && *at == '"' ? at + 1 : at;
    }
    if (at[0] == '/' && at[1] == '*') {
        for (at += 2; at < end; at++)
            if (at[0] == '*' && at + 1 < end && at[1] == '/')
                return at + 2;
        return end;
    }
    while (at < end && *at != '\n')
        at++;
    return at;
}

/* How many characters at `at` open a comment; 0: none begins there. */
static size_t opening(const char *at, const char *end)
{
    if (*at == '#')
        return 1;
    return at + 1 < end && at[0] == '/' && (at[1] == '*' || at[1] == '/') ? 2
                                                                          : 0;
}

const char *marks_skip(const char *at, const char *end)
{
    return *at == '"' || opening(at, end) > 0 ? end_of(at, end) : at + 1;
}

/* If a line is a line marker, # NUMBER "FILE" FLAGS, takes the place of the
   next line from it. */
static void take_marker(struct place *place, const char *at, const char *end)
{
    const char *number = at + 2, *quote, *stop;
    uint64_t line;
    size_t n = 0;

    while (number + n < end && number[n] >= '0' && number[n] <= '9')
        n++;
    quote = number + n + 1;
    if (end - at < 2 || at[1] != ' ' || quote >= end || *quote != '"' ||
        !num_parse_span(number, n, &line) || line == 0)
        return;
    assert(quote < end);
    stop = memchr(quote + 1, '"', (size_t)(end - quote - 1));
    if (stop == NULL || memchr(quote, '\n', (size_t)(stop - quote)) != NULL)
        return;
    free(place->file);
    place->file = strndup(quote + 1, (size_t)(stop - quote - 1));
    if (place->file == NULL)
        memory_exhausted();
    place->line = line - 1;
}

char *marks_find(struct marks *marks, const char *text, size_t n,
                 size_t *n_copy)
{
    const char *end = text + n;
    struct place place = {.line = 1};

    *marks = (struct marks){0};
    struct memory_stream copy = memory_stream_open(&copy);
    for (const char *at = text, *next; at < end; at = next) {
        size_t comment = opening(at, end);

        if (*at == '#' && (at == text || at[-1] == '\n'))
            take_marker(&place, at, end);
        if (comment > 0 && take_mark(marks, at + comment, end, &place))
            fprintf(copy.out, "; " MARK_LABEL "%zu: ", marks->n - 1);
        next = marks_skip(at, end);
        assert(next > at && next <= end);
        for (const char *c = at; c < next; c++)
            place.line += *c == '\n';
        fwrite(at, 1, (size_t)(next - at), copy.out);
    }
    memory_stream_close(&copy);
    free(place.file);
    *n_copy = copy.size;
    return copy.text;
}

void marks_fini(struct marks *marks)
{
    for (size_t i = 0; i < marks->n; i++) {
        free(marks->marks[i].file);
        free(marks->marks[i].name);
    }
    free(marks->marks);
    *marks = (struct marks){0};
}

static int wrong(const struct mark *mark, const char *subject, const char *what,
                 struct diag *d)
{
    return diag_set(d, "%s:%zu: %s", mark->file != NULL ? mark->file : subject,
                    mark->line, what);
}

/* A region that two tools mark is added once; either mark may name it. */
static void add_once(struct regions *regions, uint64_t start, uint64_t end,
                     const char *name)
{
    for (size_t i = 0; i < regions->n; i++) {
        struct region *r = &regions->regions[i];

        if (r->start != start || r->end != end)
            continue;
        if (name[0] != '\0') {
            free(r->name);
            r->name = memory_text(name);
        }
        return;
    }
    regions_add(regions, start, end, name);
}

int marks_pair(const struct marks *marks, const uint64_t *addresses,
               const char *subject, struct regions *regions, struct diag *d)
{
    const struct mark *opened[MARK_N_TOOLS] = {NULL};

    for (size_t i = 0; i < marks->n; i++) {
        const struct mark *m = &marks->marks[i], **open = &opened[m->tool];

        if (m->begins && *open != NULL)
            return wrong(m, subject, "a region begins within another", d);
        if (m->begins) {
            *open = m;
            continue;
        }
        if (*open == NULL)
            return wrong(m, subject, "a region ends that did not begin", d);
        if (m->name[0] != '\0' && strcmp(m->name, (*open)->name) != 0)
            return wrong(m, subject, "another region ends than has begun", d);
        assert(*open < m);
        uint64_t start = addresses[*open - marks->marks];
        if (addresses[i] <= start)
            return wrong(m, subject, "a region without code", d);
        add_once(regions, start, addresses[i], (*open)->name);
        *open = NULL;
    }
    for (int i = 0; i < MARK_N_TOOLS; i++)
        if (opened[i] != NULL)
            return wrong(opened[i], subject,
                         "a region begins that does not end", d);
    return 0;
}

int input_marks(struct input *input, const char *text, size_t n,
                struct regions *regions, struct diag *d)
{
    AUTO_FINI(marks_fini) struct marks marks;
    size_t n_marked;
    AUTO_FREE char *marked = marks_find(&marks, text, n, &n_marked);

    if (marks.n == 0)
        return 0;
    AUTO_FREE uint64_t *addresses = memory_new(marks.n, sizeof *addresses);
    if (input_labels(input, marked, n_marked, MARK_LABEL, addresses, marks.n,
                     d) != 0)
        return -1;
    return marks_pair(&marks, addresses, input->subject, regions, d);
}

/* --- IACA --- */

#define IACA_SIZE 8

/* IACA's: mov $111, %ebx or mov $222, %ebx; then a nop with two prefixes. */
static const uint8_t iaca_start[IACA_SIZE] = {0xbb, 0x6f, 0,    0,
                                              0,    0x64, 0x67, 0x90};
static const uint8_t iaca_end[IACA_SIZE] = {0xbb, 0xde, 0,    0,
                                            0,    0x64, 0x67, 0x90};

int marks_iaca(const uint8_t *code, size_t n, uint64_t address,
               const char *subject, struct regions *regions, struct diag *d)
{
    const uint8_t *at = code, *end = code + n;

    while ((at = memmem(at, (size_t)(end - at), iaca_start, IACA_SIZE)) !=
           NULL) {
        const uint8_t *body = at + IACA_SIZE;
        const uint8_t *stop =
            memmem(body, (size_t)(end - body), iaca_end, IACA_SIZE);

        if (stop == NULL || stop == body)
            return diag_set(d, "%s: %s IACA's mark at %#" PRIx64, subject,
                            stop == NULL ? "no end for" : "no code after",
                            address + (uint64_t)(at - code));
        regions_add(regions, address + (uint64_t)(body - code),
                    address + (uint64_t)(stop - code), "");
        at = stop + IACA_SIZE;
    }
    return 0;
}
