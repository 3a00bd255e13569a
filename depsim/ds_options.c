/*
 * ds_options: the command line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_options.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"

#include "ds_message.h"

struct ds_options ds_options = {.deps_file = "deps.db",
                                .record_from_start = True};

static Bool yes_or_no(const HChar *arg, const HChar *value)
{
    Bool is_yes = VG_(strcmp)(value, "yes") == 0;

    if (!is_yes && VG_(strcmp)(value, "no") != 0)
        ds_message_refuse("%s: neither yes nor no", arg);
    return is_yes;
}

Bool ds_options_process(const HChar *arg)
{
    const HChar *value;

    if (VG_STR_CLO(arg, "--deps-file", value)) {
        if (value[0] == '\0')
            ds_message_refuse("%s: a file needs a name", arg);
        ds_options.deps_file = value;
    } else if (VG_STR_CLO(arg, "--append", value)) {
        ds_options.append = yes_or_no(arg, value);
    } else if (VG_STR_CLO(arg, "--record-from-start", value)) {
        ds_options.record_from_start = yes_or_no(arg, value);
    } else if (VG_STR_CLO(arg, "--session", ds_options.session)) {
        /* It is ours, and checked nowhere. */
    } else if (VG_STR_CLO(arg, "--lifetime", value)) {
        if (!lifetimes_parse(&ds_options.bounds, value))
            ds_message_refuse("%s: not a list of at most %d numbers from 1, "
                              "or inf, with commas between them",
                              arg, LIFETIMES_MAX);
    } else {
        return False;
    }
    return True;
}

void ds_options_usage(void)
{
    VG_(printf)
    ("    --deps-file=FILE          the database; %%p, %%n, %%q{VAR} [%s]\n"
     "    --append=yes|no           add to the database, or replace it [no]\n"
     "    --lifetime=LIST           bounds to count, numbers or inf\n"
     "                              [powers of two to 1048576, and inf]\n"
     "    --record-from-start=yes|no  or from DEPSIM_START on [yes]\n",
     "deps.db");
}

void ds_options_debug_usage(void)
{
    VG_(printf)
    ("    --session=NAME:DIRECTORY  handed on to what execve starts\n");
}
