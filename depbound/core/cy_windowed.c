/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_windowed.h"

#include "x86.h"

/* --- Code --- */

/* Shared objects have ".so" in their name, and programs seldom do. */
static bool is_shared(const struct cy_object *object)
{
    return strstr(text_base_name(object->path), ".so") != NULL;
}

/* Instructions are decoded a part at a time, since all that is known of them
   takes much memory, and only their recipes are needed. */
#define PART ((size_t)1 << 13)

/* Instructions with the same accesses and the same code, but for where a direct
   branch leads, which are decoded once. */
struct alike {
    uint32_t insn;        /* the first of these instructions */
    const uint8_t *bytes; /* NULL: the code cannot be read */
};

struct decoding {
    struct alike *alikes;
    size_t n_alikes, alikes_room;
    struct keys keys; /* hashes of `alikes` */
    struct cy_code_insn insns[PART];
    struct cy_mca_insn mca[PART];
    struct cy_mca_uses uses[PART];
};

/* How many of an instruction's bytes its recipe depends on. */
static size_t n_telling(const struct cy_windowed *w, const uint8_t *bytes,
                        size_t length)
{
    return w->objects.arch == ARCH_X86_64
               ? length - x86_distance_size(bytes, length)
               : length;
}

static bool are_alike(const struct cy_windowed *w, const struct alike *a,
                      uint32_t insn, const uint8_t *bytes)
{
    const struct cy_simulated_insn *x = &w->simulated[a->insn],
                                   *y = &w->simulated[insn];

    if (a->bytes == NULL || bytes == NULL)
        return a->bytes == bytes;
    if (x->length != y->length || x->n_accesses != y->n_accesses ||
        memcmp(a->bytes, bytes, n_telling(w, bytes, x->length)) != 0)
        return false;
    for (unsigned i = 0; i < x->n_accesses; i++)
        if (x->accesses[i].is_store != y->accesses[i].is_store ||
            x->accesses[i].size != y->accesses[i].size)
            return false;
    return true;
}

/* Numbers the recipes: each stands for instructions that are alike. */
static void share_recipes(struct cy_windowed *w, struct decoding *d)
{
    for (uint32_t i = 0; i < w->n_insns; i++) {
        struct cy_simulated_insn *insn = &w->simulated[i];
        const uint8_t *bytes =
            cy_code_bytes(w->code, insn->object, insn->address, insn->length);
        size_t n = bytes != NULL ? n_telling(w, bytes, insn->length) : 0;
        uint64_t hash = hash_bytes(0, bytes, n);

        insn->recipe = keys_match(&d->keys, hash, k,
                                  are_alike(w, &d->alikes[k], i, bytes));
        if (insn->recipe != NO_KEY)
            continue;
        insn->recipe = keys_append(&d->keys, hash);
        array_append(d, alikes, (struct alike){i, bytes});
    }
    assert(d->n_alikes == d->keys.n);
}

/* Makes the recipes from number `first` up to `end`.  Of these, the first n
   whose code can be read are in *d. */
static int take_part(struct cy_windowed *w, struct decoding *d, size_t first,
                     size_t end, struct cy_mca *mca, struct cy_recipes *recipes,
                     struct diag *why)
{
    size_t n = 0;

    assert(end - first <= PART);
    for (size_t i = first; i < end; i++) {
        struct cy_simulated_insn *insn = &w->simulated[d->alikes[i].insn];
        struct cy_code_insn *code = &d->insns[n];
        struct cy_step *step = &w->steps[i];

        if (cy_code_at(w->code, insn->object, insn->address, code, NULL) != 0 ||
            code->length != insn->length)
            continue;
        d->mca[n] =
            (struct cy_mca_insn){.bytes = code->bytes, .length = code->length};
        step->insn = code;
        step->mca = &d->mca[n];
        d->uses[n++].n = 0;
        cy_operands_of(&step->operands, code);
        insn->is_read = true;
        insn->is_known = code->flow.is_known;
        insn->loads = code->flow.n_loads > 0;
        insn->stores = code->flow.n_stores > 0;
    }
    if (mca != NULL && cy_mca_units(mca, d->mca, d->uses, n, why) != 0)
        return -1;
    for (size_t i = first; i < end; i++) {
        struct cy_step *step = &w->steps[i];

        cy_recipes_take(recipes, &w->simulated[d->alikes[i].insn],
                        step->insn != NULL ? &d->uses[step->mca - d->mca]
                                           : NULL);
        step->insn = NULL;
        step->mca = NULL;
    }
    return 0;
}

