/*
 * sd_intake: files of all kinds taken in, and their blocks handed to the
 * analysis.
 *
 * Small objects share a batch, so that workers start once for many; a large one
 * is cut into pieces, so that memory does not grow with it; and with the scope
 * `program` the files that see each other wait for the last one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_INTAKE_H
#define SD_INTAKE_H

#include "out/sd_results.h"
#include "sd_options.h"
#include "sd_select.h"

/* Takes a note on how a file is analysed: "PATH: TEXT" is a message. */
typedef void sd_intake_note(const char *path, const char *text);

struct sd_intake {
    const struct sd_options *options;
    struct sd_results *results;
    sd_intake_note *note;
    struct sd_decoder *decoders[SD_N_ARCHES]; /* NULL: not needed so far */
    struct sd_batch batch;
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

/* 0, or -1 with *d set, as all of these; sd_intake_fini() in both cases. */
int sd_intake_init(struct sd_intake *intake, const struct sd_options *options,
                   struct sd_results *results, sd_intake_note *note,
                   struct diag *d);

/* An ELF file, an archive of object files, or assembly source. */
int sd_intake_file(struct sd_intake *intake, const char *path, struct diag *d);

/* The code of --hex. */
int sd_intake_hex(struct sd_intake *intake, struct diag *d);

/* Analyses what still waits. */
int sd_intake_end(struct sd_intake *intake, struct diag *d);

void sd_intake_fini(struct sd_intake *intake);

#endif
