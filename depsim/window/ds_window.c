/*
 * A window consists of executions of superblocks in the recorded form.  Each
 * says where it begins (ds_window_enter); the clock says how many of its
 * instructions were executed when it is left, and the scheduler of the core
 * always gets control there (ds_valgrind_is_recorded).  If the clock shows
 * something else than after the last execution, then other code was executed in
 * between, and the window ends early.
 *
 * A window belongs to one thread.  While another one runs, the window waits;
 * when others have recorded as much as a window is long, it ends early.  It
 * also waits while recording is off, however long that is, so windows lie
 * evenly over what is recorded, and show nothing else, even if each recorded
 * part is much shorter than a window.
 *
 * Limits: recording mostly begins and ends where a superblock begins.
 * Elsewhere, one in which it ends is in the window as a whole, and one in which
 * it begins ends the window early.  Functions that the program replaces or
 * wraps by means of Valgrind are executed without windows.  An instruction that
 * faults is not in the window; the handler's instructions follow.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/ds_window.h"

#include "base/ds_memory.h"
#include "count/ds_access.h"
#include "count/ds_clock.h"
#include "count/ds_shadow.h"
#include "window/ds_lead.h"
#include "window/ds_reuse.h"

/* Windows that lie evenly over a run whose length nobody knows.

   The run is divided into intervals of equal length.  Each has one window, at a
   place that is drawn, so that a rhythm of the program is not always seen in
   the same phase.  When there are too many, two intervals become one, and which
   of their windows stays is drawn, too: so each place of an interval is as
   probable as before.  At the end there are at least half as many windows as
   were asked for, unless the run was too short.

   Draws depend on nothing but the seed and the interval, so two runs of a
   program that does the same have the same windows.  Each forked child has a
   seed of its own: children that do the same show different places.

   Limits: a window that is recorded until after the next one was to begin (a
   thread that waits for another) takes its place; there is none then. */

/* SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
   Generators). */
