/*
 * sd_image: the code, the symbols and the identity of an ELF file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "file.h"
#include "arch.h"

/* An executable section, or a segment of a file without section headers. */
struct sd_section {
    char *name;    /* cut if it is long */
    size_t header; /* number of the header in the file; 0: a segment */
    uint64_t address;
    uint8_t *bytes;
    size_t size; /* address + size does not overflow */
};

/* A named symbol defined in an executable section. */
struct sd_symbol {
    const char *name; /* points into one of the image's texts */
    uint64_t address, size;
    size_t section; /* the section that contains or ends at `address` */
    bool is_function;
    bool is_global_label; /* has neither type nor size; other files see it */
    int rank; /* of several names at an address, the one with the lowest rank is
                 shown */
    uint32_t number; /* place in the order of the file */
};

/* An entry of the procedure linkage table, and the slot of the global offset
   table with the address it jumps to. */
struct sd_stub {
    uint64_t address, slot;
};

/* A symbol that an object file does not define, and the address it gets. */
struct sd_outside {
    const char *name; /* points to one of the image's texts */
    uint64_t address;
};

struct sd_range {
    uint64_t start, end;
};

/* An exception that leaves a call in [start, end) lands at `pad`. */
struct sd_landing {
    uint64_t start, end, pad;
};

struct sd_image {
    char *path;
    enum arch arch;
    char build_id[OBJID_SIZE];   /* build-id, or SHA-256 of the file */
    struct sd_section *sections; /* in the order of the file's headers */
    struct sd_symbol *symbols;   /* sorted by address, rank and name */
    uint64_t *starts;            /* other starts of code: entry point, frames */
    struct sd_range *frames;     /* ranges that .eh_frame describes; unsorted */
    struct sd_range *data;       /* ranges that are not code; sorted by start */
    struct sd_landing *landings; /* sorted by start */
    uint64_t *parts; /* starts of parts of functions, which have a frame without
                        being an entry; sorted */
    char **texts;    /* string tables, which names share */
    struct sd_stub *stubs; /* entries, section by section */
    struct sd_outside *outside;
    size_t n_sections, n_symbols, n_starts, n_frames, n_data, n_texts, n_stubs,
        n_outside;
    size_t n_landings, n_parts, landings_room, parts_room;
    size_t n_calls; /* calls in the tables of landing pads */
    size_t sections_room, symbols_room, starts_room, frames_room, data_room,
        texts_room, stubs_room, outside_room;
    size_t n_unknown_relocations;
    bool has_large_debugdata; /* .gnu_debugdata is too large, and left out */
};

/* Opens an executable, a shared library or an object file with executable
   sections.  The names of a stripped file are read from separate debug
   information, which is looked for in `debug_directory` too.  On failure
   nothing is left open, and closing the image again is harmless. */
int sd_image_open(struct sd_image *image, const char *path,
                  const char *debug_directory, struct diag *d);

void sd_image_close(struct sd_image *image);

/* Is the file at `path` a readable archive: a static library? */
bool sd_image_is_archive(const char *path);

/* Takes a member of an archive, whose path is "ARCHIVE(MEMBER)", and which may
   lack executable sections; NULL if it is no ELF file.  The result -1 ends the
   reading. */
typedef int sd_image_take(void *argument, struct sd_image *image,
                          struct diag *d);

/* Calls `take` with each member of an archive, and closes the member
   afterwards.  -1 if the archive or an ELF file in it is damaged, or a file
   that a thin archive names cannot be read. */
int sd_image_members(const char *path, sd_image_take *take, void *argument,
                     struct diag *d);

/* Adds the landing pads and the parts of another image, moved by `base`. */
void sd_image_join_frames(struct sd_image *image, const struct sd_image *more,
                          uint64_t base);
