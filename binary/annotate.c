/* annotate: puts marks of regions into source. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>

#include "binary/input.h"

/* The prefix of a label at a line; the line's number, from 0, follows. */
#define LINE_LABEL "region.line."

/* The lines of a source. */
struct lines {
    const char **at;     /* n + 1 of them: the last is the end of the text */
    uint64_t *addresses; /* addresses of the lines; NO_ADDRESS: not known */
    size_t n;
};

#define NO_ADDRESS UINT64_MAX
#define NO_LINE    SIZE_MAX

static void split(struct lines *lines, const char *text, size_t n)
{
    const char *end = text + n;
    size_t room = 0;

    for (const char *at = text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));

        array_push(lines->at, lines->n, room, at);
        at = newline != NULL ? newline + 1 : end;
    }
    lines->at = memory_grow(lines->at, &room, lines->n, sizeof *lines->at);
    lines->at[lines->n] = end;
    assert(lines->n == 0 || lines->at[0] == text);
    lines->addresses = memory_new(lines->n + 1, sizeof *lines->addresses);
    for (size_t i = 0; i <= lines->n; i++)
        lines->addresses[i] = NO_ADDRESS;
}

/* 1 if a line begins a macro or a repetition, -1 if it ends one, else 0. */
static int nesting(const char *line, const char *end)
{
    static const struct {
        const char *name;
        int nesting;
    } directives[] = {
        {".macro", 1}, {".rept", 1},  {".irp", 1},
        {".irpc", 1},  {".endm", -1}, {".endr", -1},
    };

    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
        size_t n = strlen(directives[i].name);

        if ((size_t)(end - line) > n &&
            memcmp(line, directives[i].name, n) == 0 &&
            isspace((unsigned char)line[n]))
            return directives[i].nesting;
    }
    return 0;
}

/* Writes the source with a label before each line, except in comments and
   in lines that are assembled more than once. */
static void label(FILE *out, const struct lines *lines)
{
    const char *end = lines->at[lines->n], *inside = lines->at[0];
    int depth = 0;

    for (size_t i = 0; i < lines->n; i++) {
        const char *line = lines->at[i], *next = lines->at[i + 1];
        const char *word = line;
        bool begins = inside <= line; /* the line begins outside a comment */

        while (word < next && (*word == ' ' || *word == '\t'))
            word++;
        if (begins && depth == 0 && word < next &&
            strchr("#\r\n", *word) == NULL)
            fprintf(out, LINE_LABEL "%zu:\n", i);
        if (begins)
            depth += nesting(word, next);
        fwrite(line, 1, (size_t)(next - line), out);
        for (inside = begins ? line : inside; inside < next;)
            inside = marks_skip(inside, end);
    }
    fprintf(out, "\n" LINE_LABEL "%zu:\n", lines->n);
}

/* Finds the address of the code of each line. */
static int find_addresses(struct lines *lines, struct input *input,
                          struct diag *d)
{
    struct memory_stream labelled = memory_stream_open(&labelled);

    label(labelled.out, lines);
    memory_stream_close(&labelled);
    int rc = input_labels(input, labelled.text, labelled.size, LINE_LABEL,
                          lines->addresses, lines->n + 1, d);
    free(labelled.text);
    return rc;
}

/* Is line number i only a label? */
static bool is_label(const struct lines *lines, size_t i)
{
    const char *end = lines->at[i + 1];

    while (end > lines->at[i] && isspace((unsigned char)end[-1]))
        end--;
    return end > lines->at[i] && end[-1] == ':';
}

/* The lines of a region: from `first` on, before `end`. */
struct spot {
    size_t first, end; /* `first` is NO_LINE if there are none */
};

static struct spot spot_of(const struct lines *lines,
                           const struct annotation *a)
{
    struct spot spot = {NO_LINE, NO_LINE};

    for (size_t i = 0; i < lines->n; i++)
        if (lines->addresses[i] == a->start)
            spot.first = i;
    if (spot.first == NO_LINE)
        return spot;
    for (size_t i = spot.first + 1; i <= lines->n; i++)
        if (lines->addresses[i] == a->end) {
            spot.end = i;
            break;
        }
    if (spot.end == NO_LINE)
        return (struct spot){NO_LINE, NO_LINE};
    assert(spot.first < spot.end && spot.end <= lines->n);
    while (spot.first > 0 && lines->addresses[spot.first - 1] == a->start &&
           is_label(lines, spot.first - 1))
        spot.first--;
    return spot;
}

