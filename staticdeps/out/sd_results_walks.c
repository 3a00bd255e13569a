/* sd_results: analyses objects by walks, and writes the results. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "out/sd_results.h"

#include "flow/sd_flows.h"

#define MADE_UP 16 /* divides the support of pairs that are made up */
#define STRIDE  64 /* the offset of every STRIDEth instruction is kept */

struct wide {
    struct sd_results *results;
    struct sd_link *link;
    const struct sd_settings *settings;
    struct sd_program program;
    struct sd_walks walks;
    int64_t *block_ids;         /* by block: number in the database */
    int64_t *function_ids;      /* by routine; 0: not in the database */
    struct sd_predicted *found; /* the pairs for a report */
    size_t n_found, found_room;
    char **short_names;      /* by routine; NULL: the name was not cut */
    uint64_t *offsets;       /* of each STRIDEth instruction, from its block */
    uint32_t *headers;       /* by loop: the block that is its header */
    struct sd_level *levels; /* of the current pair */
    size_t levels_room;
};

/* Cuts long names of routines if all names together exceed the limit. */
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

/* Subtracts each object's base from its routines' and blocks' addresses. */
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

static int write_functions(struct wide *w, const struct sd_linked *o,
                           struct diag *d)
{
    const struct sd_program *p = &w->program;

    for (uint32_t i = (uint32_t)o->first_block;
         i < o->first_block + o->n_blocks; i++) {
        uint32_t routine = sd_program_whole(p, i);
        const struct sd_routine *r = &p->routines[routine];

        if (!w->link->wanted[i])
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
                       sd_visits_n(w->walks.support.blocks[i]),
                       &w->block_ids[i], d) != 0)
            return -1;
    }
    return 0;
}

/* Writes how many walks, instructions and blocks each function had. */
static int write_walked(struct wide *w, struct diag *d)
{
    const struct sd_program *p = &w->program;
    AUTO_FREE struct sd_walked *walked =
        memory_new(p->n_routines + 1u, sizeof *walked);
    AUTO_FREE uint64_t *blocks = memory_new(p->n_routines + 1u, sizeof *blocks);
    int rc = 0;

    for (uint32_t i = 0; i < p->n_routines; i++) {
        walked[p->routines[i].whole].n_walks += w->walks.walked[i].n_walks;
        walked[p->routines[i].whole].n_insns += w->walks.walked[i].n_insns;
        w->results->n_walks += w->walks.walked[i].n_walks;
        w->results->n_walked += w->walks.walked[i].n_insns;
    }
    for (uint32_t i = 0; i < p->n_blocks; i++)
        if (sd_program_whole(p, i) != SD_NO_ROUTINE)
            blocks[sd_program_whole(p, i)] +=
                w->walks.support.blocks[i] != NULL;
    for (uint32_t i = 0; rc == 0 && i < p->n_routines; i++)
        if (w->function_ids[i] != 0)
            rc = sd_db_add(
                w->results->db, SD_TABLE_WALKED,
                DB_VALUES(DB_INT(w->function_ids[i]), DB_INT(walked[i].n_walks),
                          DB_INT(walked[i].n_insns), DB_INT(blocks[i])),
                d);
    return rc;
}

static int take_found(struct wide *w, const struct sd_predicted *p,
                      struct diag *d)
{
    struct sd_db *db = w->results->db;
    bool is_weak = p->support < w->settings->support;

    w->results->n_deps += !is_weak;
    if (!is_weak && w->results->report.format != SD_FORMAT_NONE) {
        /* Keep a pair for the report, which is sorted by object and function;
           the database is sorted by address. */
        array_reserve(w, found, w->n_found);
        struct sd_predicted *f = &w->found[w->n_found++];
        *f = *p;
        f->levels = memory_new(f->n_levels, sizeof *f->levels);
        if (f->n_levels > 0)
            memcpy(f->levels, p->levels, f->n_levels * sizeof *f->levels);
    }
    if (db == NULL)
        return 0;
    if (is_weak)
        return sd_db_add(db, SD_TABLE_WEAK,
                         DB_VALUES(DB_INT(p->src_block), DB_INT(p->dst_block),
                                   DB_INT(p->src), DB_INT(p->dst),
                                   DB_REAL(p->support)),
                         d);
    int rc = sd_db_pair(db, p, d);
    for (uint32_t i = 0; rc == 0 && i < p->n_levels; i++)
        rc = sd_db_add(db, SD_TABLE_VECTOR,
                       DB_VALUES(DB_INT(p->src_block), DB_INT(p->src),
                                 DB_INT(p->dst_block), DB_INT(p->dst),
                                 DB_INT(i + 1), DB_INT(p->levels[i].block),
                                 DB_INT(p->levels[i].rounds)),
                       d);
    return rc;
}

