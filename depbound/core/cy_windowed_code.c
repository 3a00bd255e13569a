/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_windowed.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

/* Shared objects have ".so" in their name, and programs seldom do. */
static bool is_shared(const struct cy_object *object)
{
    return strstr(text_base_name(object->path), ".so") != NULL;
}

/* Instructions are decoded a part at a time, since all that is known of them
   takes much memory, and only their recipes are needed. */
#define PART ((size_t)1 << 13)

struct part {
    struct cy_code_insn insns[PART];
    struct cy_mca_insn mca[PART];
    struct cy_mca_uses uses[PART];
    size_t n; /* instructions whose code could be read */
};

/* Reads the code of the instructions of a part. */
static void take_code(struct cy_windowed *w, struct part *p, size_t first,
                      size_t end)
{
    struct diag ignored;

    p->n = 0;
    for (size_t i = first; i < end; i++) {
        struct cy_simulated_insn *insn = &w->simulated[i];
        struct cy_code_insn *code = &p->insns[p->n];

        if (cy_code_at(w->code, insn->object, insn->address, code, &ignored) !=
                0 ||
            code->length != insn->length) {
            w->n_unread++;
            continue;
        }
        p->mca[p->n] =
            (struct cy_mca_insn){.bytes = code->bytes, .length = code->length};
        insn->step.insn = code;
        insn->step.mca = &p->mca[p->n];
        p->uses[p->n].n = 0;
        insn->uses = &p->uses[p->n];
        insn->is_read = true;
        insn->is_known = code->flow.is_known;
        insn->loads = code->flow.n_loads > 0;
        insn->stores = code->flow.n_stores > 0;
        cy_operands_of(&insn->step.operands, code);
        p->n++;
    }
}

/* Makes the recipes of the instructions from `first` up to `end`. */
static int take_part(struct cy_windowed *w, struct part *p, size_t first,
                     size_t end, struct cy_mca *mca, struct cy_recipes *recipes,
                     struct diag *d)
{
    assert(end - first <= PART);
    take_code(w, p, first, end);
    if (mca != NULL && cy_mca_units(mca, p->mca, p->uses, p->n, d) != 0)
        return -1;
    for (size_t i = first; i < end; i++) {
        struct cy_simulated_insn *insn = &w->simulated[i];

        cy_recipes_take(recipes, i, insn);
        insn->step.insn = NULL;
        insn->step.mca = NULL;
        insn->uses = NULL;
    }
    return 0;
}

int cy_windowed_decode(struct cy_windowed *w, enum disasm_syntax syntax,
                       struct cy_mca *mca, const struct cy_model *model,
                       struct cy_recipes *recipes, struct diag *d)
{
    struct part *part = memory_new(1, sizeof *part);
    int rc = 0;

    w->objects = (struct cy_data){.arch = w->data->arch,
                                  .objects = w->windows.objects,
                                  .n_objects = w->windows.n_objects};
    w->windows.objects = NULL;
    w->windows.n_objects = 0;
    w->n_insns = w->windows.n_insns;
    w->code = cy_code_new(&w->objects, syntax);
    w->simulated = memory_new(w->n_insns, sizeof *w->simulated);
    w->texts = memory_new(w->n_insns, sizeof *w->texts);
    for (size_t i = 0; i < w->n_insns; i++) {
        const struct cy_window_insn *from = &w->windows.insns[i];

        w->simulated[i] = (struct cy_simulated_insn){
            .object = from->object,
            .length = from->length,
            .is_shared = is_shared(&w->objects.objects[from->object]),
            .address = from->address,
            .accesses = w->windows.accesses + from->first_access,
            .n_accesses = from->n_accesses};
    }
    cy_recipes_begin(recipes, w->n_insns, model);
    for (size_t i = 0; i < w->n_insns && rc == 0; i += PART)
        rc =
            take_part(w, part, i, w->n_insns - i > PART ? i + PART : w->n_insns,
                      mca, recipes, d);
    free(part);
    return rc;
}
