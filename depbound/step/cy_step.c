/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "step/cy_step.h"

/* Probes, whose latencies tell those of loads.  On x86-64: for general
   registers a load, a load with arithmetic, and the arithmetic alone; the same
   for vectors; and arithmetic that also stores.  On AArch64, which computes
   with registers only, two loads. */
#define N_PROBES 7
#define ADDITION 2 /* index of x86-64's probe that adds registers */
static const struct {
    uint8_t length, bytes[4];
} probes[N_ARCHES][N_PROBES] = {
    [ARCH_X86_64] = {{3, {0x48, 0x8b, 0x07}},         /* mov (%rdi), %rax */
                     {3, {0x48, 0x03, 0x07}},         /* add (%rdi), %rax */
                     {3, {0x48, 0x01, 0xf8}},         /* add %rdi, %rax */
                     {4, {0xf2, 0x0f, 0x10, 0x07}},   /* movsd (%rdi), %xmm0 */
                     {4, {0xf2, 0x0f, 0x58, 0x07}},   /* addsd (%rdi), %xmm0 */
                     {4, {0xf2, 0x0f, 0x58, 0xc7}},   /* addsd %xmm7, %xmm0 */
                     {3, {0x48, 0x01, 0x07}}},        /* add %rax, (%rdi) */
    [ARCH_AARCH64] = {{4, {0x20, 0x00, 0x40, 0xf9}},  /* ldr x0, [x1] */
                      {4, {0x20, 0x00, 0x40, 0xfd}}}, /* ldr d0, [x1] */
};

/* Latencies of loads, by llvm-mca's answers about the probes. */
static struct cy_load_latency loads_of(const struct cy_mca_insn *i,
                                       enum arch arch)
{
    if (arch == ARCH_AARCH64)
        return (struct cy_load_latency){i[0].latency, i[1].latency,
                                        i[0].latency, i[1].latency,
                                        i[0].latency};
    return (struct cy_load_latency){
        i[0].latency, i[3].latency, i[1].latency - i[2].latency,
        i[4].latency - i[5].latency, i[6].latency - i[2].latency};
}

int cy_model_of(struct cy_model *model, const struct cy_machine *machine,
                enum arch arch, struct cy_mca *mca, struct diag *d)
{
    struct cy_mca_insn asked[N_PROBES];
    struct cy_mca_uses ignored[N_PROBES];
    bool is_known = true;
    size_t n = 0;

