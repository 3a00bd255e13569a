/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_window.h"

#include "stride.h"

/* --- Numbers in LEB128, from untrusted bytes (doc/schema.md) --- */

/* Reading beyond the end gives 0 and sets `failed`, so that a caller may check
   once for several numbers. */
struct numbers {
    const uint8_t *at, *end;
    bool failed;
};

static struct numbers numbers_of(const uint8_t *bytes, size_t n)
{
    return (struct numbers){.at = bytes, .end = bytes + n};
}

static size_t numbers_left(const struct numbers *n)
{
    return (size_t)(n->end - n->at);
}

/* The next number; one of more than 64 bits is a failure. */
static uint64_t numbers_take(struct numbers *n)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64 && n->at < n->end; shift += 7) {
        uint8_t byte = *n->at++;
        uint64_t bits = byte & 0x7f;

        if (shift == 63 && bits > 1)
            break;
        value |= bits << shift;
        if (byte < 0x80)
            return value;
    }
    n->failed = true;
    n->at = n->end;
    return 0;
}

/* A number that is stored as 2n or -2n - 1. */
static uint64_t numbers_signed(uint64_t stored)
{
    return stored >> 1 ^ (0 - (stored & 1));
}

/* Values that are mostly as predicted, encoded as the number of right
   predictions, a value that was not predicted, the next number, and so on. */
struct sequence {
    struct numbers in;
    bool has_number; /* the number was read; n_right of it are left */
    uint64_t n_right;
};

/* Is the next value as predicted?  If not, the caller reads it from `in`. */
static bool sequence_is_right(struct sequence *s)
{
    if (!s->has_number)
        s->n_right = numbers_take(&s->in);
    s->has_number = s->n_right > 0;
    if (!s->has_number)
        return false;
    s->n_right--;
    return true;
}

/* Were all values taken? */
static bool sequence_has_ended(const struct sequence *s)
{
    return s->n_right == 0 && s->in.at == s->in.end && !s->in.failed;
}

/* --- Pieces of code --- */

#define MOST_BYTES 1024 /* the most bytes of an access; depsim's limit */

/* An instruction that was read, with accesses that are not yet in cy_windows.
 */
struct found {
    struct cy_window_insn insn;
    struct cy_window_access accesses[UINT8_MAX];
};

static bool is_alike(const struct cy_windows *w, uint32_t i,
                     const struct found *r)
{
    const struct cy_window_insn *a = &w->insns[i], *b = &r->insn;

    if (a->object != b->object || a->address != b->address ||
        a->length != b->length || a->n_accesses != b->n_accesses)
        return false;
    for (unsigned j = 0; j < a->n_accesses; j++) {
        const struct cy_window_access *x = &w->accesses[a->first_access + j];

        if (x->is_store != r->accesses[j].is_store ||
            x->size != r->accesses[j].size)
            return false;
    }
    return true;
}

/* The number of an instruction in cy_windows, where it is added if it is new.
 */
static uint32_t number_of(struct cy_windows *w, struct keys *insns,
                          struct found *r)
{
    uint64_t key = r->insn.address + r->insn.object;
    uint32_t number = keys_match(insns, key, i, is_alike(w, i, r));

    if (number != NO_KEY)
        return number;
    assert(w->n_accesses < UINT32_MAX);
    r->insn.first_access = (uint32_t)w->n_accesses;
    for (unsigned i = 0; i < r->insn.n_accesses; i++)
        array_append(w, accesses, r->accesses[i]);
    array_append(w, insns, r->insn);
    return keys_append(insns, key);
}

static bool take_insn(struct numbers *in, struct found *r)
{
    uint64_t value = numbers_take(in);

    if (value % 16 == 0 || value / 16 > UINT8_MAX)
        return false;
    r->insn.length = (uint8_t)(value % 16);
    r->insn.n_accesses = (uint8_t)(value / 16);
    for (unsigned i = 0; i < r->insn.n_accesses; i++) {
        uint64_t kind = numbers_take(in);

        if (kind < 2 || kind / 2 > MOST_BYTES)
            return false;
        r->accesses[i] = (struct cy_window_access){
            .is_store = kind % 2 != 0, .size = (uint16_t)(kind / 2)};
    }
    return !in->failed;
}

