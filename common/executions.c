/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "executions.h"

/* Bytes of a repeated string instruction: rep, three prefixes, and movs. */
#define LONGEST_REPEATED 5

/* An address where the executions change by n, modulo 2^64; after
   executions_sum, an address from which on their number is n. */
struct executions_step {
    uint32_t object;
    bool is_inside; /* an instruction, in which the segments begin */
    uint64_t address, n;
};

ARRAY_ORDER(step_order, struct executions_step,
            array_order(a->object, b->object)
                ?: array_order(a->is_inside, b->is_inside)
                ?: array_order(a->address, b->address))

static void add(struct executions *e, struct executions_step step, uint64_t end)
{
    array_append(e, steps, step);
    step.address = end;
    step.n = -step.n;
    array_append(e, steps, step);
}

bool executions_add(struct executions *e, uint32_t object, uint64_t start,
                    uint64_t end, uint64_t inside_until, uint64_t executions)
{
    uint64_t from = inside_until < start ? start
                    : inside_until > end ? end
                                         : inside_until;

    assert(start <= end);
    if (__builtin_add_overflow(e->total, executions, &e->total)) {
        e->total -= executions;
        return false;
    }
    if (from > start)
        add(e, (struct executions_step){object, true, start, executions}, from);
    add(e, (struct executions_step){object, false, from, executions}, end);
    return true;
}

void executions_sum(struct executions *e)
{
    struct executions_step *steps = e->steps;
    uint64_t now = 0; /* the steps of an object add up to 0 */
    size_t n = 0;

    array_sort(steps, e->n_steps, step_order);
    for (size_t i = 0; i < e->n_steps; i++) {
        bool is_last =
            i + 1 == e->n_steps || step_order(&steps[i], &steps[i + 1]) != 0;

        now += steps[i].n;
        if (!is_last || now == (n > 0 ? steps[n - 1].n : 0))
            continue;
        steps[n] = steps[i];
        steps[n++].n = now;
    }
    assert(now == 0);
    e->n_steps = n;
}

uint64_t executions_of(const struct executions *e, uint32_t object,
                       uint64_t start, uint64_t end, bool is_inside)
{
    const struct executions_step *s = e->steps,
                                 key = {object, is_inside, start, 0};
    size_t next = array_bisect(0, e->n_steps, i, step_order(&s[i], &key) <= 0);
    /* The last step of the object before this one has 0 executions. */
    uint64_t now = next > 0 ? s[next - 1].n : 0, most = 0, least = 0;

    while (start < end) {
        bool is_cut = next < e->n_steps && s[next].object == object &&
                      s[next].is_inside == is_inside && s[next].address < end;
        uint64_t until = is_cut ? s[next].address : end;

        if (until - start > LONGEST_REPEATED && now > most)
            most = now;
        if (now > 0 && (least == 0 || now < least))
            least = now;
        start = until;
        now = is_cut ? s[next++].n : 0;
    }
    return most > 0 ? most : least;
}

void executions_fini(struct executions *e)
{
    free(e->steps);
    *e = (struct executions){0};
}
