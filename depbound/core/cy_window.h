/*
 * cy_window: the windows of a deps.db: what a thread really executed, some
 * thousand consecutive instructions at a time, with the address of each access.
 *
 * A window contains its instructions' lengths and accesses, in the order in
 * which depsim saw them, so that neither the program's files nor a decoder of
 * machine code is needed to read it.
 *
 * Limits: an access is one of VEX's.  A gather has one load for each element,
 * a masked store one store for each byte, and an instruction that VEX executes
 * by a helper at most one load and one store of all its bytes.  An instruction
 * with a lock prefix, and an xchg with memory, loads the same bytes twice and
 * stores once, because VEX loads them and then compares and swaps; struct flow
 * has one load.  All others have as many loads and stores as struct flow, of
 * the same sizes, unless the flow is cut.  A string instruction with a rep
 * prefix is executed once for each of its rounds.  What the kernel writes is
 * not recorded.
 *
 * Windows of more than a million instructions or 2^24 accesses are refused,
 * because a few bytes can stand for any number of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "keys.h"
#include "read/cy_read.h"

#define CY_WINDOW_INSNS 1000000 /* the most instructions of a window */

/* The address of an access that did not happen: its guard was false, or the
   instruction ended early. */
#define CY_NOT_DONE UINT64_MAX

/* A load or store that an instruction can make each time it is executed. */
struct cy_window_access {
    bool is_store;
    uint16_t size; /* in bytes, at least 1 */
};

/* An instruction that at least one window executes. */
struct cy_window_insn {
    uint32_t object; /* index in `objects` of cy_windows */
    uint8_t length;  /* in bytes, 1 to 15 */
    uint8_t n_accesses;
    uint32_t first_access; /* index in `accesses` of cy_windows */
    uint64_t address;      /* the instruction's address in the object's file */
};

/* One execution of an instruction. */
struct cy_executed {
    uint32_t insn;         /* index in `insns` of cy_windows */
    uint32_t first_access; /* index in `addresses` of cy_recorded, which has one
                              for each access of the instruction */
    bool is_apart;         /* the thread executed instructions before it that
                              were not recorded */
    bool is_entry;         /* made-up window: a run of the loop begins, with all
                              registers available */
};

/* A window, expanded. */
struct cy_recorded {
    int64_t run;      /* run_id of the database */
    uint32_t thread;  /* from 0, in the order in which a run's threads began */
    uint64_t start;   /* instructions that the process executed before */
    double weight;    /* factor for all that is counted in the window */
    size_t per_round; /* made up: instructions of a round of the loop, whose
                         branches are predicted and whose instructions never
                         count as string rounds; 0: recorded */
    bool is_unrolled; /* made up: only branches end a fetched run */
    size_t n;
    struct cy_executed *executed; /* n + 1: the last has no instruction, and its
                                     first_access is the number of addresses */
    uint64_t *addresses;          /* addresses of accesses, or CY_NOT_DONE */
    uint64_t *reuse;              /* reuse times as stored (cy_reuse) */
    size_t n_reuse;
    size_t executed_room, addresses_room, reuse_room;
};

/* A window as it lies in the database. */
struct cy_window_row {
    int64_t run;
    uint32_t thread;
    uint64_t start;
    double weight;
    size_t n; /* instructions */
    uint8_t *path, *accesses, *gaps, *reuse, *lead;
    size_t path_size, accesses_size, gaps_size, reuse_size, lead_size;
    size_t executions; /* where executions begin in `path`, after pieces */
    uint32_t *pieces;  /* indices in `pieces` of cy_windows */
    size_t n_pieces;
    struct cy_recorded kept; /* expanded; n = 0: not yet, or not kept */
};

/* A run, with windows or without. */
struct cy_window_run {
    int64_t id;
    uint64_t recorded; /* instructions */
    size_t n_windows;
    size_t first_place, n_places; /* in `places` of cy_windows */
};

/* A place of branches before windows (struct cy_lead). */
struct cy_window_place {
    uint32_t object; /* index in `objects` of cy_windows */
    uint64_t address;
    enum cy_place_kind {
        CY_PLACE_CONDITIONAL,
        CY_PLACE_INDIRECT,
        CY_PLACE_TARGET
    } kind;
};

/* Straight-line code of one run. */
struct cy_window_piece {
    int64_t run;
    uint64_t number;   /* the piece's number in its run, in the database */
    size_t first_insn; /* index in piece_insns of cy_windows */
    size_t n_insns, n_accesses;
};

