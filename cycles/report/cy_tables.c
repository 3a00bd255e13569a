/*
 * cy_tables: what depbound found, as tables for any format.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>

#include "array.h"
#include "memory.h"
#include "report/internal.h"

#define MARKDOWN_HTML (REPORT_SHOWN_MARKDOWN | REPORT_SHOWN_HTML)

/* --- Values --- */

static void put_place(struct report_row *row, const struct cy_report *r,
                      const struct cy_cost_of_loop *c, uint32_t step)
{
    char *place = cy_report_place_text(r, c, step);

    report_text(row, place);
    free(place);
}

static void put_line(struct report_row *row, const struct cy_report *r,
                     const struct cy_cost_of_loop *c, uint64_t address)
{
    char line[128];

    cy_code_line(r->code, c->loop->object, address, line, sizeof line);
    report_text(row, line[0] != '\0' ? line : NULL);
}

/* A name or an instruction, and where it is. */
static void put_code(struct report_row *row, const struct cy_report *r,
                     const struct cy_cost_of_loop *c, const char *code,
                     uint32_t step)
{
    char *place = cy_report_place_text(r, c, step), *after;

    if (asprintf(&after, " %s", place) < 0)
        memory_exhausted();
    report_code(row, code, after);
    free(after);
    free(place);
}

/* --- Loops and the program, for people --- */

static void fill_loop(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_cost_of_loop *c = &r->prediction->loops[i];
    char *name = cy_report_name_text(c);

    put_code(row, r, c, name, 0);
    report_link(row, "l%zu", i);
    if (c->cycles.has_throughput)
        report_real(row, c->cycles.throughput);
    else
        report_text(row, "-");
    report_real(row, c->bound.registers.cycles);
    report_real(row, c->bound.memory.cycles);
    report_text(row, cy_report_limit(c));
    if (r->data->has_executions) {
        report_count(row, c->loop->rounds);
        report_real(row, cy_report_share(r, c));
    } else {
        report_text(row, "-");
        report_text(row, "-");
    }
    report_text(row, name);
    put_place(row, r, c, 0);
    free(name);
}

struct report_table cy_table_loops(const struct cy_report *r)
{
    static const struct report_column columns[] = {
        REPORT_SEEN("loop", .shown = MARKDOWN_HTML, .flags = REPORT_LEFT),
        REPORT_SEEN("units", .width = 7),
        REPORT_SEEN("registers", .flags = REPORT_CLOSE),
        REPORT_SEEN("memory", .width = 7, .flags = REPORT_CLOSE),
        REPORT_SEEN("limited by", .flags = REPORT_LEFT),
        REPORT_SEEN("rounds", .width = 10, .flags = REPORT_CLOSE),
        REPORT_SEEN("share", .width = 6, .flags = REPORT_CLOSE,
                    .format = "%.1f%%"),
        REPORT_SEEN("loop", .shown = REPORT_SHOWN_TEXT, .width = 12,
                    .flags = REPORT_LEFT | REPORT_RAGGED | REPORT_CUT),
        REPORT_SEEN("", .shown = REPORT_SHOWN_TEXT,
                    .flags = REPORT_LEFT | REPORT_RAGGED)};

    return REPORT_TABLE(columns, cy_report_n(r), fill_loop, r,
                        .caption = "  cycles a round, by", .is_plain = true);
}

/* The first row is the program, the others its functions. */
static const struct cy_total *total_of(const struct cy_report *r, size_t i)
{
    return i == 0 ? &r->program->total : &r->program->functions[i - 1];
}

static void fill_total(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_total *t = total_of(r, i);

    report_real(row, t->low_without);
    report_real(row, t->low);
    report_real(row, t->high);
    report_real(row, cy_report_memory_costs(t));
    report_real(row, cy_report_unmodelled(t));
    if (t->function != NULL)
        report_function(row, t->function, NULL);
    else
        report_text(row, i == 0 ? "the program" : "(functions without a name)");
}

struct report_table cy_table_program(const struct cy_report *r)
{
    static const struct report_column columns[] = {
        REPORT_SEEN("without", .unit = "cycles, if runs overlap", .width = 14,
                    .format = "%.4g"),
        REPORT_SEEN("with memory", .unit = "cycles, if runs overlap",
                    .width = 12, .flags = REPORT_CLOSE, .format = "%.4g"),
        REPORT_SEEN("they chain", .unit = "or if", .width = 12,
                    .flags = REPORT_CLOSE, .format = "%.4g"),
        REPORT_SEEN("costs", .unit = "memory", .width = 8, .format = "%.1f%%"),
        REPORT_SEEN("modelled", .unit = "not", .width = 9, .format = "%.1f%%"),
        REPORT_SEEN("function",
                    .flags = REPORT_LEFT | REPORT_RAGGED | REPORT_CUT,
                    .width = 12)};
    size_t n = r->program->n < r->n_shown ? r->program->n : r->n_shown;

