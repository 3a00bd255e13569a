/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/sd_support.h"

#include "walk/sd_chunk.h"

/* --- Visits: by block, a list of the walks that visited it, as bytes --- */

#define VISIT_BYTES 12 /* most bytes of a visit: 5 for the step, 3 a time */

/* The lowest two bits of a step say how many times (of visits) follow. */
enum times { NONE, ONE, TWO };

struct sd_visits {
    uint32_t n, last; /* n: visits; last: number of the last walk */
    uint32_t size, room;
    uint8_t bytes[];
};

size_t sd_number_put(uint8_t *bytes, uint64_t number)
{
    size_t n = 0;

    for (; number >= 0x80; number >>= 7)
        bytes[n++] = (uint8_t)(number | 0x80);
    bytes[n++] = (uint8_t)number;
    return n;
}

static void put(struct sd_visits *list, uint64_t number)
{
    list->size += (uint32_t)sd_number_put(list->bytes + list->size, number);
}

static uint64_t get(struct sd_visits_reader *r)
{
    uint64_t number = 0;
    unsigned shift = 0;

    assert(r->at < r->end);
    for (; *r->at >= 0x80; shift += 7)
        number |= (uint64_t)(*r->at++ & 0x7f) << shift;
    return number | (uint64_t)*r->at++ << shift;
}

/* Lists grow by a 32nd: if the room doubled, most of it would be empty. */
static struct sd_visits *make_room(struct sd_visits *list)
{
    bool is_new = list == NULL;
    uint64_t room = VISIT_BYTES;

    if (!is_new && list->room - list->size >= VISIT_BYTES)
        return list;
    if (!is_new)
        room += (uint64_t)list->room + list->room / 32;
    if (room > UINT32_MAX)
        memory_exhausted();
    list = realloc(list, sizeof *list + room);
    if (list == NULL)
        memory_exhausted();
    if (is_new)
        *list = (struct sd_visits){.n = 0};
    list->room = (uint32_t)room;
    return list;
}

void sd_visits_add(struct sd_visits **list, const struct sd_visit *c)
{
    struct sd_visits *l = *list = make_room(*list);
    enum times times = c->first == UINT16_MAX && c->last == UINT16_MAX ? NONE
                       : c->first == c->last                           ? ONE
                                                                       : TWO;

    assert(c->number > l->last && c->first <= c->last);
    put(l, (uint64_t)(c->number - l->last) << 2 | times);
    if (times != NONE)
        put(l, c->first);
    if (times == TWO)
        put(l, c->last - c->first);
    l->last = c->number;
    l->n++;
    assert(l->size <= l->room);
}

uint32_t sd_visits_n(const struct sd_visits *list)
{
    return list != NULL ? list->n : 0;
}

struct sd_visits_reader sd_visits_read(const struct sd_visits *list)
{
    if (list == NULL)
        return (struct sd_visits_reader){.at = NULL};
    return (struct sd_visits_reader){.at = list->bytes,
                                     .end = list->bytes + list->size};
}

bool sd_visits_next(struct sd_visits_reader *r)
{
    if (r->at == r->end)
        return false;
    uint64_t step = get(r);
    r->visit.number += (uint32_t)(step >> 2);
    r->visit.first = r->visit.last = UINT16_MAX;
    if ((step & 3) != NONE)
        r->visit.first = r->visit.last = (uint16_t)get(r);
    if ((step & 3) == TWO)
        r->visit.last = (uint16_t)(r->visit.first + get(r));
    return true;
}

/* --- Pairs that walks show, in a hash table until they are sorted --- */

void sd_pairs_fini(struct sd_pairs *pairs)
{
    free(pairs->list);
    keys_fini(&pairs->keys);
    *pairs = (struct sd_pairs){.n = 0};
}

void sd_pairs_clear(struct sd_pairs *pairs)
{
    keys_clear(&pairs->keys);
    pairs->n = 0;
}

