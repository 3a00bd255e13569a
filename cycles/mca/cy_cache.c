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
#define FORMAT  "3"        /* of what is kept, and what it means */

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

struct cy_cache *cy_cache_new(void)
{
    struct cy_cache *cache = memory_new(1, sizeof *cache);
    char *path = path_of();
    struct stat st;
    struct diag ignored;

    if (path == NULL)
        return cache;
    if (stat(path, &st) == 0 && st.st_size > LARGEST)
        unlink(path);
    cache->db = db_open_rw(path, DB_CACHE, &ignored);
    free(path);
    return cache;
}

void cy_cache_free(struct cy_cache *cache)
{
    if (cache == NULL)
        return;
    db_query_free(cache->get);
    db_query_free(cache->put);
    db_close(cache->db);
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
        fputc(r->insns[i].length | (r->insns[i].is_left_out ? 16 : 0),
              stream.out);
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
    fprintf(s.out, "%.17g %.17g %.17g %.17g %.17g %.17g %zu", r->throughput,
            r->total, r->dispatch, r->memory, r->other, r->width, r->n_unknown);
    for (size_t i = 0; i < r->n; i++)
        fprintf(s.out, " %u %u %u %.17g", r->insns[i].is_known,
                r->insns[i].may_load, r->insns[i].uops, r->insns[i].latency);
    return memory_stream_close(&s);
}

/* Reads what value_of() wrote. */
static bool parse(struct cy_mca_region *r, const char *text)
{
    int used;

    if (sscanf(text, "%lf %lf %lf %lf %lf %lf %zu%n", &r->throughput, &r->total,
               &r->dispatch, &r->memory, &r->other, &r->width, &r->n_unknown,
               &used) != 7)
        return false;
    for (size_t i = 0; i < r->n; i++) {
        struct cy_mca_insn *insn = &r->insns[i];
        unsigned known, loads, uops;

        text += used;
        if (sscanf(text, " %u %u %u %lf%n", &known, &loads, &uops,
                   &insn->latency, &used) != 4)
            return false;
        insn->is_known = known != 0;
        insn->may_load = loads != 0;
        insn->uops = (uint16_t)uops;
    }
    return cy_mca_region_is_possible(r);
}

bool cy_cache_get(struct cy_cache *cache, const char *mca,
                  struct cy_mca_region *region)
{
    char key[OBJID_SIZE];
    struct diag ignored;
    bool found = false;

    if (cache->db == NULL)
        return false;
    if (cache->get == NULL)
        cache->get = db_prepare(
            cache->db, "SELECT value FROM region WHERE key = ?", &ignored);
    if (cache->get == NULL)
        return false;
    key_of(key, mca, region);
    db_bind_text(cache->get, 1, key);
    while (db_step(cache->get, &ignored) == 1) {
        const char *value = db_text(cache->get, 0);

        found = value != NULL && parse(region, value);
    }
    return found;
}

void cy_cache_put(struct cy_cache *cache, const char *mca,
                  const struct cy_mca_region *regions, size_t n)
{
    struct diag ignored;

    if (cache->db == NULL || db_begin(cache->db, &ignored) != 0)
        return;
    if (cache->put == NULL)
        cache->put = db_prepare(
            cache->db, "INSERT OR REPLACE INTO region VALUES(?, ?)", &ignored);
    for (size_t i = 0; i < n && cache->put != NULL; i++) {
        char key[OBJID_SIZE], *value = value_of(&regions[i]);

        assert(cy_mca_region_is_possible(&regions[i]));
        key_of(key, mca, &regions[i]);
        db_run_with(cache->put, DB_VALUES(DB_TEXT(key), DB_TEXT(value)),
                    &ignored);
        free(value);
    }
    db_commit(cache->db, &ignored);
}
