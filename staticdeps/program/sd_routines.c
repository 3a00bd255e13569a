/* sd_routines: where the routines of a program begin and end, which of them are
   parts of others, and which never return. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/sd_program.h"

static int compare(const void *x, const void *y)
{
    const struct sd_routine *a = x, *b = y;

    return array_order(a->first, b->first) /* here the section's number */
               ?: array_order(a->start, b->start)
                      ?: array_order(a->n, b->n); /* here the symbol's number */
}

/* Finds where routines begin, sorts them, and keeps one at each address. */
static void find_starts(struct sd_program *p)
{
    const struct sd_image *image = p->image;
    uint32_t n = 0;
    size_t n_referred = 0;

    for (size_t b = 0; b < p->n_blocks; b++)
        n_referred += p->blocks->blocks[b].is_referred;
    p->routines =
        memory_new(image->n_symbols + image->n_starts + n_referred + 1,
                   sizeof *p->routines);
    for (size_t i = 0; i < image->n_symbols; i++)
        if (image->symbols[i].is_function)
            p->routines[n++] = (struct sd_routine){
                .name = image->symbols[i].name,
                .start = image->symbols[i].address,
                .first = (uint32_t)image->symbols[i].section,
                .n = (uint32_t)i};
    for (size_t i = 0; i < image->n_starts; i++) {
        size_t section = sd_sections_find(&p->sections, image->starts[i]);

        if (section != SD_NO_SECTION)
            p->routines[n++] = (struct sd_routine){.start = image->starts[i],
                                                   .first = (uint32_t)section,
                                                   .n = UINT32_MAX};
    }
    for (size_t s = 0; s < image->n_sections; s++)
        for (size_t b = p->cfg->first[s]; b < p->cfg->first[s + 1]; b++)
            if (p->blocks->blocks[b].is_referred)
                p->routines[n++] =
                    (struct sd_routine){.start = p->blocks->blocks[b].address,
                                        .first = (uint32_t)s,
                                        .n = UINT32_MAX};
    assert(n <= image->n_symbols + image->n_starts + n_referred);
    array_sort(p->routines, n, compare);
    p->n_routines = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct sd_routine *last = &p->routines[p->n_routines];

        if (i > 0 && p->n_routines > 0 &&
            last[-1].start == p->routines[i].start &&
            last[-1].first == p->routines[i].first)
            continue;
        p->routines[p->n_routines++] = p->routines[i];
    }
}

/* Sets the routine of each block: the last routine in its section that begins
   at or before the block. */
static void find_blocks(struct sd_program *p)
{
    uint32_t next = 0;

    for (size_t s = 0; s < p->image->n_sections; s++) {
        uint32_t current = SD_NO_ROUTINE;

        while (next < p->n_routines && p->routines[next].first < s)
            next++;
        for (size_t b = p->cfg->first[s]; b < p->cfg->first[s + 1]; b++) {
            const struct sd_block *block = &p->blocks->blocks[b];

            while (next < p->n_routines && p->routines[next].first == s &&
                   p->routines[next].start <= block->address) {
                current = next++;
                p->routines[current].first = (uint32_t)b;
                p->routines[current].n = 0;
                p->routines[current].whole = current;
                /* Later routines still have section numbers in `first`. */
            }
            p->routine_of[b] = current;
            if (current == SD_NO_ROUTINE)
                continue;
            p->routines[current].n++;
            p->routines[current].end = block->address + block->size;
        }
    }
}

/* The routine that begins at the target of a block's last instruction, or
   SD_NO_ROUTINE. */
static uint32_t target_routine(const struct sd_program *p, size_t block)
{
    uint32_t target = p->target_of[block], routine;

    if (target == SD_NO_BLOCK)
        return SD_NO_ROUTINE;
    routine = p->routine_of[target];
    return routine != SD_NO_ROUTINE && p->routines[routine].start ==
                                           p->blocks->blocks[block].last.target
               ? routine
               : SD_NO_ROUTINE;
}

/* --- Which routines are parts of others --- */

#define MANY (UINT32_MAX - 1) /* several routines jump there */

/* How control reaches a routine's start. */
struct arrival {
    uint32_t jumper;     /* the only routine that jumps to the start, or MANY */
    bool is_conditional; /* a jump to the start is conditional */
    bool is_called;
};

static struct arrival *find_arrivals(const struct sd_program *p)
{
    struct arrival *arrivals = memory_new(p->n_routines + 1u, sizeof *arrivals);

    for (uint32_t i = 0; i < p->n_routines; i++)
        arrivals[i].jumper = SD_NO_ROUTINE;
    for (uint32_t i = 0; i < p->n_blocks; i++) {
        const struct sd_block *block = &p->blocks->blocks[i];
        uint32_t from = p->routine_of[i], to;

        if (!block->last.has_target || from == SD_NO_ROUTINE)
            continue;
        to = target_routine(p, i);
        if (to == SD_NO_ROUTINE || to == from)
            continue;
        struct arrival *a = &arrivals[to];
        if (block->last.is_call) {
            a->is_called = true;
            continue;
        }
        a->is_conditional |= !block->last.is_last;
        if (a->jumper != from)
            a->jumper = a->jumper == SD_NO_ROUTINE ? from : MANY;
    }
    return arrivals;
}

