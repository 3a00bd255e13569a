/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "depbound.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"
#include "binary/objfile.h"

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

/* The files that are analysed: the program first, then libraries. */
struct files {
    char **paths;
    size_t n_paths, paths_room;
    bool is_executed; /* only code that ran is analysed */
    double walked;    /* functions that executed less, in percent of the
                         instructions, are not walked */
};

/* Has staticdeps analyse the files' executed code, all of their code, or
   regions, and write `path`. */
static int analyse(const struct files *files, const struct regions *regions,
                   const char *scope, const struct cy_options *o,
                   const char *path, struct diag *d)
{
    size_t n = 0, room = regions->n + files->n_paths + 9;
    AUTO_FREE char *executed = NULL, *share = NULL,
                   **argv = memory_new(room, sizeof *argv);
    char(*texts)[64] = memory_new(regions->n, sizeof *texts);

    argv[n++] = "staticdeps";
    argv[n++] = (char *)scope;
    if (o->is_same && regions->n > 0)
        argv[n++] = "--initial=same";
    if (files->is_executed)
        argv[n++] = executed = memory_printf("--executed=%s", o->deps);
    if (files->walked > 0)
        argv[n++] = share = memory_printf("--min-share=%.17g", files->walked);
    argv[n++] = "-o";
    argv[n++] = (char *)path;
    for (size_t i = 0; i < regions->n; i++) {
        snprintf(texts[i], sizeof texts[i], "--region=%#" PRIx64 "-%#" PRIx64,
                 regions->regions[i].start, regions->regions[i].end);
        argv[n++] = texts[i];
    }
    argv[n++] = "--";
    for (size_t i = 0; i < files->n_paths; i++)
        argv[n++] = files->paths[i];
    assert(n < room); /* with the NULL at the end */
    int rc = run_staticdeps(argv, d);
    free(texts);
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
        data->program = (uint32_t)i;
        return 0;
    }
    return is_named ? -1
                    : diag_set(d, "%s: not what was analysed in %s", o->program,
                               o->statics);
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

    assert(o->deps != NULL);
    *share = 0;
    if (o->choice.edges == CY_EDGES_STATIC)
        return 0;
    if (cy_read_has_windows(o->deps, &has_windows, d) != 0)
        return -1;
    *share = has_windows && o->output == NULL ? o->choice.min_share
                                              : cy_least_share(&o->choice);
    return 0;
}

/* Is enough of a file executed, or does the user ask for the file?  Nobody
   mends the loader. */
static bool is_wanted(const struct cy_ran_file *f, const struct cy_choice *c)
{
    bool is_wanted = f->share >= c->min_share && !cy_object_is_loader(f->path);

    for (size_t i = 0; i < c->wish.n_objects; i++)
        is_wanted |=
            cy_object_matches(c->wish.objects[i], f->path, f->is_program);
    return is_wanted && f->path[0] == '/'; /* "[anonymous]" is no file */
}

/* Is the file still what ran?  Warns if not. */
static bool is_there(const struct cy_ran_file *f)
{
    struct diag why, d;
    struct objfile *file = objfile_open(f->path, f->build_id, &why);

    objfile_close(file);
    if (file == NULL) {
        diag_set(&d, "%s; not analysed: %.1f %% of what ran is in it", why.text,
                 f->share);
        cy_progress_warn(&d);
    }
    return file != NULL;
}

/* Takes the program's name in the run, which reports show, too, if it is still
   the same file. */
static void name_as_ran(struct files *files, const struct cy_ran_file *program)
{
    struct stat ran, now;

    if (stat(program->path, &ran) == 0 && stat(files->paths[0], &now) == 0 &&
        ran.st_dev == now.st_dev && ran.st_ino == now.st_ino) {
        free(files->paths[0]);
        files->paths[0] = memory_text(program->path);
    }
}

/* Finds the libraries to analyse with a program that ran; with a library, there
   are none. */
static int add_libraries(struct files *files, const struct cy_options *o,
                         struct diag *d)
{
    AUTO_FINI(cy_ran_fini) struct cy_ran ran;
    int rc = cy_ran_read(&ran, o->deps, files->paths[0], d);

