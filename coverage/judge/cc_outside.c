/*
 * cc_outside: in which files the occurrences lie that no analysis saw.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "judge/cc_outside.h"

#include <assert.h>
#include <string.h>

#include "array.h"
#include "shell.h"

/* Where a dependency counts: the objects come first, then those that only
   depsim knows. */
static uint32_t file_of(const struct cc_data *data, const struct cc_observed *d)
{
    uint32_t object = d->dst_block == CC_NONE ? d->dst_object : d->src_object;

    assert(d->src_block == CC_NONE || d->dst_block == CC_NONE);
    if (object != CC_NONE)
        return object;
    assert(d->unmatched < data->n_unmatched);
    return data->n_objects + d->unmatched;
}

static void count(struct cc_outside *outside, const struct cc_data *data)
{
    unsigned n = data->bounds.n;

    for (uint32_t i = 0; i < data->n_unmatched; i++)
        memcpy(outside->files[data->n_objects + i].occurrences,
               data->unmatched[i].elsewhere, n * sizeof(uint64_t));
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];
        const uint64_t *occurrences = cc_counts(data, d);
        struct cc_outside_file *file;

        if (d->src_block != CC_NONE && d->dst_block != CC_NONE)
            continue;
        file = &outside->files[file_of(data, d)];
        for (unsigned b = 0; b < n; b++)
            file->occurrences[b] += occurrences[b];
    }
}

static int file_order(const void *pa, const void *pb)
{
    const struct cc_outside_file *a = pa, *b = pb;

    return array_order(b->occurrences[0], a->occurrences[0])
               ?: strcmp(a->path, b->path);
}

/* At most five, and none with less than one percent of what is outside. */
static size_t count_listed(const struct cc_outside *outside)
{
    double all = 0;
    size_t n = 0;

    for (size_t i = 0; i < outside->n; i++)
        all += (double)outside->files[i].occurrences[0];
    while (n < outside->n && n < 5 &&
           100 * (double)outside->files[n].occurrences[0] >= all)
        n++;
    return n;
}

static bool has_any(const struct cc_outside_file *file, unsigned n)
{
    for (unsigned b = 0; b < n; b++)
        if (file->occurrences[b] > 0)
            return true;
    return false;
}

struct cc_outside cc_outside_new(const struct cc_data *data)
{
    struct cc_outside outside = {0};
    size_t n = (size_t)data->n_objects + data->n_unmatched;

    outside.files = memory_new(n, sizeof *outside.files);
    outside.occurrences =
        memory_new(n * data->bounds.n, sizeof *outside.occurrences);
    for (size_t i = 0; i < n; i++) {
        bool is_object = i < data->n_objects;

        outside.files[i] = (struct cc_outside_file){
            is_object ? data->objects[i].path
                      : data->unmatched[i - data->n_objects].path,
            is_object, outside.occurrences + i * data->bounds.n};
    }
    count(&outside, data);
    for (size_t i = 0; i < n; i++)
        if (has_any(&outside.files[i], data->bounds.n))
            outside.files[outside.n++] = outside.files[i];
    array_sort(outside.files, outside.n, file_order);
    outside.n_listed = count_listed(&outside);
    return outside;
}

void cc_outside_fini(struct cc_outside *outside)
{
    free(outside->files);
    free(outside->occurrences);
}

bool cc_outside_can(const struct cc_outside_file *file)
{
    return file->path[0] != '\0' && file->path[0] != '[';
}

static void write_word(FILE *out, const char *word)
{
    fputc(' ', out);
    shell_word(out, word);
}

char *cc_outside_command(const struct cc_data *data,
                         const struct cc_outside *outside)
{
    bool adds = false;
    struct memory_stream command;
    FILE *out;
    char *text;

    memory_stream_open(&command);
    out = command.out;
    fputs("staticdeps", out);
    if (data->scope == CC_SCOPE_FUNCTION)
        fputs(" --scope=function", out);
    else if (data->scope > CC_SCOPE_FUNCTION)
        fputs(" --scope=program", out);
    for (uint32_t i = 0; i < data->n_objects; i++)
        write_word(out, data->objects[i].path);
    for (size_t i = 0; i < outside->n_listed; i++) {
        const struct cc_outside_file *file = &outside->files[i];

        if (!cc_outside_can(file))
            continue;
        adds = true;
        if (!file->is_analysed)
            write_word(out, file->path);
    }
    text = memory_stream_close(&command);
    if (adds)
        return text;
    free(text);
    return NULL;
}
