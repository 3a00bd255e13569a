/*
 * cy_origin: where the value of a register comes from, within a function.
 *
 * Searches backwards from an instruction, on all paths of direct jumps.  What a
 * loop adds to the register is a stride, and the search goes on before the
 * addition, to find where a pointer or an index began.
 *
 * Limits: a function with jumps through registers, or of very many blocks, is
 * not searched.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "code/internal.h"

#include "keys.h"

/* Larger functions are not searched. */
#define MOST_BLOCKS 2048
#define MOST_INSNS  8192

/* The search passes at most so many additions. */
#define MOST_STEPS 16

/* Forgets the function. */
static void leave(struct cy_origins *o)
{
    for (size_t i = 0; i < o->n_blocks; i++)
        free(o->blocks[i].insns);
    free(o->blocks);
    *o = (struct cy_origins){
        .named = o->named, .n_named = o->n_named, .named_room = o->named_room};
}

void cy_origins_fini(struct cy_origins *o)
{
    leave(o);
    free(o->named);
    *o = (struct cy_origins){0};
}

/* --- The blocks of a function --- */

static const char cold[] = ".cold";

/* The length of a function's name without the suffix ".cold". */
static size_t length_of(const char *function)
{
    size_t n = strlen(function), end = sizeof cold - 1;

    return n > end && strcmp(function + n - end, cold) == 0 ? n - end : n;
}

/* Is the block in the function, or in its cold part, which GCC puts elsewhere?
   Several functions may have the same name. */
static bool is_of(const struct cy_block *b, const char *function)
{
    size_t n = length_of(function);

    if (b->function == function || b->function == NULL)
        return b->function != NULL;
    return length_of(b->function) == n &&
           strncmp(b->function, function, n) == 0 &&
           (b->function[n] == '\0') != (function[n] == '\0');
}

static uint64_t hash_of(uint32_t object, const char *function)
{
    return hash_bytes(object, function, length_of(function));
}

ARRAY_ORDER(by_name, struct cy_named,
            array_order(a->name, b->name) ?: array_order(a->block, b->block))

static void index_names(struct cy_origins *o, const struct cy_data *data)
{
    const struct cy_block *before = NULL;
    uint64_t name = 0;

    for (uint32_t i = 0; i < data->n_blocks; i++) {
        const struct cy_block *b = &data->blocks[i];

        if (b->function == NULL)
            continue;
        if (before == NULL || before->function != b->function ||
            before->object != b->object)
            name = hash_of(b->object, b->function);
        array_append(o, named, (struct cy_named){name, i});
        before = b;
    }
    array_sort(o->named, o->n_named, by_name);
}

/* The function's block at an address; CY_NO_BLOCK if there is none. */
static uint32_t block_at(const struct cy_code *code, uint64_t address)
{
    const struct cy_origins *o = &code->origins;
    const struct cy_block *blocks = code->data->blocks;
    size_t n = array_bisect(0, o->n_blocks, i,
                            blocks[o->blocks[i].block].start <= address);

    return n > 0 && address < blocks[o->blocks[n - 1].block].end
               ? (uint32_t)(n - 1)
               : CY_NO_BLOCK;
}

/* Does a block end with a jump through a register? */
static bool is_end_tangled(struct cy_code *code, const struct cy_block *block,
                           const struct flow *last)
{
    struct cy_code_insn insn;

    return last->leave == FLOW_AWAY &&
           cy_code_at(code, block->object, block->end - last->length, &insn,
                      NULL) == 0 &&
           (strstr(insn.name, "jmp") != NULL || strcmp(insn.name, "br") == 0);
}

/* Reads the ends of the blocks: mostly, few of a large function are searched.
 */
static bool read_ends(struct cy_code *code)
{
    struct cy_origins *o = &code->origins;
    size_t n = 0;

    for (size_t i = 0; i < o->n_blocks; i++) {
        struct cy_origin_block *b = &o->blocks[i];
        const struct cy_block *block = &code->data->blocks[b->block];
        struct flow last;

        if (cy_code_last(code, block, &last, NULL) != 0 ||
            (n += block->n_insns) > MOST_INSNS)
            return false;
        o->is_tangled |= is_end_tangled(code, block, &last);
        b->next[0] = last.falls_through || !last.is_known
                         ? block_at(code, block->end)
                         : CY_NO_BLOCK;
        b->next[1] = last.taken != FLOW_NOWHERE ? block_at(code, last.taken)
                                                : CY_NO_BLOCK;
    }
    return true;
}

