/*
 * sd_results_walks: objects -> the pairs within their functions, or across
 * them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "out/sd_results.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "out/sd_evidence.h"
#include "out/sd_walks.h"
#include "reach/sd_flows.h"

#define MADE_UP 16 /* what divides its support */
#define STRIDE  64 /* instructions from one whose offset is kept to the next */

struct wide {
    struct sd_results *results;
    struct sd_link *link;
    const struct sd_settings *settings;
    struct sd_program program;
    struct sd_walks walks;
    bool *is_wanted;       /* by block */
    int64_t *block_ids;    /* in the database */
    int64_t *function_ids; /* by routine; 0: none */
    uint64_t *offsets;     /* of each STRIDEth instruction, in its block */
    struct sd_found *found;
    size_t n_found;
    uint32_t *headers;  /* by loop: a block */
    char **short_names; /* by routine; NULL: it has its own */
};

/* A routine with a block that is wanted, in it or in a part of it. */
static void find_wanted(struct wide *w, const struct sd_blocks *wanted,
                        bool *routines)
{
    const struct sd_program *p = &w->program;
    size_t k = 0;

    for (size_t i = 0; i < p->n_blocks && k < wanted->n_blocks; i++) {
        uint32_t routine = p->routine_of[i];

        if (wanted->blocks[k].bytes != p->blocks->blocks[i].bytes)
            continue;
        k++;
        w->is_wanted[i] = true;
        if (routine != SD_NO_ROUTINE)
            routines[p->routines[routine].whole] = true;
    }
    assert(k == wanted->n_blocks);
}

static int run(struct wide *w, unsigned jobs, struct diag *d)
{
    const struct sd_program *p = &w->program;
    const struct sd_settings *s = w->settings;
    struct sd_effort effort = sd_effort_of(s->effort);
    bool *is_wanted = memory_new(p->n_routines + 1u, sizeof *is_wanted);
    uint32_t *roots = memory_new(p->n_routines + 1u, sizeof *roots);
    size_t n = 0;
    int rc;

    effort.rules &= ~s->without;
    effort.is_narrow = s->scope == SD_SCOPE_FUNCTION;
    w->is_wanted = memory_new(p->n_blocks + 1, sizeof *w->is_wanted);
    find_wanted(w, &w->link->wanted, is_wanted);
    for (uint32_t i = 0; i < p->n_routines; i++)
        if (p->routines[i].n > 0 &&
            (s->scope == SD_SCOPE_PROGRAM || is_wanted[p->routines[i].whole]))
            roots[n++] = i;
    rc = sd_walks_run(&w->walks, p, roots, n, &effort, s->seed, jobs,
                      &w->results->progress, d);
    w->results->n_not_walked += n - w->walks.n_added;
    w->results->n_flows_cut += w->walks.n_cut;
    free(roots);
    free(is_wanted);
    return rc;
}

static uint32_t whole_of(const struct sd_program *p, uint32_t block)
{
    uint32_t routine = p->routine_of[block];

    return routine == SD_NO_ROUTINE ? routine : p->routines[routine].whole;
}

/* From here on, long names are cut if there are too many. */
static void cut_names(struct wide *w)
{
    struct sd_program *p = &w->program;

    w->short_names = memory_new(p->n_routines + 1u, sizeof *w->short_names);
    sd_results_names(w->results, p->image);
    for (uint32_t i = 0; i < p->n_routines; i++) {
        const char *name = sd_results_name(w->results, p->routines[i].name);

        if (name != p->routines[i].name)
            p->routines[i].name = w->short_names[i] = memory_text(name);
    }
}

/* From here on, each object has its own addresses again. */
static void move_back(struct wide *w)
{
    struct sd_program *p = &w->program;

    for (uint32_t i = 0; i < p->n_routines; i++) {
        struct sd_routine *r = &p->routines[i];

        if (r->n > 0) {
            uint64_t base =
                w->link->objects[sd_link_object(w->link, r->first)].base;

            r->start -= base;
            r->end -= base;
        }
    }
    for (size_t i = 0; i < w->link->n_objects; i++) {
        const struct sd_linked *o = &w->link->objects[i];

        for (size_t k = 0; k < o->n_blocks; k++)
            w->link->blocks.blocks[o->first_block + k].address -= o->base;
    }
}

/* Of an object. */
static int write_functions(struct wide *w, const struct sd_linked *o,
                           struct diag *d)
{
    const struct sd_program *p = &w->program;