/* Tells all instructions what was found of the first of those alike. */
static void spread(struct cy_windowed *w, const struct decoding *d)
{
    for (size_t i = 0; i < w->n_insns; i++) {
        struct cy_simulated_insn *insn = &w->simulated[i];
        const struct cy_simulated_insn *first =
            &w->simulated[d->alikes[insn->recipe].insn];

        insn->is_read = first->is_read;
        insn->is_known = first->is_known;
        insn->loads = first->loads;
        insn->stores = first->stores;
        w->n_unread += !insn->is_read;
    }
}

static int make_recipes(struct cy_windowed *w, struct decoding *d,
                        struct cy_mca *mca, const struct cy_model *model,
                        struct cy_recipes *recipes, struct diag *why)
{
    share_recipes(w, d);
    size_t n = d->n_alikes;
    w->steps = memory_new(n, sizeof *w->steps);
    for (size_t i = 0; i < w->n_insns; i++)
        w->simulated[i].step = &w->steps[w->simulated[i].recipe];
    cy_recipes_begin(recipes, w->simulated, w->n_insns, n, model);
    for (size_t i = 0; i < n; i += PART)
        if (take_part(w, d, i, n - i > PART ? i + PART : n, mca, recipes,
                      why) != 0)
            return -1;
    spread(w, d);
    return 0;
}

/* Decodes the instructions of w->windows, and makes their recipes; takes the
   windows' objects over. */
static int decode(struct cy_windowed *w, enum disasm_syntax syntax,
                  struct cy_mca *mca, const struct cy_model *model,
                  struct cy_recipes *recipes, struct diag *d)
{
    AUTO_FREE struct decoding *decoding = memory_new(1, sizeof *decoding);

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
    int rc = make_recipes(w, decoding, mca, model, recipes, d);
    free(decoding->alikes);
    keys_fini(&decoding->keys);
    return rc;
}

/* --- Windows --- */

static const struct cy_recorded *take_window(void *context, size_t i)
{
    const char *wrong;
    const struct cy_recorded *window = cy_windows_take(context, i, &wrong);

    assert(wrong == NULL && window->n > 0); /* cy_windows_read took all */
    return window;
}

/* Finds the blocks and functions of the instructions in `data`. */
static void take_names(struct cy_windowed *w)
{
    const struct cy_data *data = w->data;

    w->in_data = memory_new(w->objects.n_objects, sizeof *w->in_data);
    w->blocks = memory_new(w->n_insns, sizeof *w->blocks);
    w->names = memory_new(w->n_insns, sizeof *w->names);
    for (size_t i = 0; i < w->objects.n_objects; i++)
        w->in_data[i] = cy_data_object(data, w->objects.objects[i].build_id);
    for (size_t i = 0; i < w->n_insns; i++) {
        const struct cy_simulated_insn *insn = &w->simulated[i];
        uint32_t object = w->in_data[insn->object];

        w->blocks[i] = object != UINT32_MAX
                           ? cy_data_block(data, object, insn->address)
                           : CY_NO_BLOCK;
        if (w->blocks[i] != CY_NO_BLOCK)
            w->names[i] = data->blocks[w->blocks[i]].function;
    }
    cy_windowed_sort(w);
}

bool cy_windowed_is_asked(const struct cy_windowed *w, uint32_t insn)
{
    return cy_data_is_asked(w->data,
                            &w->objects.objects[w->simulated[insn].object],
                            w->names[insn]);
}

ARRAY_ORDER(by_text, struct cy_windowed_line,
            array_order(a->object, b->object) ?: strcmp(a->line, b->line))

ARRAY_ORDER(line_order, struct cy_windowed_line,
            array_order(b->path, a->path)
                ?: array_order(b->cycles, a->cycles)
                ?: strcmp(a->line, b->line)
                ?: array_order(a->object, b->object))

