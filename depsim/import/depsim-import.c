/* depsim starts it; users run it only for spools that a run left. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/di_import.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db.h"
#include "file.h"
#include "options.h"
#include "output.h"
#include "spool_format.h"

/* Finds spools that were left beside a database.

   A tool that is killed while it writes a spool leaves a part of it, without a
   message.  The part has no SPOOL_END, and no process has locked it.  If the
   tool is killed later, or the import fails, the whole spool is left: the
   process that wrote it has ended, and no process imports into its directory.

   Limits: where files cannot be locked (flock), a spool that is being written
   looks as if it was left.  If its process cannot be seen, for instance from
   another container, a whole spool looks so until its import begins.  Another
   process with its number hides it. */

#define SUFFIX ".spool"

enum kind { NO_SPOOL, CUT, WHOLE, N_KINDS };

/* The spools of a directory. */
struct found {
    const char *path;
    DIR *directory;
    bool is_importing;    /* a process imports into this directory */
    char *first[N_KINDS]; /* the first spool of each kind, by name */
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

static char *path_of(const struct found *f, const char *name)
{
    return memory_printf("%s/%s", f->path, name);
}

/* Can the spool be imported, and has the process that wrote it ended? */
static bool is_waiting(const struct found *f, const char *name)
{
    AUTO_FREE char *path = path_of(f, name);
    struct di_run run;
    struct diag d;
    struct di_spool *spool = di_spool_open(path, &run, &d);
    bool result =
        spool != NULL && kill((pid_t)run.pid, 0) != 0 && errno == ESRCH;

    di_spool_close(spool);
    return result;
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
    if (kind == WHOLE && (f->is_importing || !is_waiting(f, name)))
        return NO_SPOOL;
    return kind;
}

/* Is the name FILE.spool or FILE.spool.*? */
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
    AUTO_FREE char *database = memory_printf("%s.db", spool);

    if (n > 0)
        program[n] = '\0';
    struct memory_stream text = memory_stream_open(&text);
    shell_word(text.out, program);
    fputc(' ', text.out);
    shell_word(text.out, spool);
    fputc(' ', text.out);
    shell_word(text.out, database);
    return memory_stream_close(&text);
}

static void tell_of(const struct found *f, enum kind kind,
                    void (*tell)(const struct diag *note))
{
    const char *others = f->has_others[kind] ? " and others" : "";
    struct diag note;

    assert(kind == CUT || kind == WHOLE);
    if (f->first[kind] == NULL)
        return;
    AUTO_FREE char *path = path_of(f, f->first[kind]);
    AUTO_FREE char *import = command(path);
    if (kind == CUT)
        diag_set(&note,
                 "%s%s: incomplete: its run was killed, and is lost; the file "
                 "can be removed",
                 path, others);
    else if (strlen(path) + strlen(import) + 100 > sizeof note.text)
        diag_set(&note, "%s: not imported; depsim-import can do that", path);
    else
        diag_set(&note, "%s%s: not imported; this imports it: %s", path, others,
                 import);
    tell(&note);
}

/* Is a process importing?  If so, it has locked the database's directory. */
static bool is_importing(int directory)
{
    bool is_locked =
        flock(directory, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;

    flock(directory, LOCK_UN);
    return is_locked;
}

/* Looks for FILE.spool and FILE.spool.* of this database that were left.  Tells
   of those that are cut, and of those that can be imported, and names the first
   of each. */
static void tell_of_left(const char *database,
                         void (*tell)(const struct diag *note))
{
    AUTO_FREE char *for_path = memory_text(database),
                   *for_file = memory_text(database);
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
}

struct settings {
    bool check, hash;
};

static const struct option_def table[] = {
    {"check", 0, NULL, "only say if the DATABASE can be written", OPTION_FLAG,
     OPTION_AT(struct settings, check)},
    {"hash", 0, NULL, "only print the SHA-256 of standard input", OPTION_FLAG,
     OPTION_AT(struct settings, hash)},
    {0}};
static const struct program program = {
    .name = "depsim-import",
    .usage = "SPOOL DATABASE | --check DATABASE | --hash",
    .summary = "Adds the run in a SPOOL that depsim left to the DATABASE.",
    .licence = "GPL-2.0-or-later",
    .options = table};

/* Messages begin with the name under which the program was started: depsim
   starts it under the name that the user knows. */
static void say(const struct diag *d)
{
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, d->text);
}

