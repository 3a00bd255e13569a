/*
 * cc_symbolizer: what stands at an address of an object.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "code/cc_symbolize.h"

#include <stdlib.h>
#include <string.h>

#include "model/cc_match.h"
#include "memory.h"

/* An object's file. */
struct file {
    bool is_tried;
    char *trouble; /* why it is not open, or NULL */
    struct objfile *lines;
    struct disasm *disasm; /* NULL: an unknown architecture */
};

struct cc_symbolizer {
    const struct cc_data *data;
    struct file *files;        /* by object */
    uint64_t *function_starts; /* by function */
};

struct cc_symbolizer *cc_symbolizer_new(const struct cc_data *data)
{
    struct cc_symbolizer *sites = memory_new(1, sizeof *sites);

    sites->data = data;
    sites->files = memory_new(data->n_objects, sizeof *sites->files);
    sites->function_starts =
        memory_new(data->n_functions, sizeof *sites->function_starts);
    for (uint32_t i = 0; i < data->n_functions; i++)
        sites->function_starts[i] = UINT64_MAX;
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        const struct cc_block *b = &data->blocks[i];

        if (b->function != CC_NONE &&
            b->start < sites->function_starts[b->function])
            sites->function_starts[b->function] = b->start;
    }
    return sites;
}

void cc_symbolizer_free(struct cc_symbolizer *sites)
{
    if (sites == NULL)
        return;
    for (uint32_t i = 0; i < sites->data->n_objects; i++) {
        objfile_close(sites->files[i].lines);
        disasm_free(sites->files[i].disasm);
        free(sites->files[i].trouble);
    }
    free(sites->files);
    free(sites->function_starts);
    free(sites);
}

/* The file, opened if it can be. */
static struct file *find_file(struct cc_symbolizer *sites, uint32_t object)
{
    const struct cc_object *o = &sites->data->objects[object];
    struct file *f = &sites->files[object];
    struct diag first, second;

    if (f->is_tried)
        return f;
    f->is_tried = true;
    f->disasm = disasm_new(o->arch);
    f->lines = objfile_open(o->path, o->build_id, &first);
    if (f->lines == NULL)
        f->lines = objfile_open(o->static_path, o->build_id, &second);
    if (f->lines == NULL)
        f->trouble = memory_text(first.text);
    return f;
}

const char *cc_symbolizer_trouble(struct cc_symbolizer *sites, uint32_t object)
{
    return find_file(sites, object)->trouble;
}

const char *cc_symbolize_function(const struct cc_symbolizer *sites,
                                  uint32_t block, uint64_t *start)
{
    uint32_t function =
        block != CC_NONE ? sites->data->blocks[block].function : CC_NONE;

    *start = 0;
    if (function == CC_NONE)
        return NULL;
    *start = sites->function_starts[function];
    return sites->data->functions[function].name;
}

void cc_symbolize(struct cc_symbolizer *sites, uint32_t object,
                  uint64_t address, struct cc_location *site)
{
    struct file *f = find_file(sites, object);
    const uint8_t *code;
    uint64_t start;
    size_t n;

    *site = (struct cc_location){.n_frames = 1};
    site->function = cc_symbolize_function(
        sites, cc_find_block(sites->data, object, address), &start);
    site->offset = site->function != NULL ? address - start : 0;
    if (f->lines == NULL)
        return;
    site->n_frames =
        objfile_frames(f->lines, address, site->frames, CC_MAX_FRAMES);
    if (site->function == NULL)
        site->function = site->frames[site->n_frames - 1].function;
    code = objfile_code(f->lines, address, &n);
    if (code != NULL && f->disasm != NULL)
        disasm_insn(f->disasm, code, n, address, &site->insn);
}

struct objfile_frame cc_symbolize_line(struct cc_symbolizer *sites,
                                       uint32_t object, uint64_t address)
{
    struct file *f = find_file(sites, object);

    return f->lines != NULL ? objfile_line(f->lines, address)
                            : (struct objfile_frame){0};
}

const char *cc_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}
