/*
 * staticdeps: finds the dependencies through memory in the basic blocks of
 * ELF files, without running them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "elf/sd_archive.h"
#include "input/input.h"
#include "sd_select.h"
#include "decode/sd_hex.h"
#include "sd_options.h"
#include "out/sd_results.h"

enum { TROUBLE = 2 };

#define PIECE ((size_t)1 << 17) /* blocks of an image in memory at once */

/* In code of fewer bytes for each block its loops are not looked for, but for
   the first so many blocks. */
#define BYTES_PER_NODE 12
#define NODES_FREE     ((size_t)1 << 17)

struct analysis {
    struct sd_options options;
    struct sd_decoder *decoders[SD_N_ARCHES]; /* NULL: not needed so far */
    struct sd_batch batch;
    struct sd_results results;
    struct sd_select select;
    struct sd_library library;
    struct sd_link link; /* with --scope=program: what is analysed at the end */
    char **identities;   /* of the objects so far */
    size_t n_identities, identities_room;
    const struct regions *regions; /* that are marked in the current file, and
                                      taken instead of its blocks; or NULL */
    char **names;                  /* of regions so far */
    size_t n_names, names_room;
};

/* What is to be removed however the program ends, and by whom: a worker
   inherits this, and must not. */
static const char *volatile temporary;
static pid_t owner;

static void remove_temporary(void)
{
    if (temporary != NULL && getpid() == owner)
        unlink((const char *)temporary);
}

