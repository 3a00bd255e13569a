/*
 * di_left: finds spools that were left beside a database.
 *
 * A tool that is killed while it writes a spool leaves a part of it, without a
 * message.  The part has no SPOOL_END, and no process has locked it.  If the
 * tool is killed later, or the import fails, the whole spool is left: the
 * process that wrote it has ended, and no process imports into its directory.
 *
 * Limits: where files cannot be locked (flock), a spool that is being written
 * looks as if it was left.  If its process cannot be seen, for instance from
 * another container, a whole spool looks so until its import begins.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "import/di_import.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "shell.h"
#include "spool_format.h"

#define SUFFIX ".spool"

enum kind { NO_SPOOL, CUT, WHOLE, N_KINDS };

/* The spools of a directory. */
struct found {
    const char *path;
    DIR *directory;
    bool is_importing;    /* a process imports into this directory */
    char *first[N_KINDS]; /* by name */
    bool has_others[N_KINDS];
};

/* The kind of a file, by its first bytes, which may be few, and its last. */
static enum kind kind_of(int fd, const struct stat *st)
{
    char begin[8], end[8];
    ssize_t n = pread(fd, begin, sizeof begin, 0);

    if (!S_ISREG(st->st_mode) || n < 0 ||
        memcmp(begin, SPOOL_MAGIC, (size_t)n) != 0)
        return NO_SPOOL;
    if (st->st_size < (off_t)sizeof end ||
        pread(fd, end, sizeof end, st->st_size - (off_t)sizeof end) !=
            (ssize_t)sizeof end ||
        memcmp(end, SPOOL_END, sizeof end) != 0)
        return CUT;
    return WHOLE;
}

/* When the process began, in seconds since the machine started; negative if
   there is none, or one that has ended and is still in the table. */
static double process_began(uint32_t pid)
{
    char path[64], text[1024] = "";
    const char *rest;
    uint64_t ticks;
    char state;
    FILE *in;

    snprintf(path, sizeof path, "/proc/%" PRIu32 "/stat", pid);
    in = fopen(path, "re");
    if (in == NULL)
        return -1;
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    /* Field 22; the second, the name, ends with the last bracket. */
    rest = strrchr(text, ')');
    if (rest == NULL ||
        sscanf(rest + 1,
               " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d"
               " %*d %*d %*d %*d %" SCNu64,
               &state, &ticks) != 2 ||
        state == 'Z')
        return -1;
    return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

static double seconds(struct timespec t)
{
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Does the process that wrote the spool still run?  A later process may have
   the same number. */
static bool has_writer(uint32_t pid, const struct stat *st)
{
    double began = process_began(pid), written;
    struct timespec now, uptime;

    if (began < 0 || clock_gettime(CLOCK_REALTIME, &now) != 0 ||
        clock_gettime(CLOCK_BOOTTIME, &uptime) != 0)
        return false;
    written = seconds(uptime) - (seconds(now) - seconds(st->st_mtim));
    return began <= written;
}

/* Can the spool be imported, and is no process importing it? */
static bool is_waiting(const char *path, const struct stat *st)
{
    struct di_run run;
    struct diag d;
    struct di_spool *spool = di_spool_open(path, &run, &d);
    bool result = spool != NULL && !has_writer(run.pid, st);

    di_spool_close(spool);
    return result;
}

static char *path_of(const struct found *f, const char *name)
{
    return memory_printf("%s/%s", f->path, name);
}

static enum kind left(const struct found *f, const char *name)
{
    int fd =
        openat(dirfd(f->directory), name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    enum kind kind = NO_SPOOL;
    struct stat st;

    if (fd < 0)
        return NO_SPOOL;
    if (flock(fd, LOCK_SH | LOCK_NB) == 0 && fstat(fd, &st) == 0)
        kind = kind_of(fd, &st);
    close(fd);
    if (kind == WHOLE) {
        char *path = path_of(f, name);

        if (f->is_importing || !is_waiting(path, &st))
            kind = NO_SPOOL;
        free(path);
    }
    return kind;
}

/* Is it FILE.spool or FILE.spool.*? */
static bool is_spool(const char *name, const char *file)
{
    size_t n = strlen(file), suffix = strlen(SUFFIX);

    return strncmp(name, file, n) == 0 &&
           strncmp(name + n, SUFFIX, suffix) == 0 &&
           (name[n + suffix] == '\0' || name[n + suffix] == '.');
}

static void look(struct found *f, const char *file)
{
    const struct dirent *entry;

    while ((entry = readdir(f->directory)) != NULL) {
        enum kind kind =
            is_spool(entry->d_name, file) ? left(f, entry->d_name) : NO_SPOOL;

        if (kind == NO_SPOOL)
            continue;
        f->has_others[kind] = f->first[kind] != NULL;
        if (f->first[kind] == NULL ||
            strcmp(entry->d_name, f->first[kind]) < 0) {
            free(f->first[kind]);
            f->first[kind] = memory_text(entry->d_name);
        }
    }
}

/* The command that imports the spool into a database of its own.  In the
   database beside it, the run would replace others, or be replaced. */
static char *command(const char *spool)
{
    char program[PATH_MAX] = "depsim-import";
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    char *database = memory_printf("%s.db", spool);
    struct memory_stream text;

    if (n > 0)
        program[n] = '\0';
    memory_stream_open(&text);
    shell_word(text.out, program);
    fputc(' ', text.out);
    shell_word(text.out, spool);
    fputc(' ', text.out);
    shell_word(text.out, database);
    free(database);
    return memory_stream_close(&text);
}

/* A command that is too long for a line would be cut. */
static void tell_whole(struct diag *note, const char *path, const char *others)
{
    char *import = command(path);

    if (strlen(path) + strlen(import) + 100 > sizeof note->text)
        diag_set(note, "%s%s: not imported; depsim-import can import it", path,
                 others);
    else
        diag_set(note, "%s%s: not imported; this imports it: %s", path, others,
                 import);
    free(import);
}

static void tell_of(const struct found *f, enum kind kind,
                    void (*tell)(const struct diag *note))
{
    const char *others = f->has_others[kind] ? " and others" : "";
    struct diag note;
    char *path;

    if (f->first[kind] == NULL)
        return;
    path = path_of(f, f->first[kind]);
    if (kind == WHOLE)
        tell_whole(&note, path, others);
    else
        diag_set(&note,
                 "%s%s: incomplete: its run was killed, and is lost; the file "
                 "can be removed",
                 path, others);
    tell(&note);
    free(path);
}

/* Is a process importing?  If so, it has locked the database's directory. */
static bool is_importing(int directory)
{
    bool is_locked =
        flock(directory, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;

    flock(directory, LOCK_UN);
    return is_locked;
}

void di_left(const char *database, void (*tell)(const struct diag *note))
{
    char *for_path = memory_text(database), *for_file = memory_text(database);
    struct found f = {.path = dirname(for_path)};

    f.directory = opendir(f.path);
    if (f.directory != NULL) {
        f.is_importing = is_importing(dirfd(f.directory));
        look(&f, basename(for_file));
        closedir(f.directory);
    }
    tell_of(&f, CUT, tell);
    tell_of(&f, WHOLE, tell);
    free(f.first[CUT]);
    free(f.first[WHOLE]);
    free(for_path);
    free(for_file);
}
