/*
 * ds_segments: how often each straight-line run of instructions was executed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_segments.h"

static struct ds_table table;

struct ds_segment *ds_segments_obtain(UInt object, Addr start, Addr end)
{
    return ds_table_obtain(&table, (struct ds_key){{object, start, end}},
                           sizeof(struct ds_segment));
}

const struct ds_segment *ds_segments_next(SizeT *cursor)
{
    return ds_table_next(&table, cursor);
}

void ds_segments_keep(void)
{
    SizeT cursor = 0;
    struct ds_segment *segment;

    while ((segment = ds_table_next(&table, &cursor)) != NULL)
        segment->kept = segment->executions;
}

void ds_segments_drop(void)
{
    SizeT cursor = 0;
    struct ds_segment *segment;

    while ((segment = ds_table_next(&table, &cursor)) != NULL)
        segment->executions = segment->kept;
}

void ds_segments_reset(void)
{
    SizeT cursor = 0;
    struct ds_segment *segment;

    while ((segment = ds_table_next(&table, &cursor)) != NULL)
        segment->executions = segment->kept = 0;
}
