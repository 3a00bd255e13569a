/*
 * cy_tables: what depbound found, as tables for any format.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>

#include "config.h"

#include "array.h"
#include "memory.h"
#include "report/internal.h"

/* --- Values --- */

static void put_place(struct report_row *row, struct report_column column,
                      const struct cy_report *r,
                      const struct cy_cost_of_loop *c, uint32_t step)
{
    char *place = cy_report_place_text(r, c, step);

    report_text(row, column, place);
    free(place);
}

static void put_line(struct report_row *row, struct report_column column,
                     const struct cy_report *r, const struct cy_cost_of_loop *c,
                     uint64_t address)
{
    char line[128];

    cy_code_line(r->code, c->loop->object, address, line, sizeof line);
    report_text(row, column, line[0] != '\0' ? line : NULL);
}

/* The source line where the function of a loop begins. */
static void put_function_line(struct report_row *row, const struct cy_report *r,
                              const struct cy_cost_of_loop *c)
{
    const struct cy_block *first = &r->data->blocks[c->loop->blocks[0]];

    if (first->has_function_start)
        put_line(row, R_KEY("function_line"), r, c, first->function_start);
    else
        report_none(row, R_KEY("function_line"));
}

/* A name or an instruction, and where it is. */
static void put_code(struct report_row *row, struct report_column column,
                     const struct cy_report *r, const struct cy_cost_of_loop *c,
                     const char *code, uint32_t step)
{
    char *place = cy_report_place_text(r, c, step);
    char *after = memory_printf(" %s", place);

    report_code(row, column, code, after);
    free(after);
    free(place);
}

/* --- Loops and the program, for people --- */

/* What a round takes by the windows, if the run has any. */
static void put_windows(struct report_row *row, const struct cy_report *r,
                        const struct cy_cost_of_loop *c)
{
    char text[32];

    if (r->windowed == NULL)
        return;
    cy_report_simulated_text(text, sizeof text, r, c);
    report_text(row, R_SEEN("windows", .width = 7, .flags = REPORT_CLOSE),
                text);
}

static void fill_loop(struct report_row *row, const void *from, size_t i)
{
    const struct report_column rounds =
        R_SEEN("rounds", .width = 10, .flags = REPORT_CLOSE);
    const struct report_column share =
        R_SEEN("share", .width = 6, .flags = REPORT_CLOSE, .format = "%.1f%%");
    const struct cy_report *r = from;
    const struct cy_cost_of_loop *c = &r->prediction->loops[i];
    char *name = cy_report_name_text(c);

    put_code(row,
             R_SEEN("loop", .shown = REPORT_SHOWN_MARKUP, .flags = REPORT_LEFT),
             r, c, name, 0);
    report_link(row, "l%zu", i);
    if (c->cycles.has_throughput)
        report_real(row, R_SEEN("units", .width = 7), c->cycles.throughput);
    else
        report_text(row, R_SEEN("units", .width = 7), "-");
    report_real(row, R_SEEN("registers", .flags = REPORT_CLOSE),
                c->bound.registers.cycles);
    report_printf(row, R_SEEN("memory", .width = 7, .flags = REPORT_CLOSE),
                  "%s%.2f", cy_report_mark(c), c->bound.memory.cycles);
    put_windows(row, r, c);
    report_text(row, R_SEEN("limited by", .flags = REPORT_LEFT),
                cy_report_limit(c));
    if (r->data->has_executions) {
        report_count(row, rounds, c->loop->rounds);
        report_real(row, share, cy_report_share(r, c));
    } else {
        report_text(row, rounds, "-");
        report_text(row, share, "-");
    }
    report_text(row,
                R_SEEN("loop", .shown = REPORT_SHOWN_TEXT, .width = 12,
                       .flags = REPORT_LEFT | REPORT_RAGGED | REPORT_CUT),
                name);
    put_place(row,
              R_SEEN("", .shown = REPORT_SHOWN_TEXT,
                     .flags = REPORT_LEFT | REPORT_RAGGED),
              r, c, 0);
    free(name);
}

struct report_table cy_table_loops(const struct cy_report *r)
{
    bool has_marks = false;

    for (size_t i = 0; i < cy_report_n(r); i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];

