/*
 * Loops that wait for another thread.
 *
 * Such a loop stores nothing, but by atomic operations, and all its loads have
 * addresses that do not move; it only counts, if anything.  One of its jumps
 * depends on a loaded value and on nothing that the loop changes, so the rounds
 * end when something else stores to it.  A loop that counts may also be one
 * that polls while it works or waits for a time; it needs a sign: a pause, or a
 * load that another thread's stores reached.
 *
 * Limits: a loop that yields by a call is none.  One that sleeps in the kernel
 * has no rounds to speak of.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "chain/cy_predict.h"

/* What a value is made of.  The later ones tell less of what ends the loop, and
   a value made of several counts as the last of them. */
enum made {
    FIXED,   /* nothing that changes from round to round */
    LOADED,  /* values that were loaded in this round, too */
    COUNTED, /* a register that moves by a constant, too */
    STATE    /* what an earlier round computed */
};

struct spin {
    const struct cy_cost_of_loop *loop;
    const struct guest *guest;
    enum made made[FLOW_WORDS];
    uint32_t first[FLOW_WORDS], load; /* the first step that loaded a part of a
                                         value; of the present one */
    bool is_counting;
};

static bool is_in(struct guest_span span, unsigned word)
{
    return word * 8 >= span.first && word * 8 < span.end;
}

/* Does the write only move the register by a constant? */
static bool counts(const struct flow_put *put)
{
    return put->sum.is_known && put->sum.n == 1 &&
           put->sum.words[0] == put->word && put->sum.factors[0] == 1;
}

/* Finds what is in registers when a round begins. */
static void begin(struct spin *s)
{
    bool computes[FLOW_WORDS] = {false};

    for (uint32_t i = 0; i < s->loop->n; i++) {
        const struct flow *flow = &s->loop->insns[i].flow;

        for (unsigned j = 0; j < flow->n_puts; j++) {
            unsigned word = flow->puts[j].word;

            assert(word < FLOW_WORDS);
            computes[word] |= !counts(&flow->puts[j]);
            s->made[word] = computes[word] ? STATE : COUNTED;
        }
    }
    for (unsigned word = 0; word < FLOW_WORDS; word++)
        s->first[word] = CY_NO_STEP;
}

/* What a value is made of; *step: the first load in it, or CY_NO_STEP. */
static enum made made_of(const struct spin *s, const struct flow_sources *from,
                         uint32_t *step)
{
    enum made made = from->loads != 0 ? LOADED : FIXED;

    *step = from->loads != 0 ? s->load : CY_NO_STEP;
    for (unsigned word = 0; word < FLOW_WORDS; word++) {
        if (!flow_sources_has(from, word))
            continue;
        made = s->made[word] > made ? s->made[word] : made;
        *step = s->first[word] < *step ? s->first[word] : *step;
    }
    assert(*step == CY_NO_STEP || *step < s->loop->n);
    return made;
}

/* May a spin loop have the instruction, by its accesses and where it goes? */
static bool is_plain(const struct spin *s, uint32_t i)
{
    const struct flow *flow = &s->loop->insns[i].flow;
    uint32_t step;

    if (!flow->is_known || flow->is_cut || flow->leave != FLOW_GOES_ON ||
        (flow->n_stores > 0 && !s->loop->steps[i].operands.is_locked))
        return false;
    for (unsigned j = 0; j < flow->n_loads; j++)
        if (made_of(s, &flow->loads[j].address, &step) > LOADED)
            return false;
    for (unsigned j = 0; j < flow->n_stores; j++)
        if (made_of(s, &flow->stores[j].address, &step) > LOADED)
            return false;
    return true;
}

/* Takes the writes of an instruction; false if it computes with what an earlier
   round left. */
static bool take_puts(struct spin *s, const struct flow *flow)
{
    enum made made[FLOW_MOST_PUTS];
    uint32_t first[FLOW_MOST_PUTS];

    for (unsigned j = 0; j < flow->n_puts; j++)
        made[j] = made_of(s, &flow->puts[j].value, &first[j]);
    for (unsigned j = 0; j < flow->n_puts; j++) {
        unsigned word = flow->puts[j].word;

        if (made[j] == STATE &&
            (is_in(s->guest->general, word) || is_in(s->guest->vectors, word)))
            return false;
        s->is_counting |= made[j] == COUNTED;
        s->made[word] = made[j];
        s->first[word] = first[j];
    }
    return true;
}

static bool is_pause(const struct cy_code_insn *insn)
{
    return strcmp(insn->name, "pause") == 0 ||
           strcmp(insn->name, "yield") == 0 || strcmp(insn->name, "wfe") == 0;
}

/* What other threads stored most often for a load; NULL: nothing is known. */
static const struct cy_pair *passed(const struct cy_data *data,
                                    const struct cy_cost_of_loop *c,
                                    uint32_t load)
{
    size_t n;
    const struct cy_pair *p = cy_pairs_of_load(&data->observed, c->loop->object,
                                               c->insns[load].address, &n),
                         *most = NULL;

    for (size_t i = 0; i < n; i++)
        if (p[i].passed > (most != NULL ? most->passed : 0))
            most = &p[i];
    return most;
}

/* Chooses the load whose value other threads stored most often, among those up
   to the jump. */
static void choose(struct cy_spin *spin, const struct cy_data *data,
                   const struct cy_cost_of_loop *c, uint32_t jump)
{
    for (uint32_t i = 0; i < jump; i++) {
        const struct cy_pair *p =
            c->insns[i].flow.n_loads > 0 ? passed(data, c, i) : NULL;

        if (p != NULL &&
            (spin->passed == NULL || p->passed > spin->passed->passed)) {
            spin->load = i;
            spin->passed = p;
        }
    }
}

bool cy_spin_of(const struct cy_cost_of_loop *c, const struct cy_data *data,
                struct cy_spin *spin)
{
    struct spin s = {.loop = c, .guest = guest_of(data->arch)};
    bool has_pause = false;
    uint32_t jump = 0;

    *spin = (struct cy_spin){.load = CY_NO_STEP};
    /* A region need not be a loop. */
    if (c->name != NULL && c->insns[c->n - 1].flow.taken != c->insns[0].address)
        return false;
    begin(&s);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct flow *flow = &c->insns[i].flow;
        uint32_t step;

        s.load = i;
        if (!is_plain(&s, i))
            return false;
        has_pause |= is_pause(&c->insns[i]);
        if (made_of(&s, &flow->way, &step) == LOADED && step != CY_NO_STEP) {
            spin->load = step < spin->load ? step : spin->load;
            jump = i + 1;
        }
        if (!take_puts(&s, flow))
            return false;
    }
    if (spin->load == CY_NO_STEP)
        return false;
    choose(spin, data, c, jump);
    return !s.is_counting || has_pause || spin->passed != NULL;
}
