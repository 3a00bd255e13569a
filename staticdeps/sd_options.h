/*
 * sd_options: the command line of staticdeps.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "elf/sd_image.h"
#include "options.h"
#include "block/sd_analyse.h"
#include "out/sd_report.h"

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
