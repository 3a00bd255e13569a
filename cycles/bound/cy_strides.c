/*
 * cy_strides: how far the addresses of a block's accesses move from each round
 * of the block to the next.
 *
 * Each register is followed through the round as a sum of what registers were
 * at its beginning.  A register that ends as itself and a constant moves by the
 * constant in each round; addresses move as their registers do.
 *
 * Limits: an address is not known if it was loaded, multiplied or chosen.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

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
