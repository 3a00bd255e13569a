/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "binary/objfile.h"

#include <ctype.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "binary/object_internal.h"

#define MAX_BUILD_ID 64

_Static_assert(OBJID_SIZE > 2 * MAX_BUILD_ID, "a build-id fits an identity");

/* The largest file of debug information whose sum elfutils may compute. */
#define LARGEST ((off_t)16 << 30)

/* Would reading a file take too long, or never end? */
static bool is_endless(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 &&
           (!S_ISREG(st.st_mode) || st.st_size > LARGEST);
}

/* Is any of the files that elfutils tries for a name endless? */
static bool has_endless(const char *path, const char *name)
{
    int n = name[0] == '/' ? 0 : (int)(text_base_name(path) - path);
    AUTO_FREE char *beside = memory_printf("%.*s%s", n, path, name);
    AUTO_FREE char *within = memory_printf("%.*s.debug/%s", n, path, name);

    return is_endless(beside) || is_endless(within);
}

/* Looks for debug information as elfutils does, unless it would open a file
   that never ends: an object can name any file. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name,
                          Dwarf_Addr base, const char *path, const char *link,
                          GElf_Word sum, char **found)
{
    const char *own = text_base_name(path);
    AUTO_FREE char *other = memory_printf("%s.debug", own);
    bool is_safe = !has_endless(path, own) &&
                   !has_endless(path, link != NULL ? link : other);

    return (is_safe ? dwfl_standard_find_debuginfo
                    : dwfl_build_id_find_debuginfo)(module, data, name, base,
                                                    path, link, sum, found);
}

/* The lines of a source file; none if it cannot be read. */
struct objsource {
    char *path;
    char *text;   /* each line ended by a zero byte */
    char **lines; /* the start of each line in the text */
    size_t n_lines, lines_room;
};

/* Limits of what is kept: sources, and bytes of all of them. */
#define MOST_SOURCES 1024
#define MOST_TEXT    (8 * FILE_MOST_SOURCE)

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

static int check_identity(struct objfile *object, const char *path,
                          const char *build_id, struct diag *d)
{
    const unsigned char *bits;
    GElf_Addr address;
    char id[OBJID_SIZE];
    int n = dwfl_module_build_id(object->module, &bits, &address);

    if (n > MAX_BUILD_ID)
        return diag_set(d, "%s: its build-id is too long", path);
    if (n > 0)
        objid_format(id, bits, (size_t)n);
    else if (objid_hash_file(id, path, d) != 0)
        return -1;
    if (strcmp(id, build_id) != 0)
        return diag_set(d,
                        "%s: not the file that was recorded: its build-id is "
                        "%s, and was %s",
                        path, id, build_id);
    return 0;
}

static int report_file(struct objfile *object, const char *path, struct diag *d)
{
    struct stat st;
    uint64_t size;
    int fd = file_open(path, &size, d);

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0)
        object->changed = st.st_mtime;
    dwfl_report_begin(object->dwfl);
    /* Reports the module at 0, so that addresses stay those of the file. dwfl
       takes over fd. */
    object->module = dwfl_report_elf(object->dwfl, path, path, fd, 0, true);
    if (object->module == NULL)
        close(fd);
    dwfl_report_end(object->dwfl, NULL, NULL);
    if (object->module != NULL)
        object->elf = dwfl_module_getelf(object->module, &object->elf_bias);
    if (object->elf == NULL)
        return diag_set(d, "%s: %s", path, dwfl_errmsg(-1));
    return 0;
}

static int open_file(struct objfile *object, const char *path,
                     const char *build_id, struct diag *d)
{
    object->dwfl = dwfl_begin(&callbacks);
    if (object->dwfl == NULL)
        memory_exhausted();
    if (report_file(object, path, d) != 0)
        return -1;
    objrel_init(&object->rel, object->elf);
    assert(object->rel.sections != NULL || object->rel.n == 0);
    return build_id != NULL ? check_identity(object, path, build_id, d) : 0;
}

struct objfile *objfile_open(const char *path, const char *build_id,
                             struct diag *d)
{
    struct objfile *object = memory_new(1, sizeof *object);

    if (open_file(object, path, build_id, d) == 0)
        return object;
    objfile_close(object);
    return NULL;
}

static void drop_sources(struct objfile *object)
{
    for (size_t i = 0; i < object->n_sources; i++) {
        free(object->sources[i].path);
        free(object->sources[i].text);
        free(object->sources[i].lines);
    }
    object->n_sources = object->sources_size = 0;
}

void objfile_close(struct objfile *object)
{
    if (object == NULL)
        return;
    drop_sources(object);
    free(object->sources);
    objvar_index_free(object->variables);
    objunits_free(object->units);
    for (size_t i = 0; i < OBJFILE_KEPT_SCOPES; i++)
        free(object->scopes[i].list);
    objrel_fini(&object->rel);
    dwfl_end(object->dwfl);
    free(object);
}

