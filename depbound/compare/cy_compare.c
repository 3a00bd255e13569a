/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/cy_compare.h"

#include "model/cy_data.h"
#include "report/baseline.h"

/* Figures are the same if their relative difference is smaller: they may come
   from sums in another order. */
#define SAME 1e-6

/* --- Figures --- */

static const struct cy_two unknown = {NAN, NAN};

double cy_growth(const struct cy_two *f)
{
    return f->before > 0 ? 100 * (f->now - f->before) / f->before : NAN;
}

/* Is the figure known on both sides? */
static bool is_known(const struct cy_two *f)
{
    return !isnan(f->before) && !isnan(f->now);
}

static enum cy_change kind_of(const struct cy_two *f)
{
    assert(is_known(f));
    if (fabs(f->now - f->before) <= SAME * fmax(f->now, f->before))
        return CY_UNCHANGED;
    return f->now > f->before ? CY_SLOWER : CY_FASTER;
}

static bool exceeds(const struct cy_comparison *c, const struct cy_two *f)
{
    return c->has_limit && is_known(f) &&
           f->now > f->before * (1 + c->limit / 100) * (1 + SAME);
}

/* All cycles of a loop; NAN if the number of its iterations is not known. */
static double total_of(const struct cy_saved_loop *loop)
{
    return loop->rounds > 0 ? (double)loop->rounds * loop->predicted : NAN;
}

/* The figure that decides what changed: the total, if known, or that of a
   round. */
static const struct cy_two *deciding(const struct cy_two *round,
                                     const struct cy_two *total)
{
    return is_known(total) ? total : round;
}

/* By how many cycles something changed; new or gone: by all of them. */
static double extent(const struct cy_two *round, const struct cy_two *total)
{
    double before = isnan(total->before) ? 0 : total->before;
    double now = isnan(total->now) ? 0 : total->now;

    if (before == 0 && now == 0) {
        before = isnan(round->before) ? 0 : round->before;
        now = isnan(round->now) ? 0 : round->now;
    }
    return fabs(now - before);
}

/* --- Keys --- */

/* How a loop is identified in both reports, the most reliable key first. */
enum step { BY_PLACE, BY_FUNCTION, BY_LINE, N_STEPS };

/* Has a loop's function a name that tells it in another build? */
static bool has_function(const struct cy_saved_loop *loop)
{
    return loop->function != NULL && !cy_function_is_address(loop->function);
}

/* A key, equal for loops that the step takes for the same; NULL if it is not
   known. */
static char *key_of(const struct cy_saved_loop *loop, enum step step)
{
    if (loop->region != NULL)
        return step == BY_PLACE ? memory_printf("\n%s", loop->region) : NULL;
    if (step == BY_LINE)
        return loop->line != NULL ? memory_text(loop->line) : NULL;
    if (!has_function(loop))
        return step == BY_PLACE && loop->line != NULL
                   ? memory_printf("\n\n%s", loop->line)
                   : NULL;
    if (step == BY_FUNCTION)
        return memory_text(loop->function);
    AUTO_FREE char *line = baseline_line(loop->line, loop->function_line);
    return memory_printf("%s\n%s", loop->function, line);
}

/* --- Dependencies --- */

/* All dependencies of one side of a loop that have the same key. */
struct joined {
    const struct cy_saved_dependency *costliest; /* NULL: there is none */
    double cycles;
    bool fails;
};

static struct joined join(const struct cy_saved_loop *loop,
                          const uint32_t *numbers, size_t n)
{
    struct joined j = {0};

    for (size_t i = 0; i < n; i++) {
        const struct cy_saved_dependency *d = &loop->dependencies[numbers[i]];

        assert(numbers[i] < loop->n_dependencies);
        if (j.costliest == NULL || d->cycles > j.costliest->cycles)
            j.costliest = d;
        j.cycles += d->cycles;
        j.fails |= strcmp(d->forwarding, "failed") == 0;
    }
    return j;
}

static double times(double cycles, const struct cy_saved_loop *loop)
{
    return loop->rounds > 0 ? cycles * (double)loop->rounds : NAN;
}

static enum cy_change kind_of_dependency(const struct cy_dependency_change *d)
{
    bool was_limiting = !isnan(d->round.before),
         is_limiting = !isnan(d->round.now);

    if (d->before == NULL || d->now == NULL)
        return d->before == NULL ? CY_NEW : CY_GONE;
    if (was_limiting != is_limiting)
        return is_limiting ? CY_LIMITING : CY_FREE;
    return is_limiting ? kind_of(deciding(&d->round, &d->total)) : CY_UNCHANGED;
}

/* The two sides of a loop; one is NULL if the loop is new or gone. */
struct pair {
    struct cy_comparison *c;
    const struct cy_saved_loop *before, *now;
};

