/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_reuse.h"

#define LINE 64
#define PAGE 4096

#define NEVER UINT32_MAX /* as a reuse time; others are below */

/* Reuse times up to this many accesses follow from those of the window; longer
   ones from the windows that lie in that time, of which there must be some. */
#define NEAR   4096
#define FEWEST 8
#define MOST   64 /* windows that are looked at, at most */

/* Distances are found for reuse times of so many steps to each doubling, and
   lie on a line in between: with one step, those of a loop over many lines
   came out 9 % too small. */
#define FINE     8
#define N_SCALES (34 * FINE)

/* A line that was touched at most this many instructions ago is in the first
   cache. */
#define JUST_NOW 1

#define STEPS 7 /* of a stored distance to each doubling: 10 % each */

/* What is touched: lines of data or of code, or pages. */
enum kind { DATA, CODE, PAGES, N_KINDS };

/* All touches of a window, by their reuse times. */
struct touches {
    struct time {
        uint32_t time;
        uint32_t before; /* touches of shorter times */
        double sum;      /* of these times */
    } * times;           /* sorted; the last one stands for the end, and some
                            may be equal */
    size_t n_times, times_room;
    size_t n;
};

/* Reuse times while a window is learnt. */
struct times {
    uint32_t *counts; /* by time, if it is less than the window's length */
    uint32_t *longer; /* others */
    size_t n_counts, n_longer, longer_room;
};

/* What an access, or an instruction, touches for its line and its page. */
struct touch {
    uint32_t place; /* of the access, or the instruction */
    uint32_t time;
    uint8_t kind;
};

struct window {
    int64_t run;
    uint64_t start;
    double n_insns;
    struct touches touches[N_KINDS];
    struct touch *list; /* in the order of execution */
    size_t n_list, list_room;
    size_t n_accesses;
    struct cy_found places;
    struct cy_memory placed; /* in this memory; no `misses`: not yet */
    double pace;
};

struct cy_reuse {
    struct window *windows;
    size_t n, windows_room;
    bool is_complete; /* all windows have been learnt */
    double pace;      /* of the last call of cy_reuse_found */
    float distances[N_KINDS]
                   [N_SCALES]; /* in the window that is placed, of
                                  some reuse times; -1: not yet known */
    struct keys lines[N_KINDS];
    uint32_t *last[N_KINDS]; /* by number of the line: the instruction */
    size_t last_room[N_KINDS];
    struct times times[N_KINDS];
};

struct cy_reuse *cy_reuse_new(void)
{
    return memory_new(1, sizeof(struct cy_reuse));
}

static void forget_places(struct window *w)
{
    free(w->places.accesses);
    free(w->places.code);
    free(w->places.distances);
    free(w->places.code_distances);
    w->places = (struct cy_found){0};
}

void cy_reuse_free(struct cy_reuse *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->n; i++) {
        for (unsigned k = 0; k < N_KINDS; k++)
            free(r->windows[i].touches[k].times);
        free(r->windows[i].list);
        forget_places(&r->windows[i]);
    }
    for (unsigned k = 0; k < N_KINDS; k++) {
        keys_fini(&r->lines[k]);
        free(r->last[k]);
        free(r->times[k].counts);
        free(r->times[k].longer);
    }
    free(r->windows);
    free(r);
}

/* --- What windows say --- */

/* A window that is being learnt. */
struct learning {
    struct cy_reuse *reuse;
    struct window *window;
    const struct cy_recorded *recorded;
    size_t n_taken; /* numbers of `recorded` */
    uint32_t now;   /* instructions of the window before this one */
};

/* The next reuse time of the database; NEVER beyond the last. */
static uint32_t take(struct learning *l)
{
    size_t i = l->n_taken++;
    uint64_t stored = i < l->recorded->n_reuse ? l->recorded->reuse[i] : 0;

    if (stored == 0)
        return NEVER;
    return stored - 1 < NEVER ? (uint32_t)(stored - 1) : NEVER - 1;
}

/* The time since the last touch; false if the window touches it for the first
   time. */
static bool touched(struct learning *l, enum kind kind, uint64_t key,
                    uint32_t *time)
{
    struct cy_reuse *r = l->reuse;
    size_t n = r->lines[kind].n;
    uint32_t i = keys_add(&r->lines[kind], key);

    r->last[kind] = memory_grow(r->last[kind], &r->last_room[kind], i,
                                sizeof *r->last[kind]);
    *time = i < n ? l->now - r->last[kind][i] : NEVER;
    r->last[kind][i] = l->now;
    return i < n;
}

