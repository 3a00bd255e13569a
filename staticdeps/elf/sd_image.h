/* sd_image: the code, the symbols and the identity of an ELF file. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
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

/* sd_lookup: finds the section that contains an address, the innermost function
   around it, and whether the address belongs to a function of known size. */

#define SD_NO_SECTION SIZE_MAX

struct sd_sections {
    const struct sd_image *image;
    size_t *order; /* numbers of sections, sorted by address */
};

/* The image's sections must not change while *sections is in use. */
void sd_sections_init(struct sd_sections *sections,
                      const struct sd_image *image);
void sd_sections_fini(struct sd_sections *sections);

/* The number of a section that contains the address, or SD_NO_SECTION. */
size_t sd_sections_find(const struct sd_sections *sections, uint64_t address);

struct sd_function {
    const char *name; /* belongs to the image */
    uint64_t start, end;
    uint64_t reach; /* the largest end of this function and all before */
};

struct sd_functions {
    struct sd_function *list; /* sorted by start */
    size_t n;

    /* The functions around the last address, the innermost on top. */
    size_t *around;
    size_t depth, next; /* function `next` starts after the last address */
    uint64_t last;
};

/* A function without a size (assembly code) extends to the next function or the
   end of its section. */
void sd_functions_init(struct sd_functions *functions,
                       const struct sd_image *image);
void sd_functions_fini(struct sd_functions *functions);

/* The innermost function around an address; NULL if no function contains the
   address.  Rising addresses take constant time each; an address below the last
   one restarts from the first function. */
const struct sd_function *sd_functions_find(struct sd_functions *functions,
                                            uint64_t address);

/* Is an address in a function i for which is_meant[i] is set?  All functions
   around it count, since the same code may have several names. */
bool sd_functions_match(const struct sd_functions *functions,
                        const bool *is_meant, uint64_t address);

/* The bytes of functions whose size is known, by symbol or .eh_frame. */
struct sd_extents {
    struct sd_range *list; /* sorted; no two overlap or touch */
    size_t n;
};

void sd_extents_init(struct sd_extents *extents, const struct sd_image *image);
void sd_extents_fini(struct sd_extents *extents);
bool sd_extents_hold(const struct sd_extents *extents, uint64_t address);

/* sd_contents: what a program's memory holds before it runs: the read-only and
   initialised data of its file, and what sd_link adds.

   Data that begin as zero are left out: programs overwrite them, and branches
   that depend on such a zero would be decided too early. */

/* A part of memory; its address and size are multiples of 8 bytes. */
struct sd_part {
    uint64_t first; /* the address divided by 8 */
    size_t n;       /* number of words of 8 bytes */
    uint64_t *words;
    uint8_t *unknown;  /* for each word, a bit for each unknown byte */
    size_t begin, end; /* only the words in this range may be addresses */
};

struct sd_contents {
    struct sd_part *parts; /* sorted by `first` */
    size_t n, room;
};

/* Reads the file of an image, as it is before dynamic relocation.  Damaged
   parts are left unknown. */
int sd_contents_read(struct sd_contents *contents, const char *path,
                     struct diag *d);
void sd_contents_fini(struct sd_contents *contents);

/* Reads the 8 bytes at address 8 * number into *bits.  Returns a mask of the
   bits that are unknown; these are 0 in *bits. */
uint64_t sd_contents_at(const struct sd_contents *contents, uint64_t number,
                        uint64_t *bits);

/* --- For sd_link --- */

/* Takes the parts of `more`, and moves them up by `base`, a multiple of 8. */
void sd_contents_join(struct sd_contents *contents, struct sd_contents *more,
                      uint64_t base);

/* Sets n bytes from an address on; if `bytes` is NULL, makes the n bytes
   unknown.  Stops at the first address that no part contains. */
void sd_contents_fill(const struct sd_contents *contents, uint64_t address,
                      const uint8_t *bytes, size_t n);

/* Reads the 8 bytes at any address; false if some of the bytes are unknown. */
bool sd_contents_word(const struct sd_contents *contents, uint64_t address,
                      uint64_t *word);

/* Copies n bytes between addresses; a part is added where `to` has none yet. */
void sd_contents_copy(struct sd_contents *contents, uint64_t to, uint64_t from,
                      size_t n);

/* sd_dynamic: what the dynamic linker reads of an executable or shared library:
   its symbols with their versions, the libraries it needs, its relocations.

   Section headers lead to all this, so nothing is read of a file without them.
   Only relocations of 8 bytes are understood, and none of thread-local storage.
 */

enum sd_dyntype { SD_DYN_OTHER, SD_DYN_FUNCTION, SD_DYN_IFUNC };

/* A symbol of the dynamic symbol table.  Number 0 stands for no symbol. */
struct sd_dynsym {
    const char *name, *version; /* NULL: none */
    uint64_t value, size;
    enum sd_dyntype type;
    bool is_defined;
    bool is_offered;     /* other objects may bind to the symbol */
    bool is_own;         /* hidden or protected: its object always uses it */
    bool is_weak;        /* the symbol may stay undefined */
    bool has_hidden;     /* only references to its version find the symbol */
    uint16_t version_id; /* number of the version in the file; 0, 1: none */
};

enum sd_dynkind {
    SD_DYN_UNKNOWN,  /* 8 bytes of unknown value */
    SD_DYN_RELATIVE, /* the object's base + addend */
    SD_DYN_IN_PLACE, /* the object's base + the 8 bytes at the place */
    SD_DYN_ADDRESS,  /* the symbol's address + addend */
    SD_DYN_CALLED,   /* the address of a function, in a slot for calls */
    SD_DYN_RESOLVED, /* the result of the IFUNC resolver at base + addend */
    SD_DYN_COPY      /* the symbol's bytes in another object */
};

struct sd_dynrel {
    uint64_t place;
    int64_t addend;
    uint32_t symbol;
    enum sd_dynkind kind;
};

struct sd_dynamic {
    enum arch arch;
    bool is_linked;   /* an executable or library with section headers */
    bool is_program;  /* an executable */
    bool is_fixed;    /* loaded at the addresses in the file */
    bool is_symbolic; /* references search their own object first */
    bool has_versions;
    uint64_t end;        /* the address after its last segment */
    const char *soname;  /* NULL: none */
    const char **needed; /* sonames of the libraries it needs */
    struct sd_dynsym *symbols;
    struct sd_dynrel *relocations;
    size_t n_needed, n_symbols, n_relocations;
    size_t needed_room, relocations_room;
    char *strings; /* holds the names of symbols and versions */
};

/* Reads the file and leaves out damaged parts.  On failure nothing is left
   open, and sd_dynamic_fini() is harmless. */
int sd_dynamic_read(struct sd_dynamic *dynamic, const char *path,
                    struct diag *d);
void sd_dynamic_fini(struct sd_dynamic *dynamic);
