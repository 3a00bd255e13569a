/*
 * ds_run: a process from its start, or its fork, to its end: when it began,
 * which database it goes to, and how it gets there.
 *
 * A successful execve ends a run, too.  Success is unknown before the call, and
 * after it the tool is gone.  So the run is written to the database before the
 * call; if the call fails, the run replaces that state at its real end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/ds_run.h"

#include "base/ds_message.h"
#include "base/ds_options.h"
#include "base/ds_process.h"
#include "count/ds_access.h"
#include "count/ds_clock.h"
#include "count/ds_deps.h"
#include "count/ds_segments.h"
#include "objects/ds_objects.h"
#include "record/ds_record.h"
#include "run/internal.h"
#include "window/ds_window.h"

#define N_SPOOLS 100 /* names that are tried */

static HChar *database;
static ULong started;     /* microseconds since 1970 */
static HChar *left_spool; /* of the run, not imported */

static ULong microseconds(void)
{
    struct vki_timeval now = {0};

    VG_(gettimeofday)(&now, NULL);
    return (ULong)now.tv_sec * 1000000 + (ULong)now.tv_usec;
}

void ds_run_init(void)
{
    ds_helper_init();
    ds_session_init(ds_options.session);
    database = ds_session_file("--deps-file", ds_options.deps_file);
    started = microseconds();
    ds_summary_phase(DS_CHECK);
    /* A process that started this one has checked the database. */
    if (ds_options.session == NULL && !ds_import_check(database))
        VG_(exit)(2);
    ds_summary_phase(DS_START_UP);
}

void ds_run_fork(void)
{
    ds_expect_forget_all();
    ds_deps_reset();
    ds_segments_reset();
    ds_clock_begin_run();
    ds_window_reset();
    ds_summary_restart();
    started = microseconds();
    left_spool = NULL;
}

static const HChar *command(void)
{
    SizeT room = 1 << 16; /* the rest of a longer command is cut off */
    HChar *text = VG_(malloc)("ds.run", room);

    VG_(client_cmd_and_args)(text, room);
    return text;
}

/* A spool for the helper process to write.  The helper's exit status is the
   error, or 0. */
struct attempt {
    const HChar *path;
    const struct ds_run *run;
};

static Int attempt(void *argument)
{
    const struct attempt *a = argument;

    return ds_spool_write(a->path, a->run);
}

/* A tool has no strerror. */
static const HChar *reason(Int error)
{
    switch (error) {
    case VKI_ENOENT:
        return "no such directory";
    case VKI_EACCES:
        return "permission denied";
    case VKI_EROFS:
        return "read-only file system";
    case VKI_ENOSPC:
        return "no space left on device";
    case VKI_EFBIG:
        return "larger than a file may be";
    default:
        return "it cannot be written";
    }
}

/* Writes the spool in a helper process, or in this one if no helper can be
   started. */
static Int write_spool(const HChar *path, const struct ds_run *run)
{
    struct attempt a = {path, run};
    Int result = ds_helper_run(attempt, &a);

    return result < 0 ? attempt(&a) : result;
}

/* Writes the run to a file of its own: FILE.spool may hold another run, which
   waits for its import or is being imported.  NULL if it cannot be written. */
static HChar *spool(const struct ds_run *run)
{
    SizeT room = VG_(strlen)(database) + 64;
    HChar *path = VG_(malloc)("ds.run", room);
    Int result = VKI_EEXIST;

    for (Int i = 0; i < N_SPOOLS && result == VKI_EEXIST; i++) {
        VG_(snprintf)
        (path, (Int)room, i == 0 ? "%s.spool" : "%s.spool.%d", database,
         run->pid);
        if (i > 1)
            VG_(sprintf)(path + VG_(strlen)(path), ".%d", i);
        result = write_spool(path, run);
    }
    if (result == 0)
        return path;
    ds_message("%s: %s%s", path, reason(result),
               run->complete ? "; the run is lost" : "");
    VG_(free)(path);
    return NULL;
}

/* Spools the run and imports it.  True if it is in the database.  *left is the
   spool that stays, or NULL. */
static Bool write_run(enum spool_end end, Int exit_status, HChar **left)
{
    struct ds_run run = {
        .append = ds_options.append,
        .started = started,
        .pid = VG_(getpid)(),
        .end = end,
        .exit_status = exit_status,
        .start = ds_clock_executed() - ds_summary_instructions(),
        .instructions = ds_summary_instructions(),
        .recorded = ds_clock_recorded(),
        .complete = end != SPOOL_RUNNING,
        .session = ds_session_name(),
        .command = command(),
        .program = ds_filter_program(),
        .bounds = &ds_options.bounds,
    };
    HChar *path;
    Bool is_imported;

    tl_assert(database != NULL && run.session != NULL);
    ds_summary_phase(DS_SPOOL);
    ds_record_settle();
    ds_window_settle();
    path = spool(&run);
    VG_(free)((void *)(Addr)run.command);
    ds_summary_phase(DS_IMPORT);
    is_imported = path != NULL && ds_import_run(path, database);
    ds_summary_phase(DS_CLIENT);
    if (is_imported)
        VG_(free)(path);
    *left = is_imported ? NULL : path;
    return is_imported;
}

Bool ds_run_end(enum spool_end end, Int exit_status)
{
    HChar *left;

    tl_assert(end < SPOOL_N_ENDS && end != SPOOL_RUNNING);
    if (write_run(end, exit_status, &left))
        return True;
    if (left != NULL)
        ds_message("%s: not imported; when that is fixed: %s", left,
                   ds_import_command(left, database));
    left_spool = left;
    return False;
}

/* A spool that could not be imported is removed: the run is still in memory. */
Bool ds_run_dump(void)
{
    HChar *left;
    Bool is_written = write_run(SPOOL_RUNNING, 0, &left);

    if (left != NULL) {
        VG_(unlink)(left);
        VG_(free)(left);
    }
    return is_written;
}

void ds_run_resume(void)
{
    if (left_spool != NULL)
        VG_(unlink)(left_spool);
    left_spool = NULL;
}