const uint8_t *objfile_code(struct objfile *object, uint64_t address, size_t *n)
{
    const struct objrel_section *s = objrel_find(&object->rel, true, address);
    size_t n_headers;

    if (s != NULL) {
        assert(address - s->address < s->size);
        *n = s->size - (address - s->address);
        return s->bytes + (address - s->address);
    }
    if (elf_getphdrnum(object->elf, &n_headers) != 0)
        return NULL;
    for (size_t i = 0; i < n_headers; i++) {
        GElf_Phdr header;

        if (gelf_getphdr(object->elf, (int)i, &header) == NULL ||
            header.p_type != PT_LOAD || !(header.p_flags & PF_X) ||
            address < header.p_vaddr ||
            address - header.p_vaddr >= header.p_filesz)
            continue;
        Elf_Data *data = elf_getdata_rawchunk(
            object->elf, (int64_t)header.p_offset, header.p_filesz, ELF_T_BYTE);
        if (data == NULL)
            return NULL;
        assert(data->d_size == header.p_filesz);
        *n = header.p_filesz - (address - header.p_vaddr);
        return (const uint8_t *)data->d_buf + (address - header.p_vaddr);
    }
    return NULL;
}

const uint8_t *objfile_section(struct objfile *object, size_t i,
                               uint64_t *address, size_t *n)
{
    size_t n_headers;

    if (elf_getshdrnum(object->elf, &n_headers) != 0)
        return NULL;
    if (object->rel.sections != NULL) {
        if (i >= object->rel.n)
            return NULL;
        *address = object->rel.sections[i].address;
        *n = object->rel.sections[i].size;
        return object->rel.sections[i].bytes;
    }
    for (size_t j = 1; j < n_headers; j++) {
        GElf_Shdr h;

        if (gelf_getshdr(elf_getscn(object->elf, j), &h) == NULL ||
            h.sh_type != SHT_PROGBITS || !(h.sh_flags & SHF_EXECINSTR) ||
            i-- > 0)
            continue;
        Elf_Data *data = elf_rawdata(elf_getscn(object->elf, j), NULL);
        *address = h.sh_addr;
        *n = data != NULL && data->d_buf != NULL ? data->d_size : 0;
        return *n > 0 ? data->d_buf : (const uint8_t *)"";
    }
    return NULL;
}

Elf_Scn *objfile_named(const struct objfile *object, const char *name,
                       Elf_Scn *section, GElf_Shdr *h)
{
    size_t names;

    if (elf_getshdrstrndx(object->elf, &names) != 0)
        return NULL;
    while ((section = elf_nextscn(object->elf, section)) != NULL) {
        const char *found = gelf_getshdr(section, h) != NULL
                                ? elf_strptr(object->elf, names, h->sh_name)
                                : NULL;

        if (found != NULL && strcmp(found, name) == 0)
            break;
    }
    return section;
}

bool objfile_has_section(const struct objfile *object, const char *name)
{
    GElf_Shdr h;

    return objfile_named(object, name, NULL, &h) != NULL;
}

void objfile_symbols(struct objfile *object,
                     void (*take)(void *argument, const char *name,
                                  uint64_t address),
                     void *argument)
{
    Elf_Scn *section = NULL;
    size_t size = 0, total = 0;

    elf_rawfile(object->elf, &size);
    while ((section = elf_nextscn(object->elf, section)) != NULL) {
        Elf_Data *data;
        GElf_Shdr h;
        GElf_Sym sym;

        if (gelf_getshdr(section, &h) == NULL || h.sh_type != SHT_SYMTAB)
            continue;
        /* A limit, since tables that overlap could take any amount of time. */
        total += h.sh_size;
        if (total > size || (data = elf_getdata(section, NULL)) == NULL)
            continue;
        for (int i = 1; gelf_getsym(data, i, &sym) != NULL; i++) {
            const char *name = elf_strptr(object->elf, h.sh_link, sym.st_name);
            uint64_t address = sym.st_value;

            if (name != NULL && (object->rel.sections == NULL ||
                                 objrel_symbol(&object->rel, &sym, &address)))
                take(argument, name, address);
        }
    }
}

GElf_Addr objfile_theirs(const struct objfile *object, uint64_t address)
{
    const struct objrel_section *s = objrel_find(&object->rel, true, address);

    if (s != NULL)
        address += s->other - s->address;
    return address + object->elf_bias;
}

