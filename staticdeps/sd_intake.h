/*
 * sd_intake: reads files of all kinds, and hands their blocks to the analysis.
 *
 * Small objects share a batch, so that workers are started once for many.  A
 * large object is cut into pieces, so that memory does not grow with it.  With
 * --scope=program, the files of one program are analysed together after the
 * last file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "out/sd_results.h"
#include "sd_options.h"
#include "sd_select.h"

/* Takes a note on how a file is analysed, for the message "PATH: TEXT". */
typedef void sd_intake_note(const char *path, const char *text);

struct sd_intake {
    const struct sd_options *options;
    struct sd_results *results;
    sd_intake_note *note;
    struct sd_decoder *decoders[N_ARCHES]; /* NULL: not needed yet */
    struct sd_batch batch;
    struct sd_select select;
    struct sd_library library;
    struct sd_link
        link;          /* with --scope=program: the files analysed at the end */
    char **identities; /* build-ids of all objects */
    size_t n_identities, identities_room;
    const char *last_archive;      /* path; NULL: no archive yet */
    const struct regions *regions; /* marked in the current file, and analysed
                                      instead of its blocks; NULL: none */
    char **names;                  /* the names of all regions */
    size_t n_names, names_room;
};

/* Like all functions of sd_intake, returns 0, or -1 with *d set.  In both
   cases, sd_intake_fini() must be called. */
int sd_intake_init(struct sd_intake *intake, const struct sd_options *options,
                   struct sd_results *results, sd_intake_note *note,
                   struct diag *d);

/* Adds an ELF file, an archive of object files, or assembly source. */
int sd_intake_file(struct sd_intake *intake, const char *path, struct diag *d);

/* Analyses the code of --hex. */
int sd_intake_hex(struct sd_intake *intake, struct diag *d);

/* Analyses all files that have not been analysed yet. */
int sd_intake_end(struct sd_intake *intake, struct diag *d);

void sd_intake_fini(struct sd_intake *intake);
