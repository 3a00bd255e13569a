/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "memory.h"
#include "text.h"

/* --- Values --- */

void cy_put_place(struct report_row *row, struct report_column column,
                  const struct cy_report *r, const struct cy_cost_of_loop *c,
                  uint32_t step)
{
    char *place = cy_report_place_text(r, c, step);

    report_text(row, column, place);
    free(place);
}

void cy_put_line(struct report_row *row, struct report_column column,
                 const struct cy_report *r, const struct cy_cost_of_loop *c,
                 uint64_t address)
{
    char line[128];

    cy_code_line(r->code, c->loop->object, address, line, sizeof line);
    report_text(row, column, line[0] != '\0' ? line : NULL);
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

/* --- Loops and the program --- */

static void fill_loop(struct report_row *row, const void *from, size_t i)
{
    const struct report_column registers =
        R_SEEN("registers", .flags = REPORT_CLOSE | REPORT_EXTRA);
    const struct report_column memory =
        R_SEEN("memory", .width = 7, .flags = REPORT_CLOSE);
    const struct report_column rounds =
        R_SEEN("iterations", .width = 10, .flags = REPORT_CLOSE | REPORT_EXTRA);
    const struct report_column share =
        R_SEEN("share", .width = 6, .flags = REPORT_CLOSE, .format = "%.1f%%");
    const struct report_column own =
        R_SEEN("self", .width = 6, .flags = REPORT_CLOSE | REPORT_EXTRA,
               .format = "%.1f%%");
    const struct cy_report *r = from;
    const struct cy_cost_of_loop *c = &r->prediction->loops[i];
    char *name = cy_report_name_text(r, c);
    bool is_known = !cy_unknown_is_all(&c->unknown);

    put_code(row,
             R_SEEN("loop", .shown = REPORT_SHOWN_MARKUP, .flags = REPORT_LEFT),
             r, c, name, 0);
    report_link(row, "l%zu", i);
    if (c->cycles.has_units && is_known)
        report_real(row, R_SEEN("units", .width = 7, .flags = REPORT_EXTRA),
                    c->cycles.throughput);
    else
        report_text(row, R_SEEN("units", .width = 7, .flags = REPORT_EXTRA),
                    "-");
    if (is_known) {
        report_real(row, registers, c->cycles.mended);
        report_printf(row, memory, "%s%.2f", cy_report_mark(c),
                      c->cycles.predicted);
    } else {
        report_text(row, registers, "-");
        report_text(row, memory, "-");
    }
    report_text(row, R_SEEN("limited by", .flags = REPORT_LEFT | REPORT_EXTRA),
                cy_limit_name(cy_report_limit(c)));
    if (r->data->has_executions) {
        report_count(row, rounds, c->iterations);
        if (is_known || r->program == NULL)
            report_real(row, share, cy_report_whole_share(r, c));
        else
            report_text(row, share, "-");
        if (cy_report_has_called(r))
            report_real(row, own, is_known ? cy_report_share(r, c) : 0);
    } else {
        report_text(row, rounds, "-");
        report_text(row, share, "-");
    }
    report_text(row,
                R_SEEN("loop", .shown = REPORT_SHOWN_TEXT, .width = 7,
                       .flags = REPORT_LEFT | REPORT_RAGGED | REPORT_CUT),
                name);
    cy_put_place(row,
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

        has_marks |= cy_report_mark(c)[0] != '\0';
    }
    return REPORT_TABLE(
        cy_report_n(r), fill_loop, r,
        .caption = has_marks
                       ? "  cycles an iteration, by (>=: at least; ~: in some "
                         "iterations)"
                       : "  cycles an iteration, by",
        .id = "loops");
}

/* Puts cycles of the run, which few windows do not tell. */
static void put_cycles(struct report_row *row, struct report_column column,
                       const struct cy_report *r, double cycles)
{
    if (!r->program->is_few)
        report_real(row, column, cycles);
    else if (column.heading != NULL)
        report_text(row, column, "-");
    else
        report_none(row, column);
}

static void put_total(struct report_row *row, const struct cy_report *r,
                      const struct cy_total *t)
{
    char costs[32];

    report_real(row,
                R_SEEN("share", .key = "share", .width = 8, .format = "%.1f%%"),
                cy_report_part(r, t->cycles));
    put_cycles(row, R_SEEN("cycles", .width = 10, .format = "%.4g"), r,
               t->cycles);
    put_cycles(row, R_KEY("cycles"), r, t->cycles);
    put_cycles(row, R_KEY("mended"), r, t->mended);
    report_real(row, R_KEY("instructions"), t->instructions);
    report_real(row, R_KEY("unmodelled"), t->unmodelled);
    report_real(row,
                R_SEEN("cycles", .unit = "an instruction", .width = 14,
                       .flags = REPORT_EXTRA),
                t->instructions > 0 ? t->cycles / t->instructions : 0);
    cy_report_memory_costs(costs, sizeof costs, r, t);
    report_text(
        row,
        R_SEEN("costs", .unit = "memory", .width = 8, .flags = REPORT_EXTRA),
        costs);
    report_real(row,
                R_SEEN("modelled", .unit = "not", .width = 9,
                       .flags = REPORT_EXTRA, .format = "%.1f%%"),
                cy_report_unmodelled(t));
}

/* Puts an end of the interval, for programs. */
static void put_limit(struct report_row *row, const char *key, double cycles)
{
    if (isnan(cycles))
        report_none(row, R_KEY(key));
    else
        report_real(row, R_KEY(key), cycles);
}

static void fill_program(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_program *p = r->program;

    (void)i;
    put_total(row, r, &p->total);
    report_text(row, R_SEEN("function", .flags = REPORT_LEFT), "the program");
    report_text(row, R_KEY("by"), p->is_recorded ? "windows" : "executions");
    put_limit(row, "low", p->low);
    put_limit(row, "high", p->high);
}

static const struct report_column function_column = R_SEEN(
    "function", .width = 12, .flags = REPORT_LEFT | REPORT_RAGGED | REPORT_CUT);

bool cy_report_is_start(const struct cy_total *t)
{
    static const char *const names[] = {"_start",
                                        "_init",
                                        "_fini",
                                        "__libc_start_main",
                                        "__libc_start_call_main",
                                        "__libc_start_main_impl",
                                        "call_init",
                                        "frame_dummy",
                                        "register_tm_clones",
                                        "deregister_tm_clones",
                                        "__do_global_dtors_aux"};
    const char *file = text_base_name(t->object);

    if (strncmp(file, "ld-", 3) == 0 || strncmp(file, "ld.so", 5) == 0)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (t->function != NULL && strcmp(t->function, names[i]) == 0)
            return true;
    return false;
}

struct cy_total cy_report_start(const struct cy_report *r)
{
    struct cy_total sum = {0};

    for (size_t i = 0; i < r->program->n_all; i++)
        if (cy_report_is_start(&r->program->functions[i]))
            cy_total_add(&sum, &r->program->functions[i]);
    return sum;
}

double cy_report_missed(const struct cy_report *r)
{
    struct cy_total all = r->program->total, start = cy_report_start(r);

    return cy_report_part(r, all.cycles - all.steered -
                                 (start.cycles - start.steered));
}

static void fill_function(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_total *t = &r->program->functions[i];

    if (i >= r->n_shown ||
        t->instructions * 100 < r->min_share * r->program->total.instructions)
        report_hide(row);
    put_total(row, r, t);
    if (t->function != NULL)
        cy_put_function(row, function_column, r, t->function);
    else
        report_printf(row, function_column, "(%s)", text_base_name(t->object));
    report_text(row, R_KEY("function"), t->function);
    cy_put_other_names(row, r, t->function);
    report_text(row, R_KEY("object"), t->object);
}

/* For people: the program, its functions, and those of its start in a row. */
static void fill_total(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    bool is_whole = r->choice->function == NULL;

    if (i == 0) {
        fill_program(row, from, 0);
    } else if (i <= r->program->n) {
        if (is_whole && cy_report_is_start(&r->program->functions[i - 1]))
            report_hide(row);
        fill_function(row, from, i - 1);
    } else {
        struct cy_total start = cy_report_start(r);

        if (!is_whole || start.instructions == 0)
            report_hide(row);
        put_total(row, r, &start);
        report_text(row, function_column, "(loader, start and end)");
    }
}

struct report_table cy_table_program(const struct cy_report *r)
{
    return REPORT_TABLE(r->program->n + 2, fill_total, r, .id = "functions");
}

static void fill_program_data(struct report_row *row, const void *from,
                              size_t i)
{
    const struct cy_report *r = from;
    const struct report_table functions =
        REPORT_TABLE(r->program->n, fill_function, r);

    fill_program(row, from, i);
    report_rows(row, R_KEY("functions"), &functions);
}

struct report_table cy_table_program_data(const struct cy_report *r)
{
    return REPORT_TABLE(1, fill_program_data, r, .key = "program",
                        .is_object = true);
}

/* --- Forwards --- */

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
            const struct cy_link *l = &c->bound.failed[j];

            array_push(
                f->list, f->n, f->capacity,
                (struct forward){c, &l->forward, l->to, CY_FAILED, l->cycles});
        }
    }
}

