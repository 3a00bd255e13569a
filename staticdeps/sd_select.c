/*
 * sd_select: which blocks the user wants: --function, --range, --executed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "sd_select.h"

#include <inttypes.h>
#include <stdlib.h>

#include "memory.h"
#include "elf/sd_functions.h"

int sd_select_init(struct sd_select *select, const struct sd_options *options,
                   struct diag *d)
{
    *select = (struct sd_select){.options = options};
    select->is_found =
        memory_new(options->n_functions, sizeof *select->is_found);
    if (options->executed == NULL)
        return 0;
    select->executed = sd_executed_open(options->executed, d);
    return select->executed != NULL ? 0 : -1;
}

void sd_select_fini(struct sd_select *select)
{
    sd_executed_close(select->executed);
    free(select->is_found);
    *select = (struct sd_select){0};
}

/* What decides about one block. */
struct question {
    struct sd_select *select;
    struct sd_functions functions;
};

static bool is_in_function(const struct question *q,
                           const struct sd_block *block)
{
    const struct sd_options *o = q->select->options;
    bool is_in = o->n_functions == 0;

    for (size_t i = 0; i < o->n_functions; i++)
        if (sd_functions_match(&q->functions, o->functions[i], block->address))
            is_in = q->select->is_found[i] = true;
    return is_in;
}

static bool is_in_range(const struct question *q, const struct sd_block *block)
{
    const struct sd_options *o = q->select->options;

    if (!o->has_range)
        return true;
    if (block->address < o->range_start || block->address >= o->range_end)
        return false;
    return q->select->is_range_found = true;
}

static bool is_executed(const struct question *q, const struct sd_block *block)
{
    if (q->select->executed == NULL)
        return true;
    if (!sd_executed_in(q->select->executed, block->address,
                        block->address + block->size))
        return false;
    return q->select->is_executed_found = true;
}

/* Each is asked, so that each notes what it found. */
static bool is_wanted(const struct sd_block *block, const void *argument)
{
    const struct question *q = argument;
    bool in_function = is_in_function(q, block);
    bool in_range = is_in_range(q, block);

    return is_executed(q, block) && in_function && in_range;
}

int sd_select_apply(struct sd_select *select, const struct sd_image *image,
                    struct sd_blocks *blocks, struct diag *d)
{
    struct question q = {.select = select};

    if (select->options->n_functions == 0 && !select->options->has_range &&
        select->executed == NULL)
        return 0;
    if (select->executed != NULL &&
        sd_executed_read(select->executed, image->build_id, d) != 0)
        return -1;
    sd_functions_init(&q.functions, image);
    sd_blocks_filter(blocks, is_wanted, &q);
    sd_functions_fini(&q.functions);
    return 0;
}

int sd_select_check(const struct sd_select *select, struct diag *d)
{
    const struct sd_options *o = select->options;

    for (size_t i = 0; i < o->n_functions; i++)
        if (!select->is_found[i])
            return diag_set(d, "--function=%s: there is no such function",
                            o->functions[i]);
    if (o->has_range && !select->is_range_found)
        return diag_set(
            d, "--range=0x%" PRIx64 "-0x%" PRIx64 ": no block begins there",
            o->range_start, o->range_end);
    if (select->executed != NULL && !select->is_executed_found)
        return diag_set(d, "--executed=%s: nothing of these files ran there",
                        o->executed);
    return 0;
}
