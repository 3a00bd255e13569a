/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_habits.h"

/* --- Last stores --- */

struct cy_written {
    struct keys words, lines; /* keyed by address / 8; by address / 64 */
    struct word {
        uint32_t store[8]; /* the last store of each byte */
    } * list;              /* by word */
    size_t n_list, list_room;
};

struct cy_written *cy_written_new(void)
{
    return memory_new(1, sizeof(struct cy_written));
}

void cy_written_free(struct cy_written *w)
{
    if (w == NULL)
        return;
    keys_fini(&w->words);
    keys_fini(&w->lines);
    free(w->list);
    free(w);
}

void cy_written_clear(struct cy_written *w)
{
    keys_clear(&w->words);
    keys_clear(&w->lines);
    w->n_list = 0;
}

static struct word *word_of(struct cy_written *w, uint64_t place)
{
    static const struct word none = {{CY_NO_STORE, CY_NO_STORE, CY_NO_STORE,
                                      CY_NO_STORE, CY_NO_STORE, CY_NO_STORE,
                                      CY_NO_STORE, CY_NO_STORE}};
    uint32_t number = keys_add(&w->words, place);

    assert(number <= w->n_list);
    if (number == w->n_list)
        array_append(w, list, none);
    return &w->list[number];
}

void cy_written_store(struct cy_written *w, uint64_t address, unsigned size,
                      uint32_t store)
{
    assert(size > 0);
    while (size > 0) {
        unsigned first = address % 8, n = 8 - first < size ? 8 - first : size;
        struct word *word = word_of(w, address / 8);

        for (unsigned i = first; i < first + n; i++)
            word->store[i] = store;
        address += n;
        size -= n;
    }
}

/* Adds a store to a load's stores, where it is mostly the last already. */
static unsigned add(uint32_t *stores, unsigned n, uint32_t store)
{
    for (unsigned i = n; i > 0; i--)
        if (stores[i - 1] == store)
            return n;
    if (n < CY_MOST_WRITERS)
        stores[n++] = store;
    return n;
}

unsigned cy_written_load(struct cy_written *w, uint64_t address, unsigned size,
                         uint32_t stores[CY_MOST_WRITERS])
{
    unsigned n_stores = 0;

    assert(size > 0);
    while (size > 0) {
        unsigned first = address % 8, n = 8 - first < size ? 8 - first : size;
        uint32_t word = keys_find(&w->words, address / 8);

        if (word == NO_KEY)
            n_stores = add(stores, n_stores, CY_NO_STORE);
        else
            for (unsigned i = first; i < first + n; i++)
                n_stores = add(stores, n_stores, w->list[word].store[i]);
        address += n;
        size -= n;
    }
    assert(n_stores > 0 && n_stores <= CY_MOST_WRITERS);
    return n_stores;
}

bool cy_written_is_first(struct cy_written *w, uint64_t address)
{
    size_t n = w->lines.n;

    return keys_add(&w->lines, address / 64) == n;
}

/* --- Habits --- */

/* How often in a row a load must read the same store to be renamed, if the
   machine file has no figure; how many of these repeats a load of bytes stored
   long ago costs; and the most stores that may still be in the store buffer. */
#define RENAMED_AFTER 64
#define LOST          7
#define FARTHEST      64

struct cy_habits {
    unsigned renamed_after; /* equal stores in a row until a load is renamed */
    struct cy_learnt *by_insn,
        *learnt; /* learnt: before the first simulation */
    size_t n_insns;
    struct cy_near near;
    uint64_t *met;    /* by instruction: hash of its last loads' distances */
    uint32_t *counts; /* by instruction: executions in the window that is
                         learnt; else 0 */
};

struct cy_habits *cy_habits_new(size_t n_insns, unsigned renamed_after)
{
    struct cy_habits *h = memory_new(1, sizeof *h);

    h->renamed_after = renamed_after > 0 ? renamed_after : RENAMED_AFTER;
    h->n_insns = n_insns;
    h->by_insn = memory_new(n_insns, sizeof *h->by_insn);
    h->met = memory_new(n_insns, sizeof *h->met);
    h->counts = memory_new(n_insns, sizeof *h->counts);
    h->near.by_insn = memory_new(n_insns, sizeof *h->near.by_insn);
    return h;
}

void cy_habits_free(struct cy_habits *h)
{
    if (h == NULL)
        return;
    free(h->by_insn);
    free(h->learnt);
    free(h->met);
    free(h->counts);
    free(h->near.by_insn);
    free(h);
}

struct cy_learnt *cy_habits_of(struct cy_habits *h, uint32_t insn)
{
    assert(insn < h->n_insns);
    return &h->by_insn[insn];
}

void cy_habits_begin(struct cy_habits *h)
{
    size_t size = h->n_insns * sizeof *h->by_insn;

    if (h->learnt != NULL) {
        memcpy(h->by_insn, h->learnt, size);
        return;
    }
    h->learnt = memory_new(h->n_insns, sizeof *h->learnt);
    memcpy(h->learnt, h->by_insn, size);
}

/* Notes which store a load read; is_far: it is long ago.  True if it was the
   same store the last `often` times. */
