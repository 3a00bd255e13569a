/* cy_of_runs: which programs ran, which were not recorded, and whether the
   model knows the program: its time beside a measured one. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/internal.h"

/* --- Programs --- */

#define MOST_NAMES 5 /* of programs that were not recorded */

static const char *name_of(const char *path)
{
    return path[0] != '\0' ? text_base_name(path) : "of unknown name";
}

/* Were all programs that were not recorded started by one? */
static bool has_one_parent(const struct cy_runs *runs)
{
    for (size_t i = 1; i < runs->n_lost; i++)
        if (strcmp(runs->lost[i].by, runs->lost[0].by) != 0)
            return false;
    return runs->n_lost > 0 && runs->lost[0].by[0] != '\0';
}

static char *lost(const struct cy_report *r)
{
    const struct cy_runs *runs = r->runs;

    if (runs == NULL || runs->n_lost == 0)
        return NULL;
    assert(runs->n_all_lost >= runs->n_lost);
    struct memory_stream text = memory_stream_open(&text);
    fprintf(text.out, "%s started %" PRIu64 " program%s not recorded (",
            has_one_parent(runs) ? name_of(runs->lost[0].by) : "These programs",
            runs->n_all_lost,
            runs->n_all_lost == 1 ? " that was" : "s that were");
    for (size_t i = 0; i < runs->n_lost && i < MOST_NAMES; i++) {
        fprintf(text.out, "%s%s", i > 0 ? ", " : "",
                name_of(runs->lost[i].path));
        if (runs->lost[i].n > 1)
            fprintf(text.out, " %" PRIu64 " times", runs->lost[i].n);
    }
    fprintf(text.out, "%s)%s", runs->n_lost > MOST_NAMES ? ", ..." : "",
            runs->follows ? "" : ": --record --trace-children records them");
    return memory_stream_close(&text);
}

static double cycles_of_all(const struct cy_report *r)
{
    double cycles = 0;

    for (size_t i = 0; i < r->runs->n_programs; i++)
        cycles += r->runs->programs[i].cycles;
    return cycles;
}

static uint64_t instructions_of_all(const struct cy_report *r)
{
    uint64_t instructions = 0;

    for (size_t i = 0; i < r->runs->n_programs; i++)
        instructions += r->runs->programs[i].instructions;
    return instructions;
}

static void fill_ran(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_ran_program *p = &r->runs->programs[i];
    double all = cycles_of_all(r);
    bool is_chosen = cy_ran_is_chosen(p, r->data);

    assert(i < r->runs->n_programs);
    if (i >= r->n_shown)
        report_hide(row);
    cy_put_real(row,
                R_SEEN("share", .key = "share", .width = 8, .format = "%.1f%%"),
                all > 0, 100 * p->cycles / all);
    cy_put_real(row,
                R_BOTH("cycles", "cycles", .width = 10, .format = "%.4g",
                       .flags = R_EXTRA),
                !isnan(p->cycles), p->cycles);
    report_ratio(row, R_SEEN("of instructions", .flags = R_EXTRA),
                 p->instructions, instructions_of_all(r));
    report_count(row, R_KEY("instructions"), p->instructions);
    report_count(row, R_BOTH("processes", "processes", .flags = R_EXTRA),
                 p->n_runs);
    report_text(row, R_KEY("program"), p->path[0] != '\0' ? p->path : NULL);
    report_bool(row, R_KEY("reported"), is_chosen);
    report_printf(row, R_SEEN("program", .flags = R_LEFT | R_RAGGED), "%s%s",
                  p->path[0] != '\0' ? p->path : "(unknown)",
                  is_chosen ? " (this report)" : "");
}

static void fill_lost(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_lost *lost = &r->runs->lost[i];

    report_text(row, R_KEY("program"),
                lost->path[0] != '\0' ? lost->path : NULL);
    report_text(row, R_KEY("by"), lost->by[0] != '\0' ? lost->by : NULL);
    report_count(row, R_KEY("times"), lost->n);
}

void cy_report_programs(struct report *out, const struct cy_report *r)
{
    if (r->runs == NULL)
        return;
    struct report_table table = REPORT_TABLE(
        r->runs->n_programs, fill_ran, r, .key = "programs", .id = "programs",
        .caption = "  programs that were recorded");
    if (out->format == REPORT_JSON || r->runs->n_programs > 1)
        report_table(out, &table);
    table = REPORT_TABLE(r->runs->n_lost, fill_lost, r, .key = "not_recorded");
    if (out->format == REPORT_JSON)
        report_table(out, &table);
    else if (r->runs->n_programs > 1 && r->data->runs_of != NULL)
        report_paragraph(out, "%sdepbound PROGRAM %s reports another of them",
                         r->is_kept ? "" : "With --deps-file=FILE, ",
                         r->is_kept ? "DEPS.DB" : "FILE");
}

/* --- Time --- */

/* The error of a user time, in seconds, plus a share of it.  The kernel divides
   a process's time into user and system time by samples at ticks of its clock,
   which are up to 10 ms apart; and times of equal runs differ. */
#define TICK      0.01
#define REPEATS   0.01
#define TOO_SHORT 0.1  /* seconds: ten ticks */
#define HARDLY    0.01 /* share of the instructions that may be in no window */

