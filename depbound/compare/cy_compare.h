/*
 * cy_compare: matches the loops and dependencies of an earlier report with
 * those of this one, and tells whether they take longer.
 *
 * Addresses change with each build, so loops are matched by function and by
 * line relative to the function's, or by line alone if no function is known.
 * Loops that agree in both are matched by their order, if there are as many as
 * before; else, if both builds ran, the sums of their cycles are compared.  The
 * remaining loops of a function are matched by their order, if there are as
 * many as before; then those of a line, whatever their function is, since a
 * call may have been inlined.  A dependency is identified by its two lines,
 * relative to the loop's; without lines, all dependencies of a loop count as
 * one.
 *
 * Limits: the code of a loop is not compared.  A loop whose function was
 * renamed and moved counts as gone, and as a new one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

/* --- cy_saved: a JSON report of depbound ---

   Both sides of a comparison are such reports: an earlier one, from a file, and
   the current one, as it would be printed, so that both are read alike. */

/* A saved dependency.  Texts live as long as the report; NULL: not known. */
struct cy_saved_dependency {
    const char *store_line, *load_line; /* "FILE:LINE" */
    const char *forwarding;             /* "forwarded", "renamed" or "failed" */
    double cycles; /* cycles that the chain waits for it in a round */
};

struct cy_saved_loop {
    const char *function, *region, *line, *limited_by;
    const char *function_line; /* line on which the function begins */
    uint64_t order;            /* position in the code of its build */
    uint64_t rounds;           /* number in all executions; 0: not known */
    double predicted;          /* predicted cycles of a round */
    bool is_least;
    struct cy_saved_dependency *dependencies;
    size_t n_dependencies;
};

struct cy_saved {
    struct cy_saved_loop *loops;
    size_t n_loops;
    uint64_t n_left_out;       /* loops that the report does not list */
    const char *by;            /* what `program` counts; NULL: not known */
    double program, low, high; /* cycles of the program; NAN: not known */
    struct json_t *document;   /* owns the texts */
};

/* Reads the output of --format=json.  The caller calls cy_saved_fini, even
   after a failure. */
int cy_saved_read(struct cy_saved *saved, const char *path, struct diag *d);

/* Reads n bytes of a JSON report, which messages call `path`. */
int cy_saved_parse(struct cy_saved *saved, const char *text, size_t n,
                   const char *path, struct diag *d);

/* Can two reports be compared?  -1 with *d set if they are of different
   versions, processors or options; `path` is the file of the first. */
int cy_saved_check(const struct cy_saved *before, const struct cy_saved *now,
                   const char *path, struct diag *d);

void cy_saved_fini(struct cy_saved *saved);

/* --- The comparison --- */

enum cy_change {
    CY_SLOWER,
    CY_FASTER,
    CY_NEW,
    CY_UNLISTED, /* perhaps new: the earlier report left loops out */
    CY_GONE,
    CY_LIMITING, /* a dependency new in the chain that limits the loop */
    CY_FREE,     /* a dependency that the chain waits for no more; its cost now
                    is not known */
    CY_UNCHANGED,
    CY_N_CHANGES
};

/* Two figures in cycles; NAN: not known, or none exists.  A dependency has one
   only where the chain that limits the loop waits for it. */
struct cy_two {
    double before, now;
};

/* A loop, or several that cannot be told apart. */
struct cy_loop_change {
    const struct cy_saved_loop *before, *now; /* the first loop, or NULL */
    size_t n_before, n_now;
    struct cy_two round; /* cycles of a round of one loop */
    struct cy_two total; /* cycles of all rounds */
    enum cy_change kind;
    bool fails; /* the loop grew by more than the user allows */
};

/* A dependency, or all dependencies between two lines of a loop. */
struct cy_dependency_change {
    const struct cy_saved_loop *loop; /* now, or before if the loop is gone */
    const struct cy_saved_dependency *before, *now; /* the costliest, or NULL */
    bool was_failed, is_failed;                     /* does a forward fail? */
    struct cy_two round, total;
    enum cy_change kind;
};

struct cy_comparison {
    const char *path;      /* path of the earlier report */
    struct cy_two program; /* NAN if one side's is of windows */
    bool may_be_chance;    /* the intervals of the program overlap */
    bool program_fails;
    struct cy_loop_change *loops; /* the greatest changes first */
    size_t n_loops, loops_room;
    struct cy_dependency_change *dependencies; /* with costs or a failed
                                                  forward, before or now; the
                                                  greatest changes first */
    size_t n_dependencies, dependencies_room;
    size_t loops_by_kind[CY_N_CHANGES]; /* number of loops by kind of change */
    size_t dependencies_by_kind[CY_N_CHANGES]; /* their dependencies */
    /* Loops that have no key, or that cannot be told apart. */
    size_t n_unmatched_before, n_unmatched_now;
    bool has_limit; /* did the user give a limit? */
    double limit;   /* the growth that is allowed, in percent */
    bool fails;
};

/* Compares two reports, which must outlive the result.  `now` has all loops, of
   which the first n_listed are in the report.  A `limit` below 0 means no
   limit.  The caller calls cy_comparison_fini. */
struct cy_comparison cy_compare(const struct cy_saved *before,
                                const struct cy_saved *now, size_t n_listed,
                                double limit);
void cy_comparison_fini(struct cy_comparison *comparison);

/* The growth of a figure in percent; NAN where it has no meaning. */
double cy_growth(const struct cy_two *figure);
