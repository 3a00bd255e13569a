/* cy_beyond: waits for lines and pages that are not in the first caches, and
 * how stores leave the store buffer: in order, after they have retired. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

#include "core/cy_pipeline.h"

uint32_t cy_pipeline_origin(const struct cy_pipeline *c,
                            const struct cy_needs *address)
{
    const struct cy_value *last = NULL;

    for (unsigned i = 0; i < address->n; i++) {
        const struct cy_value *v =
            &c->words[c->recipes->words[address->first + i]];

        if (v->origin_insn != CY_NO_INSN &&
            (last == NULL || v->origin > last->origin))
            last = v;
    }
    return last != NULL ? last->origin_insn : CY_NO_INSN;
}

static bool is_fixed(const struct cy_pipeline *c, enum cy_fix_kind kind)
{
    return c->fix->kind == kind &&
           (c->fix->parts == NULL || c->fix->parts[c->insn]);
}

static void note(struct cy_pipeline *c, struct cy_missed missed)
{
    struct cy_outcome *o = c->outcome;

    missed.insn = c->insn;
    missed.weight = (float)o->weight;
    if (c->is_counted && missed.place != 0 && !c->fix->is_brief)
        array_append(o, away, missed);
}

/* Adds a wait of so many cycles for a line that `asker` asked for. */
static void wait(struct cy_pipeline *c, struct cy_moment *at,
                 enum cy_cause cause, double cycles, uint32_t asker)
{
    if (cycles <= 0)
        return;
    *at = cy_pipeline_event(c, at->time + cycles, *at, cause, 0);
    c->events.list[at->event].store = asker;
}

/* How much earlier a load behind mispredicted branches asked for its line, as
   if they had not been mispredicted, if its address is in an array that is
   walked through: what is executed in vain walks on, too.  (On Golden Cove a
   merge of records that are in memory, by arrays of pointers, takes 36 cycles a
   step with a branch, and 357 with a move by condition.) */
static double early_by(const struct cy_pipeline *c, uint32_t origin)
{
    unsigned room = c->buffers.list[CY_REORDER_BUFFER].size;
    double most = 0;

    if (origin == CY_NO_INSN || !cy_caches_walks(&c->caches, origin))
        return 0;
    for (unsigned i = 0; i < CY_STRAYS && i < c->n_strays; i++) {
        uint32_t since = c->number - c->strays[i].number;

        if ((room == 0 || since < room) &&
            since < c->fetch.width * c->strays[i].cycles)
            most = fmax(most, c->strays[i].cycles);
    }
    return most;
}

struct cy_moment cy_pipeline_line(struct cy_pipeline *c, enum cy_missing kind,
                                  unsigned access, uint64_t address,
                                  uint32_t origin, double time,
                                  struct cy_moment at)
{
    size_t number = c->first_access + access;
    struct cy_missed missed = {.kind = kind, .origin = origin};
    bool is_early = is_fixed(c, CY_FIX_EARLY);

    if (c->found == NULL || c->fix->kind == CY_FIX_FREE ||
        address == CY_NOT_DONE || access == CY_NO_ACCESS ||
        is_fixed(c, CY_FIX_CACHED))
        return at;
    missed.place = c->found->accesses[number];
    missed.distance = c->found->distances[number];
    bool is_prefetched = c->n_prefetched > 0 && CY_LEVEL(missed.place) > 0;
    /* A prefetch instruction waits for the page itself, and nothing retires
       meanwhile. */
    struct cy_arrived arrived = cy_caches_line(
        &c->caches,
        &(struct cy_asked_line){
            address, time, c->insn, missed.place,
            .early = kind == CY_MISSING_LOAD ? early_by(c, origin) : 0,
            .is_early = is_prefetched || is_early, .is_page_early = is_early});
    if (arrived.is_new)
        note(c, missed);
    if (arrived.is_new && is_prefetched)
        c->n_prefetched--;
    assert(time <= arrived.page && arrived.page <= arrived.there);
    assert(arrived.level <= CY_BEYOND);
    wait(c, &at, CY_CAUSE_PAGES, arrived.page - time, c->insn);
    wait(c, &at, CY_CAUSE_L2 + (arrived.level > 0 ? arrived.level - 1 : 0),
         arrived.there - arrived.page, arrived.asker);
    return at;
}

