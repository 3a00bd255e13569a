/*
 * sd_blocks: executable bytes -> basic blocks.
 *
 * Code is found by a linear sweep that starts anew at every symbol, so data
 * between functions, or padding, derails it up to the next symbol at most.
 * A jump into the middle of an instruction cuts nothing, and the targets of
 * indirect jumps are not known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "sd_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sd_functions.h"

/* What is known of each byte of a section. */
enum {
    IS_INSN = 1,   /* an instruction begins here */
    IS_BAD = 2,    /* no instruction covers it */
    IS_LEADER = 4, /* a block begins here */
    IS_SYMBOL = 8
};

struct cutter {
    struct sd_blocks *blocks;
    struct sd_decoder *decoder;
    const struct sd_image *image;
    uint8_t **marks; /* by section; one more than its bytes */
    uint64_t *targets;
    size_t n_targets, targets_room;
};

void sd_blocks_init(struct sd_blocks *blocks)
{
    *blocks = (struct sd_blocks){0};
}

void sd_blocks_fini(struct sd_blocks *blocks)
{
    free(blocks->blocks);
    free(blocks->insns);
    *blocks = (struct sd_blocks){0};
}

static void add_insn(struct sd_blocks *blocks, const struct sd_decoded *insn)
{
    blocks->insns = memory_grow(blocks->insns, &blocks->insns_room,
                                blocks->n_insns, sizeof *blocks->insns);
    blocks->insns[blocks->n_insns++] =
        (uint8_t)(insn->length | (insn->has_no_effect ? SD_NO_EFFECT : 0));
}

static void add_block(struct sd_blocks *blocks, struct sd_block block)
{
    blocks->blocks = memory_grow(blocks->blocks, &blocks->blocks_room,
                                 blocks->n_blocks, sizeof *blocks->blocks);
    blocks->blocks[blocks->n_blocks++] = block;
}

static void mark_symbols(struct cutter *c)
{
    for (size_t i = 0; i < c->image->n_symbols; i++) {
        const struct sd_symbol *s = &c->image->symbols[i];
        size_t offset = s->address - c->image->sections[s->section].address;

        c->marks[s->section][offset] |= IS_LEADER | IS_SYMBOL;
    }
}

/* Decodes a section from its start.  No instruction reaches over a symbol. */
static void sweep(struct cutter *c, size_t section)
{
    const struct sd_section *s = &c->image->sections[section];
    uint8_t *marks = c->marks[section];
    size_t limit = 0;

    for (size_t at = 0; at < s->size;) {
        struct sd_decoded insn;

        if (limit <= at)
            for (limit = at + 1; limit < s->size; limit++)
                if (marks[limit] & IS_SYMBOL)
                    break;
        if (!sd_decode(c->decoder, s->bytes + at, limit - at, s->address + at,
                       &insn)) {
            marks[at++] |= IS_BAD;
            continue;
        }
        marks[at] |= IS_INSN;
        add_insn(c->blocks, &insn);
        at += insn.length;
        if (insn.ends_block)
            marks[at] |= IS_LEADER;
        if (!insn.has_target)
            continue;
        c->targets = memory_grow(c->targets, &c->targets_room, c->n_targets,
                                 sizeof *c->targets);
        c->targets[c->n_targets++] = insn.target;
    }
}

static void mark_targets(struct cutter *c)
{
    for (size_t i = 0; i < c->n_targets; i++)
        for (size_t k = 0; k < c->image->n_sections; k++) {
            const struct sd_section *s = &c->image->sections[k];
            uint64_t offset = c->targets[i] - s->address;

            if (offset < s->size && (c->marks[k][offset] & IS_INSN))
                c->marks[k][offset] |= IS_LEADER;
        }
}

/* Cuts a section; *insn is the number of its first instruction, and is left
   behind its last. */
static void cut(struct cutter *c, size_t section, size_t *insn)
{
    const struct sd_section *s = &c->image->sections[section];
    const uint8_t *marks = c->marks[section];
    size_t end;

    for (size_t start = 0; start < s->size; start = end) {
        struct sd_block block = {.address = s->address + start,
                                 .bytes = s->bytes + start,
                                 .first = *insn,
                                 .salt = s->address + start};
        bool is_bad = marks[start] & IS_BAD;

        if (is_bad)
            block.status = SD_UNDECODABLE;
        end = start;
        do {
            if (is_bad) {
                end++;
            } else {
                end += c->blocks->insns[(*insn)++] & (SD_NO_EFFECT - 1u);
                block.n_insns++;
            }
        } while (end < s->size && !(marks[end] & IS_LEADER) &&
                 is_bad == (bool)(marks[end] & IS_BAD));
        block.size = end - start;
        add_block(c->blocks, block);
    }
}

static void name_functions(struct sd_blocks *blocks, size_t first,
                           const struct sd_image *image)
{
    struct sd_functions functions;

    sd_functions_init(&functions, image);
    for (size_t i = first; i < blocks->n_blocks; i++)
        blocks->blocks[i].function =
            sd_functions_find(&functions, blocks->blocks[i].address);
    sd_functions_fini(&functions);
}

void sd_blocks_of_image(struct sd_blocks *blocks, struct sd_decoder *decoder,
                        const struct sd_image *image)
{
    struct cutter c = {.blocks = blocks, .decoder = decoder, .image = image};
    size_t first_block = blocks->n_blocks, insn = blocks->n_insns;

    c.marks = memory_new(image->n_sections, sizeof *c.marks);
    for (size_t i = 0; i < image->n_sections; i++)
        c.marks[i] = memory_new(image->sections[i].size + 1, 1);
    mark_symbols(&c);
    for (size_t i = 0; i < image->n_sections; i++)
        sweep(&c, i);
    mark_targets(&c);
    for (size_t i = 0; i < image->n_sections; i++)
        cut(&c, i, &insn);
    name_functions(blocks, first_block, image);
    for (size_t i = 0; i < image->n_sections; i++)
        free(c.marks[i]);
    free(c.marks);
    free(c.targets);
}

void sd_blocks_add_bytes(struct sd_blocks *blocks, struct sd_decoder *decoder,
                         const uint8_t *bytes, size_t size,
                         const char *function, uint64_t salt)
{
    struct sd_block block = {.bytes = bytes,
                             .size = size,
                             .first = blocks->n_insns,
                             .function = function,
                             .salt = salt};
    unsigned unit = sd_decoder_unit(decoder);
    struct sd_decoded insn;

    for (size_t at = 0; at < size;) {
        if (sd_decode(decoder, bytes + at, size - at, at, &insn)) {
            add_insn(blocks, &insn);
            block.n_insns++;
            at += insn.length;
        } else {
            block.status = SD_UNDECODABLE;
            at += unit;
        }
    }
    add_block(blocks, block);
}

void sd_blocks_add_broken(struct sd_blocks *blocks, enum sd_status status,
                          const char *function)
{
    add_block(blocks,
              (struct sd_block){.status = status, .function = function});
}

void sd_blocks_filter(struct sd_blocks *blocks,
                      bool (*wanted)(const struct sd_block *, const void *),
                      const void *argument)
{
    size_t n = 0;

    for (size_t i = 0; i < blocks->n_blocks; i++)
        if (wanted(&blocks->blocks[i], argument))
            blocks->blocks[n++] = blocks->blocks[i];
    blocks->n_blocks = n;
}
