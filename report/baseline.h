/*
 * baseline: an earlier JSON report, compared with the new one.
 *
 * What two reports have in common is found by keys: a program makes a key for
 * each thing of either report, equal for things that it takes for the same, and
 * decides what becomes of things with equal keys.  It may do so several times,
 * with less sure keys for the things that are left.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

/* --- Reading --- */

struct json_t; /* jansson's; all numbers are read as reals, since sums may
                  exceed its integers */

/* The JSON of a file, or of n bytes that messages call `path`: the caller calls
   json_decref.  NULL with *d set if the text is not JSON. */
struct json_t *baseline_read(const char *path, struct diag *d);
struct json_t *baseline_parse(const char *text, size_t n, const char *path,
                              struct diag *d);

/* Says that a file is no report of a program, and returns -1. */
int baseline_refuse(const char *path, const char *program, const char *what,
                    struct diag *d);

/* Read a member of an object; false if it is of another kind.  A text or a
   figure may be null, which is NULL or NAN; a figure or count is from 0 to
   `most`, at most INT64_MAX. */
bool baseline_text(const struct json_t *object, const char *key,
                   const char **text);
bool baseline_figure(const struct json_t *object, const char *key, double most,
                     double *figure);
bool baseline_count(const struct json_t *object, const char *key, uint64_t most,
                    uint64_t *count);

/* --- Comparing --- */

/* "FILE:LINE", or an empty text for NULL; as "FILE+N" if `origin`, which may be
   NULL, is in the same file: new lines before a function do not change it.  The
   caller frees. */
char *baseline_line(const char *line, const char *origin);

/* Things of both reports, each with its number in its report. */
struct baseline_items {
    struct baseline_item *list;
    size_t n, room;
};

/* Adds a thing, unless its key is NULL.  The items own the key. */
void baseline_add(struct baseline_items *items, bool is_before, uint32_t number,
                  uint64_t order, char *key);

/* The things with one key: the numbers from each report, sorted by `order`,
   then by number.  One report may have none. */
struct baseline_group {
    uint32_t *before, *now;
    size_t n_before, n_now;
};

/* Hands each group of things with one key to `take`, and frees the items. */
void baseline_match(struct baseline_items *items,
                    void (*take)(void *of, const struct baseline_group *group),
                    void *of);