/* A block of the function, with its instructions. */
static struct cy_origin_block *read_block(struct cy_code *code, uint32_t number)
{
    struct cy_origin_block *b = &code->origins.blocks[number];
    size_t room = 0;

    assert(number < code->origins.n_blocks);
    if (b->insns == NULL)
        cy_code_block(code, &code->data->blocks[b->block], &b->insns, &b->n,
                      &room, NULL); /* read_ends() could read it */
    assert(b->n > 0);
    return b;
}

static bool take_function(struct cy_code *code, uint32_t object,
                          const char *function)
{
    struct cy_origins *o = &code->origins;
    const struct cy_block *blocks = code->data->blocks;
    size_t n = length_of(function), first;

    if (o->function == function && o->object == object)
        return o->n_blocks > 0;
    leave(o);
    if (o->named == NULL)
        index_names(o, code->data);
    uint64_t name = hash_of(object, function);
    o->function = function;
    o->object = object;
    o->entry = CY_NO_BLOCK;
    first = array_bisect(0, o->n_named, i, o->named[i].name < name);
    for (size_t i = first; i < o->n_named && o->named[i].name == name; i++) {
        const struct cy_block *b = &blocks[o->named[i].block];

        if (b->object != object || !is_of(b, function))
            continue;
        if (o->entry == CY_NO_BLOCK && b->function[n] == '\0')
            o->entry = (uint32_t)o->n_blocks;
        array_append(o, blocks,
                     (struct cy_origin_block){.block = o->named[i].block});
    }
    assert(o->n_blocks > 0 &&
           (o->entry == CY_NO_BLOCK || o->entry < o->n_blocks));
    if (o->n_blocks <= MOST_BLOCKS && read_ends(code))
        return true;
    leave(o);
    o->function = function;
    o->object = object;
    return false;
}

bool cy_origins_find(struct cy_code *code, uint32_t object, uint64_t address,
                     struct cy_point *point)
{
    uint32_t number = cy_data_block(code->data, object, address);

    if (number == CY_NO_BLOCK || code->data->blocks[number].function == NULL ||
        !take_function(code, object, code->data->blocks[number].function))
        return false;
    point->block = block_at(code, address);
    if (point->block == CY_NO_BLOCK)
        return false;
    const struct cy_origin_block *b = read_block(code, point->block);
    for (point->insn = 0; point->insn < b->n; point->insn++)
        if (b->insns[point->insn].address == address)
            return true;
    return false;
}

const struct cy_code_insn *cy_origins_insn(struct cy_code *code,
                                           struct cy_point point)
{
    const struct cy_origin_block *b = read_block(code, point.block);

    assert(point.insn < b->n);
    return &b->insns[point.insn];
}

/* --- The search --- */

/* A point that the search has reached, before an instruction; `moved` is the
   sum of the additions that the search has passed. */
struct place {
    struct cy_point at;
    int64_t moved;
};

struct search {
    struct cy_code *code;
    unsigned word;
    struct place *places;
    size_t n_places, places_room;
    struct cy_origin *origin;
    bool is_found;
    struct place steps[MOST_STEPS]; /* additions, with what they add */
    unsigned n_steps;
    uint64_t apart; /* paths to one place differ by multiples of this */
};

static uint64_t absolute(int64_t number)
{
    return number < 0 ? -(uint64_t)number : (uint64_t)number;
}

/* Takes the difference of `moved` between two paths to one place into
   account. */
static void note_apart(struct search *s, int64_t a, int64_t b)
{
    s->apart =
        num_gcd(s->apart, absolute((int64_t)((uint64_t)a - (uint64_t)b)));
}

/* The index of the last write to the register; -1 if there is none. */
static int write_of(const struct flow *flow, unsigned word)
{
    int last = -1;

    for (unsigned i = 0; i < flow->n_puts; i++)
        if (flow->puts[i].word == word)
            last = (int)i;
    return last;
}

static bool is_same(struct cy_point a, struct cy_point b)
{
    return a.block == b.block && a.insn == b.insn;
}

/* Takes a value that the register may have; false if an earlier one differs. */
static bool take_value(struct search *s, const struct place *from,
                       bool is_entry, unsigned put)
{
    struct cy_origin *o = s->origin;

    if (!s->is_found) {
        *o = (struct cy_origin){is_entry, from->at, put, from->moved, 0};
        s->is_found = true;
        return true;
    }
    note_apart(s, o->moved, from->moved);
    return o->is_entry == is_entry && is_same(o->made, from->at);
}

