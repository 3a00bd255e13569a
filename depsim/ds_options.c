/*
 * ds_options: the command line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_options.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"

struct ds_options ds_options = {.deps_file = "deps.db"};

Bool ds_options_process(const HChar *arg)
{
    const HChar *bounds;

    if (VG_STR_CLO(arg, "--deps-file", ds_options.deps_file)) {
        if (ds_options.deps_file[0] == '\0')
            VG_(fmsg_bad_option)(arg, "The file needs a name.\n");
    } else if (VG_BOOL_CLO(arg, "--append", ds_options.append)) {
    } else if (VG_STR_CLO(arg, "--lifetime", bounds)) {
        if (!lifetimes_parse(&ds_options.bounds, bounds))
            VG_(fmsg_bad_option)(arg, "Not a list of numbers or inf.\n");
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
     "                              [powers of two to 1048576, and inf]\n",
     "deps.db");
}

void ds_options_debug_usage(void)
{
    VG_(printf)("    (none)\n");
}
