/* staticdeps: the command line, which code is chosen, and reading it. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "options.h"
#include "demangle.h"
#include "out/sd_results.h"

/* --- The command line --- */

struct sd_options {
    const char *output; /* NULL: results are only printed */
    struct sd_settings settings;
    const char **functions; /* empty: all functions */
    size_t n_functions, functions_room;
    bool is_untrusted; /* the files may come from anyone */
    bool has_range;
    struct sd_range range;
    struct sd_range *regions; /* empty: blocks are analysed */
    size_t n_regions, regions_room;
    const char *library_table; /* the path of a file; NULL: none */
    const char *executed;      /* the path of a deps.db; NULL: all blocks */
    double min_share; /* of the executed instructions, for a function to be
                         walked; in [0, 1] */
    const char *debug_directory; /* a folder with symbols of stripped files */
    const char *hex;             /* NULL: ELF files; "-": standard input */
    unsigned jobs;
    enum sd_format format;
    enum disasm_syntax syntax; /* the syntax of listings */
};

/* Fills *o, which points into argv.  *first is the number of the first FILE. */
enum options_result sd_options_parse(struct sd_options *o, int argc,
                                     char **argv, int *first, struct diag *d);
void sd_options_fini(struct sd_options *o);

/* sd_select: selects the blocks that the user wants: --function, --range,
   --executed, --region. */

/* The code that depsim saw executed. */
struct sd_executed {
    struct db *db;           /* an open deps.db; NULL: no --executed */
    struct sd_range *ranges; /* of one object; sorted, with gaps between them */
    size_t n, room;
};

struct sd_select {
    const struct sd_options *options; /* belong to the caller */
    struct sd_executed executed;
    struct funcfind *found; /* what each --function found */
    bool *is_region_found;
    bool is_range_found, is_executed_found;
};

/* On failure, sd_select_fini() is harmless. */
int sd_select_init(struct sd_select *select, const struct sd_options *options,
                   struct diag *d);
void sd_select_fini(struct sd_select *select);

/* Keeps only the wanted blocks of an image. */
int sd_select_apply(struct sd_select *select, const struct sd_image *image,
                    struct sd_blocks *blocks, struct diag *d);

/* Appends the image's regions that are wanted; a region need not be a block. */
void sd_select_regions(struct sd_select *select, const struct sd_image *image,
                       struct sd_decoder *decoder, struct sd_blocks *blocks);

/* Sets *wanted, by block; the caller frees it, also after a failure. */
int sd_select_among(struct sd_select *select, const struct sd_image *image,
                    const struct sd_blocks *blocks, bool **wanted,
                    struct diag *d);

/* For --min-share: by block, the instructions that it executed in all runs; the
   caller frees the array.  *least is how many a function needs to be walked.
   Without the option, *executed becomes NULL and *least 0. */
int sd_select_weigh(struct sd_select *select, const struct sd_image *image,
                    const struct sd_blocks *blocks, double **executed,
                    double *least, struct diag *d);

/* Must be called after the last image.  Fails if an option selected nothing. */
int sd_select_check(const struct sd_select *select, struct diag *d);

/* Notes in `analysis` which options chose the blocks: "filter:1", ... */
int sd_select_write(const struct sd_select *select, struct sd_db *db,
                    struct diag *d);

/* sd_intake: reads files of all kinds, and hands their blocks to the analysis.

   Small objects share a batch, so that workers are started once for many.  A
   large object is cut into pieces, so that memory does not grow with it.  With
   --scope=program, the files of one program are analysed together after the
   last file. */

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