static const char *why_not_compared(const struct cy_report *r)
{
    const struct cy_program *p = r->program;

    if (r->measured->ended_otherwise)
        return "the second run ended with another status than the first";
    if (r->clock <= 0)
        return "the clock is not known; --clock tells it";
    if (r->windowed == NULL)
        return "no windows were recorded";
    if (p == NULL || !p->is_recorded)
        return "what atomics or fences cost is not known";
    if (p->is_few)
        return "too few samples";
    if (r->data->recorded < r->data->instructions ||
        (double)(r->data->recorded - r->windowed->windows.recorded) >
            HARDLY * (double)r->data->recorded)
        return "only a part was recorded";
    if (r->runs->n_lost > 0)
        return "the measured time may have programs that were not recorded";
    if (r->runs->n_programs > 1 && r->data->runs_of != NULL &&
        isnan(cycles_of_all(r)))
        return "a program has no windows";
    return r->measured->user < TOO_SHORT ? "too short" : NULL;
}

/* What was measured beside what was modelled, in seconds. */
struct compared {
    double cycles;              /* of all programs that were recorded */
    double modelled, low, high; /* 0: not known */
    bool differs;               /* the measured time is not in the interval */
    const char *why_not;        /* NULL, or why they cannot be compared */
};

static struct compared compare(const struct cy_report *r)
{
    struct compared c = {.why_not = why_not_compared(r)};
    const struct cy_program *p = r->program;
    double slack, factor = 1, user = r->measured->user, low, high;

    assert(r->measured != NULL && r->runs != NULL);
    if (r->clock <= 0 || p == NULL || !p->is_recorded)
        return c;
    c.cycles = r->runs->n_programs > 1 && r->data->runs_of != NULL
                   ? cycles_of_all(r)
                   : p->total.cycles;
    if (p->is_few || isnan(c.cycles))
        return c;
    low = p->low;
    high = p->high;
    cy_model_range(r->machine, p, &low, &high);
    factor = c.cycles / p->total.cycles / (1e9 * r->clock);
    c.modelled = factor * cy_model_likely(r->machine, p);
    c.low = factor * low;
    c.high = factor * high;
    slack = TICK + REPEATS * user;
    c.differs =
        c.why_not == NULL && (user + slack < c.low || user - slack > c.high);
    return c;
}

static char *measured(const struct cy_report *r)
{
    const struct cy_measured *m = r->measured;

    if (m == NULL)
        return NULL;
    struct compared c = compare(r);
    struct memory_stream text = memory_stream_open(&text);
    fprintf(text.out, "Measured: %.3g s", m->user);
    if (!isnan(m->system))
        fprintf(text.out,
                " of user time, and %.3g s in the kernel, which is "
                "not modelled",
                m->system);
    if (c.modelled > 0)
        fprintf(text.out,
                ".  Modelled: %.3g s (%.3g to %.3g), %.4g cycles at %.3g GHz",
                c.modelled, c.low, c.high, 1e9 * r->clock * c.modelled,
                r->clock);
    if (c.why_not != NULL)
        fprintf(text.out, ".  Not compared: %s", c.why_not);
    if (m->is_disturbed)
        fputs(".  The clock was not steady: other work disturbs this machine",
              text.out);
    fputc('.', text.out);
    return memory_stream_close(&text);
}

char *cy_report_mismatch(const struct cy_report *r)
{
    if (r->measured == NULL)
        return NULL;
    struct compared c = compare(r);
    if (!c.differs)
        return NULL;
    double user = r->measured->user;
    bool leaves_out = c.modelled < user;
    return memory_printf(
        "Measured %.3g s%s, modelled %.3g (%.3g to %.3g): the figures below "
        "%s %.0f %% %s.",
        user, r->measured->is_disturbed ? " on a disturbed machine" : "",
        c.modelled, c.low, c.high, leaves_out ? "leave out" : "are",
        100 * fabs(c.modelled / user - 1),
        leaves_out ? "of the time" : "too high");
}

static char *script(const struct cy_report *r)
{
    return r->script != NULL
               ? memory_printf("%s is a script: this report is of %s, which "
                               "ran it.",
                               r->script, r->subject)
               : NULL;
}

static char *variants(const struct cy_report *r)
{
    double share = r->variants != NULL
                       ? cy_windowed_share(r->windowed, r->of_variants)
                       : 0;

    if (share < CY_LEAST_GAIN)
        return NULL;
    return memory_printf("%.0f %% of the cycles are in variants of %s that "
                         "this processor does not take: Valgrind shows "
                         "programs another one.",
                         share, r->variants);
}

char *cy_report_notice(const struct cy_report *r, unsigned i)
{
    static char *(*const notices[CY_N_NOTICES])(const struct cy_report *) = {
        cy_report_strange, script, lost, measured, variants};

    assert(i < CY_N_NOTICES);
    return text_make_safe(notices[i](r));
}

void cy_put_measured(struct report_row *row, const struct cy_report *r)
{
    if (r->measured == NULL)
        return;
    struct compared c = compare(r);
    report_real(row, R_KEY("measured.user"), r->measured->user);
    cy_put_real(row, R_KEY("measured.system"), !isnan(r->measured->system),
                r->measured->system);
    cy_put_real(row, R_KEY("measured.modelled"), c.modelled > 0, c.modelled);
    cy_put_real(row, R_KEY("measured.low"), c.modelled > 0, c.low);
    cy_put_real(row, R_KEY("measured.high"), c.modelled > 0, c.high);
    report_bool(row, R_KEY("measured.differs"), c.differs);
    report_text(row, R_KEY("measured.not_compared"), c.why_not);
    report_bool(row, R_KEY("measured.disturbed"), r->measured->is_disturbed);
}
