/* cy_windows: what the windows of a run say, for people and for programs. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "demangle.h"
#include "report/internal.h"

#define SEEN 0.05 /* percent; the least share that rounds to 0.1 */

static const char *const near_keys[CY_NEAR_BINS] = {
    "stores_between.1",  "stores_between.2",   "stores_between.4",
    "stores_between.8",  "stores_between.16",  "stores_between.32",
    "stores_between.64", "stores_between.128", "stores_between.more",
};

static const char *const basis_keys[CY_N_BASES] = {
    [CY_MEASURED] = "basis.measured",
    [CY_PUBLISHED] = "basis.published",
    [CY_GUESSED] = "basis.guessed",
};

static double of_insn(const struct cy_windowed *w)
{
    return w->outcome.cycles / (double)w->outcome.instructions;
}

/* --- Tables --- */

/* The most costly pair whose load is in a source line; NULL: there is none. */
static const struct cy_windowed_pair *waits_in(const struct cy_windowed *w,
                                               const char *line)
{
    for (size_t i = 0; i < w->n_pairs; i++)
        if (w->pairs[i].cycles > 0 &&
            strcmp(cy_windowed_place(w, w->pairs[i].load).text, line) == 0)
            return &w->pairs[i];
    return NULL;
}

/* Programs get all lines that are known, people only the first ones. */
static void fill_line(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_windowed *w = r->windowed;
    const struct cy_windowed_line *l = &w->lines[i];
    const struct cy_simulated_insn *insn = &w->simulated[l->insn];
    bool is_shown = i < r->n_shown &&
                    cy_windowed_share(w, fmax(l->path, l->cycles)) >= SEEN;
    const struct cy_windowed_pair *waits =
        is_shown ? waits_in(w, l->line) : NULL;

    assert(l->insn < w->n_insns && l->line[0] != '\0');
    assert(i == 0 || w->lines[i - 1].path >= l->path);
    if (!is_shown)
        report_hide(row);
    report_text(row, R_KEY("line"), l->line);
    report_text(row, R_KEY("object"), w->objects.objects[l->object].path);
    report_real(row, R_KEY("instructions"), l->executed);
    report_real(row, R_KEY("cycles"), l->cycles);
    report_real(row, R_KEY("share"), cy_windowed_share(w, l->cycles));
    report_real(
        row,
        R_SEEN("critical path", .key = "path", .width = 14, .format = "%.1f%%"),
        cy_windowed_share(w, l->path));
    report_real(
        row, R_SEEN("share", .width = 8, .flags = R_EXTRA, .format = "%.1f%%"),
        cy_windowed_share(w, l->cycles));
    report_real(row,
                R_SEEN("cycles", .unit = "an instruction", .width = 14,
                       .flags = R_CLOSE | R_EXTRA),
                l->cycles / l->executed);
    report_code(row, R_SEEN("line", .flags = R_LEFT), l->line, NULL);
    report_text(row, R_SEEN("waits for", .flags = R_LEFT | R_RAGGED),
                waits != NULL ? cy_windowed_place(w, waits->store).text : NULL);
    if (r->annotates)
        report_text(row,
                    R_SEEN("source", .shown = R_IN_TEXT, .width = 16,
                           .flags = R_LEFT | R_RAGGED | R_CUT),
                    is_shown
                        ? cy_code_source(w->code, insn->object, insn->address)
                        : NULL);
}

/* Puts one end of a pair, for programs. */
static void put_end(struct report_row *row, const struct cy_windowed *w,
                    bool is_store, uint32_t insn)
{
    const struct cy_simulated_insn *i = &w->simulated[insn];

    assert(insn < w->n_insns && i->object < w->objects.n_objects);
    report_text(row, is_store ? R_KEY("store_object") : R_KEY("load_object"),
                w->objects.objects[i->object].path);
    report_count(row, is_store ? R_KEY("store") : R_KEY("load"), i->address);
    report_text(
        row, is_store ? R_KEY("store_instruction") : R_KEY("load_instruction"),
        cy_windowed_text(w, insn));
    cy_put_line(row, is_store ? R_KEY("store_line") : R_KEY("load_line"),
                w->code, i->object, i->address);
}

