/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_message.h"

#include "pub_tool_errormgr.h"
#include "pub_tool_execontext.h"

#include "text.h"

#define LOST_RUN 0 /* the only kind of error */

/* What is not printed yet. */
static struct {
    HChar text[512];
    SizeT n;
} line;

/* Prints the line with "?" instead of each control character.  If more of it
   follows, keeps an end that may be the beginning of a character. */
static void flush(Bool more_follows)
{
    HChar rest[3];
    SizeT n = line.n, n_rest;

    for (SizeT i = 1; more_follows && i <= sizeof rest; i++)
        if ((UChar)line.text[line.n - i] >= 0xc0)
            n = line.n - i;
    n_rest = line.n - n;
    VG_(memcpy)(rest, line.text + n, n_rest);
    line.text[n] = '\0';
    text_make_safe(line.text);
    VG_(printf)("%s", line.text);
    VG_(memcpy)(line.text, rest, n_rest);
    line.n = n_rest;
}

static void put(HChar c, void *unused)
{
    (void)unused;
    if (line.n + 1 == sizeof line.text)
        flush(True);
    line.text[line.n++] = c;
}

static void print(const HChar *format, va_list args)
{
    VG_(message_flush)();
    VG_(printf)("depsim: ");
    VG_(vcbprintf)(put, NULL, format, args);
    flush(False);
    VG_(printf)("\n");
}

void ds_message(const HChar *format, ...)
{
    va_list args;

    va_start(args, format);
    print(format, args);
    va_end(args);
}

void ds_message_refuse(const HChar *format, ...)
{
    va_list args;

    va_start(args, format);
    print(format, args);
    va_end(args);
    VG_(exit)(2);
}

void ds_message_pass(const HChar *lines)
{
    VG_(message_flush)();
    VG_(printf)("%s", lines);
}

/* The core asks how much of an error's details it should keep. */
static UInt no_details(const Error *error)
{
    (void)error;
    return 0;
}

/* If errors were found, Valgrind's core gives the process the status of
   --error-exitcode, unless a signal ended the program or the option is missing.
   So depsim, which looks for no errors in programs, declares itself a tool that
   finds errors when it has one to report.  If it did so earlier, the core would
   print a summary of errors at the end of each run.

   The core calls none of the other functions that it wants for errors: this one
   is not printed, compared with others or suppressed. */
void ds_message_failure(void)
{
    VG_(needs_tool_errors)
    (NULL, NULL, NULL, False, no_details, NULL, NULL, NULL, NULL, NULL, NULL,
     NULL);
    VG_(unique_error)
    (VG_INVALID_THREADID, LOST_RUN, 0, NULL, NULL, VG_(null_ExeContext)(),
     False, False, True);
}