bool cy_pipeline_decodes(const struct cy_pipeline *c, size_t i)
{
    return c->found != NULL && (c->found->code[i] & CY_DECODED) != 0 &&
           (c->fix->kind != CY_FIX_CACHED || c->fix->parts != NULL);
}

void cy_pipeline_code(struct cy_pipeline *c, size_t i)
{
    if (c->found == NULL || CY_LEVEL(c->found->code[i]) == 0 ||
        (c->fix->kind == CY_FIX_CACHED && c->fix->parts == NULL))
        return;
    note(c, (struct cy_missed){.kind = CY_MISSING_CODE,
                               .origin = CY_NO_INSN,
                               .place = c->found->code[i],
                               .distance = c->found->code_distances[i]});
    double cycles =
        cy_fetch_line(&c->fetch, cy_caches_code(&c->caches, c->found->code[i]),
                      c->memory, (c->found->code[i] & CY_UNFORESEEN) == 0);
    struct cy_moment at = cy_fetch_next(&c->fetch, 0);
    if (cycles <= 0)
        return;
    at = cy_pipeline_event(c, at.time, at, c->fetch.cause, 0);
    wait(c, &at, CY_CAUSE_CODE, cycles, CY_NO_INSN);
    cy_fetch_wait(&c->fetch, cycles, at);
}

/* --- The store buffer --- */

/* Cycles from when the store before leaves to when this one does.  A store to
   two lines takes as long as two stores, and one that leaves together with the
   store before takes none.  (Measured on Zen 3.)  Where stores pair by blocks,
   none does that loads read before it leaves.  (Loops on Zen 4 that store
   eight or four times a round, and read what they stored one to three rounds
   before, or elsewhere: 8.0 and 5.8 cycles, 4.0 and 3.0.) */
static double leave_cycles(struct cy_pipeline *c, const struct cy_recipe *r,
                           const struct cy_stored *s)
{
    struct cy_leaving *l = &c->leaving;
    bool is_read =
        r->paired_in == CY_PAIR_BLOCK && c->read_in[s->insn] == c->window;
    bool is_within = r->paired_in > 0 && s->size > 0 &&
                     !cy_crosses(s->address, s->size, r->paired_in);
    uint64_t block = is_within ? s->address / r->paired_in + 1 : 0;
    bool is_second = is_within && l->block == block && !is_read;

    l->block = is_second ? 0 : block;
    if (is_second)
        return 0;
    return s->size > 0 && cy_crosses(s->address, s->size, CY_LINE)
               ? 2 * r->leave_cycles
               : r->leave_cycles;
}

void cy_pipeline_leave(struct cy_pipeline *c, const struct cy_recipe *r)
{
    assert(c->n_stores >= r->n_stores);
    if (r->order == CY_ORDER_STORES) {
        if (c->retired.time > c->left.time)
            c->left = c->retired;
        c->left = cy_pipeline_event(c, c->left.time + r->order_cycles, c->left,
                                    CY_CAUSE_ORDER, 0);
    }
    for (unsigned s = 0; s < r->n_stores; s++) {
        struct cy_stored *store = &c->stores[c->n_stores - r->n_stores + s];
        double cycles = leave_cycles(c, r, store),
               left =
                   c->left.time + (r->order == CY_ORDER_RETIRES ? 0 : cycles);
        struct cy_moment line;

        if (left > c->retired.time)
            c->left =
                cy_pipeline_event(c, left, c->left, CY_CAUSE_RETIREMENT, 0);
        else
            c->left = c->retired;
        line =
            cy_pipeline_line(c, CY_MISSING_STORE, r->stores[s].access,
                             store->address != 0 ? store->address : CY_NOT_DONE,
                             store->origin, c->retired.time, c->retired);
        if (line.time > c->left.time)
            c->left = line;
        store->left = c->left;
        cy_queue_add(&c->buffers.list[CY_STORE_BUFFER], 1, c->left.time,
                     c->left.event);
    }
}
