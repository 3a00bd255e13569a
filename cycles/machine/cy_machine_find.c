/*
 * cy_machine: finds the machine file for a processor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/cy_machine.h"
#include "memory.h"

#ifndef CY_MACHINES
#define CY_MACHINES "/usr/local/share/depsim/machines"
#endif

static bool has_suffix(const char *name)
{
    size_t n = strlen(name);

    return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

static int is_machine_file(const struct dirent *entry)
{
    return has_suffix(entry->d_name) && entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static char *join(const char *directory, const char *name, const char *suffix)
{
    assert(directory != NULL && name != NULL);
    return memory_printf("%s/%s%s", directory, name, suffix);
}

/* Reads a file, and frees its path. */
static struct cy_machine *read_at(char *path, struct diag *d)
{
    struct cy_machine *machine = cy_machine_read(path, d);

    free(path);
    return machine;
}

/* The first of the files that matches.  NULL with *failed if one is wrong. */
static struct cy_machine *first_of(const char *directory, struct dirent **files,
                                   int n, const struct cy_cpu *cpu,
                                   bool *failed, struct diag *d)
{
    *failed = false;
    for (int i = 0; i < n; i++) {
        struct cy_machine *machine =
            read_at(join(directory, files[i]->d_name, ""), d);

        *failed = machine == NULL;
        if (*failed || cy_machine_matches(machine, cpu))
            return machine;
        cy_machine_free(machine);
    }
    return NULL;
}

static struct cy_machine *find_for(const char *directory,
                                   const struct cy_cpu *cpu, struct diag *d)
{
    struct dirent **files;
    int n = scandir(directory, &files, is_machine_file, by_bytes);
    struct cy_machine *machine;
    bool failed;

    if (n < 0) {
        diag_set(d, "%s: %s", directory, strerror(errno));
        return NULL;
    }
    machine = first_of(directory, files, n, cpu, &failed, d);
    if (machine == NULL && !failed)
        diag_set(d,
                 "%s family %u model %u: no machine file in %s; make one "
                 "with depbound --calibrate=FILE, or name another processor "
                 "with --cpu",
                 cpu->vendor, cpu->family, cpu->model, directory);
    for (int i = 0; i < n; i++)
        free(files[i]);
    free(files);
    return machine;
}

struct cy_machine *cy_machine_find(const char *directory, const char *cpu,
                                   struct diag *d)
{
    struct cy_cpu here;

    if (directory == NULL)
        directory = getenv("DEPBOUND_MACHINES");
    if (directory == NULL)
        directory = CY_MACHINES;
    if (cpu != NULL && (strchr(cpu, '/') != NULL || has_suffix(cpu)))
        return cy_machine_read(cpu, d);
    if (cpu != NULL)
        return read_at(join(directory, cpu, ".json"), d);
    if (cy_cpu_read(&here, "/proc/cpuinfo", d) != 0)
        return NULL;
    return find_for(directory, &here, d);
}
