/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "step/cy_step.h"

#include "x86.h"

/* --- x86-64 --- */

/* Letters for parts of lea's address: base, index, scale, displacement.  The
   instruction pointer, which is known beforehand, is no base. */
static void address_form(char *form, const struct disasm_operand *m)
{
    assert(m->kind == DISASM_MEMORY);
    if (m->base != NULL && strcmp(m->base, "rip") != 0)
        *form++ = 'b';
    if (m->index != NULL)
        *form++ = 'x';
    if (m->scale > 1)
        *form++ = 's';
    if (m->displacement != 0)
        *form++ = 'd';
    *form = '\0';
}

/* How an operand addresses memory, on both architectures. */
static enum cy_addressing addressing_of(const struct disasm_operand *m)
{
    if (m->index != NULL)
        return CY_INDEX;
    if (m->base == NULL || strcmp(m->base, "rip") == 0)
        return CY_RIP;
    return strcmp(m->base, "rsp") == 0 || strcmp(m->base, "sp") == 0 ? CY_STACK
                                                                     : CY_BASE;
}

static enum cy_extend extension_x86(const char *name)
{
    if (strncmp(name, "movz", 4) == 0)
        return CY_ZERO;
    return strcmp(name, "movsx") == 0 || strcmp(name, "movsxd") == 0 ? CY_SIGN
                                                                     : CY_NONE;
}

static bool is_push(const char *name)
{
    return strcmp(name, "push") == 0 || strcmp(name, "call") == 0;
}

static bool is_pop(const char *name)
{
    return strcmp(name, "pop") == 0 || strcmp(name, "ret") == 0 ||
           strcmp(name, "leave") == 0;
}

/* The register operands of an instruction. */
struct reading {
    const char *first; /* the first register operand */
    unsigned widest;
    unsigned n_registers, n_others;
    unsigned n_same; /* leading operands that are the first register */
};

/* The letter of an operand in the instruction's form. */
static char letter(const struct disasm_operand *op, bool is_first_of_shift)
{
    if (op->kind == DISASM_IMMEDIATE)
        return 'i';
    return op->kind == DISASM_REGISTER && is_first_of_shift &&
                   strcmp(op->base, "cl") == 0
               ? 'c'
               : 'r';
}

static void take_operands(struct cy_operands *o, struct reading *r,
                          const struct cy_code_insn *insn)
{
    static const char *const shifts[] = {"sh", "sa", "ro", "rc", NULL};
    /* The count of a shift may be %cl; that of shlx may be any register. */
    bool is_lea = strcmp(insn->name, "lea") == 0,
         is_shift = text_begins_any(insn->name, shifts) > 0;

    o->load.addressing = CY_BASE;
    for (unsigned i = 0; i < insn->n_operands; i++) {
        const struct disasm_operand *op = &insn->operands[i];

        if (op->kind == DISASM_REGISTER) {
            assert(op->base != NULL);
            if (op->bits > r->widest)
                r->widest = op->bits;
            if (r->n_registers == 0)
                r->first = op->base;
            r->n_same +=
                r->n_same == r->n_registers && strcmp(op->base, r->first) == 0;
            r->n_registers++;
        } else
            r->n_others++;
        if (op->kind == DISASM_MEMORY || op->kind == DISASM_TARGET) {
            o->load.addressing = addressing_of(op);
            o->load.is_scaled =
                op->index != NULL &&
                (op->scale > 1 || (op->base != NULL && op->displacement != 0));
            o->displacement = op->displacement;
        }
        if (!is_lea)
            o->form[i] = letter(op, i == 0 && is_shift);
        else if (op->kind == DISASM_MEMORY)
            address_form(o->form, op);
    }
    assert(r->n_same <= r->n_registers && strlen(o->form) < sizeof o->form);
}

