/*
 * ds_session: what the processes of one invocation have in common: the name
 * of the session, and the directory where it was started.
 *
 * A fork keeps both in memory.  An execve keeps nothing, so they are handed
 * on among the options that Valgrind gives to itself when it follows one
 * (--trace-children=yes), as --session=NAME:DIRECTORY.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/internal.h"

static HChar *name;
static const HChar *directory; /* NULL: it was removed before the start */

static HChar *join(const HChar *a, const HChar *between, const HChar *b)
{
    SizeT room = VG_(strlen)(a) + VG_(strlen)(between) + VG_(strlen)(b) + 1;
    HChar *text = VG_(malloc)("ds.session", room);

    VG_(snprintf)(text, (Int)room, "%s%s%s", a, between, b);
    return text;
}

/* Begins a session, and hands it on. */
static void begin(void)
{
    struct vki_timeval now = {0};

    VG_(gettimeofday)(&now, NULL);
    name = VG_(malloc)("ds.session", 64);
    VG_(snprintf)
    (name, 64, "%ld.%06ld-%d", (long)now.tv_sec, (long)now.tv_usec,
     VG_(getpid)());
    directory = VG_(get_startup_wd)();
    ds_valgrind_hand_on(join(
        "--session=", join(name, ":", directory != NULL ? directory : ""), ""));
}

void ds_session_init(const HChar *option)
{
    HChar *end;

    tl_assert(name == NULL);
    if (option == NULL) {
        begin();
        return;
    }
    name = VG_(strdup)("ds.session", option);
    end = VG_(strchr)(name, ':');
    if (end == NULL)
        return;
    *end = '\0';
    directory = end[1] != '\0' ? end + 1 : NULL;
}

const HChar *ds_session_name(void)
{
    tl_assert(name != NULL);
    return name;
}

HChar *ds_session_file(const HChar *option, const HChar *format)
{
    HChar *rooted, *expanded, *file;

    if (directory == NULL || format[0] == '~')
        return VG_(expand_file_name)(option, format);
    /* A slash in front keeps Valgrind from making a relative name absolute. */
    rooted = join("/", "", format);
    expanded = VG_(expand_file_name)(option, rooted);
    file = expanded[1] == '/' ? VG_(strdup)("ds.session", expanded + 1)
                              : join(directory, "", expanded);
    VG_(free)(rooted);
    VG_(free)(expanded);
    return file;
}
