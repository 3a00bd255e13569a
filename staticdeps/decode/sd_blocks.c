/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/sd_blocks.h"

void sd_blocks_fini(struct sd_blocks *blocks)
{
    free(blocks->blocks);
    free(blocks->insns);
    *blocks = (struct sd_blocks){0};
}

bool sd_block_follows_itself(const struct sd_block *block)
{
    return block->last.has_target && !block->last.is_call &&
           block->last.target == block->address;
}

static void add_insn(struct sd_blocks *blocks, struct sd_decoded insn)
{
    assert(insn.length >= 1 && insn.length < 16);
    array_append(
        blocks, insns,
        (uint8_t)(insn.length | (insn.has_no_effect ? SD_NO_EFFECT : 0)));
}

/* Do a block's instructions fill its bytes, and is `last` the last one? */
__attribute__((unused)) static bool is_whole(const struct sd_blocks *blocks,
                                             const struct sd_block *block)
{
    uint64_t size = 0;

    if (block->status != SD_OK)
        return true;
    if (block->n_insns == 0)
        return block->size == 0;
    const uint8_t *insns = blocks->insns + block->first;
    if (block->first + block->n_insns > blocks->n_insns)
        return false;
    for (uint32_t i = 0; i < block->n_insns; i++)
        size += insns[i] & (SD_NO_EFFECT - 1u);
    return size == block->size &&
           (block->last.length == 0 ||
            block->last.length ==
                (insns[block->n_insns - 1] & (SD_NO_EFFECT - 1u)));
}

static void add_block(struct sd_blocks *blocks, struct sd_block block)
{
    assert(is_whole(blocks, &block));
    array_append(blocks, blocks, block);
}

static bool is_nop(const struct sd_sweep *sweep, size_t number, size_t at)
{
    return (sweep->marks[number][at] & SD_QUIET) &&
           sd_sweep_insn(sweep, number, at).is_nop;
}

/* Notes the instructions up to a leader, an undecodable byte, or the end of
   nops to which no jump leads.  Returns where the last instruction begins. */
static size_t good_end(struct sd_blocks *blocks, const struct sd_sweep *sweep,
                       size_t number, size_t size, size_t start, size_t *end)
{
    const uint8_t *marks = sweep->marks[number];
    bool is_padding = (marks[start] & (SD_LEADER | SD_FIXED)) == SD_LEADER;
    size_t last;

    *end = start;
    do {
        unsigned length = marks[*end] & SD_LENGTH;

        is_padding = is_padding && is_nop(sweep, number, *end);
        add_insn(blocks,
                 (struct sd_decoded){.length = (uint8_t)length,
                                     .has_no_effect = marks[*end] & SD_QUIET});
        last = *end;
        *end += length;
    } while (*end < size && !(marks[*end] & SD_LEADER) &&
             (marks[*end] & SD_LENGTH) &&
             !(is_padding && !is_nop(sweep, number, *end)));
    assert(*end <= size);
    return last;
}

struct sd_cutter {
    struct sd_image image; /* refers to the contents of the caller's image */
    struct sd_sweep sweep;
    struct sd_functions functions;
    size_t section, offset; /* where the next block begins */
};

/* Appends the block that begins at an offset; returns where the next one
   begins. */
static size_t cut(struct sd_blocks *blocks, const struct sd_section *s,
                  const struct sd_sweep *sweep, size_t number, size_t start)
{
    const uint8_t *marks = sweep->marks[number];
    struct sd_block block = {
        .address = s->address + start,
        .bytes = s->bytes + start,
        .first = blocks->n_insns,
        .salt = s->address + start,
        .is_referred = sd_sweep_is_referred(sweep, s->address + start)};
    size_t end, last = start;

    if (marks[start] & SD_LENGTH) {
        last = good_end(blocks, sweep, number, s->size, start, &end);
        block.last = sd_sweep_insn(sweep, number, last);
        block.n_insns = (uint32_t)(blocks->n_insns - block.first);
    } else {
        block.status = SD_UNDECODABLE;
        end = start + 1;
        while (end < s->size && !(marks[end] & (SD_LENGTH | SD_LEADER)))
            end++;
    }
    assert(end > start && end <= s->size);
    block.size = end - start;
    add_block(blocks, block);
    if (block.status == SD_OK && sd_sweep_inside(marks + last) != 0)
        return last + sd_sweep_inside(marks + last);
    return end;
}

static int compare(const void *x, const void *y, void *argument)
{
    const struct sd_block *list = argument;

    return array_order(list[*(const size_t *)x].address,
                       list[*(const size_t *)y].address);
}

static void name_function(struct sd_block *block,
                          struct sd_functions *functions)
{
    const struct sd_function *f = sd_functions_find(functions, block->address);

    if (f == NULL)
        return;
    block->function = f->name;
    block->function_start = f->start;
}

/* Names the blocks in the order of their addresses, because sections need not
   be sorted. */
static void name_functions(struct sd_blocks *blocks, size_t first,
                           struct sd_functions *functions)
{
    size_t n = blocks->n_blocks - first;
    bool is_sorted = true;