static void fill_pair(struct report_row *row, const void *from, size_t i)
{
    const struct report_column gains =
        R_SEEN("gains", .unit = "a register", .width = 10,
               .flags = R_CLOSE | R_EXTRA, .format = "%.1f%%");
    const struct cy_report *r = from;
    const struct cy_windowed *w = r->windowed;
    const struct cy_windowed_pair *p = &w->pairs[i];
    AUTO_FREE char *variable = cy_windowed_variable(r, p);

    assert(i < w->n_pairs && p->fix < w->n_pairs);
    assert(i == 0 || w->pairs[i - 1].cycles >= p->cycles);
    if (i >= r->n_shown)
        report_hide(row);
    put_end(row, w, true, p->store);
    put_end(row, w, false, p->load);
    report_count(row, R_KEY("passages"), p->n);
    report_real(row, R_KEY("cycles"), p->cycles);
    report_real(row, R_KEY("failed"), p->failed);
    report_real(row,
                R_SEEN("share", .key = "share", .width = 8, .format = "%.1f%%"),
                cy_windowed_share(w, p->cycles));
    report_real(row,
                R_SEEN("failed", .unit = "of it", .width = 8,
                       .flags = R_CLOSE | R_EXTRA, .format = "%.1f%%"),
                cy_windowed_share(w, p->failed));
    report_count(row, R_KEY("fix"), p->fix + 1);
    cy_put_real(row, R_KEY("gain"), p->gain >= 0,
                cy_windowed_share(w, p->gain));
    if (p->gain >= 0 && p->fix == i)
        report_real(row, gains, cy_windowed_share(w, p->gain));
    else
        report_text(row, gains, p->fix < i ? "same" : "-");
    report_code(row, R_SEEN("load", .flags = R_LEFT),
                cy_windowed_place(w, p->load).text, NULL);
    report_code(row, R_SEEN("waits for store", .flags = R_LEFT),
                cy_windowed_place(w, p->store).text, NULL);
    report_text(row,
                R_SEEN("through", .key = "variable",
                       .flags = R_LEFT | R_RAGGED | R_EXTRA),
                variable);
}

/* --- For people --- */

static void write_causes(struct report *out, const struct cy_windowed *w)
{
    const char *before = "";
    struct memory_stream text = memory_stream_open(&text);

    for (unsigned i = 0; i < CY_N_CAUSES; i++) {
        double share = cy_windowed_share(w, w->outcome.causes[i]);

        if (share < 0.05)
            continue;
        fprintf(text.out, "%s%s %.1f%%", before, cy_cause_text(i), share);
        before = ", ";
    }
    report_add_paragraph(out, memory_stream_close(&text));
}

/* Writes what the model does not know about the windows. */
static void write_left_out(struct report *out, const struct cy_windowed *w)
{
    const struct cy_outcome *o = &w->outcome;

    AUTO_FREE char *touches =
        w->has_caches ? memory_text("")
                      : memory_printf("%" PRIu64 " first touches of a line, ",
                                      o->n_first_touches);

    report_paragraph(out,
                     "not modelled: %s%" PRIu64 " system calls, %" PRIu64
                     " instructions that are not known, %" PRIu64
                     " whose cost is guessed, %" PRIu64
                     " atomics and fences whose cost is not known, %" PRIu64
                     " iterations of string instructions, %" PRIu64
                     " prefetch instructions, %" PRIu64
                     " forwards whose cost is guessed%s",
                     touches, o->n_system_calls, o->n_unknown, o->n_guessed,
                     o->n_ordered, o->n_rounds, o->n_prefetches, o->n_no_rules,
                     o->penalty_is_typical && o->n_missed > 0
                         ? "; a misprediction costs a typical figure"
                         : "");
}

/* The number of pairs that cost something. */
static size_t n_pairs(const struct cy_windowed *w)
{
    size_t n = 0;

    while (n < w->n_pairs && cy_windowed_share(w, w->pairs[n].cycles) >= SEEN)
        n++;
    return n;
}

/* The listed functions' percentage of the cycles: 100, unless one was asked
   for. */
