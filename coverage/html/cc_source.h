/*
 * cc_source: lines of source files.
 *
 * A file is read when its first line is asked for.  Limits: one that is
 * missing, no regular file, or larger than 16 MiB has no lines; whether it is
 * still what was compiled, nobody can tell.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_SOURCE_H
#define COVERAGE_CC_SOURCE_H

struct cc_source_files;

struct cc_source_files *cc_source_new(void);

/* NULL is fine. */
void cc_source_free(struct cc_source_files *files);

/* A line of a file, counted from 1, without its blanks at both ends; NULL if
   there is none.  It lives as long as `files`. */
const char *cc_source_line(struct cc_source_files *files, const char *path,
                           int line);

#endif