void input_mark_begin(FILE *out, const struct annotation *a)
{
    fprintf(out, "%s %s\n# LLVM-MCA-BEGIN %s\n%s OSACA-BEGIN\n", a->comment,
            a->remark, a->name, a->comment);
}

void input_mark_end(FILE *out, const struct annotation *a)
{
    fprintf(out, "%s OSACA-END\n# LLVM-MCA-END %s\n", a->comment, a->name);
}

/* Writes the source with the chosen marks. */
static void write_marked(FILE *out, const struct lines *lines,
                         const struct annotation *list,
                         const struct spot *spots, size_t n)
{
    for (size_t i = 0; i <= lines->n; i++) {
        if (i == lines->n && i > 0 && lines->at[i][-1] != '\n')
            fputc('\n', out);
        for (size_t j = 0; j < n; j++)
            if (list[j].is_marked && spots[j].end == i)
                input_mark_end(out, &list[j]);
        for (size_t j = 0; j < n; j++)
            if (list[j].is_marked && spots[j].first == i)
                input_mark_begin(out, &list[j]);
        if (i < lines->n)
            fwrite(lines->at[i], 1, (size_t)(lines->at[i + 1] - lines->at[i]),
                   out);
    }
}

static bool has_region(const struct regions *regions,
                       const struct annotation *a)
{
    for (size_t i = 0; i < regions->n; i++)
        if (regions->regions[i].start == a->start &&
            regions->regions[i].end == a->end)
            return true;
    return false;
}

/* Does the written source, when it is read again, have the chosen regions? */
static bool reads_back(struct input *input, const struct lines *lines,
                       const struct annotation *list, const struct spot *spots,
                       size_t n)
{
    AUTO_FINI(regions_fini) struct regions regions = {0};
    bool is_good;
    struct memory_stream marked = memory_stream_open(&marked);

    write_marked(marked.out, lines, list, spots, n);
    memory_stream_close(&marked);
    is_good = input_marks(input, marked.text, marked.size, &regions, NULL) == 0;
    for (size_t i = 0; i < n; i++)
        is_good =
            is_good && (!list[i].is_marked || has_region(&regions, &list[i]));
    free(marked.text);
    return is_good;
}

/* Chooses the regions that can be marked. */
static void choose(struct input *input, const struct lines *lines,
                   struct annotation *list, struct spot *spots, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        spots[i] = spot_of(lines, &list[i]);
        list[i].is_marked = spots[i].first != NO_LINE;
        for (size_t j = 0; j < i; j++)
            if (list[j].is_marked && spots[i].first < spots[j].end &&
                spots[j].first < spots[i].end) /* they overlap */
                list[i].is_marked = false;
    }
    if (reads_back(input, lines, list, spots, n))
        return;
    for (size_t i = 0; i < n; i++)
        if (list[i].is_marked)
            list[i].is_marked =
                reads_back(input, lines, &list[i], &spots[i], 1);
}

int input_annotate(struct input *input, struct annotation *list, size_t n,
                   FILE *out, struct diag *d)
{
    AUTO_FINI(regions_fini) struct regions present = {0};
    struct lines lines = {0};
    AUTO_FREE struct spot *spots = memory_new(n, sizeof *spots);

    split(&lines, input->text, input->n_text);
    int rc = input_marks(input, input->text, input->n_text, &present, d);
    if (rc == 0 && present.n > 0) /* more marks would overlap them */
        rc = diag_set(d, "%s: has marks of regions already", input->subject);
    if (rc == 0)
        rc = find_addresses(&lines, input, d);
    if (rc == 0) {
        choose(input, &lines, list, spots, n);
        write_marked(out, &lines, list, spots, n);
    }
    free(lines.at);
    free(lines.addresses);
    return rc;
}
