/*
 * fit: a line through points, and its intervals.
 *
 *     fit [--resamples=N] [--seed=N] <POINTS   prints the line, as JSON
 *     fit --band=N <POINTS     prints N + 1 rows, by rising x: x, y, and the
 *             ends of the confidence interval and of the prediction interval
 *     fit --mean <VALUES       prints the mean, as JSON
 *
 * POINTS has lines "X Y", and VALUES one number a line.  All intervals
 * are of 95 %.  Those of the line come from ordinary least squares: they hold
 * if the errors are independent, of one normal distribution.  The bootstrap
 * intervals beside them (percentiles of the lines through points that are drawn
 * again, with replacement) need no distribution; the same seed gives the same.
 *
 * A figure that cannot be computed is null: all of a line's, with fewer than
 * three points or if all x are the same.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 0.95

struct points {
    size_t n;
    double *x, *y;
};

/* y = intercept + slope x, with the variances of both estimates. */
struct line {
    double intercept, slope, var_intercept, covariance, var_slope;
    double sum_of_squares; /* of the residuals */
};

static _Noreturn void fail(const char *subject, const char *what)
{
    fprintf(stderr, "fit: %s: %s\n", subject, what);
    exit(2);
}

static double *grown(double *numbers, size_t n)
{
    /* The array grows only at powers of two. */
    if ((n & (n - 1)) != 0)
        return numbers;
    numbers = realloc(numbers, (n == 0 ? 1 : 2 * n) * sizeof *numbers);
    if (numbers == NULL)
        fail("memory", "there is none left");
    return numbers;
}

/* Reads the next number of a line; blanks follow it, or if it is the last
   number the line's end. */
static double number_at(char **at, bool is_last)
{
    char *end;
    double x = strtod(*at, &end);

    end += end == *at ? 0 : strspn(end, is_last ? " \t\n" : " \t");
    if (end == *at || !isfinite(x) || (is_last && *end != '\0'))
        fail("standard input", "a line is not as many numbers as it must be");
    *at = end;
    return x;
}

static struct points read_points(bool has_x)
{
    struct points p = {0};
    char line[256];

    while (fgets(line, sizeof line, stdin) != NULL) {
        char *at = line;

        p.x = grown(p.x, p.n);
        p.y = grown(p.y, p.n);
        p.x[p.n] = has_x ? number_at(&at, false) : 0;
        p.y[p.n++] = number_at(&at, true);
    }
    if (ferror(stdin))
        fail("standard input", "it cannot be read");
    return p;
}

static bool varies(const double *numbers, size_t n)
{
    return n > 0 && gsl_stats_max(numbers, 1, n) > gsl_stats_min(numbers, 1, n);
}

static struct line line_of(const double *x, const double *y, size_t n)
{
    struct line l;

    gsl_fit_linear(x, 1, y, 1, n, &l.intercept, &l.slope, &l.var_intercept,
                   &l.covariance, &l.var_slope, &l.sum_of_squares);
    return l;
}

/* Half the width of an interval, in standard errors. */
static double errors(size_t degrees)
{
    return gsl_cdf_tdist_Pinv((1 + LEVEL) / 2, (double)degrees);
}

static void print(const char *name, double value)
{
    if (isfinite(value))
        printf(",\"%s\":%.15g", name, value);
    else
        printf(",\"%s\":null", name);
}

/* Prints a coefficient of the line, its interval, and the t-test of its being
   0. */
static void print_coefficient(const char *name, double value, double variance,
                              size_t degrees)
{
    double error = sqrt(variance), half = errors(degrees) * error;
    double t = value / error;
    char key[64];

    print(name, value);
    snprintf(key, sizeof key, "%s_error", name);
    print(key, error);
    snprintf(key, sizeof key, "%s_low", name);
    print(key, value - half);
    snprintf(key, sizeof key, "%s_high", name);
    print(key, value + half);
    snprintf(key, sizeof key, "%s_t", name);
    print(key, t);
    snprintf(key, sizeof key, "%s_p", name);
    print(key, 2 * gsl_cdf_tdist_Q(fabs(t), (double)degrees));
}

static void print_percentiles(const char *name, double *values, size_t n)
{
    char key[64];

    gsl_sort(values, 1, n);
    snprintf(key, sizeof key, "%s_resampled_low", name);
    print(key, n == 0 ? NAN
                      : gsl_stats_quantile_from_sorted_data(values, 1, n,
                                                            (1 - LEVEL) / 2));
    snprintf(key, sizeof key, "%s_resampled_high", name);
    print(key, n == 0 ? NAN
                      : gsl_stats_quantile_from_sorted_data(values, 1, n,
                                                            (1 + LEVEL) / 2));
}

