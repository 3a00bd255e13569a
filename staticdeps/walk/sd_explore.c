/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/sd_explore.h"

#include "walk/sd_walk.h"

#define BLOCKS 16 /* a function may have one more walk for this many blocks */
#define VISITS (1u << 18) /* visits that any function may have */

/* The walks of a function end when this many in a row show no news. */
#define MOST_IN_VAIN 2
#define NEWS         50 /* news: more than one in NEWS pairs is new, */
#define MANY         4  /* or more than MANY pairs are new */

unsigned sd_rule_parse(const char *name)
{
    static const char *const names[] = {
        /* in the order of the bits of enum sd_rule */
        "decided", "identity", "once",   "forward", "steer", "out",
        "returns", "contents", "middle", "enter",   "again", "library",
        "index",   "flow",     "tables", "whole"};

    static_assert(SD_ALL_RULES + 1 == 1 << (sizeof names / sizeof names[0]),
                  "each rule has a name");
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return 1u << i;
    return 0;
}

struct sd_effort sd_effort_of(unsigned level)
{
    struct sd_effort effort = {.rules = SD_ALL_RULES,
                               .walks = 4 * level,
                               .depth = 2 + level / 2,
                               .fuel = 3000 * level,
                               .enough = (level + 3) / 5,
                               .middle_fuel = 500 * level,
                               .most_visits = 48 * level,
                               .most_insns = 256 * level * level};

    assert(level >= 1 && level <= 9);
    return effort;
}

static void walker_init(struct sd_walker *w, const struct sd_program *program,
                        unsigned rules, unsigned depth, bool is_narrow)
{
    enum arch arch = program->image->arch;

    *w = (struct sd_walker){.program = program,
                            .rules = rules,
                            .depth = rules & SD_RULE_ENTER ? depth : 0,
                            .is_narrow = is_narrow,
                            .abi = guest_abi(arch),
                            .initial = guest_of(arch)->initial};
    assert(w->depth <= SD_MOST_FRAMES);
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        if (sd_regset_has(&w->abi.caller_saved, i))
            w->clobbered[w->n_clobbered++] = (uint16_t)i;
    sd_chunks_init(&w->chunks, program);
    w->memory.contents = rules & SD_RULE_CONTENTS ? program->contents : NULL;
    w->memory.draws = true;
    sd_access_notes_init(&w->notes, program->blocks->n_insns);
    sd_rounds_init(&w->rounds, &program->cfg->loops, program->cfg->nodes,
                   program->n_blocks);
    sd_vectors_init(&w->vectors, &w->rounds);
    sd_ifuncs_init(&w->ifuncs, &w->chunks);
    w->visits.places =
        memory_new(program->n_blocks + 1, sizeof *w->visits.places);
}

/* Notes that the walk visits a block. */
static void note_visit(struct sd_walker *w, uint32_t block)
{
    struct sd_visit_log *v = &w->visits;
    uint16_t now = v->n_run < UINT16_MAX ? (uint16_t)v->n_run : UINT16_MAX;
    uint32_t at = v->places[block];

    v->n_run++;
    if (at < v->n && v->list[at].number == block) {
        assert(v->list[at].first <= v->list[at].last &&
               v->list[at].last <= now);
        v->list[at].last = now;
        return;
    }
    v->places[block] = (uint32_t)v->n;
    array_push(v->list, v->n, v->room, (struct sd_visit){block, now, now});
}

/* Runs a chunk, and notes what the walk shows there. */
static void run(struct sd_walker *w, struct sd_chunk *c)
{
    struct sd_chunk_walks *walks = c->walks;
    uint32_t frame = sd_walk_frame(w);
    bool is_new = walks->root != w->root;

    assert(c->block < w->program->n_blocks && walks->walk <= w->walk);
    if (walks->walk != w->walk) {
        walks->walk = w->walk;
        walks->visits = 0;
        walks->left = UINT64_MAX;
    }
    note_visit(w, c->block);
    if (is_new) {
        walks->root = w->root;
        walks->taken[0] = walks->taken[1] = 0;
    }
    walks->visits++;
    if (c->is_header)
        sd_rounds_note_entry(&w->rounds, frame, c->block, w->path.block,
                             sd_walk_now(w));
    if (c->is_header || !sd_rounds_are_in(&w->rounds, frame, c->loop))
        sd_rounds_arrive(&w->rounds, frame, c->block, c->is_header);
    w->path.block = c->block;
    sd_walk_step(w, c);
    if (is_new)
        sd_access_notes_accesses(&w->notes, c);
    w->clock.time += c->n_insns;
}

