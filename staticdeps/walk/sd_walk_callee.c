/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/sd_walk.h"

#include "walk/sd_explore.h"

/* What the resolver of an IFUNC may choose.

   A resolver looks at the processor, which is not known here, so it is not run.
   Its candidates are the functions whose addresses its own code computes, and
   each walk takes one of those that walks of the same root took least often.
   Candidates are not drawn at random: if a few walks drew the same one, the
   walks of the root would end too early.  A pair within a candidate, or with
   its caller, has the support of the walks that took it.

   Limits: candidates that a resolver reads from a table, or whose addresses are
   computed in a function that it calls, are not seen. */

#define MOST_CANDIDATES 64 /* of one resolver; glibc's have up to 20 */

static void add(struct sd_ifuncs *f, size_t first, uint64_t address)
{
    for (size_t i = first; i < f->n_candidates; i++)
        if (f->candidates[i].address == address)
            return;
    if (f->n_candidates - first == MOST_CANDIDATES)
        return;
    array_push(f->candidates, f->n_candidates, f->room,
               (struct sd_candidate){.address = address});
}

/* Adds the functions whose addresses are constants of a chunk.  In a chunk that
   was never run, only constants are known. */
static void add_candidates_of(struct sd_ifuncs *f, const struct sd_chunk *c,
                              size_t first, uint32_t resolver)
{
    for (size_t i = 0; i < c->n_ops; i++) {
        const struct sd_op *op = &c->ops[i];
        uint32_t operands[3] = {op->a, op->b, op->c};

        for (unsigned k = 0; k < 3; k++) {
            struct sd_value v = sd_known(0);

            if (sd_op_is(op, SD_READS_A << k))
                v = c->temps[operands[k]];
            if (!sd_is_known(v) || v.bits == 0)
                continue;
            uint32_t routine = sd_program_routine(f->program, v.bits);
            if (routine != SD_NO_ROUTINE && routine != resolver)
                add(f, first, v.bits);
        }
    }
}

static void add_candidates(struct sd_ifuncs *f, struct sd_chunks *chunks,
                           uint64_t address)
{
    const struct sd_program *p = f->program;
    uint32_t routine = sd_program_routine(p, address);
    size_t first = f->n_candidates;

    if (routine == SD_NO_ROUTINE)
        return;
    for (uint32_t i = 0; i < p->routines[routine].n; i++) {
        uint32_t block = p->routines[routine].first + i;
        const struct sd_chunk *c =
            sd_chunks_at(chunks, p->blocks->blocks[block].address);

        if (c != NULL)
            add_candidates_of(f, c, first, routine);
    }
}

void sd_ifuncs_init(struct sd_ifuncs *f, struct sd_chunks *chunks)
{
    const struct sd_program *p = chunks->program;

    *f = (struct sd_ifuncs){.program = p};
    f->resolvers = memory_new(p->n_resolvers + 1, sizeof *f->resolvers);
    for (size_t i = 0; i < p->n_resolvers; i++) {
        f->resolvers[i].first = f->n_candidates;
        add_candidates(f, chunks, p->resolvers[i]);
        f->resolvers[i].n = f->n_candidates - f->resolvers[i].first;
    }
}

void sd_ifuncs_fini(struct sd_ifuncs *f)
{
    free(f->candidates);
    free(f->resolvers);
    *f = (struct sd_ifuncs){.program = NULL};
}

/* The first candidate, from a random one on, of those taken least often. */
static struct sd_candidate *least_taken(const struct sd_ifunc_resolver *r,
                                        struct sd_candidate *candidates,
                                        uint64_t random)
{
    struct sd_candidate *least = &candidates[random % r->n];

    assert(r->n <= MOST_CANDIDATES);
    for (size_t i = 1; i < r->n; i++) {
        struct sd_candidate *c = &candidates[(random % r->n + i) % r->n];

        if (c->taken < least->taken)
            least = c;
    }
    return least;
}

/* The function that the resolver of a mark (SD_IFUNC_MARK) chooses in a walk of
   a root, both numbered from 1; `key` chooses at random.  0 if no candidate is
   known.  The choice stays the same in one walk. */
static uint64_t choose(struct sd_ifuncs *f, uint64_t mark, uint32_t root,
                       uint32_t walk, uint64_t key)
{
    uint64_t address = mark & ~SD_IFUNC_MARK;
    const uint64_t *list = f->program->resolvers;
    const uint64_t *at =
        array_find(&address, list, f->program->n_resolvers, array_by_number);
    struct sd_ifunc_resolver *r = at != NULL ? &f->resolvers[at - list] : NULL;

    assert(root > 0 && walk > 0);
    if (r == NULL || r->n == 0)
        return 0;
    if (r->root == root && r->walk == walk)
        return r->chosen;
    struct sd_candidate *candidates = &f->candidates[r->first];
    for (size_t i = 0; i < r->n && r->root != root; i++)
        candidates[i].taken = 0;
    struct sd_candidate *c = least_taken(r, candidates, sd_random(key, mark));
    c->taken++;
    r->root = root;
    r->walk = walk;
    r->chosen = c->address;
    assert(r->chosen != 0 && (r->chosen & SD_IFUNC_MARK) == 0);
    return r->chosen;
}

struct sd_chunk *sd_walk_at(struct sd_walker *w, uint64_t address)
{
    if (address & SD_IFUNC_MARK)
        address = choose(&w->ifuncs, address, w->root, w->walk, w->choices.key);
    return sd_chunks_at(&w->chunks, address);
}

/* --- Where a call leads whose target is drawn --- */

