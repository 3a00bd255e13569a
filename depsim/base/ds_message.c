/*
 * ds_message: one line "depsim: SUBJECT: WHAT".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_message.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"

static void print(const HChar *format, va_list args)
{
    VG_(message_flush)();
    VG_(printf)("depsim: ");
    VG_(vprintf)(format, args);
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