/* Fills the registers as at the entry of a function. */
static void begin(struct sd_walker *w)
{
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        w->registers[i] = sd_walker_draw(w, 64);
    for (const struct sd_initial *r = w->initial; r->offset != UINT_MAX; r++)
        w->registers[r->offset / 8] =
            (struct sd_value){r->value.bits, r->value.bottom};
    w->registers[w->abi.stack_pointer] = sd_known(SD_WALK_STACK);
}

/* Walks from an address until the function returns, or `fuel` instructions are
   walked, or nothing leads on.  `key` decides all that is random.  Adds the
   pairs to w->pairs. */
static void walk_from(struct sd_walker *w, uint64_t address, uint64_t key,
                      uint64_t fuel, bool is_again)
{
    struct sd_chunk *c = sd_walk_at(w, address);

    w->walk++;
    w->choices.key = key;
    w->choices.n = w->clock.time = w->clock.skipped = 0;
    w->path.n_frames = w->path.serial = w->loads.n = 0;
    w->stores.n = w->visits.n = w->visits.n_run = 0;
    w->clock.fuel = fuel;
    w->path.block = UINT32_MAX;
    w->entry = address;
    w->is_again = is_again && w->rules & SD_RULE_AGAIN;
    memset(w->loads.list, 0, sizeof w->loads.list);
    sd_rounds_begin(&w->rounds, w->walk);
    sd_memory_clear(&w->memory, sd_walker_random(w));
    begin(w);
    for (unsigned i = 0; i < w->abi.n_arguments; i++)
        w->path.frames[SD_MOST_FRAMES].saved[i] =
            w->registers[w->abi.arguments[i]];
    while (c != NULL && w->clock.time < fuel) {
        run(w, c);
        if (w->path.n_frames > 0 &&
            w->clock.time > sd_walk_last_frame(w)->deadline)
            c = sd_walk_cut_short(w);
        else
            c = sd_walk_next(w, c);
        if (c == NULL)
            c = sd_walk_give_up(w);
    }
    sd_rounds_leave_all(&w->rounds);
    sd_vectors_end_walk(&w->vectors);
    assert(w->rounds.now == SD_NO_ROUND && w->vectors.n_touched == 0);
    assert(w->n_own <= w->pairs.n);
    w->n_insns += w->clock.time;
}

/* --- Which walks a function gets --- */

void sd_explorer_init(struct sd_explorer *e, const struct sd_program *program,
                      const struct sd_effort *effort, uint64_t seed)
{
    *e = (struct sd_explorer){
        .program = program, .effort = *effort, .seed = seed};
    e->walker = memory_new(1, sizeof *e->walker);
    e->chunks = &e->walker->chunks;
    walker_init(e->walker, program, effort->rules, effort->depth,
                effort->is_narrow);
    e->n_visits = memory_new(program->n_blocks + 1, sizeof *e->n_visits);
}

void sd_explorer_fini(struct sd_explorer *e)
{
    AUTO_FREE struct sd_walker *w = e->walker;

    sd_ifuncs_fini(&w->ifuncs);
    sd_chunks_fini(&w->chunks);
    sd_memory_fini(&w->memory);
    sd_pairs_fini(&w->pairs);
    sd_access_notes_fini(&w->notes);
    sd_rounds_fini(&w->rounds);
    sd_vectors_fini(&w->vectors);
    free(w->stores.list);
    free(w->visits.list);
    free(w->visits.places);
    free(e->n_visits);
    free(e->walks);
}

static void walk(struct sd_explorer *e, uint64_t address, uint64_t key,
                 uint32_t fuel, bool is_again)
{
    struct sd_walker *w = e->walker;

    walk_from(w, address, sd_random(key, e->n_walks), fuel, is_again);
    e->walks = memory_grow(e->walks, &e->walks_room,
                           e->walks_size + w->visits.n, sizeof *e->walks);
    struct sd_visit *list = e->walks + e->walks_size;
    assert(w->visits.n <= e->program->n_blocks);
    list[0] = (struct sd_visit){.number = (uint32_t)w->visits.n};
    for (size_t i = 0; i < w->visits.n; i++) {
        list[1 + i] = w->visits.list[i];
        e->n_visits[w->visits.list[i].number]++;
    }
    e->walks_size += 1 + w->visits.n;
    e->n_walks++;
}

/* May there be more walks?  In a function of n blocks, each of n / BLOCKS walks
   may visit thousands of blocks, and memory is limited. */
static bool has_room(const struct sd_explorer *e,
                     const struct sd_routine *routine)
{
    return e->walks_size <
           VISITS + (size_t)e->effort.most_visits / 4 * routine->n;
}

