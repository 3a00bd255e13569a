/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrate/cy_calibrate.h"

#include "output.h"

#define RENAMED_BELOW 3.0  /* cycles: quicker than any load from the cache */
#define FAILED_FROM   10.0 /* cycles: a forward that takes as long failed */

#define WHOLE    0.015 /* a figure this near a whole number is that one */
#define FRACTION 0.025 /* a figure this near a fraction is that fraction */
#define HALF     0.022 /* cycles: figures near a half are that */
#define NEARER   0.008 /* unless another fraction is so near */

double cy_rounded(double cycles)
{
    static const double parts[] = {1, 2, 3, 4, 6, 5, 8};
    static const struct {
        double below, parts;
    } steps[] = {{0.1, 20}, {1, 100}, {4, 10}, {10, 4}, {40, 2}};

    if (cycles < 0.05)
        return 0;
    if (isnan(cycles))
        return cycles;
    if (fabs(cycles - 0.5) <= HALF)
        return 0.5;
    for (size_t i = 0; i < (cycles < 4 ? 14 : 1); i++) {
        double near_by = round(cycles * parts[i % 7]) / parts[i % 7];
        double most = i % 7 == 0 ? WHOLE : i < 7 ? NEARER : FRACTION;

        if (fabs(cycles - near_by) <= most * cycles)
            return round(100 * near_by) / 100;
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (cycles < steps[i].below)
            return round(steps[i].parts * cycles) / steps[i].parts;
    return round(cycles);
}

/* 0 for negative cycles; NAN stays NAN, which fmax would turn into 0. */
static double at_least_0(double cycles)
{
    return cycles < 0 ? 0 : cycles;
}

/* How far measured costs may be from this one and count as the same. */
static double noise(double cycles)
{
    return fmax(0.3, 0.08 * cycles);
}

void cy_write_number(FILE *out, const char *key, double number)
{
    fprintf(out, ", \"%s\": ", key);
    json_number(out, number);
}

double cy_halved(double cycles, double below)
{
    return cycles < below ? round(2 * cycles) / 2 : floor(cycles + 0.4);
}

/* Costs of forwards repeat less well than those of instructions. */
static double forward_rounded(double cycles)
{
    return cycles < RENAMED_BELOW ? cy_rounded(cycles) : cy_halved(cycles, 7);
}

/* As noise(), but more for renamed memory: its loops take few cycles, which
   vary with the fetch. */
static double tolerance(double cycles)
{
    return cycles < RENAMED_BELOW ? 0.6 : noise(cycles);
}

static bool near(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance(b);
}

/* May chains of moves of a case cost what those of the plain one do?  Some have
   several speeds: what is between these is no difference. */
static bool may_copy_as(const struct cy_derived *d,
                        const struct cy_derived *plain)
{
    double apart = fmax(d->copy_least - plain->copy_most,
                        plain->copy_least - d->copy_most);

    return apart <= tolerance(plain->copy);
}

/* The costs of case i.  A multiplication takes so long that no other limit
   hides its chain.  If the loop with an addition is slower than that chain
   suggests, another limit holds; if it is faster, after a failed forward, then
   multiplications wait for something else as well, as they do on Zen 5. */
static struct cy_derived derive(const struct cy_results *results, size_t i)
{
    const struct cy_case *c = &cy_cases[i];
    const struct cy_result *copy = &results->cases[i][CY_COPY];
    struct cy_derived d = {.index = i};
    double add = cy_result_of(results, i, CY_ADD);

    d.copy = at_least_0(cy_result_of(results, i, CY_COPY));
    d.copy_least = d.copy + (copy->least - copy->cycles) / c->links;
    d.copy_most = d.copy + (copy->most - copy->cycles) / c->links;
    d.other = cy_result_of(results, i, CY_MUL);
    if (isnan(d.other))
        d.other = add;
    else if (add > at_least_0(d.other) + tolerance(d.other))
        d.at_least = add + cy_result_named(results, c->minus[CY_ADD]);
    else if (d.copy >= FAILED_FROM)
        d.other = fmin(d.other, add);
    else if (fabs(d.other - add) <= noise(d.other))
        d.other = (d.other + add) / 2;
    d.other = at_least_0(d.other);
    assert(!(d.copy < 0) && !(d.other < 0) && !(d.at_least < 0));
    return d;
}

static double slowness(const struct cy_derived *d)
{
    return isnan(d->other) ? d->copy : d->other;
}

/* 1 if the case is about instructions that load and store one cell, whose rules
   come before others; 2 if they are atomic, too, and come first; else 0. */
static int is_of_rmw(const struct cy_derived *d)
{
    const char *keys = cy_cases[d->index].keys;

    if (strstr(keys, "\"locked\"") != NULL)
        return 2;
    return strstr(keys, "\"self\": true") != NULL ||
           (strstr(keys, "\"store_rmw\"") != NULL &&
            strstr(keys, "\"bits\"") != NULL);
}

static int rule_order(const void *pa, const void *pb)
{
    const struct cy_derived *a = pa, *b = pb;
    double sa = forward_rounded(slowness(a)), sb = forward_rounded(slowness(b));

    if (is_of_rmw(a) != is_of_rmw(b))
        return is_of_rmw(b) - is_of_rmw(a);
    if (sa != sb)
        return sa < sb ? 1 : -1;
    return a->index < b->index ? -1 : 1;
}

/* Finds the costs of a class's cases with figures, the plain one first. */
static size_t derive_all(const struct cy_results *results, const char *class,
                         struct cy_derived *all)
{
    size_t n = 0;

    for (size_t i = 0; i < cy_n_cases; i++) {
        if (cy_cases[i].kind != CY_FORWARD ||
            strcmp(cy_cases[i].class, class) != 0)
            continue;
        all[n] = derive(results, i);
        if (!isnan(slowness(&all[n])))
            n++;
    }
    return n;
}

static const char *how(const struct cy_derived *d)
{
    const struct cy_case *c = &cy_cases[d->index];

    if (slowness(d) >= FAILED_FROM && (strstr(c->keys, "several") != NULL ||
                                       strstr(c->keys, "partial") != NULL))
        return "failed";
    if (slowness(d) < RENAMED_BELOW && strcmp(c->class, "general") == 0)
        return "renamed";
    return "forwarded";
}

size_t cy_derive(const struct cy_results *results, const char *class,
                 struct cy_derived *rules, bool *agree)
{
    size_t n_all = derive_all(results, class, rules), n = 0;

    if (n_all == 0)
        return 0;
    struct cy_derived plain = rules[0];
    bool index_waits = false; /* is a load with an index not renamed? */
    /* A round takes a cycle at least, since it jumps, so a link that takes less
       shows only in rounds of several links. */
    for (size_t i = 0; i < n_all; i++)
        if (cy_cases[rules[i].index].links > 1 && plain.copy < 1.1)
            plain.copy = plain.copy_least = fmin(plain.copy, rules[i].copy);
    for (size_t i = 1; i < n_all; i++) {
        const struct cy_derived d = rules[i];
        bool is_plain = (isnan(d.copy) || may_copy_as(&d, &plain)) &&
                        (isnan(d.other) || near(d.other, plain.other)) &&
                        near(d.at_least, plain.at_least);

        if (cy_cases[d.index].keys[0] == '\0')
            *agree &= near(d.other, plain.other);
        else if (is_of_rmw(&d) || !is_plain)
            rules[n++] = d;
        index_waits |= !is_plain && strstr(cy_cases[d.index].keys,
                                           "\"load_addressing\": \"index\"");
    }
    assert(n < n_all); /* the plain case is not counted yet */
    qsort(rules, n, sizeof *rules, rule_order);
    rules[n++] = plain;
    for (size_t i = 0; i < n; i++)
        rules[i].is_direct =
            index_waits && is_of_rmw(&rules[i]) == 1 &&
            strcmp(how(&rules[i]), "renamed") == 0 &&
            strstr(cy_cases[rules[i].index].keys, "addressing") == NULL;
    return n;
}

static void write_one(FILE *out, const struct cy_derived *d, const char *copy,
                      double cycles, double at_least)
{
    const struct cy_case *c = &cy_cases[d->index];

    assert(cycles >= 0);
    fprintf(out, "{\"class\": \"%s\"%s%s%s%s, \"how\": \"%s\"", c->class,
            c->keys[0] == '\0' ? "" : ", ", c->keys,
            d->is_direct ? ", \"load_addressing\": [\"base\", \"stack\"]" : "",
            copy, how(d));
    cy_write_number(out, "cycles", forward_rounded(cycles));
    /* Limits of chains in thirds of a cycle: many of Golden Cove's are 7.35. */
    if (at_least > 0)
        cy_write_number(out, "at_least",
                        round(100 * round(3 * at_least) / 3) / 100);
    fputc('}', out);
}

void cy_derived_write(FILE *out, const struct cy_derived *d)
{
    if (isnan(d->other)) {
        write_one(out, d, "", d->copy, 0);
    } else if (isnan(d->copy) || (fabs(d->copy - d->other) <= noise(d->other) &&
                                  d->at_least <= 0)) {
        write_one(out, d, "", d->other, d->at_least);
    } else {
        write_one(out, d, ", \"copy\": true", d->copy, 0);
        fputs(",\n    ", out);
        write_one(out, d, ", \"copy\": false", d->other, d->at_least);
    }
}
