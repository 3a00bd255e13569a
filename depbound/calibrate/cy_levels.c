/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrate/cy_calibrate.h"

#include <sys/mman.h>
#include <time.h>

#define LINE 64
#define PAGE 4096
#define KIB  1024.0

/* --- What walks tell --- */

#define WALKS    3
#define SHARES   5   /* times that the share of the last cache is measured */
#define YOUNG    1e6 /* cycles: the least age of lines in the last cache */
#define OLD      64e6
#define MOST_OWN 0.5 /* of the last cache, for a walk that finds its age */
/* The second and the fourth of five lifetimes differ at most by this factor. */
#define AGREE      3
#define ROUNDED    1e5
#define LEAST_BIG  64.0 * 1024 /* KiB of a walk that has to go to memory */
#define MOST_BIG   256.0 * 1024
#define APART      1.3   /* a level takes this many times the one before */
#define MOST_L3    0.4   /* of the cycles of memory */
#define REPEATS    0.15  /* what differs more has been disturbed */
#define MORE_PAGES 12288 /* pages that are tried, at most */
#define LONGER     1.5   /* lines of code take that are not known ahead */

/* Rounds what others disturb: in steps of a sixteenth to an eighth. */
static double coarse(double cycles)
{
    double step = exp2(floor(log2(cycles / 8)));

    return round(cycles / step) * step;
}

/* Cycles of a step, of the fastest of some walks: other processes can only slow
   a walk. */
static double walk_kib(cy_walking *walking, void *context, enum cy_walk walk,
                       double kib)
{
    double least = NAN;

    for (unsigned i = 0; i < WALKS; i++)
        least = fmin(least, walking(context, walk,
                                    (size_t)(kib * KIB) / LINE * LINE, 0));
    return least;
}

/* The same of lines of an age, of the median walk: the least would be that
   which lost fewest lines. */
static double walk_aged(cy_walking *walking, void *context, double kib,
                        double age)
{
    double cycles[WALKS];

    for (unsigned i = 0; i < WALKS; i++) {
        cycles[i] = walking(context, CY_AGED, (size_t)(kib * KIB), age);
        if (isnan(cycles[i]))
            return NAN;
    }
    return cy_median(cycles, WALKS);
}

/* A step that takes longer has most likely lost its line. */
static double half_lost(const struct cy_memory *m)
{
    return m->data.cycles + (m->beyond[1].cycles + m->beyond[2].cycles) / 2;
}

/* What the process has of the last cache now, in KiB: the size of the largest
   walk of which the cache has most lines. */
static double share_of(const struct cy_memory *m, cy_walking *walking,
                       void *context)
{
    double kib = fmin(2 * m->beyond[0].kib, m->beyond[1].kib);

    while (kib < m->beyond[1].kib && 2 * kib <= MOST_BIG &&
           walk_aged(walking, context, 2 * kib, 0) < half_lost(m))
        kib *= 2;
    return fmin(kib, m->beyond[1].kib);
}

/* The cycles after which others have pushed out half of the lines of a small
   walk; 0: at most YOUNG; INFINITY: more than OLD; NAN: not measured. */
static double lifetime_of(const struct cy_memory *m, cy_walking *walking,
                          void *context)
{
    double kib = 2 * m->beyond[0].kib, half = half_lost(m), before = NAN, now;

    for (double age = YOUNG; age <= OLD; age *= 2) {
        now = walk_aged(walking, context, kib, age);
        if (isnan(now))
            return NAN;
        if (now >= half)
            return age == YOUNG
                       ? 0
                       : age / 2 * (1 + (half - before) / (now - before));
        before = now;
    }
    return INFINITY;
}

/* The lines of a walk push out each other, too: so many of them as others leave
   no room for. */
