/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "block/sd_steady.h"

/* --- Which accesses of an iteration may touch the same bytes, and when --- */

#define NEAR (UINT64_C(1) << 45)
/* The most stores visited for each access, on average; without this limit, the
   time would be quadratic. */
#define MAX_VISITS 64

/* Accesses that are near each other. */
struct group {
    struct sd_steady *steady;
    const struct sd_trace *trace;
    const struct sd_extent *begin, *end;
    uint64_t low, high;             /* the range of bytes of all accesses */
    uint64_t store_low, store_high; /* the range of bytes of the stores */
    bool loads, stores;             /* are there loads, or stores? */
    bool is_uniform;                /* do all accesses move alike? */
    bool leaps;                     /* does an access move far? */
    size_t *visits;                 /* the number of visits that are left */
};

ARRAY_ORDER(compare, struct sd_extent,
            array_order(a->address, b->address) ?: array_order(a->op, b->op))

static uint64_t moved_by(const struct group *g, uint32_t temp)
{
    return g->trace->temps[temp].bits - g->steady->notes[0].temps[temp].bits;
}

/* Does a store keep the motion of a value that is loaded at a fixed address? */
static bool keeps(const struct group *g, const struct sd_extent *load,
                  const struct sd_extent *store)
{
    uint64_t by = moved_by(g, load->value), stored = moved_by(g, store->value);

    if (store->is_lost)
        return false;
    if (by == 0 && stored == 0)
        return true;
    return store->address == load->address && store->size == load->size &&
           ((stored - by) & sd_mask(8 * load->size)) == 0;
}

/* Is the value that a load has at a fixed address still even?  The value must
   be the same in each iteration, or the even value of the stores. */
static bool is_kept(const struct group *g, const struct sd_extent *load)
{
    bool is_stored = false;

    for (const struct sd_extent *r = g->begin;
         r < g->end && r->address < load->address + load->size; r++) {
        if (*g->visits == 0)
            return false;
        --*g->visits;
        if (!r->is_store || r->address + r->size <= load->address)
            continue;
        if (!keeps(g, load, r))
            return false;
        is_stored = true;
    }
    return is_stored || moved_by(g, load->value) == 0;
}

/* May a load read what an earlier iteration wrote?  The stores of that
   iteration are a step away; stores of this iteration are accounted for
   already, unless they are on the back path. */
static bool reads_earlier(const struct group *g, const struct sd_extent *load)
{
    int64_t step = (int64_t)load->step, margin = step;

    if (g->trace->is_on_back_path || load->motion != SD_EVEN)
        margin = 0;
    if (!g->stores)
        return false;
    if (load->motion == SD_EVEN && step > 0)
        return (int64_t)(g->store_high - load->address) > margin;
    if (load->motion == SD_EVEN)
        return (int64_t)(load->address + load->size - g->store_low) > -margin;
    return g->store_high > load->address &&
           g->store_low < load->address + load->size;
}

static bool spoil(const struct group *g)
{
    uint8_t *spoilt = g->steady->spoilt;
    bool spoils = false;

    for (const struct sd_extent *r = g->begin; r < g->end; r++) {
        uint8_t motion = g->steady->motions[r->value];

        if (!r->is_needed || spoilt[r->op] || motion == SD_LOST)
            continue;
        if (motion == SD_EVEN ? !is_kept(g, r) : reads_earlier(g, r)) {
            spoilt[r->op] = 1;
            spoils = true;
        }
    }
    return spoils;
}

/* After how many iterations has an address passed all others of its group? */
static uint64_t rounds(const struct group *g, uint32_t n_random)
{
    uint64_t step = g->begin->step;

    if (g->begin->motion == SD_RANDOM)
        return (uint64_t)n_random + 1;
    if ((int64_t)step < 0)
        step = -step;
    return step == 0 ? 1 : (g->high - g->low - 1) / step;
}

/* Does an access move out of its neighbourhood before the last iteration? */
static bool leaps(const struct sd_extent *r, uint32_t left)
{
    uint64_t bound = NEAR / 2 / left;

    return r->motion == SD_EVEN && r->step + bound >= 2 * bound;
}

