/*
 * cy_json: the values of a JSON file, or what is wrong with them.  This
 * folder's only door to jansson.
 *
 * A function that does not find what its caller asks for reports it, with the
 * file, the entry and the key, and returns -1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_JSON_H
#define CY_JSON_H

#include <jansson.h>
#include <stddef.h>

#include "diag.h"

/* What is being read, for messages. */
struct cy_json_place {
    const char *path;
    const char *list; /* the key of the file */
    size_t entry;     /* its number there */
    struct diag *d;
};

/* The file; the caller releases it.  NULL: it cannot be read, or is no JSON. */
json_t *cy_json_load(const char *path, struct diag *d);

/* Reports what is wrong with a key; returns -1. */
int cy_json_wrong(const struct cy_json_place *at, const char *key,
                  const char *what);

/* Is it an object whose keys are among these?  NULL ends them. */
int cy_json_check_keys(const struct cy_json_place *at, json_t *object,
                       const char *const *keys);

/* The number of values of an array, and the i-th.  Any other value counts as an
   array of itself, and NULL as an empty one. */
size_t cy_json_count(const json_t *value);
const json_t *cy_json_nth(const json_t *value, size_t i);

/* A text, or an array of texts, none if there is no such key.  NULL ends them;
   the caller frees the array, also after a failure, and the file has the texts.
 */
int cy_json_texts(const struct cy_json_place *at, const json_t *object,
                  const char *key, const char ***texts);
int cy_json_text(const struct cy_json_place *at, const json_t *object,
                 const char *key, const char **text);

/* A number of cycles; without the key, `missing` if that is not NAN. */
int cy_json_cycles(const struct cy_json_place *at, const json_t *object,
                   const char *key, double missing, double *cycles);
int cy_json_unsigned(const struct cy_json_place *at, const json_t *value,
                     const char *key, unsigned *number);

#endif