/* --- Which pairs are reported, and what about them --- */

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
    uint32_t routine = sd_program_whole(&w->program, src);

    if (src == dst)
        return "block";
    if (routine != SD_NO_ROUTINE &&
        routine == sd_program_whole(&w->program, dst))
        return "function";
    return sd_link_object(w->link, src) == sd_link_object(w->link, dst)
               ? "object"
               : "program";
}

/* Is the pair shown only by a second call of a root, although real callers
   write the bytes anew?  A pair whose address was loaded is no such case: which
   call had the address does not matter. */
static bool is_made_up(const struct wide *w, const struct sd_walk_pair *pair)
{
    uint32_t notes = w->walks.access_notes[pair->dst];

    return pair->is_again && (notes & SD_NOTE_FED) != 0 &&
           (notes & SD_NOTE_LOADED) == 0;
}

/* The support of a pair; 0 if the pair is not reported. */
static double support_of(struct wide *w, const struct sd_walk_pair *pair,
                         uint32_t src, uint32_t dst, bool is_flow)
{
    if (is_flow)
        return sd_support_after(&w->walks.support, src, dst,
                                pair->src >= pair->dst) > 0
                   ? 0
                   : SD_FLOW_SUPPORT;
    double support = sd_support_of(&w->walks.support, pair, src, dst);
    return is_made_up(w, pair) ? support / MADE_UP : support;
}

/* Sets the distance vector of a pair, if there is one. */
static void find_vector(struct wide *w, const struct sd_walk_pair *pair,
                        struct sd_predicted *f)
{
    const struct sd_agreed *a =
        pair->is_uneven
            ? NULL
            : sd_agreements_of(&w->walks.vectors, pair->src, pair->dst);

    f->n_levels = a != NULL ? a->n : 0;
    array_reserve(w, levels, f->n_levels);
    f->levels = w->levels;
    uint32_t loop = a != NULL ? a->loop : 0;
    for (uint32_t i = f->n_levels; i-- > 0;
         loop = w->program.cfg->loops.list[loop].parent) {
        uint32_t header = w->headers[loop];

        assert(loop != 0);
        w->levels[i] =
            (struct sd_level){w->program.blocks->blocks[header].address,
                              w->block_ids[header], a->rounds[i]};
    }
}

/* Sets *f to what is reported about a pair; false if nothing is. */
static bool locate(struct wide *w, const struct sd_walk_pair *pair,
                   bool is_flow, struct sd_predicted *f)
{
    const struct sd_program *p = &w->program;
    uint32_t src = sd_program_block_of(p, pair->src),
             dst = sd_program_block_of(p, pair->dst);

    if (!w->link->wanted[src] || !w->link->wanted[dst])
        return false;
    f->scope = scope_of(w, src, dst);
    if (w->settings->scope == SD_SCOPE_FUNCTION &&
        strcmp(f->scope, "object") == 0)
        return false;
    f->support = support_of(w, pair, src, dst, is_flow);
    if (f->support == 0)
        return false;
    f->evidence = is_flow ? "flow" : "walk";
    f->overlap = is_flow ? (struct sd_overlap){0} : pair->overlap;
    f->src_index = pair->src - 1 - (uint32_t)p->blocks->blocks[src].first;
    f->dst_index = pair->dst - 1 - (uint32_t)p->blocks->blocks[dst].first;
    f->src = address_of(w, src, f->src_index);
    f->dst = address_of(w, dst, f->dst_index);
    f->src_block = w->block_ids[src];
    f->dst_block = w->block_ids[dst];
    f->distance = pair->distance;
    f->delta_k = pair->delta_k == SD_ANY_DELTA ? -1 : (int64_t)pair->delta_k;
    f->has_loop = pair->header != 0;
    if (f->has_loop)
        f->header = p->blocks->blocks[pair->header - 1].address;
    f->header_block = f->has_loop ? w->block_ids[pair->header - 1] : 0;
    f->object = sd_link_object(w->link, dst);
    f->src_object = sd_link_object(w->link, src);
    f->src_path = f->src_object != f->object
                      ? w->link->objects[f->src_object].image.path
                      : NULL;
    f->src_routine = sd_program_whole(p, src);
    f->dst_routine = sd_program_whole(p, dst);
    return true;
}