/* The group that begins with `r`. */
static struct group group(struct sd_steady *s, const struct sd_extent *r,
                          uint32_t left)
{
    const struct sd_extent *last = s->extents + s->n_extents;
    struct group g = {.steady = s, .begin = r, .low = r->address};

    assert(r < last && left > 0);
    g.high = r->address;
    g.store_low = UINT64_MAX;
    g.is_uniform = true;
    for (; r < last && (r->address < g.high || r->address - g.high < NEAR);
         r++) {
        uint64_t end = r->address + r->size;

        if (end < r->address)
            end = UINT64_MAX;
        if (end > g.high)
            g.high = end;
        g.is_uniform &= r->motion == g.begin->motion && r->motion != SD_LOST &&
                        r->step == g.begin->step;
        g.leaps |= leaps(r, left);
        g.loads |= !r->is_store;
        if (!r->is_store)
            continue;
        g.stores = true;
        if (r->address < g.store_low)
            g.store_low = r->address;
        if (end > g.store_high)
            g.store_high = end;
    }
    g.end = r;
    assert(g.begin < g.end && g.low <= g.high);
    return g;
}

/* Part of sd_steady_rounds(): returns the number of iterations until all pairs
   of s->extents have occurred, or 0.  Marks loads whose bytes stores may change
   as spoilt, and sets *spoils if there are any. */
static uint32_t sd_extents_meet(struct sd_steady *s,
                                const struct sd_trace *trace, uint32_t left,
                                uint32_t n_random, bool *spoils)
{
    bool load_leaps = false, store_leaps = false;
    const struct sd_extent *r = s->extents, *end = r + s->n_extents;
    size_t visits = MAX_VISITS * s->n_extents;
    uint64_t most = 1;

    array_sort(s->extents, s->n_extents, compare);
    while (r < end) {
        struct group g = group(s, r, left);

        g.trace = trace;
        g.visits = &visits;
        r = g.end;
        if (g.high > UINT64_MAX - NEAR && s->extents[0].address < NEAR)
            return 0; /* the first and the last group are near each other */
        if (g.loads && g.stores && !g.is_uniform)
            return 0;
        if (g.loads && g.stores && rounds(&g, n_random) > most)
            most = rounds(&g, n_random);
        /* An access that leaps may meet any other group. */
        if (g.leaps) {
            if ((g.loads && store_leaps) || (g.stores && load_leaps))
                return 0;
            load_leaps |= g.loads;
            store_leaps |= g.stores;
        }
        *spoils |= spoil(&g);
    }
    return most < UINT32_MAX / 2 ? (uint32_t)most : 0;
}

/* --- How values move --- */

/* Each pass but the last finds a register or a load whose motion is worse. */
#define MAX_PASSES 6
#define NONE       UINT32_MAX
/* Two random numbers are assumed to be further apart than FAR. */
#define FAR (UINT64_C(1) << 36)
/* Numbers that move slower do not move by FAR within a run. */
#define SLOW (UINT64_C(1) << 16)

struct pass {
    struct sd_steady *steady;
    const struct sd_trace *trace;
    const struct sd_value *now, *before;
    size_t n_past; /* iterations noted before `before` */
    uint8_t *motions;
    const uint8_t *did;
    uint32_t left;
};

void sd_steady_fini(struct sd_steady *s)
{
    for (size_t i = 0; i < SD_MAX_NOTES; i++)
        free(s->notes[i].temps);
    free(s->motions);
    free(s->spoilt);
    free(s->extents);
}

void sd_steady_note(struct sd_steady *s, const struct sd_trace *trace)
{
    struct sd_note note = s->notes[SD_MAX_NOTES - 1];

    note.temps =
        memory_grow(note.temps, &note.room, trace->n_temps, sizeof *note.temps);
    memcpy(note.temps, trace->temps, trace->n_temps * sizeof *note.temps);
    memmove(s->notes + 1, s->notes, (SD_MAX_NOTES - 1) * sizeof note);
    s->notes[0] = note;
    if (s->n_notes < SD_MAX_NOTES)
        s->n_notes++;
}

static uint64_t step_of(const struct pass *p, uint32_t temp)
{
    return p->now[temp].bits - p->before[temp].bits;
}

/* Has a temporary the same value in each iteration? */
static bool is_fixed(const struct pass *p, uint32_t temp)
{
    return p->motions[temp] == SD_EVEN && step_of(p, temp) == 0;
}

/* The motion of a number that is even modulo a power of two: SD_EVEN if the
   number stays between `low` and `high`, where it does not wrap. */