    return REPORT_TABLE(columns, n + 1, fill_total, r, .is_plain = true);
}

/* --- Chains --- */

/* A chain, or the failed forwards, of a loop. */
struct links {
    const struct cy_report *report;
    const struct cy_cost_of_loop *loop;
};

static void write_how(FILE *out, const char *before, enum cy_how how,
                      const struct cy_forward *f)
{
    fprintf(out, "%s%s (%s, %s)", before, cy_how_name(how),
            cy_relation_name(f->relation),
            f->is_observed ? "observed" : "predicted");
}

void cy_report_forward(FILE *out, const struct cy_cost_of_loop *c,
                       enum cy_how how, const struct cy_forward *f,
                       uint32_t rounds, uint32_t load)
{
    write_how(out, "", how, f);
    if (rounds > 0)
        fprintf(out, "  %u round%s later", rounds, rounds == 1 ? "" : "s");
    fprintf(out, "%sdistance %" PRIu64, f->rounds > 0 ? ", " : "  ",
            cy_report_distance(c, f, load));
}

/* What follows the source line of a link. */
static char *details_of(const struct cy_cost_of_loop *c,
                        const struct cy_link *l)
{
    const char *before = "";
    struct memory_stream text;

    memory_stream_open(&text);
    if (l->wait == CY_WAIT_MEMORY) {
        write_how(text.out, before, l->how, &l->forward);
        before = "  ";
    }
    if (l->support < 1) {
        fprintf(text.out, "%ssupport %.0f %%", before, 100 * l->support);
        before = "  ";
    }
    if (l->rounds > 0) {
        fprintf(text.out, "%s%u round%s later", before, l->rounds,
                l->rounds == 1 ? "" : "s");
        before = ", ";
    }
    if (cy_report_is_forward(l))
        fprintf(text.out, "%sdistance %" PRIu64, before,
                cy_report_distance(c, &l->forward, l->to));
    return memory_stream_close(&text);
}

static void put_end(struct report_row *row, const struct cy_report *r,
                    const struct cy_cost_of_loop *c, uint32_t step)
{
    report_count(row, c->insns[step].address);
    report_text(row, c->insns[step].shown);
    put_line(row, r, c, c->insns[step].address);
}

static void fill_link(struct report_row *row, const void *from, size_t i)
{
    const struct links *links = from;
    const struct cy_cost_of_loop *c = links->loop;
    const struct cy_link *l = &cy_report_chain(c)->links[i];
    bool is_memory = l->wait == CY_WAIT_MEMORY;
    char *details = details_of(c, l);

    report_text(row, cy_wait_name(l->wait));
    report_real(row, l->cycles);
    report_text(row, cy_wait_name(l->wait));
    report_address(row, c->insns[l->to].address);
    report_text(row, c->insns[l->to].shown);
    put_place(row, links->report, c, l->to);
    report_text(row, details[0] != '\0' ? details : NULL);
    report_count(row, l->rounds);
    if (cy_report_is_forward(l))
        report_count(row, cy_report_distance(c, &l->forward, l->to));
    else
        report_absent(row);
    if (is_memory) {
        report_text(row, cy_how_name(l->how));
        report_text(row, cy_relation_name(l->forward.relation));
        report_bool(row, l->forward.is_observed);
        report_real(row, l->support);
    } else {
        for (int absent = 0; absent < 4; absent++)
            report_absent(row);
    }
    put_end(row, links->report, c, l->from);
    put_end(row, links->report, c, l->to);
    free(details);
}

#define ENDS                                                             \
    {.key = "from.address"}, {.key = "from.text"}, {.key = "from.line"}, \
        {.key = "to.address"}, {.key = "to.text"},                       \
    {                                                                    \
        .key = "to.line"                                                 \
    }

static struct report_table table_of_links(const struct links *links)
{
    static const struct report_column columns[] = {
        {.key = "wait"},
        REPORT_SEEN("cycles", .key = "cycles", .width = 7),
        REPORT_SEEN("wait", .width = 8, .flags = REPORT_LEFT),
        REPORT_SEEN("address", .width = 6),
        REPORT_SEEN("instruction", .width = 16,
                    .flags = REPORT_LEFT | REPORT_CUT),
        REPORT_SEEN("line", .flags = REPORT_LEFT | REPORT_RAGGED),
        REPORT_SEEN("", .flags = REPORT_LEFT | REPORT_RAGGED | REPORT_WRAP),
        {.key = "rounds"},
        {.key = "distance"},
        {.key = "forwarding"},
        {.key = "relation"},
        {.key = "observed"},
        {.key = "support"},
        ENDS};

