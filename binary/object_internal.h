/*
 * object_internal: what the parts of an objfile share, and their one door to
 * elfutils.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef BINARY_INTERNAL_H
#define BINARY_INTERNAL_H

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <time.h>

#include "binary/objfile.h"
#include "binary/objrel.h"
#include "binary/objvar.h"

struct objsource;
struct objunits;
struct objvar_index;

/* The scopes around an address, the innermost first, each lying in the next. */
struct objfile_scopes {
    uint64_t address;
    Dwarf_Die *list;
    int n;
};
#define OBJFILE_KEPT_SCOPES 16

struct objfile {
    Dwfl *dwfl;
    Dwfl_Module *module;
    Elf *elf;
    GElf_Addr elf_bias; /* what elfutils adds to the file's addresses */
    struct objrel rel;
    struct objunits *units;         /* of objunit; NULL: not needed yet */
    struct objvar_index *variables; /* of objvar; NULL: not needed yet */
    struct objfile_scopes scopes[OBJFILE_KEPT_SCOPES]; /* asked for last */
    size_t n_scopes;           /* how often any were found */
    time_t changed;            /* when the file was, last */
    struct objsource *sources; /* whose text was asked for */
    size_t n_sources, sources_room, sources_size;
};

/* The first section of a name after another one, with its header; after NULL:
   the first of all.  NULL: there are no more. */
Elf_Scn *objfile_named(const struct objfile *object, const char *name,
                       Elf_Scn *section, GElf_Shdr *h);

/* An address as elfutils knows it. */
GElf_Addr objfile_theirs(const struct objfile *object, uint64_t address);

/* The scopes around an address, valid until others were asked for sixteen
 * times.
 */
const struct objfile_scopes *objfile_scopes(struct objfile *object,
                                            uint64_t address);

/* The compilation unit that has an address; NULL: none.  *bias is what elfutils
   adds to the addresses of the debug information. */
Dwarf_Die *objfile_unit(struct objfile *object, uint64_t address,
                        Dwarf_Addr *bias);

/* A unit with what it has in a file of its own; false if that cannot
   be read, then *whole is the unit. */
bool objfile_whole_unit(struct objfile *object, Dwarf_Die *unit,
                        Dwarf_Die *whole);

/* The row of the line table for an address; if that has no line, the one before
   it that has, of the same sequence; NULL: none. */
Dwarf_Line *objfile_row(struct objfile *object, uint64_t address);

/* Accept NULL. */
void objunits_free(struct objunits *units);
void objvar_index_free(struct objvar_index *index);

/* objvar_part: which member or element of a variable has some bytes, by the
   variable's type. */
struct objvar {
    char *name;     /* "state.acc", "p->next" */
    char *member;   /* "(struct node).next"; NULL: it is none */
    char *function; /* of a local variable that is meant itself; else NULL */
    bool is_object; /* a variable itself, not what a pointer leads to */
    bool has_type;
    Dwarf_Die type; /* of the part */
};

/* An attribute that is a location; NULL: there is none. */
Dwarf_Attribute *objvar_location(Dwarf_Die *die, unsigned name,
                                 Dwarf_Attribute *attribute);

/* The type of a variable, member, array or pointer. */
bool objvar_type_of(Dwarf_Die *die, Dwarf_Die *type);

/* In bytes; false: not known, or 0. */
bool objvar_size_of(const Dwarf_Die *type, uint64_t *size);

/* May the bytes be an element of another array, which begins at this distance
   after theirs?  Compilers fold the constant of b[i - 4] into the address,
   which may then be that of the array before b.  Type: NULL if it is not known.
 */
bool objvar_is_rival(const struct objvar_part *part, uint64_t distance,
                     uint64_t size, const Dwarf_Die *type);

/* A part of a variable.  `has_neighbour`: another one may end where it begins.
   NULL: not certain. */
struct objvar *objvar_part_of(const char *name, const Dwarf_Die *type,
                              bool has_neighbour,
                              const struct objvar_part *part);

/* A part of what a variable of a pointer type points to. */
struct objvar *objvar_pointee(const char *name, const Dwarf_Die *type,
                              const struct objvar_part *part);

#endif