    for (uint32_t i = (uint32_t)o->first_block;
         i < o->first_block + o->n_blocks; i++) {
        uint32_t routine = whole_of(p, i);
        const struct sd_routine *r = &p->routines[routine];

        if (!w->is_wanted[i])
            continue;
        w->results->n_blocks++;
        w->results->n_insns += p->blocks->blocks[i].n_insns;
        w->results->n_by_status[p->blocks->blocks[i].status]++;
        if (w->results->db == NULL)
            continue;
        if (routine != SD_NO_ROUTINE && w->function_ids[routine] == 0 &&
            sd_db_function(w->results->db, r->name, r->start, r->end,
                           &w->function_ids[routine], d) != 0)
            return -1;
        if (sd_db_code(w->results->db, &p->blocks->blocks[i],
                       routine != SD_NO_ROUTINE ? w->function_ids[routine] : 0,
                       w->walks.support.blocks[i].n, &w->block_ids[i], d) != 0)
            return -1;
    }
    return 0;
}

/* Of all objects. */
static int write_walked(struct wide *w, struct diag *d)
{
    const struct sd_program *p = &w->program;
    struct sd_walked *walked = memory_new(p->n_routines + 1u, sizeof *walked);
    uint64_t *blocks = memory_new(p->n_routines + 1u, sizeof *blocks);
    int rc = 0;

    for (uint32_t i = 0; i < p->n_routines; i++) {
        walked[p->routines[i].whole].n_walks += w->walks.walked[i].n_walks;
        walked[p->routines[i].whole].n_insns += w->walks.walked[i].n_insns;
        w->results->n_walks += w->walks.walked[i].n_walks;
        w->results->n_walked += w->walks.walked[i].n_insns;
    }
    for (uint32_t i = 0; i < p->n_blocks; i++)
        if (whole_of(p, i) != SD_NO_ROUTINE)
            blocks[whole_of(p, i)] += w->walks.support.blocks[i].n > 0;
    for (uint32_t i = 0; rc == 0 && i < p->n_routines; i++)
        if (w->function_ids[i] != 0)
            rc = sd_db_walked(w->results->db, w->function_ids[i],
                              walked[i].n_walks, walked[i].n_insns, blocks[i],
                              d);
    free(walked);
    free(blocks);
    return rc;
}

static unsigned length_of(const struct sd_program *p, size_t insn)
{
    return p->blocks->insns[insn] & (SD_NO_EFFECT - 1u);
}

static void find_offsets(struct wide *w)
{
    const struct sd_program *p = &w->program;

    w->offsets =
        memory_new(p->blocks->n_insns / STRIDE + 1, sizeof *w->offsets);
    for (size_t i = 0; i < p->n_blocks; i++) {
        const struct sd_block *b = &p->blocks->blocks[i];
        uint64_t at = 0;

        for (size_t k = b->first; k < b->first + b->n_insns; k++) {
            if (k % STRIDE == 0)
                w->offsets[k / STRIDE] = at;
            at += length_of(p, k);
        }
    }
}

static uint64_t address_of(const struct wide *w, uint32_t block, uint32_t index)
{
    const struct sd_program *p = &w->program;
    const struct sd_block *b = &p->blocks->blocks[block];
    size_t insn = b->first + index, from = insn - insn % STRIDE;
    uint64_t at = b->address;

    assert(index < b->n_insns);
    if (from >= b->first)
        at += w->offsets[from / STRIDE];
    else
        from = b->first;
    for (; from < insn; from++)
        at += length_of(p, from);
    return at;
}

static const char *scope_of(const struct wide *w, uint32_t src, uint32_t dst)
{
    uint32_t routine = whole_of(&w->program, src);

    if (src == dst)
        return "block";
    if (routine != SD_NO_ROUTINE && routine == whole_of(&w->program, dst))
        return "function";
    return sd_link_object(w->link, src) == sd_link_object(w->link, dst)
               ? "object"
               : "program";
}

/* Does only a second call of a root show it, though true callers write anew
   what is read?  If the address was loaded, it does not matter which call had
   one that is equal. */
static bool is_made_up(const struct wide *w, const struct sd_walk_pair *pair)
{
    uint32_t marks = w->walks.marks[pair->dst];

    return pair->is_again && (marks & SD_MARK_FED) != 0 &&
           (marks & SD_MARK_LOADED) == 0;
}

/* Of a pair that walks show, or that flow allows. */
static double support_of(const struct wide *w, const struct sd_walk_pair *pair,
                         uint32_t src, uint32_t dst, bool is_flow)
{
    const struct sd_support *s = &w->walks.support;
    double support;

    if (is_flow)
        return sd_support_after(s, src, dst, pair->src >= pair->dst) > 0
                   ? 0
                   : SD_FLOW_SUPPORT;
    support = sd_support_of(s, pair, src, dst);
    return is_made_up(w, pair) ? support / MADE_UP : support;
}

