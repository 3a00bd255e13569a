/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lift/flow.h"

struct flow_sum flow_sum_of_constant(uint64_t constant)
{
    return (struct flow_sum){.is_known = true, .constant = constant};
}

struct flow_sum flow_sum_of_word(unsigned word)
{
    assert(word < FLOW_WORDS);
    return (struct flow_sum){
        .is_known = true, .n = 1, .words = {(uint8_t)word}, .factors = {1}};
}

/* Removes terms whose factor became 0. */
static void drop_zeros(struct flow_sum *s)
{
    uint8_t n = 0;

    for (uint8_t i = 0; i < s->n; i++)
        if (s->factors[i] != 0) {
            s->words[n] = s->words[i];
            s->factors[n++] = s->factors[i];
        }
    s->n = n;
}

static void add_term(struct flow_sum *s, uint8_t word, int64_t factor)
{
    uint8_t i = 0;

    while (i < s->n && s->words[i] != word)
        i++;
    if (i == FLOW_MOST_TERMS) {
        s->is_known = false;
        return;
    }
    if (i == s->n) {
        s->words[i] = word;
        s->factors[i] = 0;
        s->n++;
    }
    factor += s->factors[i];
    s->is_known &= factor >= INT8_MIN && factor <= INT8_MAX;
    s->factors[i] = (int8_t)(s->is_known ? factor : 0);
}

struct flow_sum flow_sum_add(const struct flow_sum *a, const struct flow_sum *b,
                             int64_t factor)
{
    struct flow_sum sum = *a;

    sum.is_known =
        a->is_known && b->is_known && factor >= INT8_MIN && factor <= INT8_MAX;
    for (uint8_t i = 0; i < b->n && sum.is_known; i++)
        add_term(&sum, b->words[i], factor * b->factors[i]);
    if (!sum.is_known)
        return (struct flow_sum){0};
    sum.constant += (uint64_t)factor * b->constant;
    drop_zeros(&sum);
    return sum;
}
