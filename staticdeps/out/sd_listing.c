/*
 * sd_listing: a block's disassembly with an arrow for each dependency.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_listing.h"

#include <inttypes.h>

#define INDENT "    "

/* What the arrow of a dependency looks like beside instruction `row`. */
static char mark(const struct sd_dep *dep, uint32_t row)
{
    bool is_below_src = row > dep->src, is_above_dst = row < dep->dst;

    if (row == dep->src)
        return row == dep->dst ? '@' : 'o';
    if (row == dep->dst)
        return '>';
    if (dep->delta_k > 0)
        return is_below_src || is_above_dst ? '|' : ' ';
    return is_below_src && is_above_dst ? '|' : ' ';
}

/* Two columns at least: those of a number of one digit, and a space. */
static int width_of(const struct sd_dep *dep)
{
    int width = 2;

    for (uint32_t n = dep->delta_k; n >= 10; n /= 10)
        width++;
    return width;
}

static int address_width(const struct sd_block *block)
{
    char text[20];
    int n =
        snprintf(text, sizeof text, "%" PRIx64, block->address + block->size);

    return n < 7 ? 7 : n; /* "delta_k" */
}

void sd_listing_print(FILE *out, struct sd_decoder *decoder,
                      const struct sd_block *block, const uint8_t *insns,
                      sd_listing_dep *dep, const void *deps, size_t n_deps)
{
    size_t n_columns =
        n_deps < SD_LISTING_COLUMNS ? n_deps : SD_LISTING_COLUMNS;
    int margin = address_width(block);
    uint64_t offset = 0;

    fprintf(out, INDENT "%-*s ", margin, "delta_k");
    for (size_t i = 0; i < n_columns; i++)
        fprintf(out, "%*" PRIu32, width_of(dep(deps, i)),
                dep(deps, i)->delta_k);
    putc('\n', out);
    for (uint32_t row = 0; row < block->n_insns; row++) {
        unsigned length = insns[row] & (SD_NO_EFFECT - 1u);
        char text[160];

        sd_decode_text(decoder, block->bytes + offset, length,
                       block->address + offset, text, sizeof text);
        fprintf(out, INDENT "%-*" PRIx64 " ", margin, block->address + offset);
        for (size_t i = 0; i < n_columns; i++)
            fprintf(out, "%*c", width_of(dep(deps, i)),
                    mark(dep(deps, i), row));
        fprintf(out, "  %s\n", text);
        offset += length;
    }
}