static int take_pair(struct wide *w, const struct sd_walk_pair *pair,
                     bool is_flow, struct diag *d)
{
    struct sd_predicted f;

    if (!locate(w, pair, is_flow, &f))
        return 0;
    find_vector(w, pair, &f);
    return take_found(w, &f, d);
}

/* Takes each pair that has support and both ends in wanted blocks, sorted by
   the store's block and address, then the load's. */
static int take_all(struct wide *w, struct diag *d)
{
    const struct sd_cfg *cfg = w->program.cfg;
    const struct sd_walk_pair *shown = sd_pairs_list(&w->walks.support.pairs);
    const struct sd_walk_pair *flows = sd_pairs_list(&w->walks.flows);
    size_t n_shown = w->walks.support.pairs.n, n_flows = w->walks.flows.n;
    int rc = 0;

    find_offsets(w);
    w->headers = memory_new(cfg->loops.n + 1, sizeof *w->headers);
    for (size_t i = 0; i < w->program.n_blocks; i++)
        if (cfg->nodes[i].is_header)
            w->headers[cfg->nodes[i].loop] = (uint32_t)i;
    for (size_t i = 0, k = 0; rc == 0 && (i < n_shown || k < n_flows);) {
        int order = i == n_shown   ? 1
                    : k == n_flows ? -1
                                   : sd_pairs_compare(&shown[i], &flows[k]);

        rc = order > 0 ? take_pair(w, &flows[k], true, d)
                       : take_pair(w, &shown[i], false, d);
        i += order <= 0;
        k += order >= 0; /* a pair in both lists counts as shown by walks */
    }
    return rc;
}

/* --- Why walks did not show other pairs --- */

/* covcheck finds from this why a pair that
   happens was not predicted. */

struct bytes {
    uint8_t *list;
    size_t n, room;
};

static void add_number(struct bytes *b, uint64_t number)
{
    b->list = memory_grow(b->list, &b->room, b->n + SD_NUMBER_BYTES, 1);
    b->n += sd_number_put(b->list + b->n, number);
}

/* Writes the walks that visited a block as runs of numbers: for each run, the
   gap before the run, and its length minus 1.  The number of a walk is unique
   in the database. */
static int write_visits(const struct wide *w, uint32_t block,
                        struct bytes *bytes, struct diag *d)
{
    struct sd_visits_reader r = sd_visits_read(w->walks.support.blocks[block]);
    uint64_t first = w->results->n_numbered, next = 0;
    bool more = sd_visits_next(&r);

    bytes->n = 0;
    while (more) {
        uint32_t begin = r.visit.number, end = begin;

        while ((more = sd_visits_next(&r)) && r.visit.number == end + 1)
            end++;
        assert(first + begin >= next);
        add_number(bytes, first + begin - next);
        add_number(bytes, end - begin);
        next = first + end + 1;
    }
    if (bytes->n == 0)
        return 0;
    return sd_db_add(
        w->results->db, SD_TABLE_VISITS,
        DB_VALUES(DB_INT(w->block_ids[block]), DB_BYTES(bytes->list, bytes->n)),
        d);
}

/* Writes what the drawn addresses of an instruction were computed from. */
static int write_made(struct sd_db *db, uint32_t notes, int64_t id,
                      uint64_t address, struct diag *d)
{
    for (int stores = 0; stores < 2; stores++) {
        uint32_t its = stores ? notes >> SD_NOTE_OF_STORE : notes;
        const char *made = its & SD_NOTE_UNDECIDED ? "undecided"
                           : its & SD_NOTE_LOADED  ? "loaded"
                                                   : "drawn";

        if (its & SD_NOTE_DRAWN &&
            sd_db_add(db, SD_TABLE_MADE,
                      DB_VALUES(DB_INT(id), DB_INT(address), DB_INT(stores),
                                DB_TEXT(made)),
                      d) != 0)
            return -1;
    }
    return 0;
}

