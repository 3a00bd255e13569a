/*
 * score: how good predictions are, with intervals.
 *
 *     score [--resamples=N] [--seed=N] <PAIRS
 *
 * PAIRS has lines "GROUP SOURCE TOOL MEASURED PREDICTED", with tabs between;
 * those of one group and tool follow each other.  For each group and tool there
 * is a line, with tabs between:
 *
 *     GROUP TOOL N MEAN LOW HIGH QUARTILE MEDIAN QUARTILE TAU LOW HIGH
 *
 * Errors are absolute, in percent of what was measured; quartiles are of the
 * nearest rank.  TAU is Kendall's tau-b, which corrects for ties (M. Kendall,
 * The treatment of ties in ranking problems, Biometrika 33, 1945).  A figure
 * without enough data is empty.
 *
 * LOW and HIGH are the ends of a bootstrap interval of 95 %: percentiles over
 * random draws of the pairs.  Pairs of one source (a loop as several compilers
 * build it) are alike, so that whole sources are drawn, with replacement:
 * single pairs would make the interval too narrow.  A draw gives each pair a
 * weight, so that tau needs no sorting: only ranks are compared, and these
 * stay.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>

#include "basics.h"
#include "draw.h"

#define LEVEL        0.95
#define TIE          1e-6 /* numbers that differ by a smaller share are equal */
#define FEWEST       5    /* sources that an interval needs */
#define RESAMPLES    2000
#define MOST_SAMPLES 1000000
#define FIELDS       5

enum side { MEASURED, PREDICTED, N_SIDES };

struct pair {
    double value[N_SIDES], error;
    unsigned source;        /* index in set.sources */
    unsigned rank[N_SIDES]; /* from 0; tied values share one */
    uint64_t weight;        /* how often the current draw contains the pair */
};

/* The pairs of one group and tool. */
static struct {
    struct pair *pairs; /* by rising rank of the measured value */
    size_t n, room;
    char group[256], tool[256];
    char **sources;
    size_t n_sources, sources_room;
} set;

static size_t n_resamples = RESAMPLES;
static uint64_t seed = 1;

static _Noreturn void fail(const char *subject, const char *what)
{
    fprintf(stderr, "score: %s: %s\n", subject, what);
    exit(2);
}

static unsigned source_of(const char *name)
{
    size_t i = set.n_sources;

    /* The source is usually that of the pair before, the last in the list. */
    while (i > 0 && strcmp(set.sources[i - 1], name) != 0)
        i--;
    if (i > 0)
        return (unsigned)i - 1;
    array_append(&set, sources, memory_text(name));
    return (unsigned)set.n_sources - 1;
}

ARRAY_ORDER(by_measured, struct pair,
            array_order(a->value[MEASURED], b->value[MEASURED]))
ARRAY_ORDER(by_predicted, struct pair,
            array_order(a->value[PREDICTED], b->value[PREDICTED]))
ARRAY_ORDER(by_error, struct pair, array_order(a->error, b->error))
ARRAY_ORDER(number_order, double, array_order(*a, *b))

/* Does `value`, in a rising list, rank above the ties that begin at `first`? */
static bool is_above(double value, double first)
{
    return value - first > TIE * fabs(first);
}

/* Ranks the pairs by one side, and leaves them in that order. */
static void rank(enum side side, array_compare *order)
{
    double first = 0;

    array_sort(set.pairs, set.n, order);
    for (size_t i = 0; i < set.n; i++) {
        struct pair *p = &set.pairs[i];
        bool is_new = i == 0 || is_above(p->value[side], first);

        p->rank[side] = i == 0 ? 0 : p[-1].rank[side] + is_new;
        first = is_new ? p->value[side] : first;
    }
}

/* A tree of sums over ranks (P. Fenwick, A new data structure for cumulative
   frequency tables, Software: Practice and Experience 24, 1994). */
static void add(uint64_t *tree, size_t y, uint64_t weight)
{
    for (size_t i = y + 1; i <= set.n; i += i & -i)
        tree[i] += weight;
}