/* Draws points with replacement, again until their x differ. */
static void draw(gsl_rng *random, const struct points *p, struct points *drawn)
{
    do {
        for (size_t i = 0; i < p->n; i++) {
            size_t j = gsl_rng_uniform_int(random, p->n);

            drawn->x[i] = p->x[j];
            drawn->y[i] = p->y[j];
        }
    } while (!varies(drawn->x, p->n));
}

static void print_resampled(const struct points *p, size_t resamples,
                            unsigned long seed)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct points drawn = {p->n, calloc(p->n, sizeof(double)),
                           calloc(p->n, sizeof(double))};
    double *slopes = calloc(resamples + 1, sizeof *slopes);
    double *intercepts = calloc(resamples + 1, sizeof *intercepts);

    if (!random || !drawn.x || !drawn.y || !slopes || !intercepts)
        fail("memory", "there is none left");
    gsl_rng_set(random, seed);
    for (size_t i = 0; i < resamples; i++) {
        struct line l;

        draw(random, p, &drawn);
        l = line_of(drawn.x, drawn.y, p->n);
        slopes[i] = l.slope;
        intercepts[i] = l.intercept;
    }
    print_percentiles("slope", slopes, resamples);
    print_percentiles("intercept", intercepts, resamples);
    gsl_rng_free(random);
    free(drawn.x);
    free(drawn.y);
    free(slopes);
    free(intercepts);
}

static void print_line(const struct points *p, size_t resamples,
                       unsigned long seed)
{
    size_t degrees = p->n - 2;
    struct line l = {.slope = NAN};

    printf("{\"n\":%zu", p->n);
    if (p->n >= 3 && varies(p->x, p->n)) {
        double total = gsl_stats_tss(p->y, 1, p->n);

        l = line_of(p->x, p->y, p->n);
        print_coefficient("slope", l.slope, l.var_slope, degrees);
        print_coefficient("intercept", l.intercept, l.var_intercept, degrees);
        print("residual", sqrt(l.sum_of_squares / (double)degrees));
        print("r2", 1 - l.sum_of_squares / total);
        print_resampled(p, resamples, seed);
    } else {
        print("slope", NAN);
    }
    puts("}");
}

static void print_band(const struct points *p, size_t steps)
{
    double least, most, half, variance;
    struct line l;

    if (p->n < 3 || !varies(p->x, p->n))
        return;
    l = line_of(p->x, p->y, p->n);
    half = errors(p->n - 2);
    variance = l.sum_of_squares / (double)(p->n - 2);
    gsl_stats_minmax(&least, &most, p->x, 1, p->n);
    for (size_t i = 0; i <= steps; i++) {
        double x = least + (most - least) * (double)i / (double)steps;
        double y, error, single;

        gsl_fit_linear_est(x, l.intercept, l.slope, l.var_intercept,
                           l.covariance, l.var_slope, &y, &error);
        single = sqrt(error * error + variance);
        printf("%.10g\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\n", x, y,
               y - half * error, y + half * error, y - half * single,
               y + half * single);
    }
}

static void print_mean(const struct points *p)
{
    double mean = p->n > 0 ? gsl_stats_mean(p->y, 1, p->n) : NAN, half = NAN;

    if (p->n >= 2)
        half =
            errors(p->n - 1) * gsl_stats_sd(p->y, 1, p->n) / sqrt((double)p->n);
    printf("{\"n\":%zu", p->n);
    print("mean", mean);
    print("low", mean - half);
    print("high", mean + half);
    puts("}");
}

/* The number after `name` in an option, which must be at least `least`. */
static bool is_number(const char *arg, const char *name, unsigned long least,
                      unsigned long *value)
{
    size_t n = strlen(name);
    char *end;

    if (strncmp(arg, name, n) != 0)
        return false;
    *value = strtoul(arg + n, &end, 10);
    if (arg[n] < '0' || arg[n] > '9' || *end != '\0' || *value < least)
        fail(arg, "not such a number");
    return true;
}

int main(int argc, char **argv)
{
    unsigned long resamples = 10000, seed = 1, steps = 0;
    bool is_mean = false;
    struct points p;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--mean") == 0)
            is_mean = true;
        else if (!is_number(argv[i], "--resamples=", 0, &resamples) &&
                 !is_number(argv[i], "--seed=", 0, &seed) &&
                 !is_number(argv[i], "--band=", 1, &steps))
            fail(argv[i], "no such option");
    p = read_points(!is_mean);
    if (is_mean)
        print_mean(&p);
    else if (steps > 0)
        print_band(&p, steps);
    else
        print_line(&p, resamples, seed);
    free(p.x);
    free(p.y);
    return fflush(stdout) == 0 ? 0 : 2;
}
