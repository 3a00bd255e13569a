/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/ds_segments.h"

#include "base/ds_memory.h"
#include "count/ds_shadow.h"

static struct ds_table table, parts = {.allocate = ds_arena_new};

/* The part made last, whose address is the lowest. */
static struct ds_part *last;

static ULong n_forgotten; /* instructions */

struct ds_segment *ds_segments_obtain(UInt object, Addr start,
                                      const UChar *sizes, UInt n)
{
    struct ds_segment *segment;
    Addr end = start;

    tl_assert(n >= 1 && n <= DS_SEGMENT_MAX);
    for (UInt i = 0; i < n; i++) {
        tl_assert(sizes[i] > 0);
        end += sizes[i];
    }
    segment = ds_table_obtain(&table, (struct ds_key){{object, start, end}},
                              sizeof *segment);
    if (segment->sizes == NULL) {
        UChar *copy = ds_memory_new(n);

        for (UInt i = 0; i < n; i++)
            copy[i] = sizes[i];
        segment->sizes = copy;
        segment->n_instructions = n;
    }
    return segment;
}

struct ds_part *ds_segments_part(struct ds_segment *segment, UInt superblock,
                                 ULong n_before)
{
    struct ds_part *part = ds_table_obtain(
        &parts, (struct ds_key){{(Addr)segment, superblock, n_before}},
        sizeof *part);

    tl_assert(superblock != 0 && n_before < DS_SEGMENT_MAX);
    tl_assert(part->segment == NULL || part->segment == segment);
    if (part->segment == NULL) {
        part->segment = segment;
        part->n_before = n_before;
        part->older = last;
        last = part;
    }
    return part;
}

void ds_segments_settle(void)
{
    for (struct ds_part *part = last; part != NULL; part = part->older) {
        tl_assert(part->collected <= part->executions);
        part->segment->executions += part->executions - part->collected;
        part->collected = part->executions;
    }
}

UInt ds_segments_interrupt(struct ds_part *part, Addr address)
{
    struct ds_segment *segment = part->segment;
    Addr start = segment->key.word[1], at = start;
    UInt n = 0;

    tl_assert(part->executions > 0);
    while (n < segment->n_instructions && at != address)
        at += segment->sizes[n++];
    tl_assert(n < segment->n_instructions || at == segment->key.word[2]);
    if (n == segment->n_instructions)
        return n;
    segment->executions--;
    if (n > 0)
        ds_segments_obtain((UInt)segment->key.word[0], start, segment->sizes, n)
            ->executions++;
    return n;
}

const struct ds_segment *ds_segments_next(SizeT *cursor)
{
    return ds_table_next(&table, cursor);
}

/* What a rollback goes back to: all executions so far, or none. */
static void keep(Bool all)
{
    SizeT cursor = 0;
    struct ds_segment *segment;

    ds_segments_settle();
    while ((segment = ds_table_next(&table, &cursor)) != NULL)
        segment->kept = all ? segment->executions : 0;
}

void ds_segments_checkpoint(void)
{
    keep(True);
}

void ds_segments_rollback(void)
{
    SizeT cursor = 0;
    struct ds_segment *segment;

    ds_segments_settle();
    while ((segment = ds_table_next(&table, &cursor)) != NULL) {
        n_forgotten +=
            (segment->executions - segment->kept) * segment->n_instructions;
        segment->executions = segment->kept;
    }
}

void ds_segments_reset(void)
{
    keep(False);
    ds_segments_rollback();
}

ULong ds_segments_instructions(void)
{
    SizeT cursor = 0;
    const struct ds_segment *segment;
    ULong n = n_forgotten;

    ds_segments_settle();
    while ((segment = ds_table_next(&table, &cursor)) != NULL)
        n += segment->executions * segment->n_instructions;
    return n;
}