static void take_lines(struct cy_windowed *w)
{
    double *path = memory_new(w->n_insns, sizeof *path);
    size_t n = 0;

    for (size_t i = 0; i < w->outcome.n_hops; i++)
        if (w->outcome.hops[i].to != CY_NO_INSN)
            path[w->outcome.hops[i].to] += w->outcome.hops[i].cycles;
    for (uint32_t i = 0; i < w->n_insns; i++) {
        const struct cy_simulated_insn *insn = &w->simulated[i];
        struct cy_windowed_line line = {.cycles = w->outcome.by_insn[i],
                                        .executed = w->outcome.weighed[i],
                                        .path = path[i],
                                        .object = w->simulated[i].object,
                                        .insn = i};

        if (w->outcome.executed[i] == 0 || !cy_windowed_is_asked(w, i))
            continue;
        struct cy_line text =
            cy_code_line(w->code, insn->object, insn->address);
        if (text.text[0] == '\0')
            continue;
        line.line = memory_text(text.text);
        array_append(w, lines, line);
    }
    free(path);
    array_sort(w->lines, w->n_lines, by_text);
    for (size_t i = 0; i < w->n_lines; i++) {
        struct cy_windowed_line *line = &w->lines[i];

        if (n > 0 && by_text(&w->lines[n - 1], line) == 0) {
            w->lines[n - 1].cycles += line->cycles;
            w->lines[n - 1].executed += line->executed;
            w->lines[n - 1].path += line->path;
            free(line->line);
        } else {
            w->lines[n++] = *line;
        }
    }
    w->n_lines = n;
    array_sort(w->lines, w->n_lines, line_order);
}

ARRAY_ORDER(pair_order, struct cy_windowed_pair,
            array_order(b->cycles, a->cycles)
                ?: array_order(a->store, b->store)
                ?: array_order(a->load, b->load))

static void take_pairs(struct cy_windowed *w)
{
    w->pairs = memory_new(w->outcome.n_pairs, sizeof *w->pairs);
    for (size_t i = 0; i < w->outcome.n_pairs; i++) {
        const struct cy_window_pair *p = &w->outcome.pairs[i];
        const struct cy_passed *a = &p->forwarded, *b = &p->failed;
        bool has_forwarded = a->n > 0 || a->cycles > 0;

        if (cy_windowed_is_asked(w, p->store) ||
            cy_windowed_is_asked(w, p->load))
            w->pairs[w->n_pairs++] = (struct cy_windowed_pair){
                .store = p->store,
                .load = p->load,
                .cycles = a->cycles + b->cycles,
                .failed = b->cycles,
                .n = a->n + b->n,
                .address = has_forwarded && a->cycles >= b->cycles ? a->address
                                                                   : b->address,
                .gain = -1};
    }
    array_sort(w->pairs, w->n_pairs, pair_order);
}

static void take_passed(struct cy_windowed *w)
{
    w->passed = memory_new(w->n_insns, sizeof *w->passed);
    w->chained = memory_new(w->n_insns, sizeof *w->chained);
    for (size_t i = 0; i < w->outcome.n_hops; i++) {
        const struct cy_hop *hop = &w->outcome.hops[i];
        enum cy_cause cause = hop->cause;

        if (hop->to == CY_NO_INSN)
            continue;
        if (cause >= CY_CAUSE_FORWARDED && cause <= CY_CAUSE_ADDRESSES)
            w->passed[hop->to] += hop->cycles;
        else if (cause <= CY_CAUSE_LOADS || cause == CY_CAUSE_ORDER ||
                 cy_cause_is_miss(cause))
            w->chained[hop->to] += hop->cycles;
    }
}

/* Reads the windows of a program's runs, or of all if that is NULL, and makes
   their simulation; it stays NULL if there are none. */
static int take_windows(struct cy_windowed *w, struct cy_window_source *source,
                        const char *deps, const char *program,
                        enum disasm_syntax syntax, struct cy_mca *mca,
                        const struct cy_model *model, struct cy_simulation **s,
                        struct diag *d)
{
    AUTO_FINI(cy_recipes_fini) struct cy_recipes recipes = {0};

    *s = NULL;
    if (cy_windows_read(&w->windows, deps, program, d) != 0)
        return -1;
    *source = (struct cy_window_source){&w->windows, w->windows.n_rows,
                                        take_window, w->windows.reuse, NULL};
    if (source->n == 0)
        return 0;
    int rc = decode(w, syntax, mca, model, &recipes, d);
    source->training = cy_training_new(&w->windows, w->code, w->objects.arch);
    if (rc == 0)
        *s = cy_simulation_new(source, &recipes);
    cy_training_free(source->training);
    source->training = NULL;
    return rc;
}

static void add_cycles(struct cy_runs *runs, const struct cy_windowed *w,
                       struct cy_windowed *all)
{
    all->outcome.n_ordered += w->outcome.n_ordered;
    all->outcome.cycles += w->outcome.cycles;
    for (size_t i = 0; i < w->outcome.n_windows; i++) {
        const struct cy_weighed *window = &w->outcome.windows[i];
        uint32_t program;

        if (!ids_find(&runs->ids, window->run, &program))
            continue;
        double *cycles = &runs->programs[program].cycles;
        *cycles = (isnan(*cycles) ? 0 : *cycles) +
                  cy_windowed_whole(w, window->cycles);
    }
}

