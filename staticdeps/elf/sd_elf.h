/*
 * sd_elf: an open ELF file, or one in memory.  Private to the files that read
 * ELF: sd_elf*, and sd_image.
 *
 * libelf checks what it reads against the file's size, but not whether offset +
 * size wraps around; so sd_elf checks for this first.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "elf/sd_image.h"
#include "binary/objrel.h"

/* A string table.  Names point into it, so that names that share bytes take no
   additional memory. */
struct sd_strings {
    const char *bytes; /* owned by libelf, or a copy */
    size_t size;       /* up to and including the last 0 byte */
};

struct sd_elf {
    const char *path; /* for messages; belongs to the caller */
    int fd;           /* -1: the file is in memory */
    Elf *elf;
    GElf_Ehdr header;
    uint64_t size;           /* size of the file in bytes */
    size_t n_headers;        /* number of section headers */
    struct sd_strings names; /* names of the sections */
    enum arch arch;
    bool is_relocatable; /* an object file of a compiler */
};

/* Opens an executable, a shared library or an object file of a known
   architecture.  On failure nothing is left open, and closing it again is
   harmless. */
int sd_elf_open(struct sd_elf *elf, const char *path, struct diag *d);
/* Opens an ELF file in memory; libelf may write to the bytes. */
int sd_elf_open_memory(struct sd_elf *elf, const char *path, uint8_t *bytes,
                       size_t size, struct diag *d);
void sd_elf_close(struct sd_elf *elf);

/* Does [offset, offset + size) lie in the file? */
bool sd_elf_holds(const struct sd_elf *elf, uint64_t offset, uint64_t size);

/* Reads section header number i; false if there is none. */
bool sd_elf_header(const struct sd_elf *elf, size_t i, GElf_Shdr *h);
/* Read the first header of a section or segment, from number *i on, of a type
   (SHT_NULL, PT_NULL: of any), and set *i to its number.  False if there is
   none.  Headers that cannot be read are left out. */
bool sd_elf_section(const struct sd_elf *elf, uint32_t type, size_t *i,
                    GElf_Shdr *h);
bool sd_elf_segment(const struct sd_elf *elf, uint32_t type, size_t *i,
                    GElf_Phdr *h);
/* The name of a section; NULL if it has none. */
const char *sd_elf_name(const struct sd_elf *elf, const GElf_Shdr *h);
/* Finds a section by its name; false if it is missing or empty. */
bool sd_elf_find(const struct sd_elf *elf, const char *name, size_t *i,
                 GElf_Shdr *h);
/* The contents of section number i, as in the file (`raw`) or converted by
   libelf; NULL if the section has none. */
Elf_Data *sd_elf_data(const struct sd_elf *elf, size_t i, bool raw);

/* Bytes of the file; NULL if the file ends before. */
Elf_Data *sd_elf_chunk(const struct sd_elf *elf, uint64_t offset,
                       uint64_t size);

/* The strings of section number i, owned by libelf; none if the section is no
   string table. */
struct sd_strings sd_elf_strings(const struct sd_elf *elf, size_t i);
/* The string at an offset; NULL if the table ends before. */
const char *sd_strings_at(const struct sd_strings *strings, uint64_t offset);

/* The table (SHT_SYMTAB_SHNDX) of section numbers that are too large for the
   entries of symbol table number `table`; NULL if there is none. */
Elf_Data *sd_elf_indices(const struct sd_elf *elf, size_t table);

/* Writes the build-id in hexadecimal; false if the file has none. */
bool sd_elf_build_id(const struct sd_elf *elf, char id[OBJID_SIZE]);

/* Opens an image of a member of an archive, in memory. */
int sd_elf_member(struct sd_image *image, const char *path, uint8_t *bytes,
                  size_t size, struct diag *d);

/* Adds the symbols of the file's code to an image.  `by_address` is for
   separate debug files: their symbols are placed by address, because their
   section numbers may differ from the image's. */
int sd_elf_symbols(const struct sd_elf *elf, struct sd_image *image,
                   bool by_address, struct diag *d);

/* Adds the symbols that separate debug information has for a stripped file.
   The symbols may be in the file itself, compressed (.gnu_debugdata), or in
   another file, which is found by the build-id under DEBUG-DIRECTORY/.build-id,
   or by the name in .gnu_debuglink: beside the file, in .debug there, or under
   the debug directory.  (GDB manual, 18.3 "Debugging Information in Separate
   Files", 18.4 "Debugging information in a special section".)  Debug
   information that is damaged or of another file is ignored. */
void sd_elf_names(const struct sd_elf *elf, struct sd_image *image,
                  const char *debug_directory);

/* Names the entries of the procedure linkage table, "puts@plt". */
void sd_elf_plt(const struct sd_elf *elf, struct sd_image *image);

/* Adds the starts of the functions that .eh_frame describes, up to the first
   damaged entry. */
void sd_elf_frames(const struct sd_elf *elf, struct sd_image *image);
