/*
 * ds_window: records windows.
 *
 * A window consists of executions of superblocks in the recorded form.  Each
 * says where it begins (ds_window_enter); the clock says how many of its
 * instructions were executed when it is left, and the scheduler of the core
 * always gets control there (ds_valgrind_is_recorded).  If the clock shows
 * something else than after the last one, then other code was executed in
 * between, and the window ends early.
 *
 * A window belongs to one thread.  While another one runs, the window waits;
 * when that one has executed as much as a window is long, it ends early.
 *
 * Limits: functions that the program replaces or wraps by means of Valgrind are
 * executed without windows.  An instruction that faults is not in the window;
 * the handler's instructions follow.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/ds_clock.h"
#include "count/ds_shadow.h"
#include "window/internal.h"

#define NEVER (~(ULong)0)

struct ds_window *ds_window;

static struct ds_sampler sampler;
static ULong first_interval;
static struct ds_kept *kept; /* by interval; none is n_kept or higher */
static SizeT n_kept;

/* Times here are counts (ds_clock). */
static Bool is_on;     /* recording */
static ULong n_off;    /* instructions while recording was off */
static ULong off_from; /* the time since when it is off, if it is */
static ULong from;     /* when a superblock is to be recorded; or NEVER */
static ThreadId running;

/* The window that is being recorded. */
static struct {
    Bool is_open;
    ThreadId thread;
    UInt number; /* of the thread, in the database */
    ULong start;
    ULong next;         /* when its next instruction is executed */
    struct ds_way *way; /* that is running, or NULL */
    Bool waits;         /* since another thread runs */
    ULong waits_from;
    UInt instructions;
    struct ds_run_of_way *runs;
    ULong *addresses;
    SizeT n_runs, runs_room, n_addresses, addresses_room;
} now;

static ULong *trash; /* for addresses of what is not recorded */
static UInt trash_room;

static void *grown(void *array, SizeT *room, SizeT n, SizeT size)
{
    if (n <= *room)
        return array;
    *room = 2 * n + 64;
    return VG_(realloc)("ds.window", array, *room * size);
}

/* Tells translated code when superblocks are to be recorded. */
static void set_from(ULong count)
{
    from = count;
    ds_window->from = count == NEVER ? NEVER : ds_clock_time(count);
}

static void wait_for_next(void)
{
    set_from(is_on ? ds_sampler_begin(&sampler) + n_off : NEVER);
}

void ds_window_init(UInt n, UInt length, ULong apart)
{
    tl_assert(ds_window == NULL);
    if (n == 0)
        return;
    ds_window = ds_arena_new(sizeof *ds_window);
    first_interval = length * apart;
    ds_sampler_init(&sampler, n, length, first_interval);
    set_from(NEVER);
}

static struct ds_kept *kept_of(UInt interval)
{
    SizeT n = n_kept;

    kept = grown(kept, &n_kept, (SizeT)interval + 1, sizeof *kept);
    for (; n < n_kept; n++)
        kept[n] = (struct ds_kept){0};
    return &kept[interval];
}

static void merge(UInt to, UInt keep, UInt drop)
{
    struct ds_kept stays;

    if (kept_of(keep)->instructions == 0) {
        UInt other = keep;

        keep = drop;
        drop = other;
    }
    ds_kept_fini(kept_of(drop));
    stays = *kept_of(keep);
    kept[keep] = (struct ds_kept){0};
    *kept_of(to) = stays;
}

static void end_window(void)
{
    ULong count = ds_clock_executed();

    tl_assert(now.is_open && now.way == NULL);
    if (now.instructions > 0) {
        struct ds_kept *k = kept_of(sampler.next);

        *k = (struct ds_kept){.thread = now.number,
                              .start = now.start,
                              .instructions = now.instructions};
        ds_encode(k, now.runs, now.n_runs, now.addresses);
    }
    now.is_open = False;
    ds_sampler_advance(&sampler, (is_on ? count : off_from) - n_off, merge);
    wait_for_next();
}

