/*
 * sd_walk_library: does to a walk what the table of libraries says that a
 * function of another file does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/internal.h"

#include <assert.h>

#define SOME           8 /* bytes, if the number is not known */
#define MOST_BYTES     2048
#define BYTES_PER_TIME 16 /* that take as long as an instruction */
#define FIRST_PAGE     4096

/* Where fresh memory is. */
#define HEAP      UINT64_C(0x550000000000)
#define HEAP_SIZE (UINT64_C(1) << 40)

#define INSIDE 64 /* bytes of what an argument points to */

static uint64_t in_heap(uint64_t random)
{
    return HEAP + random % HEAP_SIZE / 16 * 16;
}

static struct sd_value argument(const struct sd_walker *w, unsigned number)
{
    if (number == 0 || number > w->abi.n_arguments)
        return (struct sd_value){0, UINT64_MAX};
    return w->registers[w->abi.arguments[number - 1]];
}

static struct sd_value combined(const struct sd_walker *w,
                                const struct sd_term *t, uint8_t code)
{
    struct sd_op op = {.code = code, .width = 64};

    return sd_drawn_eval(&op, argument(w, t->a), argument(w, t->b), sd_known(0),
                         true);
}

static struct sd_value value_of(struct sd_walker *w, const struct sd_model *m,
                                const struct sd_term *t)
{
    struct sd_value v;

    switch (t->kind) {
    case SD_TERM_ARGUMENT:
        return argument(w, t->a);
    case SD_TERM_SUM:
        return combined(w, t, SD_ADD);
    case SD_TERM_PRODUCT:
        return combined(w, t, SD_MUL);
    case SD_TERM_NUMBER:
        return sd_known(t->number);
    case SD_TERM_FRESH:
        return sd_known(in_heap(sd_walker_random(w)));
    case SD_TERM_SAME:
        v = argument(w, t->a);
        return sd_known(in_heap(
            sd_random(sd_random(w->choices.key, ~(uint64_t)m->line), v.bits)));
    case SD_TERM_INSIDE:
        v = argument(w, t->a);
        v.bits += sd_walker_random(w) % INSIDE;
        v.bottom = UINT64_MAX;
        return v;
    default:
        return sd_walker_draw(w, 64);
    }
}

/* The size of an effect, in bytes. */
static uint64_t size_of(struct sd_walker *w, const struct sd_model *m,
                        const struct sd_term *t)
{
    struct sd_value size;

    if (t->kind == SD_TERM_UNKNOWN)
        return SOME;
    size = value_of(w, m, t);
    if (size.bits <= MOST_BYTES)
        return size.bits;
    return sd_is_known(size) ? MOST_BYTES : SOME;
}

/* Copies bytes as memmove() does: from the end, if the first part that is
   written lies in what is read. */
static void copy(struct sd_walker *w, uint64_t to, struct sd_value from,
                 uint64_t size)
{
    bool is_backwards = to - from.bits < size;

    for (uint64_t done = 0, n; done < size; done += n) {
        uint64_t at;
        uint32_t stores[8];
        struct sd_value v;

        n = size - done < 8 ? size - done : 8;
        at = is_backwards ? size - done - n : done;
        v = sd_memory_load(&w->memory, from.bits + at, (unsigned)n,
                           from.bottom != 0, stores);
        sd_memory_store(&w->memory, to + at, (unsigned)n, v, w->stores.library);
    }
}

/* Fills bytes with one value; if `byte` is NULL, with random ones. */
static void fill(struct sd_walker *w, uint64_t to, const struct sd_value *byte,
                 uint64_t size)
{
    for (uint64_t done = 0, n; done < size; done += n) {
        struct sd_value v;

        n = size - done < 8 ? size - done : 8;
        if (byte == NULL) {
            v = sd_walker_draw(w, (unsigned)(8 * n));
        } else {
            v.bits = (byte->bits & 0xff) * UINT64_C(0x0101010101010101);
            v.bottom = byte->bottom & 0xff ? UINT64_MAX : 0;
        }
        sd_memory_store(&w->memory, to + done, (unsigned)n, v,
                        w->stores.library);
    }
}

static void take_effect(struct sd_walker *w, const struct sd_model *m,
                        const struct sd_effect *e)
{
    struct sd_value to = value_of(w, m, &e->to), from;
    uint64_t size = size_of(w, m, &e->size);

    if (sd_is_known(to) && to.bits < FIRST_PAGE)
        return;
    switch (e->kind) {
    case SD_WRITES:
        fill(w, to.bits, NULL, size);
        break;
    case SD_COPIES:
        copy(w, to.bits, value_of(w, m, &e->from), size);
        break;
    case SD_FILLS:
        from = value_of(w, m, &e->from);
        fill(w, to.bits, &from, size);
        break;
    }
    /* This costs fuel, but takes no time of the program. */
    w->clock.time += size / BYTES_PER_TIME;
    w->clock.skipped -= size / BYTES_PER_TIME;
}

void sd_walk_library(struct sd_walker *w, const struct sd_model *m,
                     struct sd_calling *c)
{
    *c = (struct sd_calling){.model = m};
    /* The arguments count as they are before anything is written. */
    c->result = value_of(w, m, &m->result);
    for (unsigned i = 0; i < m->n_calls; i++)
        c->terms[i] = value_of(w, m, &m->calls[i]);
    /* A function of several arguments, such as a comparison, is called twice.
     */
    c->n_left = m->n_calls == 0 ? 0 : m->n_calls > 2 ? 2 : 1;
    if (m->n_effects > 0)
        w->stores.library = sd_walk_new_store(w);
    for (unsigned i = 0; i < m->n_effects; i++)
        take_effect(w, m, &m->effects[i]);
}