    if (n == 0)
        return;
    struct sd_block *list = blocks->blocks + first;
    AUTO_FREE size_t *order = memory_new(n, sizeof *order);
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
        is_sorted &= i == 0 || list[i - 1].address <= list[i].address;
    }
    if (!is_sorted)
        qsort_r(order, n, sizeof *order, compare, list);
    for (size_t i = 0; i < n; i++)
        name_function(&list[order[i]], functions);
}

struct sd_cutter *sd_cutter_new(struct sd_decoder *decoder,
                                const struct sd_image *image)
{
    struct sd_cutter *c = memory_new(1, sizeof *c);

    c->image = *image;
    sd_sweep_init(&c->sweep, decoder, &c->image);
    sd_functions_init(&c->functions, &c->image);
    return c;
}

void sd_cutter_free(struct sd_cutter *cutter)
{
    if (cutter == NULL)
        return;
    sd_sweep_fini(&cutter->sweep);
    sd_functions_fini(&cutter->functions);
    free(cutter);
}

bool sd_cutter_next(struct sd_cutter *c, struct sd_blocks *blocks, size_t most)
{
    size_t first = blocks->n_blocks;

    for (; c->section < c->image.n_sections; c->section++, c->offset = 0) {
        const struct sd_section *s = &c->image.sections[c->section];

        while (c->offset < s->size && blocks->n_blocks - first < most)
            c->offset = cut(blocks, s, &c->sweep, c->section, c->offset);
        if (c->offset < s->size)
            break;
    }
    name_functions(blocks, first, &c->functions);
    return c->section < c->image.n_sections;
}

void sd_blocks_of_image(struct sd_blocks *blocks, struct sd_decoder *decoder,
                        const struct sd_image *image)
{
    struct sd_cutter *c = sd_cutter_new(decoder, image);

    sd_cutter_next(c, blocks, SIZE_MAX);
    sd_cutter_free(c);
}

/* Appends a block, after decoding its instructions. */
static void add_code(struct sd_blocks *blocks, struct sd_decoder *decoder,
                     struct sd_block block)
{
    unsigned unit = sd_decoder_unit(decoder);
    struct sd_decoded insn;

    block.first = blocks->n_insns;
    block.is_first = true;
    for (size_t at = 0; at < block.size;) {
        if (sd_decode(decoder, block.bytes + at, block.size - at,
                      block.address + at, &insn)) {
            add_insn(blocks, insn);
            block.last = insn;
            block.n_insns++;
            at += insn.length;
        } else {
            block.status = SD_UNDECODABLE;
            at += unit;
        }
    }
    add_block(blocks, block);
}

void sd_blocks_add_bytes(struct sd_blocks *blocks, struct sd_decoder *decoder,
                         const uint8_t *bytes, size_t size,
                         const char *function, uint64_t salt)
{
    add_code(
        blocks, decoder,
        (struct sd_block){
            .bytes = bytes, .size = size, .function = function, .salt = salt});
}

bool sd_blocks_add_region(struct sd_blocks *blocks, struct sd_decoder *decoder,
                          const struct sd_image *image, struct sd_range range)
{
    struct sd_block block = {.address = range.start, .salt = range.start};
    struct sd_functions functions;
    const struct sd_section *s = image->sections;
    size_t i = 0;

    while (i < image->n_sections && range.start - s[i].address >= s[i].size)
        i++;
    if (i == image->n_sections || range.end <= range.start ||
        range.end - s[i].address > s[i].size)
        return false;
    block.size = range.end - range.start;
    block.bytes = s[i].bytes + (range.start - s[i].address);
    sd_functions_init(&functions, image);
    name_function(&block, &functions);
    sd_functions_fini(&functions);
    add_code(blocks, decoder, block);
    return true;
}

void sd_blocks_of_lines(struct sd_blocks *blocks, struct sd_decoder *decoder,
                        const struct hexcode *code)
{
    for (size_t i = 0; i < code->n_lines; i++) {
        const struct hexcode_line *line = &code->lines[i];

        if (line->bytes != NULL)
            sd_blocks_add_bytes(blocks, decoder, line->bytes, line->n,
                                line->name, line->number - 1);
        else
            add_block(blocks, (struct sd_block){.status = SD_NOT_HEX,
                                                .function = line->name});
    }
}

void sd_blocks_join(struct sd_blocks *blocks, struct sd_blocks *more)
{
    size_t first = blocks->n_insns;

    assert(blocks != more);
    if (blocks->n_blocks == 0) {
        sd_blocks_fini(blocks);
        *blocks = *more;
        *more = (struct sd_blocks){0};
        return;
    }
    array_reserve(blocks, insns, blocks->n_insns + more->n_insns);
    if (more->n_insns > 0)
        memcpy(blocks->insns + first, more->insns, more->n_insns);
    blocks->n_insns += more->n_insns;
    for (size_t i = 0; i < more->n_blocks; i++) {
        more->blocks[i].first += first;
        add_block(blocks, more->blocks[i]);
    }
    sd_blocks_fini(more);
}
