/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "depbound.h"

#include <dlfcn.h>
#include <link.h>

#include "process.h"

/* --- This process --- */

/* The dynamic symbols of a loaded file. */
struct symbols {
    const ElfW(Sym) * list;
    const char *names;
    const uint32_t *hash; /* the table of DT_GNU_HASH, which has their number */
};

static struct symbols symbols_of(const struct link_map *map)
{
    struct symbols s = {0};

    for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_SYMTAB)
            s.list = (const void *)d->d_un.d_ptr;
        else if (d->d_tag == DT_STRTAB)
            s.names = (const void *)d->d_un.d_ptr;
        else if (d->d_tag == DT_GNU_HASH)
            s.hash = (const void *)d->d_un.d_ptr;
    return s;
}

/* The number of symbols: one more than the last of any chain of the hash table,
   whose four words of head are followed by a filter, the buckets, and a word
   for each symbol from `first` on. */
static uint32_t n_symbols(const uint32_t *hash)
{
    uint32_t n_buckets = hash[0], first = hash[1], last = 0;
    const uint32_t *buckets = hash + 4 + hash[2] * sizeof(ElfW(Addr)) / 4,
                   *chains = buckets + n_buckets;

    for (uint32_t i = 0; i < n_buckets; i++)
        last = buckets[i] > last ? buckets[i] : last;
    while (last >= first && last > 0 && (chains[last - first] & 1) == 0)
        last++;
    return last > 0 ? last + 1 : 0;
}

static void list_library(FILE *out, const char *name)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    struct link_map *map;
    struct symbols s = {0};
    char *path = NULL; /* as depsim has it, without symbolic links */

    if (library != NULL && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0) {
        s = symbols_of(map);
        path = realpath(map->l_name, NULL);
    }
    uint32_t n = path != NULL && s.hash != NULL ? n_symbols(s.hash) : 0;
    for (uint32_t i = 0; i < n; i++)
        if (ELF64_ST_TYPE(s.list[i].st_info) == STT_GNU_IFUNC) {
            const char *address = dlsym(library, s.names + s.list[i].st_name);
            Dl_info found;

            /* A variant in the kernel's own code (time, gettimeofday) is none
               of the library. */
            if (address != NULL && dladdr(address, &found) != 0 &&
                (ElfW(Addr))found.dli_fbase == map->l_addr)
                fprintf(out, "%s\t%s\t%#" PRIxPTR "\n", path,
                        s.names + s.list[i].st_name,
                        (uintptr_t)address - (uintptr_t)map->l_addr);
        }
    free(path);
    if (library != NULL)
        dlclose(library);
}

void cy_variants_list(FILE *out)
{
    list_library(out, "libc.so.6");
    list_library(out, "libm.so.6");
}

/* --- A run --- */

/* What a program prints; NULL if it cannot be run or fails. */
static char *output_of(char **argv)
{
    struct subprocess_output out;
    char *text = NULL;

    if (subprocess_run(argv, "", 0, NULL, &out, NULL) != 0)
        return NULL;
    if (out.status == 0)
        text = memory_text(out.text);
    subprocess_fini(&out);
    return text;
}

/* The list of this program in Valgrind, which takes half a second, unless the
   same version made it before where the list here was the same; NULL if it
   cannot be run. */
static char *list_in_valgrind(struct cy_mca *mca, const char *here)
{
    AUTO_FREE char *self = realpath("/proc/self/exe", NULL);
    char *list[] = {"valgrind", "-q",         "--tool=none", "--vgdb=no",
                    self,       "--variants", NULL};
    AUTO_FREE char *version =
                       output_of((char *[]){"valgrind", "--version", NULL}),
                   *key = memory_printf("%s\n%s",
                                        version != NULL ? version : "", here);

    char *text = cy_mca_recall(mca, "variants", key);
    if (text == NULL && self != NULL && (text = output_of(list)) != NULL)
        cy_mca_remember(mca, "variants", key, text);
    return text;
}

/* Adds the cycles of the function that begins at an address of a file. */
static double cycles_of(const struct cy_windowed *w, const char *path,
                        uint64_t address)
{
    double cycles = 0;

    for (uint32_t i = 0; i < w->n_insns; i++) {
        const struct cy_object *file =
            &w->objects.objects[w->simulated[i].object];
        const struct cy_block *block =
            w->blocks[i] != CY_NO_BLOCK ? &w->data->blocks[w->blocks[i]] : NULL;

        if (block != NULL && block->has_function_start &&
            block->function_start == address && strcmp(file->path, path) == 0)
            cycles += w->outcome.by_insn[i];
    }
    return cycles;
}

/* Takes a line that is in one list alone.  Several names may have one variant,
   which counts once. */
static void take_line(struct cy_other_variants *v, FILE *names,
                      struct keys *counted, const struct cy_windowed *w,
                      char *line)
{
    char *path = strsep(&line, "\t"), *name = strsep(&line, "\t");
    uint64_t address;

    if (line == NULL || !num_parse(line, &address))
        return;
    double cycles = cycles_of(w, path, address);
    if (cycles <= 0 || keys_find(counted, address) != NO_KEY)
        return;
    keys_append(counted, address);
    fprintf(names, "%s%s", v->cycles > 0 ? ", " : "", name);
    v->cycles += cycles;
}

/* Is the line one of the other list? */
static bool has_line(const char *list, const char *line)
{
    size_t n = strlen(line);

    for (const char *at = list; (at = strstr(at, line)) != NULL; at++)
        if ((at == list || at[-1] == '\n') && at[n] == '\n')
            return true;
    return false;
}

#define WORTH 0.01 /* share of the cycles; with less, Valgrind is not run */

/* Do libraries that are listed have a good part of the cycles? */
static bool matters(const struct cy_windowed *w, const char *list)
{
    AUTO_FREE bool *is_listed =
        memory_new(w->objects.n_objects, sizeof *is_listed);
    double cycles = 0;

    for (size_t i = 0; i < w->objects.n_objects; i++) {
        const char *path = w->objects.objects[i].path, *at = strstr(list, path);

        is_listed[i] = at != NULL && path[0] == '/' && at[strlen(path)] == '\t';
    }
    for (uint32_t i = 0; i < w->n_insns; i++)
        if (is_listed[w->simulated[i].object])
            cycles += w->outcome.by_insn[i];
    assert(cycles <= w->outcome.cycles * (1 + WORTH));
    return cycles >= WORTH * w->outcome.cycles;
}

static char *list_here(void)
{
    struct memory_stream list = memory_stream_open(&list);

    cy_variants_list(list.out);
    return memory_stream_close(&list);
}

struct cy_other_variants cy_variants_of(const struct cy_windowed *w,
                                        struct cy_mca *mca)
{
    AUTO_FREE char *here = list_here(), *there = NULL;
    char *rest, *line;
    struct cy_other_variants v = {0};
    AUTO_FINI(keys_fini) struct keys counted = {0};

    if (w->n_insns > 0 && matters(w, here))
        there = list_in_valgrind(mca, here);
    struct memory_stream names = memory_stream_open(&names);
    for (rest = there; (line = strsep(&rest, "\n")) != NULL;)
        if (line[0] != '\0' && !has_line(here, line))
            take_line(&v, names.out, &counted, w, line);
    v.names = memory_stream_close(&names);
    assert(v.cycles >= 0);
    if (v.cycles <= 0)
        cy_variants_fini(&v);
    return v;
}

void cy_variants_fini(struct cy_other_variants *v)
{
    free(v->names);
    *v = (struct cy_other_variants){0};
}
