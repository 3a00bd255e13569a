/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mca/internal.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db.h"
#include "memory.h"
#include "file.h"

#define LARGEST (64 << 20) /* bytes of the file */
#define FORMAT  "6"        /* of what is kept, and what it means */

struct cy_cache {
    struct db *db; /* NULL: there is none */
    struct db_query *get, *put;
};

/* The file's path; its directories are made.  NULL: nowhere. */
static char *path_of(void)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *path;

    if (base != NULL && base[0] == '/')
        path = memory_printf("%s/depbound/llvm-mca.db", base);
    else if (home != NULL && home[0] == '/')
        path = memory_printf("%s/.cache/depbound/llvm-mca.db", home);
    else
        return NULL;
    for (char *slash = strchr(path + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST) {
            free(path);
            return NULL;
        }
        *slash = '/';
    }
    return path;
}

/* What others could have written may be anything. */
static bool is_own(const struct stat *st)
{
    return S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
           (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

struct cy_cache *cy_cache_new(void)
{
    struct cy_cache *cache = memory_new(1, sizeof *cache);
    char *path = path_of();
    struct stat st;
    struct diag ignored;

    if (path == NULL)
        return cache;
    if (lstat(path, &st) == 0 && st.st_size > LARGEST && is_own(&st))
        unlink(path);
    if (lstat(path, &st) != 0 || is_own(&st))
        cache->db = db_open_rw(path, DB_CACHE, &ignored);
    free(path);
    return cache;
}

/* Does without the cache from now on. */
static void leave(struct cy_cache *cache)
{
    db_query_free(cache->get);
    db_query_free(cache->put);
    db_close(cache->db);
    *cache = (struct cy_cache){0};
}

void cy_cache_free(struct cy_cache *cache)
{
    if (cache != NULL)
        leave(cache);
    free(cache);
}

/* The value of a key, to be freed; NULL: it is not in the cache. */
static char *find(struct cy_cache *cache, const char *key)
{
    struct diag ignored;
    char *found = NULL;

    if (cache->db == NULL)
        return NULL;
    if (cache->get == NULL)
        cache->get = db_prepare(
            cache->db, "SELECT value FROM answer WHERE key = ?", &ignored);
    if (cache->get == NULL)
        return NULL;
    db_bind_text(cache->get, 1, key);
    while (db_step(cache->get, &ignored) == 1) {
        const char *value = db_text(cache->get, 0);

        if (value != NULL && found == NULL)
            found = memory_text(value);
    }
    return found;
}

/* Begins to keep answers; false: nothing can be kept. */
static bool begin(struct cy_cache *cache)
{
    struct diag ignored;

    if (cache->db == NULL)
        return false;
    if (db_begin(cache->db, &ignored) != 0) {
        leave(cache);
        return false;
    }
    if (cache->put == NULL)
        cache->put = db_prepare(
            cache->db, "INSERT OR REPLACE INTO answer VALUES(?, ?)", &ignored);
    return true;
}

static void keep(struct cy_cache *cache, const char *key, char *value)
{
    struct diag ignored;

    if (cache->put != NULL)
        db_run_with(cache->put, DB_VALUES(DB_TEXT(key), DB_TEXT(value)),
                    &ignored);
    free(value);
}

/* The key of what is known of one thing: `n` bytes. */
static void key_of(char key[OBJID_SIZE], const char *mca, const char *kind,
                   const void *bytes, size_t n)
{
    struct memory_stream s;
    char *text;

    memory_stream_open(&s);
    fprintf(s.out, "%s " FORMAT " %s\n", kind, mca);
    fwrite(bytes, 1, n, s.out);
    text = memory_stream_close(&s);
    objid_hash_bytes(key, text, s.size);
    free(text);
}

static void key_of_insn(char key[OBJID_SIZE], const char *mca,
                        const struct cy_mca_insn *insn)
{
    key_of(key, mca, "units", insn->bytes, insn->length);
}

bool cy_cache_get_width(struct cy_cache *cache, const char *mca, double *width)
{
    char key[OBJID_SIZE], *value;
    bool found;

    key_of(key, mca, "width", "", 0);
    value = find(cache, key);
    found = value != NULL && sscanf(value, "%lf", width) == 1 &&
            cy_mca_is_width(*width);
    free(value);
    return found;
}

void cy_cache_put_width(struct cy_cache *cache, const char *mca, double width)
{
    struct diag ignored;
    char key[OBJID_SIZE];

    if (!begin(cache))
        return;
    key_of(key, mca, "width", "", 0);
    keep(cache, key, memory_printf("%.17g", width));
    if (db_commit(cache->db, &ignored) != 0)
        leave(cache);
}

/* Reads what cy_cache_put_uses() wrote. */
static bool parse_uses(struct cy_mca_insn *insn, struct cy_mca_uses *u,
                       const char *text)
{
    unsigned known, loads, uops, n;
    int used;

    if (sscanf(text, "%u %u %u %lf %u%n", &known, &loads, &uops, &insn->latency,
               &n, &used) != 5 ||
        uops > UINT16_MAX || n > CY_MOST_USES ||
        !(insn->latency >= 0 && insn->latency < 1e6))
        return false;
    insn->is_known = known != 0;
    insn->may_load = loads != 0;
    insn->uops = (uint16_t)uops;
    u->n = (uint8_t)n;
    for (unsigned i = 0; i < n; i++) {
        unsigned long long units;
        unsigned for_memory;

        text += used;
        if (sscanf(text, " %llx %u %lf%n", &units, &for_memory,
                   &u->uses[i].cycles, &used) != 3 ||
            units == 0 || !(u->uses[i].cycles > 0 && u->uses[i].cycles < 1e6))
            return false;
        u->uses[i].units = units;
        u->uses[i].for_memory = for_memory != 0;
    }
    return true;
}

bool cy_cache_get_uses(struct cy_cache *cache, const char *mca,
                       struct cy_mca_insn *insn, struct cy_mca_uses *uses)
{
    char key[OBJID_SIZE], *value;
    bool found;

    key_of_insn(key, mca, insn);
    value = find(cache, key);
    found = value != NULL && parse_uses(insn, uses, value);
    free(value);
    return found;
}

void cy_cache_put_uses(struct cy_cache *cache, const char *mca,
                       const struct cy_mca_insn *const *insns,
                       const struct cy_mca_uses *const *uses, size_t n)
{
    struct diag ignored;

    if (!begin(cache))
        return;
    for (size_t i = 0; i < n; i++) {
        const struct cy_mca_insn *insn = insns[i];
        struct memory_stream s;
        char key[OBJID_SIZE];

        memory_stream_open(&s);
        fprintf(s.out, "%u %u %u %.17g %u", insn->is_known, insn->may_load,
                insn->uops, insn->latency, uses[i]->n);
        for (unsigned j = 0; j < uses[i]->n; j++)
            fprintf(s.out, " %llx %u %.17g",
                    (unsigned long long)uses[i]->uses[j].units,
                    uses[i]->uses[j].for_memory, uses[i]->uses[j].cycles);
        key_of_insn(key, mca, insn);
        keep(cache, key, memory_stream_close(&s));
    }
    if (db_commit(cache->db, &ignored) != 0)
        leave(cache);
}
