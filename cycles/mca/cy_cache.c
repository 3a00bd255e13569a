/*
 * cy_cache: earlier answers of llvm-mca.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
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
#include "objid.h"

#define LARGEST (64 << 20) /* bytes of the file */
#define FORMAT  "5"        /* of what is kept, and what it means */

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
        path = memory_printf("%s/depbound/mca.db", base);
    else if (home != NULL && home[0] == '/')
        path = memory_printf("%s/.cache/depbound/mca.db", home);
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

static void key_of(char key[OBJID_SIZE], const char *mca,
                   const struct cy_mca_region *r)
{
    struct memory_stream stream;
    char *text;

    memory_stream_open(&stream);
    fprintf(stream.out, FORMAT " %s\n", mca);
    for (size_t i = 0; i < r->n; i++) {
        assert(r->insns[i].length > 0 && r->insns[i].length < 16);
        fputc(r->insns[i].length, stream.out);
        fwrite(r->insns[i].bytes, 1, r->insns[i].length, stream.out);
    }
    text = memory_stream_close(&stream);
    objid_hash_bytes(key, text, stream.size);
    free(text);
}

static char *value_of(const struct cy_mca_region *r)
{
    struct memory_stream s;

    memory_stream_open(&s);
    fprintf(s.out, "%.17g %.17g %.17g %zu", r->throughput, r->total, r->width,
            r->n_unknown);
    for (size_t i = 0; i < r->n; i++)
        fprintf(s.out, " %u %u %u %.17g", r->insns[i].is_known,
                r->insns[i].may_load, r->insns[i].uops, r->insns[i].latency);
    return memory_stream_close(&s);
}

/* Reads what value_of() wrote. */
static bool parse(struct cy_mca_region *r, const char *text)
{
    int used;

    if (sscanf(text, "%lf %lf %lf %zu%n", &r->throughput, &r->total, &r->width,
               &r->n_unknown, &used) != 4)
        return false;
    for (size_t i = 0; i < r->n; i++) {
        struct cy_mca_insn *insn = &r->insns[i];
        unsigned known, loads, uops;

        text += used;
        if (sscanf(text, " %u %u %u %lf%n", &known, &loads, &uops,
                   &insn->latency, &used) != 4 ||
            uops > UINT16_MAX)
            return false;
        insn->is_known = known != 0;
        insn->may_load = loads != 0;
        insn->uops = (uint16_t)uops;
    }
    return cy_mca_region_is_possible(r);
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
            cache->db, "SELECT value FROM region WHERE key = ?", &ignored);
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
            cache->db, "INSERT OR REPLACE INTO region VALUES(?, ?)", &ignored);
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

bool cy_cache_get(struct cy_cache *cache, const char *mca,
                  struct cy_mca_region *region)
{
    char key[OBJID_SIZE], *value;
    bool found;

    key_of(key, mca, region);
    value = find(cache, key);
    found = value != NULL && parse(region, value);
    free(value);
    return found;
}

void cy_cache_put(struct cy_cache *cache, const char *mca,
                  const struct cy_mca_region *regions, size_t n)
{
    struct diag ignored;

    if (!begin(cache))
        return;
    for (size_t i = 0; i < n; i++) {
        char key[OBJID_SIZE];

        assert(cy_mca_region_is_possible(&regions[i]));
        key_of(key, mca, &regions[i]);
        keep(cache, key, value_of(&regions[i]));
    }
    if (db_commit(cache->db, &ignored) != 0)
        leave(cache);
}

/* The key of an instruction alone. */
static void key_of_insn(char key[OBJID_SIZE], const char *mca,
                        const struct cy_mca_insn *insn)
{
    struct memory_stream s;
    char *text;

    memory_stream_open(&s);
    fprintf(s.out, "units 2 " FORMAT " %s\n", mca);
    fwrite(insn->bytes, 1, insn->length, s.out);
    text = memory_stream_close(&s);
    objid_hash_bytes(key, text, s.size);
    free(text);
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
