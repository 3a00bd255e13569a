/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/cc_compare.h"

#include "report/baseline.h"

/* --- Keys --- */

/* What is known in both lists, and so can tell their dependencies apart. */
struct known {
    bool lines, columns;
};

static struct known find_known(const struct cc_identity *list, size_t n)
{
    struct known known = {0};

    for (size_t i = 0; i < n; i++) {
        known.lines |= cc_identity_has_lines(&list[i]);
        known.columns |= list[i].src.column != 0 || list[i].dst.column != 0;
    }
    return known;
}

/* Where an end is in the source, as far as both lists know. */
static char *place_of(const struct cc_end *end, const struct cc_code *code,
                      bool by_line, struct known known)
{
    if (!by_line)
        return memory_printf("+%" PRIx64, end->address - code->function_start);
    AUTO_FREE char *line = baseline_line(end->line, code->function_line);
    return memory_printf("%s:%d", line, known.columns ? end->column : 0);
}

/* The operand in memory, without the distance to the next instruction, which
   every build changes; all operands if no parenthesis or bracket marks one.
   NULL if the instruction is unknown; the caller frees. */
static char *operand_of(const struct cc_end *end)
{
    const char *blank = end->insn != NULL ? strchr(end->insn, ' ') : NULL;
    const char *all = blank != NULL ? blank + 1 : end->insn;
    const char *start;

    if (all == NULL)
        return NULL;
    const char *open = strpbrk(all, "([");
    const char *close = open != NULL ? strpbrk(open, ")]") : NULL;
    if (close == NULL || strpbrk(close, "([") != NULL)
        return memory_text(all);
    if (strncmp(open, "(%rip)", 6) == 0 || strncmp(open, "[rip ", 5) == 0)
        return memory_text("(%rip)");
    for (start = open; start > all && strchr(" ,*", start[-1]) == NULL;)
        start--;
    return memory_printf("%.*s", (int)(close + 1 - start), start);
}

/* What two dependencies must share to be paired, the strictest first. */
enum step {
    BY_OPERANDS, /* and place: the line, or the offset in the function */
    BY_PLACE,    /* the line; without lines the function and operands alone */
    BY_OFFSET,   /* without lines only */
    N_STEPS
};

/* A key that is equal for dependencies which the step does not tell apart; NULL
   if the step does not apply. */
static char *key_of(const struct cc_identity *id, size_t dst_object,
                    enum step step, struct known known)
{
    const struct cc_code *dst_code = cc_identity_dst_code(id);
    bool by_line = known.lines && cc_identity_has_lines(id);
    AUTO_FREE char *src = NULL, *dst = NULL, *src_place = NULL,
                   *dst_place = NULL, *code = NULL;
    char *key = NULL;

    if (!by_line && (id->code.function == NULL || dst_code->function == NULL))
        return NULL;
    /* Each key has the two functions, and the object of the load. */
    code = memory_printf(
        "%s\n%s\n%zu", id->code.function != NULL ? id->code.function : "",
        dst_code->function != NULL ? dst_code->function : "", dst_object);
    src_place = place_of(&id->src, &id->code, by_line, known);
    dst_place = place_of(&id->dst, dst_code, by_line, known);
    if (step == BY_OPERANDS || (step == BY_PLACE && !by_line)) {
        src = operand_of(&id->src);
        dst = operand_of(&id->dst);
        if (src != NULL && dst != NULL)
            key = memory_printf("%s\n%s\n%s\n%s\n%s", code,
                                step == BY_OPERANDS ? src_place : "",
                                step == BY_OPERANDS ? dst_place : "", src, dst);
    } else if (by_line == (step == BY_PLACE))
        key = memory_printf("%s\n%s\n%s", code, src_place, dst_place);
    return key;
}

/* --- Pairing --- */

/* The dependencies of one object, before or now. */
struct side {
    const struct cc_identity *list;
    const size_t *dst_objects; /* of the loads; both sides number alike */
    size_t n;
    uint32_t *partners; /* index on the other side, or CC_NONE */
};

struct pairing {
    struct side before, now;
};

static bool is_scored(const struct side *side, uint32_t number)
{
    return side->list[number].verdict >= CC_MISSED;
}

/* Adds dependencies to their keys; within a key, unscored ones come last. */
static void add_items(struct baseline_items *items, const struct side *side,
                      bool is_before, enum step step, struct known known)
{
    for (uint32_t i = 0; i < side->n; i++)
        if (side->partners[i] == CC_NONE)
            baseline_add(
                items, is_before, i, !is_scored(side, i),
                key_of(&side->list[i], side->dst_objects[i], step, known));
}

static bool may_pair(const struct side *side, uint32_t number,
                     enum cc_verdict verdict)
{
    return side->partners[number] == CC_NONE &&
           (verdict == CC_UNSCORED || side->list[number].verdict == verdict);
}

/* Pairs the dependencies of a group that have this verdict before and now, in
   order; with CC_UNSCORED, all that have no partner yet. */
static void pair_verdict(struct pairing *p, const struct baseline_group *group,
                         size_t n_now, enum cc_verdict verdict)
{
    for (size_t i = 0, j = 0; i < group->n_before; i++) {
        if (!may_pair(&p->before, group->before[i], verdict))
            continue;
        while (j < n_now && !may_pair(&p->now, group->now[j], verdict))
            j++;
        if (j == n_now)
            return;
        p->before.partners[group->before[i]] = group->now[j];
        p->now.partners[group->now[j]] = group->before[i];
    }
}

