/*
 * An object is a file that code was executed from.  Code that no ELF file
 * backs, or that lies outside the pieces of one that are mapped, belongs to the
 * object "[anonymous]", where its address is the run-time address.
 *
 * A file is identified when its code first runs, whatever is at its path later.
 * If the path leads to another file by then, the mappings identify it.  Limits:
 * a file without a build-id that exists only as mappings has no identity.  A
 * file that is overwritten while it is mapped keeps its identity until a file
 * is mapped again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "objects/ds_objects.h"

#include <elf.h>

#include "base/ds_memory.h"
#include "base/ds_options.h"
#include "base/ds_process.h"
#include "text.h"

static struct ds_object *objects;
static UInt n_objects;
static SizeT n_room;

static UInt n_mapped; /* how often files were mapped */

/* For each hash of a path, 1 + the latest object that has it; 0: none.  Its
   other objects follow by ds_object.before. */
static UInt *latest_of(const HChar *path)
{
    static struct ds_table table;
    ULong hash = 0xcbf29ce484222325ULL; /* FNV-1a */
    struct {
        struct ds_key key;
        UInt latest;
    } * record;

    while (*path != '\0')
        hash = (hash ^ (UChar)*path++) * 0x100000001b3ULL;
    record =
        ds_table_obtain(&table, (struct ds_key){{hash, 0, 0}}, sizeof *record);
    return &record->latest;
}

static UInt add(const struct ds_object *o)
{
    UInt *latest = latest_of(o->path);

    tl_assert(o->path != NULL && o->id != NULL);
    objects = ds_memory_grow(objects, &n_room, n_objects, sizeof *objects);
    objects[n_objects] = *o;
    objects[n_objects].path = VG_(strdup)("ds.objects", o->path);
    objects[n_objects].before = *latest;
    *latest = ++n_objects;
    return n_objects - 1;
}

static UInt anonymous(void)
{
    static Bool is_there;
    static UInt object;

    if (!is_there)
        object = add(&(struct ds_object){.path = "[anonymous]", .id = ""});
    is_there = True;
    return object;
}

/* Is this file, by its number and last change, the object's? */
static Bool is_unchanged(const struct ds_object *o, const struct vg_stat *st)
{
    return st->dev == o->file.dev && st->ino == o->file.ino &&
           st->size == (Long)o->file.size && st->mtime == o->file.mtime &&
           st->mtime_nsec == o->file.mtime_nsec;
}

static HChar *hexadecimal(const struct ds_elf *elf)
{
    HChar *id = VG_(malloc)("ds.objects", 2 * elf->build_id_size + 1);

    tl_assert(elf->build_id_size > 0);
    for (UInt i = 0; i < elf->build_id_size; i++)
        VG_(sprintf)(id + 2 * i, "%02x", (UInt)elf->build_id[i]);
    return id;
}

/* The SHA-256 of a file, or "" if it cannot be read. */
static HChar *hash(Int fd)
{
    HChar id[DS_IMPORT_HASH_SIZE];

    if (fd < 0 || !ds_import_hash(fd, id))
        id[0] = '\0';
    return VG_(strdup)("ds.objects", id);
}

/* Fills in an object from the mapped file, which is read through its path if
   that still leads to it. */
static void identify(struct ds_object *o)
{
    struct ds_elf_source source = ds_elf_mappings(o->file.dev, o->file.ino);
    struct vg_stat st;
    Int fd = VG_(fd_open)(o->path, VKI_O_RDONLY, 0);
    Bool is_file = fd >= 0 && VG_(fstat)(fd, &st) == 0 &&
                   st.dev == o->file.dev && st.ino == o->file.ino;

    if (is_file) {
        source = ds_elf_file(fd);
        o->file.size = (ULong)st.size;
        o->file.mtime = st.mtime;
        o->file.mtime_nsec = st.mtime_nsec;
    }
    ds_elf_read(&o->elf, &source);
    if (ds_options.functions.n > 0)
        ds_elf_read_labels(&o->elf, &source);
    if (o->elf.build_id_size > 0)
        o->id = hexadecimal(&o->elf);
    else
        o->id = hash(is_file && o->elf.n_pieces > 0 ? fd : -1);
    if (fd >= 0)
        VG_(close)(fd);
}

/* The latest object that could be the file, or n_objects if there is none.
   Inode numbers are used again. */
static UInt candidate(const HChar *path, ULong dev, ULong ino)
{
    for (UInt i = *latest_of(path); i > 0; i = objects[i - 1].before)
        if (objects[i - 1].file.dev == dev && objects[i - 1].file.ino == ino &&
            VG_(strcmp)(objects[i - 1].path, path) == 0)
            return i - 1;
    return n_objects;
}

/* The object with this path and identity, or n_objects if there is none. */
static UInt same(const struct ds_object *o)
{
    for (UInt i = *latest_of(o->path); i > 0; i = objects[i - 1].before)
        if (VG_(strcmp)(objects[i - 1].path, o->path) == 0 &&
            VG_(strcmp)(objects[i - 1].id, o->id) == 0)
            return i - 1;
    return n_objects;
}

/* The object of a file that has been looked at again. */
static UInt looked_at(struct ds_object *o, UInt before)
{
    UInt i = o->id[0] == '\0' && before < n_objects ? before : same(o);

    tl_assert(before <= n_objects && i <= n_objects);
    if (i == n_objects)
        return add(o);
    /* The file may have been copied, touched or removed. */
    objects[i].file = o->file;
    ds_elf_free(&o->elf);
    VG_(free)(o->id);
    return i;
}

