/*
 * ds_objects: run-time address -> (object file, ELF virtual address).
 *
 * An object is a file that code was executed from.  Code that no file backs,
 * or that lies outside the loaded pieces of one, belongs to the object
 * "[anonymous]", where its address is the run-time address.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_OBJECTS_H
#define DS_OBJECTS_H

#include "pub_tool_basics.h"

#include "ds_elf.h"

struct ds_object {
    const HChar *path;
    ULong dev, ino; /* the file's identity while the run lasts */
    struct ds_elf elf;
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

UInt ds_objects_number(void);
const struct ds_object *ds_objects_get(UInt object);

#endif
