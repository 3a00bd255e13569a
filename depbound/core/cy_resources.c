/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_resources.h"

/* --- Units --- */

#define WORDS (CY_SPAN / 64)
#define WHOLE 0.999f /* part of a cycle that counts as the whole */

void cy_units_init(struct cy_units *u, uint64_t bind, bool by_queue)
{
    memset(u, 0, sizeof *u);
    u->bind = bind;
    u->by_queue = by_queue;
}

static void clear_word(struct cy_units *u, uint64_t word)
{
    size_t w = word % WORDS;

    for (unsigned i = 0; i < CY_ALL_UNITS; i++)
        u->full[i][w] = 0;
    for (unsigned i = 0; i < CY_N_RATES; i++) {
        u->rate_full[i][w] = 0;
        memset(&u->used[i][w * 64], 0, 64 * sizeof u->used[i][0]);
    }
}

void cy_units_advance(struct cy_units *u, double time)
{
    uint64_t to = (uint64_t)time / 64;

    assert(time >= 0);
    if (to > u->now + WORDS)
        u->now = to - WORDS;
    for (; u->now < to; u->now++)
        clear_word(u, u->now);
}

/* The first free cycle from `at` on; UINT64_MAX if there is none.  The
   expression `busy` is word number `word` of the calendar. */
#define first_free(u, at, word, busy)                                   \
    __extension__({                                                     \
        uint64_t word = (at) / 64, found_ = UINT64_MAX,                 \
                 below_ = (UINT64_C(1) << (at) % 64) - 1;               \
                                                                        \
        for (; word < (u)->now + WORDS; word++, below_ = 0) {           \
            uint64_t busy_ = (busy) | below_;                           \
                                                                        \
            if (busy_ != UINT64_MAX) {                                  \
                found_ = word * 64 + (uint64_t)__builtin_ctzll(~busy_); \
                break;                                                  \
            }                                                           \
        }                                                               \
        found_;                                                         \
    })

static uint64_t all_busy(const struct cy_units *u, uint64_t units,
                         uint64_t word)
{
    uint64_t busy = UINT64_MAX;

    for (; units != 0; units &= units - 1)
        busy &= u->full[__builtin_ctzll(units)][word % WORDS];
    return busy;
}

/* Of some units, the one to which the fewest of `bound` requests are bound, or
   else that has been without new work for longest. */
static uint8_t next_in_turn(const struct cy_units *u, uint64_t units,
                            const uint8_t *bound)
{
    unsigned best = (unsigned)__builtin_ctzll(units);

    for (uint64_t left = units & (units - 1); left != 0; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);

        if (bound[i] < bound[best] ||
            (bound[i] == bound[best] && u->bound[i] < u->bound[best]))
            best = i;
    }
    return (uint8_t)best;
}

void cy_units_bind(struct cy_units *u, const uint64_t *sets, unsigned n)
{
    uint8_t bound[CY_ALL_UNITS] = {0};
    struct cy_turns *t = &u->turns;

    assert(n <= CY_MOST_TURNS);
    *t = (struct cy_turns){.n = n};
    for (int is_any = 0; is_any < 2; is_any++)
        for (unsigned i = 0; i < n; i++) {
            assert(sets[i] != 0 && (sets[i] & ~u->bind) == 0);
            if ((sets[i] == u->bind) == is_any)
                bound[t->units[i] = next_in_turn(u, sets[i], bound)]++;
        }
    for (unsigned i = 0; i < n; i++)
        u->bound[t->units[i]] = ++u->n_bound;
}

/* How many cycles of a unit are taken from `at` on. */
static unsigned waiting(const struct cy_units *u, unsigned unit, uint64_t at)
{
    uint64_t before = (UINT64_C(1) << at % 64) - 1;
    unsigned n = 0;

    for (uint64_t word = at / 64; word < u->now + WORDS; word++) {
        uint64_t taken = u->full[unit][word % WORDS] & ~before;

        if (taken == 0 && before == 0)
            break;
        n += (unsigned)__builtin_popcountll(taken);
        before = 0;
    }
    return n;
}

static void count_waits(struct cy_units *u)
{
    if (u->group.is_counted)
        return;
    u->group.is_counted = true;
    for (uint64_t left = u->bind; left != 0; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);

        u->group.waits[i] = (uint16_t)waiting(u, i, u->group.time);
    }
}

void cy_units_dispatch(struct cy_units *u, double time, bool is_first)
{
    if (!is_first || !u->by_queue)
        return;
    assert(time >= 0);
    u->group.time = (uint64_t)time;
    u->group.n = 0;
    u->group.is_counted = false;
}

