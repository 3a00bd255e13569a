/*
 * oracle_maps: mappings, the newest on top of what they cover, and the loadable
 * segments of their files.
 *
 * A file is read when its code is looked up, not when it was mapped; it must
 * not change in between.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "oracle_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

struct mapping {
    uint64_t start, end, offset;
    char *path; /* path as the process opened it; NULL: no file */
};

struct object {
    char *path, *real_path;
    int fd;
    GElf_Phdr *load;
    size_t n_loads, capacity;
};

struct oracle_maps {
    struct mapping *mapping;
    size_t n, capacity;
    struct object **object;
    size_t n_objects, objects_capacity;
};

struct oracle_maps *oracle_maps_new(void)
{
    elf_version(EV_CURRENT);
    return memory_new(1, sizeof(struct oracle_maps));
}

static void object_free(struct object *object)
{
    free(object->path);
    free(object->real_path);
    free(object->load);
    if (object->fd >= 0)
        close(object->fd);
    free(object);
}

void oracle_maps_free(struct oracle_maps *maps)
{
    if (maps == NULL)
        return;
    for (size_t i = 0; i < maps->n; i++)
        free(maps->mapping[i].path);
    for (size_t i = 0; i < maps->n_objects; i++)
        object_free(maps->object[i]);
    free(maps->mapping);
    free(maps->object);
    free(maps);
}

void oracle_maps_add(struct oracle_maps *maps, uint64_t address, uint64_t n,
                     const char *path, uint64_t offset)
{
    maps->mapping = memory_grow(maps->mapping, &maps->capacity, maps->n,
                                sizeof(*maps->mapping));
    maps->mapping[maps->n++] = (struct mapping){
        address, address + n, offset, path != NULL ? memory_text(path) : NULL};
}

/* The names stand before the segments that refer to them:
     --PID:1: aspacem (1,49,7) /usr/bin/gzip
     --PID:1: aspacem   1: file 0000108000-000010afff ... o=0       (1,49)
   "FILE" and "ANON" are Valgrind's own. */
static int read_segments(struct oracle_maps *maps, FILE *in, char **line,
                         size_t *size)
{
    char **name = NULL;
    size_t n_names = 0, capacity = 0, n_files = 0;

    while (getline(line, size, in) > 0) {
        const char *text = strstr(*line, "aspacem ");
        uint64_t start, end, offset;
        unsigned slot;
        int at = 0;

        if (text == NULL || strstr(text, ">>>") != NULL)
            break;
        (*line)[strcspn(*line, "\n")] = '\0';
        if (sscanf(text, "aspacem (%u,%*u,%*u) %n", &slot, &at) == 1 &&
            at > 0 && slot == n_names) {
            name = memory_grow(name, &capacity, n_names, sizeof(*name));
            name[n_names++] = memory_text(text + at);
        } else if (sscanf(text,
                          "aspacem %*u: file %" SCNx64 "-%" SCNx64
                          " %*s %*s %*s %*s o=%" SCNu64 " (%u",
                          &start, &end, &offset, &slot) == 4 &&
                   slot < n_names) {
            oracle_maps_add(maps, start, end + 1 - start, name[slot], offset);
            n_files++;
        }
    }
    for (size_t i = 0; i < n_names; i++)
        free(name[i]);
    free(name);
    return n_files > 0 ? 0 : -1;
}

int oracle_maps_read(struct oracle_maps *maps, const char *file, struct diag *d)
{
    FILE *in = fopen(file, "r");
    char *line = NULL;
    size_t size = 0;
    int result = -1;

    if (in == NULL)
        return diag_set(d, "%s: %s", file, strerror(errno));
    while (getline(&line, &size, in) > 0)
        if (strstr(line, "SHOW_SEGMENTS: Memory layout at client startup")) {
            result = read_segments(maps, in, &line, &size);
            break;
        }
    free(line);
    fclose(in);
    return result == 0 ? 0
                       : diag_set(d, "%s: no segments of `valgrind -d`", file);
}

static int read_loads(struct object *object, struct diag *d)
{
    Elf *elf;
    size_t n = 0;

    object->fd = open(object->path, O_RDONLY | O_CLOEXEC);
    if (object->fd < 0)
        return diag_set(d, "%s: %s", object->path, strerror(errno));
    elf = elf_begin(object->fd, ELF_C_READ, NULL);

    if (elf != NULL && elf_getphdrnum(elf, &n) != 0)
        n = 0;
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr ph;

        if (gelf_getphdr(elf, (int)i, &ph) == NULL || ph.p_type != PT_LOAD)
            continue;
        object->load = memory_grow(object->load, &object->capacity,
                                   object->n_loads, sizeof(ph));
        object->load[object->n_loads++] = ph;
    }
    elf_end(elf);
    return 0;
}

static struct object *object_at(struct oracle_maps *maps, const char *path,
                                struct diag *d)
{
    struct object *object;

    for (size_t i = 0; i < maps->n_objects; i++)
        if (strcmp(maps->object[i]->path, path) == 0)
            return maps->object[i];
    object = memory_new(1, sizeof(*object));
    object->path = memory_text(path);
    object->real_path = realpath(path, NULL);
    if (read_loads(object, d) != 0) {
        object_free(object);
        return NULL;
    }
    maps->object = memory_grow(maps->object, &maps->objects_capacity,
                               maps->n_objects, sizeof(*maps->object));
    maps->object[maps->n_objects++] = object;
    return object;
}

int oracle_maps_place(struct oracle_maps *maps, uint64_t address,
                      struct oracle_place *place, struct diag *d)
{
    const struct mapping *m = NULL;
    const struct object *object;

    *place = (struct oracle_place){.object = "-", .address = address};
    for (size_t i = maps->n; i-- > 0 && m == NULL;)
        if (address >= maps->mapping[i].start && address < maps->mapping[i].end)
            m = &maps->mapping[i];
    if (m == NULL || m->path == NULL)
        return 0;
    object = object_at(maps, m->path, d);
    if (object == NULL)
        return -1;
    for (size_t i = 0; i < object->n_loads; i++) {
        const GElf_Phdr *ph = &object->load[i];
        uint64_t offset = m->offset + (address - m->start);

        if ((ph->p_flags & PF_X) != 0 && offset >= ph->p_offset &&
            offset - ph->p_offset < ph->p_filesz) {
            place->object = object->real_path;
            place->address = ph->p_vaddr + (offset - ph->p_offset);
            /* Bytes beyond the end of the file stay zero. */
            if (pread(object->fd, place->code, ORACLE_CODE, (off_t)offset) < 0)
                return diag_set(d, "%s: %s", object->path, strerror(errno));
        }
    }
    return 0;
}
