/*
 * ds_objects: run-time address -> (object file, ELF virtual address).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_OBJECTS_H
#define DS_OBJECTS_H

#include "base/ds_valgrind.h"

#include "objects/ds_elf.h"

/* A file that code was executed from. */
struct ds_object {
    const HChar *path;
    HChar *id; /* build-id or SHA-256 in hexadecimal; "": unknown */
    struct ds_elf elf;
    UInt before; /* 1 + the object before it whose path has the same hash; or 0
                  */

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
   changes. */
struct ds_range ds_objects_locate(Addr a);

/* A file was mapped at this address, or made executable there: files may have
   changed since they were looked at.  Does nothing if no file is mapped there.
 */
void ds_objects_mapped(Addr a);

UInt ds_objects_number(void);
const struct ds_object *ds_objects_get(UInt object);

/* ds_filter: which objects take part: --objects.  Finds the object that is
   `main`.  Call it when the program's first thread is about to execute its
   first instruction; later calls do nothing. */
void ds_filter_start(ThreadId tid);

/* The path of the object that is `main`; "" if it is unknown. */
const HChar *ds_filter_program(void);

/* Does an object take part?  O(patterns) at the first call for each. */
Bool ds_filter_admits(UInt object);

/* Writes a line for each pattern that no object matched. */
void ds_filter_complain(void);

#endif