        struct cy_windowed_round round;

        has_marks |= cy_report_mark(c)[0] != '\0';
        has_marks |= r->windowed != NULL && cy_report_simulated(r, c, &round) &&
                     round.is_least;
    }
    return REPORT_TABLE(
        cy_report_n(r), fill_loop, r,
        .caption = has_marks ? "  cycles a round, by (>=: at least; ~: in some "
                               "rounds)"
                             : "  cycles a round, by",
        .is_plain = true);
}

/* The first row is the program, the others its functions. */
static const struct cy_total *total_of(const struct cy_report *r, size_t i)
{
    return i == 0 ? &r->program->total : &r->program->functions[i - 1];
}

static void fill_total(struct report_row *row, const void *from, size_t i)
{
    const struct report_column function =
        R_SEEN("function", .width = 12,
               .flags = REPORT_LEFT | REPORT_RAGGED | REPORT_CUT);
    const struct cy_report *r = from;
    const struct cy_total *t = total_of(r, i);
    char costs[32];

    if (i > r->n_shown ||
        100 * (double)t->instructions <
            r->min_share * (double)r->program->total.instructions)
        report_hide(row);
    report_real(row,
                R_SEEN("without", .unit = "cycles, if runs overlap",
                       .width = 14, .format = "%.4g"),
                t->low_mended);
    report_real(row,
                R_SEEN("with memory", .unit = "cycles, if runs overlap",
                       .width = 12, .flags = REPORT_CLOSE, .format = "%.4g"),
                t->low);
    report_real(row,
                R_SEEN("they chain", .unit = "or if", .width = 12,
                       .flags = REPORT_CLOSE, .format = "%.4g"),
                t->high);
    cy_report_memory_costs(costs, sizeof costs, r, t);
    report_text(row, R_SEEN("costs", .unit = "memory", .width = 8), costs);
    report_real(
        row, R_SEEN("modelled", .unit = "not", .width = 9, .format = "%.1f%%"),
        cy_report_unmodelled(t));
    if (t->function != NULL)
        report_function(row, function, t->function, NULL);
    else
        report_text(row, function,
                    i == 0 ? "the program" : "(functions without a name)");
}

struct report_table cy_table_program(const struct cy_report *r)
{
    return REPORT_TABLE(r->program->n + 1, fill_total, r, .is_plain = true);
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
                        const struct cy_link *l, const char *variable)
{
    const char *before = "";
    struct memory_stream text;

    memory_stream_open(&text);
    if (variable != NULL) {
        fprintf(text.out, "through %s", variable);
        before = "  ";
    }
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
        if (l->mean_rounds > l->rounds)
            fprintf(text.out, ", %.2f on average", l->mean_rounds);
        before = ", ";
    }
    if (cy_report_is_forward(l))
        fprintf(text.out, "%sdistance %" PRIu64, before,
                cy_report_distance(c, &l->forward, l->to));
    return memory_stream_close(&text);
}

/* The two ends of a link. */
static void put_ends(struct report_row *row, const struct cy_report *r,
                     const struct cy_cost_of_loop *c, uint32_t from,
                     uint32_t to)
{
    report_count(row, R_KEY("from.address"), c->insns[from].address);
    report_text(row, R_KEY("from.text"), c->insns[from].shown);
    put_line(row, R_KEY("from.line"), r, c, c->insns[from].address);
    report_count(row, R_KEY("to.address"), c->insns[to].address);
    report_text(row, R_KEY("to.text"), c->insns[to].shown);
    put_line(row, R_KEY("to.line"), r, c, c->insns[to].address);
}

