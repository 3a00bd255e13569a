/*
 * depbound: what do dependencies cost?
 *
 * It reads what staticdeps predicted and depsim observed, and predicts how many
 * cycles each hot loop of a program takes: for the units, for chains through
 * registers, and for chains through registers and memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <fcntl.h>
#include <unistd.h>

#include "calibrate/cy_calibrate.h"
#include "calibrate/cy_clock.h"
#include "depbound.h"
#include "process.h"
#include "demangle.h"
#include "output.h"

enum { STATUS_OK, STATUS_GATE, STATUS_TROUBLE };

/* What a run of depbound holds between its inputs and the report. */
struct work {
    struct input home;             /* private folder for --untrusted */
    struct cy_recording recording; /* what --record recorded */
    struct cy_runs runs;           /* those of deps.db */
    struct cy_measured measured;   /* with --native or --time */
    struct input input;
    struct cy_data data;
    struct cy_code *code;
    struct cy_loops loops;
    struct cy_machine *machine;
    struct cy_mca *mca;
    struct cy_prediction prediction;
    struct cy_program program;
    struct cy_windowed windowed;
    struct cy_other_variants variants; /* that this processor does not take */
    struct cy_threads threads;
    struct cy_saved before, now; /* the baseline, this report in its form */
    struct cy_comparison comparison;
    char *directory; /* the working directory; NULL if not known */
};

/* Finds llvm-mca.  Without it there is a warning, and the units are not known;
   it is an error if the user named it. */
static int find_mca(struct work *w, const struct cy_options *o, struct diag *d)
{
    const char *cpu = w->machine != NULL
                          ? cy_machine_facts(w->machine)->llvm_cpu
                      : w->data.arch == arch_here() ? "native"
                                                    : "generic";

    if (o->mca != NULL && strcmp(o->mca, "none") == 0)
        return 0;
    w->mca = cy_mca_new(o->mca, w->data.arch, cpu, d);
    if (w->mca != NULL)
        return 0;
    if (o->mca != NULL)
        return -1;
    cy_progress_warn(d);
    return 0;
}

static int open_input(struct work *w, const struct cy_options *o,
                      struct diag *d)
{
    struct input_choice choice = {
        .program = o->program,
        .hex = o->hex,
        .arch = w->machine != NULL
                    ? arch_name(cy_machine_facts(w->machine)->arch)
                    : NULL,
        .ranges = &o->ranges,
        .looks_for_marks = o->deps == NULL && o->choice.wish.function == NULL &&
                           o->ranges.n == 0,
    };

    if (o->statics != NULL)
        return 0;
    if (input_open(&w->input, &choice, d) != 0)
        return -1;
    for (size_t i = 0; i < w->input.n_refused; i++)
        fprintf(stderr, "depbound: %s\n", w->input.refused[i]);
    return 0;
}

static int find_loops(struct work *w, const struct cy_options *o,
                      struct diag *d)
{
    if (cy_intake(&w->data, &w->input, o, d) != 0)
        return -1;
    w->code = cy_code_new(&w->data, o->syntax);
    return w->input.regions.n > 0
               ? cy_loops_of_regions(&w->loops, &w->data, w->code, d)
               : cy_loops_find(&w->loops, &w->data, w->code, d);
}

/* Warns if a file's debug information cannot be used for lines and
   variables. */
static void warn_unread(const struct work *w)
{
    for (uint32_t i = 0; i < w->data.n_objects; i++) {
        AUTO_FREE char *text = cy_code_unread(w->code, i);

        if (text != NULL) {
            fputs("depbound: ", stderr);
            terminal_write(stderr, w->data.objects[i].path);
            fprintf(stderr, ": %s\n", text);
        }
    }
}

/* Treats assembly source that has no loop as the body of a loop. */
static int find_whole(struct work *w, const struct cy_options *o,
                      struct diag *d)
{
    assert(w->loops.n == 0 && w->prediction.n == 0);
    cy_loops_fini(&w->loops);
    cy_code_free(w->code);
    w->code = NULL;
    cy_data_fini(&w->data);
    return input_take_all(&w->input, d) == 0 ? find_loops(w, o, d) : -1;
}

/* Finds the machine file for the code, unless the user named one, which must be
   of the same architecture.  Warns if there is none. */
static int find_machine(struct work *w, const struct cy_options *o,
                        struct diag *d)
{
    enum arch arch = w->data.arch;

    if (w->machine == NULL) {
        w->machine = cy_machine_here(NULL, arch, d);
        if (w->machine == NULL)
            cy_progress_warn(d);
        return 0;
    }
    if (cy_machine_facts(w->machine)->arch == arch)
        return 0;
    return diag_set(d, "--cpu=%s: an %s processor, but the code is of %s",
                    o->cpu, arch_title(cy_machine_facts(w->machine)->arch),
                    arch_title(arch));
}

