/*
 * ds_options: the command line, and messages to whoever typed it: one line
 * "depsim: SUBJECT: WHAT", without Valgrind's prefix, as the other programs
 * write it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "base/ds_valgrind.h"

#include "occurrence.h"

/* Names with wildcards: `*` matches any characters and `?` one; that is all. */
struct ds_patterns {
    UInt n;
    struct ds_pattern {
        const HChar *text;
        Bool has_matched; /* the caller that finds a match sets it */
    } * pattern;
};

#define DS_WINDOWS_MOST  1000000 /* windows, and instructions of a window */
#define DS_WINDOW_LENGTH 8192

struct ds_options {
    const HChar *deps_file; /* the database, %p and the like unexpanded */
    Bool append;
    Bool record_from_start;
    struct lifetimes bounds;
    struct ds_patterns objects, functions; /* without patterns: all */
    ULong aliases; /* the window of ds_alias, in instructions; 0: none */
    struct ds_window_option {
        UInt n, length;
    } windows;          /* for ds_window; n = 0: no windows */
    UInt windows_apart; /* distance of the first windows, in lengths */
    ULong inline_after; /* executions of a superblock: see ds_instrument */
    const HChar
        *session; /* from the process before an execve (ds_session), or NULL */
};

extern struct ds_options ds_options;

/* The callbacks for VG_(needs_command_line_options). */
Bool ds_options_process(const HChar *arg);
void ds_options_usage(void);
void ds_options_debug_usage(void);

/* Messages. */

/* Writes a message, one line, to Valgrind's log, by default standard error. */
void ds_message(const HChar *format, ...) PRINTF_CHECK(1, 2);

/* Writes a message and ends the program with status 2.  Only for errors before
   the client runs; later, the exit status is the client's. */
__attribute__((noreturn)) void ds_message_refuse(const HChar *format, ...)
    PRINTF_CHECK(1, 2);

/* Writes another program's lines to Valgrind's log. */
void ds_message_pass(const HChar *lines);

/* Counts an error that the user has been told of, as Valgrind counts errors of
   programs: a run that is not in its database. */
void ds_message_failure(void);