const char *cy_window_add_piece(struct cy_windows *w, struct keys *insns,
                                const struct cy_piece_blob *blob)
{
    struct numbers in = numbers_of(blob->insns, blob->insns_size);
    uint64_t address = blob->address;
    struct cy_window_piece piece = {.run = blob->run,
                                    .number = blob->number,
                                    .first_insn = w->n_piece_insns};

    assert(blob->object < w->n_objects);
    while (numbers_left(&in) > 0) {
        struct found r = {.insn = {.object = blob->object, .address = address}};

        if (!take_insn(&in, &r))
            return "an instruction that cannot be";
        array_append(w, piece_insns, number_of(w, insns, &r));
        address += r.insn.length;
        piece.n_insns++;
        piece.n_accesses += r.insn.n_accesses;
    }
    if (piece.n_insns == 0)
        return "no instructions";
    array_append(w, pieces, piece);
    return NULL;
}

ARRAY_ORDER(piece_order, struct cy_window_piece,
            a->run != b->run ? array_order(a->run, b->run)
                             : array_order(a->number, b->number))

const char *cy_window_read_pieces(const struct cy_windows *w,
                                  struct cy_window_row *row)
{
    struct numbers in = numbers_of(row->path, row->path_size);
    struct cy_window_piece key = {.run = row->run};
    uint64_t n = numbers_take(&in);

    assert(row->pieces == NULL);
    /* Each piece takes a byte at least. */
    if (n > numbers_left(&in))
        return "a path without its pieces";
    row->pieces = memory_new((size_t)n + 1, sizeof *row->pieces);
    while (row->n_pieces < n) {
        key.number += numbers_signed(numbers_take(&in));
        const struct cy_window_piece *found =
            array_find(&key, w->pieces, w->n_pieces, piece_order);
        if (in.failed || found == NULL)
            return "a piece that is not there";
        row->pieces[row->n_pieces++] = (uint32_t)(found - w->pieces);
        key.number++;
    }
    row->executions = row->path_size - numbers_left(&in);
    return NULL;
}

/* --- What was executed --- */

/* The most accesses of a window: a few bytes can stand for any number. */
#define MOST_ACCESSES ((size_t)1 << 24)

/* What ran after a piece the last time: the first n instructions of a piece. */
struct after {
    bool is_known;
    size_t piece, n;
};

struct expansion {
    const struct cy_windows *windows;
    const struct cy_window_row *row;
    struct cy_recorded *to;
    size_t n_addresses;
    struct sequence path, accesses;
    struct after *after;    /* predictions, by piece */
    size_t *first_stride;   /* index in `strides`, by piece */
    struct stride *strides; /* one for each access of each piece */
    bool has_last;
    size_t last;      /* the last executed piece */
    uint64_t address; /* address of the last access that happened */
};

static const struct cy_window_piece *piece_of(const struct expansion *e,
                                              size_t piece)
{
    return &e->windows->pieces[e->row->pieces[piece]];
}

static const struct cy_window_insn *insn_of(const struct expansion *e,
                                            size_t piece, size_t i)
{
    const struct cy_windows *w = e->windows;

    return &w->insns[w->piece_insns[piece_of(e, piece)->first_insn + i]];
}

/* Predicts the next execution of a piece; false if there is no such piece. */
static bool predict(const struct expansion *e, struct after *next)
{
    if (e->has_last && e->after[e->last].is_known) {
        *next = e->after[e->last];
        return true;
    }
    next->piece = e->has_last ? e->last + 1 : 0;
    if (next->piece >= e->row->n_pieces)
        return false;
    next->n = piece_of(e, next->piece)->n_insns;
    return true;
}

/* Reads an execution that is not as predicted. */
static bool take_execution(struct expansion *e, struct after *next)
{
    uint64_t value = numbers_take(&e->path.in);

    if (e->path.in.failed || value / 2 >= e->row->n_pieces)
        return false;
    next->piece = (size_t)(value / 2);
    next->n = piece_of(e, next->piece)->n_insns;
    if (value % 2 != 0) {
        uint64_t n = numbers_take(&e->path.in);

        if (n == 0 || n >= next->n)
            return false;
        next->n = (size_t)n;
    }
    return true;
}

