/*
 * sd_results: analyses objects, and writes the results to the database and the
 * report.
 *
 * Objects are analysed in batches.  An archive has many small members: if they
 * were analysed one by one, most of the time would be spent on starting
 * workers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "out/sd_pool.h"
#include "walk/sd_explore.h"
#include "binary/disasm.h"
#include "out/sd_db.h"

/* sd_report: prints dependencies as text, JSON or addresses.

   FILE (build-id BUILD_ID)
   FUNCTION 0xSTART-0xEND: N instructions
   the listing
   0xSRC -> 0xDST  delta_k K  support P %  RELATION at OFFSET

   A listing is the block's disassembly with a column for each dependency:

   delta_k  0 1
   401000   o |  movq %rax, (%rdi)
   401003   > >  movq (%rdi), %rbx
   401006     o  movq %rbx, (%rsi)

   o writes, > reads, @ does both.  An arrow that leaves at the bottom enters
   again at the top, delta_k iterations later.

   Blocks without dependencies are shown if their status is not "ok".

   With the scopes function and program, functions are listed instead of blocks:

   FUNCTION 0xSTART-0xEND
   0xSRC -> 0xDST  SCOPE  distance N  delta_k K  loop 0xL  support P %
   RELATION at OFFSET, in the same line

   delta_k, the header of the re-entered loop, the relation and an offset other
   than 0 are printed if they are known.  A pair is listed in the function of
   its load; if its store is in another function, `from FUNCTION` names that
   function, and `of FILE` the file if that is another, too.

   The format of addresses, in hexadecimal, for all scopes:

   # store load
   # FILE (build-id BUILD_ID)
   SRC DST

   Each pair is printed once, without delta_k, sorted by object, store and load.
   If there may be several objects, an address is FILE:ADDRESS, and with --hex
   it is LINE:ADDRESS.  A line has two fields, or begins with #.

   Names come from files, so they may contain any byte: text escapes control
   characters and passes on the others; JSON is always UTF-8; in a name before
   an address, blanks, # and \ are escaped, too. */

enum sd_format {
    SD_FORMAT_NONE,
    SD_FORMAT_TEXT,
    SD_FORMAT_JSON,
    SD_FORMAT_DEP
};

struct sd_report {
    enum sd_format format;
    FILE *out;
    enum disasm_syntax syntax; /* for listings */
    struct disasm *disasm;     /* for listings; NULL: none printed yet */
    const char *arch;          /* of the current object, from arch_name() */
    bool has_functions;        /* functions are listed instead of blocks */
    bool has_names;            /* addresses are preceded by names */
    bool has_lines;            /* --hex: input lines are printed, not objects */
    bool has_object, has_block; /* printed before, so a comma must follow */

    /* For SD_FORMAT_DEP: the path of the current object, and its pairs that are
       not printed yet. */
    char *path;
    struct sd_report_line *lines;
    size_t n_lines, lines_room;
};

void sd_report_begin(struct sd_report *report);
void sd_report_object(struct sd_report *report, const char *path,
                      const char *build_id, const char *arch);
void sd_report_block(struct sd_report *report, const struct sd_block *block,
                     const uint8_t *insns, enum sd_status status,
                     const struct sd_predicted *pairs, size_t n);
/* Prints the n pairs of an object, which must be sorted by the routines of
   their loads. */
void sd_report_functions(struct sd_report *report,
                         const struct sd_routine *routines,
                         const struct sd_predicted *pairs, size_t n);
void sd_report_end(struct sd_report *report);

/* Frees the report, but not its stream. */
void sd_report_fini(struct sd_report *report);

/* Blocks are analysed in worker processes (sd_pool).

   Where the time goes (perf, libc.so.6, 0.68 s on two processors): 32 % to
   running unrolled blocks, 14 % to building their traces, 14 % to VEX and
   flattening its IR; while workers are busy, the parent spends 10 % on decoding
   by capstone and 7 % on insertions by SQLite.  Each distinct instruction is
   lifted once.  A block is only run if it both loads and stores, and only the
   operations that feed an address are.  A small program takes 7 ms, a third of
   it in the dynamic linker, mostly for the tables of VEX and capstone; a worker
   would add 2 ms, so that a few blocks are analysed without workers. */