    /* Without llvm-mca's answers, latencies of loads are guessed. */
    *model = (struct cy_model){.machine = machine != NULL ? machine
                                                          : cy_machine_none(),
                               .loads = {5, 7, 4, 6, 10}};
    if (mca == NULL)
        return 0;
    for (; n < N_PROBES && probes[arch][n].length > 0; n++)
        asked[n] = (struct cy_mca_insn){.bytes = probes[arch][n].bytes,
                                        .length = probes[arch][n].length};
    if (cy_mca_width(mca, &model->mca_width, d) != 0 ||
        cy_mca_units(mca, asked, ignored, n, d) != 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        is_known &= asked[i].is_known;
    if (is_known)
        model->loads = loads_of(asked, arch);
    for (unsigned i = 0; arch == ARCH_X86_64 && i < ignored[ADDITION].n; i++)
        model->adders |= ignored[ADDITION].uses[i].units;
    return 0;
}

/* The width of most processors of 2015 to 2024. */
#define USUAL_WIDTH 4

double cy_model_width(const struct cy_model *model)
{
    const struct cy_dispatch *d = &cy_machine_facts(model->machine)->dispatch;

    if (!isnan(d->width))
        return d->width;
    if (d->instructions > 0)
        return d->instructions;
    return model->mca_width > 0 ? model->mca_width : USUAL_WIDTH;
}

/* Throughputs of machine file and llvm-mca are equal up to this factor. */
#define ABOUT 1.1

double cy_uses_cycles(const struct cy_mca_uses *uses, bool for_memory)
{
    double cycles = 0;

    for (unsigned i = 0; i < uses->n; i++)
        if (uses->uses[i].for_memory == for_memory) {
            assert(uses->uses[i].units != 0);
            cycles =
                fmax(cycles, uses->uses[i].cycles /
                                 __builtin_popcountll(uses->uses[i].units));
        }
    return cycles;
}

bool cy_step_work(const struct cy_step *s, const struct cy_mca_uses *uses,
                  const struct cy_machine *machine, struct cy_work *work)
{
    double cycles, theirs;

    if (cy_step_is_idiom(s, machine) ||
        !cy_machine_throughput(machine, &s->operands.insn, &cycles) ||
        cycles <= 0)
        return false;
    theirs = cy_uses_cycles(uses, false);
    if (cycles < theirs * ABOUT && theirs < cycles * ABOUT)
        return false;
    work->is_vector = s->operands.insn.bits >= 128;
    work->units = (unsigned)fmin(fmax(1, round(1 / cycles)), CY_MOST_OWN_UNITS);
    assert(work->units >= 1 && work->units <= CY_MOST_OWN_UNITS);
    work->cycles = cycles * work->units;
    return true;
}

bool cy_step_is_idiom(const struct cy_step *s, const struct cy_machine *machine)
{
    static const char *const names[] = {"xor",   "sub",    "pxor",  "vpxor",
                                        "xorps", "vxorps", "xorpd", "vxorpd"};

    if (!s->operands.is_same)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(s->insn->name, names[i]) == 0)
            return true;
    return cy_machine_is_zero_idiom(machine, &s->operands.insn);
}

bool cy_step_cycles(const struct cy_step *s, const struct cy_step *from,
                    const struct cy_model *model, double *cycles)
{
    const struct cy_load_latency *loads = &model->loads;

    *cycles = 0;
    if (s->operands.moves_stack)
        return true;
    if (cy_machine_latency(model->machine, &s->operands.insn,
                           from != NULL ? &from->operands.insn : NULL, cycles))
        return true;
    *cycles = 1;
    if (!s->mca->is_known)
        return false;
    *cycles = s->mca->latency;
    if (s->insn->flow.n_loads == 0 || !s->mca->may_load)
        return true;
    *cycles -= s->insn->flow.n_stores > 0             ? loads->rewrite
               : s->operands.load.class == CY_GENERAL ? loads->general_in
                                                      : loads->vector_in;
    if (*cycles < 1)
        *cycles = 1;
    return true;
}

double cy_step_order(const struct cy_step *s, const struct cy_machine *machine)
{
    double cycles = NAN, own;

    if (s->operands.is_locked)
        cycles = cy_machine_facts(machine)->rates.locked;
    if (cy_machine_occupancy(machine, &s->operands.insn, &own) &&
        !(own <= cycles))
        cycles = own;
    return cycles;
}

bool cy_step_serializes(const struct cy_step *s,
                        const struct cy_machine *machine, double *cycles)
{
    double order;

    if (strcmp(s->insn->name, "lfence") != 0 &&
        strcmp(s->insn->name, "mfence") != 0)
        return false;
    order = cy_step_order(s, machine);
    if (isnan(order))
        return false;
    if (!cy_machine_latency(machine, &s->operands.insn, NULL, cycles))
        *cycles = order;
    return true;
}

double cy_step_load_cycles(const struct cy_step *s,
                           const struct cy_model *model)
{
    double cycles;

    if (cy_machine_load(model->machine, &s->operands.load, &cycles))
        return cycles;
    return s->operands.load.class == CY_GENERAL ? model->loads.general
                                                : model->loads.vector;
}

bool cy_flow_computes_with_load(const struct flow *flow)
{
    for (unsigned i = 0; i < flow->n_puts; i++)
        if (flow->puts[i].value.loads != 0 && flow->puts[i].value.is_computed)
            return true;
    return false;
}