static uint8_t stays(const struct pass *p, uint32_t temp, int64_t low,
                     int64_t high)
{
    int64_t now = (int64_t)p->now[temp].bits, end;

    if (__builtin_mul_overflow((int64_t)step_of(p, temp), (int64_t)p->left,
                               &end) ||
        __builtin_add_overflow(end, now, &end))
        return SD_LOST;
    return end >= low && end <= high ? SD_EVEN : SD_LOST;
}

static uint8_t narrowed(const struct pass *p, uint32_t temp, unsigned width)
{
    return width == 64 ? SD_EVEN : stays(p, temp, 0, (int64_t)sd_mask(width));
}

/* The motion of a comparison: two numbers that are far apart and approach
   slowly are never equal. */
static uint8_t apart(const struct pass *p, const struct sd_op *op)
{
    uint64_t by = p->now[op->a].bits - p->now[op->b].bits;
    uint64_t step = step_of(p, op->a) - step_of(p, op->b);

    return by + FAR > 2 * FAR && step + SLOW < 2 * SLOW ? SD_EVEN : SD_LOST;
}

/* The motion of an operation on known, even numbers. */
static uint8_t even(const struct pass *p, const struct sd_op *op)
{
    bool a_moves = step_of(p, op->a) != 0, b_moves = step_of(p, op->b) != 0;
    int64_t end;

    switch (op->code) {
    case SD_ADD:
    case SD_SUB:
        return narrowed(p, op->dst, op->width);
    case SD_MUL:
        return a_moves && b_moves ? SD_LOST : narrowed(p, op->dst, op->width);
    case SD_SHL:
        return b_moves ? SD_LOST : narrowed(p, op->dst, op->width);
    case SD_EXTRACT:
        return op->imm != 0 ? SD_LOST : narrowed(p, op->dst, op->width);
    case SD_CMPEQ:
    case SD_CMPNE:
        return op->width == 64 ? apart(p, op) : SD_LOST;
    case SD_SEXT:
        if (op->width < 64 || op->imm == 64)
            return SD_LOST;
        end = INT64_C(1) << (op->imm - 1);
        return stays(p, op->dst, -end, end - 1);
    default:
        return SD_LOST;
    }
}

/* The motion of an operation on random numbers: random if the result keeps
   nearly all their bits, and moves far: then they have not cancelled out. */
static uint8_t spread(const struct pass *p, const struct sd_op *op)
{
    bool keeps =
        op->code == SD_ADD || op->code == SD_SUB ||
        (op->code == SD_SHL && is_fixed(p, op->b) && p->now[op->b].bits <= 8);

    return keeps && op->width == 64 && step_of(p, op->dst) + FAR > 2 * FAR
               ? SD_RANDOM
               : SD_LOST;
}

static uint8_t pure(const struct pass *p, const struct sd_op *op)
{
    const uint8_t *m = p->motions;
    const struct sd_value *t = p->now;
    bool is_sum = op->code == SD_ADD || op->code == SD_SUB;

    if (op->code == SD_ITE && is_fixed(p, op->a) && sd_is_known(t[op->a]))
        return m[t[op->a].bits != 0 ? op->b : op->c];
    if (is_fixed(p, op->a) && is_fixed(p, op->b) && is_fixed(p, op->c))
        return SD_EVEN;
    if (m[op->a] == SD_LOST || m[op->b] == SD_LOST || m[op->c] == SD_LOST)
        return SD_LOST;
    if (!sd_is_known(t[op->a]) || !sd_is_known(t[op->b]))
        return is_sum ? SD_EVEN : SD_LOST; /* the result is always bottom */
    if (m[op->a] == SD_EVEN && m[op->b] == SD_EVEN)
        return even(p, op);
    return spread(p, op);
}

static uint8_t call(const struct pass *p, const struct sd_call *c)
{
    for (unsigned i = 0; i < c->n_args; i++)
        if (!is_fixed(p, c->args[i]))
            return SD_LOST;
    return SD_EVEN;
}

static uint8_t get(const struct pass *p, const struct sd_op *op)
{
    struct sd_word *w = &p->steady->words[op->imm];
    uint64_t bottom = p->now[op->dst].bottom;

    if (w->put != NONE)
        return p->motions[w->put];
    w->get = op->dst;
    if (w->motion == SD_EVEN && (bottom != p->before[op->dst].bottom ||
                                 (bottom != 0 && step_of(p, op->dst) != 0)))
        w->motion = SD_LOST;
    return w->motion;
}