static void fill_forward(struct report_row *row, const void *from, size_t i)
{
    const struct cy_forwards *forwards = from;
    const struct cy_report *r = forwards->report;
    const struct forward *f = &forwards->list[i];
    char *name = cy_report_name_text(r, f->loop);
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
    report_count(row, R_SEEN("iterations"), f->forward->rounds);
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

/* --- Instructions of other code --- */

/* Windows have all code that ran: calls, outer loops, and other ways around a
   loop.  A listing of a loop has none of these, so the report says how much
   they are, and which of their instructions have most cycles. */

struct other {
    uint32_t insn; /* of the windows */
    double cycles;
};

struct others {
    const struct cy_report *report;
    struct other *list; /* the most costly first */
    size_t n, room;
    double listed; /* cycles of the instructions of loops */
};

/* Is the instruction of a loop that the report lists? */
static bool is_listed(const struct cy_report *r, uint32_t insn)
{
    const struct cy_simulated_insn *simulated = &r->windowed->simulated[insn];
    uint32_t object = r->windowed->in_data[simulated->object];

    for (size_t i = 0; i < cy_report_n(r); i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];

        for (uint32_t j = 0; j < c->n && c->loop->object == object; j++)
            if (c->insns[j].address == simulated->address)
                return true;
    }
    return false;
}