/* Gives the caches the sizes that the user chose. */
static int set_caches(struct work *w, const struct cy_options *o,
                      struct diag *d)
{
    for (unsigned i = 3; i-- > 0;) {
        struct diag why;

        if (o->cache_kib[i] <= 0)
            continue;
        if (w->machine == NULL)
            return diag_set(d, "--cache: there is no machine file");
        if (cy_machine_set_cache(w->machine, i + 1, o->cache_kib[i], &why) != 0)
            return diag_set(d, "--cache=L%u: %s", i + 1, why.text);
    }
    return 0;
}

/* Shows the next step, which may take long, after a program was recorded. */
static void say(const struct cy_options *o, const char *what)
{
    if (o->command != NULL)
        cy_progress_say("%s of %s", what, o->command[0]);
}

/* Warns if a name without wildcards or suffix matches no file, and says why. */
static void warn_unmatched(const struct work *w, const struct cy_options *o)
{
    const char *source = o->choice.source;
    struct diag d;

    if (source == NULL || w->prediction.n_shown > 0 || w->loops.n == 0 ||
        (strchr(source, ':') == NULL && strpbrk(source, "*?[.") != NULL))
        return;
    if (strchr(source, ':') != NULL)
        diag_set(&d, "--source=%s: no loop that is shown has such a line",
                 source);
    else
        diag_set(&d,
                 "--source=%s: no loop that is shown is in such a file; try "
                 "--source='*%s*'",
                 source, source);
    cy_progress_warn(&d);
}

/* Records the user's command, and makes its program and deps.db the input. */
static int record(struct work *w, struct cy_options *o, struct diag *d)
{
    const struct cy_recorder how = {o->command, o->recording, o->follows,
                                    o->runs_again, o->wait};

    if (o->command == NULL)
        return o->deps != NULL ? cy_runs_read(&w->runs, o->deps, d) : 0;
    assert(o->program == NULL && o->deps == NULL);
    if (cy_record(&w->recording, &how, &w->runs, d) != 0)
        return -1;
    o->program = w->recording.program;
    o->deps = w->recording.deps;
    return 0;
}

static int compute(struct work *w, const struct cy_options *o, struct diag *d)
{
    say(o, "analyses the code");
    /* A machine file also sets the architecture of code without a file. */
    if (o->cpu != NULL)
        w->machine = cy_machine_named(NULL, o->cpu, d);
    if ((o->cpu != NULL && w->machine == NULL) || open_input(w, o, d) != 0 ||
        find_loops(w, o, d) != 0)
        return -1;
    if (w->input.is_source && o->choice.wish.function == NULL &&
        w->loops.n == 0 && find_whole(w, o, d) != 0)
        return -1;
    if (w->input.regions.n == 0 && (o->choice.is_unrolled || o->is_same))
        return diag_set(d, "%s: needs regions; there are none",
                        o->is_same ? "--initial=same" : "--unrolled");
    if (find_machine(w, o, d) != 0 || set_caches(w, o, d) != 0 ||
        find_mca(w, o, d) != 0)
        return -1;
    say(o, "finds what limits the loops");
    if (cy_predict(&w->prediction, &w->data, o->deps, &w->loops, w->code,
                   w->machine, w->mca, &o->choice, d) != 0)
        return -1;
    warn_unmatched(w, o);
    say(o, "simulates what ran");
    if (o->deps != NULL &&
        cy_windowed_of(&w->windowed, o->deps, &w->data, o->syntax, w->mca,
                       &w->prediction.model, d) != 0)
        return -1;
    if (w->runs.n_programs > 1 &&
        cy_windowed_runs(&w->runs, o->deps, &w->windowed, w->mca,
                         &w->prediction.model, d) != 0)
        return -1;
    if (o->cpu == NULL && !o->is_untrusted)
        w->variants = cy_variants_of(&w->windowed, w->mca);
    if (o->deps != NULL && cy_threads_of(&w->threads, o->deps, &w->data,
                                         w->code, o->syntax, d) != 0)
        return -1;
    cy_figures_of(&w->prediction, &w->data, w->code, &o->choice, &w->windowed);
    cy_unknown_between(&w->prediction, &w->threads);
    cy_program_of(&w->program, &w->data, &w->prediction, &w->windowed,
                  cy_choice_is_part(&o->choice));
    return 0;
}

