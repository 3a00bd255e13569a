/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/sd_walk.h"

#include "walk/sd_explore.h"

#include "occurrence.h"
#include "interpret/sd_interpret.h"

/* A chunk that is being run. */
struct step {
    struct sd_walker *w;
    struct sd_chunk *c;
};

/* Is the rule of identity on? */
static bool relates(const struct sd_walker *w)
{
    return (w->rules & SD_RULE_IDENTITY) != 0;
}

/* --- Loads and stores of a walk --- */

/* The loop that was re-entered since a store: a loop of the frame that made the
   store, or of the frame whose callees made it. */
static uint32_t reentered(const struct sd_walker *w, const struct sd_chunk *c,
                          const struct sd_store *store)
{
    uint32_t block = c->block;
    unsigned i = w->path.n_frames;

    if (store->call != sd_walk_call(w))
        return 0;
    for (; i > 0 && store->time < w->path.frames[i - 1].begun; i--)
        block = w->path.frames[i - 1].caller->block;
    return sd_rounds_reentered(&w->rounds, sd_walk_frame_of(w, i), block,
                               store->time);
}

/* Is a block in the function that is explored? */
static bool is_own(const struct sd_walker *w, uint32_t block)
{
    return sd_program_whole(w->program, block) == w->routine;
}

/* When the innermost loop was entered; 0: no loop.  An earlier store is old in
   most rounds of the loop, and so is not recent. */
static uint64_t entered(const struct sd_walker *w, const struct sd_chunk *c)
{
    const struct sd_entry_of_loop *loop = &w->rounds.entries[c->loop];

    return c->loop != 0 && loop->walk == w->walk &&
                   loop->frame == sd_walk_frame(w)
               ? loop->entered
               : 0;
}

static bool is_recent(const struct sd_store *store, uint64_t now,
                      uint64_t since)
{
    return store->time > since && now - store->time <= FORWARD_NEAR;
}

/* How many bytes of a load, whose writers are in w->reading, come from the
   access of which a store is a part.  Sets *relation to SD_SEVERAL if other
   stores after `since` wrote some of the rest, and to SD_UNKNOWN_RELATION if a
   call that is not walked may have written them. */
static unsigned count_bytes(const struct sd_walker *w, unsigned size,
                            const struct sd_store *store, uint64_t now,
                            uint64_t since, enum sd_relation *relation)
{
    unsigned n = 0;

    for (unsigned i = 0; i < size; i++) {
        const struct sd_store *s = &w->stores.list[w->reading[i]];

        if (w->reading[i] == SD_NO_WRITER)
            continue;
        if (s->time == store->time && s->site == store->site)
            n++;
        else if (is_recent(s, now, since) && s->site == 0)
            *relation = SD_UNKNOWN_RELATION;
        else if (is_recent(s, now, since) && *relation == SD_PARTIAL)
            *relation = SD_SEVERAL;
    }
    return n;
}

/* How the bytes of a load, whose writers are in w->reading, lie to those of a
   store. */
static struct sd_overlap overlap(const struct sd_walker *w,
                                 const struct sd_chunk *c,
                                 const struct sd_op *op, uint32_t number)
{
    const struct sd_store *store = &w->stores.list[number];
    struct sd_bytes load = {c->temps[op->a].bits, op->c},
                    stored = {store->address - 8u * store->begin, store->all};
    uint64_t now = sd_walk_now(w) + op->site, since = entered(w, c);
    bool is_old = !is_recent(store, now, since);
    enum sd_relation relation = SD_PARTIAL;
    struct sd_overlap found = {0};
    unsigned n = 0;

    if (op->c <= SD_MOST_OVERLAP) {
        while (n < op->c && w->reading[n] == number)
            n++;
        if (n < op->c)
            n = count_bytes(w, op->c, store, now, is_old ? 0 : since,
                            &relation);
        if (!is_recent(store, now, 0))
            relation = SD_PARTIAL;
        found = sd_overlap_of(&load, &stored, n, relation);
    }
    found.is_old = is_old;
    return found;
}

