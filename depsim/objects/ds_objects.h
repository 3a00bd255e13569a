/*
 * ds_objects: run-time address -> (object file, ELF virtual address).
 *
 * An object is a file that code was executed from.  Code that no ELF file
 * backs, or that lies outside the loaded pieces of one, belongs to the object
 * "[anonymous]", where its address is the run-time address.
 *
 * A file is known by what it was when its code ran first, whatever stands at
 * its path later; if the path leads elsewhere already, by what is mapped of
 * it.  Limits: a file of which that is the only trace, and which carries no
 * build-id, has no identity.  A file that is overwritten while it is mapped
 * is the one that it was, until something is mapped anew.
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

    /* The file, as it was when it was looked at last. */
    ULong dev, ino, size, mtime, mtime_nsec;
    UInt epoch; /* of mappings; in later ones it may be another file */
};

/* A stretch of run-time addresses in one object. */
struct ds_range {
    Addr start, end; /* [start, end) */
    UInt object;
    Addr bias; /* run-time address - ELF address */
};

/* The stretch around a run-time address.  It holds until the next change of
   the address space. */
struct ds_range ds_objects_locate(Addr a);

/* A file has been mapped at this address, or been made executable there: files
   may have changed since they were looked at.  Nothing happens if no file
   lies there. */
void ds_objects_mapped(Addr a);

UInt ds_objects_number(void);
const struct ds_object *ds_objects_get(UInt object);

#endif
