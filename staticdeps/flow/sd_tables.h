/*
 * sd_tables: tables of functions in a program's data: structures of handlers,
 * virtual tables, arrays.
 *
 * A table begins at an address that code or data refer to, or, for a virtual
 * table, after its two words of type information (Itanium C++ ABI, 2.5), and
 * extends to the next table.  If a program loads the address of a function at
 * some offset from an unknown pointer, only the offset is known.  The function
 * must then be in some table at that offset: all fields of one offset are one
 * variable (Heintze, Tardieu, Ultra-fast Aliasing Analysis Using CLA, PLDI
 * 2001, field-based; for virtual tables: Dean, Grove, Chambers, Optimization of
 * Object-Oriented Programs Using Static Class Hierarchy Analysis, ECOOP 1995,
 * without the hierarchy).
 *
 * Entries at regular distances are an array of structures, and each structure
 * is a table (sd_program_tables.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_TABLES_H
#define SD_TABLES_H

#include <stddef.h>
#include <stdint.h>

/* The address of a function, in data. */
struct sd_entry {
    uint64_t table; /* the address of the table */
    uint64_t function;
    uint32_t offset; /* in the table, in bytes */
};

/* With more functions at one offset, the callee stays unknown. */
#define SD_MOST_CANDIDATES 12

struct sd_tables {
    struct sd_entry *list; /* sorted by offset and table */
    size_t n;
};

void sd_tables_fini(struct sd_tables *tables);

/* Returns the number of entries at an offset, and sets *first to the first. */
size_t sd_tables_at(const struct sd_tables *tables, int64_t offset,
                    size_t *first);

#endif
