/*
 * cc_notes: what the figures do not cover, one sentence each.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/cc_notes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report/report.h"

/* Has an object before it the same two builds? */
static bool is_repeated(const struct cc_data *data, size_t i)
{
    const struct cc_rebuilt *r = &data->rebuilt[i];

    for (size_t j = 0; j < i; j++)
        if (strcmp(data->rebuilt[j].path, r->path) == 0 &&
            strcmp(data->rebuilt[j].build_id, r->build_id) == 0)
            return true;
    return false;
}

struct cc_notes cc_notes_new(const struct cc_data *data,
                             const struct cc_inputs *in,
                             const struct cc_left_out *left_out)
{
    struct cc_notes notes = {.data = data, .in = in, .left_out = left_out};

    notes.items =
        memory_new(data->n_incomplete + data->n_rebuilt + data->n_objects,
                   sizeof *notes.items);
    for (size_t i = 0; i < data->n_incomplete; i++)
        notes.items[notes.n++] = (struct cc_note){CC_NOTE_RUN, i};
    for (size_t i = 0; i < data->n_rebuilt; i++)
        if (!is_repeated(data, i))
            notes.items[notes.n++] = (struct cc_note){CC_NOTE_REBUILT, i};
    for (size_t i = 0; i < data->n_objects; i++)
        if (left_out[i].has_run)
            notes.items[notes.n++] = (struct cc_note){CC_NOTE_LEFT_OUT, i};
    return notes;
}

void cc_notes_fini(struct cc_notes *notes)
{
    free(notes->items);
    *notes = (struct cc_notes){0};
}

/* "PATH: analysed with OPTIONS: what ran outside that, 2 of 9 dependencies,
   3.7% of occurrences, is not scored". */
static void write_left_out(FILE *out, const struct cc_object *object,
                           const struct cc_left_out *left_out)
{
    assert(left_out->has_run);
    fprintf(out,
            "%s: analysed with %s: what ran outside that, %" PRIu64
            " of %" PRIu64 " dependencies",
            object->static_path, object->filter, left_out->outside,
            left_out->dependencies);
    if (left_out->occurrences > 0)
        fprintf(out, ", %s of occurrences",
                report_ratio_text(left_out->outside_occurrences,
                                  left_out->occurrences)
                    .text);
    fputs(", is not scored", out);
}

static void write_plain(FILE *out, const char *text)
{
    fputs(text, out);
}

static void write_note(FILE *out, const struct cc_notes *notes, size_t i)
{
    const struct cc_data *data = notes->data;
    size_t number = notes->items[i].number;

    assert(i < notes->n);
    switch (notes->items[i].kind) {
    case CC_NOTE_RUN:
        fprintf(out, "%s: run %" PRId64 " is incomplete",
                notes->in->deps[data->incomplete_runs[number].source],
                data->incomplete_runs[number].id);
        break;
    case CC_NOTE_REBUILT:
        cc_write_rebuilt(out, &data->rebuilt[number], notes->in, write_plain);
        break;
    case CC_NOTE_LEFT_OUT:
        write_left_out(out, &data->objects[number], &notes->left_out[number]);
        break;
    }
}

static void write_subject(FILE *out, const struct cc_notes *notes, size_t i)
{
    const struct cc_data *data = notes->data;
    size_t number = notes->items[i].number;

    assert(i < notes->n);
    switch (notes->items[i].kind) {
    case CC_NOTE_RUN:
        fprintf(out, "run %" PRId64 " of %s", data->incomplete_runs[number].id,
                notes->in->deps[data->incomplete_runs[number].source]);
        break;
    case CC_NOTE_REBUILT:
        fputs(data->rebuilt[number].path, out);
        break;
    case CC_NOTE_LEFT_OUT:
        fputs(data->objects[number].static_path, out);
        break;
    }
}

static char *text_of(const struct cc_notes *notes, size_t i,
                     void (*write)(FILE *out, const struct cc_notes *notes,
                                   size_t i))
{
    struct memory_stream text;

    memory_stream_open(&text);
    write(text.out, notes, i);
    return memory_stream_close(&text);
}

char *cc_note_text(const struct cc_notes *notes, size_t i)
{
    return text_of(notes, i, write_note);
}

char *cc_note_subject(const struct cc_notes *notes, size_t i)
{
    return text_of(notes, i, write_subject);
}
