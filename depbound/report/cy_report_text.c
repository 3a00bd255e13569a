/* cy_report_text: the report for a terminal. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/internal.h"
#include "output.h"

#define LEAST_TEXT 16

enum colour { PLAIN, BOLD, RED };

static const char *paint(const struct cy_report *report, enum colour colour)
{
    static const char *const codes[] = {
        [PLAIN] = "\033[m", [BOLD] = "\033[1m", [RED] = "\033[31m"};

    return report->has_colour ? codes[colour] : "";
}

/* Writes the collected lines, folded to fit the terminal, and frees them. */
static void write_gathered(FILE *out, const struct cy_report *r,
                           struct memory_stream *lines)
{
    AUTO_FREE char *text = memory_stream_close(lines);

    terminal_fold(out, text, 4, r->width);
}

static void write_head(FILE *out, const struct cy_report *r)
{
    struct memory_stream lines = memory_stream_open(&lines);

    for (unsigned i = 0; i < CY_N_NOTICES; i++) {
        AUTO_FREE char *notice = cy_report_notice(r, i);

        if (notice != NULL)
            fprintf(lines.out, "%s\n", notice);
    }
    cy_report_scope(lines.out, r);
    fputs("\nunits: ", lines.out);
    terminal_write(lines.out,
                   r->mca != NULL
                       ? r->mca
                       : "only the width of the processor (no llvm-mca)");
    fputs("; machine file: ", lines.out);
    terminal_write(lines.out, r->machine != NULL ? r->machine->name : "none");
    fprintf(lines.out, "; edges through memory: %s\n",
            cy_edges_name(r->choice->edges));
    if (r->data->has_executions) {
        fputs("share: ", lines.out);
        cy_report_share_of(lines.out, r);
        fputc('\n', lines.out);
    }
    write_gathered(out, r, &lines);
}

static void write_failed(FILE *out, const struct cy_report *r,
                         const struct cy_cost_of_loop *c)
{
    for (unsigned i = 0; i < c->bound.n_failed; i++) {
        const struct cy_link *f = &c->bound.failed[i];
        AUTO_FREE char *variable = cy_report_variable(r, c, &f->forward, f->to);

        fprintf(out, "  Failed forward of %.2f cycles, from %s to %s%s%s  ",
                f->cycles, cy_report_place(r, c, f->from).text,
                cy_report_place(r, c, f->to).text,
                variable != NULL ? ", through " : "",
                variable != NULL ? variable : "");
        cy_report_failed(out, c, f);
        fputc('\n', out);
    }
}

static void write_chain(struct report *out, const struct cy_report *r,
                        const struct cy_cost_of_loop *c)
{
    const struct cy_chain *chain = cy_report_chain(c);
    double cycles = 0, rounds = 0;

    if (chain->n == 0)
        return;
    for (size_t i = 0; i < chain->n; i++) {
        cycles += chain->links[i].cycles;
        rounds += chain->links[i].mean_rounds;
    }
    if (chain->is_recorded)
        report_paragraph(out, "  most of the cycles of an iteration:");
    else
        report_paragraph(
            out, "  chain of %.2f cycles in %.*f iteration%s:", cycles,
            rounds == floor(rounds) ? 0 : 2, rounds, rounds == 1 ? "" : "s");
    cy_report_links(out, r, c);
}

static void write_heading(FILE *out, const struct cy_report *r,
                          const struct cy_cost_of_loop *c)
{
    const char *limit = cy_limit_name(cy_report_limit(c));
    const double *without = cy_report_without(c);
    AUTO_FREE char *round = cy_report_round_text(r, c),
                   *name = cy_report_name(r, c);
    int before = (int)(strlen(round) - (without != NULL ? strlen(limit) : 0));
    struct memory_stream lines = memory_stream_open(&lines);

    fprintf(lines.out, "\n%s%s  %s%s: %.*s", paint(r, BOLD), name,
            cy_report_place(r, c, 0).text, paint(r, PLAIN), before, round);
    if (without != NULL)
        fprintf(lines.out, "%s%s%s (%.2f without)", paint(r, RED), limit,
                paint(r, PLAIN), *without);
    fputs("\n", lines.out);
    write_gathered(out, r, &lines);
}

/* What the chain does at one instruction. */
struct mark {
    bool is_on, stores, loads;
    double cycles;
};

static struct mark mark_of(const struct cy_chain *chain, uint32_t step)
{
    struct mark mark = {0};