/* The object of a file, or n_objects if the file is not ELF. */
static UInt of_file(const HChar *path, ULong dev, ULong ino)
{
    UInt i = candidate(path, dev, ino);
    struct ds_object o = {.path = path, .file = {.dev = dev, .ino = ino}};
    struct vg_stat st;

    if (i < n_objects && objects[i].n_mapped == n_mapped)
        return i;
    if (i == n_objects || sr_isError(VG_(stat)(path, &st)) ||
        !is_unchanged(&objects[i], &st)) {
        identify(&o);
        if (o.elf.n_pieces == 0 && i == n_objects) {
            VG_(free)(o.id);
            return n_objects;
        }
        i = looked_at(&o, i);
    }
    objects[i].n_mapped = n_mapped;
    return i;
}

void ds_objects_mapped(Addr a)
{
    const NSegment *segment = VG_(am_find_nsegment)(a);

    if (segment != NULL && segment->kind == SkFileC)
        n_mapped++;
}

struct ds_range ds_objects_locate(Addr a)
{
    const NSegment *segment = VG_(am_find_nsegment)(a);
    const HChar *path = segment != NULL ? VG_(am_get_filename)(segment) : NULL;
    struct ds_range range = {a, a + 1, 0, 0};
    UInt object;

    if (segment != NULL) {
        range.start = segment->start;
        range.end = segment->end + 1;
    }
    object =
        path == NULL ? n_objects : of_file(path, segment->dev, segment->ino);
    if (object == n_objects) {
        range.object = anonymous();
        return range;
    }
    const struct ds_elf_piece *piece = ds_elf_find(
        &objects[object].elf, (ULong)segment->offset + (a - segment->start));
    if (piece == NULL) {
        range.object = anonymous();
        range.start = a;
        range.end = a + 1;
        return range;
    }
    /* Where the piece begins in memory; the segment may hold part of it. */
    Addr start = segment->start + piece->offset - (ULong)segment->offset;
    if (range.start < start)
        range.start = start;
    if (range.end > start + piece->size)
        range.end = start + piece->size;
    range.object = object;
    range.bias = start - piece->vaddr;
    tl_assert(range.start <= a && a < range.end);
    return range;
}

UInt ds_objects_number(void)
{
    return n_objects;
}

const struct ds_object *ds_objects_get(UInt object)
{
    tl_assert(object < n_objects);
    return &objects[object];
}

/* Which objects take part: --objects.

   A pattern with a slash is compared with an object's whole path, one without
   with the part after the last slash.  `main` is the program's executable,
   whatever its name.

   In an object that takes no part, loads are ignored, and stores leave bytes
   without a writer, so earlier writers are not seen.  This is decided when code
   is translated, and costs nothing later. */

#define MAIN "main" /* the pattern that means the executable */

/* For each object: does it take part? */
enum answer { UNKNOWN, STAYS_OUT, TAKES_PART };
static UChar *answers;
static UInt n_answers;

static Bool has_started;
static Bool has_main;
static UInt main_object;

/* The address of the executable's first instruction, which the kernel gives
   every program on its stack: argc, the arguments, 0, the environment, 0, and
   pairs (System V ABI, AMD64 supplement, 3.4.1).  0 if there is none. */
static Addr entry_point(Addr sp)
{
    const UWord *p = (const UWord *)sp;

    p += 1 + p[0] + 1;
    while (*p != 0)
        p++;
    for (p++; p[0] != AT_NULL; p += 2)
        if (p[0] == AT_ENTRY)
            return p[1];
    return 0;
}

void ds_filter_start(ThreadId tid)
{
    if (has_started)
        return;
    has_started = True;
    Addr entry = entry_point(VG_(get_SP)(tid));
    has_main = entry != 0;
    if (has_main)
        main_object = ds_objects_locate(entry).object;
}

const HChar *ds_filter_program(void)
{
    return has_main ? ds_objects_get(main_object)->path : "";
}

static Bool matches(const struct ds_pattern *pattern, UInt object)
{
    const HChar *path = ds_objects_get(object)->path;

    if (VG_(strcmp)(pattern->text, MAIN) == 0)
        return has_main && object == main_object;
    if (VG_(strchr)(pattern->text, '/') == NULL)
        path = text_base_name(path);
    return text_matches(path, pattern->text);
}

/* Tries every pattern, to note which ones match. */
static Bool decide(UInt object)
{
    Bool found = ds_options.objects.n == 0;

    for (UInt i = 0; i < ds_options.objects.n; i++) {
        struct ds_pattern *pattern = &ds_options.objects.pattern[i];

        if (matches(pattern, object))
            found = pattern->has_matched = True;
    }
    return found;
}

Bool ds_filter_admits(UInt object)
{
    tl_assert(object < ds_objects_number());
    if (object >= n_answers) {
        UInt n = 2 * object + 16;

        answers = VG_(realloc)("ds.filter", answers, n);
        VG_(memset)(answers + n_answers, UNKNOWN, n - n_answers);
        n_answers = n;
    }
    if (answers[object] == UNKNOWN)
        answers[object] = decide(object) ? TAKES_PART : STAYS_OUT;
    return answers[object] == TAKES_PART;
}

void ds_filter_complain(void)
{
    for (UInt i = 0; i < ds_options.objects.n; i++)
        if (!ds_options.objects.pattern[i].has_matched)
            ds_message("--objects=%s: no executed object matches",
                       ds_options.objects.pattern[i].text);
}