static void take_dependencies(void *of, const struct baseline_group *group)
{
    const struct pair *p = of;
    const struct joined was = join(p->before, group->before, group->n_before);
    const struct joined is = join(p->now, group->now, group->n_now);
    struct cy_dependency_change d = {
        .loop = is.costliest != NULL ? p->now : p->before,
        .before = was.costliest,
        .now = is.costliest,
        .was_failed = was.fails,
        .is_failed = is.fails,
        .round = unknown,
        .total = unknown,
    };

    assert(d.before != NULL || d.now != NULL);
    if (was.cycles > 0) {
        d.round.before = was.cycles;
        d.total.before = times(was.cycles, p->before);
    }
    if (is.cycles > 0) {
        d.round.now = is.cycles;
        d.total.now = times(is.cycles, p->now);
    }
    d.kind = kind_of_dependency(&d);
    p->c->dependencies_by_kind[d.kind]++;
    if (was.cycles > 0 || is.cycles > 0 || was.fails || is.fails)
        array_append(p->c, dependencies, d);
}

static void add_dependencies(struct baseline_items *items,
                             const struct cy_saved_loop *loop, bool is_before)
{
    for (uint32_t i = 0; loop != NULL && i < loop->n_dependencies; i++) {
        const struct cy_saved_dependency *d = &loop->dependencies[i];
        AUTO_FREE char *store = baseline_line(d->store_line, loop->line);
        AUTO_FREE char *load = baseline_line(d->load_line, loop->line);

        baseline_add(items, is_before, i, 0,
                     memory_printf("%s\n%s", store, load));
    }
}

static void compare_dependencies(struct cy_comparison *c,
                                 const struct cy_saved_loop *before,
                                 const struct cy_saved_loop *now)
{
    struct baseline_items items = {0};

    add_dependencies(&items, before, true);
    add_dependencies(&items, now, false);
    baseline_match(&items, take_dependencies, &(struct pair){c, before, now});
}

/* --- Loops --- */

struct comparing {
    struct cy_comparison *c;
    const struct cy_saved *before, *now;
    size_t n_listed;
    bool *was_found, *is_found; /* by loop: is it matched? */
    enum step step;
};

static void add_change(struct cy_comparison *c, struct cy_loop_change change)
{
    const struct cy_two *f = deciding(&change.round, &change.total);

    assert(change.before != NULL || change.now != NULL);
    if (change.before != NULL && change.now != NULL) {
        change.kind = kind_of(f);
        change.fails = exceeds(c, f);
        c->fails |= change.fails;
    }
    c->loops_by_kind[change.kind]++;
    array_append(c, loops, change);
}

/* Adds a loop that was found in both reports. */
static void add_pair(struct comparing *g, uint32_t before, uint32_t now)
{
    const struct cy_saved_loop *a = &g->before->loops[before];
    const struct cy_saved_loop *b = &g->now->loops[now];

    assert(!g->was_found[before] && !g->is_found[now]);
    g->was_found[before] = g->is_found[now] = true;
    add_change(g->c, (struct cy_loop_change){
                         .before = a,
                         .now = b,
                         .n_before = 1,
                         .n_now = 1,
                         .round = {a->predicted, b->predicted},
                         .total = {total_of(a), total_of(b)},
                     });
    compare_dependencies(g->c, a, b);
}

/* The cycles of all these loops, which are marked as found. */
static double sum_of(const struct cy_saved *report, bool *is_found,
                     const uint32_t *numbers, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        assert(numbers[i] < report->n_loops && !is_found[numbers[i]]);
        is_found[numbers[i]] = true;
        sum += total_of(&report->loops[numbers[i]]);
    }
    return sum;
}

/* Adds loops with the same key whose number has changed, by the sum of their
   cycles.  They can be compared only if both reports list all of them. */
static void add_sums(struct comparing *g, const struct baseline_group *group)
{
    const struct cy_two total = {
        sum_of(g->before, g->was_found, group->before, group->n_before),
        sum_of(g->now, g->is_found, group->now, group->n_now)};

    assert(group->n_before != group->n_now);
    if (!is_known(&total) || g->before->n_left_out > 0) {
        g->c->n_unmatched_before += group->n_before;
        g->c->n_unmatched_now += group->n_now;
        return;
    }
    add_change(g->c, (struct cy_loop_change){
                         .before = &g->before->loops[group->before[0]],
                         .now = &g->now->loops[group->now[0]],
                         .n_before = group->n_before,
                         .n_now = group->n_now,
                         .round = unknown,
                         .total = total,
                     });
}

/* Moves the loops that this report lists before those that it leaves out, as
   the earlier one left some out.  Returns the number of listed loops. */
static size_t listed_first(const struct comparing *g, uint32_t *now, size_t n)
{
    size_t n_listed = 0;

    for (size_t i = 0; i < n; i++)
        if (now[i] < g->n_listed) {
            uint32_t number = now[i];

            memmove(&now[n_listed + 1], &now[n_listed],
                    (i - n_listed) * sizeof number);
            now[n_listed++] = number;
        }
    return n_listed;
}