int cy_windowed_runs(struct cy_runs *runs, const char *deps,
                     const struct cy_windowed *reported, struct cy_mca *mca,
                     const struct cy_model *model, struct diag *d)
{
    const struct cy_data *data = reported->data;
    struct cy_windowed all = {0};
    int rc = 0;

    if (data->runs_of != NULL)
        add_cycles(runs, reported, &all);
    /* Programs with one build-id are simulated as one. */
    for (size_t i = 0; i < runs->n_programs && rc == 0; i++) {
        const struct cy_ran_program *p = &runs->programs[i];
        AUTO_FINI(cy_windowed_fini) struct cy_windowed w = {.data = data};
        struct cy_window_source source;
        struct cy_simulation *s;

        if (!isnan(p->cycles) ||
            (data->runs_of != NULL && cy_ran_is_chosen(p, data)))
            continue;
        rc = take_windows(&w, &source, deps, p->build_id, DISASM_ATT, mca,
                          model, &s, d);
        if (s != NULL)
            cy_windows_simulate(&w.outcome, s, NULL);
        add_cycles(runs, &w, &all);
        cy_simulation_free(s);
    }
    for (size_t i = 0; i < runs->n_programs && !cy_windowed_is_known(&all); i++)
        runs->programs[i].cycles = NAN;
    return rc;
}

int cy_windowed_of(struct cy_windowed *w, const char *deps,
                   const struct cy_data *data, enum disasm_syntax syntax,
                   struct cy_mca *mca, const struct cy_model *model,
                   struct diag *d)
{
    struct cy_window_source source;
    struct cy_simulation *s;

    *w = (struct cy_windowed){.data = data, .machine = model->machine};
    if (take_windows(w, &source, deps, data->runs_of, syntax, mca, model, &s,
                     d) != 0)
        return -1;
    if (s == NULL)
        return 0;
    cy_windows_simulate(
        &w->outcome, s,
        &(struct cy_fix){.is_noted = cy_windowed_every(w) == 1});
    cy_basis_add(w->basis, &w->outcome, w->simulated, model);
    w->has_interval = cy_outcome_interval(&w->outcome, &w->interval);
    take_names(w);
    take_lines(w);
    take_pairs(w);
    take_passed(w);
    cy_windowed_take_gains(w, s);
    w->near = cy_simulation_take_near(s);
    cy_simulation_free(s);
    cy_windows_forget(&w->windows);
    return 0;
}

void cy_windowed_fini(struct cy_windowed *w)
{
    cy_windows_fini(&w->windows);
    cy_code_free(w->code);
    cy_data_fini(&w->objects);
    for (size_t i = 0; i < w->n_insns; i++)
        free(w->texts[i]);
    free(w->texts);
    free(w->simulated);
    free(w->steps);
    free(w->blocks);
    free(w->by_place);
    free(w->names);
    free(w->in_data);
    cy_outcome_fini(&w->outcome);
    for (unsigned i = 0; i < CY_N_FIXES; i++) {
        free(w->fixed[i].own);
        free(w->fixed[i].called);
    }
    for (size_t i = 0; i < w->n_lines; i++)
        free(w->lines[i].line);
    free(w->lines);
    free(w->pairs);
    free(w->passed);
    free(w->chained);
    free(w->near.by_insn);
    cy_misses_fini(&w->misses);
    *w = (struct cy_windowed){0};
}

/* No fence of a shipped machine file takes more cycles; figures may be wrong by
   the share LITTLE for instructions of unknown cost. */
#define MOST_ORDERED 100.0
#define LITTLE       0.01

#define MANY_PREFETCHES 1e-3 /* of the instructions */
bool cy_windowed_prefetches(const struct cy_windowed *w)
{
    return w->has_caches &&
           (double)w->outcome.n_prefetches >=
               MANY_PREFETCHES * (double)w->outcome.instructions;
}

bool cy_windowed_is_known(const struct cy_windowed *w)
{
    return MOST_ORDERED * (double)w->outcome.n_ordered <=
           LITTLE * w->outcome.cycles;
}

double cy_windowed_whole(const struct cy_windowed *w, double cycles)
{
    return w->outcome.instructions > 0 ? cycles * (double)w->windows.recorded /
                                             (double)w->outcome.instructions
                                       : 0;
}