static double find_lifetime(const struct cy_memory *m, cy_walking *walking,
                            void *context)
{
    double own = 2 * m->beyond[0].kib / m->beyond[1].kib, times[SHARES];

    for (unsigned i = 0; i < SHARES; i++) {
        times[i] = lifetime_of(m, walking, context);
        if (isnan(times[i]) || own > MOST_OWN)
            return NAN;
    }
    cy_median(times, SHARES); /* sorts them */
    if (isinf(times[1]))
        return 0;
    if (times[1] == 0 || times[SHARES - 2] > AGREE * times[1])
        return NAN;
    return round(times[SHARES / 2] / (1 - own) / ROUNDED) * ROUNDED;
}

/* Cycles that a step of a walk through n pages, a line of each, takes more than
   it would if the first TLB had all pages. */
static double more_of_pages(const struct cy_memory *m, cy_walking *walking,
                            void *context, unsigned n)
{
    double kib = n * LINE / KIB, lines = m->data.cycles, least = NAN;

    if (kib > m->data.kib)
        lines += m->beyond[kib > m->beyond[0].kib].cycles;
    for (unsigned i = 0; i < WALKS; i++)
        least = fmin(least, walking(context, CY_PAGES, (size_t)n * PAGE, 0));
    return least - lines;
}

/* Finds the sizes of the TLBs, which are powers of two or 1.5 times such.  The
   first TLB is exceeded where pages begin to cost, the second where they cost
   half of what they do without any, which has to be more than an L2 that lacks
   some lines can explain. */
static bool find_pages(struct cy_memory *m, cy_walking *walking, void *context)
{
    double most = more_of_pages(m, walking, context, MORE_PAGES);
    unsigned level = 0, before = 0;

    for (unsigned n = 16; n <= MORE_PAGES && level < CY_TLBS;
         n = (n & (n - 1)) == 0 ? n + n / 2 : n / 3 * 4) {
        double more = more_of_pages(m, walking, context, n);

        if (isnan(more))
            return false;
        if (more >= (level == 0 ? 2 : (m->page_cycles[0] + most) / 2)) {
            m->pages[level] = before;
            m->page_cycles[level] =
                coarse(more_of_pages(m, walking, context, 2 * (n & ~1u)));
            level++;
        }
        before = n;
    }
    return level == CY_TLBS && m->pages[0] > 0 &&
           m->page_cycles[1] >= m->page_cycles[0] + m->beyond[0].cycles + 8;
}

/* Measures the latencies; those of other levels become differences to that of
   the first cache. */
static bool find_latencies(struct cy_memory *m, cy_walking *walking,
                           void *context, const double kib[CY_BEYOND])
{
    double before = walk_kib(walking, context, CY_CHASE, m->data.kib / 2);

    m->data.cycles = cy_rounded(before);
    for (unsigned i = 0; i < CY_BEYOND; i++) {
        double cycles = walk_kib(walking, context, CY_CHASE, kib[i]);

        if (!(cycles > APART * before))
            return false;
        m->beyond[i].cycles =
            (i == 0 ? cy_rounded(cycles) : coarse(cycles)) - m->data.cycles;
        before = cycles;
    }
    /* Other processes may have nearly all of the last cache. */
    return m->beyond[1].cycles <= MOST_L3 * m->beyond[2].cycles;
}

/* Measures how fast lines come, for the first time or once more: the less
   counts. */
static bool find_rates(struct cy_memory *m, cy_walking *walking, void *context,
                       const double kib[CY_BEYOND], bool again)
{
    for (unsigned i = 0; i < CY_BEYOND; i++) {
        struct cy_cache *level = &m->beyond[i];
        double each = coarse(walk_kib(walking, context, CY_SPREAD, kib[i]));
        double row = coarse(walk_kib(walking, context, CY_STRIDE, kib[i]));

        if (!(each > 0) || !(row > 0))
            return false;
        level->line_cycles = again ? fmin(each, level->line_cycles) : each;
        level->stream_cycles = again ? fmin(row, level->stream_cycles) : row;
    }
    return true;
}

/* Measures what others disturb once more: false if what is beyond L2 takes more
   or less than at first. */
