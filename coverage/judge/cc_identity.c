/*
 * cc_identity: what identifies a dependency in a later build.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "judge/cc_identity.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/cc_score.h"
#include "memory.h"

/* The texts of an identity. */
struct texts {
    char function_line[512];
    char lines[2][512];
    struct disasm_insn insns[2];
};

/* "FILE:LINE", or NULL for an unknown line. */
static const char *line_text(const struct objfile_frame *frame, char *text,
                             size_t n)
{
    if (frame->line == 0)
        return NULL;
    snprintf(text, n, "%s:%d", cc_base_name(frame->file), frame->line);
    return text;
}

static struct cc_end end_of(struct cc_symbolizer *symbolizer, uint32_t object,
                            uint64_t address, struct texts *texts, int which)
{
    struct objfile_frame frame = cc_symbolize_line(symbolizer, object, address);
    struct disasm_insn *insn = &texts->insns[which];
    struct cc_end end = {.address = address, .column = frame.column};

    end.line =
        line_text(&frame, texts->lines[which], sizeof texts->lines[which]);
    cc_symbolize_insn(symbolizer, object, address, insn);
    end.insn = insn->length > 0 ? insn->text : NULL;
    return end;
}

/* Copies a text that may be NULL to *at, and moves *at behind it. */
static const char *keep(char **at, const char *text)
{
    char *copy = *at;

    if (text == NULL)
        return NULL;
    *at = stpcpy(copy, text) + 1;
    return copy;
}

static size_t room(const char *text)
{
    return text != NULL ? strlen(text) + 1 : 0;
}

/* Moves the texts into one allocation of the size that they need. */
static void own_texts(struct cc_identity *id)
{
    char *at = memory_new(room(id->function_line) + room(id->src.line) +
                              room(id->dst.line) + room(id->src.insn) +
                              room(id->dst.insn) + 1,
                          1);

    id->texts = at;
    id->function_line = keep(&at, id->function_line);
    id->src.line = keep(&at, id->src.line);
    id->dst.line = keep(&at, id->dst.line);
    id->src.insn = keep(&at, id->src.insn);
    id->dst.insn = keep(&at, id->dst.insn);
}

struct cc_identity cc_identify(const struct cc_data *data,
                               struct cc_symbolizer *symbolizer,
                               uint32_t observed)
{
    const struct cc_observed *d = &data->observed[observed];
    struct cc_identity id = {
        .path = data->objects[d->src_object].path,
        .build_id = data->objects[d->src_object].build_id,
        .occurrences = cc_counts(data, d)[cc_bounds_largest(&data->bounds)],
        .verdict = d->verdict,
    };
    struct objfile_frame first;
    struct texts texts;

    assert(d->src_object != CC_NONE && d->dst_object != CC_NONE);
    id.function =
        cc_symbolize_function(symbolizer, d->src_block, &id.function_start);
    first = cc_symbolize_line(symbolizer, d->src_object, id.function_start);
    id.function_line =
        line_text(&first, texts.function_line, sizeof texts.function_line);
    id.src = end_of(symbolizer, d->src_object, d->src, &texts, 0);
    id.dst = end_of(symbolizer, d->dst_object, d->dst, &texts, 1);
    own_texts(&id);
    return id;
}

bool cc_identity_has_lines(const struct cc_identity *id)
{
    return id->src.line != NULL && id->dst.line != NULL;
}

bool cc_identity_outlives_build(const struct cc_identity *id)
{
    return id->function != NULL || cc_identity_has_lines(id);
}
