/*
 * depbound: what do dependencies cost?
 *
 * It reads what staticdeps predicted and depsim observed, and says what each
 * hot loop of a program takes: by what the units need, by chains through
 * registers, and by chains through registers and memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/cy_calibrate.h"
#include "cy_options.h"
#include "mca/cy_run.h"
#include "memory.h"
#include "object/demangle.h"
#include "object/objfile.h"
#include "read/cy_read.h"
#include "replace.h"

enum { STATUS_OK, STATUS_TROUBLE = 2 };

static void warn(const struct diag *d)
{
    fprintf(stderr, "depbound: %s\n", d->text);
}

/* Has staticdeps analyse the program, into a file of the given name. */
static int analyse(const char *program, const char *scope, const char *path,
                   struct diag *d)
{
    char *argv[] = {"staticdeps", (char *)scope,   "-o", (char *)path,
                    "--",         (char *)program, NULL};
    struct cy_output out;
    int rc = 0;

    if (cy_run(argv, "", 0, &out, d) != 0)
        return -1;
    if (out.status != 0) {
        const char *text = out.errors;

        if (strncmp(text, "staticdeps: ", 12) == 0)
            text += 12;
        rc = diag_set(d, "%.*s", (int)strcspn(text, "\n"), text);
    }
    cy_output_fini(&out);
    return rc;
}

/* The program must be what static.db is of; it may have moved since. */
static int take_program(struct cy_data *data, const struct cy_options *o,
                        struct diag *d)
{
    struct diag ignored;

    if (access(o->program, R_OK) != 0)
        return diag_set(d, "%s: %s", o->program, strerror(errno));
    for (size_t i = 0; i < data->n_objects; i++) {
        struct cy_object *object = &data->objects[i];
        struct objfile *file =
            objfile_open(o->program, object->build_id, &ignored);

        if (file == NULL)
            continue;
        objfile_close(file);
        free(object->path);
        object->path = memory_text(o->program);
        return 0;
    }
    return diag_set(d, "%s: not what was analysed in %s", o->program,
                    o->statics);
}

/* Names the program where a message names the file in between. */
static void rename_subject(struct diag *d, const char *path,
                           const char *program)
{
    struct diag old = *d;

    if (strncmp(old.text, path, strlen(path)) == 0)
        diag_set(d, "%s%s", program, old.text + strlen(path));
}

static int read_or_analyse(struct cy_data *data, const struct cy_options *o,
                           struct diag *d)
{
    char directory[] = "/tmp/depbound-XXXXXX";
    char path[sizeof directory + 16];
    int rc = -1;

    if (o->statics != NULL) {
        rc = cy_read(data, o->statics, o->deps, d);
        return rc == 0 && o->program != NULL ? take_program(data, o, d) : rc;
    }
    if (mkdtemp(directory) == NULL)
        return diag_set(d, "%s: %s", directory, strerror(errno));
    snprintf(path, sizeof path, "%s/static.db", directory);
    if (analyse(o->program, "--scope=function", path, d) == 0) {
        rc = cy_read(data, path, o->deps, d);
        if (rc == 0)
            rc = analyse(o->program, "--scope=block", path, d);
        if (rc == 0)
            rc = cy_read_blocks(data, path, d);
        if (rc != 0)
            rename_subject(d, path, o->program);
    }
    unlink(path);
    rmdir(directory);
    return rc;
}

static bool has_function(const struct cy_data *data, const char *name)
{
    for (size_t i = 0; i < data->n_blocks; i++)
        if (data->blocks[i].function != NULL &&
            strcmp(data->blocks[i].function, name) == 0)
            return true;
    return false;
}

/* Everything between the databases and the report. */
struct work {
    struct cy_data data;
    struct cy_code *code;
    struct cy_loops loops;
    struct cy_machine *machine;
    struct cy_mca *mca;
    struct cy_prediction prediction;
    struct cy_program program;
};

/* What cannot be found is said once, and done without; what the user asked for
   is not. */
static int find_mca(struct work *w, const struct cy_options *o, struct diag *d)
{
    const char *cpu =
        w->machine != NULL ? cy_machine_llvm_cpu(w->machine) : "native";

    if (o->mca != NULL && strcmp(o->mca, "none") == 0)
        return 0;
    w->mca = cy_mca_new(o->mca, cpu, d);
    if (w->mca != NULL)
        return 0;
    if (o->mca != NULL)
        return -1;
    warn(d);
    return 0;
}