static double listed(const struct cy_report *r)
{
    double share = 0;

    for (size_t i = 0; i < r->program->n; i++)
        share += cy_report_part(r, r->program->functions[i].cycles);
    return share;
}

/* The share of the functions' code whose source lines are not known. */
static double without_line(const struct cy_report *r)
{
    const struct cy_windowed *w = r->windowed;
    double known = 0;

    for (size_t i = 0; i < w->n_lines; i++)
        known += cy_windowed_share(w, w->lines[i].cycles);
    return listed(r) - known;
}

static void write_asked(struct report *out, const struct cy_report *r)
{
    const struct cy_wish *wish = &r->choice->wish;

    if (!cy_choice_is_part(r->choice))
        return;
    AUTO_FREE char *objects = cy_report_objects(r);
    AUTO_FREE char *text =
        wish->function == NULL ? memory_text(objects)
        : wish->n_objects == 0
            ? memory_text(wish->function)
            : memory_printf("%s of %s", wish->function, objects);
    if (r->program->n > 0)
        report_paragraph(out,
                         "%s has %.1f%% of these cycles; below are its lines, "
                         "and the pairs with an end in it",
                         text, listed(r));
    else
        report_paragraph(out, "no instruction of %s counts in a window", text);
}

/* Writes how much depends on the last cache, if that is more than the choice of
   windows. */
static void write_ends(FILE *out, const struct cy_report *r)
{
    const struct cy_program *p = r->program;
    const struct cy_memory *m = &cy_machine_facts(r->windowed->machine)->memory;

    if (p->with_least - p->with_most > p->high - p->low)
        fprintf(out,
                "; %.3g to %.3g, as much (%.4g MiB) or as little (%.4g MiB) of "
                "the last cache is its own%s",
                p->with_most, p->with_least, m->l3_most_kib / 1024,
                m->l3_least_kib / 1024,
                cy_windowed_prefetches(r->windowed)
                    ? ", and prefetch instructions bring all lines or none"
                    : "");
}

/* Writes how far the model itself may be off. */
static void write_error(FILE *out, const struct cy_report *r)
{
    double least, most;

    if (r->machine == NULL || r->machine->model_error.programs == 0)
        fputs("; the error of the model itself was not measured on this "
              "processor",
              out);
    else if (cy_model_range(r->machine, r->program, &least, &most))
        fprintf(out,
                "; %.3g to %.3g, most likely %.4g, with the error of the "
                "model, as %g programs showed it",
                least, most, cy_model_likely(r->machine, r->program),
                r->machine->model_error.programs);
}

/* Which caches the cycles are for. */
static char *caches_text(const struct cy_windowed *w)
{
    if (!w->has_caches)
        return memory_text("if all data are in the first cache");
    const struct cy_memory *m = &cy_machine_facts(w->machine)->memory;
    return memory_printf("with caches of %.4g, %.4g and %.5g KiB%s",
                         m->data.kib, m->beyond[0].kib, m->beyond[1].kib,
                         m->l3_lifetime > 0 ? ", the last of which others use"
                                            : "");
}