static bool repeats(struct cy_memory *m, cy_walking *walking, void *context,
                    const double kib[CY_BEYOND])
{
    for (unsigned i = 1; i < CY_BEYOND; i++) {
        double first = m->data.cycles + m->beyond[i].cycles;
        double again = coarse(walk_kib(walking, context, CY_CHASE, kib[i]));

        if (!(fabs(again - first) <= REPEATS * first))
            return false;
        m->beyond[i].cycles = fmin(first, again) - m->data.cycles;
    }
    return find_rates(m, walking, context, kib, true);
}

/* Finds what lines of code from the second cache take while the predictor knows
   the jumps ahead, if that is less than they would take one by one, and up to
   how many it does. */
static void find_code(struct cy_memory *m, cy_walking *walking, void *context)
{
    double kib = 2 * m->code.kib,
           cycles = walk_kib(walking, context, CY_CODE, kib), now = cycles;

    m->code_line_cycles = m->foreseen_lines = NAN;
    if (!(cycles > 0 && cycles * LONGER < m->beyond[0].cycles))
        return;
    m->code_line_cycles = round(2 * cycles) / 2;
    while (now < LONGER * cycles && kib < m->beyond[0].kib / 2) {
        m->foreseen_lines = round(kib * KIB / LINE);
        kib *= sqrt(2);
        now = walk_kib(walking, context, CY_CODE, kib);
    }
}

bool cy_levels_find(struct cy_memory *m, cy_walking *walking, void *context)
{
    double kib[CY_BEYOND], shares[SHARES], at_once = 1;

    assert(m->data.kib > 0 && m->code.kib > 0);
    if (m->beyond[0].kib < 2 * m->data.kib ||
        m->beyond[1].kib < 2 * m->beyond[0].kib)
        return false;
    /* Sizes of walks, in KiB, whose lines each level beyond the first has, and
       the level before has not. */
    kib[0] = sqrt(m->data.kib * m->beyond[0].kib);
    kib[1] = fmin(2 * m->beyond[0].kib, m->beyond[1].kib);
    kib[2] = fmin(fmax(4 * m->beyond[1].kib, LEAST_BIG), MOST_BIG);
    if (!find_latencies(m, walking, context, kib))
        return false;
    if (!find_rates(m, walking, context, kib, false) ||
        !find_pages(m, walking, context))
        return false;
    find_code(m, walking, context);
    for (unsigned i = 0; i < SHARES; i++)
        shares[i] = share_of(m, walking, context);
    m->beyond[1].kib = cy_median(shares, SHARES); /* sorts them */
    m->l3_least_kib = shares[0];
    m->l3_most_kib = shares[SHARES - 1];
    m->l3_lifetime = find_lifetime(m, walking, context);
    if (!repeats(m, walking, context, kib))
        return false;
    for (unsigned i = 1; i < CY_BEYOND; i++)
        at_once = fmax(at_once, (m->beyond[i].cycles + m->data.cycles) /
                                    m->beyond[i].line_cycles);
    m->misses = fmin(round(at_once), CY_MOST_MISSES);
    return true;
}

void cy_levels_write(FILE *out, const struct cy_memory *measured)
{
    struct cy_memory m = *measured;

    if (m.misses == 0)
        return;
    for (unsigned i = 0; i < CY_BEYOND; i++)
        m.beyond[i].cycles += m.data.cycles;
    fputs(
        ",\n  \"memory\": {\"source\": \"Measured by depbound --calibrate, but "
        "for sizes and ways, which the processor told.\"",
        out);
    for (const struct cy_json_row *of = cy_memory_members + 1; of->key != NULL;
         of++) { /* the source is written */
        const double *number = (const void *)((const char *)&m + of->offset);

        if (!isnan(*number)) /* it is known */
            cy_write_number(out, of->key, *number);
    }
    fputc('}', out);
}

/* --- Walks on this processor --- */

#define HUGE_PAGE ((size_t)2 << 20)
#define STEPS     2000 /* of a sample; three times as many, too */
#define GOOD      5
#define TRIES     200
#define SECONDS   20 /* for all walks */