/* Tries to write, which needs a writable file and directory; rolls back. */
static int check_file(const char *path, struct diag *d)
{
    struct db *db = db_open_rw(path, DB_DEPS, d);
    int rc = -1;

    if (db != NULL && db_begin(db, d) == 0)
        rc = db_exec(db, "CREATE TABLE written(x); ROLLBACK", d);
    db_close(db);
    return rc;
}

/* Another run may create a missing database at any moment, so a file of another
   name is tried instead. */
static int check(const char *path, struct diag *d)
{
    struct diag of_trial;

    if (access(path, F_OK) == 0)
        return check_file(path, d);
    AUTO_FREE char *trial = memory_printf("%s.%ld.check", path, (long)getpid());
    int rc = check_file(trial, &of_trial);
    unlink(trial);
    if (rc != 0)
        diag_set(d, "%s%s", path, of_trial.text + strlen(trial));
    return rc;
}

static int add_run(const char *spool_path, const char *path, struct diag *note,
                   struct diag *d)
{
    struct di_run run;
    struct di_spool *spool = di_spool_open(spool_path, &run, d);
    struct db *db = NULL;
    int rc = -1;

    if (spool != NULL)
        db = db_open_rw(path, DB_DEPS, d);
    if (db != NULL)
        rc = di_db(db, spool, &run, note, d);
    db_close(db);
    di_spool_close(spool);
    return rc;
}

/* Locks the directory of the database, as each import does.  SQLite's own locks
   are on the file. -1 if the file system has no such locks. */
static int lock_directory(const char *path)
{
    AUTO_FREE char *copy = memory_text(path);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0 && flock(fd, LOCK_SH) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* A new database that gets no rows is an empty file.  It is removed, unless
   another process is importing in this directory: it may have the file open. */
static void remove_empty(const char *path, int directory)
{
    struct stat st;

    if (directory >= 0 && flock(directory, LOCK_EX | LOCK_NB) == 0 &&
        lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0)
        unlink(path);
}

static int import(const char *spool_path, const char *path, struct diag *d)
{
    int directory = lock_directory(path);
    struct diag note = {.text = ""};
    int rc = add_run(spool_path, path, &note, d);

    if (rc == 0 && note.text[0] != '\0')
        say(&note);
    else if (rc != 0)
        remove_empty(path, directory);
    if (rc == 0 && unlink(spool_path) != 0)
        rc = diag_set(d, "%s: imported, but not removed: %s", spool_path,
                      strerror(errno));
    if (directory >= 0)
        close(directory);
    return rc;
}

/* Prints the hash of the file that is standard input, without its name. */
static int hash(struct diag *d)
{
    char id[OBJID_SIZE];

    if (objid_hash_file(id, "/proc/self/fd/0", d) != 0)
        return -1;
    puts(id);
    return 0;
}

static int work(const struct settings *settings, int argc, char **argv,
                struct diag *d)
{
    if (argc != (settings->hash ? 0 : settings->check ? 1 : 2))
        return diag_set(d, "usage: %s (--help says more)", program.usage);
    if (settings->hash)
        return hash(d);
    if (!settings->check)
        return import(argv[0], argv[1], d);
    if (check(argv[0], d) != 0)
        return -1;
    /* Killed runs could not report what they left. */
    tell_of_left(argv[0], say);
    return 0;
}

int main(int argc, char **argv)
{
    struct settings settings = {0};
    struct diag d;
    int first;

    /* A write beyond a limit of size is an error, like a full disk. */
    signal(SIGXFSZ, SIG_IGN);
    enum options_result result =
        options_parse(&program, &settings, argc, argv, &first, &d);
    if (result == OPTIONS_DONE ||
        (result == OPTIONS_RUN &&
         work(&settings, argc - first, argv + first, &d) == 0))
        return 0;
    say(&d);
    return 2;
}