    mark.is_on = cy_report_waits(chain, step, &mark.cycles);
    for (size_t i = 0; i < chain->n; i++) {
        const struct cy_link *l = &chain->links[i];

        if (l->wait == CY_WAIT_MEMORY) {
            mark.loads |= l->to == step;
            mark.stores |= l->forward.store == step;
        }
        mark.loads |= l->apart.is_known && l->to == step;
    }
    return mark;
}

/* Writes text from outside at the end of a line that has `columns` columns, cut
   to the terminal's width. */
static void write_cut(FILE *out, const struct cy_report *r, const char *text,
                      unsigned columns)
{
    AUTO_FREE char *safe = memory_text(text);

    for (char *tab = safe; (tab = strchr(tab, '\t')) != NULL;)
        *tab = ' ';
    terminal_cut(out, text_make_safe(safe),
                 terminal_room(r->width, columns, LEAST_TEXT));
    fputc('\n', out);
}

/* The sign beside an instruction of the chain that stores, loads, or both. */
static char sign_of(const struct mark *mark)
{
    return mark->stores && mark->loads ? '*'
           : mark->stores              ? '<'
           : mark->loads               ? '>'
                                       : ' ';
}

/* Writes the source line of an instruction and the functions inlined there,
   unless the instruction before has the same ones; `last` keeps them. */
static void write_source(FILE *out, const struct cy_report *r,
                         const struct cy_cost_of_loop *c, uint32_t step,
                         char **last)
{
    struct cy_line line;
    AUTO_FREE char *inlined = NULL;

    if (!cy_report_begins_line(r, c, step, last, &line, &inlined))
        return;
    const char *text =
        cy_code_source(r->code, c->loop->object, c->insns[step].address);
    fprintf(out, "  %-20s  ", line.text);
    write_cut(out, r, text != NULL ? text : "", 24);
    if (inlined != NULL) {
        fputs("    inlined: ", out);
        write_cut(out, r, inlined, 13);
    }
}

/* Begins a listing, with a column for the cycles in the windows if they are
   known.  Returns the number of rounds in the windows, or else 0. */
static double begin_windows(FILE *out, const struct cy_report *r,
                            const struct cy_cost_of_loop *c)
{
    if (c->cycles.n_recorded == 0)
        return 0;
    struct memory_stream lines = memory_stream_open(&lines);
    if (c->cycles.called > 0)
        fprintf(lines.out, "  %.2f of these cycles in calls\n",
                c->cycles.called);
    fprintf(lines.out, "%9s%9s\n", "windows", "chain");
    write_gathered(out, r, &lines);
    return cy_windowed_loop(r->windowed, c->loop).rounds;
}

/* Writes the code of a loop, with its source.  An instruction of the chain has
   the cycles that the chain waits for it, after those that it takes in windows;
   "<" marks a store whose value the chain loads again at ">". */
static void annotate_all(FILE *out, const struct cy_report *r,
                         const struct cy_cost_of_loop *c)
{
    const struct cy_chain *chain = cy_report_chain(c);
    double rounds = begin_windows(out, r, c);
    AUTO_FREE char *last = NULL;

    for (uint32_t i = 0; i < c->n; i++) {
        struct mark mark = mark_of(chain, i);

        write_source(out, r, c, i, &last);
        if (rounds > 0)
            fprintf(out, "  %7.2f",
                    cy_windowed_at(r->windowed, c->loop->object,
                                   c->insns[i].address) /
                        rounds);
        if (mark.is_on)
            fprintf(out, "  %7.2f", mark.cycles);
        else
            fputs("         ", out);
        fprintf(out, " %c%c%8" PRIx64 "  ", sign_of(&mark),
                mark.is_on ? '|' : ' ', c->insns[i].address);
        write_cut(out, r, c->insns[i].shown, rounds > 0 ? 31 : 22);
    }
}

/* Writes the variable or store that an instruction of the chain loads
   through. */