    return REPORT_TABLE(columns, cy_report_chain(links->loop)->n, fill_link,
                        links, .is_joined = true, .bare = REPORT_SHOWN_TEXT);
}

void cy_report_links(struct report *out, const struct cy_report *r,
                     const struct cy_cost_of_loop *c)
{
    const struct links links = {r, c};
    struct report_table table = table_of_links(&links);

    report_table(out, &table);
}

static void fill_failed(struct report_row *row, const void *from, size_t i)
{
    const struct links *links = from;
    const struct cy_cost_of_loop *c = links->loop;
    const struct cy_failed *f = &c->bound.failed[i];

    report_text(row, cy_relation_name(f->forward.relation));
    report_bool(row, f->forward.is_observed);
    report_real(row, f->cycles);
    report_count(row, f->rounds);
    report_count(row, cy_report_distance(c, &f->forward, f->load));
    report_real(row, f->support);
    put_end(row, links->report, c, f->store);
    put_end(row, links->report, c, f->load);
}

static struct report_table table_of_failed(const struct links *links)
{
    static const struct report_column columns[] = {{.key = "relation"},
                                                   {.key = "observed"},
                                                   {.key = "cycles"},
                                                   {.key = "rounds"},
                                                   {.key = "distance"},
                                                   {.key = "support"},
                                                   ENDS};

    return REPORT_TABLE(columns, links->loop->bound.n_failed, fill_failed,
                        links, );
}

/* --- Forwards, for Markdown --- */

/* One forward of a loop: what its chain waits for in memory, or one that fails.
 */
struct forward {
    const struct cy_cost_of_loop *loop;
    const struct cy_forward *forward;
    uint32_t load;
    enum cy_how how;
    double cycles;
};

struct cy_forwards {
    const struct cy_report *report;
    struct forward *list;
    size_t n, capacity;
};

static void find_forwards(struct cy_forwards *f)
{
    for (size_t i = 0; i < cy_report_n(f->report); i++) {
        const struct cy_cost_of_loop *c = &f->report->prediction->loops[i];
        const struct cy_chain *chain = cy_report_chain(c);

        for (size_t j = 0; j < chain->n; j++) {
            const struct cy_link *l = &chain->links[j];

            if (l->wait == CY_WAIT_MEMORY && l->how != CY_FAILED)
                array_push(
                    f->list, f->n, f->capacity,
                    (struct forward){c, &l->forward, l->to, l->how, l->cycles});
        }
        for (unsigned j = 0; j < c->bound.n_failed; j++) {
            const struct cy_failed *l = &c->bound.failed[j];

            array_push(f->list, f->n, f->capacity,
                       (struct forward){c, &l->forward, l->load, CY_FAILED,
                                        l->cycles});
        }
    }
}

static void fill_forward(struct report_row *row, const void *from, size_t i)
{
    const struct cy_forwards *forwards = from;
    const struct cy_report *r = forwards->report;
    const struct forward *f = &forwards->list[i];
    char *name = cy_report_name_text(f->loop);

    put_code(row, r, f->loop, name, 0);
    put_code(row, r, f->loop, f->loop->insns[f->forward->store].text,
             f->forward->store);
    put_code(row, r, f->loop, f->loop->insns[f->load].text, f->load);
    free(name);
    report_count(row, f->forward->rounds);
    report_count(row, cy_report_distance(f->loop, f->forward, f->load));
    report_text(row, cy_how_name(f->how));
    report_printf(row, "%s, %s", cy_relation_name(f->forward->relation),
                  f->forward->is_observed ? "observed" : "predicted");
    report_real(row, f->cycles);
}

void cy_report_forwards(struct report *out, const struct cy_report *r)
{
    static const struct report_column columns[] = {
        REPORT_SEEN("loop", .flags = REPORT_LEFT),
        REPORT_SEEN("store", .flags = REPORT_LEFT),
        REPORT_SEEN("load", .flags = REPORT_LEFT),
        REPORT_SEEN("rounds", ),
        REPORT_SEEN("distance", ),
        REPORT_SEEN("forward", .flags = REPORT_LEFT),
        REPORT_SEEN("bytes", .flags = REPORT_LEFT),
        REPORT_SEEN("cycles", )};
    struct cy_forwards forwards = {.report = r};

    find_forwards(&forwards);
    if (forwards.n > 0) {
        struct report_table table =
            REPORT_TABLE(columns, forwards.n, fill_forward, &forwards, );

        report_table(out, &table);
    }
    free(forwards.list);
}

/* --- Everything, for programs --- */

static void fill_head(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;

    (void)i;
    report_text(row, r->mca);
    report_text(row, r->machine);
    report_text(row, cy_edges_name(r->edges));
    report_count(row, r->data->instructions);
    report_real(row, r->prediction->share);
    report_count(row, r->prediction->n - r->prediction->n_shown);
}

