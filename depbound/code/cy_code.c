/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "code/internal.h"

#include <assert.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "memory.h"
#include "text.h"

struct cy_code *cy_code_new(const struct cy_data *data,
                            enum disasm_syntax syntax)
{
    struct cy_code *code = memory_new(1, sizeof *code);

    code->data = data;
    code->syntax = syntax;
    code->disasm = disasm_new(arch_name(data->arch));
    assert(code->disasm != NULL);
    code->files = memory_new(data->n_objects, sizeof *code->files);
    return code;
}

void cy_code_free(struct cy_code *code)
{
    if (code == NULL)
        return;
    for (size_t i = 0; i < code->data->n_objects; i++)
        objfile_close(code->files[i]);
    cy_origins_fini(&code->origins);
    cy_callees_fini(&code->callees);
    free(code->files);
    disasm_free(code->disasm);
    free(code);
}

struct objfile *cy_code_file(struct cy_code *code, uint32_t object,
                             struct diag *d)
{
    const struct cy_object *o = &code->data->objects[object];
    struct objfile **file = &code->files[object];

    assert(object < code->data->n_objects);
    if (*file == NULL)
        *file = objfile_open(o->path, o->build_id, d);
    return *file;
}

/* At least one byte of an object's code from `address` on, and how many there
   are. */
static const uint8_t *bytes_at(struct cy_code *code, uint32_t object,
                               uint64_t address, size_t *n, struct diag *d)
{
    const struct cy_object *o = &code->data->objects[object];
    struct objfile *file = cy_code_file(code, object, d);
    const uint8_t *bytes;

    if (file == NULL)
        return NULL;
    bytes = objfile_code(file, address, n);
    if (bytes == NULL || *n == 0) {
        diag_set(d, "%s: no code at %#llx", o->path,
                 (unsigned long long)address);
        return NULL;
    }
    return bytes;
}

/* The bytes of a block. */
static const uint8_t *bytes_of(struct cy_code *code,
                               const struct cy_block *block, struct diag *d)
{
    const uint8_t *bytes;
    size_t n;

    assert(block->start < block->end);
    bytes = bytes_at(code, block->object, block->start, &n, d);
    if (bytes != NULL && n < block->end - block->start) {
        diag_set(d, "%s: no code at %#llx",
                 code->data->objects[block->object].path,
                 (unsigned long long)block->start);
        return NULL;
    }
    return bytes;
}

static void show(struct cy_code *code, struct cy_code_insn *insn)
{
    struct disasm_insn text;

    if (code->syntax == DISASM_ATT) {
        memcpy(insn->shown, insn->text, sizeof insn->shown);
        return;
    }
    disasm_set_syntax(code->disasm, code->syntax);
    disasm_insn(code->disasm, insn->bytes, insn->length, insn->address, &text);
    disasm_set_syntax(code->disasm, DISASM_ATT);
    snprintf(insn->shown, sizeof insn->shown, "%s", text.text);
}

/* Disassembles an instruction; no longer one than it can be. */
static void disassemble(struct cy_code *code, const uint8_t *bytes, size_t n,
                        uint64_t address, struct disasm_insn *text)
{
    const size_t most = sizeof((struct cy_code_insn *)NULL)->bytes;

    disasm_insn(code->disasm, bytes, n, address, text);
    assert(text->length > 0 && text->length <= n);
    if (text->length > most)
        text->length = most;
}

static void decode(struct cy_code *code, struct cy_code_insn *insn,
                   const uint8_t *bytes, size_t n, uint64_t address)
{
    struct disasm_insn text;

    disassemble(code, bytes, n, address, &text);
    *insn = (struct cy_code_insn){.arch = code->data->arch,
                                  .address = address,
                                  .length = (uint8_t)text.length};
    memcpy(insn->bytes, bytes, text.length);
    snprintf(insn->text, sizeof insn->text, "%s", text.text);
    snprintf(insn->name, sizeof insn->name, "%s", text.name);
    show(code, insn);
}

/* Adds its operands and its flow to a decoded instruction. */
static void complete(struct cy_code *code, struct cy_code_insn *insn)
{
    insn->n_operands = disasm_operands(code->disasm, insn->bytes, insn->length,
                                       insn->operands);
    flow_of_insn(&insn->flow, insn->arch, insn->bytes, insn->length,
                 insn->address);
    cy_insn_merge(insn);
}

int cy_code_at(struct cy_code *code, uint32_t object, uint64_t address,
               struct cy_code_insn *insn, struct diag *d)
{
    size_t n;
    const uint8_t *bytes = bytes_at(code, object, address, &n, d);

    if (bytes == NULL)
        return -1;
    decode(code, insn, bytes, n, address);
    complete(code, insn);
    return 0;
}

int cy_code_block(struct cy_code *code, const struct cy_block *block,
                  struct cy_code_insn **insns, size_t *n, size_t *room,
                  struct diag *d)
{
    const uint8_t *bytes = bytes_of(code, block, d);
    uint64_t address = block->start;

    if (bytes == NULL)
        return -1;
    while (address < block->end) {
        struct cy_code_insn *insn;

        *insns = memory_grow(*insns, room, *n, sizeof **insns);
        insn = &(*insns)[(*n)++];
        decode(code, insn, bytes + (address - block->start),
               block->end - address, address);
        complete(code, insn);
        address += insn->length;
    }
    assert(address == block->end);
    return 0;
}