/* Legacy prefixes come in any order (Intel's manual, volume 2, 2.1.1). */
static bool is_locked_x86(const struct cy_code_insn *insn)
{
    static const uint8_t prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
                                       0x66, 0x67, 0xf0, 0xf2, 0xf3};
    unsigned i = 0;

    assert(insn->length <= sizeof insn->bytes);
    if (strcmp(insn->name, "xchg") == 0)
        return insn->flow.n_loads > 0;
    while (i < insn->length &&
           memchr(prefixes, insn->bytes[i], sizeof prefixes) != NULL)
        if (insn->bytes[i++] == 0xf0)
            return true;
    return false;
}

static void operands_x86(struct cy_operands *o, const struct cy_code_insn *insn)
{
    const struct flow *flow = &insn->flow;
    struct reading r = {0};

    *o = (struct cy_operands){0};
    take_operands(o, &r, insn);
    /* The last of three operands is only written. */
    o->is_same =
        r.n_others == 0 && r.n_same >= 2 &&
        (r.n_same == r.n_registers || (r.n_same == 2 && r.n_registers == 3));
    o->is_locked = is_locked_x86(insn);
    o->is_fence = insn->name[0] != '\0' &&
                  strcmp(insn->name + 1, "fence") == 0; /* m, l, s */
    o->moves_stack = is_push(insn->name) || is_pop(insn->name);
    if (r.widest == 0 && flow->n_loads > 0)
        r.widest = flow->loads[0].size * 8u;
    o->insn = (struct cy_insn){.mnemonic = insn->name,
                               .form = o->form,
                               .bits = r.widest,
                               .locked = o->is_locked};
    o->load.class = o->store.class = r.widest >= 512   ? CY_ZMM
                                     : r.widest >= 256 ? CY_YMM
                                     : r.widest >= 128 ? CY_XMM
                                                       : CY_GENERAL;
    o->store.addressing = o->load.addressing;
    if (is_pop(insn->name))
        o->load.addressing = CY_PUSH;
    if (is_push(insn->name))
        o->store.addressing = CY_PUSH;
    o->load.extend = extension_x86(insn->name);
}

/* --- AArch64 --- */

/* Registers for SIMD and floating point are of the class that x86-64 calls xmm.
   The operands have the order of the text: the destination comes first. */

/* A load that extends is named after the width of what it loads.  All writes of
   words clear the rest, so loads of words without a sign count as plain. */
static enum cy_extend extension_a64(const char *name, bool is_simd)
{
    size_t n = strlen(name);

    if (is_simd || strncmp(name, "ld", 2) != 0)
        return CY_NONE;
    if (strstr(name, "rsb") != NULL || strstr(name, "rsh") != NULL ||
        strstr(name, "rsw") != NULL || strcmp(name, "ldpsw") == 0)
        return CY_SIGN;
    return name[n - 1] == 'b' || name[n - 1] == 'h' ? CY_ZERO : CY_NONE;
}

/* Exclusive and atomic accesses, by name, too: VEX may not know them. */
static bool is_locked_a64(const struct flow *flow, const char *name)
{
    static const char *const names[] = {
        "ldxr",  "ldxp",  "stxr",  "stxp",  "ldaxr", "ldaxp", "stlxr", "stlxp",
        "cas",   "swp",   "ldadd", "ldclr", "ldeor", "ldset", "ldsm",  "ldum",
        "stadd", "stclr", "steor", "stset", "stsm",  "stum",  NULL};

    return (flow->n_loads > 0 && flow->n_stores > 0) ||
           text_begins_any(name, names) > 0;
}

/* A load-acquire waits for the store-releases before it; ldapr and its like do
   not (Arm Architecture Reference Manual, B2.3). */
static bool is_fence_a64(const char *name)
{
    static const char *const names[] = {"dmb",  "dsb",   "isb",   "ldar",
                                        "stlr", "ldlar", "stllr", NULL};

    return text_begins_any(name, names) > 0;
}

/* Finds the register that a multiplication adds to: the last operand of MADD
   and its like, the destination of others.  There is none if it is multiplied,
   too. */