static void fill_data(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_cost_of_loop *c = &r->prediction->loops[i];
    struct links *links = report_alloc(row, sizeof *links);
    struct report_table chain, failed;
    char *advice = cy_report_advice_text(r, c);

    *links = (struct links){r, c};
    chain = table_of_links(links);
    failed = table_of_failed(links);
    report_text(row, c->function);
    report_text(row, c->name);
    put_line(row, r, c, c->address);
    report_count(row, c->address);
    report_count(row, c->n);
    report_count(row, c->loop->rounds);
    report_count(row, c->loop->entries);
    report_real(row, c->share);
    r->program != NULL ? report_real(row, cy_report_share(r, c))
                       : report_none(row);
    report_real(row, c->loop->share_of_path);
    report_bool(row, c->loop->has_call);
    if (c->cycles.has_throughput) {
        report_real(row, c->cycles.throughput);
        report_real(row, c->region.total);
    } else {
        report_none(row);
        report_none(row);
    }
    report_real(row, c->bound.registers.cycles);
    report_real(row, c->bound.memory.cycles);
    report_real(row, c->cycles.without);
    report_real(row, c->cycles.predicted);
    report_real(row, c->cycles.short_runs);
    report_text(row, cy_report_limit(c));
    report_bool(row, c->cycles.is_memory_bound);
    report_count(row, c->edges.n);
    report_count(row, c->edges.n_unfixed);
    report_count(row, c->bound.n_failed);
    report_count(row, c->bound.n_unknown_flow + c->region.n_unknown);
    report_count(row, c->bound.n_unknown_cost);
    report_text(row, advice[0] != '\0' ? advice : NULL);
    report_rows(row, &chain);
    report_rows(row, &failed);
    free(advice);
}

/* The columns of a total, for programs. */
#define TOTAL(before)                                                 \
    {.key = before "instructions"}, {.key = before "unmodelled"},     \
        {.key = before "llvm_mca"}, {.key = before "without_memory"}, \
        {.key = before "low_without_memory"}, {.key = before "low"},  \
    {                                                                 \
        .key = before "high"                                          \
    }

static void put_total(struct report_row *row, const struct cy_total *t)
{
    report_count(row, t->instructions);
    report_count(row, t->unmodelled);
    report_real(row, t->mca);
    report_real(row, t->high_without);
    report_real(row, t->low_without);
    report_real(row, t->low);
    report_real(row, t->high);
}

static void fill_function(struct report_row *row, const void *from, size_t i)
{
    const struct cy_program *p = from;

    report_text(row, p->functions[i].function);
    put_total(row, &p->functions[i]);
}

static void fill_program(struct report_row *row, const void *from, size_t i)
{
    static const struct report_column columns[] = {{.key = "function"},
                                                   TOTAL("")};
    const struct cy_program *p = from;
    const struct report_table functions =
        REPORT_TABLE(columns, p->n, fill_function, p, );

    (void)i;
    put_total(row, &p->total);
    report_rows(row, &functions);
}

void cy_report_data(struct report *out, const struct cy_report *r)
{
    static const struct report_column head[] = {
        {.key = "llvm_mca"},     {.key = "machine"}, {.key = "edges"},
        {.key = "instructions"}, {.key = "share"},   {.key = "left_out"}};
    static const struct report_column loops[] = {
        {.key = "function"},
        {.key = "region"},
        {.key = "line"},
        {.key = "address"},
        {.key = "instructions"},
        {.key = "rounds"},
        {.key = "entries"},
        {.key = "share"},
        {.key = "cycles_share"},
        {.key = "path_share"},
        {.key = "calls"},
        {.key = "units"},
        {.key = "llvm_mca"},
        {.key = "registers"},
        {.key = "memory"},
        {.key = "without_memory"},
        {.key = "predicted"},
        {.key = "short_runs"},
        {.key = "limited_by"},
        {.key = "memory_bound"},
        {.key = "edges"},
        {.key = "unfixed"},
        {.key = "failed_forwards"},
        {.key = "unknown_instructions"},
        {.key = "guessed_latencies"},
        {.key = "advice"},
        {.key = "chain"},
        {.key = "failed"}};
    static const struct report_column program[] = {
        TOTAL("program."), {.key = "program.functions"}};
    struct report_table table = REPORT_TABLE(head, 1, fill_head, r, );

    report_begin(out);
    report_table(out, &table);
    table = REPORT_TABLE(loops, cy_report_n(r), fill_data, r, .key = "loops");
    report_table(out, &table);
    if (r->program != NULL) {
        table = REPORT_TABLE(program, 1, fill_program, r->program, );
        report_table(out, &table);
    }
    report_end(out);
}
