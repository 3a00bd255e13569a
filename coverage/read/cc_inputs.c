/*
 * cc_inputs: which databases the command line names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "read/cc_read.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "array.h"

void cc_inputs_add(struct cc_inputs *in, enum db_kind kind, const char *path)
{
    if (kind == DB_DEPS)
        array_append(in, deps, memory_text(path));
    else
        array_append(in, statics, memory_text(path));
}

static bool is_directory(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int name_order(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_database_name(const FTSENT *entry)
{
    return entry->fts_namelen > 3 &&
           strcmp(entry->fts_name + entry->fts_namelen - 3, ".db") == 0;
}

static int add_entry(struct cc_inputs *in, const FTSENT *entry, struct diag *d)
{
    enum db_kind kind;

    switch (entry->fts_info) {
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        return diag_set(d, "%s: %s", entry->fts_path,
                        strerror(entry->fts_errno));
    case FTS_F:
        if (!is_database_name(entry))
            return 0;
        if (db_identify(entry->fts_path, &kind, d) != 0)
            return -1;
        cc_inputs_add(in, kind, entry->fts_path);
        return 0;
    default:
        return 0;
    }
}

static int add_directory(struct cc_inputs *in, char *path, struct diag *d)
{
    char *roots[] = {path, NULL};
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, name_order);
    FTSENT *entry;
    int rc = 0;

    if (tree == NULL)
        return diag_set(d, "%s: %s", path, strerror(errno));
    while (rc == 0 && (errno = 0, entry = fts_read(tree)) != NULL)
        rc = add_entry(in, entry, d);
    if (rc == 0 && errno != 0)
        rc = diag_set(d, "%s: %s", path, strerror(errno));
    fts_close(tree);
    return rc;
}

/* Are both of the other kind? */
static bool are_swapped(char **operands)
{
    enum db_kind first, second;
    struct diag unused;

    return db_identify(operands[0], &first, &unused) == 0 &&
           db_identify(operands[1], &second, &unused) == 0 &&
           first == DB_STATIC && second == DB_DEPS;
}

int cc_inputs_operands(struct cc_inputs *in, char **operands, size_t n,
                       struct diag *d)
{
    bool has_directories = false;

    for (size_t i = 0; i < n; i++)
        has_directories |= is_directory(operands[i]);
    if (n == 2 && !has_directories && in->n_deps + in->n_statics == 0) {
        bool swapped = are_swapped(operands);

        cc_inputs_add(in, DB_DEPS, operands[swapped]);
        cc_inputs_add(in, DB_STATIC, operands[!swapped]);
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (!is_directory(operands[i]) &&
            (has_directories || in->n_deps + in->n_statics > 0))
            return diag_set(
                d, "%s: a file cannot be combined with %s", operands[i],
                has_directories ? "a directory" : "--deps or --static");
        if (is_directory(operands[i]) && add_directory(in, operands[i], d) != 0)
            return -1;
    }
    if (in->n_deps > 0 && in->n_statics > 0)
        return 0;
    if (has_directories || in->n_deps + in->n_statics > 0)
        return diag_set(d, "%s: no database of %s",
                        has_directories ? operands[0] : "usage",
                        in->n_deps == 0 ? "depsim" : "staticdeps");
    return diag_set(d, "usage: two databases are needed, of depsim and of "
                       "staticdeps; see covcheck --help");
}

void cc_inputs_fini(struct cc_inputs *in)
{
    for (size_t i = 0; i < in->n_deps; i++)
        free(in->deps[i]);
    for (size_t i = 0; i < in->n_statics; i++)
        free(in->statics[i]);
    free(in->deps);
    free(in->statics);
    *in = (struct cc_inputs){0};
}
