/* Caches: which level has a line, against a stack that is kept exactly; and
   when a line is there. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "core/cy_windowed.h"

/* --- When a line is there --- */

static const struct cy_memory slow = {
    .misses = 2,
    .beyond = {{.cycles = 10, .line_cycles = 2, .stream_cycles = 4},
               {.cycles = 40, .line_cycles = 4, .stream_cycles = 6},
               {.cycles = 300, .line_cycles = 20, .stream_cycles = 8}},
    .page_cycles = {7, 50},
};

static struct cy_caches caches;

static void assert_there(unsigned line, unsigned place, double time,
                         double expected)
{
    const struct cy_asked_line asked = {
        .address = 64ul * line, .time = time, .place = (uint8_t)place};

    assert_true(cy_caches_line(&caches, &asked).there == expected);
}

/* --- Who waits, and for what --- */

TEST(a_wait_belongs_to_the_instruction_that_asked_for_the_line)
{
    struct cy_asked_line asked = {
        .address = 64000, .time = 5, .insn = 1, .place = 4 | 2};
    struct cy_arrived a;

    cy_caches_restart(&caches, &slow);
    a = cy_caches_line(&caches, &asked);
    assert_true(a.is_new && a.level == 2 && a.asker == 1);
    assert_true(a.page == 12 && a.there == 52);
    asked = (struct cy_asked_line){.address = 64010, .time = 20, .insn = 2};
    a = cy_caches_line(&caches, &asked);
    assert_true(!a.is_new && a.level == 2 && a.asker == 1);
    assert_true(a.page == 20 && a.there == 52);
    asked.time = 60;
    assert_int_equal(cy_caches_line(&caches, &asked).level, 0);
}

TEST(an_early_line_waits_only_for_its_level)
{
    struct cy_asked_line asked = {.address = 64000,
                                  .time = 100,
                                  .place = 4 | 2,
                                  .is_early = true,
                                  .is_page_early = true};

    cy_caches_restart(&caches, &slow);
    assert_true(cy_caches_line(&caches, &asked).there == 100);
    asked.address = 128000;
    assert_true(cy_caches_line(&caches, &asked).there == 104);
}

TEST(an_early_line_waits_for_a_page_that_is_not)
{
    const struct cy_asked_line asked = {
        .address = 64000, .time = 100, .place = 4 | 2, .is_early = true};
    struct cy_arrived a;

    cy_caches_restart(&caches, &slow);
    a = cy_caches_line(&caches, &asked);
    assert_true(a.page == 107 && a.there == 107);
}

TEST(what_is_asked_for_before_waits_for_the_rest_alone)
{
    struct cy_asked_line asked = {
        .address = 64000, .time = 100, .place = 4 | 2, .early = 30};
    struct cy_arrived a;

    cy_caches_restart(&caches, &slow);
    a = cy_caches_line(&caches, &asked);
    assert_true(a.page == 100 && a.there == 117); /* 70 + 7 + 40 */
    asked.address = 128000;
    asked.early = 90;
    a = cy_caches_line(&caches, &asked);
    assert_true(a.page == 100 && a.there == 121); /* 77 + 4 + 40 */
    asked.address = 256000;
    a = cy_caches_line(&caches, &asked);
    assert_true(a.there > 100);
    asked.address = 512000;
    asked.place = 4;
    assert_true(cy_caches_line(&caches, &asked).there == 100);
}

