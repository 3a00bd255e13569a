/*
 * A successful execve ends a run, too.  Success is unknown before the call, and
 * after it the tool is gone.  So the run is written to the database before the
 * call; if the call fails, the run replaces that state at its real end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/ds_run.h"

#include "pub_tool_clreq.h"
#include "pub_tool_gdbserver.h"

#include "base/ds_memory.h"
#include "base/ds_options.h"
#include "base/ds_process.h"
#include "count/ds_access.h"
#include "count/ds_clock.h"
#include "count/ds_deps.h"
#include "count/ds_lines.h"
#include "count/ds_shadow.h"
#include "objects/ds_objects.h"
#include "switch/ds_switch.h"
#include "window/ds_window.h"

/* What the processes of one invocation have in common: the name
   of the session, and the directory where it was started.

   A fork keeps both in memory.  An execve keeps nothing, so they are handed
   on among the options that Valgrind gives to itself when it follows one
   (--trace-children=yes), as --session=NAME:DIRECTORY. */

static HChar *session;
static const HChar *directory; /* NULL: it was removed before the start */

static HChar *join(const HChar *a, const HChar *between, const HChar *b)
{
    SizeT room = VG_(strlen)(a) + VG_(strlen)(between) + VG_(strlen)(b) + 1;
    HChar *text = VG_(malloc)("ds.session", room);

    VG_(snprintf)(text, (Int)room, "%s%s%s", a, between, b);
    return text;
}

/* Makes the name of a session, which the programs that this one starts get. */
static void begin_session(void)
{
    struct vki_timeval now = {0};

    VG_(gettimeofday)(&now, NULL);
    session = VG_(malloc)("ds.session", 64);
    VG_(snprintf)
    (session, 64, "%ld.%06ld-%d", (long)now.tv_sec, (long)now.tv_usec,
     VG_(getpid)());
    directory = VG_(get_startup_wd)();
    ds_valgrind_hand_on(join(
        "--session=", join(session, ":", directory != NULL ? directory : ""),
        ""));
}

/* Joins the session that the option names, or begins one if it is NULL. */
static void join_session(const HChar *option)
{
    tl_assert(session == NULL);
    if (option == NULL) {
        begin_session();
        return;
    }
    session = VG_(strdup)("ds.session", option);
    HChar *end = VG_(strchr)(session, ':');
    if (end == NULL)
        return;
    *end = '\0';
    directory = end[1] != '\0' ? end + 1 : NULL;
}

/* The name of a file from the command line: %p and the like are expanded for
   this process, and it is relative to the session's directory.  The caller
   frees it. */
static HChar *session_file(const HChar *option, const HChar *format)
{
    if (directory == NULL || format[0] == '~')
        return VG_(expand_file_name)(option, format);
    /* A slash in front keeps Valgrind from making a relative name absolute. */
    HChar *rooted = join("/", "", format);
    HChar *expanded = VG_(expand_file_name)(option, rooted);
    HChar *file = expanded[1] == '/' ? VG_(strdup)("ds.session", expanded + 1)
                                     : join(directory, "", expanded);
    VG_(free)(rooted);
    VG_(free)(expanded);
    return file;
}

/* The figures of a run, and where its time went.

   Accesses are not counted one by one: their number is that in the translation
   of each instruction, times its executions.  An access that a condition or a
   mask prevents counts as made; those of a segment that a fault ended early do
   not count. */

static ULong first_instruction; /* instructions executed before this run */
static ULong first_alias;       /* aliases counted before this run */

static enum ds_phase current;
static UInt since;            /* the start of the current phase, in ms */
static UInt times[DS_PHASES]; /* of the phases that have ended, in ms */

void ds_summary_phase(enum ds_phase phase)
{
    UInt now = VG_(read_millisecond_timer)();

    tl_assert(phase < DS_PHASES);
    times[current] += now - since;
    since = now;
    current = phase;
}

/* Instructions that the process has executed, recorded or not. */
static ULong instructions_executed(void)
{
    tl_assert(ds_clock_executed() >= first_instruction);
    return ds_clock_executed() - first_instruction;
}

/* The sums of the segments' counts. */
struct work {
    ULong instructions, loads, stores;
};

static struct work recorded(void)
{
    struct work work = {0};
    const struct ds_segment *segment;
    SizeT cursor = 0;

    ds_switch_settle();
    while ((segment = ds_segments_next(&cursor)) != NULL) {
        ULong n = segment->executions;

        work.instructions += n * segment->n_instructions;
        work.loads += n * segment->accesses.loads;
        work.stores += n * segment->accesses.stores;
    }
    return work;
}

