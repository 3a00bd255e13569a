/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/internal.h"

#include "demangle.h"

/* The file of a loop or function, if any is of a library. */
static const struct report_column object_column =
    R_SEEN("object", .flags = R_LEFT | R_EXTRA);

/* --- Loops --- */

/* Is a listed loop of a library? */
static bool has_library(const struct cy_report *r)
{
    for (size_t i = 0; i < cy_report_n(r); i++)
        if (r->prediction->loops[i].loop->object != r->data->program)
            return true;
    return false;
}

static void fill_loop(struct report_row *row, const void *from, size_t i)
{
    const struct report_column memory =
        R_SEEN("memory", .width = 7, .flags = R_CLOSE);
    const struct report_column rounds =
        R_SEEN("iterations", .width = 10, .flags = R_CLOSE | R_EXTRA);
    const struct cy_report *r = from;
    const struct cy_cost_of_loop *c = &r->prediction->loops[i];
    AUTO_FREE char *name = cy_report_name(r, c);
    bool is_known = !cy_unknown_is_all(&c->unknown);
    const char *object = text_base_name(cy_report_object(r, c));
    struct cy_line place = cy_report_place(r, c, 0);
    /* The object has a column of its own. */
    size_t n = strlen(object),
           own = strncmp(place.text, object, n) == 0 && place.text[n] == '+'
                     ? n + 1
                     : 0;

    assert(i < cy_report_n(r));
    cy_put_code(row, R_SEEN("loop", .shown = R_IN_MARKUP, .flags = R_LEFT), r,
                c, name, 0);
    report_link(row, "l%zu", i);
    cy_put_real(row, R_SEEN("units", .width = 7, .flags = R_EXTRA),
                c->cycles.has_units && is_known, c->cycles.throughput);
    cy_put_real(row, R_SEEN("registers", .flags = R_CLOSE | R_EXTRA), is_known,
                c->cycles.mended);
    if (is_known)
        report_printf(row, memory, "%s%.2f", cy_report_mark(c),
                      c->cycles.predicted);
    else
        report_text(row, memory, "-");
    report_text(row, R_SEEN("limited by", .flags = R_LEFT | R_EXTRA),
                c->unknown.is_spin ? "another thread"
                                   : cy_limit_name(cy_report_limit(c)));
    if (r->data->has_executions)
        report_count(row, rounds, c->iterations);
    else
        report_text(row, rounds, "-");
    cy_put_real(
        row, R_SEEN("share", .width = 6, .flags = R_CLOSE, .format = "%.1f%%"),
        r->data->has_executions && (is_known || r->program == NULL),
        cy_report_whole_share(r, c));
    if (r->data->has_executions && cy_report_has_called(r))
        report_real(row,
                    R_SEEN("self", .width = 6, .flags = R_CLOSE | R_EXTRA,
                           .format = "%.1f%%"),
                    is_known ? cy_report_share(r, c) : 0);
    if (has_library(r))
        report_text(row, object_column, object);
    report_text(row,
                R_SEEN("loop", .shown = R_IN_TEXT, .width = 7,
                       .flags = R_LEFT | R_RAGGED | R_CUT),
                name);
    report_text(row, R_SEEN("", .shown = R_IN_TEXT, .flags = R_LEFT | R_RAGGED),
                place.text + own);
}

void cy_report_loops(struct report *out, const struct cy_report *r)
{
    bool has_marks = false;

    for (size_t i = 0; i < cy_report_n(r); i++)
        has_marks |= cy_report_mark(&r->prediction->loops[i])[0] != '\0';
    report_table(
        out, &REPORT_TABLE(cy_report_n(r), fill_loop, r, .id = "loops",
                           .caption = has_marks
                                          ? "  cycles an iteration, by (>=: at "
                                            "least; ~: in some iterations)"
                                          : "  cycles an iteration, by"));
}

/* --- The callers of a function, by the calls that windows have --- */