TEST(short_steps_are_a_walk)
{
    static const struct {
        unsigned steps[3];
        bool walks;
    } cases[] = {
        {{32, 0, 32}, true},
        {{0, 64, 0}, true},
        {{32, 32, 200}, false},
        {{200, 200, 32}, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cy_asked_line asked = {.address = 1 << 20, .insn = 3};

        cy_caches_restart(&caches, &slow);
        assert_false(cy_caches_walks(&caches, 3));
        cy_caches_line(&caches, &asked);
        for (unsigned s = 0; s < 3; s++) {
            asked.address += cases[i].steps[s];
            cy_caches_line(&caches, &asked);
        }
        assert_int_equal(cy_caches_walks(&caches, 3), cases[i].walks);
        assert_false(cy_caches_walks(&caches, 3 + CY_STRIDES));
    }
}

static void add_away(struct cy_outcome *o, uint32_t insn, uint32_t origin,
                     unsigned level, uint8_t distance)
{
    array_append(o, away,
                 (struct cy_missed){.insn = insn,
                                    .origin = origin,
                                    .weight = 2,
                                    .place = (uint8_t)level,
                                    .distance = distance,
                                    .kind = CY_MISSING_LOAD});
}

TEST(misses_are_summed_up_by_the_instruction_that_asked)
{
    struct cy_outcome o;
    struct cy_misses m;

    cy_outcome_init(&o, 4, 1);
    add_away(&o, 2, 1, 2, 70);
    add_away(&o, 2, 3, 2, 77);
    add_away(&o, 2, 1, 1, 84);
    add_away(&o, 2, CY_NO_INSN, 1, CY_NEVER);
    add_away(&o, 1, 2, 3, 7);
    cy_outcome_hop(&o, (struct cy_hop){.to = 3,
                                       .from = 3,
                                       .store = 2,
                                       .cause = CY_CAUSE_L3,
                                       .cycles = 30});
    cy_outcome_hop(
        &o,
        (struct cy_hop){
            .to = 2, .from = 2, .store = 2, .cause = CY_CAUSE_L2, .cycles = 9});
    cy_outcome_conclude(&o);
    assert_int_equal(o.n_pairs, 0); /* these are no pairs of store and load */
    cy_misses_of(&m, &o);
    assert_int_equal(m.n, 2);
    assert_int_equal(m.list[0].insn, 2);
    assert_true(m.list[0].cycles == 39 && m.list[0].n == 8);
    assert_true(m.list[0].from[0] == 4 && m.list[0].from[1] == 4);
    assert_true(m.list[0].n_new == 2);
    assert_int_equal(cy_miss_cause(&m.list[0]), CY_CAUSE_L3);
    assert_int_equal(m.list[0].origin, 1);
    assert_true(m.list[0].is_chased && m.list[1].is_chased);
    assert_true(m.list[0].distance == 2047); /* 2^(77 / 7) - 1 */
    cy_misses_fini(&m);
    cy_outcome_fini(&o);
}

TEST(a_line_comes_from_its_level)
{
    cy_caches_restart(&caches, &slow);
    assert_there(1000, 0, 5, 5);
    assert_there(2000, 1, 5, 15);
    assert_there(2000, 0, 7, 15);  /* the same line, on its way */
    assert_there(2000, 0, 20, 20); /* and there */
    assert_there(3000, 3, 20, 320);
    assert_there(4000, 4, 30, 37);      /* its page is in the second TLB */
    assert_there(5000, 8 | 1, 50, 110); /* or in none */
    assert_there(6000, CY_PAGE_AFAR << 2, 110, 420); /* nor its table's entry */
    assert_true(cy_caches_code(&caches, 2) == 40);
}

/* How long an instruction waits for a line of memory. */
static double wait_of(uint32_t insn, double time, uint64_t address)
{
    const struct cy_asked_line asked = {
        .address = address, .time = time, .insn = insn, .place = 3};

    return cy_caches_line(&caches, &asked).there - time;
}

TEST(lines_of_a_stride_are_asked_for_ahead)
{
    for (unsigned stride = 200; stride <= 400; stride += 200) {
        cy_caches_restart(&caches, &slow);
        for (unsigned i = 0; i < 5; i++) {
            bool is_known = i >= 2 && stride == 200;

            assert_true(wait_of(1, 1000 * i, 64000 + i * stride) ==
                        (is_known ? 0 : 300));
            assert_true(wait_of(2, 1000 * i + 500, 640000 + i * i * 1000) ==
                        300);
        }
    }
}

TEST(without_caches_all_lines_are_there)
{
    cy_caches_restart(&caches, NULL);
    assert_there(1000, 3, 5, 5);
    assert_true(cy_caches_code(&caches, 3) == 0);
}

TEST(lines_wait_while_the_most_are_on_their_way)
{
    cy_caches_restart(&caches, &slow);
    assert_there(1000, 3, 0, 300);
    assert_there(2000, 3, 0, 320); /* memory has one line in 20 cycles */
    assert_there(3000, 3, 0, 600); /* after the first came */
    assert_there(4000, 1, 0, 330); /* after the second came */
}

TEST(lines_in_a_row_come_sooner)
{
    cy_caches_restart(&caches, &slow);
    assert_there(1000, 3, 0, 300);
    assert_there(1001, 3, 300, 600);
    assert_there(1002, 3, 600, 608);
    assert_there(1003, 3, 608, 616);
    assert_there(2000, 3, 616, 916); /* elsewhere */
    assert_there(1004, 3, 916, 916); /* asked for long ago */
    assert_there(1002, 0, 930, 930);
}

/* --- Which level has a line --- */

#define LINES  4096   /* at most, in a trace */
#define LENGTH 1000   /* of a window */
#define APART  5000   /* from one window to the next */
#define TOTAL  300000 /* instructions, of one load each */

/* What a trace loads, and the sum of touches that are the latest of their line,
   as a binary indexed tree over time. */
static uint16_t trace[TOTAL];
static unsigned sums[TOTAL + 1];

static void add(unsigned time, unsigned what)
{
    for (unsigned i = time + 1; i <= TOTAL; i += i & -i)
        sums[i] += what;
}

static unsigned before(unsigned time)
{
    unsigned sum = 0;

    for (unsigned i = time; i > 0; i -= i & -i)
        sum += sums[i];
    return sum;
}

static uint32_t seed;

static unsigned drawn(unsigned below)
{
    seed = seed * 1664525 + 1013904223;
    return (unsigned)((uint64_t)seed * below >> 32);
}

/* A window of the trace, with the reuse times that depsim would record. */
struct written {
    struct cy_executed executed[LENGTH + 1];
    uint64_t addresses[LENGTH], reuse[4 * LENGTH + 4];
    size_t n_reuse;
};

static void since(struct written *w, int64_t last, unsigned now)
{
    w->reuse[w->n_reuse++] = last < 0 ? 0 : (uint64_t)((int64_t)now - last) + 1;
}

/* The window from `start` on; `lines` and `pages`: the last touch of each
   before it, or -1. */
static void write_window(struct written *w, unsigned start,
                         const int64_t *lines, const int64_t *pages)
{
    static bool has_line[LINES], has_page[LINES];

    memset(has_line, 0, sizeof has_line);
    memset(has_page, 0, sizeof has_page);
    w->n_reuse = 0;
    since(w, (int64_t)start - 1, start); /* the code's line and page */
    since(w, (int64_t)start - 1, start);
    for (unsigned i = 0; i < LENGTH; i++) {
        unsigned line = trace[start + i], page = line / 64;

        w->executed[i] = (struct cy_executed){.first_access = i};
        w->addresses[i] = 64 * (uint64_t)line;
        if (!has_line[line])
            since(w, lines[line], start + i);
        if (!has_line[line] && !has_page[page])
            since(w, pages[page], start + i);
        has_line[line] = has_page[page] = true;
    }
    w->executed[LENGTH] = (struct cy_executed){.first_access = LENGTH};
}

/* Of one set each. */
static const struct cy_memory levels = {
    .misses = 1,
    .data = {.kib = 16, .ways = 256},
    .code = {.kib = 16, .ways = 256},
    .beyond = {{.kib = 64, .ways = 1024}, {.kib = 128, .ways = 2048}},
    .pages = {16, 48},
};

/* Learns the windows of the trace; counts, without the first fifth of the
   trace, their loads by the number of lines that were really touched in
   between. */
static struct cy_reuse *learn(double exact[CY_BEYOND + 1])
{
    static const struct cy_window_insn insn = {.length = 4, .n_accesses = 1};
    static const struct cy_window_access access = {.size = 8};
    static const double sizes[] = {256, 1024, 2048};
    static int64_t lines[LINES], pages[LINES];
    static struct written w;
    struct cy_windows windows = {.insns = (struct cy_window_insn *)&insn,
                                 .n_insns = 1,
                                 .accesses =
                                     (struct cy_window_access *)&access};
    struct cy_reuse *reuse = cy_reuse_new();

    memset(sums, 0, sizeof sums);
    memset(lines, -1, sizeof lines);
    memset(pages, -1, sizeof pages);
    for (unsigned t = 0; t < TOTAL; t++) {
        unsigned line = trace[t], level = 0;

        if (t % APART == 0 && t > 0) {
            struct cy_recorded r = {.run = 1,
                                    .start = t,
                                    .n = LENGTH,
                                    .executed = w.executed,
                                    .addresses = w.addresses,
                                    .reuse = w.reuse};

            write_window(&w, t, lines, pages);
            r.n_reuse = w.n_reuse;
            assert_true(cy_reuse_learn(reuse, &windows, &r));
        }
        if (lines[line] >= 0) {
            double distance = before(t) - before((unsigned)lines[line] + 1);

            while (level < CY_BEYOND && distance >= sizes[level])
                level++;
            add((unsigned)lines[line], -1u);
        } else {
            level = 1; /* as the kernel has just cleared it */
        }
        add(t, 1);
        lines[line] = pages[line / 64] = t;
        if (t % APART < LENGTH && t > TOTAL / 5)
            exact[level]++;
    }
    return reuse;
}

/* Checks the shares of the levels, in percent of all loads. */
static void assert_levels(double most_off)
{
    double exact[CY_BEYOND + 1] = {0}, found[CY_BEYOND + 1] = {0}, n = 0;
    struct cy_reuse *reuse = learn(exact);

    for (unsigned w = 0; w + 1 < TOTAL / APART; w++) {
        const struct cy_found *f = cy_reuse_found(reuse, &levels, 0, w);

        for (unsigned i = 0; i < LENGTH && (w + 1) * APART > TOTAL / 5; i++) {
            found[CY_LEVEL(f->accesses[i])]++;
            n++;
        }
    }
    for (unsigned level = 0; level <= CY_BEYOND; level++) {
        double off = 100 * (found[level] - exact[level]) / n;

        if (off > most_off || off < -most_off)
            fail_msg("level %u: %.1f %% of loads, %.1f %% in truth", level,
                     100 * found[level] / n, 100 * exact[level] / n);
    }
    cy_reuse_free(reuse);
}

/* Of a random trace over 47 pages, with TLBs of one and two pages. */
static size_t pages_afar(double l3_kib)
{
    struct cy_memory m = levels;
    double exact[CY_BEYOND + 1] = {0};
    struct cy_reuse *reuse;
    size_t n = 0;

    for (unsigned t = 0; t < TOTAL; t++)
        trace[t] = (uint16_t)drawn(3000);
    reuse = learn(exact);
    m.pages[0] = 1;
    m.pages[1] = 2;
    m.beyond[1] = (struct cy_cache){.kib = l3_kib, .ways = l3_kib * 16};
    for (unsigned w = 0; w + 1 < TOTAL / APART; w++) {
        const struct cy_found *f = cy_reuse_found(reuse, &m, 0, w);

        for (unsigned i = 0; i < LENGTH; i++)
            n += CY_PAGE_LEVEL(f->accesses[i]) == CY_PAGE_AFAR;
    }
    cy_reuse_free(reuse);
    return n;
}

TEST(a_page_table_is_in_memory_if_lines_as_old_are)
{
    assert_int_equal(pages_afar(128), 0);
    assert_true(pages_afar(1) > LENGTH);
}

TEST(random_lines_are_where_a_stack_has_them)
{
    for (unsigned t = 0; t < TOTAL; t++)
        trace[t] = (uint16_t)(drawn(2) ? drawn(100) : drawn(3000));
    assert_levels(2);
}

/* Lines of three sets by turns, each for longer than the windows are apart. */
TEST(lines_of_phases_are_where_a_stack_has_them)
{
    static const unsigned of[] = {200, 900, 1700}, from[] = {0, 300, 1500};

    for (unsigned t = 0; t < TOTAL; t++) {
        unsigned phase = t / 25000 % 3;

        trace[t] = (uint16_t)(from[phase] + drawn(of[phase]));
    }
    assert_levels(4);
}

/* All of 1,500 lines in turn are just too many for the second level. */
TEST(strides_are_where_a_stack_has_them)
{
    for (unsigned t = 0; t < TOTAL; t++)
        trace[t] = (uint16_t)(t / 4 % 1500);
    assert_levels(2);
    for (unsigned t = 0; t < TOTAL; t++)
        trace[t] = (uint16_t)(t % 2 ? 1600 + t % 100 : t / 2 * 7 % 700);
    assert_levels(4);
}
