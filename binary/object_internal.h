/* object_internal: what the files that implement objfile share; only they use
   elfutils. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <time.h>

#include "binary/objfile.h"
#include "binary/objrel.h"

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
    struct objfile_scopes scopes[OBJFILE_KEPT_SCOPES]; /* the latest */
    size_t n_scopes;           /* how often scopes were found */
    time_t changed;            /* when the file was last changed */
    struct objsource *sources; /* the sources whose text was asked for */
    size_t n_sources, sources_room, sources_size;
};

/* The next section of this name after `section`, or with NULL the first one,
   and its header.  NULL: there are no more. */
Elf_Scn *objfile_named(const struct objfile *object, const char *name,
                       Elf_Scn *section, GElf_Shdr *h);

/* The address that elfutils uses for an address of this module. */
GElf_Addr objfile_theirs(const struct objfile *object, uint64_t address);

/* The scopes around an address, valid until sixteen others were asked for. */
const struct objfile_scopes *objfile_scopes(struct objfile *object,
                                            uint64_t address);

/* The compilation unit that has an address; NULL: none.  *bias is what elfutils
   adds to the addresses of the debug information. */
Dwarf_Die *objfile_unit(struct objfile *object, uint64_t address,
                        Dwarf_Addr *bias);

/* A unit with its part in a separate file, if any; false, with *whole the unit
   itself, if that part cannot be read. */
bool objfile_whole_unit(struct objfile *object, Dwarf_Die *unit,
                        Dwarf_Die *whole);

/* The row of the line table for an address; if it has no line, the last one
   before it in its sequence that has one; NULL: none. */
Dwarf_Line *objfile_row(struct objfile *object, uint64_t address);

/* Accept NULL. */
void objunits_free(struct objunits *units);
void objvar_index_free(struct objvar_index *index);

/* objvar_part: which member or element of a variable has some bytes, by the
   variable's type. */
struct objvar {
    char *name;     /* "state.acc", "p->next" */
    char *member;   /* "(struct node).next"; NULL: it is no member */
    char *function; /* of a local variable, not of what it points to; or NULL */
    bool is_object; /* a variable itself, not what a pointer leads to */
    bool has_type;
    Dwarf_Die type; /* the type of the part */
};

/* An attribute of an entry that is a location; NULL: the entry has none. */
Dwarf_Attribute *objvar_location(Dwarf_Die *die, unsigned name,
                                 Dwarf_Attribute *attribute);

/* The type of a variable, member, array or pointer. */
bool objvar_type_of(Dwarf_Die *die, Dwarf_Die *type);

/* The size of a type in bytes; false: it is not known, or 0. */
bool objvar_size_of(const Dwarf_Die *type, uint64_t *size);

/* May the part be an element of another array, which begins at this distance
   after its own?  Compilers fold the constant of b[i - 4] into the address,
   which may then be that of the array before b.  `type` is NULL if it is not
   known. */
bool objvar_is_rival(const struct objvar_part *part, uint64_t distance,
                     uint64_t size, const Dwarf_Die *type);

/* A part of a variable; NULL: it is not certain.  `has_neighbour`: another
   variable may end where this one begins. */
struct objvar *objvar_part_of(const char *name, const Dwarf_Die *type,
                              bool has_neighbour,
                              const struct objvar_part *part);

/* A part of what a variable of a pointer type points to. */
struct objvar *objvar_pointee(const char *name, const Dwarf_Die *type,
                              const struct objvar_part *part);