/* Adds the pair of a load and store number `number`. */
static void record(struct sd_walker *w, struct sd_chunk *c,
                   const struct sd_op *op, uint32_t number)
{
    const struct sd_store *store = &w->stores.list[number];
    struct sd_seen *seen = &c->walks->seen[op->imm];
    uint64_t distance = sd_walk_now(w) + op->site - store->time;
    struct sd_walk_pair pair = {.src = store->site,
                                .dst = c->site + op->site,
                                .n_walks = 1,
                                .last = w->walk,
                                .delta_k = SD_ANY_DELTA,
                                .is_again = store->call != sd_walk_call(w),
                                .overlap = overlap(w, c, op, number)};

    assert(distance < UINT64_MAX / 2); /* a store comes before its load */
    pair.distance = distance < UINT32_MAX ? (uint32_t)distance : UINT32_MAX;
    if (store->site - c->site - 1 < c->n_insns && distance < UINT32_MAX)
        pair.delta_k = c->walks->visits - store->visit;
    if (seen->src == pair.src && seen->walk == w->walk &&
        seen->distance <= pair.distance && seen->delta_k == pair.delta_k &&
        seen->is_again <= pair.is_again &&
        sd_overlap_is(seen->overlap, pair.overlap))
        return;
    *seen = (struct sd_seen){pair.src,     w->walk,      pair.distance,
                             pair.delta_k, pair.overlap, pair.is_again};
    pair.header = reentered(w, c, store);
    size_t n = w->pairs.n;
    sd_pairs_add(&w->pairs, &pair);
    if (w->pairs.n > n && is_own(w, c->block) &&
        is_own(w, sd_program_block_of(w->program, pair.src)))
        w->n_own++;
}

/* Adds the vector of a pair: the rounds of the loops between its ends, if they
   are known. */
static void see_vector(struct sd_walker *w, const struct sd_chunk *c,
                       const struct sd_op *op, const struct sd_store *store,
                       uint64_t address)
{
    struct sd_nest nest;

    if (store->round == SD_NO_ROUND ||
        !sd_rounds_since(&w->rounds, sd_walk_frame(w), store->round, &nest))
        return;
    struct sd_shown shown =
        (struct sd_shown){.src = store->site,
                          .dst = c->site + op->site,
                          .part = op,
                          .address = address,
                          .offset = (int32_t)(address - store->address),
                          .loaded = op->width / 8u,
                          .stored = store->size};
    shown.may_be_first =
        shown.src < shown.dst || shown.src > c->site + c->n_insns;
    if (!sd_vectors_see(&w->vectors, &shown, &nest))
        sd_pairs_uneven(&w->pairs, shown.src, shown.dst);
}

/* Was a store made between the last two calls of the current function? */
static bool is_between_calls(const struct sd_walker *w,
                             const struct sd_store *store)
{
    if (w->path.n_frames == 0)
        return false;
    const struct sd_frame *f = &w->path.frames[w->path.n_frames - 1];
    return store->time >= f->since && store->time < f->begun;
}

/* Notes what a load shows that reads what a store wrote. */
static void see_store(struct sd_walker *w, struct sd_chunk *c,
                      const struct sd_op *op, uint32_t number, uint64_t address)
{
    const struct sd_store *store = &w->stores.list[number];

    assert(number <= w->stores.n && op->site <= c->n_insns);
    if (store->site != 0)
        record(w, c, op, number);
    if (store->site != 0 && c->loop != 0 && !w->is_in_middle)
        see_vector(w, c, op, store, address);
    if (is_between_calls(w, store))
        sd_access_notes_add(&w->notes, c->site + op->site, SD_NOTE_FED);
}