static void fill_link(struct report_row *row, const void *from, size_t i)
{
    const struct links *links = from;
    const struct cy_cost_of_loop *c = links->loop;
    const struct cy_link *l = &cy_report_chain(c)->links[i];
    char *variable =
        l->wait == CY_WAIT_MEMORY
            ? cy_report_variable(links->report, c, &l->forward, l->to)
            : NULL;
    char *details = details_of(c, l, variable);

    report_text(row, R_KEY("wait"), cy_wait_name(l->wait));
    report_real(row, R_SEEN("cycles", .key = "cycles", .width = 7), l->cycles);
    report_text(row, R_SEEN("wait", .width = 8, .flags = REPORT_LEFT),
                cy_wait_name(l->wait));
    report_address(row, R_SEEN("address", .width = 6), c->insns[l->to].address);
    report_text(
        row,
        R_SEEN("instruction", .width = 16, .flags = REPORT_LEFT | REPORT_CUT),
        c->insns[l->to].shown);
    put_place(row, R_SEEN("line", .flags = REPORT_LEFT | REPORT_RAGGED),
              links->report, c, l->to);
    report_text(row,
                R_SEEN("", .flags = REPORT_LEFT | REPORT_RAGGED | REPORT_WRAP),
                details[0] != '\0' ? details : NULL);
    report_count(row, R_KEY("rounds"), l->rounds);
    if (cy_report_is_forward(l))
        report_count(row, R_KEY("distance"),
                     cy_report_distance(c, &l->forward, l->to));
    if (l->wait == CY_WAIT_MEMORY) {
        report_text(row, R_KEY("forwarding"), cy_how_name(l->how));
        report_text(row, R_KEY("relation"),
                    cy_relation_name(l->forward.relation));
        report_bool(row, R_KEY("observed"), l->forward.is_observed);
        report_real(row, R_KEY("support"), l->support);
        report_text(row, R_KEY("variable"), variable);
    }
    put_ends(row, links->report, c, l->from, l->to);
    free(details);
    free(variable);
}

static struct report_table table_of_links(const struct links *links)
{
    return REPORT_TABLE(cy_report_chain(links->loop)->n, fill_link, links,
                        .is_joined = true, .bare = REPORT_SHOWN_TEXT);
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
    char *variable = cy_report_variable(links->report, c, &f->forward, f->load);

    report_text(row, R_KEY("relation"), cy_relation_name(f->forward.relation));
    report_bool(row, R_KEY("observed"), f->forward.is_observed);
    report_real(row, R_KEY("cycles"), f->cycles);
    report_count(row, R_KEY("rounds"), f->rounds);
    report_count(row, R_KEY("distance"),
                 cy_report_distance(c, &f->forward, f->load));
    report_real(row, R_KEY("support"), f->support);
    report_text(row, R_KEY("variable"), variable);
    put_ends(row, links->report, c, f->store, f->load);
    free(variable);
}

static struct report_table table_of_failed(const struct links *links)
{
    return REPORT_TABLE(links->loop->bound.n_failed, fill_failed, links);
}

/* --- Dependencies, for programs --- */

/* Those of a loop. */
struct dependencies {
    const struct cy_report *report;
    const struct cy_cost_of_loop *loop;
    const struct cy_dependency *list;
};

static void fill_dependency(struct report_row *row, const void *from, size_t i)
{
    const struct dependencies *all = from;
    const struct cy_cost_of_loop *c = all->loop;
    const struct cy_dependency *d = &all->list[i];

    report_real(row, R_KEY("cycles"), d->cycles);
    report_count(row, R_KEY("rounds"), d->rounds);
    report_count(row, R_KEY("distance"),
                 cy_report_distance(c, d->forward, d->load));
    report_text(row, R_KEY("forwarding"), cy_how_name(d->how));
    report_text(row, R_KEY("relation"), cy_relation_name(d->forward->relation));
    report_bool(row, R_KEY("observed"), d->forward->is_observed);
    report_real(row, R_KEY("support"), d->support);
    put_ends(row, all->report, c, d->store, d->load);
}