static bool take_address(struct expansion *e, struct stride *stride,
                         uint64_t *address)
{
    *address = stride_next(stride, e->address);
    if (!sequence_is_right(&e->accesses)) {
        uint64_t stored = numbers_take(&e->accesses.in);

        if (stored == 0) {
            *address = CY_NOT_DONE;
            return !e->accesses.in.failed;
        }
        *address += numbers_signed(stored);
    }
    stride_take(stride, *address);
    e->address = *address;
    return !e->accesses.in.failed;
}

static const char *add_insn(struct expansion *e, size_t piece, size_t i,
                            struct stride *strides)
{
    struct cy_recorded *to = e->to;
    const struct cy_window_insn *insn = insn_of(e, piece, i);

    if (insn->n_accesses > MOST_ACCESSES - e->n_addresses)
        return "too many accesses";
    array_reserve(to, executed, to->n + 1);
    to->executed[to->n++] =
        (struct cy_executed){.insn = (uint32_t)(insn - e->windows->insns),
                             .first_access = (uint32_t)e->n_addresses};
    for (unsigned j = 0; j < insn->n_accesses; j++) {
        array_reserve(to, addresses, e->n_addresses);
        if (!take_address(e, &strides[j], &to->addresses[e->n_addresses++]))
            return "accesses that end too early";
    }
    return NULL;
}

static const char *add_execution(struct expansion *e, struct after next)
{
    struct stride *strides = &e->strides[e->first_stride[next.piece]];
    const char *wrong = NULL;

    assert(next.piece < e->row->n_pieces && e->to->n <= e->row->n);
    if (next.n > e->row->n - e->to->n)
        return "a path that is too long";
    for (size_t i = 0; i < next.n && wrong == NULL; i++) {
        wrong = add_insn(e, next.piece, i, strides);
        strides += insn_of(e, next.piece, i)->n_accesses;
    }
    if (e->has_last) {
        e->after[e->last] = next;
        e->after[e->last].is_known = true;
    }
    e->has_last = true;
    e->last = next.piece;
    return wrong;
}

/* Marks the executions that come after a gap. */
static bool take_gaps(const struct cy_window_row *row, struct cy_recorded *to)
{
    struct numbers in = numbers_of(row->gaps, row->gaps_size);
    uint64_t at = 0;

    assert(to->n == row->n);
    while (numbers_left(&in) > 0) {
        uint64_t n = numbers_take(&in);

        if (in.failed || n == 0 || n >= to->n - at)
            return false;
        at += n;
        to->executed[at].is_apart = true;
    }
    return true;
}

static bool take_reuse(const struct cy_window_row *row, struct cy_recorded *to)
{
    struct numbers in = numbers_of(row->reuse, row->reuse_size);

    to->n_reuse = 0;
    while (numbers_left(&in) > 0)
        array_append(to, reuse, numbers_take(&in));
    return !in.failed;
}

static const char *expand(struct expansion *e)
{
    const char *wrong = NULL;

    while (e->to->n < e->row->n && wrong == NULL) {
        struct after next = {0};

        if (sequence_is_right(&e->path) ? !predict(e, &next)
                                        : !take_execution(e, &next))
            return "a path that goes nowhere";
        wrong = add_execution(e, next);
    }
    if (wrong != NULL)
        return wrong;
    if (!sequence_has_ended(&e->path))
        return "a path that goes on behind its end";
    if (!sequence_has_ended(&e->accesses))
        return "accesses that no instruction makes";
    if (!take_gaps(e->row, e->to))
        return "gaps that are nowhere";
    if (!take_reuse(e->row, e->to))
        return "reuse times that are no numbers";
    /* This entry marks the end of the last instruction's accesses. */
    array_reserve(e->to, executed, e->to->n + 1);
    e->to->executed[e->to->n] = (struct cy_executed){
        .insn = UINT32_MAX, .first_access = (uint32_t)e->n_addresses};
    return NULL;
}