static void take_sum(struct cy_operands *o, const struct cy_code_insn *insn)
{
    unsigned at =
        strstr(insn->name, "madd") != NULL || strstr(insn->name, "msub") != NULL
            ? 3
            : 0;
    unsigned first = 0, n = 0;

    if (insn->n_operands < 3 || at >= insn->n_operands ||
        insn->operands[at].kind != DISASM_REGISTER ||
        !guest_words_a64(insn->operands[at].base, &o->sum, &o->n_sum))
        return;
    for (unsigned i = 1; i < (at == 3 ? 3 : insn->n_operands); i++)
        if (insn->operands[i].kind == DISASM_REGISTER &&
            guest_words_a64(insn->operands[i].base, &first, &n) &&
            first == o->sum)
            o->n_sum = 0;
}

static void operands_a64(struct cy_operands *o, const struct cy_code_insn *insn)
{
    const struct flow *flow = &insn->flow;
    unsigned widest = 0;

    *o = (struct cy_operands){.load.addressing = CY_BASE};
    for (unsigned i = 0; i < insn->n_operands; i++) {
        const struct disasm_operand *op = &insn->operands[i];

        o->form[i] = op->kind == DISASM_IMMEDIATE ? 'i' : 'r';
        if (op->kind == DISASM_REGISTER && op->bits > widest)
            widest = op->bits;
        if (op->kind == DISASM_MEMORY) {
            o->load.addressing = addressing_of(op);
            o->displacement = op->displacement;
        }
        /* An access that names a SIMD register moves it. */
        if (op->kind == DISASM_REGISTER && op->is_simd)
            o->load.class = CY_XMM;
    }
    o->is_locked = is_locked_a64(flow, insn->name);
    o->is_fence = is_fence_a64(insn->name);
    o->insn = (struct cy_insn){.mnemonic = insn->name,
                               .form = o->form,
                               .bits = widest,
                               .locked = o->is_locked};
    o->store = (struct cy_access){.class = o->load.class,
                                  .addressing = o->load.addressing};
    o->load.extend = extension_a64(insn->name, o->load.class == CY_XMM);
    take_sum(o, insn);
}

void cy_operands_of(struct cy_operands *o, const struct cy_code_insn *insn)
{
    static void (*const of[N_ARCHES])(struct cy_operands *,
                                      const struct cy_code_insn *) = {
        [ARCH_X86_64] = operands_x86, [ARCH_AARCH64] = operands_a64};
    const struct flow *flow = &insn->flow;

    assert(insn->arch < N_ARCHES);
    of[insn->arch](o, insn);
    snprintf(o->name, sizeof o->name, "%s", insn->name);
    o->insn.mnemonic = o->name;
    o->insn.loads = flow->n_loads > 0;
    o->insn.stores = flow->n_stores > 0;
    if (flow->n_loads > 0)
        o->load.bits = flow->loads[0].size * 8u;
    if (flow->n_stores > 0)
        o->store.bits = flow->stores[0].size * 8u;
}

/* --- Branches --- */

/* The kind of branch by the opcode after the prefixes. */
static enum cy_branch branch_x86(const uint8_t *at, unsigned length,
                                 int64_t *distance)
{
    unsigned n = x86_distance_size(at, length);
    size_t left = length;

    *distance = n == 1 ? (int8_t)at[length - 1] : 0;
    for (unsigned i = 0; n == 4 && i < n; i++)
        *distance |= (int64_t)at[length - n + i] << 8 * i;
    if (n == 4)
        *distance = (int32_t)*distance;
    at = x86_after_prefixes(at, &left);
    if (left == 0 || *at == 0xc7) /* XBEGIN */
        return CY_NO_BRANCH;
    if (*at == 0xe8)
        return CY_DIRECT_CALL;
    if (*at == 0xeb || *at == 0xe9)
        return CY_JUMP;
    if (n > 0)
        return CY_CONDITIONAL;
    if (*at == 0xc2 || *at == 0xc3)
        return CY_RETURN;
    if (*at != 0xff || left == 1)
        return CY_NO_BRANCH;
    return (at[1] >> 3 & 7) == 2   ? CY_INDIRECT_CALL
           : (at[1] >> 3 & 7) == 4 ? CY_INDIRECT
                                   : CY_NO_BRANCH;
}

