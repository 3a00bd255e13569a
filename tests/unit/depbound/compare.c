/* Loops of an earlier report are paired with those of this report. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "compare/cy_compare.h"

/* The last comparison of a test. */
static struct cy_comparison c;

AFTER_EACH()
{
    cy_comparison_fini(&c);
}

#define N(list) (sizeof(list) / sizeof *(list))

/* Reads a report of loops, "f 12 3*100, - 22 5": the function, the line in a.c,
   the cycles of a round and the number of rounds; what is not known is "-", or
   left out.  Functions begin at line 10. */
static struct cy_saved read_loops(const char *text,
                                  struct cy_saved_loop loops[3])
{
    static char words[99][8];
    static size_t n_words;
    size_t n = 0;
    int length;

    for (; *text != '\0'; text += length + 2 * (text[length] == ',')) {
        char *function = words[n_words++ % N(words)];
        char *line = words[n_words++ % N(words)];

        strcpy(line, "a.c:");
        loops[n] = (struct cy_saved_loop){
            .function_line = "a.c:10", .limited_by = "memory", .order = n};
        if (sscanf(text, "%7s %2s %lf%n*%" SCNu64 "%n", function, line + 4,
                   &loops[n].predicted, &length, &loops[n].rounds, &length) < 3)
            fail_msg("%s", text);
        loops[n].function = *function != '-' ? function : NULL;
        loops[n++].line = line[4] != '-' ? line : NULL;
    }
    return (struct cy_saved){
        .loops = loops, .n_loops = n, .program = NAN, .low = NAN, .high = NAN};
}

/* Two reports. */
static struct cy_saved_loop before[3], now[3];
static struct cy_saved a, b;

static void read_both(const char *text_before, const char *text_now)
{
    a = read_loops(text_before, before);
    b = read_loops(text_now, now);
}

/* Compares both, of which the second lists n of its loops.  The changes are
   "1>0 slower": what was loop 1 is loop 0 now, and takes longer; "x2 400>208"
   if it is two loops now, with the cycles of all rounds; "!" if it fails;
   "4/5": so many loops before and now are not compared; "fails" if any does. */
static const char *changes(size_t n_listed, double limit)
{
    static const char *const kinds[] = {"slower",   "faster", "new",
                                        "unlisted", "gone",   "limiting",
                                        "free",     "same"};
    static char text[200];
    int n = 0;

    cy_comparison_fini(&c);
    c = cy_compare(&a, &b, n_listed, limit);
    text[0] = '\0';
    for (size_t i = 0; i < c.n_loops; i++) {
        const struct cy_loop_change *l = &c.loops[i];

        n += sprintf(text + n, "%s%c>%c", n > 0 ? ", " : "",
                     l->before != NULL ? '0' + (int)(l->before - before) : '-',
                     l->now != NULL ? '0' + (int)(l->now - now) : '-');
        if (l->n_now > 1)
            n += sprintf(text + n, "x%zu %g>%g", l->n_now, l->total.before,
                         l->total.now);
        n += sprintf(text + n, " %s%s", kinds[l->kind], l->fails ? "!" : "");
    }
    if (c.n_unmatched_before + c.n_unmatched_now > 0)
        n += sprintf(text + n, "%s%zu/%zu", n > 0 ? ", " : "",
                     c.n_unmatched_before, c.n_unmatched_now);
    sprintf(text + n, "%s", c.fails ? ", fails" : "");
    return text;
}

static const struct {
    const char *title, *before, *now;
    double limit;
    const char *changes;
} cases[] = {
    {"similar loops are paired in order", "f 12 3, f 12 5", "f 12 3, f 12 6",
     -1, "1>1 slower, 0>0 same"},
    {"more loops than before are compared by their sums", "f 12 4*100",
     "f 12 8*25, f 12 4*2", 0, "0>0x2 400>208 faster"},
    {"more loops than before are not compared without runs", "f 12 4",
     "f 12 8, f 12 4", -1, "1/2"},
    {"an unrolled loop is compared in all rounds", "f 12 4*100", "f 12 12*25",
     0, "0>0 faster"},
    {"the loops of an edited function are paired in order", "f 12 3, f 22 5",
     "f 15 4, f 25 5", 50, "0>0 slower, 1>1 same"},
    {"an inlined loop is found by its line", "f 12 3", "main 12 6", 50,
     "0>0 slower!, fails"},
    {"a renamed and moved loop is gone and new", "f 12 3", "g 13 6", -1,
     "->0 new, 0>- gone"},
    {"loops known by line alone are paired in order", "- 12 3, - 12 4",
     "- 12 3, - 12 5", -1, "1>1 slower, 0>0 same"},
    {"loops that nothing names are counted", "- - 3", "- - 3, - - 4", 5,
     "1/2, fails"},
};

TEST(loops_are_known_again)
{
    for (size_t i = 0; i < N(cases); i++) {
        const char *found;

        read_both(cases[i].before, cases[i].now);
        found = changes(b.n_loops, cases[i].limit);
        if (strcmp(found, cases[i].changes) != 0)
            fail_msg("%s: %s", cases[i].title, found);
    }
}

