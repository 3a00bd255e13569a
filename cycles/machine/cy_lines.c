/*
 * cy_lines: what fetching costs, by the lines of the code.
 *
 * A cache of decoded instructions gives those of a line in a cycle, if they
 * take no more than some places, and of the first line, if they take half as
 * many, together with the next one's.  A line with more places is dense, and
 * takes longer; less so after one that is not.  (Found on Zen 5 with loops of 7
 * to 191 instructions that begin at eight places of a line.)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cy_lines.h"

#include <assert.h>
#include <math.h>

static void end_line(struct cy_lines *l)
{
    double most = l->dispatch->line_places;
    bool is_dense = l->places > most,
         is_free = !l->is_begun && l->places <= most / 2;

    if (is_dense)
        l->cycles += l->dispatch->line_cycles - l->is_after_sparse;
    else if (!is_free)
        l->cycles++;
    l->is_after_sparse = !is_dense && !is_free;
    l->is_begun = true;
}

unsigned cy_lines_places(const struct cy_dispatch *d, unsigned uops)
{
    return d->line_places > 0 && uops == 2 ? 1 : uops;
}

void cy_lines_begin(struct cy_lines *l, const struct cy_dispatch *dispatch)
{
    assert(dispatch->line_places > 0);
    *l = (struct cy_lines){.dispatch = dispatch};
}

void cy_lines_add(struct cy_lines *l, uint64_t address, unsigned places)
{
    uint64_t line = address / CY_LINE;

    if (l->has_line && line != l->line) {
        end_line(l);
        l->places = 0;
    }
    l->has_line = true;
    l->line = line;
    l->places += places;
    l->all += places;
}

double cy_lines_end(struct cy_lines *l)
{
    if (l->has_line)
        end_line(l);
    return fmax(l->cycles, l->all / l->dispatch->width);
}