void sd_pairs_add(struct sd_pairs *pairs, const struct sd_walk_pair *pair)
{
    uint32_t i = keys_add(&pairs->keys, keys_pair(pair->src, pair->dst));

    assert(pair->src != 0 && pair->dst != 0);
    assert(i <= pairs->n);
    if (i == pairs->n) {
        array_push(pairs->list, pairs->n, pairs->room, *pair);
        return;
    }
    struct sd_walk_pair *p = &pairs->list[i];
    if (p->last != pair->last)
        p->n_walks += pair->n_walks;
    p->last = pair->last;
    if (pair->distance < p->distance) {
        p->distance = pair->distance;
        p->header = pair->header;
    }
    p->is_again &= pair->is_again;
    p->is_uneven |= pair->is_uneven;
    if (!sd_overlap_is(p->overlap, pair->overlap))
        p->overlap = sd_overlap_join(p->overlap, pair->overlap);
    if (pair->delta_k != p->delta_k)
        p->delta_k = SD_ANY_DELTA;
}

void sd_pairs_uneven(struct sd_pairs *pairs, uint32_t src, uint32_t dst)
{
    uint32_t i = keys_find(&pairs->keys, keys_pair(src, dst));

    assert(i != NO_KEY);
    pairs->list[i].is_uneven = 1;
}

int sd_pairs_compare(const void *x, const void *y)
{
    const struct sd_walk_pair *a = x, *b = y;

    return array_order(a->src, b->src) ?: array_order(a->dst, b->dst);
}

const struct sd_walk_pair *sd_pairs_list(struct sd_pairs *pairs)
{
    array_sort(pairs->list, pairs->n, sd_pairs_compare);
    return pairs->list;
}

/* --- Notes on the addresses of accesses, and on calls --- */

void sd_access_notes_init(struct sd_access_notes *m, size_t n_insns)
{
    *m = (struct sd_access_notes){
        .places = memory_new(n_insns + 1, sizeof *m->places)};
}

void sd_access_notes_fini(struct sd_access_notes *m)
{
    free(m->places);
    free(m->list);
    free(m->made);
    *m = (struct sd_access_notes){0};
}

void sd_access_notes_clear(struct sd_access_notes *m)
{
    for (size_t i = 0; i < m->n; i++)
        m->places[m->list[i].site] = 0;
    m->n = 0;
}

void sd_access_notes_add(struct sd_access_notes *m, uint32_t site,
                         uint32_t notes)
{
    assert(site != 0 && notes != 0);
    if (m->places[site] == 0) {
        array_push(m->list, m->n, m->room,
                   (struct sd_site_notes){.site = site});
        m->places[site] = (uint32_t)m->n;
    }
    m->list[m->places[site] - 1].notes |= notes;
}

/* From what the result of an operation is computed: SD_NOTE_* bits. */
static uint8_t made_of(const struct sd_access_notes *m,
                       const struct sd_chunk *c, const struct sd_op *op)
{
    uint8_t made = 0;

    if (op->code == SD_FRESH)
        return SD_NOTE_UNDECIDED;
    if (sd_op_is(op, SD_LOADS))
        return SD_NOTE_LOADED;
    if (op->code == SD_CALL) {
        for (unsigned i = 0; i < c->calls[op->imm].n_args; i++)
            made |= m->made[c->calls[op->imm].args[i]];
        return made;
    }
    if (sd_op_is(op, SD_READS_A))
        made |= m->made[op->a];
    if (sd_op_is(op, SD_READS_B))
        made |= m->made[op->b];
    if (sd_op_is(op, SD_READS_C))
        made |= m->made[op->c];
    return made;
}

static void mark_access(struct sd_access_notes *m, const struct sd_chunk *c,
                        const struct sd_op *op)
{
    uint32_t notes = SD_NOTE_DRAWN | m->made[op->a];

    if (op->site == 0 || c->temps[op->a].bottom == 0)
        return;
    sd_access_notes_add(m, c->site + op->site,
                        sd_op_is(op, SD_STORES) ? notes << SD_NOTE_OF_STORE
                                                : notes);
}

