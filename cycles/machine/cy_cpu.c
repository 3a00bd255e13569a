/*
 * cy_cpu: which processor this is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cy_cpu.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "num.h"

/* What follows "KEY : ", if the line is the key's; else NULL. */
static const char *value_of(const char *line, const char *key)
{
    size_t n = strlen(key);

    if (strncmp(line, key, n) != 0)
        return NULL;
    line += n + strspn(line + n, " \t");
    return *line == ':' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

static void read_number(const char *line, const char *key, unsigned *number,
                        bool *found)
{
    const char *value = value_of(line, key);
    uint64_t n;

    if (value != NULL && num_parse(value, &n) && n <= UINT_MAX) {
        *number = (unsigned)n;
        *found = true;
    }
}

/* Reads until the empty line after the first processor. */
static bool read_lines(struct cy_cpu *cpu, FILE *in)
{
    bool has_family = false, has_model = false;
    char *line = NULL;
    size_t room = 0;
    const char *value;

    while (getline(&line, &room, in) > 1) {
        line[strcspn(line, "\n")] = '\0';
        if ((value = value_of(line, "vendor_id")) != NULL)
            snprintf(cpu->vendor, sizeof cpu->vendor, "%s", value);
        if ((value = value_of(line, "model name")) != NULL)
            snprintf(cpu->name, sizeof cpu->name, "%s", value);
        if ((value = value_of(line, "flags")) != NULL)
            snprintf(cpu->flags, sizeof cpu->flags, " %s ", value);
        read_number(line, "cpu family", &cpu->family, &has_family);
        read_number(line, "model", &cpu->model, &has_model);
    }
    free(line);
    return cpu->vendor[0] != '\0' && has_family && has_model;
}

int cy_cpu_read(struct cy_cpu *cpu, const char *path, struct diag *d)
{
    FILE *in = fopen(path, "re");
    bool known;

    *cpu = (struct cy_cpu){0};
    if (in == NULL)
        return diag_set(d, "%s: %s", path, strerror(errno));
    known = read_lines(cpu, in);
    fclose(in);
    return known ? 0
                 : diag_set(d, "%s: no vendor, family and model of a processor",
                            path);
}

bool cy_cpu_has(const struct cy_cpu *cpu, const char *flag)
{
    char word[64];

    snprintf(word, sizeof word, " %s ", flag);
    return strstr(cpu->flags, word) != NULL;
}