/* Puts all dependencies of a loop. */
static void put_dependencies(struct report_row *row, const struct cy_report *r,
                             const struct cy_cost_of_loop *c)
{
    struct dependencies *all = report_alloc(row, sizeof *all);
    struct cy_dependency *list;
    struct report_table table;
    size_t n;

    list = cy_report_dependencies(c, &n);
    *all = (struct dependencies){r, c, list};
    report_keep(row, (char *)list);
    table = REPORT_TABLE(n, fill_dependency, all);
    report_rows(row, R_KEY("dependencies"), &table);
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
    char *variable = cy_report_variable(r, f->loop, f->forward, f->load);

    put_code(row, R_SEEN("loop", .flags = REPORT_LEFT), r, f->loop, name, 0);
    put_code(row, R_SEEN("store", .flags = REPORT_LEFT), r, f->loop,
             f->loop->insns[f->forward->store].text, f->forward->store);
    put_code(row, R_SEEN("load", .flags = REPORT_LEFT), r, f->loop,
             f->loop->insns[f->load].text, f->load);
    if (variable != NULL)
        report_code(row, R_SEEN("variable", .flags = REPORT_LEFT), variable,
                    NULL);
    else
        report_none(row, R_SEEN("variable", .flags = REPORT_LEFT));
    free(name);
    free(variable);
    report_count(row, R_SEEN("rounds"), f->forward->rounds);
    report_count(row, R_SEEN("distance"),
                 cy_report_distance(f->loop, f->forward, f->load));
    report_text(row, R_SEEN("forward", .flags = REPORT_LEFT),
                cy_how_name(f->how));
    report_printf(row, R_SEEN("bytes", .flags = REPORT_LEFT), "%s, %s",
                  cy_relation_name(f->forward->relation),
                  f->forward->is_observed ? "observed" : "predicted");
    report_real(row, R_SEEN("cycles"), f->cycles);
}

void cy_report_forwards(struct report *out, const struct cy_report *r)
{
    struct cy_forwards forwards = {.report = r};

    find_forwards(&forwards);
    if (forwards.n > 0) {
        struct report_table table =
            REPORT_TABLE(forwards.n, fill_forward, &forwards);

        report_table(out, &table);
    }
    free(forwards.list);
}

/* --- Everything, for programs --- */

/* What the user chose that changes figures. */
static void put_options(struct report_row *row, const struct cy_report *r)
{
    report_real(row, R_KEY("options.support"), 100 * r->choice->min_support);
    report_text(row, R_KEY("options.function"), r->choice->function);
    report_text(row, R_KEY("options.source"), r->choice->source);
    report_bool(row, R_KEY("options.unrolled"), r->choice->is_unrolled);
    report_text(row, R_KEY("options.initial"),
                r->is_same ? "same" : "different");
}

static void fill_head(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;

    (void)i;
    report_text(row, R_KEY("version"), PACKAGE_VERSION);
    report_text(row, R_KEY("llvm_mca"), r->mca);
    report_text(row, R_KEY("machine"),
                r->machine != NULL ? r->machine->name : NULL);
    report_text(row, R_KEY("stands_for"),
                r->machine != NULL ? r->machine->stands_for : NULL);
    report_bool(row, R_KEY("published"),
                r->machine != NULL && r->machine->is_published);
    report_text(row, R_KEY("edges"), cy_edges_name(r->edges));
    report_count(row, R_KEY("instructions"), r->data->instructions);
    report_real(row, R_KEY("share"), r->prediction->share);
    report_count(row, R_KEY("left_out"),
                 r->prediction->n - r->prediction->n_shown);
    report_count(row, R_KEY("beyond_top"),
                 r->prediction->n_shown - cy_report_n(r));
    put_options(row, r);
}

/* Puts a number, or null if it is not known. */
static void put_real(struct report_row *row, const char *key, bool is_known,
                     double number)
{
    if (is_known)
        report_real(row, R_KEY(key), number);
    else
        report_none(row, R_KEY(key));
}

static void put_total(struct report_row *row, const struct cy_total *t)
{
    report_count(row, R_KEY("instructions"), t->instructions);
    report_count(row, R_KEY("unmodelled"), t->unmodelled);
    report_real(row, R_KEY("llvm_mca"), t->mca);
    report_real(row, R_KEY("without_memory"), t->high_without);
    report_real(row, R_KEY("low_without_memory"), t->low_mended);
    report_real(row, R_KEY("low"), t->low);
    report_real(row, R_KEY("high"), t->high);
}

/* Puts what a round takes in the windows, if they have any. */
static void put_simulated(struct report_row *row, const struct cy_report *r,
                          const struct cy_cost_of_loop *c)
{
    struct cy_windowed_round round;
    bool is_known = cy_report_simulated(r, c, &round);

    put_real(row, "simulated", is_known, round.own + round.called);
    put_real(row, "simulated_calls", is_known, round.called);
    report_bool(row, R_KEY("simulated_at_least"), is_known && round.is_least);
    report_count(row, R_KEY("simulated_rounds"), round.rounds);
}

