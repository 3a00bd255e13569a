/*
 * as_db: tables of programs as those of a database.
 *
 * The database's schema says which tables and members it wants: a list whose
 * table it does not have is left out, and a column without a member is NULL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "db.h"
#include "report/renderers.h"

/* A table that rows may have. */
struct insertion {
    char *name;
    char **columns;
    size_t n, columns_room;
    struct db_query *query; /* NULL: the database has no such table */
};

struct report_db {
    struct db *db;
    struct insertion *list;
    size_t n, list_room;
    int rc; /* -1 after an error; then nothing more is written */
    struct diag *d;
};

struct report_db *report_db_new(struct db *db, struct diag *d)
{
    struct report_db *w = memory_new(1, sizeof *w);

    w->db = db;
    w->d = d;
    return w;
}

int report_db_free(struct report_db *w)
{
    int rc = w->rc;

    for (size_t i = 0; i < w->n; i++) {
        for (size_t k = 0; k < w->list[i].n; k++)
            free(w->list[i].columns[k]);
        free(w->list[i].columns);
        free(w->list[i].name);
        db_query_free(w->list[i].query);
    }
    free(w->list);
    free(w);
    return rc;
}

static int take_column(void *context, struct db_query *q, struct diag *d)
{
    struct insertion *in = context;

    (void)d;
    array_push(in->columns, in->n, in->columns_room,
               memory_text(db_text(q, 0)));
    return 0;
}

/* Reads a table's columns, and prepares the insertion of a row. */
static int prepare(struct report_db *w, struct insertion *in)
{
    if (db_rows(w->db, "SELECT name FROM pragma_table_info(?1)",
                DB_VALUES(DB_TEXT(in->name)), take_column, in, w->d) != 0)
        return -1;
    if (in->n == 0)
        return 0;
    struct memory_stream sql = memory_stream_open(&sql);
    fprintf(sql.out, "INSERT INTO %s VALUES(", in->name);
    for (size_t i = 0; i < in->n; i++)
        fputs(i > 0 ? ", ?" : "?", sql.out);
    fputc(')', sql.out);
    AUTO_FREE char *text = memory_stream_close(&sql);
    in->query = db_prepare(w->db, text, w->d);
    return in->query != NULL ? 0 : -1;
}

/* The number of the insertion into a table. */
static size_t find(struct report_db *w, const char *name)
{
    size_t i = 0;

    while (i < w->n && strcmp(w->list[i].name, name) != 0)
        i++;
    if (i < w->n)
        return i;
    array_push(w->list, w->n, w->list_room,
               (struct insertion){.name = memory_text(name)});
    w->rc = prepare(w, &w->list[i]);
    return i;
}

/* Is this the name of the column for a member?  "a.b" is a_b. */
static bool is_named(const char *column, const char *key)
{
    while (*key != '\0' && *column == (*key == '.' ? '_' : *key)) {
        column++;
        key++;
    }
    return *key == *column;
}

static struct db_value value_of(const struct report_cell *cell)
{
    switch (cell->kind) {
    case TEXT:
        return DB_TEXT(cell->text);
    case COUNT:
        return DB_INT(cell->number);
    case REAL:
        return DB_REAL(cell->real);
    case TRUTH:
        return DB_INT(cell->truth);
    default:
        assert(cell->kind == NO_VALUE); /* no other kind has a column yet */
        return DB_INT_UNLESS(true, 0);
    }
}

/* Inserts a row; `of` is the number of the row that it is within. */
static void put_row(struct report_db *w, const struct insertion *in,
                    const struct report_row *row, int64_t of)
{
    AUTO_FREE struct db_value *values = memory_new(in->n, sizeof *values);

    for (size_t i = 0; i < in->n; i++) {
        size_t c = 0;

        while (c < row->n &&
               !is_named(in->columns[i], row->cells[c].column.key))
            c++;
        values[i] = c < row->n ? value_of(&row->cells[c])
                    : strcmp(in->columns[i], "of_row") == 0
                        ? DB_INT(of)
                        : DB_INT_UNLESS(true, 0);
    }
    w->rc = db_run_with(in->query, values, in->n, w->d);
}

static void put_rows(struct report_db *w, const char *name,
                     const struct report_table *t, int64_t of)
{
    size_t number = w->rc == 0 ? find(w, name) : 0;

    for (size_t i = 0; i < t->n_rows && w->rc == 0; i++) {
        if (w->list[number].query == NULL)
            return;
        AUTO_FINI(row_fini) struct report_row row;
        row_fill(&row, t, REPORT_JSON, i);
        put_row(w, &w->list[number], &row, of);
        int64_t id = db_last_rowid(w->db);
        for (size_t c = 0; c < row.n; c++)
            if (row.cells[c].kind == ROWS) {
                AUTO_FREE char *inner =
                    memory_printf("%s_%s", name, row.cells[c].column.key);

                put_rows(w, inner, row.cells[c].table, id);
            }
    }
}

void db_table(struct report *r, const struct report_table *t)
{
    put_rows(r->db, t->key != NULL ? t->key : "report", t, 0);
}
