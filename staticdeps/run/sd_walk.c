/*
 * sd_walk: one way through the code, over numbers that are drawn.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_walk.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "run/sd_force.h"

#define STACK      UINT64_C(0x7ffd4a31e000) /* where a walk's stack begins */
#define STACK_SIZE UINT64_C(0x100000)
#define MOST_CALLS 4 /* of the root */
#define OUT_BYTES  8

void sd_walker_init(struct sd_walker *w, const struct sd_program *program,
                    unsigned rules, unsigned depth)
{
    enum sd_arch arch = program->image->arch;

    *w = (struct sd_walker){.program = program,
                            .rules = rules,
                            .depth = rules & SD_RULE_ENTER ? depth : 0,
                            .abi = sd_lift_abi(arch),
                            .initial = sd_lift_initial(arch)};
    assert(w->depth <= SD_MOST_FRAMES);
    sd_chunks_init(&w->chunks, program);
    sd_recall_init(&w->recall,
                   rules & SD_RULE_CONTENTS ? program->contents : NULL);
    sd_pairs_init(&w->pairs);
    w->last_visit = memory_new(program->n_blocks + 1, sizeof *w->last_visit);
}

void sd_walker_fini(struct sd_walker *w)
{
    sd_chunks_fini(&w->chunks);
    sd_recall_fini(&w->recall);
    sd_pairs_fini(&w->pairs);
    free(w->stores);
    free(w->visited);
    free(w->last_visit);
}

static bool relates(const struct sd_walker *w)
{
    return (w->rules & SD_RULE_IDENTITY) != 0;
}

/* Memory. */

static void record(struct sd_walker *w, struct sd_chunk *c,
                   const struct sd_op *op, const struct sd_store *store)
{
    struct sd_seen *seen = &c->seen[op->imm];
    struct sd_walk_pair pair = {.src = store->site,
                                .dst = c->site + op->site,
                                .n_walks = 1,
                                .last = w->walk,
                                .delta_k = SD_ANY_DELTA};

    pair.distance = (uint32_t)(w->time + op->site) - store->time;
    if (store->site - c->site - 1 < c->n_insns)
        pair.delta_k = c->visits - store->visit;
    if (seen->src == pair.src && seen->walk == w->walk &&
        seen->distance <= pair.distance && seen->delta_k == pair.delta_k)
        return;
    *seen = (struct sd_seen){pair.src, w->walk, pair.distance, pair.delta_k};
    sd_pairs_add(&w->pairs, &pair);
}

static struct sd_drawn load(struct sd_walker *w, struct sd_chunk *c,
                            const struct sd_op *op)
{
    struct sd_drawn base = c->temps[op->a], value;
    uint64_t address = base.bits + (uint64_t)(int64_t)op->disp;
    unsigned size = op->width / 8u;
    uint32_t stores[8], last = SD_NO_STORE;

    value = sd_recall_load(&w->recall, address, size, base.drawn != 0, stores);
    for (unsigned i = 0; i < size; i++)
        if (stores[i] != last && stores[i] != SD_NO_STORE)
            record(w, c, op, &w->stores[last = stores[i]]);
    if (value.drawn != 0)
        w->origins[w->n_origins++ % SD_N_ORIGINS] =
            (struct sd_loaded){address, value.bits, size};
    return value;
}

static void store(struct sd_walker *w, const struct sd_chunk *c,
                  const struct sd_op *op, struct sd_drawn value)
{
    uint64_t address = c->temps[op->a].bits + (uint64_t)(int64_t)op->disp;
    uint32_t number = (uint32_t)++w->n_stores;

    w->stores =
        memory_grow(w->stores, &w->stores_room, number, sizeof *w->stores);
    w->stores[number] = (struct sd_store){c->site + op->site, c->visits,
                                          (uint32_t)(w->time + op->site)};
    sd_recall_store(&w->recall, address, op->width / 8u, value, number);
}

static struct sd_drawn draw(struct sd_walker *w, unsigned width)
{
    uint64_t mask = sd_mask(width);

    return (struct sd_drawn){sd_walker_random(w) & mask, mask};
}

/* SD_READ and SD_WRITE: any number of bytes, eight at a time. */
static void access_bytes(struct sd_walker *w, struct sd_chunk *c,
                         const struct sd_op *op)
{
    struct sd_op part = *op;

    for (uint32_t done = 0; done < op->c; done += part.width / 8u) {
        uint32_t left = op->c - done;

        part.width = left >= 8 ? 64 : (uint8_t)(8 * left);
        part.disp = (int16_t)done;
        if (op->code == SD_READ)
            load(w, c, &part);
        else
            store(w, c, &part, draw(w, part.width));
    }
}