static void add(struct learning *l, enum kind kind, uint32_t place,
                uint32_t time)
{
    struct window *w = l->window;
    struct times *t = &l->reuse->times[kind];

    if (time < l->recorded->n)
        t->counts[time]++;
    else
        array_append(t, longer, time);
    if (time > JUST_NOW)
        array_append(w, list, (struct touch){place, time, (uint8_t)kind});
}

static void touch_line(struct learning *l, enum kind kind, uint64_t address,
                       uint32_t place)
{
    uint32_t time;
    bool is_new = !touched(l, kind, address / LINE, &time);

    if (is_new)
        time = take(l);
    add(l, kind, place, time);
    /* Pages of code have numbers of their own: those of data have their top
       bits clear. */
    if (!touched(l, PAGES, (address / PAGE) << 1 | (kind == CODE), &time) &&
        is_new)
        time = take(l);
    if (kind == DATA)
        add(l, PAGES, place, time);
}

static void touch(struct learning *l, enum kind kind, uint64_t address,
                  unsigned size, uint32_t place)
{
    uint64_t end = address + size;

    for (address -= address % LINE; address < end; address += LINE)
        touch_line(l, kind, address, place);
}

ARRAY_ORDER(by_time, uint32_t, array_order(*a, *b))

/* Adds n touches of a reuse time; the sum leaves out NEVER. */
static void add_time(struct touches *t, uint32_t time, size_t n)
{
    const struct time *last = t->n_times > 0 ? &t->times[t->n_times - 1] : NULL;
    double sum = 0;

    if (last != NULL)
        sum = last->sum + (last->time != NEVER ? last->time : 0.0) *
                              (double)(t->n - last->before);
    array_append(t, times, (struct time){time, (uint32_t)t->n, sum});
    t->n += n;
}

/* Sorts the times of a window of so many instructions, and forgets them. */
static void sort(struct touches *t, struct times *times, size_t n_insns)
{
    for (uint32_t time = 0; time < n_insns; time++) {
        if (times->counts[time] > 0)
            add_time(t, time, times->counts[time]);
        times->counts[time] = 0;
    }
    array_sort(times->longer, times->n_longer, by_time);
    for (size_t i = 0; i < times->n_longer; i++)
        add_time(t, times->longer[i], 1);
    add_time(t, NEVER, 0);
    times->n_longer = 0;
}

/* Makes room for the counts of n times. */
static void reserve(struct times *times, size_t n)
{
    if (n <= times->n_counts)
        return;
    free(times->counts);
    times->counts = memory_new(n, sizeof *times->counts);
    times->n_counts = n;
}

bool cy_reuse_learn(struct cy_reuse *r, const struct cy_windows *windows,
                    const struct cy_recorded *recorded)
{
    struct learning l = {.reuse = r, .recorded = recorded};

    assert(!r->is_complete && recorded->n > 0);
    array_push(r->windows, r->n, r->windows_room,
               (struct window){
                   .run = recorded->run,
                   .start = recorded->start,
                   .n_insns = (double)recorded->n,
                   .n_accesses = recorded->executed[recorded->n].first_access});
    l.window = &r->windows[r->n - 1];
    for (unsigned k = 0; k < N_KINDS; k++) {
        keys_clear(&r->lines[k]);
        reserve(&r->times[k], recorded->n);
    }
    for (l.now = 0; l.now < recorded->n; l.now++) {
        const struct cy_executed *e = &recorded->executed[l.now];
        const struct cy_window_insn *insn = &windows->insns[e->insn];

        touch(&l, CODE, ((uint64_t)insn->object << 48) + insn->address,
              insn->length, l.now);
        for (uint32_t a = 0; a < insn->n_accesses; a++) {
            uint64_t address = recorded->addresses[e->first_access + a];

            if (address != CY_NOT_DONE)
                touch(&l, DATA, address,
                      windows->accesses[insn->first_access + a].size,
                      e->first_access + a);
        }
    }
    for (unsigned k = 0; k < N_KINDS; k++)
        sort(&l.window->touches[k], &r->times[k], recorded->n);
    return l.n_taken == recorded->n_reuse;
}

/* --- Distances --- */

/* The first reuse time of more than t, or the end. */
static const struct time *longer_than(const struct touches *t, double time)
{
    size_t end = t->n_times - 1;

    assert(t->n_times > 0 && t->times[end].before == t->n);
    return &t->times[array_bisect(0, end, i, t->times[i].time <= time)];
}

