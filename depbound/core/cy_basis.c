/*
 * cy_basis: how much of the cycles rests on figures that were measured, that
 * others published, and that are guessed.
 *
 * Limits: what is a rule of the model, and no figure of the machine file,
 * counts as the file does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <math.h>

#include "array.h"
#include "core/cy_windowed.h"

static int by_pair(const void *key, const void *element)
{
    const struct cy_hop *hop = key;
    const struct cy_window_pair *pair = element;

    return array_order(hop->store, pair->store)
               ?: array_order(hop->to, pair->load);
}

/* What the cost of a transfer through memory rests on. */
static enum cy_basis of_transfer(const struct cy_outcome *o,
                                 const struct cy_hop *hop)
{
    const struct cy_window_pair *pair =
        array_find(hop, o->pairs, o->n_pairs, by_pair);

    if (pair == NULL)
        return CY_GUESSED;
    return hop->cause == CY_CAUSE_FAILED ? pair->failed.basis
                                         : pair->forwarded.basis;
}

/* What the file, or else LLVM, says of the whole processor. */
static enum cy_basis of_file(const struct cy_model *model, bool is_known)
{
    return is_known ? cy_machine_basis(model->machine) : CY_PUBLISHED;
}

/* What units rest on that were waited for. */
static enum cy_basis of_units(const struct cy_simulated_insn *insn,
                              const struct cy_model *model)
{
    const struct cy_operands *o = &insn->step->operands;
    const struct cy_rates *rates = &cy_machine_facts(model->machine)->rates;

    if (insn->loads)
        return of_file(model, !isnan(rates->load[o->load.class]));
    if (insn->stores)
        return of_file(model, !isnan(rates->store[o->store.class]));
    return cy_machine_rate_basis(model->machine, &o->insn);
}

static enum cy_basis of_hop(const struct cy_outcome *o,
                            const struct cy_hop *hop,
                            const struct cy_simulated_insn *insns,
                            const struct cy_model *model)
{
    const struct cy_facts *facts = cy_machine_facts(model->machine);
    const struct cy_simulated_insn *insn =
        hop->to == CY_NO_INSN ? NULL : &insns[hop->to];

    if (hop->cause == CY_CAUSE_DISPATCH || hop->cause == CY_CAUSE_FETCH)
        return of_file(model, !isnan(facts->dispatch.width));
    if (hop->cause == CY_CAUSE_MISPREDICTION)
        return o->penalty_is_typical ? CY_GUESSED : of_file(model, true);
    if (insn == NULL || !insn->is_read)
        return CY_GUESSED;
    switch (hop->cause) {
    case CY_CAUSE_FORWARDED:
    case CY_CAUSE_FAILED:
        return of_transfer(o, hop);
    case CY_CAUSE_LOADS:
        return cy_machine_load_basis(model->machine,
                                     &insn->step->operands.load);
    case CY_CAUSE_UNITS:
        return of_units(insn, model);
    case CY_CAUSE_REGISTERS:
        return cy_machine_latency_basis(model->machine,
                                        &insn->step->operands.insn);
    default:
        return of_file(model, true);
    }
}

void cy_basis_add(double cycles[CY_N_BASES], const struct cy_outcome *o,
                  const struct cy_simulated_insn *insns,
                  const struct cy_model *model)
{
    for (size_t i = 0; i < o->n_hops; i++) {
        const struct cy_hop *hop = &o->hops[i];

        if (hop->cycles <= 0)
            continue;
        assert(hop->to == CY_NO_INSN || hop->to < o->n_insns);
        cycles[of_hop(o, hop, insns, model)] += hop->cycles;
    }
}
