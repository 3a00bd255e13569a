/*
 * A window consists of executions of superblocks of which traces tell what was
 * executed (ds_trace_shown).  If one begins at another time than that at which
 * the last execution ended, then other code was executed in between, and the
 * window ends early.
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

#include "count/ds_clock.h"
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

/* The most words of memory for what ran in windows until they are read; if they
   could take more, each is made at its end. */
#define WAITING ((SizeT)8 << 20)

struct ds_window *ds_window;

static struct ds_sampler sampler;
static ULong first_interval;
static UInt n_children; /* children that this process has forked */
/* By interval; none is n_kept or higher.  What is not kept has no instructions,
   and its memory is used again. */
static struct ds_kept *kept;
static SizeT n_kept;

/* Times here are counts (ds_clock); only the sampler's times count recorded
   instructions alone. */
static Bool is_on; /* recording is on */
static ULong from; /* the timestamp to record from; NEVER: not at all */
static ThreadId running;

/* The window that is being recorded. */
static struct ds_kept window;
static struct {
    Bool is_open;
    ThreadId thread;
    ULong next; /* the time of its next instruction */
    Bool waits; /* because another thread runs, or recording is off */
    ULong waits_from, recorded; /* when the wait began */
    Bool is_off;                /* its own thread runs, but is not recorded */
    ULong off_from;
    Bool is_apart; /* it executed other code after the last superblock */
} now;

/* The execution of a superblock that is being shown. */
static struct {
    struct ds_way *way; /* NULL: there is none */
    Bool is_in_window;
    ULong from;        /* the count when it began */
    UInt n, n_touches; /* what was shown: instructions, what they touch */
} shown;

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
    UInt place = kept_of(keep)->instructions == 0 ? drop : keep;
    struct ds_kept stays = *kept_of(place);

    kept_of(keep)->instructions = 0;
    kept_of(drop)->instructions = 0;
    kept[place] = kept[to]; /* which is not kept, but has memory */
    kept[to] = stays;
}

/* Ends the window before that time, which may be shown late, and keeps it if it
   has at least so many instructions. */
static void end_window(UInt least, ULong count)
{
    ULong n_late = is_on ? ds_clock_executed() - count : 0;

    tl_assert(now.is_open && shown.way == NULL);
    if (window.instructions > 0 && window.instructions >= least) {
        struct ds_kept *k = kept_of(sampler.next), before = *k;

        *k = window;
        window = before;
        if (sampler.n_most * (SizeT)(DS_LEAD + sampler.length) > WAITING) {
            ds_encode(k);
            window.ran = k->ran;
            k->ran = (struct ds_ran){0};
        }
    }
    now.is_open = False;
    ds_lead_forget();
    ds_sampler_advance(&sampler, ds_clock_recorded() - n_late, merge);
    wait_for_next();
}

static void begin_window(const struct ds_way *way, ULong count)
{
    struct ds_lead_start next = {way->superblock, way->pieces[0].object,
                                 way->pieces[0].start};

    now.is_open = True;
    now.waits = now.is_off = now.is_apart = False;
    now.thread = running;
    now.next = count;
    VG_(free)(window.lead.bytes);
    window.lead = (struct ds_bytes){0};
    window.path.n = window.accesses.n = window.gaps.n = 0;
    window.reuse.n = window.ran.n_runs = window.ran.n_addresses = 0;
    window.instructions = 0;
    window.thread = (UInt)ds_threads_number(running);
    window.start = count;
    ds_lead_take(&window.ran.before, next, ds_clock_time(count));
    ds_reuse_begin(ds_clock_time(count));
    set_from(0);
}

static void enter(struct ds_way *way, ULong count)
{
    if (now.is_open && (now.waits ? count >= from : count != now.next))
        end_window(1, count);
    if (!now.is_open && count >= from)
        begin_window(way, count);
    shown.way = way;
    shown.is_in_window = now.is_open && !now.waits;
    shown.from = count;
    shown.n = shown.n_touches = 0;
    if (shown.is_in_window)
        window.ran.addresses = ds_memory_grow(
            window.ran.addresses, &window.ran.addresses_room,
            window.ran.n_addresses + way->n_accesses, sizeof(ULong));
}

/* Makes the open window wait, or not, from this count on, and sets when the
   next superblock is to be recorded: the epoch of times may have moved, too. */
