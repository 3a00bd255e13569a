/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain/cy_edges.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

/* A sum of what registers are now, as one of what they were. */
static struct cy_sum substitute(const struct cy_sum *sum,
                                const struct cy_sum *now)
{
    struct cy_sum all = cy_sum_of_constant(sum->constant);

    all.is_known = sum->is_known;
    for (uint8_t i = 0; i < sum->n; i++)
        all = cy_sum_add(&all, &now[sum->words[i]], sum->factors[i]);
    return all;
}

/* Follows the registers through a step. */
static void advance(struct cy_sum *now, const struct cy_step *step)
{
    const struct cy_flow *flow = &step->insn->flow;
    struct cy_sum values[CY_MOST_PUTS];

    for (unsigned i = 0; i < flow->n_puts; i++)
        values[i] = substitute(&flow->puts[i].sum, now);
    for (unsigned i = 0; i < flow->n_puts && cy_step_puts(step); i++)
        now[flow->puts[i].word] = values[i];
    for (unsigned w = 0; w < CY_WORDS; w++)
        if (!flow->is_known || flow->is_cut ||
            cy_sources_has(&step->overwritten, w))
            now[w] = (struct cy_sum){0};
}

/* How far a sum moves, if it is known of its registers. */
static struct cy_stride stride_of(const struct cy_sum *sum,
                                  const struct cy_stride *words)
{
    struct cy_stride stride = {sum->is_known, 0};

    for (uint8_t i = 0; i < sum->n; i++) {
        stride.is_known &= words[sum->words[i]].is_known;
        stride.bytes += (uint64_t)sum->factors[i] * words[sum->words[i]].bytes;
    }
    return stride;
}

/* How far each register moves, by what it is at the end of a round. */
static void strides_of_words(struct cy_stride *words, const struct cy_sum *end)
{
    bool changed = true;

    for (unsigned w = 0; w < CY_WORDS; w++)
        words[w] = (struct cy_stride){end[w].is_known && end[w].n == 1 &&
                                          end[w].words[0] == w &&
                                          end[w].factors[0] == 1,
                                      end[w].constant};
    while (changed) {
        changed = false;
        for (unsigned w = 0; w < CY_WORDS; w++)
            if (!words[w].is_known && stride_of(&end[w], words).is_known) {
                words[w] = stride_of(&end[w], words);
                changed = true;
            }
    }
}

/* Which addresses the accesses have before the step. */
static void take_sums(struct cy_strides *s, const struct cy_flow *flow,
                      const struct cy_sum *now)
{
    for (unsigned i = 0; i < flow->n_loads; i++)
        s->loads[i].sum = substitute(&flow->loads[i].place, now);
    for (unsigned i = 0; i < flow->n_stores; i++)
        s->stores[i].sum = substitute(&flow->stores[i].place, now);
}

struct cy_strides *cy_strides_new(const struct cy_step *steps, uint32_t n)
{
    struct cy_strides *s = memory_new(n, sizeof *s);
    struct cy_sum now[CY_WORDS];
    struct cy_stride words[CY_WORDS];

    for (unsigned w = 0; w < CY_WORDS; w++)
        now[w] = cy_sum_of_word(w);
    for (uint32_t i = 0; i < n; i++) {
        take_sums(&s[i], &steps[i].insn->flow, now);
        advance(now, &steps[i]);
    }
    strides_of_words(words, now);
    for (uint32_t i = 0; i < n; i++) {
        for (unsigned j = 0; j < CY_MOST_LOADS; j++)
            s[i].loads[j].stride = stride_of(&s[i].loads[j].sum, words);
        for (unsigned j = 0; j < CY_MOST_STORES; j++)
            s[i].stores[j].stride = stride_of(&s[i].stores[j].sum, words);
    }
    return s;
}

/* What a register has, for an address that is made of it. */
enum content { PLACE, LOADED, DATA };

/* `sum`, if it is known, says how the sources make a number. */
static enum content content_of(const struct cy_sources *sources,
                               const struct cy_sum *sum,
                               const enum content *words)
{
    enum content most = PLACE;

    for (uint8_t i = 0; sum->is_known && i < sum->n; i++) {
        enum content content = words[sum->words[i]];

        if (content == LOADED && sum->factors[i] != 1)
            content = DATA;
        most = content > most ? content : most;
    }
    for (unsigned w = 0; !sum->is_known && w < CY_WORDS; w++)
        if (cy_sources_has(sources, w) && words[w] > most)
            most = sources->is_computed ? DATA : words[w];
    return most;
}

/* What a step puts into a register.  What is loaded from one place in all
   rounds is a variable. */
static enum content content_put(const struct cy_put *put,
                                const struct cy_flow *flow,
                                const struct cy_moving *loads,
                                const enum content *words)
{
    for (unsigned i = 0; i < flow->n_loads; i++)
        if ((put->value.loads >> i & 1) != 0 &&
            !(loads[i].stride.is_known && loads[i].stride.bytes == 0))
            return put->value.is_computed || flow->loads[i].size < 8 ? DATA
                                                                     : LOADED;
    return content_of(&put->value, &put->sum, words);
}

bool cy_is_by_data(const struct cy_step *steps, uint32_t n, uint32_t load)
{
    struct cy_strides *s = cy_strides_new(steps, n);
    enum content words[CY_WORDS] = {PLACE}, puts[CY_MOST_PUTS], found = PLACE;
    const struct cy_flow_access *access;

    assert(load < n && steps[load].insn->flow.n_loads > 0);
    access = &steps[load].insn->flow.loads[0];
    /* The second round has what the first one leaves. */
    for (uint32_t i = 0; i < 2 * n; i++) {
        const struct cy_flow *flow = &steps[i % n].insn->flow;

        if (i == n + load)
            found = content_of(&access->address, &access->place, words);
        for (unsigned j = 0; j < flow->n_puts; j++)
            puts[j] = content_put(&flow->puts[j], flow, s[i % n].loads, words);
        for (unsigned j = 0; j < flow->n_puts; j++)
            words[flow->puts[j].word] = puts[j];
    }
    found = s[load].loads[0].stride.is_known ? PLACE : found;
    free(s);
    return found == DATA;
}

bool cy_sums_are_alike(const struct cy_sum *a, const struct cy_sum *b)
{
    if (!a->is_known || !b->is_known || a->n != b->n)
        return false;
    for (uint8_t i = 0; i < a->n; i++) {
        uint8_t j = 0;

        while (j < b->n &&
               (a->words[i] != b->words[j] || a->factors[i] != b->factors[j]))
            j++;
        if (j == b->n)
            return false;
    }
    return true;
}
