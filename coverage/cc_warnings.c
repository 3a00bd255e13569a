/*
 * cc_warnings: what covcheck says on standard error.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cc_warnings.h"

#include <stdio.h>
#include <stdlib.h>

#include "memory.h"

void cc_warn(const struct diag *d)
{
    fprintf(stderr, "covcheck: %s\n", d->text);
}

bool cc_warn_of_notes(const struct cc_notes *notes,
                      const struct cc_options *options)
{
    for (size_t i = 0; i < notes->n; i++) {
        char *note = cc_note_text(notes, i);
        struct diag d;

        diag_set(&d, "%s", note);
        free(note);
        cc_warn(&d);
        if (options->is_strict)
            return false;
    }
    return true;
}

static void mark_ends(bool *objects, const struct cc_observed *d)
{
    objects[d->src_object] = objects[d->dst_object] = true;
}

/* The lists name instructions and lines only of objects whose file is there. */
void cc_warn_of_files(const struct cc_report *report)
{
    const struct cc_data *data = report->data;
    bool *is_listed = memory_new(data->n_objects, sizeof *is_listed);

    for (size_t i = 0; report->missed && i < report->missed->n; i++)
        mark_ends(is_listed, &data->observed[report->missed->items[i]]);
    for (size_t i = 0;
         report->comparison && i < report->comparison->fates.n_lost; i++)
        mark_ends(is_listed,
                  &data->observed[report->comparison->fates.lost[i]]);
    for (size_t i = 0;
         report->false_positives && i < report->false_positives->n; i++) {
        const struct cc_prediction *p =
            &data->predictions[report->false_positives->items[i]];

        is_listed[data->blocks[p->block].object] = true;
        is_listed[data->blocks[p->dst_block].object] = true;
    }
    for (uint32_t i = 0; i < data->n_objects; i++) {
        const char *trouble =
            is_listed[i] ? cc_symbolizer_trouble(report->symbolizer, i) : NULL;
        struct diag d;

        if (trouble == NULL)
            continue;
        diag_set(&d, "%s", trouble);
        cc_warn(&d);
    }
    free(is_listed);
}

bool cc_warn_of_checks(const struct cc_check *checks, size_t n)
{
    bool passed = true;
    struct diag d;

    for (size_t i = 0; i < n; i++) {
        if (checks[i].passed)
            continue;
        passed = false;
        cc_check_describe(&checks[i], &d);
        cc_warn(&d);
    }
    return passed;
}