static uint64_t sum_below(const uint64_t *tree, size_t y)
{
    uint64_t sum = 0;

    for (size_t i = y; i > 0; i -= i & -i)
        sum += tree[i];
    return sum;
}

static double two_of(uint64_t n)
{
    return (double)n * ((double)n - 1) / 2;
}

/* The pairs of pairs in order minus those out of order, for the pairs from
   `first` to before `end`, which share one rank of what was measured, and those
   before, in the tree. */
static double order_of(const uint64_t *tree, size_t first, size_t end,
                       uint64_t before)
{
    double order = 0;

    for (size_t i = first; i < end; i++) {
        const struct pair *p = &set.pairs[i];
        double below = (double)sum_below(tree, p->rank[PREDICTED]);
        double above =
            (double)(before - sum_below(tree, p->rank[PREDICTED] + 1));

        order += (double)p->weight * (below - above);
    }
    return order;
}

/* Kendall's tau-b of the pairs by their weights; NAN if all values of one side
   are equal.  `tree` and `ys` have room for n + 1 numbers. */
static double tau(uint64_t *tree, uint64_t *ys)
{
    double order = 0, ties_x = 0, ties_y = 0;
    uint64_t all = 0;

    memset(tree, 0, (set.n + 1) * sizeof *tree);
    memset(ys, 0, (set.n + 1) * sizeof *ys);
    for (size_t i = 0, end; i < set.n; i = end) {
        uint64_t here = 0;

        for (end = i; end < set.n && set.pairs[end].rank[MEASURED] ==
                                         set.pairs[i].rank[MEASURED];
             end++)
            here += set.pairs[end].weight;
        order += order_of(tree, i, end, all);
        for (size_t j = i; j < end; j++) {
            add(tree, set.pairs[j].rank[PREDICTED], set.pairs[j].weight);
            ys[set.pairs[j].rank[PREDICTED]] += set.pairs[j].weight;
        }
        ties_x += two_of(here);
        all += here;
    }
    for (size_t i = 0; i < set.n; i++)
        ties_y += two_of(ys[i]);
    return order / sqrt((two_of(all) - ties_x) * (two_of(all) - ties_y));
}

/* The mean error of the pairs by their weights. */
static double mean(void)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < set.n; i++) {
        sum += (double)set.pairs[i].weight * set.pairs[i].error;
        n += (double)set.pairs[i].weight;
    }
    return sum / n;
}

static void draw_sources(uint64_t *times, size_t sample)
{
    memset(times, 0, set.n_sources * sizeof *times);
    for (unsigned i = 0; i < set.n_sources; i++)
        times[draw(seed, sample * set.n_sources + i, set.n_sources)]++;
    for (size_t i = 0; i < set.n; i++)
        set.pairs[i].weight = times[set.pairs[i].source];
}

/* A quantile of sorted numbers, interpolated between two of them. */
static double quantile(const double *sorted, size_t n, double share)
{
    double at = share * (double)(n - 1);
    size_t i = (size_t)at;

    if (i + 1 >= n)
        return sorted[n - 1];
    return sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]);
}

static void print_number(double value)
{
    putchar('\t');
    if (isfinite(value))
        printf("%.10g", value);
}

/* Prints a value, and the interval that the draws give. */
static void print_interval(double value, double *drawn, size_t n)
{
    bool is_known = n > 0 && isfinite(value);

    if (n > 0)
        array_sort(drawn, n, number_order);
    print_number(value);
    print_number(is_known ? quantile(drawn, n, (1 - LEVEL) / 2) : NAN);
    print_number(is_known ? quantile(drawn, n, (1 + LEVEL) / 2) : NAN);
}

static void print_quartiles(void)
{
    const struct pair *p = set.pairs;
    size_t n = set.n;

    print_number(p[(n + 3) / 4 - 1].error);
    print_number((p[(n - 1) / 2].error + p[n / 2].error) / 2);
    print_number(p[(3 * n + 3) / 4 - 1].error);
}