    assert(files->n_paths == 1);
    if (rc == 0)
        name_as_ran(files, ran.program);
    for (size_t i = 0; i < ran.n_files && rc == 0; i++) {
        const struct cy_ran_file *f = &ran.files[i];

        /* Those who send untrusted input must not learn which files exist. */
        if (ran.program->is_program && !o->is_untrusted && f != ran.program &&
            is_wanted(f, &o->choice) && is_there(f))
            array_append(files, paths, memory_text(f->path));
    }
    return rc;
}

/* Keeps only the first n files. */
static void keep(struct files *files, size_t n)
{
    assert(n <= files->n_paths);
    while (files->n_paths > n)
        free(files->paths[--files->n_paths]);
}

/* Analyses files, and reads what is found of them and of the run. */
static int analyse_files(struct cy_data *data, const struct files *files,
                         const struct cy_options *o, const char *path,
                         struct diag *d)
{
    static const struct regions none;

    if (analyse(files, &none, "--scope=function", o, path, d) != 0 ||
        cy_read(data, path, o->deps, d) != 0)
        return -1;
    if (o->choice.edges == CY_EDGES_STATIC &&
        (analyse(files, &none, "--scope=block", o, path, d) != 0 ||
         cy_read_blocks(data, path, d) != 0))
        return -1;
    return 0;
}

/* Analyses what ran of a program and its libraries; if they cannot be analysed,
   of the program alone. */
static int analyse_run(struct cy_data *data, struct files *files,
                       const struct cy_options *o, const char *path,
                       struct diag *d)
{
    if (add_libraries(files, o, d) != 0 ||
        walked_share(o, &files->walked, d) != 0)
        return -1;
    files->is_executed = true;
    int rc = analyse_files(data, files, o, path, d);
    if (rc != 0 && files->n_paths > 1) {
        cy_progress_warn(d);
        keep(files, 1);
        cy_data_fini(data);
        rc = analyse_files(data, files, o, path, d);
    }
    return rc;
}

/* Takes what the user asks for.  A function that did not run is looked for in
   all code of the program. */
static int ask(struct cy_data *data, struct files *files,
               const struct cy_options *o, const char *path, struct diag *d)
{
    int rc = cy_data_ask(data, &o->choice.wish, d);

    if (rc == 0 || o->choice.wish.function == NULL || !files->is_executed)
        return rc;
    files->is_executed = false;
    files->walked = 0;
    keep(files, 1);
    cy_data_fini(data);
    rc = analyse_files(data, files, o, path, d);
    return rc == 0 ? cy_data_ask(data, &o->choice.wish, d) : rc;
}

static int analyse_input(struct cy_data *data, const struct input *input,
                         const struct cy_options *o, const char *path,
                         struct diag *d)
{
    struct files files = {0};
    int rc;

    array_append(&files, paths, memory_text(input->path));
    if (input->regions.n > 0) {
        rc = input_check(input, d);
        if (rc == 0)
            rc = analyse(&files, &input->regions, "--scope=block", o, path, d);
        if (rc == 0)
            rc = cy_read(data, path, NULL, d);
        if (rc == 0)
            rc = name_regions(data, input, d);
    } else if (o->deps != NULL) {
        rc = analyse_run(data, &files, o, path, d);
    } else {
        rc = analyse_files(data, &files, o, path, d);
    }
    assert(rc != 0 || data->n_objects > 0);
    if (rc == 0)
        rc = ask(data, &files, o, path, d);
    keep(&files, 0);
    free(files.paths);
    return rc;
}

int cy_intake(struct cy_data *data, struct input *input,
              const struct cy_options *o, struct diag *d)
{
    int rc;

    if (o->statics != NULL) {
        rc = cy_read(data, o->statics, o->deps, d);
        if (rc == 0 && o->program != NULL)
            rc = take_program(data, o, d);
        return rc == 0 ? cy_data_ask(data, &o->choice.wish, d) : rc;
    }
    assert(data->n_objects == 0 && input->path != NULL);
    AUTO_FREE char *path = input_temporary(input, "static.db", d);
    if (path == NULL)
        return -1;
    rc = analyse_input(data, input, o, path, d);
    if (rc != 0) {
        struct diag old = *d;

        /* The message is about the program, not the temporary file. */
        if (strncmp(old.text, path, strlen(path)) == 0)
            diag_set(d, "%s%s", input->subject, old.text + strlen(path));
        input_rename(input, d);
    }
    unlink(path);
    return rc;
}
