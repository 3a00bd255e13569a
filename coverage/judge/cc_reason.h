/*
 * cc_reason: where dependencies lie, and why they were missed.
 *
 * How far apart the two ends lie in the code says how much of what happens an
 * analysis of single blocks can see at all; there all dependencies count, those
 * of dropped blocks, too.
 *
 * Pure.  Limits: why one was missed is what the databases can tell: a
 * dependency that was found in too few iterations, or with too few seeds, to be
 * kept is not told from one whose addresses met through something that happened
 * outside the block.  Of the calls that walks did not enter, none is known to
 * be the one that leads from one end to the other.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "model/cc_data.h"

/* --- Where dependencies lie --- */

/* How far apart the ends of a dependency lie. */
enum cc_where {
    CC_IN_BLOCK,    /* both ends in one block */
    CC_IN_FUNCTION, /* in two blocks of one function */
    CC_ACROSS,      /* in two functions */
    CC_NO_FUNCTION, /* in two blocks, at least one outside any function */
    CC_OUTSIDE,     /* at least one end in no block of static.db */
    CC_N_WHERE
};

/* The occurrences within one bound, by where they lie. */
struct cc_where_counts {
    uint64_t occurrences[CC_N_WHERE];
    uint64_t all; /* their sum */
    /* Occurrences with both ends in blocks that lie within each scope. */
    uint64_t within[CC_N_SCOPES];
    /* Dependencies with an end in an object that occurred between threads at
       least once, and all their occurrences. */
    uint64_t cross_thread, cross_thread_occurrences;
};

/* Counts matched data at each of the bounds. */
void cc_where_count(const struct cc_data *data,
                    struct cc_where_counts counts[LIFETIMES_MAX]);

/* --- In which files the occurrences lie that no analysis saw --- */

/* A file with occurrences that have an end in no block.  Each counts for the
   file of its load if the load is such an end, else for that of its store, so
   that the sum over the files is CC_OUTSIDE's of cc_where_count. */
struct cc_outside_file {
    const char *path;      /* belongs to the data */
    bool is_analysed;      /* the file was analysed, but not this code of it */
    uint64_t *occurrences; /* at each of the bounds */
};

/* Files with occurrences outside blocks, most at the first bound first. */
struct cc_outside {
    struct cc_outside_file *files;
    size_t n;
    size_t n_listed;       /* how many of the first are worth a reader's time */
    uint64_t *occurrences; /* of all files */
};

/* Collects the files of matched data.  cc_outside_fini frees the result. */
struct cc_outside cc_outside_new(const struct cc_data *data);
void cc_outside_fini(struct cc_outside *outside);

/* A command for the shell that analyses the objects of static.db and the files
   that are listed; NULL if it would add nothing.  The caller frees it. */
char *cc_outside_command(const struct cc_data *data,
                         const struct cc_outside *outside);

/* --- What ran outside the blocks that a filtered static.db holds --- */

/* Code that was not analysed is neither found nor missed, so the figures of a
   filtered database cover only a part of the program.  This is the size of the
   rest of one object; all 0 if its analysis had no filter. */
struct cc_left_out {
    bool has_run; /* did code run that was left out? */
    /* Dependencies with an end in the object; with an end in code left out. */
    uint64_t dependencies, occurrences;
    uint64_t outside, outside_occurrences;
};

/* An array, with an element for each object; the caller frees it. */
struct cc_left_out *cc_left_out_new(const struct cc_data *data);

/* --- Why dependencies were missed --- */

/* The reasons, in the order of trying: the first that holds counts. */
enum cc_reason {
    CC_NOT_ANALYSED, /* a block was not analysed */
    /* Only if there were walks: */
    CC_NEVER_WALKED,    /* no walk came to one of the ends */
    CC_BELOW_SUPPORT,   /* fewer walks showed the pair than were asked for */
    CC_UNRESOLVED_CALL, /* no walk came to both ends, which lie in two
                           functions, one of which has an indirect call of
                           unknown target */
    CC_SKIPPED_CALL,    /* as CC_UNRESOLVED_CALL, but a call was not entered */
    CC_NEVER_IN_ONE,    /* no walk came to both ends, for another reason */
    /* With or without walks: */
    CC_UNKNOWN_ADDRESS, /* the address of one end was undecided */
    CC_DATA_DEPENDENT, /* the address of one end was made from a loaded value */
    CC_DIFFERENT_BASES, /* the addresses have different bases, or nothing is
                           known of the bases and CC_BEYOND_WINDOW does not
                           hold; with walks: one base was drawn at random */
    /* Only without walks: */
    CC_BEYOND_WINDOW, /* even the smallest distance exceeds the unrolled
                         block */
    CC_SAME_BASE,     /* the bases are equal, but the distance was another */
    CC_NOT_SHOWN,     /* with walks: no other reason holds */
    CC_N_REASONS
};

/* The reason of a dependency whose verdict is CC_MISSED, in matched data. */
enum cc_reason cc_reason_of(const struct cc_data *data,
                            const struct cc_observed *observed);

/* Can the data have the reason?  It depends on whether there were walks. */
bool cc_reason_applies(const struct cc_data *data, enum cc_reason reason);

/* The reason as JSON spells it: "not-analysed". */
const char *cc_reason_name(enum cc_reason reason);
/* The reason as people read it: "block not analysed". */
const char *cc_reason_text(enum cc_reason reason);

/* Missed dependencies by reason, at each of the bounds. */
struct cc_reason_counts {
    uint64_t dependencies[CC_N_REASONS], occurrences[CC_N_REASONS];
};
void cc_reasons_count(const struct cc_data *data,
                      struct cc_reason_counts counts[LIFETIMES_MAX]);