static struct sd_value load(void *of, const struct sd_op *op)
{
    const struct step *s = of;
    struct sd_walker *w = s->w;
    struct sd_chunk *c = s->c;
    struct sd_value base = c->temps[op->a], value;
    uint64_t address = base.bits + (uint64_t)(int64_t)op->disp;
    unsigned size = op->width / 8u;
    bool is_noted = op->c <= SD_MOST_OVERLAP;
    uint32_t *stores = &w->reading[is_noted ? op->disp : 0],
             last = SD_NO_WRITER;

    value = sd_memory_load(&w->memory, address, size, base.bottom != 0, stores);
    /* Finds the stores of the later parts of the load, too. */
    for (uint32_t at = size; is_noted && op->disp == 0 && at < op->c; at += 8)
        sd_memory_load(&w->memory, address + at,
                       op->c - at < 8 ? op->c - at : 8, false, &w->reading[at]);
    for (unsigned i = 0; i < size; i++)
        if (stores[i] != last && stores[i] != SD_NO_WRITER)
            see_store(w, c, op, last = stores[i], address);
    if (value.bottom != 0)
        w->loads.list[w->loads.n++ % SD_N_LOADS] =
            (struct sd_loaded){.address = address,
                               .bits = value.bits,
                               .size = size,
                               .distance = c->distances[op->imm],
                               .is_far = base.bottom != 0};
    return value;
}

uint32_t sd_walk_new_store(struct sd_walker *w)
{
    uint32_t number = (uint32_t)++w->stores.n;

    assert(number != SD_NO_WRITER && number == w->stores.n);
    w->stores.list = memory_grow(w->stores.list, &w->stores.room, number,
                                 sizeof *w->stores.list);
    w->stores.list[number] = (struct sd_store){.time = sd_walk_now(w)};
    return number;
}

static void store(void *of, const struct sd_op *op, struct sd_value value)
{
    const struct step *s = of;
    struct sd_walker *w = s->w;
    const struct sd_chunk *c = s->c;
    uint64_t address = c->temps[op->a].bits + (uint64_t)(int64_t)op->disp;
    uint32_t number = sd_walk_new_store(w);

    w->stores.list[number] =
        (struct sd_store){.address = address,
                          .site = c->site + op->site,
                          .visit = c->walks->visits,
                          .time = sd_walk_now(w) + op->site,
                          .round = w->rounds.now,
                          .size = op->width / 8u & 15,
                          .begin = (unsigned)op->disp / 8 & 15,
                          .all = op->imm <= SD_MOST_OVERLAP ? op->imm & 127 : 0,
                          .call = (uint16_t)sd_walk_call(w)};
    sd_memory_store(&w->memory, address, op->width / 8u, value, number);
}

static uint32_t extent(void *of, const struct sd_op *op)
{
    (void)of;
    return op->c;
}

static struct sd_value unknown(void *of, unsigned width)
{
    const struct step *s = of;

    return sd_walker_draw(s->w, width);
}

static struct sd_value fresh(void *of, const struct sd_op *op)
{
    (void)op;
    return unknown(of, 64);
}

/* Calls a helper function of VEX. */
static struct sd_value call(void *of, const struct sd_op *op)
{
    const struct step *s = of;
    struct sd_walker *w = s->w;
    const struct sd_chunk *c = s->c;
    const struct sd_call *call = &c->calls[op->imm];
    struct sd_comparison comparison;
    struct sd_value args[SD_CALL_ARGS], result;
    uint64_t drawn = 0;

    if (sd_walk_comparison(c, op, &comparison)) {
        struct sd_op compare = {.code = comparison.code,
                                .width = comparison.width};
        struct sd_value r =
            sd_drawn_eval(&compare, comparison.operand[0],
                          comparison.operand[1], sd_known(0), relates(w));

        r.bits ^= comparison.is_negated;
        return r;
    }
    struct sd_call plain = *call;
    for (unsigned i = 0; i < call->n_args; i++) {
        drawn |= c->temps[call->args[i]].bottom;
        args[i] = sd_known(c->temps[call->args[i]].bits);
        plain.args[i] = i;
    }
    result = sd_call_eval(&plain, args);
    if (!sd_is_known(result))
        return sd_walker_draw(w, call->width);
    return (struct sd_value){result.bits,
                             drawn != 0 ? sd_mask(call->width) : 0};
}