/* Writes the notes on a block's accesses, and on the call at its end. */
static int write_notes(const struct wide *w, uint32_t block, struct diag *d)
{
    const struct sd_blocks *blocks = w->program.blocks;
    const struct sd_block *b = &blocks->blocks[block];
    /* Sites count from 1: that of the first instruction is b->first + 1. */
    const uint16_t *notes = w->walks.access_notes + b->first + 1;
    const uint32_t calls =
        SD_NOTE_ENTERED | SD_NOTE_SKIPPED | SD_NOTE_UNRESOLVED;
    uint64_t address = b->address;

    for (uint32_t i = 0; i < b->n_insns; i++) {
        if (write_made(w->results->db, notes[i], w->block_ids[block], address,
                       d) != 0)
            return -1;
        address += blocks->insns[b->first + i] & (SD_NO_EFFECT - 1u);
    }
    uint32_t call = b->n_insns > 0 ? notes[b->n_insns - 1] & calls : 0;
    if (call == 0)
        return 0;
    return sd_db_add(w->results->db, SD_TABLE_CALL,
                     DB_VALUES(DB_INT(w->block_ids[block]),
                               DB_TEXT(call & SD_NOTE_UNRESOLVED ? "unresolved"
                                       : call & SD_NOTE_SKIPPED  ? "skipped"
                                                                 : "entered")),
                     d);
}

static int write_evidence(const struct wide *w, struct diag *d)
{
    struct bytes bytes = {0};
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < w->program.n_blocks; i++) {
        if (w->block_ids[i] == 0)
            continue;
        rc = write_visits(w, i, &bytes, d);
        if (rc == 0)
            rc = write_notes(w, i, d);
    }
    free(bytes.list);
    return rc;
}

/* --- The steps from a link to its results --- */

ARRAY_ORDER(compare, struct sd_predicted,
            array_order(a->object, b->object)
                ?: array_order(a->dst_routine, b->dst_routine)
                ?: array_order(a->src_object, b->src_object)
                ?: array_order(a->src, b->src)
                ?: array_order(a->dst, b->dst))

static void report(struct wide *w)
{
    struct sd_report *r = &w->results->report;
    size_t first = 0;

    array_sort(w->found, w->n_found, compare);
    for (size_t i = 0; i < w->link->n_objects; i++) {
        const struct sd_linked *o = &w->link->objects[i];
        size_t end = first;

        while (end < w->n_found && w->found[end].object == i)
            end++;
        sd_report_object(r, o->image.path, o->image.build_id,
                         arch_name(o->image.arch));
        assert(end == w->n_found || w->found[end].object > i);
        sd_report_functions(r, w->program.routines, array_from(w->found, first),
                            end - first);
        first = end;
    }
}

static int write_all(struct wide *w, struct diag *d)
{
    const struct sd_program *p = &w->program;

    move_back(w);
    cut_names(w);
    w->function_ids = memory_new(p->n_routines + 1u, sizeof *w->function_ids);
    w->block_ids = memory_new(p->n_blocks + 1, sizeof *w->block_ids);
    for (size_t i = 0; i < w->link->n_objects; i++)
        if (sd_results_object(w->results, &w->link->objects[i].image, d) != 0 ||
            write_functions(w, &w->link->objects[i], d) != 0)
            return -1;
    if (write_walked(w, d) != 0 || take_all(w, d) != 0 ||
        (w->results->db != NULL && write_evidence(w, d) != 0))
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

    sd_link_join(link);
    struct sd_cfg *cfg = sd_cfg_new(&link->blocks, &link->image);
    sd_program_init(&w.program, &link->image, &link->blocks, cfg,
                    &link->contents, link->library);
    w.program.resolvers = link->resolvers;
    w.program.n_resolvers = link->n_resolvers;
    int rc = sd_walks_run(&w.walks, &w.program, link, settings, jobs,
                          &results->progress, d);
    results->n_not_walked += w.walks.n_left_out;
    results->n_flows_cut += w.walks.n_cut;
    sd_contents_fini(&link->contents); /* frees memory for the results */
    if (rc == 0)
        rc = write_all(&w, d);
    sd_walks_fini(&w.walks);
    for (uint32_t i = 0; w.short_names != NULL && i < w.program.n_routines; i++)
        free(w.short_names[i]);
    free(w.short_names);
    sd_program_fini(&w.program);
    sd_cfg_free(cfg);
    free(w.block_ids);
    free(w.function_ids);
    free(w.offsets);
    free(w.headers);
    free(w.levels);
    for (size_t i = 0; i < w.n_found; i++)
        free(w.found[i].levels);
    free(w.found);
    return rc;
}
