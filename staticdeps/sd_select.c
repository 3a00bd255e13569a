/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "staticdeps.h"

#include "executions.h"

#define RANGE "0x%" PRIx64 "-0x%" PRIx64

static int take_range(void *executed, struct db_query *q, struct diag *d)
{
    struct sd_executed *e = executed;
    struct sd_range next = {db_count(q, 0), db_count(q, 1)};
    struct sd_range *last = e->n > 0 ? &e->ranges[e->n - 1] : NULL;

    (void)d;
    if (last == NULL || next.start > last->end)
        array_push(e->ranges, e->n, e->room, next);
    else if (next.end > last->end)
        last->end = next.end;
    return 0;
}

/* Reads the ranges of the object with this build-id that were executed in any
   run; there are none if the object did not run. */
static int executed_read(struct sd_executed *e, const char *build_id,
                         struct diag *d)
{
    e->n = 0;
    return db_rows(e->db,
                   "SELECT start, \"end\" FROM segment"
                   " JOIN object USING(object_id)"
                   " WHERE build_id = ? AND executions > 0 ORDER BY start",
                   DB_VALUES(DB_TEXT(build_id)), take_range, e, d);
}

int sd_select_init(struct sd_select *select, const struct sd_options *options,
                   struct diag *d)
{
    *select = (struct sd_select){.options = options};
    select->found = memory_new(options->n_functions, sizeof *select->found);
    for (size_t i = 0; i < options->n_functions; i++)
        select->found[i].asked = options->functions[i];
    select->is_region_found =
        memory_new(options->n_regions, sizeof *select->is_region_found);
    if (options->executed == NULL)
        return 0;
    select->executed.db = db_open(options->executed, DB_DEPS, d);
    return select->executed.db != NULL ? 0 : -1;
}

void sd_select_fini(struct sd_select *select)
{
    db_close(select->executed.db);
    free(select->executed.ranges);
    for (size_t i = 0;
         select->found != NULL && i < select->options->n_functions; i++)
        funcfind_fini(&select->found[i]);
    free(select->found);
    free(select->is_region_found);
    *select = (struct sd_select){0};
}

/* What decides which blocks of one image are wanted. */
struct question {
    struct sd_select *select;
    struct sd_functions functions;
    bool *is_meant; /* by function: does --function mean it? */
};

/* Finds the functions of an image that --function means. */
static void find_functions(struct question *q, const struct sd_image *image)
{
    struct sd_functions *f = &q->functions;

    sd_functions_init(f, image);
    assert(q->is_meant == NULL);
    AUTO_FREE const char **symbols = memory_new(f->n, sizeof *symbols);
    q->is_meant = memory_new(f->n, sizeof *q->is_meant);
    for (size_t i = 0; i < f->n; i++)
        symbols[i] = f->list[i].name;
    for (size_t i = 0; i < q->select->options->n_functions; i++)
        funcfind_among(&q->select->found[i], symbols, f->n, q->is_meant);
}

/* Is a block wanted?  All options are evaluated: each notes what it found. */
static bool is_wanted(const struct question *q, const struct sd_block *block)
{
    struct sd_select *s = q->select;
    const struct sd_options *o = s->options;
    bool in_function =
        o->n_functions == 0 ||
        sd_functions_match(&q->functions, q->is_meant, block->address);
    bool in_range = !o->has_range || (block->address >= o->range.start &&
                                      block->address < o->range.end);
    bool was_executed = true;

    if (s->executed.db != NULL) { /* any byte of the block counts */
        const struct sd_executed *e = &s->executed;
        size_t first =
            array_bisect(0, e->n, i, e->ranges[i].end <= block->address);

        was_executed = first < e->n &&
                       e->ranges[first].start < block->address + block->size;
    }
    s->is_range_found |= in_range;
    s->is_executed_found |= was_executed;
    return in_function && in_range && was_executed;
}

void sd_select_regions(struct sd_select *select, const struct sd_image *image,
                       struct sd_decoder *decoder, struct sd_blocks *blocks)
{
    const struct sd_options *o = select->options;

    for (size_t i = 0; i < o->n_regions; i++)
        if (sd_blocks_add_region(blocks, decoder, image, o->regions[i]))
            select->is_region_found[i] = true;
}

int sd_select_among(struct sd_select *select, const struct sd_image *image,
                    const struct sd_blocks *blocks, bool **wanted,
                    struct diag *d)
{
    const struct sd_options *o = select->options;
    struct question q = {.select = select};

    *wanted = memory_new(blocks->n_blocks + 1, sizeof **wanted);
    if (o->n_functions == 0 && !o->has_range && o->executed == NULL) {
        memset(*wanted, true, blocks->n_blocks);
        return 0;
    }
    if (o->executed != NULL &&
        executed_read(&select->executed, image->build_id, d) != 0)
        return -1;
    find_functions(&q, image);
    for (size_t i = 0; i < blocks->n_blocks; i++)
        (*wanted)[i] = is_wanted(&q, &blocks->blocks[i]);
    sd_functions_fini(&q.functions);
    free(q.is_meant);
    return 0;
}

