/*
 * ds_objects: run-time address -> (object file, ELF virtual address).
 *
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
#ifndef DS_OBJECTS_H
#define DS_OBJECTS_H

#include "pub_tool_basics.h"

#include "objects/ds_elf.h"

struct ds_object {
    const HChar *path;
    HChar *id; /* build-id or SHA-256 in hexadecimal; "": unknown */
    struct ds_elf elf;

    /* The file, as of the last look at it. */
    ULong dev, ino, size, mtime, mtime_nsec;
    UInt n_mapped; /* ds_objects_mapped's count when it was identified */
};

/* A stretch of run-time addresses in one object. */
struct ds_range {
    Addr start, end; /* [start, end) */
    UInt object;
    Addr bias; /* run-time address - ELF address */
};

/* The stretch around a run-time address.  Valid until the address space
 * changes.
 */
struct ds_range ds_objects_locate(Addr a);

/* A file was mapped at this address, or made executable there: files may have
   changed since they were looked at.  Does nothing if no file is mapped there.
 */
void ds_objects_mapped(Addr a);

UInt ds_objects_number(void);
const struct ds_object *ds_objects_get(UInt object);

#endif