static void fill_data(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_cost_of_loop *c = &r->prediction->loops[i];
    struct links *links = report_alloc(row, sizeof *links);
    struct report_table chain, failed;
    char *advice = cy_report_advice_text(r, c);
    char *unknown = cy_report_unknown_text(r, c);

    *links = (struct links){r, c};
    chain = table_of_links(links);
    failed = table_of_failed(links);
    report_text(row, R_KEY("function"), c->function);
    put_function_line(row, r, c);
    report_text(row, R_KEY("region"), c->name);
    put_line(row, R_KEY("line"), r, c, c->address);
    report_count(row, R_KEY("address"), c->address);
    report_count(row, R_KEY("instructions"), c->n);
    report_count(row, R_KEY("rounds"), c->loop->rounds);
    report_count(row, R_KEY("entries"), c->loop->entries);
    report_real(row, R_KEY("share"), c->share);
    put_real(row, "cycles_share", r->program != NULL, cy_report_share(r, c));
    report_real(row, R_KEY("path_share"), c->loop->share_of_path);
    report_bool(row, R_KEY("calls"), c->loop->has_call);
    put_real(row, "units", c->cycles.has_throughput, c->cycles.throughput);
    put_real(row, "llvm_mca", c->cycles.has_throughput, c->region.total);
    report_real(row, R_KEY("registers"), c->bound.registers.cycles);
    report_real(row, R_KEY("memory"), c->bound.memory.cycles);
    report_real(row, R_KEY("without_memory"), c->cycles.without);
    report_real(row, R_KEY("predicted"), c->cycles.predicted);
    report_real(row, R_KEY("mended"), c->cycles.mended);
    report_bool(row, R_KEY("at_least"), cy_unknown_is_least(&c->unknown));
    report_text(row, R_KEY("not_known"), unknown[0] != '\0' ? unknown : NULL);
    report_real(row, R_KEY("short_runs"), c->cycles.short_runs);
    report_text(row, R_KEY("limited_by"), cy_report_limit(c));
    report_bool(row, R_KEY("memory_bound"), c->cycles.is_memory_bound);
    report_count(row, R_KEY("edges"), c->edges.n);
    report_count(row, R_KEY("unfixed"), c->edges.n_unfixed);
    report_count(row, R_KEY("failed_forwards"), c->bound.n_failed);
    report_count(row, R_KEY("unknown_instructions"),
                 c->bound.n_unknown_flow + c->region.n_unknown);
    report_count(row, R_KEY("guessed_latencies"), c->bound.n_unknown_cost);
    report_text(row, R_KEY("advice"), advice[0] != '\0' ? advice : NULL);
    if (r->windowed != NULL)
        put_simulated(row, r, c);
    report_rows(row, R_KEY("chain"), &chain);
    report_rows(row, R_KEY("failed"), &failed);
    put_dependencies(row, r, c);
    free(advice);
    free(unknown);
}

static void fill_function(struct report_row *row, const void *from, size_t i)
{
    const struct cy_program *p = from;

    report_text(row, R_KEY("function"), p->functions[i].function);
    put_total(row, &p->functions[i]);
}

/* The sums of the program, and of each of its functions. */
static void fill_program(struct report_row *row, const void *from, size_t i)
{
    const struct cy_program *p = from;
    const struct report_table functions = REPORT_TABLE(p->n, fill_function, p);

    (void)i;
    put_total(row, &p->total);
    report_rows(row, R_KEY("functions"), &functions);
}

void cy_report_data(struct report *out, const struct cy_report *r)
{
    struct report_table table = REPORT_TABLE(1, fill_head, r);

    report_begin(out);
    report_table(out, &table);
    table = REPORT_TABLE(cy_report_n(r), fill_data, r, .key = "loops");
    report_table(out, &table);
    if (r->program != NULL) {
        table = REPORT_TABLE(1, fill_program, r->program, .key = "program",
                             .is_object = true);
        report_table(out, &table);
    }
    if (r->windowed != NULL)
        cy_report_windows_data(out, r);
    if (r->comparison != NULL)
        cy_report_changes_data(out, r);
    report_end(out);
}
