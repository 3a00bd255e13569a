/*
 * cc_html_find: which blocks the page shows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "html/cc_html.h"

#define MOST_BYTES 600000 /* of all blocks, about */

/* How long a block becomes, with its rows and arcs, at most or nearly so. */
static size_t estimate_bytes(const struct cc_data *data,
                             const struct cc_arc_block *b)
{
    uint64_t n_rows = data->blocks[b->block].n_instructions;
    size_t n_arcs = 0;

    for (int kind = 0; kind < CC_ARC_KINDS; kind++)
        n_arcs +=
            b->n_kind[kind] < CC_HTML_ARCS ? b->n_kind[kind] : CC_HTML_ARCS;
    if (n_rows > 60 + 8 * n_arcs)
        n_rows = 60 + 8 * n_arcs;
    return 2000 + (size_t)n_rows * 200 + n_arcs * 700;
}

struct cc_arc_blocks cc_html_find_blocks(const struct cc_data *data)
{
    struct cc_arc_blocks found = cc_arcs_find(data, data->n_blocks);
    size_t n = 0, bytes = 0;

    for (; n < found.n; n++) {
        bytes += estimate_bytes(data, &found.blocks[n]);
        if (n >= CC_HTML_OPEN && bytes > MOST_BYTES)
            break;
    }
    for (size_t i = n; i < found.n; i++)
        free(found.blocks[i].arcs);
    found.n_more = found.n - n;
    found.n = n;
    return found;
}