struct by_name {
    const char *name;
    uint32_t routine;
};

ARRAY_ORDER(compare_names, char *const, strcmp(*a, *b))

/* Longer names are ignored: many names may share millions of bytes. */
#define LONGEST_NAME 4096

static bool has_short_name(const struct sd_routine *r)
{
    return r->name != NULL &&
           strnlen(r->name, LONGEST_NAME + 1) <= LONGEST_NAME;
}

/* The routine whose name is that of a part up to `dot`, or SD_NO_ROUTINE. */
static uint32_t by_name(const struct by_name *names, size_t n, const char *name,
                        const char *dot)
{
    struct by_name key;
    char *whole = memory_text(name);

    whole[dot - name] = '\0';
    key.name = whole;
    struct by_name *found = bsearch(&key, names, n, sizeof key, compare_names);
    free(whole);
    return found != NULL ? found->routine : SD_NO_ROUTINE;
}

/* The function that a routine without a name is a part of, or SD_NO_ROUTINE. */
static uint32_t by_jump(const struct sd_program *p, uint32_t routine,
                        const struct arrival *a)
{
    const struct sd_image *image = p->image;

    if (a->is_called || a->jumper >= p->n_routines)
        return SD_NO_ROUTINE;
    const struct sd_routine *jumper = &p->routines[a->jumper];
    /* All stubs jump to the start of the linkage table, which is no part. */
    if (has_short_name(jumper) && strstr(jumper->name, "@plt") != NULL)
        return SD_NO_ROUTINE;
    bool has_frame = array_find(&p->routines[routine].start, image->parts,
                                image->n_parts, array_by_number) != NULL;
    return has_frame || a->is_conditional ? a->jumper : SD_NO_ROUTINE;
}

/* Makes each part of a part a part of the whole routine. */
static void shorten(struct sd_program *p)
{
    for (uint32_t i = 0; i < p->n_routines; i++) {
        uint32_t whole = p->routines[i].whole;

        for (unsigned k = 0; k < 8 && p->routines[whole].whole != whole; k++)
            whole = p->routines[whole].whole;
        if (p->routines[whole].whole != whole)
            p->routines[i].whole = i; /* parts in a circle: none is a part */
        else
            p->routines[i].whole = whole;
    }
}

/* Finds routines that are parts of others. */
static void join_parts(struct sd_program *p)
{
    AUTO_FREE struct by_name *names =
        memory_new(p->n_routines + 1u, sizeof *names);
    AUTO_FREE struct arrival *arrivals = find_arrivals(p);
    size_t n = 0;

    for (uint32_t i = 0; i < p->n_routines; i++)
        if (has_short_name(&p->routines[i]))
            names[n++] = (struct by_name){p->routines[i].name, i};
    array_sort(names, n, compare_names);
    for (uint32_t i = 0; i < p->n_routines; i++) {
        const char *name = p->routines[i].name, *dot;
        uint32_t whole = SD_NO_ROUTINE;

        dot = has_short_name(&p->routines[i]) ? strstr(name, ".cold") : NULL;
        if (dot != NULL) /* several functions may have that name */
            whole = arrivals[i].jumper < p->n_routines
                        ? arrivals[i].jumper
                        : by_name(names, n, name, dot);
        else if (name == NULL && p->routines[i].n > 0)
            whole = by_jump(p, i, &arrivals[i]);
        if (whole != SD_NO_ROUTINE)
            p->routines[i].whole = whole;
    }
    shorten(p);
}

/* --- Which blocks lead on --- */

/* May the target of a stub return? */
static bool target_returns(const struct sd_program *p, uint64_t target)
{
    const struct sd_model *m = sd_program_model(p, target);
    uint32_t routine = sd_program_routine(p, target);

    if (m != NULL)
        return !m->never;
    return routine == SD_NO_ROUTINE || sd_program_returns(p, routine);
}

/* May the function return that a block with a target calls? */
static bool callee_returns(const struct sd_program *p, size_t block)
{
    uint64_t callee = p->blocks->blocks[block].last.target;
    uint32_t routine = target_routine(p, block);

    return routine == SD_NO_ROUTINE
               ? target_returns(p, sd_program_slot(p, callee))
               : sd_program_returns(p, routine);
}

/* The block where exceptions from the call at a block's end land. */
static uint32_t landing_of(const struct sd_program *p,
                           const struct sd_block *block)
{
    uint64_t pad = sd_program_landing(p, block->address + block->size - 1);

    return pad != 0 ? sd_program_block(p, pad) : SD_NO_BLOCK;
}

/* The target of an entry of the procedure linkage table: a routine's address,
   or the mark of a function in the table of libraries; 0: none. */
static uint64_t slot_of(const struct sd_program *p,
                        const struct sd_block *block)
{
    return block->last.is_indirect ? sd_program_slot(p, block->address) : 0;
}