/* Does the file say what memory holds at an address? */
static bool is_told(const struct sd_walker *w, struct sd_value address)
{
    uint64_t bits;

    return address.bottom == 0 && w->memory.contents != NULL &&
           sd_contents_at(w->memory.contents, address.bits / 8, &bits) == 0;
}

/* Makes the index of an operation that sd_index_mark() has marked small. */
static void make_index_small(struct sd_walker *w, struct sd_chunk *c,
                             const struct sd_op *op)
{
    struct sd_value *a = &c->temps[op->a], *b = &c->temps[op->b];

    if (!(w->rules & SD_RULE_INDEX))
        return;
    if (op->code == SD_SUB) {
        if (sd_index_is_one(*b) && !is_told(w, *a))
            sd_walk_index(w, b);
    } else if (op->imm != SD_INDEX_UNSCALED) {
        if (a->bottom != 0 && !is_told(w, c->temps[op->imm - 1]))
            sd_walk_index(w, a);
    } else if (sd_index_is_one(*b)) {
        if (!is_told(w, *a))
            sd_walk_index(w, b);
    } else if (sd_index_is_one(*a) && !is_told(w, *b)) {
        sd_walk_index(w, a);
    }
}

static struct sd_value eval(void *of, const struct sd_op *op)
{
    const struct step *s = of;
    const struct sd_value *t = s->c->temps;
    bool has_mark = op->code == SD_ADD || op->code == SD_SHL ||
                    op->code == SD_MUL || op->code == SD_SUB;

    if (has_mark && op->imm != 0)
        make_index_small(s->w, s->c, op);
    return sd_drawn_eval(op, t[op->a], t[op->b], t[op->c], relates(s->w));
}

#define MOST_ELEMENTS 256 /* the most elements walked of a rep instruction */

/* Does a rep instruction end?  An unknown number of elements is drawn. */
static bool leaves(void *of, const struct sd_op *op, struct sd_repeat *r)
{
    const struct step *s = of;
    struct sd_value n = s->c->temps[op->b];
    bool is_first = r->n_done == 0;

    if (is_first)
        r->n = !sd_is_known(n) ? sd_rounds_drawn(sd_walker_random(s->w))
               : n.bits < MOST_ELEMENTS ? n.bits
                                        : MOST_ELEMENTS;
    return s->c->temps[op->a].bits & 1 && (sd_is_known(n) || !is_first);
}

static bool goes_on(void *of, const struct sd_op *op, struct sd_repeat *r)
{
    const struct step *s = of;
    uint64_t n_done = r->n_done + (uint64_t)!r->leaves;

    if (!r->leaves && n_done < r->n && s->c->temps[op->a].bits & 1)
        return true;
    s->w->clock.time += n_done > 0 ? n_done - 1 : 0;
    return false;
}

static const struct sd_policy policy = {.draws = true,
                                        .unknown = unknown,
                                        .fresh = fresh,
                                        .load = load,
                                        .store = store,
                                        .call = call,
                                        .eval = eval,
                                        .extent = extent,
                                        .leaves = leaves,
                                        .goes_on = goes_on};

void sd_walk_step(struct sd_walker *w, struct sd_chunk *c)
{
    struct step step = {w, c};
    const struct sd_machine machine = {c->temps, w->registers, &step};

    assert(c->temps[SD_ZERO].bits == 0 && sd_is_known(c->temps[SD_ZERO]));
    sd_interpret(&policy, &machine, c->ops, c->n_ops);
}