/* Writes the cycles of the whole run that the windows are samples of. */
static void write_whole(struct report *out, const struct cy_report *r)
{
    const struct cy_windowed *w = r->windowed;
    char part[64] = "";
    AUTO_FREE char *caches = caches_text(w);
    struct memory_stream times = memory_stream_open(&times);

    cy_report_time(times.out, r, r->program->total.cycles, true);
    AUTO_FREE char *time = memory_stream_close(&times);
    struct memory_stream errors = memory_stream_open(&errors);
    write_ends(errors.out, r);
    write_error(errors.out, r);
    AUTO_FREE char *error = memory_stream_close(&errors);
    if (w->windows.recorded < r->data->instructions)
        snprintf(part, sizeof part, " for %.3g %% of what was executed",
                 100 * (double)w->windows.recorded /
                     (double)r->data->instructions);
    if (w->has_interval)
        report_paragraph(
            out,
            "%.4g cycles%s%s, %s; "
            "%.2g %% more or less by the choice of the %zu samples "
            "(%" PRIu64 " instructions); %.2f instructions a cycle%s",
            r->program->total.cycles, time, part, caches,
            100 * fmax(r->program->high / r->program->total.cycles - 1,
                       1 - r->program->low / r->program->total.cycles),
            w->outcome.n_windows, w->outcome.instructions, 1 / of_insn(w),
            error);
    else
        report_paragraph(
            out,
            "%.2f cycles an instruction%s, %s, from %zu sample%s with %" PRIu64
            " instructions: too few to say what the program "
            "takes",
            of_insn(w), part, caches, w->outcome.n_windows,
            w->outcome.n_windows == 1 ? "" : "s", w->outcome.instructions);
    if (cy_report_waiting(r) >= SEEN)
        report_paragraph(out,
                         "%.0f %% of the executed instructions are in loops "
                         "that wait for another thread: one thread ran at a "
                         "time, so these cycles are not what the program takes",
                         cy_report_waiting(r));
    if (w->windows.n_without > 0)
        report_paragraph(out,
                         "no windows, so not in these figures: %zu of %zu "
                         "runs, with %.3g %% of what was recorded",
                         w->windows.n_without, w->windows.n_runs,
                         100 *
                             (double)(r->data->recorded - w->windows.recorded) /
                             (double)r->data->recorded);
}

/* Writes what the figures rest on of which the program's cycles are made. */
static void write_basis(struct report *out, const struct cy_windowed *w)
{
    double measured = cy_windowed_share(w, w->basis[CY_MEASURED]),
           guessed = cy_windowed_share(w, w->basis[CY_GUESSED]);

    report_paragraph(out,
                     "These rest on measured figures for %.0f %%, on published "
                     "ones for %.0f %%, on guesses for %.0f %%.",
                     measured, fmax(0, 100 - round(measured) - round(guessed)),
                     guessed);
}

/* Writes the range of the functions, of those that have a good part of the
   cycles, for which the core's speeds make much of a difference. */
static void write_speeds(struct report *out, const struct cy_report *r)
{
    const struct cy_program *p = r->program;
    struct memory_stream text = memory_stream_open(&text);
    bool is_any = false;

    fputs("not known: which of its speeds the processor has for branches and "
          "renamed loads of",
          text.out);
    for (size_t i = 0; i < p->n && i < r->n_shown; i++) {
        const struct cy_total *t = &p->functions[i];

        if (t->function == NULL || !cy_total_is_unsteady(t) ||
            cy_report_part(r, t->cycles) < r->choice->min_share)
            continue;
        AUTO_FREE char *name = demangle_names(t->function, NULL);
        fprintf(text.out, "%s %s (%+ld to %+ld %%)", is_any ? "," : "", name,
                lround(100 * (t->quick / t->cycles - 1)),
                lround(100 * (t->slow / t->cycles - 1)));
        is_any = true;
    }
    AUTO_FREE char *line = memory_stream_close(&text);
    if (is_any)
        report_paragraph(out, "%s", line);
}

/* If the listed loops have a smaller share, in percent, functions tell more. */
#define MOSTLY 50.0

/* The listed loops' percentage of the cycles. */
static double in_loops(const struct cy_report *r)
{
    double share = 0;

    for (size_t i = 0; i < cy_report_n(r); i++)
        share += cy_report_share(r, &r->prediction->loops[i]);
    return share;
}

