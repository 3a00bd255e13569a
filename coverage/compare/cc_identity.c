/*
 * cc_identity: what identifies a dependency in a later build.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "compare/cc_identity.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/cc_score.h"
#include "memory.h"
#include "text.h"

/* The texts of an identity. */
struct texts {
    char function_lines[2][512];
    char lines[2][512];
    struct disasm_insn insns[2];
};

/* "FILE:LINE", or NULL for an unknown line. */
static const char *line_text(const struct objfile_frame *frame, char *text,
                             size_t n)
{
    if (frame->line == 0)
        return NULL;
    snprintf(text, n, "%s:%d", text_base_name(frame->file), frame->line);
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

static struct cc_code code_of(const struct cc_data *data,
                              struct cc_symbolizer *symbolizer, uint32_t object,
                              uint32_t block, struct texts *texts, int which)
{
    struct cc_code code = {
        .path = data->objects[object].path,
        .build_id = data->objects[object].build_id,
    };
    struct objfile_frame first;

    if (block == CC_NONE)
        return code;
    code.function =
        cc_symbolize_function(symbolizer, block, &code.function_start);
    first = cc_symbolize_line(symbolizer, object, code.function_start);
    code.function_line = line_text(&first, texts->function_lines[which],
                                   sizeof texts->function_lines[which]);
    return code;
}

/* Copies a text that may be NULL to *at, and moves *at after it. */
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
    char *at = memory_new(room(id->code.function_line) +
                              room(id->dst_code.function_line) +
                              room(id->src.line) + room(id->dst.line) +
                              room(id->src.insn) + room(id->dst.insn) + 1,
                          1);

    id->texts = at;
    id->code.function_line = keep(&at, id->code.function_line);
    id->dst_code.function_line = keep(&at, id->dst_code.function_line);
    id->src.line = keep(&at, id->src.line);
    id->dst.line = keep(&at, id->dst.line);
    id->src.insn = keep(&at, id->src.insn);
    id->dst.insn = keep(&at, id->dst.insn);
}

static bool is_in_one_function(const struct cc_data *data,
                               const struct cc_observed *d)
{
    if (d->src_block == CC_NONE || d->dst_block == CC_NONE)
        return d->src_block == d->dst_block && d->src_object == d->dst_object;
    return cc_scope_of(data, d->src_block, d->dst_block) <= CC_SCOPE_FUNCTION;
}

struct cc_identity cc_identify(const struct cc_data *data,
                               struct cc_symbolizer *symbolizer,
                               uint32_t observed)
{
    const struct cc_observed *d = &data->observed[observed];
    struct cc_identity id = {
        .occurrences = cc_counts(data, d)[cc_bounds_largest(&data->bounds)],
        .verdict = d->verdict,
    };
    struct texts texts;

    assert(d->src_object != CC_NONE && d->dst_object != CC_NONE);
    id.code = code_of(data, symbolizer, d->src_object, d->src_block, &texts, 0);
    if (!is_in_one_function(data, d))
        id.dst_code =
            code_of(data, symbolizer, d->dst_object, d->dst_block, &texts, 1);
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
    return (id->code.function != NULL &&
            cc_identity_dst_code(id)->function != NULL) ||
           cc_identity_has_lines(id);
}

const struct cc_code *cc_identity_dst_code(const struct cc_identity *id)
{
    return id->dst_code.build_id != NULL ? &id->dst_code : &id->code;
}