static void print_aliases(UInt (*print)(const HChar *format, ...))
{
    tl_assert(ds_alias_count() >= first_alias);
    if (ds_alias_is_on())
        print(
            "aliases:       %'llu loads, of stores within %'llu instructions\n",
            ds_alias_count() - first_alias, ds_options.aliases);
}

/* Prints the figures up to now, a line each, in O(tables). */
static void print_summary(UInt (*print)(const HChar *format, ...))
{
    struct work work = recorded();

    print("instructions:  %'llu, %'llu recorded\n", instructions_executed(),
          work.instructions);
    print("accesses:      %'llu loads, %'llu stores recorded\n", work.loads,
          work.stores);
    print("dependencies:  %'lu, %'llu occurrences\n", ds_deps_number(),
          ds_deps_total_of_all());
    print_aliases(print);
    print("shadow memory: %'lu KiB\n", ds_shadow_size() >> 10);
    print("all tables:    %'lu KiB\n", ds_memory_total() >> 10);
}

/* Prints the wall-clock time that each phase has taken. */
static void print_times(UInt (*print)(const HChar *format, ...))
{
    static const HChar *const names[DS_PHASES] = {
        "start-up", "check of the database", "program", "write of the spool",
        "import"};

    ds_summary_phase(current);
    for (UInt i = 0; i < DS_PHASES; i++)
        print("time:          %u.%03u s %s\n", times[i] / 1000, times[i] % 1000,
              names[i]);
}

void ds_summary_end(void)
{
    if (VG_(clo_verbosity) == 1)
        print_aliases(VG_(umsg));
    if (VG_(clo_verbosity) < 2)
        return;
    print_summary(VG_(umsg));
    print_times(VG_(umsg));
}

/* The run and its database. */

#define N_SPOOLS 100 /* how many names are tried */

static HChar *database;
static ULong started;     /* microseconds since 1970 */
static HChar *left_spool; /* the run's spool, if it could not be imported */

static ULong microseconds(void)
{
    struct vki_timeval now = {0};

    VG_(gettimeofday)(&now, NULL);
    return (ULong)now.tv_sec * 1000000 + (ULong)now.tv_usec;
}

void ds_run_init(void)
{
    ds_helper_init();
    join_session(ds_options.session);
    database = session_file("--deps-file", ds_options.deps_file);
    started = microseconds();
    ds_summary_phase(DS_CHECK);
    /* A process that started this one has checked the database. */
    if (ds_options.session == NULL && !ds_import_run(DS_IMPORT_CHECK, database))
        VG_(exit)(2);
    ds_summary_phase(DS_START_UP);
}

