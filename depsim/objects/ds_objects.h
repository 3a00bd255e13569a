/* ds_objects: run-time address -> (object file, ELF virtual address). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/ds_valgrind.h"

/* ds_elf: what depsim needs of an ELF file: where its bytes are meant to lie
   in memory, and its build-id.

   Limits: 64-bit little-endian files; the build-id is found through the
   program headers, as the loader sees the file, in notes of at most 4 KiB. */

#define DS_ELF_BUILD_ID_MAX 64 /* bytes */

/* A piece of the file that the loader maps, and its ELF virtual address. */
struct ds_elf_piece {
    ULong offset, size, vaddr;
    Bool is_code;
};

struct ds_elf {
    UInt n_pieces;
    struct ds_elf_piece *piece;
    UInt build_id_size; /* in bytes; 0: the file has none */
    UChar build_id[DS_ELF_BUILD_ID_MAX];
    struct ds_elf_label {
        ULong address; /* ELF virtual address */
        HChar *name;
    } * label; /* found by ds_elf_read_labels, by address */
    SizeT n_labels, labels_room;
};

/* Where a file's bytes come from: `read` reads n of them from an offset on, and
   is false if it cannot. */
struct ds_elf_source {
    Bool (*read)(const struct ds_elf_source *source, ULong offset, void *buffer,
                 UInt n);
    Int fd;         /* of ds_elf_file: an open file */
    ULong dev, ino; /* of ds_elf_mappings: the mapped file */
};

/* Reads an open file. */
struct ds_elf_source ds_elf_file(Int fd);

/* Reads the mapped parts of a file, which may have been removed. */
struct ds_elf_source ds_elf_mappings(ULong dev, ULong ino);

/* Reads a file's headers.  A file that is not ELF, or cannot be read, has no
   pieces and no build-id. */
void ds_elf_read(struct ds_elf *elf, const struct ds_elf_source *source);

/* Reads, after ds_elf_read, the symbols without a size that may be functions.
   O(symbols). */
void ds_elf_read_labels(struct ds_elf *elf, const struct ds_elf_source *source);

/* Symbol number i, from 0, of ds_elf_read_labels at an ELF address, or NULL. */
const HChar *ds_elf_label(const struct ds_elf *elf, ULong address, UInt i);

/* Frees what ds_elf_read and ds_elf_read_labels have made. */
void ds_elf_free(struct ds_elf *elf);

/* The piece that holds a file offset, code before data; NULL if none does. */
const struct ds_elf_piece *ds_elf_find(const struct ds_elf *elf, ULong offset);

/* A file that code was executed from. */
struct ds_object {
    const HChar *path;
    HChar *id; /* build-id or SHA-256 in hexadecimal; "": unknown */
    struct ds_elf elf;
    UInt before; /* 1 + the object before whose path has the same hash; or 0 */
    struct {
        ULong dev, ino, size, mtime, mtime_nsec;
    } file;        /* when it was last looked at */
    UInt n_mapped; /* ds_objects_mapped's count when it was identified */
};

/* A stretch of run-time addresses in one object. */
struct ds_range {
    Addr start, end; /* from start up to, but not including, end */
    UInt object;
    Addr bias; /* run-time address - ELF address */
};

/* The stretch around a run-time address, until the address space changes. */
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