static double n_longer(const struct touches *t, double time)
{
    return (double)(t->n - longer_than(t, time)->before);
}

/* How many others the touches of such a window meet in a time. */
static double met_in(const struct window *w, enum kind kind, double time)
{
    const struct touches *t = &w->touches[kind];

    return (longer_than(t, time)->sum + time * n_longer(t, time)) / w->n_insns;
}

/* The windows of the run around window i that lie from `from` to its start:
   the first of them, and how many. */
static size_t since(const struct cy_reuse *r, size_t i, double from, size_t *n)
{
    const struct window *w = &r->windows[i];
    size_t first = i;

    while (first > 0 && r->windows[first - 1].run == w->run &&
           (double)r->windows[first - 1].start >= from)
        first--;
    *n = i - first;
    return first;
}

static double average(const struct cy_reuse *r, size_t i, enum kind kind,
                      double time)
{
    int64_t run = r->windows[i].run;
    size_t first = i, end = i + 1, n;
    double sum = 0;

    while (end - first < FEWEST) {
        bool goes_back = first > 0 && r->windows[first - 1].run == run;
        bool goes_on = end < r->n && r->windows[end].run == run;

        first -= goes_back;
        end += goes_on;
        if (!goes_back && !goes_on)
            break;
    }
    n = end - first;
    for (; first < end; first++)
        sum += met_in(&r->windows[first], kind, time);
    return sum / (double)n;
}

static double distance(const struct cy_reuse *r, size_t i, enum kind kind,
                       double time)
{
    const struct window *w = &r->windows[i];
    double from = (double)w->start - time, sum = 0;
    size_t n, n_used = 0, first, step;

    if (time * (double)w->touches[kind].n / w->n_insns <= NEAR)
        return met_in(w, kind, time);
    first = since(r, i, from, &n);
    if (n < FEWEST)
        return average(r, i, kind, time);
    step = (n + MOST - 1) / MOST;
    for (size_t j = first; j < i; j += step) {
        const struct window *other = &r->windows[j];

        sum += n_longer(&other->touches[kind], (double)other->start - from) /
               other->n_insns;
        n_used++;
    }
    return n_used > 0 ? sum / (double)n_used * time : 0;
}

/* The distance of a reuse time of 2^(scale / FINE), in window i. */
static double scaled(struct cy_reuse *r, size_t i, enum kind kind,
                     unsigned scale)
{
    float *known = &r->distances[kind][scale];

    assert(scale < N_SCALES);
    if (*known < 0)
        *known = (float)distance(r, i, kind, exp2((double)scale / FINE));
    return *known;
}

/* The distance of a reuse time in window i, between those that are kept. */
static double between(struct cy_reuse *r, size_t i, enum kind kind,
                      uint32_t time)
{
    double log = time > 1 ? FINE * log2(time) : 0;
    unsigned s = (unsigned)log;
    double low = scaled(r, i, kind, s);

    return low + (log - s) * (scaled(r, i, kind, s + 1) - low);
}

/* --- Places --- */

/* The probability that a cache of some sets has lost a line. */
static double lost(const struct cy_cache *cache, double distance)
{
    double sets = cache->kib * 1024 / LINE / cache->ways;
    double mean = distance / sets, term = exp(-mean), sum = 0;

    if (distance < cache->ways)
        return 0;
    if (mean > 20 + 2 * cache->ways)
        return 1;
    for (unsigned k = 0; k < (unsigned)cache->ways; k++) {
        sum += term;
        term *= mean / (k + 1);
    }
    return 1 - sum;
}

/* A number below 1 that is drawn for a touch. */
static double drawn(size_t window, uint32_t place, unsigned kind)
{
    uint64_t h = ((uint64_t)window << 34 | (uint64_t)place << 2 | kind) + 1;

    /* Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators. */
    h *= 0x9e3779b97f4a7c15;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9;
    h = (h ^ h >> 27) * 0x94d049bb133111eb;
    h ^= h >> 31;
    return (double)(h >> 11) * 0x1p-53;
}

double cy_distance_of(uint8_t step)
{
    return exp2((double)step / STEPS) - 1;
}

static uint8_t step_of(double distance)
{
    double step = round(STEPS * log2(1 + fmax(distance, 0)));

    return step < CY_NEVER ? (uint8_t)step : CY_NEVER - 1;
}

/* The lines that others bring into the last cache in a reuse time. */
static double others(const struct cy_reuse *r, const struct cy_memory *m,
                     uint32_t time)
{
    return m->l3_lifetime > 0 ? m->beyond[1].kib * 1024 / LINE * r->pace *
                                    time / m->l3_lifetime
                              : 0;
}