/* Allocates the predictions of pieces and of addresses. */
static const char *begin(struct expansion *e)
{
    size_t n = e->row->n_pieces, n_strides = 0;

    e->after = memory_new(n + 1, sizeof *e->after);
    e->first_stride = memory_new(n + 1, sizeof *e->first_stride);
    for (size_t piece = 0; piece < n; piece++) {
        e->first_stride[piece] = n_strides;
        n_strides += piece_of(e, piece)->n_accesses;
        if (n_strides > MOST_ACCESSES)
            return "too many accesses";
    }
    e->strides = memory_new(n_strides + 1, sizeof *e->strides);
    return NULL;
}

const char *cy_windows_expand(const struct cy_windows *windows, size_t i,
                              struct cy_recorded *recorded)
{
    const struct cy_window_row *row = &windows->rows[i];
    struct expansion e = {.windows = windows, .row = row, .to = recorded};

    assert(i < windows->n_rows && row->executions <= row->path_size);
    if (row->n == 0 || row->n > CY_WINDOW_INSNS)
        return "a number of instructions that cannot be";
    recorded->run = row->run;
    recorded->thread = row->thread;
    recorded->start = row->start;
    recorded->weight = row->weight;
    recorded->n = 0;
    e.path.in = numbers_of(row->path + row->executions,
                           row->path_size - row->executions);
    e.accesses.in = numbers_of(row->accesses, row->accesses_size);
    const char *wrong = begin(&e);
    if (wrong == NULL)
        wrong = expand(&e);
    free(e.after);
    free(e.first_stride);
    free(e.strides);
    assert(wrong != NULL || recorded->n == row->n);
    return wrong;
}

/* Windows are kept up to about this size. */
#define MOST_KEPT ((size_t)64 << 20)

const struct cy_recorded *cy_windows_take(struct cy_windows *w, size_t i,
                                          const char **wrong)
{
    struct cy_recorded *kept = &w->rows[i].kept;
    bool is_kept = kept->n > 0 || w->n_kept < MOST_KEPT;
    struct cy_recorded *to = is_kept ? kept : &w->last;

    *wrong = NULL;
    if (is_kept ? kept->n == 0 : w->number_of_last != i + 1) {
        *wrong = cy_windows_expand(w, i, to);
        if (!is_kept)
            w->number_of_last = i + 1;
        else if (*wrong == NULL)
            w->n_kept +=
                to->n * sizeof *to->executed +
                to->executed[to->n].first_access * sizeof *to->addresses;
    }
    to->weight = w->rows[i].weight;
    return to;
}

void cy_recorded_fini(struct cy_recorded *recorded)
{
    free(recorded->executed);
    free(recorded->addresses);
    free(recorded->reuse);
    *recorded = (struct cy_recorded){0};
}

/* --- The branches before a window --- */

#define MOST_BRANCHES (1 << 20) /* the most branches of a lead */

/* State while a lead is read: what followed each place the last time. */
struct leading {
    const struct cy_window_place *places; /* those of the window's run */
    size_t n_places;
    struct cy_lead_place {
        uint64_t next[2]; /* number of the branch after it, by its way, plus 1;
                             of a target, the first counts; 0: none yet */
        uint64_t target;  /* of an indirect branch: its last target, plus 1 */
    } * state;
    struct sequence branches, targets;
    struct numbers ways;
    size_t n_ways;
    uint64_t first, *follows; /* `next` of what came before */
};

/* Takes the next place of a sequence, which is expected to be *expected. */
static const struct cy_window_place *
take_place(struct leading *l, struct sequence *s, uint64_t *expected)
{
    uint64_t number =
        sequence_is_right(s) ? *expected - 1 : numbers_take(&s->in);

    if (s->in.failed || number >= l->n_places)
        return NULL;
    *expected = number + 1;
    return &l->places[number];
}

static bool take_way(struct leading *l, bool *is_taken)
{
    if (l->n_ways / 8 >= numbers_left(&l->ways))
        return false;
    *is_taken = l->ways.at[l->n_ways / 8] >> l->n_ways % 8 & 1;
    l->n_ways++;
    return true;
}

