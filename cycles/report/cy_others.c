/*
 * cy_others: the code that --annotate does not list with a loop, by windows.
 *
 * Windows have all code that ran: calls, outer loops, and other ways around a
 * loop.  A listing of a loop has none of these, so the report says how much
 * they are, and which of their instructions have most cycles.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "array.h"
#include "memory.h"
#include "report/internal.h"

struct other {
    uint32_t insn; /* of the windows */
    double cycles;
};

struct others {
    const struct cy_report *report;
    struct other *list; /* the most costly first */
    size_t n, room;
    double listed; /* cycles of the instructions of loops */
};

/* Is the instruction of a loop that the report lists? */
static bool is_listed(const struct cy_report *r, uint32_t insn)
{
    const struct cy_simulated_insn *simulated = &r->windowed->simulated[insn];
    uint32_t object = r->windowed->in_data[simulated->object];

    for (size_t i = 0; i < cy_report_n(r); i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];

        for (uint32_t j = 0; j < c->n && c->loop->object == object; j++)
            if (c->insns[j].address == simulated->address)
                return true;
    }
    return false;
}

static int order(const void *pa, const void *pb)
{
    const struct other *a = pa, *b = pb;

    return array_order(b->cycles, a->cycles) ?: array_order(a->insn, b->insn);
}

static void find(struct others *others)
{
    const struct cy_windowed *w = others->report->windowed;

    for (uint32_t i = 0; i < w->n_insns; i++) {
        struct other other = {i, w->outcome.by_insn[i]};

        if (w->outcome.executed[i] == 0 || !cy_windowed_is_asked(w, i))
            continue;
        if (is_listed(others->report, i))
            others->listed += other.cycles;
        else
            array_push(others->list, others->n, others->room, other);
    }
    array_sort(others->list, others->n, order);
}

static void fill(struct report_row *row, const void *from, size_t i)
{
    const struct others *others = from;
    const struct cy_windowed *w = others->report->windowed;
    const struct other *o = &others->list[i];
    const char *text = cy_report_windowed_text(w, o->insn);
    char *place = cy_report_windowed_place(w, o->insn);

    report_real(row, R_SEEN("share", .width = 8, .format = "%.1f%%"),
                cy_report_windowed_share(others->report, o->cycles));
    report_real(row,
                R_SEEN("cycles", .unit = "an execution", .width = 14,
                       .flags = REPORT_CLOSE | REPORT_EXTRA),
                o->cycles / w->outcome.weighed[o->insn]);
    report_code(row, R_SEEN("line", .flags = REPORT_LEFT), place, NULL);
    report_code(row,
                R_SEEN("instruction", .width = 16,
                       .flags = REPORT_LEFT | REPORT_RAGGED | REPORT_CUT),
                text != NULL ? text : "(unknown)", NULL);
    free(place);
}

void cy_report_others(struct report *out, const struct cy_report *r)
{
    struct others others = {.report = r};
    size_t n = 0;

    find(&others);
    while (n < others.n && n < r->n_shown &&
           cy_report_windowed_share(r, others.list[n].cycles) >= 0.05)
        n++;
    fputc('\n', out->out);
    if (cy_report_n(r) > 0)
        report_paragraph(
            out, "the loops above have %.1f%% of the cycles in windows%s",
            cy_report_windowed_share(r, others.listed),
            n > 0 ? "; of other code, these instructions have most:" : "");
    else if (n > 0)
        report_paragraph(out, "these instructions have most cycles in "
                              "windows:");
    if (n > 0) {
        const struct report_table table =
            REPORT_TABLE(n, fill, &others, .is_plain = true);

        report_table(out, &table);
    }
    free(others.list);
}