/* Who calls what jumps to a function, which returns, calls that, too.  Limits:
   a function that is jumped to, and does not return itself, counts as its
   caller's; calls of a function in itself do not count.  Where a window begins
   within a call, the caller is known only if the call returns in the window. */

/* For people: the most callers of a function, and the least share of its calls,
   in percent, that a named one has. */
#define MOST        2
#define LEAST_SHARE 10.0

/* By one of their calls, those with most cycles first. */
struct callers {
    const struct cy_windowed *windowed;
    struct caller {
        uint32_t insn;
        double cycles;
    } * list;
    size_t n_list, list_room;
    double cycles; /* of all calls */
};

/* Is an instruction in a function of a file of the windows? */
static bool is_in(const struct cy_windowed *w, uint32_t insn,
                  const char *function, uint32_t file)
{
    return w->names[insn] == function && w->simulated[insn].object == file;
}

ARRAY_ORDER(caller_order, struct caller,
            array_order(b->cycles, a->cycles) ?: array_order(a->insn, b->insn))

static void add(struct callers *all, const struct cy_windowed *w,
                const struct cy_called *call)
{
    size_t i = 0;

    while (i < all->n_list &&
           !is_in(w, all->list[i].insn, w->names[call->caller],
                  w->simulated[call->caller].object))
        i++;
    if (i == all->n_list)
        array_append(all, list, (struct caller){.insn = call->caller});
    all->list[i].cycles += call->cycles;
    all->cycles += call->cycles;
}

static struct callers callers_of(const struct cy_windowed *w,
                                 const struct cy_total *t)
{
    struct callers all = {.windowed = w};

    if (w == NULL || t->function == NULL)
        return all;
    for (size_t i = 0; i < w->outcome.n_calls; i++) {
        const struct cy_called *call = &w->outcome.calls[i];

        assert(call->caller < w->n_insns && call->callee < w->n_insns);
        /* A call that begins and ends in the function is there twice. */
        if (is_in(w, call->callee, t->function, t->file) &&
            (call->entry == call->callee ||
             !is_in(w, call->entry, t->function, t->file)) &&
            !is_in(w, call->caller, t->function, t->file))
            add(&all, w, call);
    }
    array_sort(all.list, all.n_list, caller_order);
    return all;
}

static double share_of(const struct callers *all, size_t i)
{
    return all->cycles > 0 ? 100 * all->list[i].cycles / all->cycles : 0;
}

/* A caller's name, or that of its file if it is not known. */
static char *name_of(const struct cy_windowed *w, uint32_t insn)
{
    const char *path = w->objects.objects[w->simulated[insn].object].path;

    return w->names[insn] != NULL ? demangle_names(w->names[insn], NULL)
                                  : memory_printf("(%s)", text_base_name(path));
}

/* "update 80%, main 20%", which the caller frees. */
static char *text_of(const struct callers *all)
{
    struct memory_stream text = memory_stream_open(&text);

    for (size_t i = 0;
         i < all->n_list && i < MOST && share_of(all, i) >= LEAST_SHARE; i++) {
        AUTO_FREE char *name = name_of(all->windowed, all->list[i].insn);

        fprintf(text.out, "%s%s %.0f%%", i > 0 ? ", " : "", name,
                share_of(all, i));
    }
    return memory_stream_close(&text);
}

static void fill_caller(struct report_row *row, const void *from, size_t i)
{
    const struct callers *all = from;
    const struct cy_windowed *w = all->windowed;
    const struct caller *c = &all->list[i];
    const struct cy_simulated_insn *insn = &w->simulated[c->insn];

    assert(i < all->n_list);
    report_text(row, R_KEY("function"), w->names[c->insn]);
    report_text(row, R_KEY("object"), w->objects.objects[insn->object].path);
    cy_put_line(row, R_KEY("line"), w->code, insn->object, insn->address);
    report_count(row, R_KEY("address"), insn->address);
    report_real(row, R_KEY("share"), share_of(all, i));
}

