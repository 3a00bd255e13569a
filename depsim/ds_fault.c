/*
 * ds_fault: did the program end in the middle of a superblock?
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_fault.h"

#include "ds_instrument.h"
#include "ds_segments.h"

static ULong settled; /* what the difference is between superblocks */

/* Instructions by segment, less those that were counted; modulo 2^64. */
static ULong difference(void)
{
    const struct ds_segment *segment;
    SizeT cursor = 0;
    ULong n = 0;

    while ((segment = ds_segments_next(&cursor)) != NULL)
        n += segment->executions * segment->n_instructions;
    return n - ds_instrument_executed();
}

void ds_fault_settle(void)
{
    settled = difference();
}

void ds_fault_finish(Addr address)
{
    if (difference() != settled)
        ds_instrument_fault(address);
}