static void begin_window(void)
{
    now.is_open = True;
    now.waits = False;
    now.thread = running;
    now.number = (UInt)ds_threads_number(running);
    now.start = now.next = ds_clock_executed();
    now.instructions = 0;
    now.n_runs = now.n_addresses = 0;
    set_from(0);
}

/* The running superblock's accesses put their addresses where those of the
   window end. */
static void begin_run(struct ds_way *way)
{
    SizeT n = now.n_addresses + way->n_accesses;

    now.addresses =
        grown(now.addresses, &now.addresses_room, n, sizeof *now.addresses);
    for (SizeT i = now.n_addresses; i < n; i++)
        now.addresses[i] = DS_NOT_DONE;
    ds_window->into = (Addr)(now.addresses + now.n_addresses);
    now.way = way;
}

/* There is room for as many addresses as any superblock has. */
static void drop_addresses(void)
{
    if (trash_room < ds_way_most_accesses) {
        trash_room = ds_way_most_accesses;
        trash = VG_(realloc)("ds.window", trash, trash_room * sizeof *trash);
    }
    ds_window->into = (Addr)trash;
}

void ds_window_enter(struct ds_way *way)
{
    ULong count = ds_clock_executed();

    tl_assert(now.way == NULL);
    if (now.is_open &&
        (running == now.thread ? count != now.next : count >= from))
        end_window();
    if (!now.is_open && count >= from)
        begin_window();
    if (now.is_open && running == now.thread)
        begin_run(way);
    else
        drop_addresses();
}

void ds_window_left(void)
{
    struct ds_run_of_way run = {.way = now.way};
    ULong n;

    if (now.way == NULL)
        return;
    now.way = NULL;
    n = ds_clock_executed() - now.next;
    tl_assert(n <= run.way->n_insns);
    now.next += n;
    if (n > sampler.length - now.instructions)
        n = sampler.length - now.instructions;
    run.n = (UInt)n;
    now.runs =
        grown(now.runs, &now.runs_room, now.n_runs + 1, sizeof *now.runs);
    now.runs[now.n_runs++] = run;
    now.n_addresses += ds_way_n_accesses(run.way, run.n);
    now.instructions += run.n;
    if (now.instructions == sampler.length)
        end_window();
}

void ds_window_record(Bool on)
{
    ULong count;

    if (ds_window == NULL || on == is_on)
        return;
    count = ds_clock_executed();
    is_on = on;
    if (on)
        n_off += count - off_from;
    else
        off_from = count;
    if (!now.is_open)
        wait_for_next();
}

static void wait(Bool waits)
{
    ULong count = ds_clock_executed();

    if (waits == now.waits)
        return;
    now.waits = waits;
    if (waits) {
        tl_assert(now.way == NULL);
        now.waits_from = count;
        set_from(count + sampler.length);
    } else {
        now.next += count - now.waits_from;
        set_from(0);
    }
}

void ds_window_resume(ThreadId tid)
{
    if (ds_window == NULL)
        return;
    running = tid;
    if (now.is_open)
        wait(tid != now.thread);
    set_from(from); /* the epoch may have moved */
}

void ds_window_end_thread(ThreadId tid)
{
    if (now.is_open && tid == now.thread && now.way == NULL)
        end_window();
}

void ds_window_settle(void)
{
    if (now.is_open && now.way == NULL)
        end_window();
}

void ds_window_reset(void)
{
    if (ds_window == NULL)
        return;
    for (UInt i = 0; i < n_kept; i++)
        ds_kept_fini(&kept[i]);
    now.is_open = False;
    now.way = NULL;
    ds_sampler_init(&sampler, sampler.n_most, sampler.length, first_interval);
    n_off = ds_clock_executed();
    off_from = n_off;
    wait_for_next();
}

UInt ds_window_number(void)
{
    return (UInt)n_kept;
}

const struct ds_kept *ds_window_get(UInt i)
{
    tl_assert(i < ds_window_number());
    return kept[i].instructions > 0 ? &kept[i] : NULL;
}