void sd_access_notes_accesses(struct sd_access_notes *m,
                              const struct sd_chunk *c)
{
    /* Operands come before the operations that read them, and constants depend
       on nothing. */
    array_reserve(m, made, c->n_temps);
    memset(m->made, 0, c->n_temps);
    for (size_t i = 0; i < c->n_ops; i++) {
        const struct sd_op *op = &c->ops[i];

        if (sd_op_is(op, SD_LOADS | SD_STORES))
            mark_access(m, c, op);
        /* A known value was not drawn, wherever it comes from. */
        if (sd_op_is(op, SD_HAS_RESULT) && c->temps[op->dst].bottom != 0)
            m->made[op->dst] = made_of(m, c, op);
    }
}

void sd_access_notes_call(struct sd_access_notes *m, const struct sd_chunk *c,
                          bool is_entered)
{
    uint32_t site = c->site + c->n_insns;

    assert(sd_chunk_calls(c));
    if (is_entered)
        sd_access_notes_add(m, site, SD_NOTE_ENTERED);
    else if (c->leaving == SD_LEAVES_BY_INDIRECT_CALL &&
             !sd_is_known(c->temps[c->target]))
        sd_access_notes_add(m, site, SD_NOTE_UNRESOLVED);
    else
        sd_access_notes_add(m, site, SD_NOTE_SKIPPED);
}

/* --- What the walks of all functions show together --- */

void sd_support_init(struct sd_support *s, size_t n_blocks)
{
    *s = (struct sd_support){.blocks =
                                 memory_new(n_blocks + 1, sizeof *s->blocks),
                             .n_blocks = n_blocks};
}

void sd_support_fini(struct sd_support *s)
{
    for (size_t i = 0; i < s->n_blocks; i++)
        free(s->blocks[i]);
    free(s->blocks);
    sd_pairs_fini(&s->pairs);
    *s = (struct sd_support){0};
}

void sd_support_add(struct sd_support *s, const struct sd_visit *walks,
                    size_t size, const struct sd_walk_pair *pairs,
                    size_t n_pairs)
{
    s->n_roots++;
    for (size_t i = 0; i < size; i += 1 + walks[i].number) {
        s->n_walks++;
        for (uint32_t k = 1; k <= walks[i].number; k++) {
            struct sd_visit visit = walks[i + k];
            uint32_t block = visit.number;

            assert(block < s->n_blocks);
            visit.number = s->n_walks;
            sd_visits_add(&s->blocks[block], &visit);
            s->n_numbers++;
        }
    }
    for (size_t i = 0; i < n_pairs; i++) {
        struct sd_walk_pair pair = pairs[i];

        pair.last = s->n_roots;
        sd_pairs_add(&s->pairs, &pair);
    }
}

/* The number of walks that visited both blocks; if `is_ordered`, first block a
   and later block b. */
static uint32_t count(const struct sd_visits *a, const struct sd_visits *b,
                      bool is_ordered)
{
    struct sd_visits_reader x = sd_visits_read(a), y = sd_visits_read(b);
    bool both = sd_visits_next(&x) && sd_visits_next(&y);
    uint32_t n = 0;

    while (both) {
        if (x.visit.number < y.visit.number) {
            both = sd_visits_next(&x);
        } else if (x.visit.number > y.visit.number) {
            both = sd_visits_next(&y);
        } else {
            n += !is_ordered || x.visit.first < y.visit.last;
            both = sd_visits_next(&x) && sd_visits_next(&y);
        }
    }
    return n;
}

uint32_t sd_support_after(const struct sd_support *s, uint32_t a, uint32_t b,
                          bool is_round)
{
    struct sd_visits_reader r = sd_visits_read(s->blocks[a]);
    uint32_t n = 0;

    if (a != b || is_round)
        return count(s->blocks[a], s->blocks[b], true);
    while (sd_visits_next(&r))
        n += r.visit.first < UINT16_MAX;
    return n;
}

double sd_support_of(const struct sd_support *s,
                     const struct sd_walk_pair *pair, uint32_t src_block,
                     uint32_t dst_block)
{
    uint32_t n = src_block == dst_block
                     ? sd_visits_n(s->blocks[src_block])
                     : count(s->blocks[src_block], s->blocks[dst_block], false);

    assert(pair->n_walks >= 1 && pair->n_walks <= n);
    return (double)pair->n_walks / n;
}