static void write_windows(struct report *out, const struct cy_report *r)
{
    const struct cy_windowed *w = r->windowed;
    bool is_short = out->format == REPORT_TEXT && !r->is_verbose;

    if (is_short)
        fputc('\n', out->out);
    else
        report_heading(out, "windows of what ran");
    if (!cy_windowed_is_known(w)) {
        report_paragraph(out,
                         "not known: what %" PRIu64 " of %" PRIu64
                         " instructions take, which are atomic or fences and "
                         "whose cost the machine file does not say; depbound "
                         "--calibrate measures it",
                         w->outcome.n_ordered, w->outcome.instructions);
        return;
    }
    write_whole(out, r);
    write_basis(out, w);
    write_speeds(out, r);
    if (is_short) {
        write_asked(out, r);
        if (in_loops(r) < MOSTLY)
            cy_report_program(out, r);
        cy_report_misses(out, r, true);
        return;
    }
    write_causes(out, w);
    if (cy_windowed_share(w, w->wide_gain) >= SEEN)
        report_paragraph(out, "without failed forwards: %.1f%% less",
                         cy_windowed_share(w, w->wide_gain));
    if (cy_report_missed(r) >= SEEN)
        report_paragraph(out, "without mispredictions: %.1f%% less",
                         cy_report_missed(r));
    write_left_out(out, w);
    write_asked(out, r);
    cy_report_misses(out, r, false);
    cy_report_program(out, r);
    if (without_line(r) >= SEEN)
        report_paragraph(out, "without a known source line: %.1f%%",
                         without_line(r));
    report_table(out, &REPORT_TABLE(w->n_lines, fill_line, r, .id = "lines"));
    report_table(out, &REPORT_TABLE(n_pairs(w), fill_pair, r, .id = "pairs"));
}

/* --- For programs --- */

static void fill_windows(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_windowed *w = r->windowed;
    const struct cy_outcome *o = &w->outcome;
    bool is_known = cy_windowed_is_known(w);

    (void)i;
    report_count(row, R_KEY("windows"), o->n_windows);
    report_count(row, R_KEY("instructions"), o->instructions);
    cy_put_real(row, R_KEY("cycles"), is_known, o->cycles);
    report_count(row, R_KEY("recorded"), w->windows.recorded);
    report_count(row, R_KEY("runs"), w->windows.n_runs);
    report_count(row, R_KEY("runs_without"), w->windows.n_without);
    for (unsigned c = 0; c < CY_N_CAUSES; c++)
        cy_put_real(row, R_KEY(cy_cause_key(c)), is_known, o->causes[c]);
    for (enum cy_basis b = 0; b < CY_N_BASES; b++)
        cy_put_real(row, R_KEY(basis_keys[b]), is_known, w->basis[b]);
    for (unsigned f = 0; f < CY_N_FULL; f++)
        cy_put_real(row, R_KEY(cy_full_key(f)), is_known, o->full[f]);
    cy_put_real(row, R_KEY("wide_gain"), is_known,
                cy_windowed_share(w, w->wide_gain));
    cy_put_real(row, R_KEY("predicted_gain"), is_known,
                cy_windowed_share(w, w->predicted_gain));
    report_count(row, R_KEY("branches"), o->n_branches);
    report_count(row, R_KEY("mispredicted"), o->n_missed);
    report_bool(row, R_KEY("typical_penalty"), o->penalty_is_typical);
    report_count(row, R_KEY("first_touches"), o->n_first_touches);
    report_count(row, R_KEY("system_calls"), o->n_system_calls);
    report_count(row, R_KEY("unknown_instructions"), o->n_unknown);
    report_count(row, R_KEY("guessed_costs"), o->n_guessed);
    report_count(row, R_KEY("unknown_order"), o->n_ordered);
    report_count(row, R_KEY("string_rounds"), o->n_rounds);
    report_count(row, R_KEY("prefetches"), o->n_prefetches);
    report_count(row, R_KEY("no_rules"), o->n_no_rules);
    for (unsigned b = 0; b < CY_NEAR_BINS; b++)
        report_real(row, R_KEY(near_keys[b]), w->near.bins[b]);
    if (r->choice->wish.function != NULL)
        report_text(row, R_KEY("function"), r->choice->wish.function);
    cy_put_misses(row, r);
    report_rows(row, R_KEY("lines"),
                &REPORT_TABLE(is_known ? w->n_lines : 0, fill_line, r));
    report_rows(row, R_KEY("pairs"),
                &REPORT_TABLE(is_known ? n_pairs(w) : 0, fill_pair, r));
}

void cy_report_windows(struct report *out, const struct cy_report *r)
{
    if (r->windowed == NULL)
        return;
    if (out->format == REPORT_JSON)
        report_table(out, &REPORT_TABLE(1, fill_windows, r, .key = "windows",
                                        .is_object = true));
    else
        write_windows(out, r);
}