static int print(struct work *w, const struct cy_options *o,
                 const struct cy_report *report, struct diag *d)
{
    bool has_pager = o->format == CY_TEXT && !o->is_untrusted && pager_begin();
    int rc = 0;

    if (!o->marks)
        cy_report_write(stdout, o->format, report);
    else
        rc = cy_marked_write(stdout, &w->input, report, d);
    if (has_pager && !pager_end())
        return diag_set(d, "PAGER: '%s' cannot be run", getenv("PAGER"));
    return rc == 0 ? file_flush_output(d) : rc;
}

/* For untrusted input, allows only the files that were named to be read. */
static int distrust(struct work *w, const struct cy_options *o, struct diag *d)
{
    const char *files[] = {o->program,
                           o->deps,
                           o->statics,
                           o->baseline,
                           cy_machine_directory(NULL),
                           "/proc/cpuinfo"};

    return o->is_untrusted ? input_distrust(&w->home, files,
                                            sizeof files / sizeof *files, d)
                           : 0;
}

/* Reads the baseline, before anything that takes long.  With --untrusted, an
   error tells nothing about the contents of the file. */
static int read_baseline(struct work *w, const struct cy_options *o,
                         struct diag *d)
{
    if (o->baseline == NULL || cy_saved_read(&w->before, o->baseline, d) == 0)
        return 0;
    return o->is_untrusted
               ? diag_set(d, "%s: cannot be used; --untrusted does not say why",
                          o->baseline)
               : -1;
}

/* Adds to the report what has changed since the baseline. */
static int compare(struct work *w, const struct cy_options *o,
                   struct cy_report *report, struct diag *d)
{
    if (o->baseline == NULL)
        return 0;
    if (cy_report_saved(&w->now, report, d) != 0 ||
        cy_saved_check(&w->before, &w->now, o->baseline, d) != 0)
        return -1;
    assert(w->now.n_loops == w->prediction.n);
    w->comparison =
        cy_compare(&w->before, &w->now, cy_report_n(report), o->max_slowdown);
    w->comparison.path = o->baseline;
    report->comparison = &w->comparison;
    return 0;
}

/* Warns about each figure that grew too much. */
static int judge(const struct cy_comparison *comparison)
{
    AUTO_FREE char *failures = cy_comparison_failures(comparison);

    assert(comparison->fails == (failures[0] != '\0'));
    for (char *line = failures, *end; *line != '\0'; line = end + 1) {
        struct diag d;

        end = strchr(line, '\n');
        assert(end != NULL);
        diag_set(&d, "%.*s", (int)(end - line), line);
        cy_progress_warn(&d);
    }
    return comparison->fails ? STATUS_GATE : STATUS_OK;
}

/* The program that the report is about, if the user named it. */
static const char *subject_of(const struct cy_options *o)
{
    if (o->program == NULL)
        return o->hex != NULL ? "machine code" : NULL;
    return strcmp(o->program, "-") != 0 ? o->program : "standard input";
}

/* Takes what was measured, and sets the clock, in GHz, for times in the report:
   the user's; or this processor's, if the program has just run on it, or if the
   user measured a time; else 0. */
static double clock_of(struct work *w, const struct cy_options *o)
{
    bool is_here = o->cpu == NULL && w->machine != NULL &&
                   (o->command != NULL || o->time > 0);
    struct cy_ghz rate = {.ghz = o->clock};

    w->measured = w->recording.measured;
    if (rate.ghz == 0 && o->runs_again)
        rate.ghz = w->measured.clock;
    else if (rate.ghz == 0 && is_here)
        rate = cy_clock_rate();
    if (o->time > 0)
        w->measured = (struct cy_measured){
            .user = o->time, .system = NAN, .is_disturbed = rate.is_disturbed};
    return isnan(rate.ghz) ? 0 : rate.ghz;
}

static int publish(struct work *w, const struct cy_options *o, struct diag *d)
{
    struct cy_report report = {
        .data = &w->data,
        .prediction = &w->prediction,
        .program = w->program.is_known ? &w->program : NULL,
        .windowed = w->windowed.n_insns > 0 ? &w->windowed : NULL,
        .runs = o->deps != NULL ? &w->runs : NULL,
        .measured = o->time > 0 || o->runs_again ? &w->measured : NULL,
        .script = w->recording.script,
        .variants = w->variants.names,
        .of_variants = w->variants.cycles,
        .is_kept = w->recording.deps == NULL || w->recording.is_kept,
        .threads = o->deps != NULL ? &w->threads : NULL,
        .code = w->code,
        .choice = &o->choice,
        .is_same = o->is_same,
        .mca = w->mca != NULL ? cy_mca_name(w->mca) : NULL,
        .machine = w->machine != NULL ? cy_machine_facts(w->machine) : NULL,
        .clock = clock_of(w, o),
        .n_shown = o->n_shown,
        .annotates = o->annotates,
        .is_verbose = o->is_verbose,
        .has_inlines = o->has_inlines,
        .syntax = o->syntax,
        .has_colour = terminal_has_colour(STDOUT_FILENO),
        .width = terminal_width(STDOUT_FILENO),
        .subject = subject_of(o),
        .command = o->invocation,
        .directory = w->directory,
    };

    assert(w->code != NULL && w->prediction.n_shown <= w->prediction.n);
    cy_progress_end();
    warn_unread(w);
    if (compare(w, o, &report, d) != 0)
        return -1;
    if (o->output != NULL && cy_costdb_write(o->output, &report, d) != 0)
        return -1;
    return print(w, o, &report, d);
}