/* The motion of a loaded value, unless stores spoil it. */
static uint8_t loaded(const struct pass *p, const struct sd_op *op,
                      const struct sd_extent *extent)
{
    struct sd_value now = p->now[op->dst], before = p->before[op->dst];

    if (p->steady->spoilt[extent->op] || now.bottom != before.bottom)
        return SD_LOST;
    if (is_fixed(p, op->a) && now.bits == before.bits)
        return SD_EVEN;
    if (!sd_is_known(now))
        return SD_LOST;
    if (is_fixed(p, op->a))
        return narrowed(p, op->dst, op->width);
    return op->width == 64 && op->site != 0 &&
                   !(p->did[op->site] & SD_IS_WRITTEN)
               ? SD_RANDOM
               : SD_LOST;
}

/* Adds the stores of earlier iterations, except those from which the address
   moved as evenly as in the last iteration. */
static void add_past(const struct pass *p, const struct sd_op *op,
                     uint32_t guard, const struct sd_extent *extent)
{
    bool is_even = extent->motion == SD_EVEN && is_fixed(p, guard) &&
                   (!sd_is_known(p->now[guard]) || p->now[guard].bits != 0);

    for (size_t i = 1; i <= p->n_past; i++) {
        const struct sd_value *past = p->steady->notes[i].temps;
        struct sd_extent other = *extent;
        uint64_t moved = p->now[op->a].bits - past[op->a].bits;

        if (!sd_is_known(past[op->a]) ||
            (sd_is_known(past[guard]) && past[guard].bits == 0) ||
            (is_even && moved == (i + 1) * extent->step))
            continue;
        other.address -= moved;
        other.motion = SD_LOST;
        other.is_store = true;
        array_append(p->steady, extents, other);
    }
}

static bool load(const struct pass *p, const struct sd_op *op,
                 struct sd_extent extent)
{
    extent.is_needed =
        sd_op_is(op, SD_HAS_RESULT) && p->trace->needed[op->dst] != 0;
    extent.value = op->dst;
    if (extent.motion == SD_LOST) {
        if (extent.is_needed)
            p->motions[op->dst] = SD_LOST;
        return op->site == 0; /* loads without a site are not recorded */
    }
    if (!sd_is_known(p->now[op->a]))
        return true;
    if (extent.is_needed)
        p->motions[op->dst] = loaded(p, op, &extent);
    if (op->site != 0 || extent.is_needed)
        array_append(p->steady, extents, extent);
    return true;
}

static bool store(const struct pass *p, const struct sd_op *op, uint32_t guard,
                  struct sd_extent extent)
{
    bool has_value = op->code == SD_STORE ||
                     (op->code == SD_STOREIF && sd_is_known(p->now[guard]));

    extent.is_store = true;
    extent.value = has_value ? op->b : SD_BOTTOM;
    extent.is_lost = p->motions[extent.value] != SD_EVEN;
    if (extent.motion == SD_LOST ||
        (extent.motion == SD_RANDOM && op->site == 0))
        return false;
    if (sd_is_known(p->now[op->a]))
        array_append(p->steady, extents, extent);
    return true;
}

/* Does a rep instruction always execute one element, because its count is
   unknown or large? */
static bool takes_one(const struct pass *p, const struct sd_op *leave)
{
    uint64_t count = p->now[leave->b].bits;

    if (!is_fixed(p, leave->a) || !sd_is_known(p->now[leave->a]) ||
        p->now[leave->a].bits != 0)
        return false;
    return p->motions[leave->b] == SD_EVEN &&
           (!sd_is_known(p->now[leave->b]) ||
            (count + FAR > 2 * FAR && step_of(p, leave->b) + SLOW < 2 * SLOW));
}

/* Adds the extents of an access; false if later iterations may access bytes
   that do not follow from its motion. */