/* Does a node lead on, as far as is known up to now? */
static bool node_leads_on(const struct sd_program *p,
                          const struct sd_node *node)
{
    if (node->number >= p->n_blocks) { /* a hub of indirect jumps */
        for (uint32_t i = 0; i < node->n_more; i++)
            if (p->leads_on[node->more[i]->number])
                return true;
        return false;
    }
    const struct sd_block *block = &p->blocks->blocks[node->number];
    uint32_t routine = p->routine_of[node->number];
    if (node->n_insns == 0 || (routine != SD_NO_ROUTINE &&
                               p->routines[routine].first == node->number &&
                               sd_program_is_final(p, routine)))
        return false;
    if (slot_of(p, block) != 0)
        return target_returns(p, slot_of(p, block));
    uint32_t landing = node->calls ? landing_of(p, block) : SD_NO_BLOCK;
    if (landing != SD_NO_BLOCK && p->leads_on[landing])
        return true;
    if (node->returns || block->last.is_indirect) /* the block may return */
        return true;
    for (uint32_t i = 0; i < sd_node_n_next(node); i++) {
        const struct sd_node *next = sd_node_next(node, i);

        if (next != NULL && p->leads_on[next->number] &&
            (!node->calls || !block->last.has_target ||
             callee_returns(p, node->number)))
            return true;
    }
    return false;
}

/* For each node, the list of nodes that may lead on if this node does. */
struct dependents {
    uint32_t *first; /* by node: the first element of its list, plus 1 */
    struct dependent {
        uint32_t node, next; /* the next element, plus 1; 0: none */
    } * list;
    size_t n_list, list_room;
};

static void add_dependent(struct dependents *d, size_t node, uint32_t dependent)
{
    array_append(d, list, (struct dependent){dependent, d->first[node]});
    assert(d->n_list <= UINT32_MAX);
    d->first[node] = (uint32_t)d->n_list;
}

/* A node that is known to lead on depends on no other node. */
static void find_dependents(struct dependents *d, const struct sd_program *p)
{
    for (uint32_t i = 0; i < p->cfg->n_nodes; i++) {
        const struct sd_node *node = &p->cfg->nodes[i];
        uint32_t callee = SD_NO_BLOCK, landing = SD_NO_BLOCK, routine;

        if (p->leads_on[i])
            continue;
        for (uint32_t k = 0; k < sd_node_n_next(node); k++)
            if (sd_node_next(node, k) != NULL)
                add_dependent(d, sd_node_next(node, k)->number, i);
        if (i >= p->n_blocks) /* a hub */
            continue;
        const struct sd_block *block = &p->blocks->blocks[i];
        if (node->calls)
            callee = p->target_of[i];
        if (callee != SD_NO_BLOCK)
            add_dependent(d, callee, i);
        if (node->calls)
            landing = landing_of(p, block);
        if (landing != SD_NO_BLOCK)
            add_dependent(d, landing, i);
        routine = sd_program_routine(p, slot_of(p, block));
        if (routine != SD_NO_ROUTINE && p->routines[routine].n > 0)
            add_dependent(d, p->routines[routine].first, i);
    }
}

/* Looks at each node twice, and again when a node that it depends on turns out
   to lead on; so the time is proportional to the number of edges.  Mostly, what
   a node depends on lies behind it, so the first look begins at the end. */
static void find_ends(struct sd_program *p)
{
    size_t n = p->cfg->n_nodes, n_todo = 0;
    struct dependents d = {.first = memory_new(n + 1, sizeof *d.first)};
    AUTO_FREE uint32_t *todo = memory_new(n + 1, sizeof *todo);

    p->leads_on = memory_new(n, 1);
    for (size_t i = n; i-- > 0;)
        p->leads_on[i] = node_leads_on(p, &p->cfg->nodes[i]);
    find_dependents(&d, p);
    for (uint32_t i = 0; i < n; i++)
        if (!p->leads_on[i] && node_leads_on(p, &p->cfg->nodes[i])) {
            p->leads_on[i] = true;
            todo[n_todo++] = i;
        }
    while (n_todo > 0) {
        uint32_t done = todo[--n_todo];

        for (uint32_t k = d.first[done]; k != 0; k = d.list[k - 1].next) {
            uint32_t i = d.list[k - 1].node;

            /* A hub leads on if one of its successors does. */
            if (p->leads_on[i] ||
                (i < p->n_blocks && !node_leads_on(p, &p->cfg->nodes[i])))
                continue;
            p->leads_on[i] = true;
            todo[n_todo++] = i;
        }
    }
    assert(n_todo <= n);
    free(d.first);
    free(d.list);
}

void sd_program_find_routines(struct sd_program *p)
{
    p->routine_of = memory_new(p->n_blocks, sizeof *p->routine_of);
    find_starts(p);
    find_blocks(p);
    p->target_of = memory_new(p->n_blocks, sizeof *p->target_of);
    for (size_t b = 0; b < p->n_blocks; b++) {
        const struct sd_decoded *last = &p->blocks->blocks[b].last;

        p->target_of[b] =
            last->has_target ? sd_program_block(p, last->target) : SD_NO_BLOCK;
    }
    join_parts(p);
    find_ends(p);
}