static void find_headers(struct wide *w)
{
    const struct sd_cfg *cfg = w->program.cfg;

    w->headers = memory_new(cfg->loops.n + 1, sizeof *w->headers);
    for (size_t i = 0; i < w->program.n_blocks; i++)
        if (cfg->nodes[i].is_header)
            w->headers[cfg->nodes[i].loop] = (uint32_t)i;
}

/* Its distance vector. */
static void find_vector(const struct wide *w, const struct sd_walk_pair *pair,
                        struct sd_found *f)
{
    const struct sd_agreed *a =
        pair->is_uneven
            ? NULL
            : sd_agreements_of(&w->walks.vectors, pair->src, pair->dst);
    uint32_t loop;

    f->n_levels = a != NULL ? a->n : 0;
    f->levels = a != NULL ? memory_new(a->n, sizeof *f->levels) : NULL;
    loop = a != NULL ? a->loop : 0;
    for (uint32_t i = f->n_levels; i-- > 0;
         loop = w->program.cfg->loops.list[loop].parent) {
        uint32_t header = w->headers[loop];

        f->levels[i] =
            (struct sd_level){w->program.blocks->blocks[header].address,
                              w->block_ids[header], a->rounds[i]};
    }
}

/* False if it is not to be reported. */
static bool locate(const struct wide *w, const struct sd_walk_pair *pair,
                   bool is_flow, struct sd_found *f)
{
    const struct sd_program *p = &w->program;
    uint32_t src = sd_program_block_of(p, pair->src),
             dst = sd_program_block_of(p, pair->dst);
    struct sd_db_pair *db = &f->pair;

    if (!w->is_wanted[src] || !w->is_wanted[dst])
        return false;
    db->scope = scope_of(w, src, dst);
    if (w->settings->scope == SD_SCOPE_FUNCTION &&
        strcmp(db->scope, "object") == 0)
        return false;
    db->support = support_of(w, pair, src, dst, is_flow);
    db->evidence = is_flow ? "flow" : "walk";
    db->src_index = pair->src - 1 - (uint32_t)p->blocks->blocks[src].first;
    db->dst_index = pair->dst - 1 - (uint32_t)p->blocks->blocks[dst].first;
    db->src = address_of(w, src, db->src_index);
    db->dst = address_of(w, dst, db->dst_index);
    db->src_block = w->block_ids[src];
    db->dst_block = w->block_ids[dst];
    db->distance = pair->distance;
    db->delta_k = pair->delta_k == SD_ANY_DELTA ? -1 : (int64_t)pair->delta_k;
    f->has_loop = pair->header != 0;
    if (f->has_loop)
        f->loop = p->blocks->blocks[pair->header - 1].address;
    db->loop = f->has_loop ? w->block_ids[pair->header - 1] : 0;
    f->object = sd_link_object(w->link, dst);
    f->src_object = sd_link_object(w->link, src);
    f->src_path = f->src_object != f->object
                      ? w->link->objects[f->src_object].image.path
                      : NULL;
    f->src_routine = whole_of(p, src);
    f->dst_routine = whole_of(p, dst);
    return true;
}

static int compare(const void *x, const void *y)
{
    const struct sd_found *a = x, *b = y;

    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->dst_routine != b->dst_routine)
        return a->dst_routine < b->dst_routine ? -1 : 1;
    if (a->src_object != b->src_object)
        return a->src_object < b->src_object ? -1 : 1;
    if (a->pair.src != b->pair.src)
        return a->pair.src < b->pair.src ? -1 : 1;
    return a->pair.dst < b->pair.dst ? -1 : a->pair.dst > b->pair.dst;
}

/* Takes a pair that has the support that is asked for. */
static int take_pair(struct wide *w, const struct sd_walk_pair *pair,
                     bool is_flow, struct diag *d)
{
    struct sd_found *f = &w->found[w->n_found];

    if (!locate(w, pair, is_flow, f) || f->pair.support == 0)
        return 0;
    if (f->pair.support >= w->settings->support) {
        find_vector(w, pair, f);
        w->n_found++;
    } else if (w->results->db != NULL)
        return sd_db_weak(w->results->db, &f->pair, d);
    return 0;
}

