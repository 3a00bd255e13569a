/*
 * objdebug: debug information that is there, but cannot be read, and parts of
 * it in files of their own.
 *
 * A unit that is split names a file, relative to the program's directory or to
 * that of its compiler.  It is opened only if all these are regular files or
 * missing: a pipe would never end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory.h"
#include "object/internal.h"
#include "text.h"

/* The most units that are asked whether they are split. */
#define MOST_UNITS 100000

/* --- Units that are split --- */

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;

    return dwarf_formstring(dwarf_attr(die, name, &attribute));
}

/* The name of the file that has the rest of a unit; NULL: it is whole. */
static const char *rest_of(Dwarf_Die *unit)
{
    const char *name = text_of(unit, DW_AT_dwo_name);

    return name != NULL ? name : text_of(unit, DW_AT_GNU_dwo_name);
}

enum found { MISSING, REGULAR, OTHER };

/* Looks for a file, whose path it frees. */
static enum found look_for(char *path)
{
    struct stat st;
    enum found found = stat(path, &st) != 0  ? MISSING
                       : S_ISREG(st.st_mode) ? REGULAR
                                             : OTHER;

    free(path);
    return found;
}

/* Is there a file with the rest of a unit? */
static bool has_rest(struct objfile *object, Dwarf_Die *unit, const char *name)
{
    const char *program = NULL;
    const char *directory = text_of(unit, DW_AT_comp_dir);
    enum found beside, there = MISSING, package;
    int n;

    dwfl_module_info(object->module, NULL, NULL, NULL, NULL, NULL, &program,
                     NULL);
    if (program == NULL)
        return false;
    n = (int)(text_base_name(program) - program);
    package = look_for(memory_printf("%s.dwp", program));
    if (name[0] == '/')
        return look_for(memory_text(name)) == REGULAR && package != OTHER;
    beside = look_for(memory_printf("%.*s%s", n, program, name));
    if (directory != NULL)
        there = look_for(
            directory[0] == '/'
                ? memory_printf("%s/%s", directory, name)
                : memory_printf("%.*s%s/%s", n, program, directory, name));
    return beside != OTHER && there != OTHER && package != OTHER &&
           (beside == REGULAR || there == REGULAR || package == REGULAR);
}

bool objfile_whole_unit(struct objfile *object, Dwarf_Die *unit,
                        Dwarf_Die *whole)
{
    const char *name = rest_of(unit);
    Dwarf_Half version;
    uint8_t type;
    Dwarf_Die rest;

    *whole = *unit;
    if (name == NULL)
        return true;
    if (!has_rest(object, unit, name) ||
        dwarf_cu_info(unit->cu, &version, &type, NULL, &rest, NULL, NULL,
                      NULL) != 0 ||
        rest.cu == NULL)
        return false;
    *whole = rest;
    return true;
}

/* --- What cannot be read --- */

/* Has the file debug information?  *method: how it is compressed, or 0. */
static bool has_debug(struct objfile *object, unsigned *method)
{
    Elf_Scn *section = NULL;
    size_t names;

    if (elf_getshdrstrndx(object->elf, &names) != 0)
        return false;
    while ((section = elf_nextscn(object->elf, section)) != NULL) {
        const char *name;
        GElf_Shdr h;
        GElf_Chdr c;

        if (gelf_getshdr(section, &h) == NULL || h.sh_type == SHT_NOBITS ||
            h.sh_size == 0)
            continue;
        name = elf_strptr(object->elf, names, h.sh_name);
        if (name == NULL || strcmp(name, ".debug_info") != 0)
            continue;
        *method = (h.sh_flags & SHF_COMPRESSED) != 0 &&
                          gelf_getchdr(section, &c) != NULL
                      ? c.ch_type
                      : 0;
        return true;
    }
    return false;
}

static char *compressed(unsigned method)
{
    switch (method) {
    case 0:
        return memory_text("its debug information cannot be read");
    case 1:
        return memory_text("its debug information cannot be read: it is "
                           "compressed by zlib, with errors");
    case 2:
        return memory_text("its debug information cannot be read: it is "
                           "compressed by zstd, which this elfutils does not "
                           "know");
    default:
        return memory_printf("its debug information cannot be read: it is "
                             "compressed by method %u, which nobody knows",
                             method);
    }
}

char *objfile_unread(struct objfile *object)
{
    unsigned method, n = 0;
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias;

    if (has_debug(object, &method) &&
        dwfl_module_nextcu(object->module, NULL, &bias) == NULL)
        return compressed(method);
    while (n++ < MOST_UNITS &&
           (unit = dwfl_module_nextcu(object->module, unit, &bias)) != NULL) {
        Dwarf_Die whole;

        if (!objfile_whole_unit(object, unit, &whole))
            return memory_printf(
                "its debug information is split, and %s cannot "
                "be read",
                rest_of(unit));
    }
    return NULL;
}