static void write_through(FILE *out, const struct cy_report *r,
                          const struct cy_cost_of_loop *c, uint32_t step)
{
    const struct cy_chain *chain = cy_report_chain(c);
    const struct cy_link *l = NULL;
    AUTO_FREE char *variable = NULL;

    for (size_t i = 0; i < chain->n; i++)
        if (chain->links[i].to == step &&
            (chain->links[i].wait == CY_WAIT_MEMORY ||
             chain->links[i].apart.is_known))
            l = &chain->links[i];
    if (l == NULL)
        return;
    if (l->wait != CY_WAIT_MEMORY) { /* the store is outside the loop */
        variable = cy_windowed_variable(
            r, &(struct cy_windowed_pair){.store = l->apart.store,
                                          .load = l->apart.load});
        fprintf(out, "  %s, stored at %s",
                variable != NULL ? variable : "a value",
                cy_windowed_place(r->windowed, l->apart.store).text);
    } else {
        variable = cy_report_variable(r, c, &l->forward, step);
        fprintf(out, "  %s", variable != NULL ? variable : "a store");
        cy_report_rounds(out, &l->forward);
        fprintf(out, ", %s%s", cy_how_name(l->how),
                l->how == CY_RENAMED ? ", without a wait" : "");
    }
}

/* Writes the instructions of the chain, with their source. */
static void annotate_chain(FILE *out, const struct cy_report *r,
                           const struct cy_cost_of_loop *c)
{
    const struct cy_chain *chain = cy_report_chain(c);
    AUTO_FREE char *last = NULL;

    if (chain->n == 0) {
        fputs("  No chain has most of it; --verbose says what the cycles are "
              "spent on.\n",
              out);
        return;
    }
    fputs("   cycles  < stores, > loads, * does both\n", out);
    for (uint32_t i = 0; i < c->n; i++) {
        struct mark mark = mark_of(chain, i);

        if (!mark.is_on && !mark.stores && !mark.loads)
            continue;
        write_source(out, r, c, i, &last);
        struct memory_stream line = memory_stream_open(&line);
        fprintf(line.out, "%s", c->insns[i].shown);
        write_through(line.out, r, c, i);
        fprintf(out, "  %7.2f %c%c ", mark.cycles, sign_of(&mark),
                mark.is_on ? '|' : ' ');
        AUTO_FREE char *text = memory_stream_close(&line);
        write_cut(out, r, text, 13);
    }
}

/* Writes one end of a pair, with its source line. */
static void annotate_end(FILE *out, const struct cy_report *r, uint32_t insn,
                         double cycles, char sign)
{
    const char *source = cy_windowed_source(r, insn),
               *text = cy_windowed_text(r->windowed, insn);

    assert(insn < r->windowed->n_insns);
    fprintf(out, "  %-20s  ", cy_windowed_place(r->windowed, insn).text);
    write_cut(out, r, source != NULL ? source : "", 24);
    if (cycles > 0)
        fprintf(out, "  %7.2f %c  ", cycles, sign);
    else
        fprintf(out, "          %c  ", sign);
    write_cut(out, r, text != NULL ? text : "(unknown)", 13);
}

/* Writes both ends of the verdict's pair, with the cycles that an execution of
   the load waits. */
static void annotate_pair(FILE *out, const struct cy_report *r,
                          const struct cy_windowed_pair *p)
{
    if (p == NULL)
        return;
    fputs("\n   cycles  < stores, > loads\n", out);
    annotate_end(out, r, p->store, 0, '<');
    annotate_end(out, r, p->load,
                 p->cycles / r->windowed->outcome.weighed[p->load], '>');
}

static void write_loop(struct report *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    AUTO_FREE char *advice = cy_report_advice(r, c);

    write_heading(out->out, r, c);
    if (r->annotates)
        annotate_all(out->out, r, c);
    else if (!cy_report_is_chained(c))
        ;
    else if (r->is_verbose)
        write_chain(out, r, c);
    else
        annotate_chain(out->out, r, c);
    struct memory_stream lines = memory_stream_open(&lines);
    if (advice != NULL)
        fprintf(lines.out, "  %s%s%s\n", paint(r, BOLD), text_make_safe(advice),
                paint(r, PLAIN));
    write_failed(lines.out, r, c);
    cy_report_notes(lines.out, r, c, "  ", "\n", terminal_write);
    write_gathered(out->out, r, &lines);
}

static void write_verdict(FILE *out, const struct cy_report *r,
                          const char *verdict)
{
    int first = (int)strcspn(verdict, "\n");

    if (verdict[0] == '\0')
        return;
    struct memory_stream lines = memory_stream_open(&lines);
    fprintf(lines.out, "\n%s%.*s%s%s", paint(r, BOLD), first, verdict,
            paint(r, PLAIN), verdict + first);
    write_gathered(out, r, &lines);
}