/* sd_room limits the work for the blocks of an object.  Only sd_results.c and
   tests use sd_room.

   Hostile code may have short blocks that never settle, so that each byte costs
   a hundred times as much as a byte of real code.  So an object has room for
   work: each byte of its code adds to the room, and each block takes from the
   room.  A block that takes more than is left gets no result, and leaves no
   room.  Therefore the cost of code is proportional to its size.

   Blocks take from the room in the order of the file, so the results do not
   depend on the number of workers.  A worker knows only a lower bound, told by
   the parent, of what the blocks before its own took: it may stop a block for
   which even this bound leaves too little. */

/* The room of an object, and of each byte of its code, in operations.  Both are
   multiplied by the number of seeds, by the size of the reorder buffer divided
   by 512 and rounded up, and by 2 with back paths.  None of the 60 million
   blocks in 1,587 objects of a system needed more, and none of the 332 largest
   objects needed half of it. */
#define SD_ROOM_FREE     ((int64_t)1 << 20)
#define SD_ROOM_PER_BYTE 32

/* The room added up to a block: by the objects before its own, and by all. */
struct sd_added {
    int64_t before, all;
};

struct sd_room {
    struct sd_added *added; /* one for each block */
    int64_t *told; /* in shared memory: a lower bound of the work taken */
};

/* Must be called before workers are started. */
void sd_room_init(struct sd_room *room, const struct sd_blocks *blocks,
                  const struct sd_settings *settings);
void sd_room_fini(struct sd_room *room);

/* The work that a block may take, if the blocks before it took `*taken`. */
uint64_t sd_room_of(const struct sd_room *room, size_t block, int64_t *taken);
/* Takes the work of a block from the room; false if the room is too small. */
bool sd_room_take(const struct sd_room *room, size_t block, uint64_t work,
                  int64_t *taken);

/* sd_walks: walks functions in worker processes (sd_pool), and collects pairs
   and their support.

   The results of a function's walks depend only on the function and the seed,
   and are collected in the order of functions; so the number of workers changes
   nothing.

   Memory: about 3 bytes for each walk and block that it visited, 43 to 85 for
   each pair of all functions, 40 more if it may have a vector, and 2 for each
   instruction; in a worker, the lifted code that sd_chunk keeps.  Memory and
   time grow with the code and the effort.  In a hostile file, walks of the
   first functions may reach a limit; the other functions are then left out, and
   counted.  The limit is 1.5 times what the largest program tried needs. */

/* The walks from one routine as a root. */
struct sd_walked {
    uint64_t n_walks, n_insns; /* n_insns: executed in all walks */
};

struct sd_walks {
    struct sd_support support;
    struct sd_pairs flows; /* pairs that no walk of their function shows */
    struct sd_agreements vectors;
    struct sd_walked *walked; /* indexed by routine */
    uint16_t *access_notes;   /* indexed by site */
    uint64_t n_insns;         /* instructions executed in all walks */
    size_t n_left_out;        /* roots that the limit left out */
    uint64_t n_cut;           /* routines whose data flow was cut short */
};

/* Walks from all routines that are roots, in at most `jobs` workers.  With
   --scope=function, these are the routines that have a wanted block, in
   themselves or in a part of theirs, and that executed enough.  If a worker ran
   out of memory, it has reported that itself, and *d is empty.  The caller
   calls sd_walks_fini(), also after a failure. */
int sd_walks_run(struct sd_walks *walks, const struct sd_program *program,
                 const struct sd_link *link, const struct sd_settings *settings,
                 unsigned jobs, struct sd_progress *progress, struct diag *d);
void sd_walks_fini(struct sd_walks *walks);

struct sd_object {
    struct sd_image image;
    struct sd_cfg *cfg; /* NULL if the scope is the block */
    size_t first;       /* number of its first block in the batch */
};