int cy_code_bytes(struct cy_code *code, const struct cy_block *block,
                  struct cy_code_bytes **insns, size_t *n, size_t *room,
                  struct diag *d)
{
    const uint8_t *bytes = bytes_of(code, block, d);
    size_t size = block->end - block->start;
    struct disasm_insn text;

    if (bytes == NULL)
        return -1;
    for (size_t at = 0; at < size; at += text.length) {
        struct cy_code_bytes insn;

        disassemble(code, bytes + at, size - at, block->start + at, &text);
        insn.length = (uint8_t)text.length;
        memcpy(insn.bytes, bytes + at, text.length);
        array_push(*insns, *n, *room, insn);
    }
    return 0;
}

int cy_code_last(struct cy_code *code, const struct cy_block *block,
                 struct cy_code_insn *insn, struct diag *d)
{
    const uint8_t *bytes = bytes_of(code, block, d);

    if (bytes == NULL)
        return -1;
    for (uint64_t address = block->start; address < block->end;
         address += insn->length)
        decode(code, insn, bytes + (address - block->start),
               block->end - address, address);
    flow_of_insn(&insn->flow, insn->arch, insn->bytes, insn->length,
                 insn->address);
    return 0;
}

/* Finds the user's line of an address, and that in a header, if it was inlined;
   false if it is not known. */
static bool find_lines(const struct cy_code *code, uint32_t object,
                       uint64_t address, struct source_frame *frame,
                       struct source_frame *header)
{
    assert(object < code->data->n_objects);
    if (code->files[object] == NULL)
        return false;
    *frame = objfile_own_line(code->files[object], address, header);
    return frame->file != NULL && frame->line > 0;
}

static bool find_line(const struct cy_code *code, uint32_t object,
                      uint64_t address, struct source_frame *frame)
{
    struct source_frame ignored;

    return find_lines(code, object, address, frame, &ignored);
}

void cy_code_line(struct cy_code *code, uint32_t object, uint64_t address,
                  char *text, size_t size)
{
    struct source_frame frame, header;

    assert(size > 0);
    text[0] = '\0';
    if (!find_lines(code, object, address, &frame, &header))
        return;
    if (header.line > 0)
        snprintf(text, size, "%s:%d (%s:%d)", text_base_name(frame.file),
                 frame.line, text_base_name(header.file), header.line);
    else
        snprintf(text, size, "%s:%d", text_base_name(frame.file), frame.line);
    text_make_safe(text);
}

/* More functions than any compiler inlines into each other. */
#define MOST_INLINED 32

char *cy_code_inlined(struct cy_code *code, uint32_t object, uint64_t address)
{
    struct source_frame frames[MOST_INLINED];
    struct memory_stream text;
    size_t n = 0;
    char *chain;

    assert(object < code->data->n_objects);
    if (code->files[object] != NULL)
        n = objfile_frames(code->files[object], address, frames, MOST_INLINED);
    if (n < 2)
        return NULL;
    memory_stream_open(&text);
    for (size_t i = n; i-- > 0;)
        fprintf(text.out, "%s %s:%d%s",
                frames[i].function != NULL ? frames[i].function : "?",
                frames[i].file != NULL ? text_base_name(frames[i].file) : "?",
                frames[i].line, i > 0 ? " > " : "");
    chain = memory_stream_close(&text);
    text_make_safe(chain);
    return chain;
}

char *cy_code_unread(const struct cy_code *code, uint32_t object)
{
    char *text = NULL;

    assert(object < code->data->n_objects);
    if (code->files[object] != NULL)
        text = objfile_unread(code->files[object]);
    if (text != NULL)
        text_make_safe(text);
    return text;
}

char *cy_code_where(struct cy_code *code, uint32_t object, uint64_t address,
                    int *line)
{
    struct source_frame frame;

    if (!find_line(code, object, address, &frame))
        return NULL;
    *line = frame.line;
    return frame.file[0] != '/' && frame.directory != NULL
               ? memory_printf("%s/%s", frame.directory, frame.file)
               : memory_text(frame.file);
}

bool cy_code_matches(struct cy_code *code, uint32_t object, uint64_t address,
                     const char *pattern)
{
    struct source_frame frame;

    return find_line(code, object, address, &frame) &&
           fnmatch(pattern,
                   strchr(pattern, '/') != NULL ? frame.file
                                                : text_base_name(frame.file),
                   0) == 0;
}

/* The source line of an address, and the column of the address in it; NULL as
   cy_code_source() says. */
static const char *line_at(struct cy_code *code, uint32_t object,
                           uint64_t address, int *column)
{
    struct source_frame frame;

    if (!find_line(code, object, address, &frame))
        return NULL;
    *column = frame.column;
    return objfile_text(code->files[object], &frame);
}

const char *cy_code_source(struct cy_code *code, uint32_t object,
                           uint64_t address)
{
    int column;
    const char *line = line_at(code, object, address, &column);

    return line != NULL ? line + strspn(line, " \t") : NULL;
}

bool cy_code_assigned(struct cy_code *code, uint32_t object, uint64_t address,
                      char *text, size_t size)
{
    int column;
    const char *line = line_at(code, object, address, &column);

    return line != NULL && cy_assigned(line, column, text, size);
}
