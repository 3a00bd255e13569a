/*
 * cy_basis: how much of the cycles rests on figures that were measured, that
 * others published, and that are guessed; and how far they may be off.
 *
 * Limits: what is a rule of the model, and no figure of the machine file,
 * counts as the file does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/cy_figure.h"

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

/* --- The error of the model --- */

/* The machine file says how far the cycles of programs that were measured were
   from the predicted ones (struct cy_model_error); this program is taken for
   one more of their kind. */

#define Z 1.959964 /* a normal variable exceeds it once in 40 times */

/* Student's t of one in 40 times, within 1 % from 4 degrees of freedom on
   (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5). */
static double student(double freedom)
{
    const double z3 = pow(Z, 3), z5 = pow(Z, 5), z7 = pow(Z, 7);

    return Z + (z3 + Z) / (4 * freedom) +
           (5 * z5 + 16 * z3 + 3 * Z) / (96 * pow(freedom, 2)) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * Z) / (384 * pow(freedom, 3));
}

#define MOST_UNREAD 0.9 /* of the instructions; with more, nothing is known */

/* The program's cycles, over those that count, if each instruction that could
   not be read takes what the others take in the mean. */
static double with_unread(const struct cy_program *p)
{
    const struct cy_total *t = &p->total;
    double read = t->instructions - t->unmodelled;

    assert(p->unread <= t->cycles && t->unmodelled <= t->instructions);
    return read > 0 ? fmax(1, (t->cycles - p->unread) / t->cycles *
                                  t->instructions / read)
                    : 1;
}

double cy_model_likely(const struct cy_facts *machine,
                       const struct cy_program *p)
{
    return machine != NULL && machine->model_error.programs > 0
               ? p->total.cycles * machine->model_error.factor
               : p->total.cycles;
}

bool cy_model_range(const struct cy_facts *machine, const struct cy_program *p,
                    double *least, double *most)
{
    const struct cy_model_error none = {0}, *error = machine != NULL
                                                         ? &machine->model_error
                                                         : &none;
    double n = error->programs, cycles = p->total.cycles;

    if (!(p->low > 0) || (n == 0 && p->with_most == p->with_least) ||
        p->total.unmodelled > MOST_UNREAD * p->total.instructions)
        return false;
    assert(p->low <= p->high && p->with_most <= cycles * (1 + 1e-9) &&
           cycles <= p->with_least * (1 + 1e-9));
    *least = p->low;
    *most = p->high;
    if (n > 0) {
        double center = log(cy_model_likely(machine, p)),
               half = hypot(log(p->high / p->low) / 2,
                            student(n - 1) * error->spread * sqrt(1 + 1 / n));

        assert(n >= CY_LEAST_PROGRAMS);
        *least = exp(center - half);
        *most = exp(center + half);
    }
    *least *= p->with_most / cycles;
    *most *= p->with_least / cycles * with_unread(p);
    return true;
}
