/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "window/ds_lead.h"

#include "count/ds_clock.h"
#include "count/ds_shadow.h"

#define NONE (~(UInt)0)

/* --- What superblocks execute --- */

struct branch {
    UInt n_before; /* instructions of the superblock before it */
    UInt place;
    Addr next;          /* run-time address of the instruction after it */
    Bool is_indirect;   /* always the superblock's last instruction */
    Bool goes_on_taken; /* if the superblock goes on, the branch was taken */
};

struct place;
struct superblock {
    struct ds_lead_start start;
    UInt n_insns, n_branches;
    struct branch *branches;
    struct place *target; /* of indirect branches to it; NULL: none yet */
};

struct ds_lead *ds_lead;

/* By number.  Number 0 is what ran after what is being encoded. */
static struct superblock *superblocks;
static SizeT n_superblocks = 1, superblocks_room;

/* The branches of the superblock that is being described. */
#define MOST 256 /* instructions; VEX translates 100 at a time */
static struct branch branches[MOST];
static struct ds_lead_start start;
static UInt n_insns, n_branches;

/* Its last instruction. */
static struct {
    UInt object;
    Addr bias, address, next;
    Addr exit; /* where its only exit leads */
    UInt n_exits;
} last;

/* A place has a number for the whole run. */
struct place {
    struct ds_key key; /* object, address in its file, kind */
    UInt number;
    UInt lead;    /* what follows holds for the lead with this number */
    UInt next[2]; /* the branch after it, by its way; of a target, both alike */
    UInt target;  /* of an indirect branch: the last place it went to */
};
static struct ds_table table;
static struct place **places; /* by number */
static SizeT n_places, places_room;
static UInt n_leads;

void ds_lead_init(void)
{
    tl_assert(ds_lead == NULL);
    ds_lead = ds_arena_new(sizeof *ds_lead);
}

static struct place *place_of(UInt object, Addr address,
                              enum ds_place_kind kind)
{
    SizeT n = n_places;
    struct place *p = ds_table_obtain(
        &table, (struct ds_key){{object, address, kind}}, sizeof *p);

    if (p->lead != 0)
        return p;
    places = ds_memory_grow(places, &places_room, n, sizeof *places);
    places[n_places++] = p;
    p->number = (UInt)n;
    p->lead = NONE;
    return p;
}

UInt ds_lead_begin(void)
{
    n_insns = n_branches = 0;
    last.n_exits = 0;
    return (UInt)n_superblocks;
}

static void add_branch(Bool is_indirect, Bool goes_on_taken)
{
    enum ds_place_kind kind =
        is_indirect ? DS_PLACE_INDIRECT : DS_PLACE_CONDITIONAL;

    tl_assert(n_insns > 0 && n_branches < MOST);
    branches[n_branches++] = (struct branch){
        .n_before = n_insns - 1,
        .place = place_of(last.object, last.address - last.bias, kind)->number,
        .next = last.next,
        .is_indirect = is_indirect,
        .goes_on_taken = goes_on_taken};
}

/* The instruction described last goes on at `to`, unless it exits.  It is a
   conditional branch if one of both ways leads to the instruction after it, and
   the other one elsewhere: a string instruction leads to itself. */
static void go_on(Addr to)
{
    Bool exits_to_next = last.exit == last.next;
    Addr other = exits_to_next ? to : last.exit;

    if (last.n_exits == 1 && (exits_to_next || to == last.next) &&
        other != last.next && other != last.address)
        add_branch(False, exits_to_next);
    last.n_exits = 0;
}

void ds_lead_instruction(UInt object, Addr bias, Addr address, UInt size)
{
    if (n_insns > 0)
        go_on(address);
    else
        start = (struct ds_lead_start){address, object, address - bias};
    tl_assert(n_insns < MOST);
    n_insns++;
    last.object = object;
    last.bias = bias;
    last.address = address;
    last.next = address + size;
}

void ds_lead_exit(Addr to)
{
    last.exit = to;
    last.n_exits++;
}

void ds_lead_end(Addr next)
{
    tl_assert(n_insns > 0);
    if (next != 0)
        go_on(next);
    else if (last.n_exits == 0)
        add_branch(True, False);
    superblocks = ds_memory_grow(superblocks, &superblocks_room, n_superblocks,
                                 sizeof *superblocks);
    struct superblock *s = &superblocks[n_superblocks++];
    *s = (struct superblock){
        .start = start, .n_insns = n_insns, .n_branches = n_branches};
    s->branches = VG_(malloc)("ds.lead", n_branches * sizeof *branches + 1);
    VG_(memcpy)(s->branches, branches, n_branches * sizeof *branches);
}

/* --- What was executed --- */

static ULong first; /* the first element of the ring that counts */

void ds_lead_forget(void)
{
    if (ds_lead != NULL)
        first = ds_lead->n;
}