struct walker {
    struct cy_clock *clock;
    double end; /* seconds that are not waited: later walks are not measured */
    double hz;
    size_t nearest;     /* bytes that the caches of the core itself have */
    char *huge, *small; /* MOST_BIG, of huge pages if there are any, and of
                           pages of 4 KiB for MORE_PAGES of them */
    uint32_t *order;
    uint64_t random;
    uint64_t n_lines; /* of the walk that is measured; a power of two of data */
    void *place;      /* where the chase is */
};

static uint64_t drawn(struct walker *w, uint64_t below)
{
    w->random = w->random * 6364136223846793005 + 1442695040888963407;
    return (w->random >> 33) % below;
}

static void chase(uint64_t rounds, void *data)
{
    struct walker *w = data;
    void **at = w->place;

    for (; rounds > 0; rounds--)
        at = *at;
    w->place = at;
}

/* Loads a line that depends on a random number, and draws the next number. */
static inline uint64_t load_random(const struct walker *w, uint64_t *random)
{
    *random *= 6364136223846793005;
    return *(uint64_t *)(void *)(w->huge +
                                 (*random >> 32 & (w->n_lines - 1)) * LINE);
}

/* A number takes four cycles after the one before, so there are four sequences.
   Their numbers are odd: those of even ones soon repeat. */
static void spread(uint64_t rounds, void *data)
{
    struct walker *w = data;
    uint64_t sum = 0, a = drawn(w, 1u << 31) | 1, b = drawn(w, 1u << 31) | 1;
    uint64_t c = drawn(w, 1u << 31) | 1, d = drawn(w, 1u << 31) | 1;

    assert(rounds % 4 == 0);
    for (; rounds > 0; rounds -= 4)
        sum += load_random(w, &a) + load_random(w, &b) + load_random(w, &c) +
               load_random(w, &d);
    __asm__ volatile("" : : "r"(sum));
}

/* Makes a chain of n links, `apart` bytes from each other; each page has its
   link in another line. */
static void link_up(struct walker *w, char *base, size_t n, size_t apart,
                    bool is_random)
{
    for (size_t i = 0; i < n; i++)
        w->order[i] = (uint32_t)i;
    /* Sattolo's algorithm: one cycle through all. */
    for (size_t i = n - 1; i > 0 && is_random; i--) {
        size_t j = drawn(w, i);
        uint32_t other = w->order[i];

        w->order[i] = w->order[j];
        w->order[j] = other;
    }
    for (size_t i = 0; i < n; i++) {
        size_t to = is_random ? w->order[i] : (i + 1) % n;

        *(void **)(void *)(base + i * apart + i * LINE % apart) =
            base + to * apart + to * LINE % apart;
    }
    w->place = base;
    chase(n, w); /* so that what the caches can hold is there */
}

/* Makes jumps of the links of a chain of lines, and a return of the last one.
 */
static void make_code(char *base, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char *at = base + i * LINE, *to = *(char **)(void *)at;
        int32_t far = (int32_t)(to - at - 5);

        *at = (char)(to == base ? 0xc3 : 0xe9);
        memcpy(at + 1, &far, sizeof far);
    }
}

static void run_code(uint64_t rounds, void *data)
{
    const struct walker *w = data;
    void (*code)(void);

    memcpy(&code, &w->small, sizeof code);
    for (; rounds > 0; rounds -= w->n_lines)
        code();
}

/* Chases lines that have been touched `age` cycles before. */
static double chase_aged(struct walker *w, size_t n, double age)
{
    double at;

    cy_clock_await(w->clock);
    chase(n, w); /* what was lost meanwhile is there again */
    double from = cy_clock_seconds(w->clock);
    chase(n, w);
    do
        at = cy_clock_seconds(w->clock);
    while ((at - from) * w->hz < age);
    chase(STEPS, w);
    return (cy_clock_seconds(w->clock) - at) * w->hz / STEPS;
}