/* Puts the callers of a function, those with most of the cycles of its calls
   first; of one that is not shown, none. */
static void put_callers(struct report_row *row, const struct cy_report *r,
                        const struct cy_total *t, bool is_shown)
{
    if (!r->program->is_recorded)
        return;
    struct callers *all = report_alloc(row, sizeof *all);
    *all = is_shown ? callers_of(r->windowed, t) : (struct callers){0};
    AUTO_FREE char *text = text_of(all);
    report_text(row,
                R_SEEN("called by", .width = 12,
                       .flags = R_LEFT | R_RAGGED | R_CUT | R_EXTRA),
                text);
    report_keep(row, (char *)all->list);
    if (t->object != NULL)
        report_rows(row, R_KEY("callers"),
                    &REPORT_TABLE(all->n_list, fill_caller, all));
}

/* --- The program --- */

/* A function is analysed if its loops have this share of its instructions. */
#define MOSTLY 0.9

/* Formats the cost of memory in percent of the program: "3.0%"; ">=3.0%" if
   loops leave something out or much is in no loop; "-" if it was not
   analysed. */
static void memory_costs(char *text, size_t size, const struct cy_report *r,
                         const struct cy_total *t)
{
    bool is_program = t == &r->program->total,
         is_recorded = r->program->is_recorded;
    const char *mark = r->machine != NULL ? "" : ">=";
    double in_loops = 0, cost;

    for (size_t i = 0; i < r->prediction->n && !is_recorded; i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];

        if ((!is_program && t->function != c->function) || c->loop->rounds == 0)
            continue;
        in_loops += (double)c->loop->rounds * c->n;
        if (mark[0] != '~' && cy_report_mark(c)[0] != '\0')
            mark = cy_report_mark(c);
    }
    if (mark[0] == '\0' && !is_recorded && in_loops < MOSTLY * t->instructions)
        mark = ">=";
    cost = cy_report_part(r, t->cycles - t->mended);
    /* ">=0.0" would say nothing. */
    if ((r->choice->edges == CY_EDGES_NONE && !is_recorded) || t->mended <= 0 ||
        (mark[0] != '\0' && cost < 0.05))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%s%.1f%%", mark, cost);
}

static void put_total(struct report_row *row, const struct cy_report *r,
                      const struct cy_total *t)
{
    bool is_few = r->program->is_few,
         is_recorded = r->program->is_recorded && !is_few;
    unsigned shown = r->is_verbose ? 0 : R_IN_MARKUP;
    char costs[32];

    report_real(row,
                R_SEEN("share", .key = "share", .width = 8, .format = "%.1f%%"),
                cy_report_part(r, t->cycles));
    /* A few windows tell too little about the cycles of the whole run. */
    cy_put_real(row, R_SEEN("cycles", .width = 10, .format = "%.4g"), !is_few,
                t->cycles);
    cy_put_real(row, R_KEY("cycles"), !is_few, t->cycles);
    cy_put_real(row, R_KEY("mended"), !is_few, t->mended);
    cy_put_real(row, R_KEY("quickest"), is_recorded, t->quick);
    cy_put_real(row, R_KEY("slowest"), is_recorded, t->slow);
    report_real(row, R_KEY("instructions"), t->instructions);
    report_real(row, R_KEY("unmodelled"), t->unmodelled);
    report_real(row,
                R_SEEN("cycles", .shown = shown, .unit = "an instruction",
                       .width = 14, .flags = R_EXTRA),
                t->instructions > 0 ? t->cycles / t->instructions : 0);
    memory_costs(costs, sizeof costs, r, t);
    report_text(row,
                R_SEEN("costs", .shown = shown, .unit = "memory", .width = 8,
                       .flags = R_EXTRA),
                costs);
    report_real(row,
                R_SEEN("modelled", .shown = shown, .unit = "not", .width = 9,
                       .flags = R_EXTRA, .format = "%.1f%%"),
                cy_report_unmodelled(t));
}