/* The latest load of a number; NULL if it is none of the last loads. */
static const struct sd_loaded *origin_of(const struct sd_walker *w,
                                         uint64_t bits)
{
    for (unsigned i = 1; i <= SD_N_LOADS && i <= w->loads.n; i++) {
        const struct sd_loaded *o =
            &w->loads.list[(w->loads.n - i) % SD_N_LOADS];

        if (o->size == 8 && o->bits == bits)
            return o;
    }
    return NULL;
}

#define MOST_ELEMENTS 512

/* The operation of a chunk that sets a temporary; NULL if none does. */
static const struct sd_op *maker(const struct sd_chunk *c, uint32_t temp)
{
    for (size_t i = c->n_ops; i-- > 0;)
        if (sd_op_is(&c->ops[i], SD_HAS_RESULT) && c->ops[i].dst == temp)
            return &c->ops[i];
    return NULL;
}

/* The address of the array from which a drawn index chose the target; 0 if
   there is no such array. */
static uint64_t array_of(const struct sd_chunk *c, unsigned *step)
{
    const struct sd_op *load = maker(c, c->target), *sum, *scaled;

    if (load == NULL || load->code != SD_LOAD || load->width != 64)
        return 0;
    sum = maker(c, load->a);
    if (sum == NULL || sum->code != SD_ADD)
        return 0;
    uint32_t base = c->temps[sum->a].bottom == 0 ? sum->a : sum->b;
    uint32_t index = base == sum->a ? sum->b : sum->a;
    if (c->temps[base].bottom != 0)
        return 0;
    scaled = maker(c, index);
    *step = 8;
    if (scaled != NULL && scaled->code == SD_SHL &&
        c->temps[scaled->b].bits < 12)
        *step = 1u << c->temps[scaled->b].bits;
    return c->temps[base].bits + (uint64_t)(int64_t)load->disp;
}

/* A random element of an array; 0 if it is no array of functions. */
static uint64_t choose_element(struct sd_walker *w, uint64_t array,
                               unsigned step)
{
    uint64_t function, chosen = 0;
    unsigned n = 0;

    while (
        n < MOST_ELEMENTS &&
        sd_contents_word(w->program->contents, array + n * step, &function) &&
        sd_program_is_function(w->program, function))
        n++;
    if (n > 1)
        sd_contents_word(w->program->contents,
                         array + sd_walker_random(w) % n * step, &chosen);
    return chosen;
}

uint64_t sd_walk_resolve(struct sd_walker *w, struct sd_chunk *c)
{
    const struct sd_tables *tables = &w->program->tables;
    uint64_t target = c->temps[c->target].bits;
    size_t first;
    unsigned step;

    if (!(w->rules & SD_RULE_TABLES))
        return 0;
    /* A drawn index has hit a function. */
    if (sd_program_is_function(w->program, target))
        return target;
    uint64_t array = array_of(c, &step);
    uint64_t element = array != 0 ? choose_element(w, array, step) : 0;
    if (element != 0)
        return element;
    const struct sd_loaded *o = origin_of(w, target);
    if (o == NULL || !o->is_far)
        return 0;
    size_t n = sd_tables_at(tables, o->distance, &first);
    if (n == 0 || n > SD_MOST_CANDIDATES)
        return 0;
    const struct sd_entry *e = &tables->list[first + sd_walker_random(w) % n];
    sd_walk_replace(w, o->address - (uint64_t)(int64_t)o->distance,
                    sd_known(e->table));
    return e->function;
}

/* --- What a function of another file does, by the table of libraries --- */

#define SOME           8 /* bytes written, if their number is not known */
#define MOST_BYTES     2048
#define BYTES_PER_TIME 16 /* so many bytes take as long as an instruction */
#define FIRST_PAGE     4096

/* The addresses of fresh memory. */
#define HEAP      UINT64_C(0x550000000000)
#define HEAP_SIZE (UINT64_C(1) << 40)

#define INSIDE 64 /* bytes of an object to which an argument points */

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
    if (t->kind == SD_TERM_UNKNOWN)
        return SOME;
    struct sd_value size = value_of(w, m, t);
    if (size.bits <= MOST_BYTES)
        return size.bits;
    return sd_is_known(size) ? MOST_BYTES : SOME;
}

/* Copies bytes as memmove() does: backwards, if the start of the destination
   lies in the source. */
static void copy(struct sd_walker *w, uint64_t to, struct sd_value from,
                 uint64_t size)
{
    bool is_backwards = to - from.bits < size;

    assert(size <= MOST_BYTES && w->stores.library != SD_NO_WRITER);
    for (uint64_t done = 0, n; done < size; done += n) {
        uint32_t stores[8];

        n = size - done < 8 ? size - done : 8;
        uint64_t at = is_backwards ? size - done - n : done;
        struct sd_value v = sd_memory_load(
            &w->memory, from.bits + at, (unsigned)n, from.bottom != 0, stores);
        sd_memory_store(&w->memory, to + at, (unsigned)n, v, w->stores.library);
    }
}

/* Fills bytes with one value; if `byte` is NULL, with random values. */
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
    /* The bytes cost fuel, but take no time of the program. */
    w->clock.time += size / BYTES_PER_TIME;
    w->clock.skipped -= size / BYTES_PER_TIME;
}

void sd_walk_library(struct sd_walker *w, const struct sd_model *m,
                     struct sd_calling *c)
{
    assert(m->n_calls <= SD_MOST_TERMS);
    *c = (struct sd_calling){.model = m};
    /* Arguments are read before anything is written. */
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