/* Walks from the blocks that few walks visited. */
static void walk_from_blocks(struct sd_explorer *e,
                             const struct sd_routine *part, uint64_t key)
{
    const struct sd_program *p = e->program;

    e->walker->is_in_middle = true;
    for (uint32_t i = part->first;
         i < part->first + part->n && has_room(e, part); i++) {
        const struct sd_block *block = &p->blocks->blocks[i];

        if (block->status != SD_OK || p->cfg->nodes[i].n_insns == 0)
            continue;
        for (unsigned k = 0;
             k < e->effort.enough && e->n_visits[i] < e->effort.enough; k++) {
            size_t begin = e->walks_size;

            walk(e, block->address, key, e->effort.middle_fuel, false);
            /* A walk that begins here does not know which pointers are equal,
               so a pair that it does not show is not unlikely: the order of its
               visits is forgotten. */
            for (size_t v = begin + 1; v < e->walks_size; v++)
                e->walks[v].first = e->walks[v].last = UINT16_MAX;
        }
    }
    e->walker->is_in_middle = false;
}

/* The number of successors of a block that a walk can choose, minus one. */
static uint32_t n_choices(const struct sd_node *node)
{
    const struct sd_node *next = node->next[0];

    if (node->calls || next == NULL)
        return 0;
    return next->n_more > 0 ? next->n_more - 1 : node->next[1] != NULL;
}

/* The number of walks that a function gets even if they show nothing new.
   Loops need many walks, since the numbers of rounds differ; other code needs
   one walk for each choice of successors. */
static unsigned least_walks(const struct sd_explorer *e,
                            const struct sd_routine *routine)
{
    const struct sd_node *nodes = e->program->cfg->nodes;
    unsigned most = e->effort.walks * 3 / 8;
    uint32_t n = e->effort.walks / 8;

    for (uint32_t i = routine->first;
         i < routine->first + routine->n && n < most; i++)
        n += nodes[i].is_header ? most : n_choices(&nodes[i]);
    return n < most ? n : most;
}

/* Walks from the entry as long as walks find something new: large functions
   need more walks. */
static void walk_from_entry(struct sd_explorer *e,
                            const struct sd_routine *routine, uint64_t key)
{
    const struct sd_walker *w = e->walker;
    unsigned least = least_walks(e, routine), in_vain = 0;
    unsigned most = e->effort.walks + routine->n / BLOCKS;
    size_t n_pairs = 0, n;

    for (unsigned i = 0; i < most && has_room(e, routine); i++) {
        if (i >= least && in_vain >= MOST_IN_VAIN)
            break;
        walk(e, routine->start, key, e->effort.fuel, i % 2 == 1);
        /* If only pairs within one function are wanted, pairs of callees come
           from other walks, which begin in the callees. */
        n = w->is_narrow ? w->n_own : w->pairs.n;
        assert(n >= n_pairs);
        in_vain++;
        if (n - n_pairs > MANY || n - n_pairs > n_pairs / NEWS)
            in_vain = 0;
        n_pairs = n;
    }
}

void sd_explore(struct sd_explorer *e, uint32_t number)
{
    const struct sd_program *p = e->program;
    const struct sd_routine *routine = &p->routines[number];
    uint64_t key = sd_random(e->seed, routine->start);
    struct sd_walker *w = e->walker;
    uint64_t before = w->n_insns;

    assert(number < p->n_routines);
    /* The walks of the last function are forgotten. */
    for (size_t i = 0; i < e->walks_size; i += 1 + e->walks[i].number)
        for (uint32_t k = 1; k <= e->walks[i].number; k++)
            e->n_visits[e->walks[i + k].number] = 0;
    e->walks_size = 0;
    e->n_walks = 0;
    sd_chunks_trim(e->chunks);
    w->root++;
    w->routine = routine->whole;
    w->n_own = 0;
    sd_pairs_clear(&w->pairs);
    sd_vectors_clear(&w->vectors);
    sd_access_notes_clear(&w->notes);
    if (routine->whole == number)
        walk_from_entry(e, routine, key);
    if (e->effort.rules & SD_RULE_MIDDLE)
        walk_from_blocks(e, routine, key);
    e->pairs = sd_pairs_list(&w->pairs);
    e->n_pairs = w->pairs.n;
    e->vectors = sd_vectors_list(&w->vectors, &e->n_vectors);
    e->notes = w->notes.list;
    e->n_notes = w->notes.n;
    e->n_insns = w->n_insns - before;
}