/* Pairs the dependencies of one key: in order if there are as many as before;
   else so that few change their verdict. */
static void pair_group(void *of, const struct baseline_group *group)
{
    struct pairing *p = of;
    size_t n_scored = 0;

    while (n_scored < group->n_now && is_scored(&p->now, group->now[n_scored]))
        n_scored++;
    if (group->n_before != n_scored) {
        pair_verdict(p, group, n_scored, CC_FOUND);
        pair_verdict(p, group, n_scored, CC_MISSED);
    }
    pair_verdict(p, group, group->n_now, CC_UNSCORED);
}

/* Pairs the dependencies of one object. */
static void pair_object(struct pairing *p)
{
    struct known known = find_known(p->before.list, p->before.n);
    struct known known_now = find_known(p->now.list, p->now.n);

    known.lines &= known_now.lines;
    known.columns &= known_now.columns;
    p->now.partners = memory_new(p->now.n, sizeof *p->now.partners);
    for (size_t i = 0; i < p->before.n; i++)
        p->before.partners[i] = CC_NONE;
    for (size_t i = 0; i < p->now.n; i++)
        p->now.partners[i] = CC_NONE;
    for (enum step step = 0; step < N_STEPS; step++) {
        struct baseline_items items = {0};

        add_items(&items, &p->before, true, step, known);
        add_items(&items, &p->now, false, step, known);
        baseline_match(&items, pair_group, p);
    }
    for (size_t i = 0; i < p->before.n; i++)
        assert(p->before.partners[i] == CC_NONE ||
               p->now.partners[p->before.partners[i]] == i);
    free(p->now.partners);
}

/* --- Objects --- */

/* An object, and the dependencies whose store is in it: a range, or none. */
struct object {
    const char *build_id, *path;
    size_t start, n;
    size_t partner; /* in the other list; SIZE_MAX: none */
};

struct objects {
    struct object *list;
    size_t n, room;
    size_t *dst; /* for each dependency, the object of its load */
};

/* The object of some code, added if it is new; the one at `guess` if it is
 * that. */
static size_t find_object(struct objects *o, const struct cc_code *code,
                          size_t guess)
{
    if (guess < o->n && strcmp(o->list[guess].build_id, code->build_id) == 0)
        return guess;
    for (size_t i = 0; i < o->n; i++)
        if (strcmp(o->list[i].build_id, code->build_id) == 0)
            return i;
    array_push(o->list, o->n, o->room,
               (struct object){code->build_id,
                               code->path != NULL ? code->path : "", 0, 0,
                               SIZE_MAX});
    return o->n - 1;
}

static struct objects list_objects(const struct cc_identity *list, size_t n)
{
    struct objects o = {.dst = memory_new(n, sizeof *o.dst)};
    size_t src = 0;

    for (size_t i = 0; i < n; i++) {
        src = find_object(&o, &list[i].code, src);
        if (o.list[src].n++ == 0)
            o.list[src].start = i;
        assert(o.list[src].start + o.list[src].n == i + 1);
        o.dst[i] = find_object(&o, cc_identity_dst_code(&list[i]), src);
    }
    return o;
}

/* Matches objects of the same path, or else of the same file name. */
static void match_objects(struct objects *before, struct objects *now,
                          bool by_path)
{
    for (size_t i = 0; i < before->n; i++)
        for (size_t j = 0; j < now->n; j++) {
            struct object *a = &before->list[i], *b = &now->list[j];

            if (a->partner != SIZE_MAX || b->partner != SIZE_MAX)
                continue;
            if ((by_path ? strcmp(a->path, b->path)
                         : strcmp(text_base_name(a->path),
                                  text_base_name(b->path))) == 0) {
                a->partner = j;
                b->partner = i;
            }
        }
}

static struct side side_of(const struct objects *o, const struct object *object,
                           const struct cc_identity *list)
{
    if (object->n == 0)
        return (struct side){0}; /* the list may be NULL */
    return (struct side){list + object->start, o->dst + object->start,
                         object->n, NULL};
}

void cc_pairs_find(const struct cc_identity *before, size_t n_before,
                   const struct cc_identity *now, size_t n_now,
                   uint32_t *successors)
{
    static const struct object none = {.n = 0};
    struct objects old = list_objects(before, n_before);
    struct objects new = list_objects(now, n_now);

    match_objects(&old, &new, true);
    match_objects(&old, &new, false);
    if (old.n == 1 && new.n == 1)
        old.list[0].partner = 0;
    for (size_t i = 0; i < n_before; i++)
        old.dst[i] = old.list[old.dst[i]].partner;
    for (size_t i = 0; i < old.n; i++) {
        const struct object *object = &old.list[i];
        const struct object *partner =
            object->partner != SIZE_MAX ? &new.list[object->partner] : &none;
        struct pairing p = {side_of(&old, object, before),
                            side_of(&new, partner, now)};

        p.before.partners = successors + object->start;
        pair_object(&p);
        for (size_t j = 0; j < p.before.n; j++)
            if (p.before.partners[j] != CC_NONE)
                p.before.partners[j] += (uint32_t)partner->start;
    }
    free(old.list);
    free(old.dst);
    free(new.list);
    free(new.dst);
}
