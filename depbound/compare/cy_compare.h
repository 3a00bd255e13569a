/*
 * cy_compare: which loops and dependencies of an earlier report are which of
 * this one, and whether they take longer.
 *
 * Addresses change with each build.  What stays is the function, and the line
 * of a loop, counted from that of its function, or the line alone if no
 * function is known.  Loops that are alike in these are told apart by their
 * order, if there are as many as before; else, if both builds ran, the sums of
 * their cycles are compared.  Loops that are left are those of one function in
 * their order, if there are as many; then those of one line, whatever their
 * function is, since a call may have been inlined.  A dependency is that
 * between two lines, counted from that of its loop; without lines, all of a
 * loop are one.
 *
 * Limits: the code of a loop is not looked at.  A loop whose function was
 * renamed and moved is one that is gone and one that is new.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_COMPARE_H
#define CY_COMPARE_H

#include "compare/cy_saved.h"

enum cy_fate {
    CY_SLOWER,
    CY_FASTER,
    CY_NEW,
    CY_UNLISTED, /* it may be new: the earlier report left loops out */
    CY_GONE,
    CY_LIMITING, /* a dependency: the chain that limits the loop has it, and */
    CY_FREE,     /* had not; or has no more.  Nothing tells what it would cost
                    off that chain */
    CY_UNCHANGED,
    CY_N_FATES
};

/* Two figures in cycles; NAN: not known, or there is none.  A dependency has
   one only where the chain that limits the loop waits for it. */
struct cy_two {
    double before, now;
};

/* A loop, or several that cannot be told apart. */
struct cy_loop_change {
    const struct cy_saved_loop *before, *now; /* the first of them, or NULL */
    size_t n_before, n_now;
    struct cy_two round; /* of one loop */
    struct cy_two total; /* of all rounds */
    enum cy_fate fate;
    bool fails; /* it grew by more than the user allows */
};

/* A dependency, or all between two lines of a loop. */
struct cy_dependency_change {
    const struct cy_saved_loop *loop; /* now, or before if it is gone */
    const struct cy_saved_dependency *before, *now; /* the costliest, or NULL */
    bool was_failed, is_failed; /* a forward of them fails */
    struct cy_two round, total;
    enum cy_fate fate;
};

struct cy_comparison {
    const char *path;      /* of the earlier report */
    struct cy_two program; /* not known if one side's is of windows */
    bool may_be_chance;    /* the intervals of the program overlap */
    bool program_fails;
    struct cy_loop_change *loops; /* the greatest changes first */
    size_t n_loops, loops_room;
    struct cy_dependency_change *dependencies; /* that cost something, or whose
                                                  forward fails, before or now;
                                                  the greatest changes first */
    size_t n_dependencies, dependencies_room;
    size_t fates[CY_N_FATES];            /* of loops */
    size_t dependency_fates[CY_N_FATES]; /* of all dependencies */
    /* Loops that nothing identifies, or that cannot be told apart. */
    size_t n_unmatched_before, n_unmatched_now;
    bool has_limit; /* did the user give one? */
    double limit;   /* the growth that is allowed, in percent */
    bool fails;
};

/* Compares two reports, which must outlive the result.  `now` has all loops, of
   which the first n_listed are in the report.  `limit` less than 0: none.  The
   caller calls cy_comparison_fini. */
struct cy_comparison cy_compare(const struct cy_saved *before,
                                const struct cy_saved *now, size_t n_listed,
                                double limit);
void cy_comparison_fini(struct cy_comparison *comparison);

/* The growth of a figure in percent; NAN where it means nothing. */
double cy_growth(const struct cy_two *figure);

/* Does the limit compare nothing, although the earlier report has loops? */
bool cy_comparison_is_empty(const struct cy_comparison *comparison);

#endif
