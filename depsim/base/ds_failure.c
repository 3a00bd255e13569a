/*
 * ds_failure: a run that is not in its database is an error.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_message.h"

#include "pub_tool_basics.h"
#include "pub_tool_errormgr.h"
#include "pub_tool_execontext.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#define LOST_RUN 0 /* the only kind */

static Bool equal(VgRes res, const Error *a, const Error *b)
{
    (void)res, (void)a, (void)b;
    return True;
}

static void print(const Error *error)
{
    (void)error;
}

static UInt update(const Error *error)
{
    (void)error;
    return 0;
}

static Bool recognise(const HChar *name, Supp *suppression)
{
    (void)name, (void)suppression;
    return False;
}

static Bool read_extra(Int fd, HChar **buffer, SizeT *size, Int *line,
                       Supp *suppression)
{
    (void)fd, (void)buffer, (void)size, (void)line, (void)suppression;
    return False;
}

static Bool matches(const Error *error, const Supp *suppression)
{
    (void)error, (void)suppression;
    return False;
}

static const HChar *name(const Error *error)
{
    (void)error;
    return NULL;
}

static SizeT no_extra(const Error *error, HChar *text, Int size)
{
    (void)error, (void)text, (void)size;
    return 0;
}

static SizeT no_use(const Supp *suppression, HChar *text, Int size)
{
    (void)suppression, (void)text, (void)size;
    return 0;
}

static void no_update(const Error *error, const Supp *suppression)
{
    (void)error, (void)suppression;
}

void ds_failure(void)
{
    VG_(needs_tool_errors)
    (equal, print, print, False, update, recognise, read_extra, matches, name,
     no_extra, no_use, no_update);
    /* This error is never printed, and has no place in the program. */
    VG_(unique_error)
    (VG_INVALID_THREADID, LOST_RUN, 0, NULL, NULL, VG_(null_ExeContext)(),
     False, False, True);
}