/* The column of functions, which is the last one if callers are not known. */
static struct report_column function_column(const struct cy_report *r)
{
    return R_SEEN("function", .width = 12,
                  .flags = R_LEFT | R_CUT |
                           (r->program->is_recorded ? 0 : R_RAGGED));
}

/* Has the table that people see, which leaves out small functions, this one? */
static bool is_seen(const struct cy_report *r, size_t i)
{
    const struct cy_program *p = r->program;

    return i < r->n_shown && i < p->n &&
           p->functions[i].instructions * 100 >=
               r->choice->min_share * p->total.instructions;
}

/* Is a function that people see of an analysed library? */
static bool calls_library(const struct cy_report *r)
{
    const struct cy_program *p = r->program;

    for (size_t i = 0; i < r->n_shown && i < p->n; i++) {
        uint32_t file = p->functions[i].file;
        uint32_t object = p->is_recorded ? r->windowed->in_data[file] : file;

        if (is_seen(r, i) && object < r->data->n_objects &&
            object != r->data->program)
            return true;
    }
    return false;
}

/* Puts the object of a function, or of the whole program. */
static void put_object(struct report_row *row, const struct cy_report *r,
                       const char *path)
{
    if (calls_library(r))
        report_text(row, object_column,
                    path != NULL ? text_base_name(path) : NULL);
}

/* Puts a function, its aliases, and its address if another function has the
   same name, as functions local to their files may.  Code has several names
   where the linker folded equal functions, or where the source declared
   aliases. */
static void put_function(struct report_row *row, const struct cy_report *r,
                         const char *function, const char *others)
{
    const struct cy_block *block = cy_data_has_namesake(r->data, function)
                                       ? cy_data_of_function(r->data, function)
                                       : NULL;
    AUTO_FREE char *name = demangle_names(function, others), *whole = NULL;

    if (block != NULL && block->has_function_start) {
        struct cy_line line =
            cy_code_line(r->code, block->object, block->function_start);

        whole =
            line.text[0] != '\0'
                ? memory_printf("%s at %s", name, line.text)
                : memory_printf("%s at %#" PRIx64, name, block->function_start);
    }
    report_code(row, function_column(r), whole != NULL ? whole : name, NULL);
}

static void fill_program(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_program *p = r->program;
    double low = 0, high = 0;
    bool has_range = cy_model_range(r->machine, p, &low, &high);

    (void)i;
    put_total(row, r, &p->total);
    put_object(row, r, NULL);
    report_text(row, function_column(r), "the program");
    put_callers(row, r, &p->total, false);
    report_text(row, R_KEY("by"), p->is_recorded ? "windows" : "executions");
    cy_put_real(row, R_KEY("low"), !isnan(p->low), p->low);
    cy_put_real(row, R_KEY("high"), !isnan(p->high), p->high);
    cy_put_real(row, R_KEY("likely"), !isnan(p->low),
                cy_model_likely(r->machine, p));
    cy_put_real(row, R_KEY("least"), has_range, low);
    cy_put_real(row, R_KEY("most"), has_range, high);
    cy_put_real(row, R_KEY("with_most_cache"), !isnan(p->low), p->with_most);
    cy_put_real(row, R_KEY("with_least_cache"), !isnan(p->low), p->with_least);
}

static void fill_function(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_total *t = &r->program->functions[i];
    bool is_shown = is_seen(r, i);
    AUTO_FREE char *others = cy_report_other_names(r, t->function);

    assert(i < r->program->n);
    if (!is_shown)
        report_hide(row);
    put_total(row, r, t);
    put_object(row, r, t->object);
    if (!is_shown)
        report_none(row, function_column(r));
    else if (t->function != NULL)
        put_function(row, r, t->function, others);
    else
        report_printf(row, function_column(r), "(%s)",
                      text_base_name(t->object));
    put_callers(row, r, t, is_shown);
    report_text(row, R_KEY("function"), t->function);
    report_text(row, R_KEY("other_names"), others);
    report_text(row, R_KEY("object"), t->object);
}

