/*
 * staticdeps: finds the dependencies through memory in the basic blocks of
 * ELF files, without running them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "memory.h"
#include "sd_archive.h"
#include "sd_choice.h"
#include "sd_hex.h"
#include "sd_jobs.h"
#include "sd_lift.h"
#include "sd_options.h"
#include "sd_progress.h"
#include "sd_store.h"

enum { TROUBLE = 2 };

struct analysis {
    struct sd_options options;
    struct sd_store *store;
    struct sd_report report;
    struct sd_progress progress;
    struct sd_counts *counts;
    struct sd_decoder *decoders[SD_N_ARCHES];
    struct sd_blocks blocks; /* of the object at hand */
    struct sd_stored_dep *deps;
    size_t deps_room;
    uint64_t *addresses; /* of a block's instructions */
    size_t addresses_room;
    struct sd_choice choice;
    uint64_t n_blocks, n_insns, n_deps, n_duplicates;
    uint64_t n_unknown_relocations, n_foreign_members;
    uint64_t n_by_status[SD_N_STATUSES];
    char **identities; /* of the objects so far */
    size_t n_identities, identities_room;
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
    static const int signals[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE};
    struct sigaction action = {.sa_handler = interrupted,
                               .sa_flags = SA_RESTART};

    owner = getpid();
    temporary = path;
    atexit(remove_temporary);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction old;

        /* nohup and shells have signals ignored on purpose. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

/* Dependencies by number -> by address. */
static void locate(struct analysis *a, const struct sd_block *block,
                   const struct sd_result *result)
{
    uint64_t at = block->address;

    a->addresses = memory_grow(a->addresses, &a->addresses_room, block->n_insns,
                               sizeof *a->addresses);
    for (uint32_t i = 0; i < block->n_insns; i++) {
        a->addresses[i] = at;
        at += a->blocks.insns[block->first + i] & (SD_NO_EFFECT - 1u);
    }
    a->deps =
        memory_grow(a->deps, &a->deps_room, result->n_deps, sizeof *a->deps);
    for (size_t i = 0; i < result->n_deps; i++)
        a->deps[i] = (struct sd_stored_dep){a->addresses[result->deps[i].src],
                                            a->addresses[result->deps[i].dst],
                                            result->deps[i]};
}

static int store_unknowns(struct analysis *a, const struct sd_result *result,
                          struct diag *d)
{
    for (size_t i = 0; i < result->n_unknowns; i++) {
        const struct sd_unknown *u = &result->unknowns[i];

        if (sd_store_unknown(a->store, a->addresses[u->insn], u->loads,
                             u->stores, d) != 0)
            return -1;
    }
    return 0;
}

static int take_result(void *argument, size_t number,
                       const struct sd_result *result, struct diag *d)
{
    struct analysis *a = argument;
    const struct sd_block *block = &a->blocks.blocks[number];

    if (result->n_deps > 0 || result->n_unknowns > 0)
        locate(a, block, result);
    sd_progress_blocks(&a->progress, number, a->blocks.n_blocks);
    a->n_blocks++;
    a->n_insns += block->n_insns;
    a->n_deps += result->n_deps;
    a->n_by_status[result->status]++;
    sd_report_block(&a->report, block, a->blocks.insns + block->first,
                    result->status, a->deps, result->n_deps);
    if (sd_store_block(a->store, block, result->status, a->deps, result->n_deps,
                       d) != 0)
        return -1;
    return store_unknowns(a, result, d);
}

static int analyse_object(struct analysis *a, const char *path,
                          const char *build_id, enum sd_arch arch,
                          struct diag *d)
{
    const char *name = sd_arch_name(arch);
    struct sd_settings settings = a->options.settings;

    settings.arch = arch;
    if (sd_store_object(a->store, path, build_id, name, d) != 0)
        return -1;
    sd_report_object(&a->report, path, build_id, name);
    sd_progress_file(&a->progress);
    a->report.decoder = a->decoders[arch];
    return sd_jobs_run(&a->blocks, &settings, a->options.jobs, take_result, a,
                       a->counts, d);
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

static int analyse_image(struct analysis *a, const struct sd_image *image,
                         struct diag *d)
{
    int rc;

    if (is_duplicate(a, image->build_id)) {
        a->n_duplicates++;
        return 0;
    }
    a->n_unknown_relocations += image->n_unknown_relocations;
    sd_blocks_init(&a->blocks);
    sd_blocks_of_image(&a->blocks, a->decoders[image->arch], image);
    rc = sd_choice_apply(&a->choice, image, &a->blocks, d);
    if (rc == 0)
        rc = analyse_object(a, image->path, image->build_id, image->arch, d);
    sd_blocks_fini(&a->blocks);
    return rc;
}

static int analyse_member(struct analysis *a, const struct sd_archive *archive,
                          struct diag *d)
{
    struct sd_image image;
    int rc;