static int compute(struct work *w, const struct cy_options *o, struct diag *d)
{
    w->machine = cy_machine_find(NULL, o->cpu, d);
    if (w->machine == NULL) {
        if (o->cpu != NULL)
            return -1;
        warn(d);
    }
    if (read_or_analyse(&w->data, o, d) != 0)
        return -1;
    if (o->choice.function != NULL &&
        !has_function(&w->data, o->choice.function))
        return diag_set(d, "--function=%s: there is no such function",
                        o->choice.function);
    w->code = cy_code_new(&w->data);
    if (cy_loops_find(&w->loops, &w->data, w->code, d) != 0 ||
        find_mca(w, o, d) != 0)
        return -1;
    if (cy_predict(&w->prediction, &w->data, &w->loops, w->code, w->mca,
                   w->machine, &o->choice, d) != 0)
        return -1;
    /* Loops of one function are not the program. */
    if (o->choice.function != NULL)
        return 0;
    return cy_program_of(&w->program, &w->data, &w->prediction, w->code, w->mca,
                         d);
}

static int flush_report(struct diag *d)
{
    if (ferror(stdout) || fflush(stdout) != 0)
        return diag_set(d, "standard output: %s",
                        errno != 0 ? strerror(errno) : "write error");
    return 0;
}

static int run(const struct cy_options *o)
{
    struct work w = {0};
    struct diag d;
    int rc = compute(&w, o, &d);

    if (rc == 0) {
        struct cy_report report = {
            .data = &w.data,
            .prediction = &w.prediction,
            .program = w.program.n > 0 ? &w.program : NULL,
            .code = w.code,
            .edges = o->choice.edges,
            .mca = w.mca != NULL ? cy_mca_name(w.mca) : NULL,
            .machine = w.machine != NULL ? cy_machine_name(w.machine) : NULL,
            .n_shown = o->n_shown,
            .annotates = o->annotates,
        };

        if (o->output != NULL)
            rc = cy_costdb_write(o->output, &report, &d);
        if (rc == 0) {
            cy_report_write(stdout, o->format, &report);
            rc = flush_report(&d);
        }
    }
    if (rc != 0)
        warn(&d);
    cy_program_fini(&w.program);
    cy_prediction_fini(&w.prediction);
    cy_loops_fini(&w.loops);
    cy_mca_free(w.mca);
    cy_machine_free(w.machine);
    cy_code_free(w.code);
    cy_data_fini(&w.data);
    return rc == 0 ? STATUS_OK : STATUS_TROUBLE;
}

/* Says how many figures did not repeat, which the file names. */
static int warn_uncertain(int n)
{
    if (n > 0)
        fprintf(stderr, "depbound: %d figure%s did not repeat\n", n,
                n == 1 ? "" : "s");
    return n < 0 ? -1 : 0;
}

static int calibrate_to(const struct cy_options *o, struct diag *d)
{
    struct replace *file;
    int rc;

    if (o->calibration == NULL) {
        rc = warn_uncertain(cy_calibrate(stdout, o->cpu, d));
        return rc == 0 ? flush_report(d) : -1;
    }
    file = replace_new(o->calibration, REPLACE_REGULAR, d);
    if (file == NULL)
        return -1;
    rc = warn_uncertain(cy_calibrate(replace_stream(file), o->cpu, d));
    if (rc == 0)
        rc = replace_commit(file, d);
    replace_free(file);
    return rc;
}

static int calibrate(const struct cy_options *o)
{
    struct diag d;

    if (calibrate_to(o, &d) == 0)
        return STATUS_OK;
    warn(&d);
    return STATUS_TROUBLE;
}

int main(int argc, char **argv)
{
    struct cy_options options;
    int status = STATUS_TROUBLE;
    struct diag d;

    switch (cy_options_parse(&options, argc, argv, &d)) {
    case OPTIONS_RUN:
        status = options.calibrates ? calibrate(&options) : run(&options);
        break;
    case OPTIONS_DONE:
        status = flush_report(&d) == 0 ? STATUS_OK : STATUS_TROUBLE;
        break;
    case OPTIONS_BAD:
        warn(&d);
        break;
    }
    demangle_fini();
    return status;
}
