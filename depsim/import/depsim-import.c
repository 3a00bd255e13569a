/*
 * depsim-import: a depsim spool -> rows of the database.
 *
 * depsim starts it; users run it only for spools that a run left.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db.h"
#include "import/di_import.h"
#include "memory.h"
#include "objid.h"
#include "options.h"

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

/* Writes and rolls back, which needs a writable file and directory. */
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
    char *trial;
    int rc;

    if (access(path, F_OK) == 0)
        return check_file(path, d);
    trial = memory_printf("%s.%ld.check", path, (long)getpid());
    rc = check_file(trial, &of_trial);
    unlink(trial);
    if (rc != 0)
        diag_set(d, "%s%s", path, of_trial.text + strlen(trial));
    free(trial);
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
    char *copy = memory_text(path);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    free(copy);
    if (fd >= 0 && flock(fd, LOCK_SH) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* A new database that gets no rows is an empty file.  It is removed, unless
   another process is importing in this directory: that one may have the file
   open. */
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

/* Prints the hash of the file that is standard input, whatever its name is
   now. */
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
    di_left(argv[0], say);
    return 0;
}

int main(int argc, char **argv)
{
    struct settings settings = {0};
    enum options_result result;
    struct diag d;
    int first;

    /* A write beyond a limit of size is an error, like a full disk. */
    signal(SIGXFSZ, SIG_IGN);
    result = options_parse(&program, &settings, argc, argv, &first, &d);
    if (result == OPTIONS_DONE ||
        (result == OPTIONS_RUN &&
         work(&settings, argc - first, argv + first, &d) == 0))
        return 0;
    say(&d);
    return 2;
}