/* Does the report describe each loop, and not only that of the verdict? */
static bool tells_all(const struct cy_report *r)
{
    return r->is_verbose || r->annotates || cy_choice_is_part(r->choice) ||
           r->choice->source != NULL || r->prediction->n == 0 ||
           r->prediction->loops[0].name != NULL;
}

/* Says how much could not be read, or names the file that has most of the
   program's cycles and was not analysed, if that is a good part. */
#define GOOD_PART 10.0 /* percent */
static void write_unread(FILE *out, const struct cy_report *r)
{
    size_t n = r->windowed->objects.n_objects, most = 0;
    AUTO_FREE double *cycles = memory_new(n, sizeof *cycles);

    for (size_t i = 0; i < r->program->n_all; i++) {
        const struct cy_total *t = &r->program->functions[i];

        if (r->windowed->in_data[t->file] == UINT32_MAX &&
            !cy_report_is_start(t))
            cycles[t->file] += t->cycles;
    }
    for (size_t i = 1; i < n; i++)
        most = cycles[i] > cycles[most] ? i : most;
    double part = cy_report_part(r, n > 0 ? cycles[most] : 0);
    double unread = cy_report_unmodelled(&r->program->total);
    if (unread >= GOOD_PART)
        fprintf(
            out,
            "\nNot known: what %.0f %% of the instructions take, since they "
            "could not be read, as code that is made at run time; they count "
            "as the quickest that the processor can be.\n",
            unread);
    else if (part >= GOOD_PART)
        fprintf(out,
                "\n%.0f %% of the program's cycles are in %s, which was not "
                "analysed.\n",
                part, text_base_name(r->windowed->objects.objects[most].path));
}

#define MISSED 5.0 /* percent of the cycles: much for mispredictions */

/* Writes a line on what the figures of a program leave out. */
static void write_left_out(FILE *out, const struct cy_report *r)
{
    const struct cy_program *p = r->program;

    if (p == NULL)
        return;
    struct memory_stream lines = memory_stream_open(&lines);
    if (p->is_recorded && !cy_choice_is_part(r->choice))
        write_unread(lines.out, r);
    if (p->is_recorded)
        fprintf(lines.out, "\nNot modelled: %s%s%s%s; --verbose lists all.\n",
                r->windowed->windows.n_threads > 1
                    ? "what passes between threads takes longer; "
                    : "",
                cy_report_missed(r) >= MISSED
                    ? "branches that repeat over more than a sample cost less; "
                    : "",
                cy_windowed_prefetches(r->windowed)
                    ? "which lines prefetch instructions bring, so that the "
                      "program may take less; "
                    : "",
                r->windowed->has_caches
                    ? "other programs take a part of the last cache"
                    : "what is not in the first cache takes longer (the "
                      "machine file does not say how long)");
    else
        fprintf(lines.out,
                "\nNot modelled: mispredictions, caches, and %.1f %% of the "
                "instructions; --record tells more.\n",
                cy_report_unmodelled(&p->total));
    write_gathered(out, r, &lines);
}

void cy_report_text(FILE *out, const struct cy_report *r)
{
    const struct cy_verdict verdict = cy_verdict_of(r);
    struct report report = {.out = out,
                            .format = REPORT_TEXT,
                            .has_colour = r->has_colour,
                            .width = r->width};

    write_head(out, r);
    cy_report_programs(&report, r);
    write_verdict(out, r, verdict.text);
    annotate_pair(out, r, verdict.pair);
    cy_report_changes(&report, r);
    cy_report_windows(&report, r);
    if (r->prediction->n_shown > 0)
        cy_report_loops(&report, r);
    if (r->prediction->n_shown > 0 && r->program != NULL && r->is_verbose &&
        !r->program->is_recorded)
        cy_report_program(&report, r);
    for (size_t i = 0; i < cy_report_n(r); i++)
        if (tells_all(r) || &r->prediction->loops[i] == verdict.loop)
            write_loop(&report, r, &r->prediction->loops[i]);
    if (r->windowed != NULL && r->annotates &&
        cy_windowed_is_known(r->windowed))
        cy_report_others(&report, r);
    cy_report_between(&report, r);
    if (!r->is_verbose)
        write_left_out(out, r);
    if (cy_report_n(r) > 1)
        write_verdict(out, r, verdict.text);
    free(verdict.text);
}