static int write_pair(struct wide *w, const struct sd_found *f, struct diag *d)
{
    int rc = sd_db_pair(w->results->db, &f->pair, d);

    for (uint32_t i = 0; rc == 0 && i < f->n_levels; i++)
        rc = sd_db_vector(w->results->db, &f->pair, i + 1, f->levels[i].block,
                          f->levels[i].rounds, d);
    return rc;
}

static int write_pairs(struct wide *w, struct diag *d)
{
    const struct sd_pairs *shown = &w->walks.support.pairs;
    const struct sd_pairs *flows = &w->walks.flows;
    const struct sd_walk_pair *list = sd_pairs_list(&w->walks.support.pairs);
    const struct sd_walk_pair *more = sd_pairs_list(&w->walks.flows);
    int rc = 0;

    find_headers(w);
    w->found = memory_new(shown->n + flows->n + 1, sizeof *w->found);
    for (size_t i = 0, k = 0; rc == 0 && (i < shown->n || k < flows->n);) {
        int order = i == shown->n   ? 1
                    : k == flows->n ? -1
                                    : sd_pairs_compare(&list[i], &more[k]);

        rc = order > 0 ? take_pair(w, &more[k], true, d)
                       : take_pair(w, &list[i], false, d);
        i += order <= 0;
        k += order >= 0; /* what walks show, too, is theirs */
    }
    if (w->n_found > 1)
        qsort(w->found, w->n_found, sizeof *w->found, compare);
    for (size_t i = 0; rc == 0 && i < w->n_found && w->results->db != NULL; i++)
        rc = write_pair(w, &w->found[i], d);
    w->results->n_deps += w->n_found;
    return rc;
}

static int write_object(struct wide *w, const struct sd_linked *o,
                        struct diag *d)
{
    const struct sd_image *image = &o->image;

    if (w->results->db != NULL &&
        sd_db_object(w->results->db, image->path, image->build_id,
                     sd_arch_name(image->arch), d) != 0)
        return -1;
    return write_functions(w, o, d);
}

static void report(struct wide *w)
{
    struct sd_report *r = &w->results->report;
    size_t first = 0;

    for (size_t i = 0; i < w->link->n_objects; i++) {
        const struct sd_linked *o = &w->link->objects[i];
        size_t end = first;

        while (end < w->n_found && w->found[end].object == i)
            end++;
        sd_report_object(r, o->image.path, o->image.build_id,
                         sd_arch_name(o->image.arch));
        sd_report_found(r, w->program.routines, w->found + first, end - first);
        first = end;
    }
}

static int write_all(struct wide *w, struct diag *d)
{
    const struct sd_program *p = &w->program;

    move_back(w);
    cut_names(w);
    find_offsets(w);
    w->function_ids = memory_new(p->n_routines + 1u, sizeof *w->function_ids);
    w->block_ids = memory_new(p->n_blocks + 1, sizeof *w->block_ids);
    for (size_t i = 0; i < w->link->n_objects; i++)
        if (write_object(w, &w->link->objects[i], d) != 0)
            return -1;
    if (write_walked(w, d) != 0 || write_pairs(w, d) != 0 ||
        (w->results->db != NULL &&
         sd_evidence_write(w->results->db, p, &w->walks, w->block_ids,
                           w->results->n_numbered, d) != 0))
        return -1;
    w->results->n_numbered += w->walks.support.n_walks;
    report(w);
    return 0;
}

int sd_results_walk(struct sd_results *results, struct sd_link *link,
                    const struct sd_settings *settings, unsigned jobs,
                    struct diag *d)
{
    struct wide w = {.results = results, .link = link, .settings = settings};
    struct sd_cfg *cfg;
    int rc;

    sd_link_join(link);
    cfg = sd_cfg_new(&link->blocks, &link->image);
    sd_program_init(&w.program, &link->image, &link->blocks, cfg,
                    &link->contents, link->library);
    w.program.resolvers = link->resolvers;
    w.program.n_resolvers = link->n_resolvers;
    rc = run(&w, jobs, d);
    if (rc == 0)
        rc = write_all(&w, d);
    sd_walks_fini(&w.walks);
    for (uint32_t i = 0; w.short_names != NULL && i < w.program.n_routines; i++)
        free(w.short_names[i]);
    free(w.short_names);
    sd_program_fini(&w.program);
    sd_cfg_free(cfg);
    free(w.is_wanted);
    free(w.block_ids);
    free(w.function_ids);
    free(w.offsets);
    for (size_t i = 0; i < w.n_found; i++)
        free(w.found[i].levels);
    free(w.found);
    free(w.headers);
    return rc;
}