/* Rotating registers: the word, and the bit in it, of the element. */
static unsigned element(const struct sd_chunk *c, const struct sd_op *op,
                        unsigned *shift)
{
    uint32_t index =
        ((uint32_t)c->temps[op->a].bits + (uint32_t)(int32_t)op->disp) % op->c;
    unsigned offset = op->b + index * (op->width / 8u);

    *shift = offset % 8 * 8;
    return offset / 8;
}

static void get_indexed(struct sd_walker *w, struct sd_chunk *c,
                        const struct sd_op *op)
{
    struct sd_op extract = {.code = SD_EXTRACT, .width = op->width};
    unsigned shift, word = element(c, op, &shift);

    extract.imm = shift;
    c->temps[op->dst] =
        sd_drawn_eval(&extract, w->registers[word], sd_drawn_known(0),
                      sd_drawn_known(0), relates(w));
}

static void put_indexed(struct sd_walker *w, const struct sd_chunk *c,
                        const struct sd_op *op)
{
    struct sd_op deposit = {.code = SD_DEPOSIT, .width = op->width};
    unsigned shift, word = element(c, op, &shift);

    deposit.imm = shift;
    w->registers[word] =
        sd_drawn_eval(&deposit, w->registers[word], c->temps[op->dst],
                      sd_drawn_known(0), relates(w));
}

static struct sd_drawn call_helper(struct sd_walker *w, struct sd_chunk *c,
                                   const struct sd_op *op)
{
    const struct sd_call *call = &c->calls[op->imm];
    struct sd_comparison comparison;
    struct sd_value args[SD_CALL_ARGS], result;
    struct sd_call plain = *call;
    uint64_t drawn = 0;

    if (sd_force_comparison(c, op, &comparison)) {
        struct sd_op compare = {.code = comparison.code,
                                .width = comparison.width};
        struct sd_drawn r =
            sd_drawn_eval(&compare, comparison.operand[0],
                          comparison.operand[1], sd_drawn_known(0), relates(w));

        r.bits ^= comparison.is_negated;
        return r;
    }
    for (unsigned i = 0; i < call->n_args; i++) {
        drawn |= c->temps[call->args[i]].drawn;
        args[i] = sd_known(c->temps[call->args[i]].bits);
        plain.args[i] = i;
    }
    result = sd_call_eval(&plain, args);
    if (!sd_is_known(result))
        return draw(w, call->width);
    return (struct sd_drawn){result.bits,
                             drawn != 0 ? sd_mask(call->width) : 0};
}

static void step(struct sd_walker *w, struct sd_chunk *c,
                 const struct sd_op *op)
{
    struct sd_drawn *t = c->temps;

    switch ((enum sd_opcode)op->code) {
    case SD_GET:
        t[op->dst] = w->registers[op->imm];
        break;
    case SD_PUT:
        w->registers[op->imm] = t[op->a];
        break;
    case SD_FRESH:
        t[op->dst] = draw(w, 64);
        break;
    case SD_LOAD:
        t[op->dst] = load(w, c, op);
        break;
    case SD_STORE:
        store(w, c, op, t[op->b]);
        break;
    case SD_LOADIF:
        t[op->dst] = t[op->b].bits & 1 ? load(w, c, op) : sd_drawn_known(0);
        break;
    case SD_STOREIF:
        if (t[op->c].bits & 1)
            store(w, c, op, t[op->b]);
        break;
    case SD_READ:
    case SD_WRITE:
        if (t[op->b].bits & 1)
            access_bytes(w, c, op);
        break;
    case SD_GETI:
        get_indexed(w, c, op);
        break;
    case SD_PUTI:
        put_indexed(w, c, op);
        break;
    case SD_CALL:
        t[op->dst] = call_helper(w, c, op);
        break;
    case SD_ADD: /* most of what is left of most blocks */
        if (op->width == 64) {
            t[op->dst].bits = t[op->a].bits + t[op->b].bits;
            t[op->dst].drawn =
                (t[op->a].drawn | t[op->b].drawn) != 0 ? UINT64_MAX : 0;
            break;
        }
        __attribute__((fallthrough));
    default:
        t[op->dst] =
            sd_drawn_eval(op, t[op->a], t[op->b], t[op->c], relates(w));
    }
}

/* Elements of a rep instruction that are walked: all of a few, or as many as
   are drawn. */
#define MOST_ELEMENTS 256