/* The signed number of some bits of an instruction, from `shift` on. */
static int64_t signed_bits(uint32_t word, unsigned shift, unsigned n)
{
    return (int64_t)((uint64_t)word << (64 - shift - n)) >> (64 - n);
}

/* B, BL, B.cond, CBZ, TBZ, BR, BLR and RET (Arm ARM, C4.1), also with pointer
   authentication. */
static enum cy_branch branch_a64(const uint8_t *at, unsigned length,
                                 int64_t *distance)
{
    uint32_t word = at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;

    assert(length == 4);
    *distance = 4 * signed_bits(word, 0, 26);
    if (word >> 26 == 0x05)
        return CY_JUMP;
    if (word >> 26 == 0x25)
        return CY_DIRECT_CALL;
    *distance = 4 * ((word >> 25 & 0x3f) == 0x1b ? signed_bits(word, 5, 14)
                                                 : signed_bits(word, 5, 19));
    if (word >> 25 == 0x2a || (word >> 26 & 0x1f) == 0x0d)
        return CY_CONDITIONAL;
    *distance = 0;
    if (word >> 25 != 0x6b)
        return CY_NO_BRANCH;
    switch (at[2]) {
    case 0x1f:
        return CY_INDIRECT;
    case 0x3f:
        return CY_INDIRECT_CALL;
    case 0x5f:
        return CY_RETURN;
    default:
        return CY_NO_BRANCH;
    }
}

enum cy_branch cy_branch_at(enum arch arch, const uint8_t *code,
                            unsigned length, uint64_t address, uint64_t *to)
{
    bool is_x86 = arch == ARCH_X86_64;
    int64_t distance;
    enum cy_branch branch =
        (is_x86 ? branch_x86 : branch_a64)(code, length, &distance);

    *to = address + (uint64_t)distance + (is_x86 ? length : 0);
    return branch;
}

enum cy_branch cy_branch_of(const struct cy_code_insn *insn)
{
    uint64_t to;

    if (insn->flow.leave == FLOW_GOES_ON && insn->flow.taken != FLOW_NOWHERE &&
        insn->flow.falls_through)
        return CY_CONDITIONAL;
    return cy_branch_at(insn->arch, insn->bytes, insn->length, insn->address,
                        &to);
}

bool cy_is_system_call(const struct cy_code_insn *insn)
{
    const uint8_t *b = insn->bytes;

    /* AArch64: svc */
    if (insn->arch == ARCH_AARCH64)
        return b[3] == 0xd4 && b[2] >> 5 == 0 && (b[0] & 0x1f) == 1;
    /* x86-64: syscall, sysenter, int */
    return insn->length >= 2 &&
           ((b[0] == 0x0f && (b[1] == 0x05 || b[1] == 0x34)) || b[0] == 0xcd);
}

/* --- Costs --- */

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
    double cycles;

    if (cy_step_is_idiom(s, machine) ||
        !cy_machine_throughput(machine, &s->operands.insn, &cycles) ||
        cycles <= 0)
        return false;
    double theirs = cy_uses_cycles(uses, false);
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
    static const char *const names[] = {"xor",   "sub",    "pxor",
                                        "vpxor", "xorps",  "vxorps",
                                        "xorpd", "vxorpd", NULL};

    return s->operands.is_same &&
           (text_is_any(s->insn->name, names) ||
            cy_machine_is_zero_idiom(machine, &s->operands.insn));
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
    if (strcmp(s->insn->name, "lfence") != 0 &&
        strcmp(s->insn->name, "mfence") != 0)
        return false;
    double order = cy_step_order(s, machine);
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
