/*
 * cc_notes: what the figures do not cover, one sentence each.
 *
 * Runs whose record ends too early, objects that were built again between two
 * databases, and code that ran and that a filter left out.  Standard error has
 * these sentences, and every format, so that a report that was saved says as
 * much as one that was watched.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_NOTES_H
#define COVERAGE_CC_NOTES_H

#include <stdio.h>

#include "judge/cc_reason.h"
#include "model/cc_data.h"
#include "read/cc_read.h"

struct cc_note {
    enum { CC_NOTE_RUN, CC_NOTE_REBUILT, CC_NOTE_LEFT_OUT } kind;
    size_t number; /* of incomplete_runs, rebuilt or objects in cc_data */
};

/* In the order in which they are told; two databases with the same two builds
   of an object have one note.  It owns the items alone. */
struct cc_notes {
    const struct cc_data *data;
    const struct cc_inputs *in;
    const struct cc_left_out *left_out; /* one for each object */
    struct cc_note *items;
    size_t n;
};

/* Of matched data.  cc_notes_fini frees. */
struct cc_notes cc_notes_new(const struct cc_data *data,
                             const struct cc_inputs *in,
                             const struct cc_left_out *left_out);
void cc_notes_fini(struct cc_notes *notes);

/* The sentence, without a full stop; and what it is about: "run 2 of deps.db",
   or the path of an object.  Foreign texts in them are as they are; the caller
   frees. */
char *cc_note_text(const struct cc_notes *notes, size_t i);
char *cc_note_subject(const struct cc_notes *notes, size_t i);

#endif