void ds_run_fork(void)
{
    ds_expect_forget_all();
    ds_deps_reset();
    ds_lines_reset();
    ds_segments_keep(False);
    ds_segments_rollback();
    ds_clock_begin_run();
    ds_window_reset();
    first_instruction = ds_clock_executed();
    first_alias = ds_alias_count();
    ds_summary_phase(DS_CLIENT);
    for (UInt i = 0; i < DS_PHASES; i++)
        times[i] = 0;
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

/* A spool for the helper process to write.  It exits with the error, or 0. */
struct attempt {
    const HChar *path;
    const struct ds_run *run;
};

static Int attempt(void *argument)
{
    const struct attempt *a = argument;

    return ds_spool_write(a->path, a->run);
}

/* The text for an error's number: a tool has no strerror. */
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

/* Writes the run to a file of its own: FILE.spool may hold another run, which
   waits for its import or is being imported.  NULL if it cannot be written. */
static HChar *spool(const struct ds_run *run)
{
    SizeT room = VG_(strlen)(database) + 64;
    HChar *path = VG_(malloc)("ds.run", room);
    struct attempt a = {path, run};
    Int result = VKI_EEXIST;

    for (Int i = 0; i < N_SPOOLS && result == VKI_EEXIST; i++) {
        VG_(snprintf)
        (path, (Int)room, i == 0 ? "%s.spool" : "%s.spool.%d", database,
         run->pid);
        if (i > 1)
            VG_(sprintf)(path + VG_(strlen)(path), ".%d", i);
        result = ds_helper_run(attempt, &a);
        if (result < 0) /* no helper can be started */
            result = attempt(&a);
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
static Bool write_run(enum spool_end end, Int exit_status,
                      const HChar *successor, HChar **left)
{
    struct ds_run run = {
        .append = ds_options.append,
        .started = started,
        .pid = VG_(getpid)(),
        .end = end,
        .exit_status = exit_status,
        .start = ds_clock_executed() - instructions_executed(),
        .instructions = instructions_executed(),
        .recorded = ds_clock_recorded(),
        .complete = end != SPOOL_RUNNING,
        .session = session,
        .command = command(),
        .program = ds_filter_program(),
        .successor = successor,
        .bounds = &ds_options.bounds,
    };

    tl_assert(database != NULL && run.session != NULL);
    ds_summary_phase(DS_SPOOL);
    ds_switch_settle();
    ds_window_settle();
    HChar *path = spool(&run);
    VG_(free)((void *)(Addr)run.command);
    ds_summary_phase(DS_IMPORT);
    Bool is_imported = path != NULL && ds_import_run(path, database);
    ds_summary_phase(DS_CLIENT);
    if (is_imported)
        VG_(free)(path);
    *left = is_imported ? NULL : path;
    return is_imported;
}

Bool ds_run_end(enum spool_end end, Int exit_status, const HChar *successor)
{
    HChar *left;

    tl_assert(end < SPOOL_N_ENDS && end != SPOOL_RUNNING);
    if (write_run(end, exit_status, successor, &left))
        return True;
    if (left != NULL)
        ds_message("%s: not imported; when that is fixed: %s", left,
                   ds_import_command(left, database));
    left_spool = left;
    return False;
}

void ds_run_resume(void)
{
    if (left_spool != NULL)
        VG_(unlink)(left_spool);
    left_spool = NULL;
}

/* The commands that vgdb, or gdb's `monitor`, sends to a program
   while it runs.

   Limit: while gdb has stopped the program at a breakpoint, the straight-line
   run of instructions around it is counted to its end, but its accesses after
   the breakpoint are not. */

static void help(void)
{
    VG_(gdb_printf)
    ("depsim monitor commands:\n"
     "  dump     write the database so far, with the run incomplete\n"
     "  start    start recording, as DEPSIM_START does\n"
     "  stop     stop recording, as DEPSIM_STOP does\n"
     "  status   print whether depsim records, and what it recorded\n"
     "  help     print these commands\n");
}

/* A spool that could not be imported is removed: the run is still in memory. */
static void dump(void)
{
    HChar *left;
    Bool is_written = write_run(SPOOL_RUNNING, 0, "", &left);

    if (left != NULL) {
        VG_(unlink)(left);
        VG_(free)(left);
    }
    VG_(gdb_printf)("dump: %s\n", is_written ? "written" : "not written");
}

static void tell_recording(void)
{
    VG_(gdb_printf)("recording:     %s\n", ds_switch_state());
}

static void start(void)
{
    ds_switch_set(True);
    tell_recording();
}

static void stop(void)
{
    ds_switch_set(False);
    tell_recording();
}

static void status(void)
{
    tell_recording();
    print_summary(VG_(gdb_printf));
    print_times(VG_(gdb_printf));
}

/* The commands, and what each does. */
#define NAMES "dump start stop status help"
static void (*const actions[])(void) = {dump, start, stop, status, help};

#define AMBIGUOUS (-2) /* which Valgrind has reported */

/* Executes a command.  False: there is none; the core reports that. */
static Bool obey(const HChar *command)
{
    Int i = VG_(keyword_id)(NAMES, command, kwd_report_duplicated_matches);

    if (i >= 0)
        actions[i]();
    return i >= 0 || i == AMBIGUOUS;
}

static Bool obey_line(HChar *line)
{
    HChar *rest;
    const HChar *command = VG_(strtok_r)(line, " ", &rest);

    if (command == NULL)
        return False;
    const HChar *more = VG_(strtok_r)(NULL, " ", &rest);
    if (more == NULL || VG_(strcmp)(command, "help") == 0)
        return obey(command);
    if (VG_(keyword_id)("dump start stop status", command, kwd_report_none) < 0)
        return False;
    VG_(gdb_printf)("%s: %s: takes no argument\n", command, more);
    return True;
}

Bool ds_monitor_request(ThreadId tid, UWord *args, UWord *result)
{
    (void)tid;
    if (args[0] != VG_USERREQ__GDB_MONITOR_COMMAND)
        return False;
    HChar *line = VG_(strdup)("ds.monitor", (const HChar *)args[1]);
    *result = obey_line(line);
    VG_(free)(line);
    return *result != 0;
}