static uint8_t level_of(struct cy_reuse *r, const struct cy_memory *m, size_t i,
                        const struct touch *t, double draw, uint8_t *step)
{
    double own = between(r, i, t->kind, t->time), all;
    uint8_t level = 0;

    if (draw >= lost(t->kind == DATA ? &m->data : &m->code, own))
        return 0;
    all = own + between(r, i, t->kind == DATA ? CODE : DATA, t->time);
    *step = step_of(all);
    for (level = 1; level < CY_BEYOND; level++)
        if (draw >= lost(&m->beyond[level - 1],
                         all + (level == 2 ? others(r, m, t->time) : 0)))
            break;
    return level;
}

/* The walk to a page that no TLB has reads the page table through the caches.
   Its entry is there if a line that was touched last with the page would be:
   in a virtual machine the hypervisor's entries of pages that follow each other
   lie apart. */
static uint8_t page_level_of(struct cy_reuse *r, const struct cy_memory *memory,
                             size_t i, const struct touch *t)
{
    double own = between(r, i, PAGES, t->time), lines;
    uint8_t level = 0;

    while (level < CY_TLBS && own >= memory->pages[level])
        level++;
    if (level < CY_TLBS)
        return level;
    lines = between(r, i, DATA, t->time) + between(r, i, CODE, t->time);
    lines += others(r, memory, t->time);
    return drawn(i, t->place, PAGES) < lost(&memory->beyond[1], lines)
               ? CY_PAGE_AFAR
               : level;
}

/* Must the line of code be decoded, since the cache of decoded instructions has
   lost it? */
static bool is_decoded(struct cy_reuse *r, const struct cy_memory *m, size_t i,
                       const struct touch *t)
{
    return m->decoded.kib > 0 &&
           (t->time == NEVER ||
            drawn(i, t->place, t->kind) <
                lost(&m->decoded, between(r, i, CODE, t->time)));
}

/* Places a line; of an access with several, the furthest counts. */
static void place_line(struct cy_reuse *r, const struct cy_memory *memory,
                       size_t i, const struct touch *t)
{
    struct window *w = &r->windows[i];
    bool is_code = t->kind == CODE;
    uint8_t *to = (is_code ? w->places.code : w->places.accesses) + t->place,
            *distance =
                (is_code ? w->places.code_distances : w->places.distances) +
                t->place,
            level = 1, step = CY_NEVER;

    if (is_code && is_decoded(r, memory, i, t))
        *to |= CY_DECODED;
    if (t->time != NEVER)
        level = level_of(r, memory, i, t, drawn(i, t->place, t->kind), &step);
    if (is_code && (t->time == NEVER ||
                    between(r, i, CODE, t->time) > memory->foreseen_lines))
        *to |= CY_UNFORESEEN;
    if (level > CY_LEVEL(*to)) {
        *to = (uint8_t)((*to & ~3) | level);
        *distance = step;
    }
}

static void place(struct cy_reuse *r, const struct cy_memory *memory, size_t i)
{
    struct window *w = &r->windows[i];
    size_t n = (size_t)w->n_insns;

    forget_places(w);
    for (unsigned k = 0; k < N_KINDS; k++)
        for (unsigned s = 0; s < N_SCALES; s++)
            r->distances[k][s] = -1;
    w->places = (struct cy_found){
        memory_new(w->n_accesses + 1, 1), memory_new(n + 1, 1),
        memory_new(w->n_accesses + 1, 1), memory_new(n + 1, 1)};
    for (size_t j = 0; j < w->n_list; j++) {
        const struct touch *t = &w->list[j];
        uint8_t *to = w->places.accesses + t->place, level;

        if (t->kind != PAGES) {
            place_line(r, memory, i, t);
        } else if (t->time != NEVER) {
            level = page_level_of(r, memory, i, t);
            if (level > CY_PAGE_LEVEL(*to))
                *to = (uint8_t)((*to & 3) | level << 2);
        }
    }
    w->placed = *memory;
    w->pace = r->pace;
}

const struct cy_found *cy_reuse_found(struct cy_reuse *r,
                                      const struct cy_memory *memory,
                                      double pace, size_t i)
{
    struct window *w = &r->windows[i];

    assert(i < r->n && pace >= 0);
    r->is_complete = true;
    r->pace = pace;
    if (w->pace != pace || memcmp(&w->placed, memory, sizeof *memory) != 0)
        place(r, memory, i);
    return &w->places;
}
