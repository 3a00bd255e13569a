/*
 * ds_import: runs depsim-import, because a tool has no SQLite of its own.
 *
 * Limit: it writes its message to the standard error that the client left.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_import.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "ds_message.h"

#define WAIT_FOR_ALL 0x40000000 /* __WALL of wait4(2) */

static const HChar *program(void)
{
    static HChar *path;

    if (path == NULL) {
        SizeT room = VG_(strlen)(VG_(libdir)) + sizeof "/depsim-import";

        path = VG_(malloc)("ds.import", room);
        VG_(snprintf)(path, (Int)room, "%s/depsim-import", VG_(libdir));
    }
    return path;
}

/* Adds a text to the end of a command, quoted for the shell. */
static HChar *quote(HChar *end, const HChar *text)
{
    *end++ = ' ';
    *end++ = '\'';
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            end += VG_(sprintf)(end, "%s", "'\\'");
        *end++ = *text;
    }
    *end++ = '\'';
    *end = '\0';
    return end;
}

const HChar *ds_import_command(const HChar *spool, const HChar *database)
{
    SizeT room = VG_(strlen)(program()) +
                 4 * (VG_(strlen)(spool) + VG_(strlen)(database)) + 16;
    HChar *command = VG_(malloc)("ds.import", room);

    quote(quote(command + VG_(sprintf)(command, "%s", program()), spool),
          database);
    return command;
}

static long system_call(long number, const void *a, const void *b,
                        const void *c, long d)
{
    register long d_in_r10 __asm__("r10") = d;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d_in_r10)
                     : "rcx", "r11", "memory");
    return result;
}

/* A child whose end sends no signal, and for which only WAIT_FOR_ALL waits. */
static Int fork_unseen(void)
{
    return (Int)system_call(__NR_clone, NULL, NULL, NULL, 0);
}

/* The client may have chosen to have its children's ends ignored. */
static void heed_children(void)
{
    static const struct vki_sigaction_base by_default;

    system_call(__NR_rt_sigaction, (const void *)VKI_SIGCHLD, &by_default, NULL,
                sizeof by_default.sa_mask);
}

/* Ends a child.  VG_(exit) would also end the connection with a debugger, which
   is the parent's. */
__attribute__((noreturn)) static void leave(Bool is_well)
{
    for (;;)
        system_call(__NR_exit_group, is_well ? NULL : (const void *)2, NULL,
                    NULL, 0);
}

/* In a child: runs the program, under the name that the user knows, and exits
   with 0 if it does. */
__attribute__((noreturn)) static void oversee(const HChar *first,
                                              const HChar *second)
{
    const HChar *argv[] = {"depsim", first, second, NULL};
    Int status = -1;
    Int pid;

    heed_children();
    pid = VG_(fork)();
    if (pid == 0) {
        VG_(execv)(program(), argv);
        ds_message("%s: cannot be run", program());
        leave(False);
    }
    leave(pid > 0 && VG_(waitpid)(pid, &status, 0) == pid && status == 0);
}

/* The program's end sends SIGCHLD, whoever started it: so it is a grandchild,
   of which the client and its calls of wait() learn nothing. */
static Bool run(const HChar *first, const HChar *second)
{
    Int status = -1;
    Int pid = fork_unseen();

    if (pid < 0) {
        ds_message("%s: cannot be started", program());
        return False;
    }
    if (pid == 0)
        oversee(first, second);
    return VG_(waitpid)(pid, &status, WAIT_FOR_ALL) == pid && status == 0;
}

Bool ds_import_check(const HChar *database)
{
    return run("--check", database);
}

Bool ds_import_run(const HChar *spool, const HChar *database)
{
    return run(spool, database);
}