/* The directory that a unit was compiled in; NULL: not known. */
static const char *directory_of(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;

    return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

struct source_frame objfile_line(struct objfile *object, uint64_t address)
{
    struct source_frame frame = {0};
    Dwarf_Addr bias;
    Dwarf_Line *row = objfile_row(object, address);

    if (row == NULL)
        return frame;
    frame.file = dwarf_linesrc(row, NULL, NULL);
    frame.directory = directory_of(objfile_unit(object, address, &bias));
    if (frame.file == NULL || dwarf_lineno(row, &frame.line) != 0 ||
        frame.line < 0)
        frame.line = 0;
    if (frame.line == 0 || dwarf_linecol(row, &frame.column) != 0 ||
        frame.column < 0)
        frame.column = 0;
    assert(frame.line == 0 || frame.file != NULL);
    return frame;
}

/* The place in the source where an inlined function is called. */
static struct source_frame call_site(Dwarf_Die *inlined, Dwarf_Die *unit)
{
    struct source_frame frame = {0};
    Dwarf_Attribute attribute;
    Dwarf_Word file, line;
    Dwarf_Files *files;
    size_t n_files;

    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute),
                        &line) != 0 ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute),
                        &file) != 0 ||
        dwarf_getsrcfiles(unit, &files, &n_files) != 0 || line > INT32_MAX)
        return frame;
    frame.file = dwarf_filesrc(files, file, NULL, NULL);
    frame.directory = directory_of(unit);
    frame.line = frame.file != NULL ? (int)line : 0;
    return frame;
}

size_t objfile_frames(struct objfile *object, uint64_t address,
                      struct source_frame *frames, size_t max)
{
    const struct objfile_scopes *scopes = objfile_scopes(object, address);
    size_t n = 1;

    assert(max >= 1);
    frames[0] = objfile_line(object, address);
    for (int i = 0; i < scopes->n; i++) {
        int tag = dwarf_tag(&scopes->list[i]);

        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        frames[n - 1].function = dwarf_diename(&scopes->list[i]);
        if (tag == DW_TAG_subprogram || n == max)
            break;
        frames[n++] = call_site(&scopes->list[i], &scopes->list[scopes->n - 1]);
    }
    assert(n <= max);
    return n;
}

/* Drops the first "/../" of a path that follows the name of a directory, with
   that directory: clang names headers so.  Returns whether there was one. */
static bool drop_parent(char *path)
{
    char *up = strstr(path, "/../"), *from;

    if (up == NULL || up == path)
        return false;
    for (from = up; from > path && from[-1] != '/'; from--)
        ;
    memmove(from, up + 4, strlen(up + 4) + 1);
    return true;
}

/* Is a file one of the compiler or of an installed library? */
static bool is_system(const char *path)
{
    static const char *const folders[] = {"/usr/include/", "/usr/lib/gcc/",
                                          "/usr/lib/llvm", "/rustc/", NULL};
    AUTO_FREE char *plain = memory_text(path);

    while (drop_parent(plain))
        ;
    return text_begins_any(plain, folders) > 0;
}

#define MOST_FRAMES 64

struct source_frame objfile_own_line(struct objfile *object, uint64_t address,
                                     struct source_frame *header)
{
    struct source_frame line = objfile_line(object, address);
    struct source_frame frames[MOST_FRAMES];

    *header = (struct source_frame){0};
    if (line.line == 0 || !is_system(line.file))
        return line;
    size_t n = objfile_frames(object, address, frames, MOST_FRAMES);
    assert(n > 0 && frames[0].line == line.line);
    for (size_t i = 1; i < n; i++)
        if (frames[i].line > 0 && !is_system(frames[i].file)) {
            *header = line;
            return frames[i];
        }
    return line;
}

static void split(struct objsource *s, size_t n)
{
    char *line = s->text, *end = line + n;

    while (line < end) {
        char *newline = memchr(line, '\n', (size_t)(end - line));
        char *next = newline != NULL ? newline : end, *last = next;

        while (last > line && isspace((unsigned char)last[-1]))
            last--;
        *last = '\0';
        assert(last <= next && next <= end);
        array_append(s, lines, line);
        line = next + 1;
    }
}

static const struct objsource *read_source(struct objfile *object,
                                           const char *path)
{
    struct objsource s = {.path = memory_text(path)};
    struct stat st;
    size_t n;

    if (stat(path, &st) == 0 && st.st_mtime <= object->changed)
        s.text = file_text(path, FILE_MOST_SOURCE, &n, NULL);
    if (s.text != NULL) {
        split(&s, n);
        object->sources_size += n;
    }
    array_append(object, sources, s);
    return &object->sources[object->n_sources - 1];
}

const char *objfile_text(struct objfile *object,
                         const struct source_frame *frame)
{
    const struct objsource *s = NULL;

    assert(frame->file != NULL);
    for (size_t i = 0; i < object->n_sources && s == NULL; i++)
        if (strcmp(object->sources[i].path, frame->file) == 0)
            s = &object->sources[i];
    if (s == NULL) {
        if (object->n_sources == MOST_SOURCES ||
            object->sources_size > MOST_TEXT)
            drop_sources(object);
        s = read_source(object, frame->file);
    }
    return frame->line >= 1 && (size_t)frame->line <= s->n_lines
               ? s->lines[frame->line - 1]
               : NULL;
}