static void print_set(void)
{
    double *means = memory_new(n_resamples + 1, sizeof *means);
    double *taus = memory_new(n_resamples + 1, sizeof *taus);
    uint64_t *tree = memory_new(set.n + 1, sizeof *tree);
    uint64_t *ys = memory_new(set.n + 1, sizeof *ys);
    uint64_t *times = memory_new(set.n_sources, sizeof *times);
    size_t n = set.n_sources >= FEWEST ? n_resamples : 0, n_taus = 0;
    double whole_tau, whole_mean;

    rank(PREDICTED, by_predicted);
    rank(MEASURED, by_measured);
    whole_tau = tau(tree, ys);
    whole_mean = mean();
    for (size_t i = 0; i < n; i++) {
        draw_sources(times, i);
        means[i] = mean();
        taus[n_taus] = tau(tree, ys);
        n_taus += isfinite(taus[n_taus]);
    }
    printf("%s\t%s\t%zu", set.group, set.tool, set.n);
    print_interval(whole_mean, means, n);
    array_sort(set.pairs, set.n, by_error);
    print_quartiles();
    print_interval(whole_tau, taus, n_taus);
    putchar('\n');
    free(means);
    free(taus);
    free(tree);
    free(ys);
    free(times);
}

/* Prints the score of the pairs, and forgets them. */
static void end_set(void)
{
    if (set.n > 0)
        print_set();
    for (unsigned i = 0; i < set.n_sources; i++)
        free(set.sources[i]);
    set.n_sources = 0;
    set.n = 0;
}

static double number_of(const char *text)
{
    char *end;
    double x = strtod(text, &end);

    if (end == text || *end != '\0' || !isfinite(x))
        fail(text, "not a number");
    return x;
}

/* Takes a line apart at its tabs. */
static void split(char *line, char **fields)
{
    for (int i = 0; i < FIELDS; i++) {
        char end = i < FIELDS - 1 ? '\t' : '\n', *at = strchr(line, end);

        if (at == NULL)
            fail("standard input", "a line has not five fields");
        *at = '\0';
        fields[i] = line;
        line = at + 1;
    }
}

static void read_line(char *line)
{
    char *fields[FIELDS];
    struct pair *p;

    split(line, fields);
    if (strcmp(fields[0], set.group) != 0 || strcmp(fields[2], set.tool) != 0) {
        end_set();
        snprintf(set.group, sizeof set.group, "%s", fields[0]);
        snprintf(set.tool, sizeof set.tool, "%s", fields[2]);
    }
    array_push(
        set.pairs, set.n, set.room,
        (struct pair){.value = {number_of(fields[3]), number_of(fields[4])},
                      .source = source_of(fields[1]),
                      .weight = 1});
    p = &set.pairs[set.n - 1];
    if (p->value[MEASURED] <= 0)
        fail(fields[3], "nothing is measured as that");
    p->error = 100 * fabs(p->value[PREDICTED] - p->value[MEASURED]) /
               p->value[MEASURED];
}

/* The number after `name` in an option. */
static bool is_number(const char *arg, const char *name, unsigned long *value)
{
    size_t n = strlen(name);
    char *end;

    if (strncmp(arg, name, n) != 0)
        return false;
    *value = strtoul(arg + n, &end, 10);
    if (arg[n] < '0' || arg[n] > '9' || *end != '\0' || *value > MOST_SAMPLES)
        fail(arg, "not such a number");
    return true;
}

int main(int argc, char **argv)
{
    char line[1024];

    for (int i = 1; i < argc; i++)
        if (!is_number(argv[i], "--resamples=", &n_resamples) &&
            !is_number(argv[i], "--seed=", &seed))
            fail(argv[i], "no such option");
    while (fgets(line, sizeof line, stdin) != NULL)
        read_line(line);
    if (ferror(stdin))
        fail("standard input", "it cannot be read");
    end_set();
    free(set.pairs);
    free(set.sources);
    return fflush(stdout) == 0 ? 0 : 2;
}
