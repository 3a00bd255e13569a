/*
 * ds_summary: the figures of a run, and where its time went.
 *
 * Accesses are not counted one by one: their number is that in the translation
 * of each instruction, times its executions.  An access that a condition or a
 * mask prevents counts as made; those of a segment that a fault ended early do
 * not count.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/ds_run.h"

#include "base/ds_memory.h"
#include "base/ds_options.h"
#include "count/ds_access.h"
#include "count/ds_clock.h"
#include "count/ds_deps.h"
#include "count/ds_segments.h"
#include "count/ds_shadow.h"
#include "record/ds_record.h"
#include "run/internal.h"

static ULong first_instruction; /* executed before this run began */
static ULong first_alias;       /* counted before this run began */

static enum ds_phase current;
static UInt since;            /* the start of the current phase, in ms */
static UInt times[DS_PHASES]; /* of the phases that have ended, in ms */

void ds_summary_phase(enum ds_phase phase)
{
    UInt now = VG_(read_millisecond_timer)();

    tl_assert(phase < DS_PHASES);
    times[current] += now - since;
    since = now;
    current = phase;
}

void ds_summary_restart(void)
{
    first_instruction = ds_clock_executed();
    first_alias = ds_alias_count();
    ds_summary_phase(DS_CLIENT);
    for (UInt i = 0; i < DS_PHASES; i++)
        times[i] = 0;
}

ULong ds_summary_instructions(void)
{
    tl_assert(ds_clock_executed() >= first_instruction);
    return ds_clock_executed() - first_instruction;
}

/* The sums of the segments' counts. */
struct work {
    ULong instructions, loads, stores;
};

static struct work recorded(void)
{
    struct work work = {0};
    const struct ds_segment *segment;
    SizeT cursor = 0;

    ds_record_settle();
    while ((segment = ds_segments_next(&cursor)) != NULL) {
        ULong n = segment->executions;

        work.instructions += n * segment->n_instructions;
        work.loads += n * segment->accesses.loads;
        work.stores += n * segment->accesses.stores;
    }
    return work;
}

static void print_aliases(UInt (*print)(const HChar *format, ...))
{
    tl_assert(ds_alias_count() >= first_alias);
    if (ds_alias_is_on())
        print(
            "aliases:       %'llu loads, of stores within %'llu instructions\n",
            ds_alias_count() - first_alias, ds_options.aliases);
}

void ds_summary_print(UInt (*print)(const HChar *format, ...))
{
    struct work work = recorded();

    print("instructions:  %'llu, %'llu recorded\n", ds_summary_instructions(),
          work.instructions);
    print("accesses:      %'llu loads, %'llu stores recorded\n", work.loads,
          work.stores);
    print("dependencies:  %'lu, %'llu occurrences\n", ds_deps_number(),
          ds_deps_total_of_all());
    print_aliases(print);
    print("shadow memory: %'lu KiB\n", ds_shadow_size() >> 10);
    print("all tables:    %'lu KiB\n", ds_memory_total() >> 10);
}

void ds_summary_print_times(UInt (*print)(const HChar *format, ...))
{
    static const HChar *const names[DS_PHASES] = {
        "start-up", "check of the database", "program", "write of the spool",
        "import"};

    ds_summary_phase(current);
    for (UInt i = 0; i < DS_PHASES; i++)
        print("time:          %u.%03u s %s\n", times[i] / 1000, times[i] % 1000,
              names[i]);
}

void ds_summary_end(void)
{
    if (VG_(clo_verbosity) == 1)
        print_aliases(VG_(umsg));
    if (VG_(clo_verbosity) < 2)
        return;
    ds_summary_print(VG_(umsg));
    ds_summary_print_times(VG_(umsg));
}