/* All windows of a database, in the order of run and start.  An instruction,
   known by its object and address, may have several entries in `insns` if its
   accesses or its length differ, as code that was changed. */
struct cy_windows {
    struct cy_window_run *runs; /* sorted by id */
    size_t n_runs, runs_room;
    struct cy_object *objects; /* files whose code is in a window; code without
                                  one is in "[anonymous]", with run-time
                                  addresses */
    size_t n_objects, objects_room;
    struct cy_window_insn *insns;
    size_t n_insns, insns_room;
    struct cy_window_access *accesses;
    size_t n_accesses, accesses_room;
    struct cy_window_place *places; /* by run and number */
    size_t n_places, places_room;
    struct cy_window_row *rows;
    size_t n_rows, rows_room;
    struct cy_window_piece *pieces; /* sorted by run and number */
    size_t n_pieces, pieces_room;
    uint32_t *piece_insns; /* the pieces' instructions, as indices in `insns` */
    size_t n_piece_insns, piece_insns_room;
    uint64_t instructions;   /* executed in all windows */
    uint64_t recorded;       /* instructions that runs with windows recorded */
    uint64_t n_threads;      /* a lower bound of a run's threads: those with
                                windows or that began before one with windows, and
                                2 if one loaded what another stored */
    size_t n_without;        /* runs that recorded something, but no window */
    struct cy_reuse *reuse;  /* of all windows */
    struct cy_lead *lead;    /* that was read last; or NULL */
    size_t n_kept;           /* bytes of windows that stay expanded */
    struct cy_recorded last; /* the last expanded window that is not kept */
    size_t number_of_last;   /* plus 1; 0: none */
};

/* Reads the windows of a deps.db, of the runs of a program whose build-id is
   given, or of all if that is NULL, and checks all of them: -1 with *d set if
   one is damaged.  Sets the windows' weights: the windows of a run, which lie
   evenly, stand for equal shares of what the run recorded, and the weighted
   number of counted instructions of all windows is the same as the unweighted
   one.  Call cy_windows_fini after a failure, too. */
int cy_windows_read(struct cy_windows *windows, const char *deps,
                    const char *program, struct diag *d);
void cy_windows_fini(struct cy_windows *windows);

/* Frees what only simulations need; no window can be expanded any more. */
void cy_windows_forget(struct cy_windows *windows);

/* How many of a window's n instructions warm the core, and do not count. */
static inline size_t cy_window_first(size_t n)
{
    return n / 4;
}

/* What cy_windows_read does with a piece and a window, for callers without a
   database.  The first adds a piece, whose run and number come after those of
   earlier pieces; `insns`, zeroed at first, finds known instructions.  The
   second reads the pieces that a row, whose path is set, executes.  Both return
   NULL, or what is wrong. */
struct cy_piece_blob {
    int64_t run;
    uint64_t number, address;
    uint32_t object; /* index in `objects` of cy_windows */
    const uint8_t *insns;
    size_t insns_size;
};
const char *cy_window_add_piece(struct cy_windows *windows, struct keys *insns,
                                const struct cy_piece_blob *blob);
const char *cy_window_read_pieces(const struct cy_windows *windows,
                                  struct cy_window_row *row);

/* Expands window number i.  *recorded is zeroed, or was used before.  Returns
   NULL, or what is wrong: nothing, after cy_windows_read succeeded. */
const char *cy_windows_expand(const struct cy_windows *windows, size_t i,
                              struct cy_recorded *recorded);
void cy_recorded_fini(struct cy_recorded *recorded);

/* Window number i, expanded only once if there is room to keep it; valid until
   the next call.  *wrong is what cy_windows_expand returned. */
const struct cy_recorded *cy_windows_take(struct cy_windows *windows, size_t i,
                                          const char **wrong);

/* --- The branches that a thread executed just before a window --- */

/* An executed branch, conditional or indirect. */
struct cy_lead_branch {
    uint32_t place, target; /* indices in `places` of cy_windows; target: of an
                               indirect branch */
    bool is_taken;
};

struct cy_lead {
    struct cy_lead_branch *branches; /* in the order in which they ran */
    size_t n, branches_room;
    struct cy_lead_place *state; /* what reading needs, kept for the next */
    size_t n_state;
};

/* The branches before window number i, none if that is not known.  *lead is
   zeroed, or was used before.  Returns NULL, or what is wrong: nothing, after
   cy_windows_read succeeded. */
const char *cy_lead_of(const struct cy_windows *windows, size_t i,
                       struct cy_lead *lead);
void cy_lead_fini(struct cy_lead *lead);
