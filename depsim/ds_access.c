/*
 * ds_access: what happens at each load and store.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_access.h"

#include "pub_tool_mallocfree.h"

#include "ds_near.h"
#include "ds_shadow.h"
#include "ds_threads.h"

struct ds_access *ds_access;

static struct ds_table table = {.allocate = ds_near_new};

static struct ds_load **remembering;
static SizeT n_remembering, n_room;

static ULong nothing; /* counts what is of no interest */

/* Stores from before `since` may be another thread's.  Times count from the
   epoch; before it were `past` instructions. */
static ULong since, past;

void ds_access_init(void)
{
    ds_access = ds_near_new(sizeof *ds_access);
    for (UInt i = 0; i < 3; i++)
        ds_access->known[i] = (DS_LINEAR_END - 1) & ~(((ULong)1 << i) - 1);
}

static void settle(struct ds_load *load)
{
    *load->counter += load->hits;
    load->hits = 0;
}

/* No entry is of this writer, so what it remembers never holds. */
static void forget(struct ds_load *load)
{
    load->base = 0 - ds_shadow_entry(DS_WRITER_NONE, 0);
    load->span = 0;
    load->counter = &nothing;
    load->is_remembering = False;
}

struct ds_load *ds_access_obtain(struct ds_site *site, SizeT n, UInt place,
                                 ULong n_before, ULong n_counted)
{
    struct ds_key key = {
        {site->reader.id, n_before << 32 | n_counted, n << 32 | place}};
    struct ds_load *load = ds_table_obtain(&table, key, sizeof *load);

    if (load->site == NULL) {
        load->site = site;
        load->n = n;
        load->n_before = n_before;
        load->n_behind = n_before - n_counted;
        forget(load);
    }
    return load;
}

void ds_access_settle(void)
{
    for (SizeT i = 0; i < n_remembering; i++)
        settle(remembering[i]);
}

void ds_access_forget(void)
{
    ds_access_settle();
    while (n_remembering > 0)
        forget(remembering[--n_remembering]);
}

void ds_access_turn(ULong n_past)
{
    ULong from = ds_threads_since();

    past = n_past;
    since = from > past ? from - past : 0;
}

static void remember(struct ds_load *load, ULong writer,
                     struct ds_deps_range range)
{
    load->base = range.first - ds_shadow_entry(writer, 0) - load->n_before;
    if (range.last > DS_TIME_LAST)
        range.last = DS_TIME_LAST;
    load->span = range.last - range.first;
    settle(load);
    load->counter = range.counter != NULL ? range.counter : &nothing;
    if (load->is_remembering)
        return;
    load->is_remembering = True;
    if (n_remembering == n_room) {
        n_room = n_room == 0 ? 4096 : 2 * n_room;
        remembering = VG_(realloc)("ds.access", remembering,
                                   n_room * sizeof *remembering);
    }
    remembering[n_remembering++] = load;
}

static struct ds_dep *dep_of(struct ds_site *site, UInt writer)
{
    struct ds_dep *dep = ds_deps_at_hand(&site->reader, writer);

    return dep != NULL ? dep : ds_deps_obtain(&site->reader, writer);
}

/* One occurrence.  False if nothing follows for others. */
static inline __attribute__((always_inline)) Bool
count(struct ds_dep *dep, ULong distance, ULong now,
      struct ds_deps_range *range)
{
    ULong own = now - since;

    *range = ds_deps_count(dep, distance);
    if (dep->cross_thread || range->counter == NULL)
        return True;
    if (distance > own) {
        dep->cross_thread = ds_threads_differ(past + now - distance);
        return dep->cross_thread;
    }
    if (range->last > own)
        range->last = own;
    return True;
}

static void load_any(Addr a, struct ds_load *load, ULong now)
{
    static struct ds_write found[DS_READ_MAX];
    UInt n_found = ds_shadow_read_any(a, load->n, now, found);
    struct ds_deps_range unused;

    for (UInt i = 0; i < n_found; i++)
        count(dep_of(load->site, found[i].writer), found[i].distance, now,
              &unused);
}

void ds_access_load(Addr a, struct ds_load *load)
{
    ULong now = ds_access->now + load->n_behind, entry;
    struct ds_deps_range range = {0, DS_TIME_LAST, NULL};
    UInt writer;

    if (UNLIKELY(!ds_shadow_read(a, load->n, &entry))) {
        load_any(a, load, now);
        return;
    }
    writer = (UInt)ds_shadow_writer(entry);
    if (writer == 0 || count(dep_of(load->site, writer),
                             now - ds_shadow_time(entry), now, &range))
        remember(load, writer, range);
}

void ds_access_missed(Addr a, ULong number)
{
    struct ds_load *load = ds_near_field(number);

    load->hits--;
    ds_access_load(a, load);
}

void ds_access_store(Addr a, SizeT n, ULong entry)
{
    ds_shadow_write(a, n, entry);
}

#define WIDTH(n)                               \
    static void store_##n(Addr a, ULong entry) \
    {                                          \
        ds_shadow_write(a, n, entry);          \
    }
WIDTH(1)
WIDTH(2)
WIDTH(4)
WIDTH(8)
WIDTH(16)
WIDTH(32)

ds_access_store_n ds_access_store_of(SizeT n)
{
    static const ds_access_store_n by_log[] = {store_1, store_2,  store_4,
                                               store_8, store_16, store_32};
    UInt log = 0;

    while ((SizeT)1 << log < n)
        log++;
    return (SizeT)1 << log == n && n <= 32 ? by_log[log] : NULL;
}