static bool access_memory(const struct pass *p, size_t number)
{
    const struct sd_op *op = &p->trace->ops[number];
    bool is_wide = op->code == SD_READ || op->code == SD_WRITE;
    uint32_t guard = op->code == SD_STOREIF             ? op->c
                     : is_wide || op->code == SD_LOADIF ? op->b
                                                        : SD_BOTTOM;
    struct sd_extent extent = {.address =
                                   p->now[op->a].bits +
                                   (is_wide ? 0 : (uint64_t)(int64_t)op->disp),
                               .step = step_of(p, op->a),
                               .size = is_wide ? op->c : op->width / 8u,
                               .op = (uint32_t)number,
                               .motion = p->motions[op->a]};

    /* A skipped load is 0 or bottom, so its motion stays SD_EVEN. */
    if (sd_op_is(op, SD_STORES))
        add_past(p, op, guard, &extent);
    if (!is_fixed(p, guard))
        return false;
    if (sd_is_known(p->now[guard]) && p->now[guard].bits == 0)
        return true;
    return sd_op_is(op, SD_STORES) ? store(p, op, guard, extent)
                                   : load(p, op, extent);
}

static bool step(const struct pass *p, size_t number)
{
    const struct sd_op *op = &p->trace->ops[number];

    switch (op->code) {
    case SD_GET:
        p->motions[op->dst] = get(p, op);
        return true;
    case SD_PUT:
        p->steady->words[op->imm].put = op->a;
        return true;
    case SD_FRESH:
        p->motions[op->dst] = op->imm == 0 ? SD_RANDOM : SD_EVEN;
        return true;
    case SD_LOOP: /* earlier iterations may have executed more elements */
        return p->n_past == 0;
    case SD_AGAIN:
        return true;
    case SD_LEAVE:
        return takes_one(p, op);
    case SD_CALL:
        p->motions[op->dst] = call(p, &p->trace->calls[op->imm]);
        return true;
    default:
        if (sd_op_is(op, SD_LOADS | SD_STORES))
            return access_memory(p, number);
        if (!sd_op_is(op, SD_IS_PURE))
            return false;
        p->motions[op->dst] = pure(p, op);
        return true;
    }
}

/* Do all registers begin the next iteration with the motion assumed for this
   one?  If not, a worse motion is assumed for the others. */
static bool is_consistent(const struct pass *p, uint32_t *n_random)
{
    bool is = true;

    *n_random = 0;
    for (unsigned i = 0; i < SD_N_WORDS; i++) {
        struct sd_word *w = &p->steady->words[i];
        uint8_t motion = w->motion;

        if (w->get == NONE || w->put == NONE)
            continue;
        if (p->motions[w->put] > motion)
            w->motion = p->motions[w->put];
        else if (motion == SD_EVEN && step_of(p, w->put) != step_of(p, w->get))
            w->motion = SD_LOST;
        else if (motion == SD_RANDOM && p->motions[w->put] != SD_RANDOM)
            w->motion = SD_LOST;
        is &= w->motion == motion;
        *n_random += motion == SD_RANDOM;
    }
    return is;
}

/* Makes a pass over all operations with the assumed motions.  Returns the
   number of iterations needed; or 0: with *again set, because a motion turned
   out to be worse; otherwise, because the block does not settle. */
static uint32_t try_motions(const struct pass *p, bool *again)
{
    struct sd_steady *s = p->steady;
    uint32_t n_random;
    bool spoils = false;

    memset(p->motions, SD_EVEN, p->trace->n_temps);
    s->n_extents = 0;
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        s->words[i].get = s->words[i].put = NONE;
    for (size_t i = 0; i < p->trace->n_ops; i++)
        if (!step(p, i))
            return 0;
    *again = !is_consistent(p, &n_random);
    uint32_t rounds = sd_extents_meet(s, p->trace, p->left, n_random, &spoils);
    *again = *again || (spoils && rounds != 0);
    return *again ? 0 : rounds;
}

uint32_t sd_steady_rounds(struct sd_steady *s, const struct sd_trace *trace,
                          uint32_t left, bool is_second, const uint8_t *did)
{
    struct pass p = {.steady = s,
                     .trace = trace,
                     .now = trace->temps,
                     .before = s->notes[0].temps,
                     .n_past = is_second ? 0 : s->n_notes - 1,
                     .did = did,
                     .left = left};
    bool again = left < FAR / SLOW;
    uint32_t rounds = 0;

    assert(s->n_notes > 0);
    array_reserve(s, motions, trace->n_temps);
    array_reserve(s, spoilt, trace->n_ops);
    memset(s->spoilt, 0, trace->n_ops);
    memset(s->words, 0, sizeof s->words);
    p.motions = s->motions;
    for (unsigned i = 0; i < MAX_PASSES && again; i++)
        rounds = try_motions(&p, &again);
    return rounds;
}