static void interrupted(int signal_number)
{
    remove_temporary();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* By a signal, or out of memory. */
static void remove_at_an_early_end(const char *path)
{
    static const int signals[] = {SIGHUP,  SIGINT, SIGTERM, SIGPIPE, SIGSEGV,
                                  SIGABRT, SIGBUS, SIGFPE,  SIGILL};
    struct sigaction action = {.sa_handler = interrupted,
                               .sa_flags = SA_RESTART};

    owner = getpid();
    temporary = path;
    atexit(remove_temporary);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction old;

        /* nohup and shells have signals ignored on purpose. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

static struct sd_decoder *decoder(struct analysis *a, enum sd_arch arch)
{
    if (a->decoders[arch] == NULL)
        a->decoders[arch] = sd_decoder_new(arch);
    return a->decoders[arch];
}

static int take_results(struct analysis *a, struct diag *d)
{
    struct sd_settings settings = a->options.settings;

    if (a->batch.n_objects == 0)
        return 0;
    settings.arch = a->batch.objects[0].image.arch;
    a->results.report.decoder = decoder(a, settings.arch);
    return sd_results_add(&a->results, &a->batch, &settings, a->options.jobs,
                          d);
}

static int analyse_batch(struct analysis *a, struct diag *d)
{
    int rc = take_results(a, d);

    sd_batch_fini(&a->batch);
    return rc;
}

static bool is_duplicate(struct analysis *a, const char *build_id)
{
    for (size_t i = 0; i < a->n_identities; i++)
        if (strcmp(a->identities[i], build_id) == 0)
            return true;
    a->identities = memory_grow(a->identities, &a->identities_room,
                                a->n_identities, sizeof *a->identities);
    a->identities[a->n_identities++] = memory_text(build_id);
    return false;
}

/* How many blocks may be in memory at once, with their graph: real code has
   more bytes for each. */
static size_t most_nodes(const struct sd_image *image)
{
    uint64_t size = 0;

    for (size_t i = 0; i < image->n_sections; i++)
        size += image->sections[i].size;
    return NODES_FREE + size / BYTES_PER_NODE;
}

/* Adds the image and all of its blocks, with their graph; 1 if they are too
   many for that. */
static int add_graph(struct analysis *a, struct sd_image *image, struct diag *d)
{
    struct sd_decoder *its = decoder(a, image->arch);
    struct sd_cutter *cutter = sd_cutter_new(its, image, true);
    struct sd_cfg *cfg = NULL;
    struct sd_blocks blocks;
    bool has_more;
    int rc = 1;

    sd_blocks_init(&blocks);
    has_more = sd_cutter_next(cutter, &blocks, most_nodes(image));
    sd_cutter_free(cutter);
    if (!has_more) {
        cfg = sd_cfg_new(&blocks, image);
        rc = sd_select_apply(&a->select, image, &blocks, d);
    }
    if (rc == 0) {
        sd_batch_add(&a->batch, image, &blocks, cfg);
        return 0;
    }
    sd_blocks_fini(&blocks);
    sd_cfg_free(cfg);
    return rc;
}

/* Adds the image, and its blocks piece by piece: all but the last piece are
   analysed at once, so that memory does not grow with their number. */
static int cut_pieces(struct analysis *a, struct sd_image *image,
                      struct sd_cutter *cutter, struct diag *d)
{
    struct sd_image view = *image;
    bool is_first = true, has_more;

    do {
        struct sd_blocks blocks;

        sd_blocks_init(&blocks);
        has_more = sd_cutter_next(cutter, &blocks, PIECE);
        if ((is_first && has_more && analyse_batch(a, d) != 0) ||
            sd_select_apply(&a->select, &view, &blocks, d) != 0) {
            sd_blocks_fini(&blocks);
            return -1;
        }
        if (is_first)
            sd_batch_add(&a->batch, image, &blocks, NULL);
        else
            sd_batch_continue(&a->batch, &blocks);
        is_first = false;
        if (has_more && take_results(a, d) != 0)
            return -1;
    } while (has_more);
    return 0;
}

static int add_pieces(struct analysis *a, struct sd_image *image,
                      struct diag *d)
{
    struct sd_cutter *cutter =
        sd_cutter_new(decoder(a, image->arch), image, false);
    int rc = cut_pieces(a, image, cutter, d);

    sd_cutter_free(cutter);
    return rc;
}

/* Names them as their marks do. */
static void add_marked(struct analysis *a, const struct sd_image *image,
                       struct sd_blocks *blocks)
{
    for (size_t i = 0; i < a->regions->n; i++) {
        const struct region *r = &a->regions->regions[i];

        if (!sd_blocks_add_region(blocks, decoder(a, image->arch), image,
                                  (struct sd_range){r->start, r->end}))
            continue;
        a->names =
            memory_grow(a->names, &a->names_room, a->n_names, sizeof *a->names);
        a->names[a->n_names] = memory_text(r->name);
        blocks->blocks[blocks->n_blocks - 1].function = a->names[a->n_names++];
    }
}

static void add_regions(struct analysis *a, struct sd_image *image)
{
    struct sd_blocks blocks;

    sd_blocks_init(&blocks);
    if (a->regions != NULL)
        add_marked(a, image, &blocks);
    else
        sd_select_regions(&a->select, image, decoder(a, image->arch), &blocks);
    sd_batch_add(&a->batch, image, &blocks, NULL);
}

/* With one of the scopes beyond the loop. */

static int walk_link(struct analysis *a, struct sd_link *link, struct diag *d)
{
    struct sd_settings settings = a->options.settings;
    int rc;

    settings.arch = link->objects[0].image.arch;
    rc = sd_results_walk(&a->results, link, &settings, a->options.jobs, d);
    sd_link_fini(link);
    return rc;
}

/* Is it one of those that see each other?  Others are analysed alone. */
static bool is_joined(const struct analysis *a, const struct sd_image *image,
                      const struct sd_dynamic *dynamic)
{
    if (a->options.settings.scope != SD_SCOPE_PROGRAM)
        return false;
    if (sd_link_takes(&a->link, image, dynamic))
        return true;
    if (a->link.n_objects > 0 && dynamic->is_linked)
        fprintf(stderr,
                "staticdeps: %s: no part of the same program; it is analysed "
                "alone\n",
                image->path);
    return false;
}

/* Takes the image over. */
static int walk_image(struct analysis *a, struct sd_image *image,
                      struct diag *d)
{
    struct sd_link alone = {.library = &a->library};
    struct sd_blocks blocks, wanted;
    struct sd_dynamic dynamic;
    struct diag ignored;
    bool joined;
    int rc;

    sd_dynamic_read(&dynamic, image->path, &ignored); /* or nothing is known */
    joined = is_joined(a, image, &dynamic);
    sd_blocks_init(&blocks);
    sd_blocks_of_image(&blocks, decoder(a, image->arch), image);
    rc = sd_select_among(&a->select, image, &blocks, &wanted, d);
    sd_link_add(joined ? &a->link : &alone, image, &dynamic, &blocks, &wanted);
    if (joined)
        return rc;
    if (rc == 0)
        return walk_link(a, &alone, d);
    sd_link_fini(&alone);
    return rc;
}

/* Takes the image over, if all is well. */
static int add_image(struct analysis *a, struct sd_image *image, struct diag *d)
{
    int rc = 1;

    if (is_duplicate(a, image->build_id)) {
        a->results.n_duplicates++;
        return 0;
    }
    if (!sd_batch_has_room(&a->batch, image->arch) && analyse_batch(a, d) != 0)
        return -1;
    a->results.n_unknown_relocations += image->n_unknown_relocations;
    a->results.n_large_debugdata += image->has_large_debugdata;
    if (sd_scope_walks(a->options.settings.scope))
        return walk_image(a, image, d);
    if (a->options.settings.scope == SD_SCOPE_LOOP) {
        rc = add_graph(a, image, d);
        a->results.n_without_loops += rc == 1;
        if (rc == 1)
            fprintf(stderr,
                    "staticdeps: %s: too many blocks for its size; each "
                    "is taken for a loop\n",
                    image->path);
    }
    if (a->options.n_regions > 0 || a->regions != NULL) {
        add_regions(a, image);
        return 0;
    }
    return rc == 1 ? add_pieces(a, image, d) : rc;
}

static int add_member(struct analysis *a, const struct sd_archive *archive,
                      struct diag *d)
{
    struct sd_image image;
    int rc;

    if (!sd_archive_member_is_elf(archive)) {
        a->results.n_foreign_members++;
        return 0;
    }
    if (sd_image_open_member(&image, archive->name, archive->bytes,
                             archive->n_bytes, d) != 0)
        return -1;
    rc = add_image(a, &image, d);
    sd_image_close(&image);
    return rc;
}

static int add_archive(struct analysis *a, const char *path, struct diag *d)
{
    struct sd_archive archive;
    int rc;

    if (sd_archive_open(&archive, path, d) != 0)
        return -1;
    while ((rc = sd_archive_next(&archive, d)) > 0)
        if (add_member(a, &archive, d) != 0) {
            rc = -1;
            break;
        }
    sd_archive_close(&archive);
    return rc;
}

/* Marks are regions unless the user chooses, or looks farther than a block. */
static bool wants_marks(const struct sd_options *o)
{
    return o->settings.scope == SD_SCOPE_BLOCK && o->n_functions == 0 &&
           o->n_regions == 0 && !o->has_range && o->executed == NULL;
}

/* Assembly source: the object file that it gives is its file. */
static int add_assembled(struct analysis *a, const struct input *input,
                         struct diag *d)
{
    struct sd_image image;
    int rc;

    if (sd_image_open(&image, input->path, a->options.debug_directory, d) != 0)
        return input_rename(input, d);
    free(image.path);
    image.path = memory_text(input->subject);
    if (wants_marks(&a->options) && input->regions.n > 0)
        a->regions = &input->regions;
    rc = add_image(a, &image, d);
    a->regions = NULL;
    sd_image_close(&image);
    return rc;
}

static int add_source(struct analysis *a, const char *path, struct diag *d)
{
    static const struct regions none;
    struct input_choice choice = {
        .program = path, .ranges = &none, .looks_for_marks = true};
    struct input input;
    int rc = input_open(&input, &choice, d);

    if (rc == 0)
        rc = add_assembled(a, &input, d);
    input_close(&input);
    return rc;
}

static int add_file(struct analysis *a, const char *path, struct diag *d)
{
    struct sd_image image;
    int rc;

    if (input_is_source(path))
        return add_source(a, path, d);
    if (sd_archive_probe(path))
        return add_archive(a, path, d);
    if (sd_image_open(&image, path, a->options.debug_directory, d) != 0)
        return -1;
    rc = add_image(a, &image, d);
    sd_image_close(&image);
    return rc;
}

static int analyse_hex(struct analysis *a, struct diag *d)
{
    struct sd_image image = {.arch = a->options.settings.arch};
    struct sd_blocks blocks;
    struct sd_hex hex;
    int rc;

    sd_blocks_init(&blocks);
    if (sd_hex_open(&hex, a->options.hex, &blocks, decoder(a, image.arch), d) !=
        0) {
        sd_blocks_fini(&blocks);
        return -1;
    }
    image.path = memory_text(hex.path);
    memcpy(image.build_id, hex.build_id, sizeof image.build_id);
    sd_batch_add(&a->batch, &image, &blocks, NULL);
    rc = analyse_batch(a, d);
    sd_hex_close(&hex);
    return rc;
}

/* What is printed is kept in a file without a name until the database is in its
   place, so that a run that fails prints nothing but why. */
static FILE *open_report(struct diag *d)
{
    const char *directory = getenv("TMPDIR");
    char *path;
    FILE *out = NULL;
    int fd;

    if (directory == NULL || directory[0] == '\0')
        directory = "/tmp";
    if (asprintf(&path, "%s/staticdepsXXXXXX", directory) < 0)
        memory_exhausted();
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) {
        unlink(path);
        out = fdopen(fd, "w+");
        if (out == NULL)
            close(fd);
    }
    if (out == NULL)
        diag_set(d, "%s: %s", path, strerror(errno));
    free(path);
    return out;
}

/* Accepts NULL. */
static int check_report(FILE *report, struct diag *d)
{
    if (report != NULL && (fflush(report) != 0 || ferror(report)))
        return diag_set(d, "temporary file: %s", strerror(errno));
    return 0;
}

static int print_report(FILE *report, struct diag *d)
{
    char part[1 << 16];
    size_t n;

    rewind(report);
    while ((n = fread(part, 1, sizeof part, report)) > 0)
        if (fwrite(part, 1, n, stdout) != n)
            break;
    if (n > 0 || fflush(stdout) != 0)
        return diag_set(d, "standard output: %s", strerror(errno));
    if (ferror(report))
        return diag_set(d, "temporary file: %s", strerror(errno));
    return 0;
}

/* Lines of --hex count as one file. */
static size_t count(char **files)
{
    size_t n = 0;

    while (files[n] != NULL)
        n++;
    return n > 0 ? n : 1;
}

static int open_db(struct analysis *a, struct diag *d)
{
    struct sd_results *r = &a->results;

    r->db = sd_db_open(
        a->options.output,
        sd_scope_walks(a->options.settings.scope) ? DB_WALKS : DB_STATIC, d);
    if (r->db == NULL)
        return -1;
    remove_at_an_early_end(sd_db_temporary(r->db));
    return 0;
}

static int finish_db(struct analysis *a, struct diag *d)
{
    struct sd_results *r = &a->results;

    if (a->options.library_table != NULL &&
        sd_db_text(r->db, "library_table", a->options.library_table, d) != 0)
        return -1;
    if (sd_results_end(r, &a->options.settings, d) != 0 ||
        sd_select_write(&a->select, r->db, d) != 0)
        return -1;
    return sd_db_commit(r->db, d);
}

static int read_library(struct analysis *a, struct diag *d)
{
    const char *path = a->options.library_table;

    if (!sd_scope_walks(a->options.settings.scope))
        return 0;
    sd_library_init(&a->library);
    a->link.library = &a->library;
    return path == NULL ? 0 : sd_library_read(&a->library, path, d);
}

static int analyse(struct analysis *a, char **files, struct diag *d)
{
    struct sd_results *r = &a->results;

    if (read_library(a, d) != 0 ||
        sd_select_init(&a->select, &a->options, d) != 0)
        return -1;
    if (a->options.output != NULL && open_db(a, d) != 0)
        return -1;
    r->report.has_functions = sd_scope_walks(a->options.settings.scope);
    sd_report_begin(&r->report);
    sd_progress_begin(&r->progress, count(files),
                      r->report.has_functions ? "functions" : "blocks");
    if (a->options.hex != NULL && analyse_hex(a, d) != 0)
        return -1;
    for (; *files != NULL; files++) {
        sd_progress_file(&r->progress);
        if (add_file(a, *files, d) != 0)
            return -1;
    }
    if (analyse_batch(a, d) != 0 ||
        (a->link.n_objects > 0 && walk_link(a, &a->link, d) != 0))
        return -1;
    sd_report_end(&r->report);
    if (check_report(r->report.out, d) != 0 ||
        sd_select_check(&a->select, d) != 0)
        return -1;
    return r->db != NULL ? finish_db(a, d) : 0;
}

static void release(struct analysis *a)
{
    for (size_t i = 0; i < a->n_identities; i++)
        free(a->identities[i]);
    free(a->identities);
    for (size_t i = 0; i < a->n_names; i++)
        free(a->names[i]);
    free(a->names);
    for (int i = 0; i < SD_N_ARCHES; i++)
        sd_decoder_free(a->decoders[i]);
    sd_batch_fini(&a->batch);
    sd_link_fini(&a->link);
    sd_library_fini(&a->library);
    sd_select_fini(&a->select);
    sd_results_fini(&a->results);
}

static int run(struct analysis *a, char **files, struct diag *d)
{
    struct sd_report *report = &a->results.report;
    int rc = 0;

    report->format = a->options.format;
    if (report->format != SD_FORMAT_NONE)
        rc = (report->out = open_report(d)) != NULL ? 0 : -1;
    if (rc == 0)
        rc = analyse(a, files, d);
    sd_progress_end(&a->results.progress);
    temporary = NULL;
    sd_db_close(a->results.db);
    if (rc == 0 && report->out != NULL)
        rc = print_report(report->out, d);
    if (report->out != NULL)
        fclose(report->out);
    release(a);
    return rc;
}

int main(int argc, char **argv)
{
    struct analysis a = {.n_identities = 0};
    struct diag d;
    int first, rc = 0;

    switch (sd_options_parse(&a.options, argc, argv, &first, &d)) {
    case OPTIONS_RUN:
        rc = run(&a, argv + first, &d);
        break;
    case OPTIONS_DONE:
        break;
    case OPTIONS_BAD:
        rc = -1;
        break;
    }
    sd_options_fini(&a.options);
    if (rc == 0)
        return EXIT_SUCCESS;
    if (d.text[0] != '\0') /* or a worker has said why */
        fprintf(stderr, "staticdeps: %s\n", d.text);
    return TROUBLE;
}