static const struct sd_op *repeat(struct sd_walker *w, struct sd_chunk *c,
                                  const struct sd_op *op)
{
    const struct sd_op *first = op;
    uint32_t left = 0, done = 0;
    bool leaves = false, is_begun = false;

    for (;; op++) {
        if (op->code == SD_LEAVE) {
            struct sd_drawn n = c->temps[op->b];

            leaves = c->temps[op->a].bits & 1;
            if (!is_begun)
                left = n.drawn != 0 ? sd_rounds_drawn(sd_walker_random(w))
                       : n.bits < MOST_ELEMENTS ? (uint32_t)n.bits
                                                : MOST_ELEMENTS;
            if (n.drawn != 0 && !is_begun)
                leaves = false;
            is_begun = true;
        } else if (op->code != SD_AGAIN) {
            if (!leaves)
                step(w, c, op);
        } else if (leaves || ++done >= left || !(c->temps[op->a].bits & 1)) {
            w->time += done > 0 ? done - 1 : 0;
            return op + 1;
        } else {
            op = first - 1;
        }
    }
}

static void run(struct sd_walker *w, struct sd_chunk *c)
{
    const struct sd_op *op = c->ops, *end = op + c->n_ops;

    if (c->walk != w->walk) {
        c->walk = w->walk;
        c->visits = 0;
        if (w->last_visit[c->block] != w->walk) {
            w->last_visit[c->block] = w->walk;
            w->visited = memory_grow(w->visited, &w->visited_room, w->n_visited,
                                     sizeof *w->visited);
            w->visited[w->n_visited++] = c->block;
        }
    }
    if (c->root != w->root) {
        c->root = w->root;
        c->taken[0] = c->taken[1] = 0;
    }
    c->visits++;
    while (op < end) {
        if (op->code == SD_LOOP) {
            op = repeat(w, c, op + 1);
        } else {
            step(w, c, op);
            op++;
        }
    }
    w->time += c->n_insns;
}

/* Calls and returns. */

static struct sd_chunk *at(struct sd_walker *w, uint64_t address)
{
    return sd_chunks_at(&w->chunks, address);
}

static struct sd_chunk *way(struct sd_walker *w, struct sd_chunk *c, unsigned i)
{
    if (!c->is_followed[i]) {
        c->way[i] = at(w, c->to[i]);
        c->is_followed[i] = true;
    }
    return c->way[i];
}

/* What a callee that is not walked leaves in the registers. */
static void clobber(struct sd_walker *w)
{
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        if (sd_regset_has(&w->abi.caller_saved, i))
            w->registers[i] = draw(w, 64);
    for (const struct sd_initial *r = w->initial; r->offset != UINT_MAX; r++)
        if (sd_is_known(r->value))
            w->registers[r->offset / 8] = sd_drawn_known(r->value.bits);
}

/* It may write where its arguments point to, if that is the caller's stack. */
static void write_out(struct sd_walker *w, uint64_t stack_pointer)
{
    if (!(w->rules & SD_RULE_OUT))
        return;
    for (unsigned i = 0; i < w->abi.n_arguments; i++) {
        uint64_t a = w->registers[w->abi.arguments[i]].bits;

        if (a - stack_pointer < STACK - stack_pointer)
            sd_recall_store(&w->recall, a, OUT_BYTES, draw(w, 64), SD_NO_STORE);
    }
}

static struct sd_chunk *come_back(struct sd_walker *w)
{
    const struct sd_frame *f = &w->frames[--w->n_frames];

    w->registers[w->abi.stack_pointer] = sd_drawn_known(f->stack_pointer);
    return way(w, f->caller, 1);
}

/* The callee of the last frame is not walked, or not to its end. */
static struct sd_chunk *cut_short(struct sd_walker *w)
{
    const struct sd_frame *f = &w->frames[w->n_frames - 1];

    for (unsigned i = w->abi.first; i < w->abi.end; i++)
        if (!sd_regset_has(&w->abi.caller_saved, i))
            w->registers[i] = f->saved[i];
    write_out(w, f->stack_pointer);
    clobber(w);
    return come_back(w);
}

static struct sd_chunk *call(struct sd_walker *w, struct sd_chunk *c)
{
    struct sd_frame *f = &w->frames[w->n_frames];
    bool is_direct = c->leaving == SD_LEAVES_BY_CALL;
    struct sd_chunk *callee = NULL;