static void take_loops(void *of, const struct baseline_group *group)
{
    struct comparing *g = of;
    size_t n = group->n_before;

    if (n == 0 || group->n_now == 0 || (g->step == BY_LINE && n > 1))
        return;
    if (n == group->n_now ||
        (n < group->n_now && listed_first(g, group->now, group->n_now) == n)) {
        for (size_t i = 0; i < n; i++)
            add_pair(g, group->before[i], group->now[i]);
    } else if (g->step == BY_PLACE) {
        add_sums(g, group);
    }
}

static void add_loops(struct baseline_items *items,
                      const struct cy_saved *report, const bool *is_found,
                      bool is_before, enum step step)
{
    for (uint32_t i = 0; i < report->n_loops; i++)
        if (!is_found[i])
            baseline_add(items, is_before, i, report->loops[i].order,
                         key_of(&report->loops[i], step));
}

/* Takes a loop that only one of the reports has; the other is NULL. */
static void take_one(struct cy_comparison *c,
                     const struct cy_saved_loop *before,
                     const struct cy_saved_loop *now, enum cy_change kind)
{
    const struct cy_saved_loop *loop = before != NULL ? before : now;
    double total = total_of(loop);

    if (loop->region == NULL && !has_function(loop) && loop->line == NULL) {
        ++*(before != NULL ? &c->n_unmatched_before : &c->n_unmatched_now);
        return;
    }
    add_change(c, (struct cy_loop_change){
                      .before = before,
                      .now = now,
                      .n_before = before != NULL,
                      .n_now = now != NULL,
                      .round = {before != NULL ? loop->predicted : NAN,
                                now != NULL ? loop->predicted : NAN},
                      .total = {before != NULL ? total : NAN,
                                now != NULL ? total : NAN},
                      .kind = kind,
                  });
    if (kind != CY_UNLISTED)
        compare_dependencies(c, before, now);
}

ARRAY_ORDER(change_order, struct cy_loop_change,
            b->fails - a->fails
                ?: (a->kind == CY_UNCHANGED) - (b->kind == CY_UNCHANGED)
                ?: array_order(extent(&b->round, &b->total),
                               extent(&a->round, &a->total)))

ARRAY_ORDER(dependency_order, struct cy_dependency_change,
            (a->kind == CY_UNCHANGED) - (b->kind == CY_UNCHANGED)
                ?: array_order(extent(&b->round, &b->total),
                               extent(&a->round, &a->total)))

/* Compares the programs' figures, if both are of the same kind. */
static void compare_programs(struct cy_comparison *c,
                             const struct cy_saved *before,
                             const struct cy_saved *now)
{
    c->program = unknown;
    if (before->by == NULL || now->by == NULL ||
        strcmp(before->by, now->by) != 0)
        return;
    c->program = (struct cy_two){before->program, now->program};
    /* Without intervals, no difference is due to chance. */
    c->may_be_chance = now->low <= before->high && before->low <= now->high;
    c->program_fails = exceeds(c, &c->program) && !c->may_be_chance;
}

struct cy_comparison cy_compare(const struct cy_saved *before,
                                const struct cy_saved *now, size_t n_listed,
                                double limit)
{
    struct cy_comparison c = {
        .has_limit = limit >= 0,
        .limit = limit,
    };
    struct comparing g = {
        .c = &c,
        .before = before,
        .now = now,
        .n_listed = n_listed,
        .was_found = memory_new(before->n_loops, sizeof *g.was_found),
        .is_found = memory_new(now->n_loops, sizeof *g.is_found),
    };
    enum cy_change kind = before->n_left_out == 0 ? CY_NEW : CY_UNLISTED;

    assert(n_listed <= now->n_loops);
    for (g.step = 0; g.step < N_STEPS; g.step++) {
        struct baseline_items items = {0};

        add_loops(&items, before, g.was_found, true, g.step);
        add_loops(&items, now, g.is_found, false, g.step);
        baseline_match(&items, take_loops, &g);
    }
    for (size_t i = 0; i < before->n_loops; i++)
        if (!g.was_found[i])
            take_one(&c, &before->loops[i], NULL, CY_GONE);
    for (size_t i = 0; i < n_listed; i++)
        if (!g.is_found[i])
            take_one(&c, NULL, &now->loops[i], kind);
    array_sort(c.loops, c.n_loops, change_order);
    array_sort(c.dependencies, c.n_dependencies, dependency_order);
    compare_programs(&c, before, now);
    /* The limit must apply to something, if the earlier report has loops. */
    c.fails |= c.program_fails ||
               (c.has_limit && before->n_loops > 0 && !is_known(&c.program) &&
                c.loops_by_kind[CY_SLOWER] + c.loops_by_kind[CY_FASTER] +
                        c.loops_by_kind[CY_UNCHANGED] ==
                    0);
    free(g.was_found);
    free(g.is_found);
    return c;
}

void cy_comparison_fini(struct cy_comparison *c)
{
    free(c->loops);
    free(c->dependencies);
    *c = (struct cy_comparison){0};
}