static ULong mix(ULong z)
{
    z += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static ULong drawn(const struct ds_sampler *s, UInt interval)
{
    return mix(mix(s->interval + s->seed) + interval);
}

void ds_sampler_init(struct ds_sampler *s, UInt n_most, UInt length,
                     ULong interval, ULong seed)
{
    tl_assert(n_most >= 1 && length >= 1 && interval >= length);
    s->n_most = n_most + n_most % 2;
    s->length = length;
    s->interval = interval;
    s->seed = seed;
    s->next = 0;
}

ULong ds_sampler_seed(const struct ds_sampler *s, UInt child)
{
    return mix(s->seed + child);
}

ULong ds_sampler_begin(const struct ds_sampler *s)
{
    ULong room = s->interval - s->length + 1;

    return s->next * s->interval + drawn(s, s->next) % room;
}

static void halve(struct ds_sampler *s, void (*merge)(UInt, UInt, UInt))
{
    for (UInt i = 0; i < s->n_most / 2; i++) {
        UInt second = (UInt)(drawn(s, 2 * i) >> 63);

        merge(i, 2 * i + second, 2 * i + 1 - second);
    }
    s->interval *= 2;
}

void ds_sampler_advance(struct ds_sampler *s, ULong now,
                        void (*merge)(UInt to, UInt keep, UInt drop))
{
    ULong next = s->next + 1;

    if (next < now / s->interval)
        next = now / s->interval;
    while (next >= s->n_most) {
        halve(s, merge);
        next = (next + 1) / 2;
    }
    s->next = (UInt)next;
    if (ds_sampler_begin(s) < now)
        ds_sampler_advance(s, now, merge);
}

#define NEVER (~(ULong)0)

/* A window that its thread's end makes shorter than this part of its length is
   dropped: windows stand for equal shares, however long they are, and few
   instructions would stand for too many. */
#define LEAST 4

struct ds_window *ds_window;

static struct ds_sampler sampler;
static ULong first_interval;
static UInt n_children;      /* children that this process has forked */
static struct ds_kept *kept; /* by interval; none is n_kept or higher */
static SizeT n_kept;

/* Times here are counts (ds_clock); only the sampler's times count recorded
   instructions alone. */
static Bool is_on; /* recording is on */
static ULong from; /* the timestamp to record from; NEVER: not at all */
static ThreadId running;

/* The window that is being recorded. */
static struct {
    Bool is_open;
    ThreadId thread;
    UInt number; /* the thread's number in the database */
    ULong start;
    ULong next;         /* the time of its next instruction */
    struct ds_way *way; /* the superblock that is running, or NULL */
    Bool waits;         /* because another thread runs, or recording is off */
    ULong waits_from, recorded; /* when the wait began */
    Bool is_off;                /* its own thread runs, but is not recorded */
    ULong off_from;
    Bool is_apart; /* it executed other code after the last superblock */
    UInt instructions;
    struct ds_bytes reuse, lead; /* of the database */
    struct ds_run_of_way *runs;
    ULong *addresses;
    SizeT n_runs, runs_room, n_addresses, addresses_room;
} now;

/* The running superblock that no window has; NULL: there is none. */
static struct ds_way *passing;
static ULong passing_from; /* the count when it began */
static ULong *trash;       /* for its addresses */
static SizeT trash_room;

/* Tells translated code when superblocks are to be recorded. */
static void set_from(ULong count)
{
    from = count;
    ds_window->from = count == NEVER ? NEVER : ds_clock_time(count);
}

static void wait_for_next(void)
{
    ULong n_off = ds_clock_executed() - ds_clock_recorded();

    set_from(is_on ? ds_sampler_begin(&sampler) + n_off : NEVER);
}

void ds_window_init(UInt n, UInt length, ULong apart)
{
    tl_assert(ds_window == NULL);
    if (n == 0)
        return;
    ds_window = ds_arena_new(sizeof *ds_window);
    ds_lead_init();
    ds_reuse_init();
    ds_access_touches = True;
    ds_window->touches = (Addr)ds_reuse_touches[DS_DATA];
    ds_window->lines = (DS_LINEAR_END - 1) & ~(Addr)(DS_REUSE_LINE - 1);
    first_interval = length * apart;
    ds_sampler_init(&sampler, n, length, first_interval, 0);
    set_from(NEVER);
}

static struct ds_kept *kept_of(UInt interval)
{
    SizeT n = n_kept;

    kept = ds_memory_grow(kept, &n_kept, interval, sizeof *kept);
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

/* Ends the window, and keeps it if it has at least so many instructions. */
static void end_window(UInt least)
{
    tl_assert(now.is_open && now.way == NULL);
    if (now.instructions > 0 && now.instructions >= least) {
        struct ds_kept *k = kept_of(sampler.next);

        *k = (struct ds_kept){.thread = now.number,
                              .start = now.start,
                              .instructions = now.instructions,
                              .reuse = now.reuse,
                              .lead = now.lead};
        ds_encode(k, now.runs, now.n_runs, now.addresses);
        now.reuse = now.lead = (struct ds_bytes){0};
    }
    VG_(free)(now.lead.bytes);
    now.lead = (struct ds_bytes){0};
    now.is_open = False;
    ds_lead_forget();
    ds_sampler_advance(&sampler, ds_clock_recorded(), merge);
    wait_for_next();
}

static void begin_window(const struct ds_way *way)
{
    now.is_open = True;
    now.waits = now.is_off = now.is_apart = False;
    now.thread = running;
    now.number = (UInt)ds_threads_number(running);
    now.start = now.next = ds_clock_executed();
    now.instructions = 0;
    now.n_runs = now.n_addresses = 0;
    now.reuse.n = 0;
    now.lead = ds_lead_take((struct ds_lead_start){
        way->superblock, way->pieces[0].object, way->pieces[0].start});
    ds_reuse_begin(ds_clock_time(now.start));
    set_from(0);
}

/* The running superblock's accesses put their addresses where those of the
   window end. */
static void begin_run(struct ds_way *way)
{
    SizeT n = now.n_addresses + way->n_accesses;

    now.addresses = ds_memory_grow(now.addresses, &now.addresses_room, n,
                                   sizeof *now.addresses);
    for (SizeT i = now.n_addresses; i < n; i++)
        now.addresses[i] = DS_NOT_DONE;
    ds_window->into = (Addr)(now.addresses + now.n_addresses);
    now.way = way;
}

/* Has addresses go to `trash`, which has room for those of any superblock. */
static void drop_addresses(struct ds_way *way, ULong count)
{
    trash =
        ds_memory_grow(trash, &trash_room, ds_way_most_accesses, sizeof *trash);
    for (UInt i = 0; i < way->n_accesses; i++)
        trash[i] = DS_NOT_DONE;
    ds_window->into = (Addr)trash;
    passing = way;
    passing_from = count;
}

void ds_window_enter(struct ds_way *way)
{
    ULong count = ds_clock_executed();

    tl_assert(now.way == NULL && passing == NULL);
    ds_access_touches = False;
    if (now.is_open && (now.waits ? count >= from : count != now.next))
        end_window(1);
    if (!now.is_open && count >= from)
        begin_window(way);
    if (now.is_open && !now.waits)
        begin_run(way);
    else
        drop_addresses(way, count);
}

/* Makes the open window wait, or not, and sets when the next superblock is to
   be recorded: the epoch of times may have moved, too. */
static void go_on(void)
{
    ULong count = ds_clock_executed(), recorded = ds_clock_recorded();
    Bool waits = !is_on || running != now.thread;

    if (!now.is_open) {
        wait_for_next();
        return;
    }
    if (now.way != NULL)
        return; /* nothing changes until the superblock is left */
    now.is_apart |= now.is_off && count > now.off_from && now.instructions > 0;
    now.is_off = !is_on && running == now.thread;
    now.off_from = count;
    if (waits && !now.waits) {
        ds_reuse_mix();
        now.waits_from = count;
        now.recorded = recorded;
    }
    if (!waits && now.waits)
        now.next += count - now.waits_from;
    now.waits = waits;
    set_from(!waits  ? 0
             : is_on ? count - (recorded - now.recorded) + sampler.length
                     : NEVER);
}

/* A superblock that began at a count is left after n instructions, of which the
   window has the first n_in_window. */
static void touch_piece(const struct ds_way *way, const struct ds_piece *piece,
                        const ULong *addresses, ULong count, ULong n,
                        ULong n_in_window)
{
    Addr a = piece->start + piece->bias;
    UInt access = piece->first_access;

    for (UInt i = piece->first_insn;
         i < piece->first_insn + piece->n_insns && i < n; i++) {
        struct ds_bytes *to = i < n_in_window ? &now.reuse : NULL;
        ULong time = ds_clock_time(count + i);
        UInt end = access + way->insns[i].n_accesses;

        ds_reuse_touch(DS_CODE, a,
                       ds_reuse_code(piece->object, a - piece->bias),
                       way->insns[i].size, time, to);
        for (; access < end; access++)
            if (addresses[access] != DS_NOT_DONE)
                ds_reuse_touch(DS_DATA, addresses[access], addresses[access],
                               way->accesses[access].kind / 2, time, to);
        a += way->insns[i].size;
    }
}

static void touch(const struct ds_way *way, const ULong *addresses, ULong count,
                  ULong n, ULong n_in_window)
{
    tl_assert(n_in_window <= n && n <= way->n_insns);
    for (UInt i = 0; i < way->n_pieces; i++)
        touch_piece(way, &way->pieces[i], addresses, count, n, n_in_window);
}

static void add_run(struct ds_run_of_way run)
{
    now.runs =
        ds_memory_grow(now.runs, &now.runs_room, now.n_runs, sizeof *now.runs);
    now.runs[now.n_runs++] = run;
    now.n_addresses += ds_way_n_accesses(run.way, run.n);
    now.instructions += run.n;
    now.is_apart = False;
}

void ds_window_left(void)
{
    struct ds_run_of_way run = {.way = now.way, .is_apart = now.is_apart};
    ULong n;

    ds_access_touches = True;
    if (passing != NULL)
        touch(passing, trash, passing_from, ds_clock_executed() - passing_from,
              0);
    passing = NULL;
    if (now.way == NULL)
        return;
    now.way = NULL;
    n = ds_clock_executed() - now.next;
    run.n = sampler.length - now.instructions;
    if (run.n > n)
        run.n = (UInt)n;
    touch(run.way, now.addresses + now.n_addresses, now.next, n, run.n);
    now.next += n;
    if (run.n > 0)
        add_run(run);
    if (now.instructions == sampler.length)
        end_window(1);
    else if (now.waits || now.is_off || !is_on || running != now.thread)
        go_on();
}

Bool ds_window_goes_on(void)
{
    ds_window_left();
    return now.is_open && !now.waits && from == 0;
}

void ds_window_record(Bool on)
{
    if (ds_window == NULL)
        return;
    is_on = on;
    go_on();
}

void ds_window_resume(ThreadId tid)
{
    if (ds_window == NULL)
        return;
    if (tid != running)
        ds_lead_forget();
    running = tid;
    go_on();
}

void ds_window_settle(void)
{
    if (now.is_open && now.way == NULL)
        end_window(sampler.length / LEAST);
}

void ds_window_end_thread(ThreadId tid)
{
    if (tid == now.thread)
        ds_window_settle();
}

void ds_window_forked(void)
{
    n_children++;
}

void ds_window_reset(void)
{
    if (ds_window == NULL)
        return;
    for (UInt i = 0; i < n_kept; i++)
        ds_kept_fini(&kept[i]);
    VG_(free)(now.lead.bytes);
    now.lead = (struct ds_bytes){0};
    ds_lead_forget();
    now.is_open = False;
    now.way = passing = NULL;
    ds_sampler_init(&sampler, sampler.n_most, sampler.length, first_interval,
                    ds_sampler_seed(&sampler, n_children + 1));
    n_children = 0;
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
