/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain/cy_predict.h"

/* A sum of registers as one of their values when the round began. */
static struct flow_sum substitute(const struct flow_sum *sum,
                                  const struct flow_sum *now)
{
    struct flow_sum all = flow_sum_of_constant(sum->constant);

    all.is_known = sum->is_known;
    for (uint8_t i = 0; i < sum->n; i++) {
        assert(sum->words[i] < FLOW_WORDS);
        all = flow_sum_add(&all, &now[sum->words[i]], sum->factors[i]);
    }
    return all;
}

/* Follows the registers through a step. */
static void advance(struct flow_sum *now, const struct cy_step *step)
{
    const struct flow *flow = &step->insn->flow;
    struct flow_sum values[FLOW_MOST_PUTS];

    for (unsigned i = 0; i < flow->n_puts; i++)
        values[i] = substitute(&flow->puts[i].sum, now);
    for (unsigned i = 0; i < flow->n_puts && cy_step_puts(step); i++)
        now[flow->puts[i].word] = values[i];
    for (unsigned w = 0; w < FLOW_WORDS; w++)
        if (!flow->is_known || flow->is_cut ||
            flow_sources_has(&step->overwritten, w))
            now[w] = (struct flow_sum){0};
}

/* How far a sum moves in a round; known if the strides of its registers are. */
static struct cy_stride stride_of(const struct flow_sum *sum,
                                  const struct cy_stride *words)
{
    struct cy_stride stride = {sum->is_known, 0};

    for (uint8_t i = 0; i < sum->n; i++) {
        stride.is_known &= words[sum->words[i]].is_known;
        stride.bytes += (uint64_t)sum->factors[i] * words[sum->words[i]].bytes;
    }
    return stride;
}

/* Finds how far each register moves in a round, from its value at the end. */
static void strides_of_words(struct cy_stride *words,
                             const struct flow_sum *end)
{
    bool changed = true;

    for (unsigned w = 0; w < FLOW_WORDS; w++)
        words[w] = (struct cy_stride){end[w].is_known && end[w].n == 1 &&
                                          end[w].words[0] == w &&
                                          end[w].factors[0] == 1,
                                      end[w].constant};
    while (changed) {
        changed = false;
        for (unsigned w = 0; w < FLOW_WORDS; w++)
            if (!words[w].is_known && stride_of(&end[w], words).is_known) {
                words[w] = stride_of(&end[w], words);
                changed = true;
            }
    }
}

struct cy_strides *cy_strides_new(const struct cy_step *steps, uint32_t n)
{
    struct cy_strides *s = memory_new(n, sizeof *s);
    struct flow_sum now[FLOW_WORDS];
    struct cy_stride words[FLOW_WORDS];

    for (unsigned w = 0; w < FLOW_WORDS; w++)
        now[w] = flow_sum_of_word(w);
    for (uint32_t i = 0; i < n; i++) {
        const struct flow *flow = &steps[i].insn->flow;

        for (unsigned j = 0; j < flow->n_loads; j++)
            s[i].loads[j].sum = substitute(&flow->loads[j].place, now);
        for (unsigned j = 0; j < flow->n_stores; j++)
            s[i].stores[j].sum = substitute(&flow->stores[j].place, now);
        advance(now, &steps[i]);
    }
    strides_of_words(words, now);
    for (uint32_t i = 0; i < n; i++) {
        for (unsigned j = 0; j < FLOW_MOST_LOADS; j++)
            s[i].loads[j].stride = stride_of(&s[i].loads[j].sum, words);
        for (unsigned j = 0; j < FLOW_MOST_STORES; j++)
            s[i].stores[j].stride = stride_of(&s[i].stores[j].sum, words);
    }
    return s;
}

/* A register's content: nothing loaded, a loaded pointer, or data. */
enum content { PLACE, LOADED, DATA };

/* What a result holds, by the terms of `sum`, or by its sources if the sum is
   not known. */
static enum content content_of(const struct flow_sources *sources,
                               const struct flow_sum *sum,
                               const enum content *words)
{
    enum content most = PLACE;

    for (uint8_t i = 0; sum->is_known && i < sum->n; i++) {
        enum content content = words[sum->words[i]];

        if (content == LOADED && sum->factors[i] != 1)
            content = DATA;
        most = content > most ? content : most;
    }
    for (unsigned w = 0; !sum->is_known && w < FLOW_WORDS; w++)
        if (flow_sources_has(sources, w) && words[w] > most)
            most = sources->is_computed ? DATA : words[w];
    return most;
}

/* What a step puts into a register.  A value loaded from the same address in
   all rounds is a variable, and no data. */
static enum content content_put(const struct flow_put *put,
                                const struct flow *flow,
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
    AUTO_FREE struct cy_strides *s = cy_strides_new(steps, n);
    enum content words[FLOW_WORDS] = {PLACE}, puts[FLOW_MOST_PUTS],
                 found = PLACE;

    assert(load < n && steps[load].insn->flow.n_loads > 0);
    const struct flow_access *access = &steps[load].insn->flow.loads[0];
    /* The second round begins with what the first leaves in registers. */
    for (uint32_t i = 0; i < 2 * n; i++) {
        const struct flow *flow = &steps[i % n].insn->flow;

        if (i == n + load)
            found = content_of(&access->address, &access->place, words);
        for (unsigned j = 0; j < flow->n_puts; j++)
            puts[j] = content_put(&flow->puts[j], flow, s[i % n].loads, words);
        for (unsigned j = 0; j < flow->n_puts; j++)
            words[flow->puts[j].word] = puts[j];
    }
    found = s[load].loads[0].stride.is_known ? PLACE : found;
    return found == DATA;
}
