/*
 * Preloaded before libsqlite3: appends each statement that is prepared to the
 * file $LOG_SQL, one a line, and runs the shell command $AT_SCAN, if it is set,
 * whenever a table is about to be scanned.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <dlfcn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int n, sqlite3_stmt **stmt,
                       const char **tail)
{
    int (*next)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **) =
        (int (*)(sqlite3 *, const char *, int, sqlite3_stmt **,
                 const char **))dlsym(RTLD_NEXT, "sqlite3_prepare_v2");
    FILE *log = fopen(getenv("LOG_SQL"), "a");

    const char *command = getenv("AT_SCAN");

    if (command != NULL && strstr(sql, "each(") != NULL)
        system(command);
    if (log != NULL) {
        fprintf(log, "%s\n", sql);
        fclose(log);
    }
    return next(db, sql, n, stmt, tail);
}