/* A unit is taken if fewer than so many more wait for it than for the first. */
#define MORE 3

/* Of some units, the one for which fewest wait, or after others of the cycle
   that chose among the same units a later one in that order. */
static unsigned next_by_queue(struct cy_units *u, uint64_t units)
{
    const uint16_t *waits = u->group.waits;
    unsigned n = 0, order[CY_ALL_UNITS], same = 0;

    count_waits(u);
    for (uint64_t left = units; left != 0; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left), at = n++;

        for (; at > 0 && waits[order[at - 1]] >= waits[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (unsigned i = 0; i < u->group.n; i++)
        same += u->group.chosen[i] == units;
    if (u->group.n < CY_MOST_TURNS)
        u->group.chosen[u->group.n++] = units;
    same %= n;
    while (waits[order[same]] >= waits[order[0]] + MORE)
        same--;
    return order[same];
}

double cy_units_take(struct cy_units *u, uint64_t units, double ready)
{
    uint64_t at = (uint64_t)ready, best = CY_ALL_UNITS;

    assert(units != 0 && at / 64 >= u->now);
    at = first_free(u, at, word, all_busy(u, units, word));
    if (at == UINT64_MAX)
        return ready;
    for (; units != 0; units &= units - 1) {
        unsigned i = (unsigned)__builtin_ctzll(units);

        if ((u->full[i][at / 64 % WORDS] >> at % 64 & 1) == 0 &&
            (best == CY_ALL_UNITS || u->n_taken[i] < u->n_taken[best]))
            best = i;
    }
    assert(best < CY_ALL_UNITS);
    u->full[best][at / 64 % WORDS] |= UINT64_C(1) << at % 64;
    u->n_taken[best]++;
    return fmax(ready, (double)at);
}

/* The unit to which the next cycle of a piece is bound, or all that it may
   take. */
static uint64_t bound_units(struct cy_units *u, const struct cy_piece *piece)
{
    struct cy_turns *t = &u->turns;

    if ((piece->units & ~u->bind) != 0)
        return piece->units;
    if (u->by_queue)
        return UINT64_C(1) << next_by_queue(u, piece->units);
    if (t->next >= t->n)
        return piece->units;
    assert(piece->units >> t->units[t->next] & 1);
    return UINT64_C(1) << t->units[t->next++];
}

double cy_units_take_piece(struct cy_units *u, const struct cy_piece *piece,
                           float *owed, double ready)
{
    bool is_alone = (piece->units & (piece->units - 1)) == 0,
         is_one = is_alone || piece->cycles > CY_LONG_WORK;
    double start = ready, at = ready, whole = floor(piece->cycles);

    assert(*owed <= WHOLE);
    *owed += piece->cycles;
    for (bool is_first = true; *owed > WHOLE; is_first = false) {
        *owed -= 1;
        at = cy_units_take(
            u, whole-- > 0 ? bound_units(u, piece) : piece->units, at);
        if (is_first || !is_one)
            start = at > start ? at : start;
        at = is_alone ? (double)((uint64_t)at + 1) : ready;
    }
    return start;
}

/* Takes work of a rate in the first cycles with room from `at` on. */
static void take_rate(struct cy_units *u, unsigned rate, uint64_t at,
                      double cost)
{
    assert(rate < CY_N_RATES && cost > 0);
    while (cost > 0 && at != UINT64_MAX && at < (u->now + WORDS) * 64) {
        float *used = &u->used[rate][at % CY_SPAN];
        double part = fmin(cost, 1 - *used);

        *used += (float)part;
        cost -= part;
        if (*used >= WHOLE)
            u->rate_full[rate][at / 64 % WORDS] |= UINT64_C(1) << at % 64;
        if (cost < 1e-6)
            break;
        at++;
        at = first_free(u, at, word, u->rate_full[rate][word % WORDS]);
    }
}

static uint64_t any_full(const struct cy_units *u, unsigned rates,
                         uint64_t word)
{
    uint64_t full = 0;

    for (; rates != 0; rates &= rates - 1)
        full |= u->rate_full[__builtin_ctz(rates)][word % WORDS];
    return full;
}

double cy_units_take_rates(struct cy_units *u, const float cost[CY_N_RATES],
                           double ready)
{
    uint64_t at = (uint64_t)ready;
    unsigned rates = 0;

    for (unsigned i = 0; i < CY_N_RATES; i++)
        if (cost[i] > 0)
            rates |= 1u << i;
    assert(at / 64 >= u->now);
    at = first_free(u, at, word, any_full(u, rates, word));
    if (at == UINT64_MAX)
        return ready;
    for (unsigned i = 0; i < CY_N_RATES; i++)
        if (cost[i] > 0)
            take_rate(u, i, at, cost[i]);
    return fmax(ready, (double)at);
}

/* --- Buffers --- */

/* The entries lie one after the other: when they reach the end of the list,
   they move back to its beginning. */
#define ROOM 4 /* times the size */

void cy_queue_init(struct cy_queue *q, unsigned size)
{
    *q = (struct cy_queue){
        .size = size, .list = memory_new(ROOM * size + 1, sizeof *q->list)};
}

void cy_queue_fini(struct cy_queue *q)
{
    free(q->list);
    *q = (struct cy_queue){0};
}

static void clear_queue(struct cy_queue *q)
{
    q->used = q->head = q->end = 0;
}

/* Makes room for an entry behind the last one. */
static struct cy_queued *new_entry(struct cy_queue *q)
{
    if (q->end > ROOM * q->size) {
        q->end -= q->head;
        memmove(q->list, q->list + q->head, q->end * sizeof *q->list);
        q->head = 0;
    }
    assert(q->end <= ROOM * q->size);
    return &q->list[q->end++];
}

double cy_queue_room(struct cy_queue *q, unsigned entries, double time,
                     uint32_t *event)
{
    if (q->size == 0 || entries == 0)
        return time;
    for (; q->head < q->end; q->head++) {
        const struct cy_queued *first = &q->list[q->head];

        if (first->until > time) {
            if (q->used + entries <= q->size)
                break;
            time = first->until;
            *event = first->event;
        }
        assert(q->used >= first->entries);
        q->used -= first->entries;
    }
    return time;
}

void cy_queue_add(struct cy_queue *q, unsigned entries, double until,
                  uint32_t event)
{
    if (q->size == 0 || entries == 0)
        return;
    /* What needs more entries than the buffer has waits until it is empty. */
    *new_entry(q) = (struct cy_queued){until, event, entries};
    q->used += entries;
}

void cy_queue_insert(struct cy_queue *q, double until, uint32_t event)
{
    if (q->size == 0)
        return;
    assert(q->used < q->size && q->end - q->head == q->used);
    struct cy_queued *to = new_entry(q);
    to->entries = 1;
    struct cy_queued *first = q->list + q->head;
    /* Entries are freed nearly in order, so few move.  (They are copied by
       fields, since these have just been written.) */
    for (; to > first && to[-1].until > until; to--) {
        to->until = to[-1].until;
        to->event = to[-1].event;
    }
    to->until = until;
    to->event = event;
    q->used++;
}

static struct cy_queue *load_scheduler(struct cy_buffers *b, unsigned turn)
{
    return &b->list[CY_LOAD_SCHEDULER + turn % b->load_schedulers];
}

void cy_buffers_init(struct cy_buffers *b, const struct cy_window *sizes)
{
    unsigned by_buffer[CY_N_BUFFERS] = {
        [CY_REORDER_BUFFER] = sizes->reorder_buffer,
        [CY_LOAD_BUFFER] = sizes->load_buffer,
        [CY_STORE_BUFFER] = sizes->store_buffer,
        [CY_SCHEDULER] = sizes->scheduler,
        [CY_VECTOR_SCHEDULER] = sizes->vector_scheduler,
        [CY_ACCESS_SCHEDULER] = sizes->address_scheduler,
        [CY_STORE_SCHEDULER] = sizes->vector_stores,
        [CY_VECTOR_QUEUE] = sizes->vector_queue,
        [CY_GENERAL_RESULTS] = sizes->general_results,
        [CY_VECTOR_RESULTS] = sizes->vector_results};

    b->load_schedulers = sizes->load_schedulers;
    assert(b->load_schedulers <= CY_MOST_LOAD_SCHEDULERS);
    for (unsigned i = 0; i < b->load_schedulers; i++)
        by_buffer[CY_LOAD_SCHEDULER + i] = sizes->load_scheduler;
    for (unsigned i = 0; i < CY_N_BUFFERS; i++)
        cy_queue_init(&b->list[i], by_buffer[i]);
    cy_buffers_clear(b);
}

void cy_buffers_fini(struct cy_buffers *b)
{
    for (unsigned i = 0; i < CY_N_BUFFERS; i++)
        cy_queue_fini(&b->list[i]);
}

void cy_buffers_clear(struct cy_buffers *b)
{
    for (unsigned i = 0; i < CY_N_BUFFERS; i++)
        clear_queue(&b->list[i]);
    b->last = (struct cy_moment){0};
    b->turn = 0;
}

/* --- Schedulers --- */

static bool has(const struct cy_buffers *b, enum cy_buffer which)
{
    return b->list[which].size > 0;
}

static bool has_access(const struct cy_recipe *r)
{
    return r->n_loads + r->n_stores > 0;
}

/* Does an access take an entry of the scheduler for accesses? */
static bool is_in_access_scheduler(const struct cy_buffers *b,
                                   const struct cy_recipe *r)
{
    return r->n_stores > 0 || (r->n_loads > 0 && b->load_schedulers == 0);
}

/* The scheduler for what an instruction computes, and, unless accesses have a
   scheduler of their own, for what it loads and stores; NULL: none. */
static struct cy_queue *computing(struct cy_buffers *b,
                                  const struct cy_recipe *r)
{
    if (!cy_computes(r) && (has(b, CY_ACCESS_SCHEDULER) || !has_access(r)))
        return NULL;
    return r->is_vector && has(b, CY_VECTOR_SCHEDULER)
               ? &b->list[CY_VECTOR_SCHEDULER]
               : &b->list[CY_SCHEDULER];
}

/* Entries of what an instruction computes: as many as its micro-operations, of
   which an access has one. */
static unsigned n_computing(const struct cy_recipe *r)
{
    unsigned accesses = r->n_loads + r->n_stores;

    return r->places > accesses ? r->places - accesses : 1;
}

/* Does stored data wait in the scheduler of vector stores? */
static bool stores_vector(const struct cy_buffers *b, const struct cy_recipe *r)
{
    return r->is_vector && r->n_stores > 0 && has(b, CY_STORE_SCHEDULER);
}

/* When there is room in the schedulers that may have a queue before them. */
static double room_behind(struct cy_buffers *b, const struct cy_recipe *r,
                          double time, uint32_t *event)
{
    struct cy_queue *own = computing(b, r);

    if (own != NULL)
        time = cy_queue_room(own, n_computing(r), time, event);
    if (stores_vector(b, r))
        time = cy_queue_room(&b->list[CY_STORE_SCHEDULER], 1, time, event);
    return time;
}

static bool is_queued(struct cy_buffers *b, const struct cy_recipe *r)
{
    return r->is_vector && has(b, CY_VECTOR_SCHEDULER) &&
           has(b, CY_VECTOR_QUEUE) &&
           (computing(b, r) != NULL || stores_vector(b, r));
}

double cy_schedulers_room(struct cy_buffers *b, const struct cy_recipe *r,
                          double time, uint32_t *event)
{
    for (unsigned l = 0; b->load_schedulers > 0 && l < r->n_loads; l++)
        time = cy_queue_room(load_scheduler(b, b->turn + l), 1, time, event);
    if (is_in_access_scheduler(b, r))
        time = cy_queue_room(&b->list[CY_ACCESS_SCHEDULER], 1, time, event);
    return is_queued(b, r)
               ? cy_queue_room(&b->list[CY_VECTOR_QUEUE], 1, time, event)
               : room_behind(b, r, time, event);
}

bool cy_schedulers_enter(struct cy_buffers *b, const struct cy_recipe *r,
                         struct cy_moment dispatched, struct cy_moment *at)
{
    if (!is_queued(b, r))
        return false;
    *at = b->last.time > dispatched.time ? b->last : dispatched;
    at->time = room_behind(b, r, at->time, &at->event);
    return true;
}

void cy_schedulers_entered(struct cy_buffers *b, struct cy_moment at)
{
    assert(at.time >= b->last.time);
    b->last = at;
    cy_queue_add(&b->list[CY_VECTOR_QUEUE], 1, at.time, at.event);
}

void cy_schedulers_leave(struct cy_buffers *b, const struct cy_recipe *r,
                         struct cy_begun begun)
{
    struct cy_queue *own = computing(b, r);
    struct cy_moment access = begun.loads, computation = begun.computation;

    for (unsigned l = 0; b->load_schedulers > 0 && l < r->n_loads; l++) {
        struct cy_queue *q = load_scheduler(b, b->turn++);

        if (q->used < q->size)
            cy_queue_insert(q, begun.loads.time, begun.loads.event);
    }
    if (b->load_schedulers > 0 || begun.stores.time > access.time)
        access = begun.stores;
    if (is_in_access_scheduler(b, r))
        cy_queue_insert(&b->list[CY_ACCESS_SCHEDULER], access.time,
                        access.event);
    if (!has(b, CY_ACCESS_SCHEDULER) && access.time > computation.time)
        computation = access;
    for (unsigned i = 0;
         own != NULL && own->used < own->size && i < n_computing(r); i++)
        cy_queue_insert(own, computation.time, computation.event);
    if (stores_vector(b, r))
        cy_queue_insert(&b->list[CY_STORE_SCHEDULER], begun.data.time,
                        begun.data.event);
}