/* Takes an addition.  Returns false if there are too many. */
static bool take_step(struct search *s, struct place *from, int64_t step)
{
    unsigned i = 0;

    if (__builtin_add_overflow(from->moved, step, &from->moved))
        return false;
    while (i < s->n_steps && !is_same(s->steps[i].at, from->at))
        i++;
    if (i == MOST_STEPS)
        return false;
    if (i == s->n_steps)
        s->steps[s->n_steps++] = (struct place){from->at, step};
    return true;
}

/* May a call, or an unknown instruction, write the register? */
static bool may_write(const struct search *s, const struct cy_code_insn *insn)
{
    if (insn->flow.leave != FLOW_CALL)
        return !insn->flow.is_known || insn->flow.is_cut;
    struct flow_sources overwritten =
        cy_code_overwritten(s->code, s->code->origins.object, insn);
    return flow_sources_has(&overwritten, s->word);
}

/* Searches back through a block.  *is_at_start: is its start reached? */
static bool go_back(struct search *s, struct place *from, bool *is_at_start)
{
    const struct cy_origin_block *b = read_block(s->code, from->at.block);

    *is_at_start = false;
    while (from->at.insn > 0) {
        const struct cy_code_insn *insn = &b->insns[--from->at.insn];
        int put = write_of(&insn->flow, s->word);

        if (may_write(s, insn))
            return false;
        /* A call restores the stack pointer. */
        if (put < 0 || insn->flow.leave == FLOW_CALL)
            continue;
        const struct flow_sum *sum = &insn->flow.puts[put].sum;
        if (!sum->is_known || sum->n != 1 || sum->words[0] != s->word ||
            sum->factors[0] != 1) /* not an addition to the register */
            return take_value(s, from, false, (unsigned)put);
        if (!take_step(s, from, (int64_t)sum->constant))
            return false;
    }
    *is_at_start = true;
    return true;
}

/* Adds the ends of the predecessors of a block.  The caller counts as a
   predecessor of the function's entry. */
static bool add_before(struct search *s, const struct place *from)
{
    struct cy_origins *o = &s->code->origins;
    bool has_any = false;

    if (from->at.block == o->entry) {
        has_any = true;
        if (!take_value(s, from, true, 0))
            return false;
    }
    for (uint32_t i = 0; i < o->n_blocks; i++) {
        struct cy_origin_block *b = &o->blocks[i];

        if (b->next[0] != from->at.block && b->next[1] != from->at.block)
            continue;
        has_any = true;
        if (b->visit == o->visit) {
            note_apart(s, b->moved, from->moved);
            continue;
        }
        b->visit = o->visit;
        b->moved = from->moved;
        array_append(
            s, places,
            (struct place){{i, read_block(s->code, i)->n}, from->moved});
    }
    return has_any;
}

static bool search(struct search *s, struct cy_point point)
{
    s->code->origins.visit++;
    s->n_places = 0;
    array_append(s, places, (struct place){point, 0});
    for (size_t i = 0; i < s->n_places; i++) {
        struct place from = s->places[i];
        bool is_at_start;

        if (!go_back(s, &from, &is_at_start))
            return false;
        if (is_at_start &&
            (s->code->origins.is_tangled || !add_before(s, &from)))
            return false;
    }
    return s->is_found;
}

/* Is an addition repeated before the register gets a new value? */
static bool is_repeated(struct search *s, struct cy_point step)
{
    struct cy_origin ignored;
    struct search again = {
        .code = s->code, .word = s->word, .origin = &ignored};
    bool is_repeated = false;

    search(&again, step);
    for (unsigned i = 0; i < again.n_steps; i++)
        is_repeated |= is_same(again.steps[i].at, step);
    free(again.places);
    return is_repeated;
}

bool cy_origin_of(struct cy_code *code, struct cy_point point, unsigned word,
                  struct cy_origin *origin)
{
    struct search s = {.code = code, .word = word, .origin = origin};
    bool is_found = search(&s, point);

    for (unsigned i = 0; i < s.n_steps && is_found; i++)
        if (is_repeated(&s, s.steps[i].at))
            origin->stride =
                num_gcd(origin->stride, absolute(s.steps[i].moved));
    free(s.places);
    return is_found &&
           (origin->stride > 0 ? s.apart % origin->stride : s.apart) == 0;
}
