/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "code/cc_symbolize.h"

#include <ctype.h>
#include <sys/resource.h>

#include "model/cc_match.h"

/* An object's file. */
struct file {
    bool is_tried;
    char *trouble;     /* why it cannot be opened, or NULL */
    uint64_t asked_at; /* value of .now at the last question about the file */
    struct objfile *lines;
    struct disasm *disasm; /* NULL: the architecture is unknown */
};

struct cc_symbolizer {
    const struct cc_data *data;
    enum disasm_syntax syntax;
    struct file *files;        /* by object */
    uint64_t now;              /* the number of questions about files so far */
    size_t n_open, max_open;   /* of the files */
    uint64_t *function_starts; /* by function */
};

/* An object has up to three files: its own, that of its debug information, and
   one with debug information that several objects share. */
static size_t find_max_open(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
                   limit.rlim_cur / 4 > CC_OPEN_OBJECTS
               ? limit.rlim_cur / 4
               : CC_OPEN_OBJECTS;
}

struct cc_symbolizer *cc_symbolizer_new(const struct cc_data *data)
{
    struct cc_symbolizer *symbolizer = memory_new(1, sizeof *symbolizer);

    symbolizer->data = data;
    symbolizer->max_open = find_max_open();
    symbolizer->files = memory_new(data->n_objects, sizeof *symbolizer->files);
    symbolizer->function_starts =
        memory_new(data->n_functions, sizeof *symbolizer->function_starts);
    for (uint32_t i = 0; i < data->n_functions; i++)
        symbolizer->function_starts[i] = UINT64_MAX;
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        const struct cc_block *b = &data->blocks[i];

        if (b->function != CC_NONE &&
            b->start < symbolizer->function_starts[b->function])
            symbolizer->function_starts[b->function] = b->start;
    }
    return symbolizer;
}

void cc_symbolizer_set_syntax(struct cc_symbolizer *symbolizer,
                              enum disasm_syntax syntax)
{
    symbolizer->syntax = syntax;
}

static void close_file(struct file *f)
{
    objfile_close(f->lines);
    disasm_free(f->disasm);
    f->lines = NULL;
    f->disasm = NULL;
    f->is_tried = false;
}

void cc_symbolizer_free(struct cc_symbolizer *symbolizer)
{
    if (symbolizer == NULL)
        return;
    for (uint32_t i = 0; i < symbolizer->data->n_objects; i++) {
        close_file(&symbolizer->files[i]);
        free(symbolizer->files[i].trouble);
    }
    free(symbolizer->files);
    free(symbolizer->function_starts);
    free(symbolizer);
}

/* Closes the file whose last question is the oldest. */
static void close_oldest(struct cc_symbolizer *symbolizer)
{
    struct file *oldest = NULL;

    for (uint32_t i = 0; i < symbolizer->data->n_objects; i++) {
        struct file *f = &symbolizer->files[i];

        if (f->lines != NULL &&
            (oldest == NULL || f->asked_at < oldest->asked_at))
            oldest = f;
    }
    assert(oldest != NULL);
    close_file(oldest);
    symbolizer->n_open--;
}

/* Returns the object's file, opened if it can be. */
static struct file *find_file(struct cc_symbolizer *symbolizer, uint32_t object)
{
    const struct cc_object *o = &symbolizer->data->objects[object];
    struct file *f = &symbolizer->files[object];
    struct diag first, second;

    assert(object < symbolizer->data->n_objects);
    f->asked_at = ++symbolizer->now;
    if (f->is_tried)
        return f;
    if (symbolizer->n_open >= symbolizer->max_open)
        close_oldest(symbolizer);
    f->is_tried = true;
    f->disasm = disasm_new(o->arch);
    f->lines = objfile_open(o->path, o->build_id, &first);
    if (f->lines == NULL)
        f->lines = objfile_open(o->static_path, o->build_id, &second);
    if (f->lines != NULL)
        symbolizer->n_open++;
    else
        f->trouble = memory_text(first.text);
    return f;
}

const char *cc_symbolizer_trouble(struct cc_symbolizer *symbolizer,
                                  uint32_t object)
{
    return find_file(symbolizer, object)->trouble;
}

const char *cc_symbolize_function(const struct cc_symbolizer *symbolizer,
                                  uint32_t block, uint64_t *start)
{
    uint32_t function =
        block != CC_NONE ? symbolizer->data->blocks[block].function : CC_NONE;

    *start = 0;
    if (function == CC_NONE)
        return NULL;
    *start = symbolizer->function_starts[function];
    assert(*start <= symbolizer->data->blocks[block].start);
    return symbolizer->data->functions[function].name;
}

void cc_symbolize(struct cc_symbolizer *symbolizer, uint32_t object,
                  uint64_t address, struct cc_location *at)
{
    struct file *f = find_file(symbolizer, object);
    uint64_t start;

    *at = (struct cc_location){.n_frames = 1};
    at->function = cc_symbolize_function(
        symbolizer, cc_find_block(symbolizer->data, object, address), &start);
    at->offset = at->function != NULL ? address - start : 0;
    if (f->lines == NULL)
        return;
    at->n_frames = objfile_frames(f->lines, address, at->frames, CC_MAX_FRAMES);
    assert(at->n_frames >= 1 && at->n_frames <= CC_MAX_FRAMES);
    if (at->function == NULL)
        at->function = at->frames[at->n_frames - 1].function;
    cc_symbolize_insn(symbolizer, object, address, &at->insn);
}

void cc_symbolize_insn(struct cc_symbolizer *symbolizer, uint32_t object,
                       uint64_t address, struct disasm_insn *insn)
{
    struct file *f = find_file(symbolizer, object);
    const uint8_t *code = NULL;
    size_t n;

    insn->length = 0;
    if (f->lines != NULL && f->disasm != NULL)
        code = objfile_code(f->lines, address, &n);
    if (code == NULL)
        return;
    disasm_set_syntax(f->disasm, symbolizer->syntax);
    disasm_insn(f->disasm, code, n, address, insn);
}

struct source_frame cc_symbolize_line(struct cc_symbolizer *symbolizer,
                                      uint32_t object, uint64_t address)
{
    struct file *f = find_file(symbolizer, object);

    return f->lines != NULL ? objfile_line(f->lines, address)
                            : (struct source_frame){0};
}

const char *cc_symbolize_source(struct cc_symbolizer *symbolizer,
                                uint32_t object,
                                const struct source_frame *frame)
{
    struct file *f = find_file(symbolizer, object);
    const char *text = f->lines != NULL ? objfile_text(f->lines, frame) : NULL;

    while (text != NULL && isspace((unsigned char)*text))
        text++;
    return text;
}
