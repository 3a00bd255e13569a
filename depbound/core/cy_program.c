/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_program.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "memory.h"

/* The sums of a function. */
static struct cy_total *total_of(struct cy_program *p, const char *function,
                                 uint32_t file, const struct cy_data *files)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->functions[i].function == function &&
            p->functions[i].file == file)
            return &p->functions[i];
    assert(file < files->n_objects);
    array_push(p->functions, p->n, p->functions_room,
               (struct cy_total){.function = function,
                                 .object = files->objects[file].path,
                                 .file = file});
    return &p->functions[p->n - 1];
}

void cy_total_add(struct cy_total *to, const struct cy_total *part)
{
    assert(part->mended <= part->cycles * (1 + 1e-9));
    to->instructions += part->instructions;
    to->unmodelled += part->unmodelled;
    to->cycles += part->cycles;
    to->mended += part->mended;
    to->steered += part->steered;
}

/* --- By windows --- */

static void add_recorded(struct cy_program *p, const struct cy_windowed *w,
                         uint32_t i)
{
    const struct cy_code_insn *insn = w->simulated[i].step.insn;
    double executed = cy_windowed_whole(w, w->outcome.weighed[i]);
    struct cy_total part = {
        .instructions = executed,
        .unmodelled = insn == NULL || !insn->flow.is_known ? executed : 0,
        .cycles = cy_windowed_whole(w, w->outcome.by_insn[i])};
    struct cy_total *to;

    part.mended = part.steered = part.cycles;
    if (w->same.own[i] > 0) {
        part.mended *= fmin(w->mended.own[i] / w->same.own[i], 1);
        part.steered *= w->predicted.own[i] / w->same.own[i];
    }
    cy_total_add(&p->total, &part);
    to = total_of(p, w->names[i], w->simulated[i].object, &w->objects);
    to->is_other = !cy_windowed_is_asked(w, i);
    cy_total_add(to, &part);
}

static void take_recorded(struct cy_program *p, const struct cy_windowed *w)
{
    p->is_recorded = true;
    p->is_few = !w->has_interval;
    if (w->has_interval) {
        double n = (double)w->outcome.instructions;

        p->low = cy_windowed_whole(w, n * w->interval.low);
        p->high = cy_windowed_whole(w, n * w->interval.high);
    }
    for (uint32_t i = 0; i < w->n_insns; i++)
        if (w->outcome.executed[i] > 0)
            add_recorded(p, w, i);
}

/* --- By executions --- */

static void add_part(struct cy_program *p, const struct cy_data *data,
                     uint32_t block, const struct cy_total *part)
{
    const struct cy_block *b = &data->blocks[block];

    cy_total_add(total_of(p, b->function, b->object, data), part);
    cy_total_add(&p->total, part);
}

static void add_loop(struct cy_program *p, const struct cy_data *data,
                     const struct cy_cost_of_loop *c)
{
    double rounds = (double)c->loop->rounds;
    bool is_known = !cy_unknown_is_all(&c->unknown);

    add_part(p, data, c->loop->blocks[0],
             &(struct cy_total){
                 .instructions = rounds * c->n,
                 .unmodelled = rounds * (is_known ? c->bound.n_unknown : c->n),
                 .cycles = is_known ? rounds * c->cycles.predicted : 0,
                 .mended = is_known ? rounds * c->cycles.mended : 0});
}

/* The executions of each block outside the rounds of loops; the caller frees.
 */
static uint64_t *executions_outside(const struct cy_data *data,
                                    const struct cy_prediction *prediction)
{
    uint64_t *executions = memory_new(data->n_blocks, sizeof *executions);

    for (size_t i = 0; i < data->n_blocks; i++)
        executions[i] = data->blocks[i].executions;
    for (size_t i = 0; i < prediction->n; i++) {
        const struct cy_loop *loop = prediction->loops[i].loop;

        for (size_t j = 0; j < loop->n_blocks; j++) {
            /* A block is on the way of one loop at most. */
            assert(executions[loop->blocks[j]] >= loop->rounds);
            executions[loop->blocks[j]] -= loop->rounds;
        }
    }
    return executions;
}

static void add_rest(struct cy_program *p, const struct cy_data *data,
                     const struct cy_prediction *prediction)
{
    double width = cy_model_width(&prediction->model);
    uint64_t *executions = executions_outside(data, prediction);

    p->rest = memory_new(data->n_blocks, sizeof *p->rest);
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        double n = (double)executions[i] * data->blocks[i].n_insns;

        if (executions[i] == 0)
            continue;
        add_part(p, data, i,
                 &(struct cy_total){.instructions = n,
                                    .cycles = n / width,
                                    .mended = n / width});
        p->rest[p->n_rest++] = (struct cy_rest){i, n / width};
    }
    free(executions);
}

/* Adds what ran outside the blocks.  A block that was not executed to its end
   counts as a whole, so the blocks may have more than all that was executed. */
static void add_outside(struct cy_total *total, double executed)
{
    if (executed <= total->instructions)
        return;
    total->unmodelled += executed - total->instructions;
    total->instructions = executed;
}

static int total_order(const void *pa, const void *pb)
{
    const struct cy_total *a = pa, *b = pb;

    return a->is_other - b->is_other
               ?: array_order(b->cycles, a->cycles)
               ?: strcmp(a->function != NULL ? a->function : "",
                         b->function != NULL ? b->function : "")
               ?: array_order(a->file, b->file);
}

void cy_program_of(struct cy_program *p, const struct cy_data *data,
                   const struct cy_prediction *prediction,
                   const struct cy_windowed *windowed, bool is_part)
{
    bool has_windows = windowed->n_insns > 0 && cy_windowed_is_known(windowed);

    *p = (struct cy_program){.low = NAN, .high = NAN};
    p->is_known = has_windows || (data->has_executions && !is_part);
    if (has_windows) {
        take_recorded(p, windowed);
    } else if (p->is_known) {
        for (size_t i = 0; i < prediction->n; i++)
            add_loop(p, data, &prediction->loops[i]);
        add_rest(p, data, prediction);
        add_outside(&p->total, (double)data->recorded);
    }
    array_sort(p->functions, p->n, total_order);
    for (p->n_all = p->n; p->n > 0 && p->functions[p->n - 1].is_other;)
        p->n--;
}

void cy_program_fini(struct cy_program *program)
{
    free(program->functions);
    free(program->rest);
    *program = (struct cy_program){0};
}