/* For people: a row of the program, a function, or all start-up functions. */
static void fill_total(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    bool is_whole = !cy_choice_is_part(r->choice);

    assert(i < r->program->n + 2);
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
        put_object(row, r, NULL);
        report_text(row, function_column(r), "(loader, start and end)");
        put_callers(row, r, &start, false);
    }
}

static void fill_program_data(struct report_row *row, const void *from,
                              size_t i)
{
    const struct cy_report *r = from;

    fill_program(row, from, i);
    report_rows(row, R_KEY("functions"),
                &REPORT_TABLE(r->program->n, fill_function, r));
}

void cy_report_program(struct report *out, const struct cy_report *r)
{
    if (out->format == REPORT_JSON && r->program != NULL)
        report_table(out, &REPORT_TABLE(1, fill_program_data, r,
                                        .key = "program", .is_object = true));
    else if (r->program != NULL)
        report_table(out, &REPORT_TABLE(r->program->n + 2, fill_total, r,
                                        .id = "functions"));
}

/* --- Instructions of other code --- */

/* Windows have all code that ran: calls, outer loops, and other paths through a
   loop.  The listing of a loop shows only its own path, so the report tells the
   share of the other code, and its most costly instructions. */

struct other {
    uint32_t insn; /* index among the windows' instructions */
    double cycles;
};

struct others {
    const struct cy_report *report;
    struct other *list; /* the most costly first */
    size_t n, room;
    double listed; /* cycles of the instructions of listed loops */
};

/* Is the instruction of a loop that the report lists? */
static bool is_listed(const struct cy_report *r, uint32_t insn)
{
    for (size_t i = 0; i < cy_report_n(r); i++)
        if (cy_report_has(r, &r->prediction->loops[i], insn))
            return true;
    return false;
}

ARRAY_ORDER(other_order, struct other,
            array_order(b->cycles, a->cycles) ?: array_order(a->insn, b->insn))

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
    const char *text = cy_windowed_text(w, o->insn);

    assert(i < others->n && w->outcome.executed[o->insn] > 0);
    report_real(row, R_SEEN("share", .width = 8, .format = "%.1f%%"),
                cy_windowed_share(w, o->cycles));
    report_real(row,
                R_SEEN("cycles", .unit = "an execution", .width = 14,
                       .flags = R_CLOSE | R_EXTRA),
                o->cycles / w->outcome.weighed[o->insn]);
    report_code(row, R_SEEN("line", .flags = R_LEFT),
                cy_windowed_place(w, o->insn).text, NULL);
    report_code(
        row,
        R_SEEN("instruction", .width = 16, .flags = R_LEFT | R_RAGGED | R_CUT),
        text != NULL ? text : "(unknown)", NULL);
}

void cy_report_others(struct report *out, const struct cy_report *r)
{
    struct others others = {.report = r};
    size_t n = 0;

    find_others(&others);
    while (n < others.n && n < r->n_shown &&
           cy_windowed_share(r->windowed, others.list[n].cycles) >= 0.05)
        n++;
    fputc('\n', out->out);
    if (cy_report_n(r) > 0)
        report_paragraph(
            out, "the loops above have %.1f%% of the cycles in windows%s",
            cy_windowed_share(r->windowed, others.listed),
            n > 0 ? "; of other code, these instructions have most:" : "");
    else if (n > 0)
        report_paragraph(out, "these instructions have most cycles in "
                              "windows:");
    if (n > 0)
        report_table(out,
                     &REPORT_TABLE(n, fill_other, &others, .is_plain = true));
    free(others.list);
}