static double walk_here(void *context, enum cy_walk walk, size_t bytes,
                        double age)
{
    struct walker *w = context;
    size_t n = bytes / (walk == CY_PAGES ? PAGE : LINE);
    cy_loop *loop = walk == CY_SPREAD ? spread : chase;
    struct cy_reading reading;

    assert(n > 1 && bytes <= (walk == CY_PAGES ? 3 * MORE_PAGES * (size_t)PAGE
                                               : (size_t)(MOST_BIG * KIB)));
    if (cy_clock_seconds(w->clock) >= w->end)
        return NAN;
    link_up(w, walk == CY_PAGES || walk == CY_CODE ? w->small : w->huge, n,
            walk == CY_PAGES ? PAGE : LINE, walk != CY_STRIDE);
    if (walk == CY_AGED)
        return chase_aged(w, n, age);
    w->n_lines = n;
    if (walk == CY_CODE) {
        make_code(w->small, n);
        if (mprotect(w->small, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
            return NAN;
        return cy_clock_measure(w->clock, run_code, w, n, GOOD, TRIES).cycles;
    }
    w->n_lines = 1;
    while (2 * w->n_lines <= n)
        w->n_lines *= 2;
    reading = cy_clock_measure(w->clock, loop, w, STEPS, GOOD, TRIES);
    /* What is beyond takes its time, however slow the core's clock is for a
       while. */
    return walk == CY_PAGES || bytes <= w->nearest
               ? reading.cycles
               : reading.ticks * cy_clock_speed(w->clock);
}

static char *map(size_t bytes, int advice)
{
    char *at = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED)
        memory_exhausted();
    at += -(uintptr_t)at & (HUGE_PAGE - 1);
    madvise(at, bytes, advice); /* a kernel without huge pages refuses */
    return at;
}

/* Reads what Linux has of a cache; false if it has nothing. */
static bool read_told(unsigned index, const char *what, const char *format,
                      void *to)
{
    char path[96];

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/%s",
             index, what);
    FILE *in = fopen(path, "re");
    bool is_read = in != NULL && fscanf(in, format, to) == 1;
    if (in != NULL)
        fclose(in);
    return is_read;
}

/* Sizes and ways, as Linux has them (glibc's sysconf has wrong ones of Zen 3).
   False if any is missing. */
static bool read_sizes(struct cy_memory *m)
{
    struct cy_cache *const caches[] = {&m->data, &m->code, &m->beyond[0],
                                       &m->beyond[1]};
    unsigned level;
    char type[16];

    for (unsigned i = 0; read_told(i, "level", "%u", &level) &&
                         read_told(i, "type", "%15s", type);
         i++) {
        struct cy_cache *c = caches[type[0] == 'I'            ? 1
                                    : level >= 2 && level < 4 ? level
                                                              : 0];

        if (level > 3 || !read_told(i, "size", "%lfK", &c->kib) ||
            !read_told(i, "ways_of_associativity", "%lf", &c->ways))
            return false;
    }
    for (unsigned i = 0; i < sizeof caches / sizeof *caches; i++)
        if (caches[i]->kib < 1 || caches[i]->ways < 1)
            return false;
    return true;
}

void cy_levels_measure(struct cy_memory *m, struct cy_clock *clock)
{
    struct walker w = {
        .clock = clock, .end = cy_clock_seconds(clock) + SECONDS, .random = 1};
    const size_t most = (size_t)(MOST_BIG * KIB);
    struct cy_memory found = {0};

    *m = (struct cy_memory){0};
    if (!read_sizes(&found))
        return;
    w.huge = map(most, MADV_HUGEPAGE);
    w.small = map(3 * MORE_PAGES * (size_t)PAGE, MADV_NOHUGEPAGE);
    w.order = memory_new(most / LINE, sizeof *w.order);
    w.hz = 1e9 * cy_clock_rate().ghz;
    w.nearest = (size_t)(found.beyond[0].kib * KIB);
    if (cy_levels_find(&found, walk_here, &w))
        *m = found;
    free(w.order);
    munmap(w.huge, most);
    munmap(w.small, 3 * MORE_PAGES * (size_t)PAGE);
}
