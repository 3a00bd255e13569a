/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cy_intake.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cy_progress.h"
#include "binary/subprocess.h"
#include "memory.h"
#include "binary/objfile.h"
#include "text.h"

/* Runs staticdeps.  If it fails, *d has its message. */
static int run_staticdeps(char **argv, struct diag *d)
{
    struct subprocess_output out;
    int rc = 0;

    if (subprocess_run(argv, "", 0, NULL, &out, d) != 0)
        return -1;
    if (out.status < 0) {
        rc = diag_set(d, "staticdeps: %s", out.end);
    } else if (out.status != 0) {
        const char *text = out.errors;

        if (strncmp(text, "staticdeps: ", 12) == 0)
            text += 12;
        rc = diag_set(d, "%.*s", (int)strcspn(text, "\n"), text);
    }
    subprocess_fini(&out);
    return rc;
}

/* Has staticdeps analyse a file's executed code, all of its code, or regions,
   and write `path`.  Functions that executed less than `walked` percent of the
   instructions are not walked. */
static int analyse(const struct input *input, const char *scope, double walked,
                   const struct cy_options *o, const char *path, struct diag *d)
{
    const struct regions *regions = &input->regions;
    size_t n = 0;
    char *executed = NULL, *share = NULL,
         **argv = memory_new(regions->n + 10, sizeof *argv);
    char(*texts)[64] = memory_new(regions->n, sizeof *texts);
    int rc;

    argv[n++] = "staticdeps";
    argv[n++] = (char *)scope;
    if (o->is_same && regions->n > 0)
        argv[n++] = "--initial=same";
    /* With --function, code that did not run is analysed, too. */
    if (o->deps != NULL && o->choice.function == NULL)
        argv[n++] = executed = memory_printf("--executed=%s", o->deps);
    if (walked > 0)
        argv[n++] = share = memory_printf("--min-share=%.17g", walked);
    argv[n++] = "-o";
    argv[n++] = (char *)path;
    for (size_t i = 0; i < regions->n; i++) {
        snprintf(texts[i], sizeof texts[i], "--region=%#" PRIx64 "-%#" PRIx64,
                 regions->regions[i].start, regions->regions[i].end);
        argv[n++] = texts[i];
    }
    argv[n++] = "--";
    argv[n++] = input->path;
    assert(n < regions->n + 10); /* with the NULL at the end */
    rc = run_staticdeps(argv, d);
    free(texts);
    free(share);
    free(executed);
    free(argv);
    return rc;
}

/* Takes the program, which must be the one that static.db was made from. */
static int take_program(struct cy_data *data, const struct cy_options *o,
                        struct diag *d)
{
    bool is_named = false;
    struct diag why;

    if (access(o->program, R_OK) != 0)
        return diag_set(d, "%s: %s", o->program, strerror(errno));
    for (size_t i = 0; i < data->n_objects; i++) {
        struct cy_object *object = &data->objects[i];
        struct objfile *file = objfile_open(o->program, object->build_id, &why);

        if (file == NULL && strcmp(text_base_name(object->path),
                                   text_base_name(o->program)) == 0) {
            is_named = true;
            *d = why;
        }
        if (file == NULL)
            continue;
        objfile_close(file);
        free(object->path);
        object->path = memory_text(o->program);
        return 0;
    }
    return is_named ? -1
                    : diag_set(d, "%s: not what was analysed in %s", o->program,
                               o->statics);
}

/* Replaces the name of the temporary file in a message with the program's. */
static void rename_subject(struct diag *d, const char *path,
                           const char *program)
{
    struct diag old = *d;

    if (strncmp(old.text, path, strlen(path)) == 0)
        diag_set(d, "%s%s", program, old.text + strlen(path));
}

/* Gives the block of each region its name. */
static int name_regions(struct cy_data *data, const struct input *input,
                        struct diag *d)
{
    for (size_t i = 0; i < input->regions.n; i++) {
        const struct region *r = &input->regions.regions[i];
        uint32_t block = cy_data_block(data, 0, r->start);

        if (block != CY_NO_BLOCK) {
            data->blocks[block].region = r->name;
            continue;
        }
        input_refuse(input, arch_name(data->arch), r, d);
        if (!input->has_lines)
            return -1;
        cy_progress_warn(d); /* other lines may still be analysed */
    }
    return 0;
}

/* What functions must have executed, in percent of the instructions, for walks
   to matter: of observed dependencies they only know more, and only of those in
   loops.  With windows, figures of loops that are not shown do not matter. */
static int walked_share(const struct cy_options *o, double *share,
                        struct diag *d)
{
    bool has_windows;

    *share = 0;
    if (o->deps == NULL || o->choice.function != NULL ||
        o->choice.edges == CY_EDGES_STATIC)
        return 0;
    if (cy_read_has_windows(o->deps, &has_windows, d) != 0)
        return -1;
    *share = has_windows && o->output == NULL ? o->choice.min_share
                                              : cy_least_share(&o->choice);
    return 0;
}

static int analyse_input(struct cy_data *data, const struct input *input,
                         const struct cy_options *o, const char *path,
                         struct diag *d)
{
    double walked;
    int rc;

    if (input->regions.n > 0) {
        rc = input_check(input, d);
        if (rc == 0)
            rc = analyse(input, "--scope=block", 0, o, path, d);
        if (rc == 0)
            rc = cy_read(data, path, NULL, d);
        return rc == 0 ? name_regions(data, input, d) : rc;
    }
    rc = o->deps != NULL ? cy_read_ran(o->deps, input->path, d) : 0;
    if (rc == 0)
        rc = walked_share(o, &walked, d);
    if (rc == 0)
        rc = analyse(input, "--scope=function", walked, o, path, d);
    if (rc == 0)
        rc = cy_read(data, path, o->deps, d);
    if (rc != 0 || o->choice.edges != CY_EDGES_STATIC)
        return rc;
    rc = analyse(input, "--scope=block", 0, o, path, d);
    return rc == 0 ? cy_read_blocks(data, path, d) : rc;
}

int cy_intake(struct cy_data *data, struct input *input,
              const struct cy_options *o, struct diag *d)
{
    char *path;
    int rc;

    if (o->statics != NULL) {
        rc = cy_read(data, o->statics, o->deps, d);
        return rc == 0 && o->program != NULL ? take_program(data, o, d) : rc;
    }
    assert(data->n_objects == 0 && input->path != NULL);
    path = input_temporary(input, "static.db", d);
    if (path == NULL)
        return -1;
    rc = analyse_input(data, input, o, path, d);
    if (rc != 0) {
        rename_subject(d, path, input->subject);
        input_rename(input, d);
    }
    unlink(path);
    free(path);
    return rc;
}