/* An execution of a superblock. */
struct execution {
    const struct superblock *superblock;
    UInt n;                /* instructions */
    struct superblock *to; /* what ran next */
};

/* The execution of an element, and of the one after it. */
static inline struct execution execution_of(const ULong *noted)
{
    tl_assert((UInt)noted[0] < n_superblocks);
    return (struct execution){&superblocks[(UInt)noted[0]],
                              (UInt)(noted[1] >> 32) - (UInt)(noted[0] >> 32),
                              &superblocks[(UInt)noted[1]]};
}

void ds_lead_take(struct ds_noted *to, struct ds_lead_start next, ULong time)
{
    ULong end = ds_lead->n;
    ULong from = end > first + DS_LEAD ? end - DS_LEAD : first;

    if (to->ring == NULL)
        to->ring = ds_memory_new((DS_LEAD + 1) * sizeof *to->ring);
    to->next = next;
    to->n = end - from;
    for (SizeT i = 0; i < to->n; i++)
        to->ring[i] = ds_lead->ring[(from + i) % DS_LEAD];
    to->ring[to->n] = time << 32;
}

/* The first execution after which only noted superblocks ran. */
static SizeT first_of(const struct ds_noted *noted)
{
    SizeT i = noted->n;

    for (; i > 0; i--) {
        struct execution e = execution_of(&noted->ring[i - 1]);

        if (e.n > e.superblock->n_insns)
            break;
    }
    return i;
}

/* --- The form of the database --- */

struct coding {
    struct ds_bytes branches, targets, ways;
    struct ds_sequence next, to;
    ULong n;       /* branches so far */
    ULong n_ways;  /* conditional ones */
    UInt expected; /* the next place; NONE: any */
};

/* The place, of which nothing is known if this lead did not meet it. */
static struct place *met(struct place *p)
{
    if (p->lead != n_leads) {
        p->lead = n_leads;
        p->next[0] = p->next[1] = p->target = NONE;
    }
    return p;
}

static void code(struct ds_sequence *s, UInt expected, UInt value)
{
    if (value == expected)
        ds_sequence_right(s);
    else
        ds_sequence_wrong(s, value);
}

static void code_way(struct coding *c, Bool is_taken)
{
    if (c->n_ways % 8 == 0)
        ds_bytes_put_byte(&c->ways, 0);
    c->ways.bytes[c->n_ways / 8] |= (UChar)(is_taken << c->n_ways % 8);
    c->n_ways++;
}

/* Codes an executed branch after the one before, where *follows is known. */
static void code_branch(struct coding *c, UInt **follows,
                        const struct branch *b, Bool is_taken,
                        struct superblock *to)
{
    struct place *p = met(places[b->place]);

    code(&c->next, **follows, b->place);
    **follows = b->place;
    c->n++;
    if (b->is_indirect) {
        if (to->target == NULL)
            to->target =
                place_of(to->start.object, to->start.in_file, DS_PLACE_TARGET);
        code(&c->to, p->target, to->target->number);
        p->target = to->target->number;
        *follows = &met(to->target)->next[0];
    } else {
        code_way(c, is_taken);
        *follows = &p->next[is_taken];
    }
}

struct ds_bytes ds_lead_encode(const struct ds_noted *noted)
{
    UInt before = NONE, *follows = &before;
    struct coding c = {.n = 0};
    struct ds_bytes lead = {0};

    n_leads++;
    c.next.to = &c.branches;
    c.to.to = &c.targets;
    if (noted->n > 0)
        superblocks[0] = (struct superblock){.start = noted->next};
    for (SizeT i = first_of(noted); i < noted->n; i++) {
        struct execution e = execution_of(&noted->ring[i]);

        for (UInt j = 0; j < e.superblock->n_branches; j++) {
            const struct branch *b = &e.superblock->branches[j];

            if (b->n_before < e.n)
                code_branch(&c, &follows, b,
                            b->n_before + 1 == e.n
                                ? e.to->start.address != b->next
                                : b->goes_on_taken,
                            e.to);
        }
    }
    ds_sequence_end(&c.next);
    ds_sequence_end(&c.to);
    if (c.n > 0) {
        ds_bytes_put(&lead, c.n);
        ds_bytes_put(&lead, c.branches.n);
        ds_bytes_append(&lead, &c.branches);
        ds_bytes_put(&lead, c.targets.n);
        ds_bytes_append(&lead, &c.targets);
        ds_bytes_append(&lead, &c.ways);
    }
    return lead;
}

UInt ds_places_number(void)
{
    return (UInt)n_places;
}

struct ds_place ds_places_get(UInt i)
{
    tl_assert(i < n_places);
    return (struct ds_place){(UInt)places[i]->key.word[0],
                             places[i]->key.word[1],
                             (enum ds_place_kind)places[i]->key.word[2]};
}
