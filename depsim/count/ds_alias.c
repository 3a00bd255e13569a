/*
 * ds_alias: loads that a processor may take for dependent on a store that wrote
 * elsewhere.
 *
 * Processors compare the low 12 bits of addresses first.  A load *aliases* if
 * the last store to one of its bytes, as far as these bits tell, is at most a
 * window of instructions old and wrote to another page.  So a table with the
 * last store for each of the 4,096 places of a page is enough.
 *
 * Limits: the stores of all threads are one sequence.  What the kernel writes
 * is no store.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/ds_access.h"

#include "base/ds_arch.h"
#include "base/ds_memory.h"
#include "count/ds_clock.h"

#define PAGE 4096

/* The last store to a place: `time` is the count (ds_clock) plus 1; 0: none. */
struct last {
    ULong page, time;
};

static struct last *table; /* PAGE of them; NULL: it is off */
static ULong window, n_aliased;
static Bool is_recording;

void ds_alias_init(ULong n)
{
    tl_assert(table == NULL);
    window = n;
    if (n > 0)
        table = ds_memory_new(PAGE * sizeof *table);
}

Bool ds_alias_is_on(void)
{
    return table != NULL;
}

void ds_alias_record(Bool on)
{
    is_recording = on;
}

static ULong time_of(ULong ahead)
{
    return ds_clock_executed() + ahead + 1;
}

void ds_alias_store(Addr a, SizeT n, ULong ahead)
{
    ULong time = time_of(ahead);

    tl_assert(table != NULL);
    a = ds_arch_untagged(a);
    for (Addr at = a; at < a + n; at++)
        table[at % PAGE] = (struct last){at / PAGE, time};
}

void ds_alias_load(Addr a, SizeT n, ULong ahead)
{
    ULong time = time_of(ahead);

    tl_assert(table != NULL);
    if (!is_recording)
        return;
    a = ds_arch_untagged(a);
    for (Addr at = a; at < a + n; at++) {
        const struct last *last = &table[at % PAGE];

        if (last->time != 0 && last->page != at / PAGE &&
            time - last->time <= window) {
            n_aliased++;
            return;
        }
    }
}

ULong ds_alias_count(void)
{
    return n_aliased;
}
