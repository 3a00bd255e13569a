/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain/cy_predict.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "memory.h"

/* Loops with a smaller share of the executed instructions, in percent, count as
   other code, unless the user wants to see them. */
#define LEAST_SHARE 0.01

static double share_of(const struct cy_data *data, const struct cy_loop *loop)
{
    double n = 0;

    assert(loop->n_blocks > 0);
    for (size_t i = 0; i < loop->n_blocks; i++)
        n += data->blocks[loop->blocks[i]].n_insns;
    return data->recorded > 0
               ? 100 * n * (double)loop->rounds / (double)data->recorded
               : 0;
}

static int take_code(struct cy_cost_of_loop *c, const struct cy_data *data,
                     struct cy_code *code, struct diag *d)
{
    size_t n = 0, room = 0;

    for (size_t i = 0; i < c->loop->n_blocks; i++)
        if (cy_code_block(code, &data->blocks[c->loop->blocks[i]], &c->insns,
                          &n, &room, d) != 0)
            return -1;
    assert(n > 0 && n < UINT32_MAX);
    c->n = (uint32_t)n;
    c->steps = memory_new(n, sizeof *c->steps);
    c->uses = memory_new(n, sizeof *c->uses);
    c->mca = memory_new(n, sizeof *c->mca);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct cy_code_insn *insn = &c->insns[i];

        c->mca[i] =
            (struct cy_mca_insn){.bytes = insn->bytes, .length = insn->length};
        c->steps[i].insn = insn;
        c->steps[i].mca = &c->mca[i];
        cy_operands_of(&c->steps[i].operands, insn);
        if (insn->flow.leave == FLOW_CALL)
            c->steps[i].overwritten =
                cy_code_overwritten(code, c->loop->object, insn);
    }
    return 0;
}

/* Asks llvm-mca about the units of all instructions. */
static int ask_units(struct cy_prediction *p, struct cy_mca *mca,
                     struct diag *d)
{
    struct cy_mca_insn *asked;
    struct cy_mca_uses *uses;
    size_t n = 0;
    int rc;

    for (size_t i = 0; i < p->n; i++)
        n += p->loops[i].n;
    asked = memory_new(n, sizeof *asked);
    uses = memory_new(n, sizeof *uses);
    n = 0;
    for (size_t i = 0; i < p->n; n += p->loops[i++].n)
        memcpy(asked + n, p->loops[i].mca, p->loops[i].n * sizeof *asked);
    rc = cy_mca_units(mca, asked, uses, n, d);
    n = 0;
    for (size_t i = 0; i < p->n && rc == 0; n += p->loops[i++].n) {
        memcpy(p->loops[i].mca, asked + n, p->loops[i].n * sizeof *asked);
        memcpy(p->loops[i].uses, uses + n, p->loops[i].n * sizeof *uses);
        p->loops[i].cycles.has_units = true;
    }
    free(asked);
    free(uses);
    return rc;
}

int cy_predict(struct cy_prediction *p, const struct cy_data *data,
               const struct cy_loops *loops, struct cy_code *code,
               const struct cy_machine *machine, struct cy_mca *mca,
               const struct cy_choice *choice, struct diag *d)
{
    size_t room = 0;

    assert(choice->min_support >= 0 && choice->min_support <= 1);
    *p = (struct cy_prediction){0};
    if (cy_model_of(&p->model, machine, data->arch, mca, d) != 0)
        return -1;
    for (size_t i = 0; i < loops->n; i++) {
        const struct cy_loop *loop = &loops->loops[i];
        const struct cy_block *block = &data->blocks[loop->blocks[0]];
        struct cy_cost_of_loop c = {.loop = loop,
                                    .function = block->function,
                                    .name = block->region,
                                    .address = block->start,
                                    .share = share_of(data, loop)};

        if ((choice->function != NULL &&
             !cy_data_is_asked(data, block->function)) ||
            (data->has_executions &&
             c.share < fmin(LEAST_SHARE, choice->min_share)))
            continue;
        c.is_shown =
            (!data->has_executions || c.share >= choice->min_share) &&
            (choice->source == NULL ||
             cy_code_matches(code, block->object, c.address, choice->source));
        array_push(p->loops, p->n, room, c);
        if (take_code(&p->loops[p->n - 1], data, code, d) != 0)
            return -1;
        cy_edges_of(&p->loops[p->n - 1], data, choice);
        p->n_shown += c.is_shown;
        p->share += c.is_shown ? c.share : 0;
    }
    assert(p->n_shown <= p->n);
    return mca != NULL && p->n > 0 ? ask_units(p, mca, d) : 0;
}

void cy_prediction_fini(struct cy_prediction *p)
{
    for (size_t i = 0; i < p->n; i++) {
        struct cy_cost_of_loop *c = &p->loops[i];

        free(c->bound.registers.links);
        free(c->bound.memory.links);
        free(c->bound.waits.links);
        free(c->bound.passages);
        free(c->bound.failed);
        free(c->bound.is_guessed);
        free(c->insns);
        free(c->steps);
        free(c->edges.list);
        free(c->mca);
        free(c->uses);
    }
    free(p->loops);
    *p = (struct cy_prediction){0};
}