/* What was executed of one image, and in all. */
struct weighing {
    struct db *db;
    struct executions executions;
    double recorded;
};

static int take_segment(void *context, struct db_query *q, struct diag *d)
{
    struct weighing *w = context;
    uint64_t start = db_count(q, 0), end = db_count(q, 1);

    if (start <= end &&
        executions_add(&w->executions, 0, start, end, 0, db_count(q, 2)))
        return 0;
    return db_damaged(w->db, "a segment that cannot be", d);
}

static int take_recorded(void *context, struct db_query *q, struct diag *d)
{
    struct weighing *w = context;

    (void)d;
    w->recorded += (double)db_count(q, 0);
    return 0;
}

/* The share is one of the runs of this program; of all, if it is a library. */
#define PATHS "SELECT path FROM object WHERE build_id = ?1"

int sd_select_weigh(struct sd_select *select, const struct sd_image *image,
                    const struct sd_blocks *blocks, double **executed,
                    double *least, struct diag *d)
{
    struct weighing w = {.db = select->executed.db};

    *executed = NULL;
    *least = 0;
    if (select->options->min_share <= 0)
        return 0;
    assert(w.db != NULL);
    int rc =
        db_rows(w.db,
                "SELECT recorded FROM run WHERE program IN (" PATHS ") OR"
                " NOT EXISTS(SELECT 1 FROM run WHERE program IN (" PATHS "))",
                DB_VALUES(DB_TEXT(image->build_id)), take_recorded, &w, d);
    if (rc == 0)
        rc = db_rows(w.db,
                     "SELECT start, \"end\", executions FROM segment"
                     " JOIN object USING(object_id) WHERE build_id = ?",
                     DB_VALUES(DB_TEXT(image->build_id)), take_segment, &w, d);
    executions_sum(&w.executions);
    *least = select->options->min_share * w.recorded;
    *executed = memory_new(blocks->n_blocks + 1, sizeof **executed);
    for (size_t i = 0; rc == 0 && i < blocks->n_blocks; i++) {
        const struct sd_block *b = &blocks->blocks[i];

        (*executed)[i] = (double)executions_of(&w.executions, 0, b->address,
                                               b->address + b->size, false) *
                         b->n_insns;
    }
    executions_fini(&w.executions);
    return rc;
}

int sd_select_apply(struct sd_select *select, const struct sd_image *image,
                    struct sd_blocks *blocks, struct diag *d)
{
    AUTO_FREE bool *wanted = NULL;
    size_t n = 0;
    int rc = sd_select_among(select, image, blocks, &wanted, d);

    for (size_t i = 0; rc == 0 && i < blocks->n_blocks; i++)
        if (wanted[i])
            blocks->blocks[n++] = blocks->blocks[i];
    assert(n <= blocks->n_blocks);
    if (rc == 0)
        blocks->n_blocks = n;
    return rc;
}

int sd_select_check(const struct sd_select *select, struct diag *d)
{
    const struct sd_options *o = select->options;

    for (size_t i = 0; i < o->n_functions; i++)
        if (funcfind_check(&select->found[i], "--function", d) != 0)
            return -1;
    if (o->has_range && !select->is_range_found)
        return diag_set(d, "--range=" RANGE ": no block begins there",
                        o->range.start, o->range.end);
    for (size_t i = 0; i < o->n_regions; i++)
        if (!select->is_region_found[i])
            return diag_set(d, "--region=" RANGE ": no code there",
                            o->regions[i].start, o->regions[i].end);
    if (o->executed != NULL && !select->is_executed_found)
        return diag_set(
            d, "--executed=%s: no code of these files was executed there",
            o->executed);
    return 0;
}

/* Writes the text of an option as "filter:*number". */
__attribute__((format(printf, 4, 5))) static int
write_filter(struct sd_db *db, unsigned *number, struct diag *d,
             const char *format, ...)
{
    char key[40];
    va_list args;

    va_start(args, format);
    AUTO_FREE char *text = memory_vprintf(format, args);
    va_end(args);
    snprintf(key, sizeof key, "filter:%u", ++*number);
    return sd_db_fact(db, key, DB_TEXT(text), d);
}

int sd_select_write(const struct sd_select *select, struct sd_db *db,
                    struct diag *d)
{
    const struct sd_options *o = select->options;
    unsigned n = 0;
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < o->n_functions; i++)
        rc = write_filter(db, &n, d, "--function=%s", o->functions[i]);
    if (rc == 0 && o->has_range)
        rc = write_filter(db, &n, d, "--range=" RANGE, o->range.start,
                          o->range.end);
    for (size_t i = 0; rc == 0 && i < o->n_regions; i++)
        rc = write_filter(db, &n, d, "--region=" RANGE, o->regions[i].start,
                          o->regions[i].end);
    if (rc == 0 && o->executed != NULL)
        rc = write_filter(db, &n, d, "--executed=%s", o->executed);
    return rc;
}