static int other_order(const void *pa, const void *pb)
{
    const struct other *a = pa, *b = pb;

    return array_order(b->cycles, a->cycles) ?: array_order(a->insn, b->insn);
}

static void find_others(struct others *others)
{
    const struct cy_windowed *w = others->report->windowed;

    for (uint32_t i = 0; i < w->n_insns; i++) {
        struct other other = {i, w->outcome.by_insn[i]};

        if (w->outcome.executed[i] == 0 || !cy_windowed_is_asked(w, i))
            continue;
        if (is_listed(others->report, i))
            others->listed += other.cycles;
        else
            array_push(others->list, others->n, others->room, other);
    }
    array_sort(others->list, others->n, other_order);
}

static void fill_other(struct report_row *row, const void *from, size_t i)
{
    const struct others *others = from;
    const struct cy_windowed *w = others->report->windowed;
    const struct other *o = &others->list[i];
    const char *text = cy_report_windowed_text(w, o->insn);
    char *place = cy_report_windowed_place(w, o->insn);

    report_real(row, R_SEEN("share", .width = 8, .format = "%.1f%%"),
                cy_report_windowed_share(others->report, o->cycles));
    report_real(row,
                R_SEEN("cycles", .unit = "an execution", .width = 14,
                       .flags = REPORT_CLOSE | REPORT_EXTRA),
                o->cycles / w->outcome.weighed[o->insn]);
    report_code(row, R_SEEN("line", .flags = REPORT_LEFT), place, NULL);
    report_code(row,
                R_SEEN("instruction", .width = 16,
                       .flags = REPORT_LEFT | REPORT_RAGGED | REPORT_CUT),
                text != NULL ? text : "(unknown)", NULL);
    free(place);
}

void cy_report_others(struct report *out, const struct cy_report *r)
{
    struct others others = {.report = r};
    size_t n = 0;

    find_others(&others);
    while (n < others.n && n < r->n_shown &&
           cy_report_windowed_share(r, others.list[n].cycles) >= 0.05)
        n++;
    fputc('\n', out->out);
    if (cy_report_n(r) > 0)
        report_paragraph(
            out, "the loops above have %.1f%% of the cycles in windows%s",
            cy_report_windowed_share(r, others.listed),
            n > 0 ? "; of other code, these instructions have most:" : "");
    else if (n > 0)
        report_paragraph(out, "these instructions have most cycles in "
                              "windows:");
    if (n > 0) {
        const struct report_table table =
            REPORT_TABLE(n, fill_other, &others, .is_plain = true);

        report_table(out, &table);
    }
    free(others.list);
}
