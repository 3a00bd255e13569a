/*
 * cy_callers: who calls a function, by the calls that windows have.
 *
 * Who calls what jumps to a function, which returns, calls that, too.  Limits:
 * a function that is jumped to, and does not return itself, counts as its
 * caller's; calls of a function in itself do not count.  Where a window begins
 * within a call, the caller is known only if the call returns in the window.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "demangle.h"
#include "report/internal.h"

/* For people: the most callers of a function, and the least share of its calls,
   in percent, that a named one has. */
#define MOST        2
#define LEAST_SHARE 10.0

/* By one of their calls, those with most cycles first. */
struct callers {
    const struct cy_windowed *windowed;
    struct caller {
        uint32_t insn;
        double cycles;
    } * list;
    size_t n_list, list_room;
    double cycles; /* of all calls */
};

/* Is an instruction in a function of a file of the windows? */
static bool is_in(const struct cy_windowed *w, uint32_t insn,
                  const char *function, uint32_t file)
{
    return w->names[insn] == function && w->simulated[insn].object == file;
}

ARRAY_ORDER(caller_order, struct caller,
            array_order(b->cycles, a->cycles) ?: array_order(a->insn, b->insn))

static void add(struct callers *all, const struct cy_windowed *w,
                const struct cy_called *call)
{
    size_t i = 0;

    while (i < all->n_list &&
           !is_in(w, all->list[i].insn, w->names[call->caller],
                  w->simulated[call->caller].object))
        i++;
    if (i == all->n_list)
        array_append(all, list, (struct caller){.insn = call->caller});
    all->list[i].cycles += call->cycles;
    all->cycles += call->cycles;
}

static struct callers callers_of(const struct cy_windowed *w,
                                 const struct cy_total *t)
{
    struct callers all = {.windowed = w};

    if (w == NULL || t->function == NULL)
        return all;
    for (size_t i = 0; i < w->outcome.n_calls; i++) {
        const struct cy_called *call = &w->outcome.calls[i];

        assert(call->caller < w->n_insns && call->callee < w->n_insns);
        /* A call that begins and ends in the function is there twice. */
        if (is_in(w, call->callee, t->function, t->file) &&
            (call->entry == call->callee ||
             !is_in(w, call->entry, t->function, t->file)) &&
            !is_in(w, call->caller, t->function, t->file))
            add(&all, w, call);
    }
    array_sort(all.list, all.n_list, caller_order);
    return all;
}

static double share_of(const struct callers *all, size_t i)
{
    return all->cycles > 0 ? 100 * all->list[i].cycles / all->cycles : 0;
}

/* A caller's name, or that of its file if it is not known. */
static char *name_of(const struct cy_windowed *w, uint32_t insn)
{
    const char *path = w->objects.objects[w->simulated[insn].object].path;

    return w->names[insn] != NULL ? demangle_names(w->names[insn], NULL)
                                  : memory_printf("(%s)", text_base_name(path));
}

/* "update 80%, main 20%", which the caller frees. */
static char *text_of(const struct callers *all)
{
    struct memory_stream text;

    memory_stream_open(&text);
    for (size_t i = 0;
         i < all->n_list && i < MOST && share_of(all, i) >= LEAST_SHARE; i++) {
        AUTO_FREE char *name = name_of(all->windowed, all->list[i].insn);

        fprintf(text.out, "%s%s %.0f%%", i > 0 ? ", " : "", name,
                share_of(all, i));
    }
    return memory_stream_close(&text);
}

static void fill_caller(struct report_row *row, const void *from, size_t i)
{
    const struct callers *all = from;
    const struct cy_windowed *w = all->windowed;
    const struct caller *c = &all->list[i];
    const struct cy_simulated_insn *insn = &w->simulated[c->insn];

    assert(i < all->n_list);
    report_text(row, R_KEY("function"), w->names[c->insn]);
    report_text(row, R_KEY("object"), w->objects.objects[insn->object].path);
    cy_put_line(row, R_KEY("line"), w->code, insn->object, insn->address);
    report_count(row, R_KEY("address"), insn->address);
    report_real(row, R_KEY("share"), share_of(all, i));
}

void cy_put_callers(struct report_row *row, const struct cy_report *r,
                    const struct cy_total *t, bool is_shown)
{
    struct callers *all;

    if (!r->program->is_recorded)
        return;
    all = report_alloc(row, sizeof *all);
    *all = is_shown ? callers_of(r->windowed, t) : (struct callers){0};
    AUTO_FREE char *text = text_of(all);
    report_text(row,
                R_SEEN("called by", .width = 12,
                       .flags = R_LEFT | R_RAGGED | R_CUT | R_EXTRA),
                text);
    report_keep(row, (char *)all->list);
    if (t->object != NULL)
        report_rows(row, R_KEY("callers"),
                    &REPORT_TABLE(all->n_list, fill_caller, all));
}