    if (!sd_archive_member_is_elf(archive)) {
        a->n_foreign_members++;
        return 0;
    }
    if (sd_image_open_member(&image, archive->name, archive->bytes,
                             archive->n_bytes, d) != 0)
        return -1;
    rc = analyse_image(a, &image, d);
    sd_image_close(&image);
    return rc;
}

static int analyse_archive(struct analysis *a, const char *path, struct diag *d)
{
    struct sd_archive archive;
    int rc;

    if (sd_archive_open(&archive, path, d) != 0)
        return -1;
    while ((rc = sd_archive_next(&archive, d)) > 0)
        if (analyse_member(a, &archive, d) != 0) {
            rc = -1;
            break;
        }
    sd_archive_close(&archive);
    return rc;
}

static int analyse_file(struct analysis *a, const char *path, struct diag *d)
{
    struct sd_image image;
    int rc;

    if (sd_archive_probe(path))
        return analyse_archive(a, path, d);
    if (sd_image_open(&image, path, a->options.debug_directory, d) != 0)
        return -1;
    rc = analyse_image(a, &image, d);
    sd_image_close(&image);
    return rc;
}

static int analyse_hex(struct analysis *a, struct diag *d)
{
    enum sd_arch arch = a->options.settings.arch;
    struct sd_hex hex;
    int rc;

    sd_blocks_init(&a->blocks);
    if (sd_hex_open(&hex, a->options.hex, &a->blocks, a->decoders[arch], d) !=
        0)
        return -1;
    rc = analyse_object(a, hex.path, hex.build_id, arch, d);
    sd_blocks_fini(&a->blocks);
    sd_hex_close(&hex);
    return rc;
}

static int store_unsupported(struct analysis *a, struct diag *d)
{
    for (size_t i = 0; i <= UINT16_MAX; i++) {
        char key[80] = "unsupported:";

        if (a->counts->n_unsupported[i] == 0)
            continue;
        sd_lift_operation_name((uint16_t)i, key + strlen(key),
                               sizeof key - strlen(key));
        if (sd_store_int(a->store, key, a->counts->n_unsupported[i], d) != 0)
            return -1;
    }
    return 0;
}

static int store_analysis(struct analysis *a, struct diag *d)
{
    const struct sd_settings *s = &a->options.settings;
    const struct sd_counts *c = a->counts;
    const struct {
        const char *key;
        uint64_t value;
    } numbers[] = {
        {"rob", s->rob},
        {"seeds", s->n_seeds},
        {"seed", s->seed},
        {"blocks", a->n_blocks},
        {"blocks_run", c->n_run},
        {"instructions", a->n_insns},
        {"dependencies", a->n_deps},
        {"unknown_address_loads", c->n_unknown_loads},
        {"unknown_address_stores", c->n_unknown_stores},
        {"lengths_differ", c->n_lengths_differ},
        {"known_by_operands", c->n_by_operands},
        {"duplicate_objects", a->n_duplicates},
        {"foreign_members", a->n_foreign_members},
        {"unknown_relocations", a->n_unknown_relocations},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sd_store_int(a->store, numbers[i].key, numbers[i].value, d) != 0)
            return -1;
    for (int i = 0; i < SD_N_STATUSES; i++) {
        char key[40];

        snprintf(key, sizeof key, "status:%s",
                 sd_status_name((enum sd_status)i));
        if (sd_store_int(a->store, key, a->n_by_status[i], d) != 0)
            return -1;
    }
    if (sd_store_text(a->store, "version", PACKAGE_VERSION, d) != 0 ||
        sd_store_real(a->store, "threshold", 100 * s->threshold, d) != 0)
        return -1;
    return store_unsupported(a, d);
}

/* What is printed is kept until the database is in its place, so that a run
   that fails prints nothing but why. */
static int print_report(const char *text, size_t size, struct diag *d)
{
    if (fwrite(text, 1, size, stdout) != size || fflush(stdout) != 0)
        return diag_set(d, "standard output: %s", strerror(errno));
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

static int analyse(struct analysis *a, char **files, struct diag *d)
{
    if (sd_choice_init(&a->choice, &a->options, d) != 0)
        return -1;
    a->store = sd_store_open(a->options.output, d);
    if (a->store == NULL)
        return -1;
    remove_at_an_early_end(sd_store_temporary(a->store));
    sd_report_begin(&a->report);
    sd_progress_begin(&a->progress, count(files));
    if (a->options.hex != NULL && analyse_hex(a, d) != 0)
        return -1;
    for (; *files != NULL; files++)
        if (analyse_file(a, *files, d) != 0)
            return -1;
    sd_report_end(&a->report);
    if (sd_choice_check(&a->choice, d) != 0 || store_analysis(a, d) != 0 ||
        sd_store_commit(a->store, d) != 0)
        return -1;
    return 0;
}

static int run(struct analysis *a, char **files, struct diag *d)
{
    char *text = NULL;
    size_t size = 0;
    int rc;

    a->report.format = a->options.format;
    a->report.out = open_memstream(&text, &size);
    if (a->report.out == NULL)
        memory_exhausted();
    a->counts = memory_new(1, sizeof *a->counts);
    for (int i = 0; i < SD_N_ARCHES; i++)
        a->decoders[i] = sd_decoder_new((enum sd_arch)i);
    rc = analyse(a, files, d);
    sd_progress_end(&a->progress);
    if (fclose(a->report.out) != 0)
        memory_exhausted();
    temporary = NULL;
    sd_store_close(a->store);
    if (rc == 0)
        rc = print_report(text, size, d);
    for (size_t i = 0; i < a->n_identities; i++)
        free(a->identities[i]);
    free(a->identities);
    for (int i = 0; i < SD_N_ARCHES; i++)
        sd_decoder_free(a->decoders[i]);
    sd_choice_fini(&a->choice);
    free(a->counts);
    free(a->deps);
    free(a->addresses);
    free(text);
    return rc;
}

int main(int argc, char **argv)
{
    struct analysis a = {.n_blocks = 0};
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