/* Objects of one architecture. */
struct sd_batch {
    struct sd_object *objects;
    size_t n_objects, objects_room;
    size_t n_begun;          /* objects with blocks in earlier batches */
    struct sd_blocks blocks; /* the blocks of all objects, object by object */
    size_t n_bytes;          /* bytes of code */
};

/* Is there room for another object?  A batch is large enough to keep workers
   busy, and small enough that memory does not grow with the archive. */
bool sd_batch_has_room(const struct sd_batch *batch, enum arch arch);

/* Appends an object, its blocks to be analysed, and the graph of all its
   blocks, which may be NULL.  Takes them over, and leaves image and blocks
   empty. */
void sd_batch_add(struct sd_batch *batch, struct sd_image *image,
                  struct sd_blocks *blocks, struct sd_cfg *cfg);

/* After the results of a batch with one object have been taken, replaces its
   blocks by `more`, further blocks of that object; empties `more`. */
void sd_batch_continue(struct sd_batch *batch, struct sd_blocks *more);

/* Empties the batch. */
void sd_batch_fini(struct sd_batch *batch);

/* Each block is written with its function's name.  The total length of an
   object's names is limited, so that a small file with long names does not make
   a huge database; compilers do not come near the limit.  After the limit, a
   long name is cut to SD_SHORT_NAME bytes, including a 0 byte, and ends in
   "...". */
#define SD_SHORT_NAME     64
#define SD_NAMES_PER_BYTE 64 /* bytes of names per byte of code */
#define SD_NAMES_FREE     (1u << 20)

struct sd_results {
    struct sd_db *db; /* belongs to the caller; NULL: none is written */
    struct sd_report report;
    struct sd_progress progress;
    struct sd_counts counts;
    uint64_t n_blocks, n_insns, n_deps, n_duplicates;
    uint64_t n_unknown_relocations, n_foreign_members, n_large_debugdata,
        n_without_loops;
    uint64_t n_walks, n_walked; /* walks, and instructions executed in walks */
    uint64_t n_numbered;        /* earlier objects' walks, for unique numbers */
    uint64_t n_not_walked;      /* functions that were not walked */
    uint64_t n_flows_cut;       /* functions whose data flow was cut short */
    uint64_t n_by_status[SD_N_STATUSES];

    /* For the current object: the bytes of functions' names that may still be
       written, and the last name that was cut. */
    uint64_t name_room;
    char short_name[SD_SHORT_NAME];

    /* State of the current batch. */
    const struct sd_batch *batch;
    size_t n_begun;             /* objects begun */
    size_t n_taken;             /* blocks with results */
    struct sd_predicted *pairs; /* pairs of the current block */
    size_t pairs_room;
    uint64_t *addresses; /* addresses of the block's instructions */
    size_t addresses_room;
};

/* Analyses a batch in at most `jobs` processes, and writes its results. */
int sd_results_add(struct sd_results *results, const struct sd_batch *batch,
                   const struct sd_settings *settings, unsigned jobs,
                   struct diag *d);

/* Joins objects, analyses them by walks, and writes the results.  Both ends of
   a pair must be in wanted blocks. */
int sd_results_walk(struct sd_results *results, struct sd_link *link,
                    const struct sd_settings *settings, unsigned jobs,
                    struct diag *d);

/* Writes the settings and the counts of all batches to the database. */
int sd_results_end(struct sd_results *results,
                   const struct sd_settings *settings, struct diag *d);

void sd_results_fini(struct sd_results *results);

/* Only for sd_results_walks.c: sd_results_object() writes an object and the
   aliases of its functions.  After sd_results_names() has begun an image,
   sd_results_name() returns a function's name, cut if the names are too long;
   it is valid until the next call. */
int sd_results_object(struct sd_results *results, const struct sd_image *image,
                      struct diag *d);
void sd_results_names(struct sd_results *results, const struct sd_image *image);
const char *sd_results_name(struct sd_results *results, const char *name);