static bool meet(struct cy_learnt_store *own, uint64_t which, bool is_far,
                 unsigned often)
{
    if (own->which == which) {
        if (own->repeats >= often)
            return true;
        own->repeats++;
    } else if (!is_far || own->repeats < LOST) {
        *own = (struct cy_learnt_store){which, 0};
    } else {
        own->repeats -= LOST;
    }
    return false;
}

enum cy_habit cy_habits_meet(struct cy_habits *h, uint32_t insn,
                             size_t distance, uint32_t store, uint32_t rounds,
                             bool is_renamed)
{
    struct cy_learnt *own = &h->by_insn[insn];
    uint64_t which = distance == CY_LONG_AGO
                         ? CY_LONG_AGO
                         : ((uint64_t)store << 32 | rounds) + 1;
    bool is_far = distance > FARTHEST, was_renamed = own->is_renamed,
         was_sure = own->distance.repeats >= h->renamed_after &&
                    own->store.repeats >= h->renamed_after,
         is_learnt = meet(&own->distance, distance, is_far, h->renamed_after);

    assert(distance > 0);
    is_learnt |= meet(&own->store, which, is_far, h->renamed_after);
    if (distance != CY_LONG_AGO)
        own->is_renamed = is_renamed;
    if (is_learnt)
        return CY_HABIT;
    return was_renamed && was_sure ? CY_BROKEN : CY_NO_HABIT;
}

struct cy_near cy_habits_take_near(struct cy_habits *h)
{
    struct cy_near near = h->near;

    assert(near.by_insn != NULL);
    h->near.by_insn = NULL;
    return near;
}

/* Counts a load by the distance of the nearest store that it reads. */
static void count_near(struct cy_near *near, uint32_t insn, double weight,
                       size_t distance)
{
    struct cy_near_insn *own = &near->by_insn[insn];
    unsigned bin = 0;

    while (bin < CY_NEAR_BINS - 1 && distance > (size_t)1 << bin)
        bin++;
    assert(distance > 0 && CY_FARTHEST == 1 << (CY_NEAR_BINS - 2));
    near->bins[bin] += weight;
    own->n++;
    if (distance <= CY_FARTHEST && (own->stores == 0 || distance < own->stores))
        own->stores = (uint32_t)distance;
}

/* The stores of a window so far: their instructions, and how often each had
   been executed before. */
struct cy_stores {
    struct stored {
        uint32_t insn, count;
    } * list;
    size_t n, room;
    uint32_t *counts; /* executions, by instruction */
};

/* Learns the stores that a load reads, and adds their distances to a hash. */
static uint64_t learn_load(struct cy_habits *h, struct cy_written *written,
                           const struct cy_stores *log, uint32_t insn,
                           double weight, uint64_t address, unsigned size,
                           uint64_t hash)
{
    size_t n_stores = log->n;
    uint32_t stores[CY_MOST_WRITERS];
    size_t nearest = CY_LONG_AGO;
    unsigned n = cy_written_load(written, address, size, stores);

    for (unsigned i = 0; i < n; i++) {
        bool is_known = stores[i] != CY_NO_STORE;
        size_t distance = is_known ? n_stores - stores[i] : CY_LONG_AGO;
        struct stored store =
            is_known ? log->list[stores[i]] : (struct stored){0};

        cy_habits_meet(h, insn, distance, store.insn,
                       cy_rounds_since(log->counts[store.insn], store.count),
                       false);
        hash = (hash ^ distance) * UINT64_C(0x9e3779b97f4a7c15);
        nearest = distance < nearest ? distance : nearest;
    }
    if (n_stores >= CY_FARTHEST)
        count_near(&h->near, insn, weight, nearest);
    return hash;
}

size_t cy_habits_learn(struct cy_habits *h, const struct cy_recipes *recipes,
                       struct cy_written *written,
                       const struct cy_recorded *window)
{
    struct cy_stores log = {.counts = h->counts};
    size_t settled = 0;

    cy_written_clear(written);
    for (size_t i = 0; i < window->n; i++) {
        uint32_t insn = window->executed[i].insn;
        const struct cy_recipe *r = cy_recipe_of(recipes, insn);
        const uint64_t *addresses =
            window->addresses + window->executed[i].first_access;
        uint64_t met = 0;

        for (unsigned l = 0; l < r->n_loads; l++) {
            uint64_t a = cy_address_of(addresses, r->loads[l].access);

            if (a != CY_NOT_DONE)
                met = learn_load(h, written, &log, insn, window->weight, a,
                                 r->loads[l].size, met);
        }
        if (met != h->met[insn])
            settled = i;
        h->met[insn] = met;
        for (unsigned s = 0; s < r->n_stores; s++) {
            uint64_t a = cy_address_of(addresses, r->stores[s].access);

            if (a != CY_NOT_DONE)
                cy_written_store(written, a, r->stores[s].size,
                                 (uint32_t)log.n);
            array_push(log.list, log.n, log.room,
                       (struct stored){insn, log.counts[insn]});
        }
        log.counts[insn]++;
    }
    for (size_t i = 0; i < window->n; i++)
        h->counts[window->executed[i].insn] = 0;
    free(log.list);
    return settled;
}