static void work_fini(struct work *w)
{
    free(w->directory);
    cy_comparison_fini(&w->comparison);
    cy_saved_fini(&w->now);
    cy_saved_fini(&w->before);
    cy_variants_fini(&w->variants);
    cy_threads_fini(&w->threads);
    cy_windowed_fini(&w->windowed);
    cy_program_fini(&w->program);
    cy_prediction_fini(&w->prediction);
    cy_loops_fini(&w->loops);
    cy_mca_free(w->mca);
    cy_machine_free(w->machine);
    cy_code_free(w->code);
    cy_data_fini(&w->data);
    input_close(&w->input);
    cy_runs_fini(&w->runs);
    cy_recording_fini(&w->recording);
    input_close(&w->home);
}

static int run(struct cy_options *o)
{
    AUTO_FINI(work_fini) struct work w = {.directory = getcwd(NULL, 0)};
    int status = STATUS_TROUBLE;
    struct diag d;

    if (distrust(&w, o, &d) == 0 && read_baseline(&w, o, &d) == 0 &&
        record(&w, o, &d) == 0 && compute(&w, o, &d) == 0 &&
        publish(&w, o, &d) == 0)
        status = judge(&w.comparison);
    else
        cy_progress_warn(&d);
    return status;
}

static int calibrate_to(FILE *out, const struct cy_options *o, struct diag *d)
{
    AUTO_FREE char *uncertain = NULL;
    int rc = cy_calibrate(out, o->cpu, o->wait, o->is_forced, &uncertain, d);

    if (uncertain != NULL)
        fprintf(stderr, "depbound: %s\n", uncertain);
    return rc;
}

static int calibrate(const struct cy_options *o, struct diag *d)
{
    if (o->calibration == NULL)
        return calibrate_to(stdout, o, d) == 0 ? file_flush_output(d) : -1;
    struct replace *file = replace_new(o->calibration, REPLACE_REGULAR, d);
    if (file == NULL)
        return -1;
    int rc = calibrate_to(replace_stream(file), o, d);
    if (rc == 0)
        rc = replace_commit(file, d);
    if (rc == 0) {
        struct diag written;

        diag_set(&written, "%s: written", o->calibration);
        cy_progress_warn(&written);
    }
    replace_free(file);
    return rc;
}

static int list_penalties(const struct cy_options *o, struct diag *d)
{
    struct cy_machine *machine = o->cpu != NULL
                                     ? cy_machine_named(NULL, o->cpu, d)
                                     : cy_machine_here(NULL, arch_here(), d);

    if (machine == NULL)
        return -1;
    cy_machine_penalties(stdout, machine);
    cy_machine_free(machine);
    return file_flush_output(d);
}

static bool needs_program(const struct cy_options *o)
{
    return !o->calibrates && !o->lists && !o->lists_formats &&
           !o->lists_penalties && !o->lists_variants;
}

/* Does what needs no program: calibration and lists. */
static int run_alone(const struct cy_options *o, struct diag *d)
{
    assert(!needs_program(o));
    if (o->calibrates)
        return calibrate(o, d);
    if (o->lists_penalties && !o->lists)
        return list_penalties(o, d);
    if (o->lists_formats)
        cy_format_list(stdout);
    else if (o->lists_variants)
        cy_variants_list(stdout);
    else if (cy_machine_list(stdout, NULL, d) != 0)
        return -1;
    return file_flush_output(d);
}

int main(int argc, char **argv)
{
    AUTO_FINI(cy_options_fini) struct cy_options options;
    int status = STATUS_TROUBLE;
    struct diag d;

    early_begin();
    enum options_result result = cy_options_parse(&options, argc, argv, &d);
    if (result == OPTIONS_RUN && needs_program(&options))
        status = run(&options);
    else if (result != OPTIONS_BAD &&
             (result == OPTIONS_RUN ? run_alone(&options, &d)
                                    : file_flush_output(&d)) == 0)
        status = STATUS_OK;
    else
        cy_progress_warn(&d);
    demangle_fini();
    return status;
}