static void go_on(ULong count)
{
    ULong recorded = ds_clock_recorded();
    Bool waits = !is_on || running != now.thread;

    if (!now.is_open) {
        wait_for_next();
        return;
    }
    if (shown.way != NULL && shown.is_in_window)
        return; /* nothing changes until the superblock is left */
    now.is_apart |=
        now.is_off && count > now.off_from && window.instructions > 0;
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

/* Notes what the instructions before number n touch: in the window, which `to`
   is of, or if it is NULL, their code; their data are noted elsewhere. */
static void touch(const struct ds_way *way, const ULong *addresses, UInt n,
                  struct ds_bytes *to)
{
    ULong time = ds_clock_time(shown.from);
    ULong *ran = window.ran.addresses + window.ran.n_addresses;
    const struct ds_way_touch *t = way->touches + shown.n_touches;

    for (; t < way->touches + way->n_touches && t->insn < n; t++) {
        if (t->size == 0) {
            ds_reuse_touch(DS_CODE, t->at, t->name, 1, time + t->insn, to);
        } else if (to != NULL) {
            Addr a = ran[t->at] = addresses[t->at];

            if (a != DS_TRACE_NONE)
                ds_reuse_touch(DS_DATA, a, a, t->size, time + t->insn, to);
        }
    }
    shown.n_touches = (UInt)(t - way->touches);
    shown.n = n;
}

/* The superblock is left, after what was shown of it. */
static void leave(void)
{
    struct ds_run_of_way run = {.way = shown.way, .is_apart = now.is_apart};

    shown.way = NULL;
    if (!shown.is_in_window)
        return;
    run.n = sampler.length - window.instructions;
    if (run.n > shown.n)
        run.n = shown.n;
    now.next += shown.n;
    if (run.n > 0) {
        window.ran.runs = ds_memory_grow(window.ran.runs, &window.ran.runs_room,
                                         window.ran.n_runs, sizeof run);
        window.ran.runs[window.ran.n_runs++] = run;
        window.ran.n_addresses += ds_way_n_accesses(run.way, run.n);
        window.instructions += run.n;
        now.is_apart = False;
    }
    if (window.instructions == sampler.length)
        end_window(1, shown.from + shown.n);
    else if (now.waits || now.is_off || !is_on || running != now.thread)
        go_on(shown.from + shown.n);
}

void ds_window_show(const struct ds_trace *trace, ULong time, UInt n,
                    const ULong *addresses, Bool is_left)
{
    struct ds_way *way = trace->way;
    UInt n_in_window = 0;

    if (shown.way == NULL)
        enter(way, ds_clock_count(time));
    tl_assert(shown.way == way && shown.n <= n && n <= way->n_insns);
    if (shown.is_in_window)
        n_in_window = sampler.length - window.instructions;
    if (shown.n < n_in_window)
        touch(way, addresses, n < n_in_window ? n : n_in_window, &window.reuse);
    if (shown.n < n)
        touch(way, addresses, n, NULL);
    if (!is_left)
        return;
    if (!shown.is_in_window && trace->lead != 0)
        ds_lead->ring[ds_lead->n++ % DS_LEAD] = time << 32 | trace->lead;
    leave();
}

Bool ds_window_goes_on(void)
{
    if (!now.is_open)
        ds_trace_empty();
    return now.is_open && !now.waits && from == 0 &&
           ds_clock_executed() <
               now.next + sampler.length - window.instructions;
}

void ds_window_record(Bool on)
{
    if (ds_window == NULL)
        return;
    is_on = on;
    go_on(ds_clock_executed());
}

void ds_window_resume(ThreadId tid)
{
    if (ds_window == NULL)
        return;
    if (tid != running)
        ds_lead_forget();
    running = tid;
    go_on(ds_clock_executed());
}

void ds_window_settle(void)
{
    if (now.is_open && shown.way == NULL)
        end_window(sampler.length / LEAST, ds_clock_executed());
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
        kept[i].instructions = 0;
    ds_lead_forget();
    now.is_open = False;
    shown.way = NULL;
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
    if (kept[i].instructions == 0)
        return NULL;
    if (kept[i].path.n == 0)
        ds_encode(&kept[i]);
    return &kept[i];
}