static const char *take_branch(struct leading *l, const struct cy_windows *w,
                               struct cy_lead_branch *branch)
{
    const struct cy_window_place *p = take_place(l, &l->branches, l->follows),
                                 *target;

    if (p == NULL || p->kind == CY_PLACE_TARGET)
        return "a branch before it that is nowhere";
    struct cy_lead_place *state = &l->state[p - l->places];
    *branch = (struct cy_lead_branch){.place = (uint32_t)(p - w->places),
                                      .is_taken = true};
    if (p->kind == CY_PLACE_CONDITIONAL) {
        if (!take_way(l, &branch->is_taken))
            return "too few ways of branches before it";
        l->follows = &state->next[branch->is_taken];
        return NULL;
    }
    target = take_place(l, &l->targets, &state->target);
    if (target == NULL || target->kind != CY_PLACE_TARGET)
        return "a jump before it that leads nowhere";
    branch->target = (uint32_t)(target - w->places);
    l->follows = &l->state[target - l->places].next[0];
    return NULL;
}

/* The next bytes, after their number. */
static struct numbers part_of(struct numbers *in)
{
    uint64_t n = numbers_take(in);
    struct numbers part = numbers_of(in->at, 0);

    if (n > numbers_left(in))
        in->failed = true;
    if (in->failed)
        return part;
    part.end += n;
    in->at += n;
    return part;
}

static const char *take_branches(struct leading *l, const struct cy_windows *w,
                                 struct cy_lead *lead, uint64_t n)
{
    const char *wrong = NULL;

    l->follows = &l->first;
    while (lead->n < n && wrong == NULL) {
        array_reserve(lead, branches, lead->n + 1);
        wrong = take_branch(l, w, &lead->branches[lead->n++]);
    }
    if (wrong == NULL && (!sequence_has_ended(&l->branches) ||
                          !sequence_has_ended(&l->targets) ||
                          (l->n_ways + 7) / 8 != numbers_left(&l->ways)))
        wrong = "branches before it that go on behind their end";
    return wrong;
}

/* The state of n places, of which none was met. */
static struct cy_lead_place *state_of(struct cy_lead *lead, size_t n)
{
    if (n > lead->n_state) {
        free(lead->state);
        lead->state = memory_new(n, sizeof *lead->state);
        lead->n_state = n;
    }
    return lead->state;
}

/* Forgets the places that were met: few, of many. */
static void forget(struct cy_lead *lead, size_t first, const char *wrong)
{
    static const struct cy_lead_place none;

    if (wrong != NULL) {
        memset(lead->state, 0, lead->n_state * sizeof *lead->state);
        return;
    }
    for (size_t i = 0; i < lead->n; i++) {
        lead->state[lead->branches[i].place - first] = none;
        if (lead->branches[i].target >= first)
            lead->state[lead->branches[i].target - first] = none;
    }
}

const char *cy_lead_of(const struct cy_windows *windows, size_t i,
                       struct cy_lead *lead)
{
    const struct cy_window_row *row = &windows->rows[i];
    const struct cy_window_run *run =
        array_find(&row->run, windows->runs, windows->n_runs, array_by_number);
    struct numbers in = numbers_of(row->lead, row->lead_size);
    struct leading l = {0};

    assert(i < windows->n_rows && run != NULL);
    lead->n = 0;
    if (row->lead_size == 0)
        return NULL;
    uint64_t n = numbers_take(&in);
    l.branches.in = part_of(&in);
    l.targets.in = part_of(&in);
    l.ways = in;
    if (in.failed || n > MOST_BRANCHES)
        return "branches before it that cannot be read";
    l.places = windows->places + run->first_place;
    l.n_places = run->n_places;
    l.state = state_of(lead, l.n_places + 1);
    const char *wrong = take_branches(&l, windows, lead, n);
    forget(lead, run->first_place, wrong);
    return wrong;
}

void cy_lead_fini(struct cy_lead *lead)
{
    free(lead->branches);
    free(lead->state);
    *lead = (struct cy_lead){0};
}