    assert(w->n_frames <= SD_MOST_FRAMES);
    if (is_direct && c->is_doomed[0] && w->rules & SD_RULE_RETURNS)
        return NULL;
    w->n_frames++;
    f->caller = c;
    f->deadline = w->time + (w->fuel - w->time) / 4;
    f->serial = ++w->serial;
    f->stack_pointer =
        w->registers[w->abi.stack_pointer].bits + w->abi.return_address_size;
    memcpy(f->saved, w->registers, sizeof f->saved);
    if (w->n_frames <= w->depth && is_direct)
        callee = way(w, c, 0);
    else if (w->n_frames <= w->depth && sd_drawn_is_known(c->temps[c->target]))
        callee = at(w, c->temps[c->target].bits);
    return callee != NULL ? callee : cut_short(w);
}

static void begin(struct sd_walker *w)
{
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        w->registers[i] = draw(w, 64);
    for (const struct sd_initial *r = w->initial; r->offset != UINT_MAX; r++)
        w->registers[r->offset / 8] =
            (struct sd_drawn){r->value.bits, r->value.bottom};
    w->registers[w->abi.stack_pointer] = sd_drawn_known(STACK - STACK_SIZE / 2);
}

/* The root returns, and is called again with some of its arguments. */
static struct sd_chunk *call_root(struct sd_walker *w)
{
    struct sd_drawn kept[8];

    if (!w->is_again || w->serial >> 16 >= MOST_CALLS)
        return NULL;
    w->serial += 1u << 16;
    memcpy(kept, w->frames[SD_MOST_FRAMES].saved, sizeof kept);
    clobber(w);
    w->registers[w->abi.stack_pointer] = sd_drawn_known(STACK - STACK_SIZE / 2);
    for (unsigned i = 0; i < w->abi.n_arguments; i++)
        if (sd_walker_random(w) % 4 != 0)
            w->registers[w->abi.arguments[i]] = kept[i];
    return at(w, w->entry);
}

static struct sd_chunk *leave_function(struct sd_walker *w,
                                       const struct sd_chunk *c)
{
    struct sd_drawn target = c->temps[c->target];
    unsigned i = w->n_frames;

    if (i == 0)
        return call_root(w);
    while (i > 0 && w->frames[i - 1].caller->to[1] != target.bits)
        i--;
    if (i > 0)
        w->n_frames = i;
    return come_back(w);
}

/* Nothing leads on from here, but perhaps from the caller. */
static struct sd_chunk *end_of_way(struct sd_walker *w)
{
    return w->n_frames > 0 ? cut_short(w) : NULL;
}

static struct sd_chunk *jump(struct sd_walker *w, const struct sd_chunk *c)
{
    struct sd_drawn target = c->temps[c->target];
    struct sd_chunk *next = at(w, target.bits);

    if (next != NULL)
        return next;
    return w->n_frames > 0 ? cut_short(w) : call_root(w);
}

static struct sd_chunk *next(struct sd_walker *w, struct sd_chunk *c)
{
    switch (c->leaving) {
    case SD_LEAVES_STRAIGHT:
        return way(w, c, 0);
    case SD_LEAVES_BY_TEST:
        return way(w, c, sd_force_branch(w, c));
    case SD_LEAVES_INDIRECT:
        return jump(w, c);
    case SD_LEAVES_BY_CALL:
    case SD_LEAVES_BY_INDIRECT_CALL:
        return call(w, c);
    case SD_LEAVES_BY_RETURN:
        return leave_function(w, c);
    default:
        return NULL;
    }
}

void sd_walker_root(struct sd_walker *w)
{
    w->root++;
}

void sd_walk(struct sd_walker *w, uint64_t address, uint64_t key, uint64_t fuel,
             bool is_again)
{
    struct sd_chunk *c = at(w, address);

    w->walk++;
    w->key = key;
    w->n_random = w->time = w->n_frames = w->serial = w->n_origins = 0;
    w->n_stores = w->n_visited = 0;
    w->fuel = fuel;
    w->entry = address;
    w->is_again = is_again && w->rules & SD_RULE_AGAIN;
    memset(w->origins, 0, sizeof w->origins);
    sd_recall_clear(&w->recall, sd_walker_random(w));
    begin(w);
    for (unsigned i = 0; i < w->abi.n_arguments; i++)
        w->frames[SD_MOST_FRAMES].saved[i] = w->registers[w->abi.arguments[i]];
    while (c != NULL && w->time < fuel) {
        run(w, c);
        if (w->n_frames > 0 && w->time > w->frames[w->n_frames - 1].deadline)
            c = cut_short(w);
        else
            c = next(w, c);
        if (c == NULL)
            c = end_of_way(w);
    }
    w->n_insns += w->time;
}