TEST(lines_before_a_function_change_nothing)
{
    read_both("f 12 3, f 22 5", "f 22 3, f 32 5");
    now[0].function_line = now[1].function_line = "a.c:20";
    assert_string_equal(changes(2, -1), "1>1 same, 0>0 same");
}

TEST(a_loop_that_an_incomplete_baseline_lacks_is_not_called_new)
{
    read_both("f 12 3", "f 12 3, g 22 6");
    a.n_left_out = 1;
    assert_string_equal(changes(2, -1), "->1 unlisted, 0>0 same");
}

TEST(a_loop_that_is_not_listed_now_is_found_nevertheless)
{
    read_both("f 12 9", "g 22 6, f 12 1, h 42 1");
    assert_string_equal(changes(1, -1), "0>1 faster, ->0 new");
}

TEST(of_two_similar_loops_the_listed_one_is_taken)
{
    read_both("f 12 9", "f 12 9, f 12 1");
    now[0].order = 7; /* after the other loop */
    a.n_left_out = 1;
    assert_string_equal(changes(1, -1), "0>0 same");
}

TEST(a_dependency_keeps_its_place_in_the_loop)
{
    struct cy_saved_dependency was[] = {{"a.c:13", "a.c:14", "forwarded", 5}};
    struct cy_saved_dependency is[] = {{"a.c:33", "a.c:34", "failed", 14},
                                       {"a.c:35", "a.c:34", "forwarded", 0},
                                       {"a.c:36", "a.c:34", "failed", 0}};

    read_both("f 12 5", "f 32 14");
    now[0].function_line = "a.c:30";
    before[0].dependencies = was, before[0].n_dependencies = N(was);
    now[0].dependencies = is, now[0].n_dependencies = N(is);
    changes(1, -1);
    assert_int_equal(c.dependencies_by_kind[CY_SLOWER], 1);
    assert_int_equal(c.dependencies_by_kind[CY_NEW], 2);
    assert_int_equal(c.n_dependencies, 2); /* one of the new is free */
    assert_true(c.dependencies[0].round.before == 5 &&
                c.dependencies[0].round.now == 14);
    assert_true(!c.dependencies[0].was_failed && c.dependencies[0].is_failed);
}

TEST(a_dependency_off_the_chain_is_neither_faster_nor_slower)
{
    struct cy_saved_dependency was[] = {{"a.c:13", "a.c:14", "forwarded", 5},
                                        {"a.c:15", "a.c:16", "forwarded", 0},
                                        {"a.c:17", "a.c:18", "failed", 0}};
    struct cy_saved_dependency is[] = {{"a.c:13", "a.c:14", "forwarded", 0},
                                       {"a.c:15", "a.c:16", "forwarded", 9},
                                       {"a.c:17", "a.c:18", "failed", 0}};

    read_both("f 12 5*10", "f 12 9*20");
    before[0].dependencies = was, before[0].n_dependencies = N(was);
    now[0].dependencies = is, now[0].n_dependencies = N(is);
    changes(1, -1);
    assert_int_equal(c.dependencies_by_kind[CY_FREE], 1);
    assert_int_equal(c.dependencies_by_kind[CY_LIMITING], 1);
    assert_int_equal(c.dependencies_by_kind[CY_UNCHANGED], 1);
    assert_int_equal(c.n_dependencies, 3);
    for (int i = 0; i < 3; i++)
        assert_true(isnan(cy_growth(&c.dependencies[i].round)) &&
                    isnan(cy_growth(&c.dependencies[i].total)));
    assert_int_equal(c.dependencies[0].kind, CY_LIMITING); /* by 180 cycles */
    assert_true(c.dependencies[0].total.now == 180);
}

/* Compares programs: by these figures, 100 cycles before and `now` cycles now,
   each within 5 % by chance if `has_interval`. */
static void compare_programs(const char *by_before, const char *by_now,
                             double cycles, bool has_interval)
{
    read_both("f 12 3", "f 12 3");
    a.by = by_before, a.program = 100;
    b.by = by_now, b.program = cycles;
    if (has_interval) {
        a.low = 95, a.high = 105;
        b.low = 0.95 * cycles, b.high = 1.05 * cycles;
    }
    changes(1, 5);
}

TEST(the_program_fails_above_the_limit_beyond_chance)
{
    static const struct {
        const char *before, *now;
        double cycles;
        bool has_interval, may_be_chance, fails, is_known;
    } rows[] = {
        {"executions", "executions", 105, false, false, false, true},
        {"executions", "executions", 105.1, false, false, true, true},
        {"windows", "windows", 110, true, true, false, true},
        {"windows", "windows", 112, true, false, true, true},
        {"executions", "windows", 200, false, false, false, false},
        {NULL, NULL, 200, false, false, false, false},
    };

    for (size_t i = 0; i < N(rows); i++) {
        compare_programs(rows[i].before, rows[i].now, rows[i].cycles,
                         rows[i].has_interval);
        assert_int_equal(c.may_be_chance, rows[i].may_be_chance);
        assert_int_equal(c.program_fails, rows[i].fails);
        assert_int_equal(c.fails, rows[i].fails);
        assert_int_equal(!isnan(c.program.now), rows[i].is_known);
        cy_comparison_fini(&c);
    }
}
