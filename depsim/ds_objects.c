/*
 * ds_objects: run-time address -> (object file, ELF virtual address).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_objects.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

static struct ds_object *objects;
static UInt n_objects, n_room;

static UInt add(const HChar *path, ULong dev, ULong ino)
{
    struct ds_object *o;

    if (n_objects == n_room) {
        n_room = n_room == 0 ? 16 : 2 * n_room;
        objects = VG_(realloc)("ds.objects", objects, n_room * sizeof *objects);
    }
    o = &objects[n_objects];
    *o = (struct ds_object){VG_(strdup)("ds.objects", path), dev, ino, {0}};
    return n_objects++;
}

static UInt anonymous(void)
{
    for (UInt i = 0; i < n_objects; i++)
        if (objects[i].dev == 0 && objects[i].ino == 0)
            return i;
    return add("[anonymous]", 0, 0);
}

/* Inode numbers are used again, so the path must agree as well. */
static UInt of_file(const HChar *path, ULong dev, ULong ino)
{
    UInt i;

    for (i = 0; i < n_objects; i++)
        if (objects[i].dev == dev && objects[i].ino == ino &&
            VG_(strcmp)(objects[i].path, path) == 0)
            return i;
    i = add(path, dev, ino);
    ds_elf_read(&objects[i].elf, path);
    return i;
}

static Addr max(Addr a, Addr b)
{
    return a > b ? a : b;
}

static Addr min(Addr a, Addr b)
{
    return a < b ? a : b;
}

struct ds_range ds_objects_locate(Addr a)
{
    const NSegment *segment = VG_(am_find_nsegment)(a);
    const HChar *path = segment != NULL ? VG_(am_get_filename)(segment) : NULL;
    const struct ds_elf_load *load;
    struct ds_range range = {a, a + 1, 0, 0};
    UInt object;
    Addr piece;

    if (segment != NULL) {
        range.start = segment->start;
        range.end = segment->end + 1;
    }
    if (path == NULL) {
        range.object = anonymous();
        return range;
    }
    object = of_file(path, segment->dev, segment->ino);
    load = ds_elf_find(&objects[object].elf,
                       (ULong)segment->offset + (a - segment->start));
    if (load == NULL) {
        range.object = anonymous();
        range.start = a;
        range.end = a + 1;
        return range;
    }
    /* Where the piece begins in memory; the segment may hold part of it. */
    piece = segment->start + load->offset - (ULong)segment->offset;
    range.start = max(range.start, piece);
    range.end = min(range.end, piece + load->size);
    range.object = object;
    range.bias = piece - load->vaddr;
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
