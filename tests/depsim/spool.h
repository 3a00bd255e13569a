/*
 * Writes the parts of a spool.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../depsim/spool_format.h"

/* Writes a number for each letter: of 32 bits for u, of 64 for l. */
#define PUT(out, letters, ...) \
    put(out, letters, (const uint64_t[]){__VA_ARGS__})

static void put(FILE *out, const char *letters, const uint64_t *numbers)
{
    for (; *letters != '\0'; letters++, numbers++)
        fwrite(numbers, *letters == 'u' ? 4 : 8, 1, out);
}

static void put_text(FILE *out, const char *text)
{
    PUT(out, "u", strlen(text));
    fputs(text, out);
}
