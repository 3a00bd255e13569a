/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lift/flow.h"

#include "x86.h"
#include "lift/sd_insn.h"

void flow_sources_join(struct flow_sources *s, const struct flow_sources *more)
{
    for (size_t i = 0; i < sizeof s->words / sizeof s->words[0]; i++)
        s->words[i] |= more->words[i];
    s->loads |= more->loads;
    s->is_computed |= more->is_computed;
}

/* Adds registers, by their place in the guest state, in bytes. */
static void add_registers(struct flow_sources *s, uint64_t offset,
                          unsigned size)
{
    assert(size > 0 && offset + size <= 8 * FLOW_WORDS);
    for (uint64_t w = offset / 8; w <= (offset + size - 1) / 8; w++)
        s->words[w / 64] |= UINT64_C(1) << w % 64;
}

/* What is known about a temporary. */
struct value {
    struct flow_sources from;
    bool is_const; /* a constant: its value is `constant` */
    bool is_old;   /* earlier flags, from a helper that keeps one of them */
    bool is_mixed; /* earlier flags joined with new ones, made of `fresh` */
    struct flow_sources fresh;
    uint64_t constant;
    struct flow_sum sum;
};

struct reader {
    struct flow *flow;
    const struct guest *guest;
    const struct sd_insn *insn;
    uint64_t address;
    int64_t lifted, meant; /* where the jump that was lifted leads, and where
                              the instruction does, from its own address */
    struct value *temps;
    bool is_in_registers; /* the instruction accesses memory only in VEX, and
                             so moves the stack pointer */
    bool has_exit;        /* what follows may not happen, or happen again */
};

static struct value constant(uint64_t bits)
{
    return (struct value){
        .is_const = true, .constant = bits, .sum = flow_sum_of_constant(bits)};
}

/* A value that is computed from the operands that an operation reads. */
static struct value computed(const struct reader *r, const struct sd_op *op)
{
    struct value v = {.from.is_computed = true};

    if (sd_op_is(op, SD_READS_A))
        flow_sources_join(&v.from, &r->temps[op->a].from);
    if (sd_op_is(op, SD_READS_B))
        flow_sources_join(&v.from, &r->temps[op->b].from);
    if (sd_op_is(op, SD_READS_C))
        flow_sources_join(&v.from, &r->temps[op->c].from);
    return v;
}

/* The sum that an operation makes; not known if it makes none. */
static struct flow_sum sum_of(const struct sd_op *op, const struct value *a,
                              const struct value *b)
{
    const struct flow_sum zero = flow_sum_of_constant(0);

    if (op->width != 32 && op->width != 64)
        return (struct flow_sum){0};
    switch (op->code) {
    case SD_EXTRACT:
        return op->width == 32 && op->imm == 0 ? a->sum : (struct flow_sum){0};
    case SD_SEXT:
        return op->imm == 32 ? a->sum : (struct flow_sum){0};
    case SD_ADD:
        return flow_sum_add(&a->sum, &b->sum, 1);
    case SD_SUB:
        return flow_sum_add(&a->sum, &b->sum, -1);
    case SD_SHL:
        return b->is_const && b->constant < 6
                   ? flow_sum_add(&zero, &a->sum, INT64_C(1) << b->constant)
                   : (struct flow_sum){0};
    default:
        return (struct flow_sum){0};
    }
}

/* An instruction that sets some of the flags masks the others, and joins them
   with what it sets.  The processor renames the carry apart from the others, so
   that the flags that are set do not wait for those that are kept. */
static void mix(struct value *v, const struct sd_op *op, const struct value *a,
                const struct value *b)
{
    const struct value *parts[] = {a, b};
    bool is_old = a->is_old || b->is_old;
    bool is_masked =
        op->code == SD_AND && is_old && (a->is_const || b->is_const);

    v->is_mixed = op->width == 64 &&
                  (is_masked || (op->code == SD_OR &&
                                 (is_old || a->is_mixed || b->is_mixed)));
    for (int i = 0; i < 2 && v->is_mixed; i++)
        if (!parts[i]->is_old)
            flow_sources_join(&v->fresh, parts[i]->is_mixed ? &parts[i]->fresh
                                                            : &parts[i]->from);
}

/* Folds what VEX computes from constants to decide whether to shift. */
static void fold(struct value *v, const struct sd_op *op, const struct value *a,
                 const struct value *b)
{
    if (!a->is_const || !b->is_const ||
        (op->code != SD_AND && op->code != SD_EXTRACT && op->code != SD_CMPEQ &&
         op->code != SD_CMPNE))
        return;
    struct sd_value known = sd_op_eval(op, sd_known(a->constant),
                                       sd_known(b->constant), sd_known(0));
    assert(sd_is_known(known) && v->from.loads == 0);
    v->is_const = true;
    v->constant = known.bits;
}

/* EXTRACT of a half, DEPOSIT and SEXT move; loads extend a sign for free. */
static struct value pure(const struct reader *r, const struct sd_op *op)
{
    static const struct value nothing = {.is_const = true};
    const struct value *a = &r->temps[op->a];
    const struct value *b =
        sd_op_is(op, SD_READS_B) ? &r->temps[op->b] : &nothing;
    bool moves = (op->code == SD_EXTRACT && op->imm % 32 == 0) ||
                 op->code == SD_DEPOSIT || op->code == SD_SEXT;
    struct value v = computed(r, op);

    if (moves) {
        v.from.is_computed = a->from.is_computed || b->from.is_computed;
        v.is_old = a->is_old;
    }
    v.sum = sum_of(op, a, b);
    fold(&v, op, a, b);
    mix(&v, op, a, b);
    return v;
}

static struct value call(const struct reader *r, const struct sd_op *op)
{
    const struct sd_call *call = &r->insn->calls[op->imm];
    struct value v = {.from.is_computed = true, .is_old = call->keeps_flags};

    for (unsigned i = 0; i < call->n_args; i++)
        flow_sources_join(&v.from, &r->temps[call->args[i]].from);
    return v;
}

/* Does a load go on where the one before ends?  VEX has a load for each element
   of some operands in memory, as that of vfmadd231pd; AArch64 has instructions
   with several loads. */
static bool goes_on(const struct reader *r, const struct sd_op *op)
{
    const struct flow *flow = r->flow;

    if (r->guest->moves_bases || op->code != SD_LOAD || flow->n_loads == 0)
        return false;
    const struct flow_access *last = &flow->loads[flow->n_loads - 1];
    if (last->size + op->c > FLOW_LARGEST) /* fxrstor */
        return false;
    struct flow_sum way = flow_sum_add(&r->temps[op->a].sum, &last->place, -1);
    return way.is_known && way.n == 0 && way.constant == last->size;
}

static struct value load(struct reader *r, const struct sd_op *op)
{
    struct flow *flow = r->flow;
    unsigned number = flow->n_loads;

    assert(op->c > 0 && op->c <= UINT8_MAX && number <= FLOW_MOST_LOADS);
    if (goes_on(r, op)) {
        number--;
        flow->loads[number].size += (uint8_t)op->c;
    } else if (number == FLOW_MOST_LOADS) {
        flow->is_cut = true;
        number--;
    } else {
        struct flow_access *new = &flow->loads[flow->n_loads++];

        *new = (struct flow_access){.address = r->temps[op->a].from,
                                    .place = r->temps[op->a].sum,
                                    .size = (uint8_t)op->c};
        if (op->code == SD_LOADIF)
            flow_sources_join(&new->address, &r->temps[op->b].from);
        /* No address waits for a load of its own instruction, but those of
           xrstor, which reads first what it is to load. */
        new->address.loads = 0;
    }
    return (struct value){.from.loads = (uint8_t)(1u << number)};
}

static void store(struct reader *r, const struct sd_op *op)
{
    struct flow *flow = r->flow;

    assert(op->imm > 0 && op->imm <= UINT8_MAX);
    if (flow->n_stores == FLOW_MOST_STORES) {
        flow->is_cut = true;
        return;
    }
    flow->stores[flow->n_stores++] =
        (struct flow_access){.address = r->temps[op->a].from,
                             .data = r->temps[op->b].from,
                             .place = r->temps[op->a].sum,
                             .size = (uint8_t)op->imm};
}

/* The result of an operation. */
static struct value result(struct reader *r, const struct sd_op *op)
{
    struct value v = {0};

    switch (op->code) {
    case SD_CONST: /* a constant of 32 bits may be negative */
        v = constant(op->imm);
        if (op->width == 32)
            v.sum.constant = (uint64_t)(int32_t)op->imm;
        return v;
    case SD_CONST_PC:
        return constant(op->imm + r->address);
    case SD_CONST_PAGE:
        return constant(op->imm + (r->address & ~UINT64_C(0xfff)));
    case SD_GET:
        add_registers(&v.from, op->imm, op->c);
        if (op->imm % 8 == 0 && op->c == 8)
            v.sum = flow_sum_of_word((unsigned)op->imm / 8);
        return v;
    case SD_GETI:
        add_registers(&v.from, op->b, op->c * op->width / 8);
        return v;
    case SD_LOAD:
    case SD_LOADIF:
        return load(r, op);
    case SD_CALL:
        return call(r, op);
    case SD_ITE: /* with a known condition, one of its two values */
        if (r->temps[op->a].is_const)
            return r->temps[r->temps[op->a].constant != 0 ? op->b : op->c];
        return computed(r, op);
    case SD_OPAQUE:
        v = computed(r, op);
        if (op->imm)
            v.from.is_computed = r->temps[op->a].from.is_computed ||
                                 r->temps[op->b].from.is_computed;
        return v;
    default:
        assert(sd_op_is(op, SD_IS_PURE));
        return pure(r, op);
    }
}

struct flow_put *flow_put_of(struct flow *flow, unsigned word)
{
    for (unsigned i = 0; i < flow->n_puts; i++)
        if (flow->puts[i].word == word)
            return &flow->puts[i];
    return NULL;
}

/* Writes a word, or, if `is_half`, only some of its bytes.  `is_partial`: it
   then waits for the others. */
static void put_word(struct reader *r, const struct flow_put *new,
                     bool is_partial, bool is_half)
{
    struct flow *flow = r->flow;
    struct flow_put *put = flow_put_of(flow, new->word);

    assert(new->word < FLOW_WORDS && flow->n_puts <= FLOW_MOST_PUTS);
    if (put == NULL) {
        if (flow->n_puts == FLOW_MOST_PUTS) {
            flow->is_cut = true;
            return;
        }
        put = &flow->puts[flow->n_puts++];
        *put = (struct flow_put){.word = new->word};
        if (is_partial)
            add_registers(&put->value, new->word *UINT64_C(8), 8);
    } else if (!is_partial && !is_half) {
        put->value = (struct flow_sources){0};
    }
    put->is_free = new->is_free;
    put->keeps_rest = is_partial && !flow_sources_has(&new->value, new->word);
    put->sum = r->has_exit ? (struct flow_sum){0} : new->sum;
    flow_sources_join(&put->value, &new->value);
    if (is_partial)
        put->value.is_computed = true;
}

/* Has the instruction set the word to a constant? */
static bool is_constant(struct flow *flow, unsigned word)
{
    static const struct flow_sources nothing;
    const struct flow_put *put = flow_put_of(flow, word);

    return put != NULL &&
           memcmp(put->value.words, nothing.words, sizeof nothing.words) == 0 &&
           put->value.loads == 0 && !put->value.is_computed;
}

static bool is_unread(const struct guest *guest, unsigned offset)
{
    const unsigned *unread = guest->unread;

    while (*unread != GUEST_NO_OFFSET && *unread != offset)
        unread++;
    return *unread == offset;
}

/* Writes registers.  VEX keeps the operands of the instruction that set the
   flags, and computes the flags on their use; here, the setter does. */
static void put(struct reader *r, const struct sd_op *op)
{
    const struct guest *guest = r->guest;
    const struct value *v = &r->temps[op->a];
    unsigned offset = (unsigned)op->imm, end = offset + op->c;
    bool is_flags = offset >= guest->flags.first && offset < guest->flags.end;
    struct flow_put new = {.is_free = v->is_old, .value = v->from};

    assert(op->c > 0 && end <= 8 * FLOW_WORDS);
    if (is_unread(guest, offset) ||
        (r->is_in_registers && offset == guest->stack_pointer))
        return;
    if (is_flags && v->is_mixed)
        new.value = v->fresh;
    if (is_flags && !v->is_old)
        new.value.is_computed = true;
    if (op->c == 8 && offset % 8 == 0)
        new.sum = v->sum;
    for (unsigned at = offset, next; at < end; at = next) {
        bool is_partial, is_half;

        next = (at / 8 + 1) * 8;
        is_half = is_partial = at % 8 != 0 || end < next;
        /* x86-64: writing half of a word keeps the other half at no cost, in
           vectors and in general registers. */
        if (guest->keeps_halves && at % 4 == 0 && end % 4 == 0)
            is_partial = false;
        new.word = (uint8_t)(at / 8);
        /* AArch64: the instruction has set the rest to zero before. */
        if (!guest->keeps_halves && is_constant(r->flow, new.word))
            is_partial = false;
        put_word(r, &new, is_partial, is_half);
    }
}

/* Writes an element of a rotating register file; which one is not known. */
static void put_element(struct reader *r, const struct sd_op *op)
{
    unsigned first, end = sd_op_words(op, &first);

    for (unsigned word = first; word < end; word++)
        put_word(r,
                 &(struct flow_put){.word = (uint8_t)word,
                                    .value = r->temps[op->dst].from},
                 true, false);
}

static void read_op(struct reader *r, const struct sd_op *op)
{
    switch (op->code) {
    case SD_PUT:
        put(r, op);
        break;
    case SD_PUTI:
        put_element(r, op);
        break;
    case SD_STORE:
    case SD_STOREIF:
        store(r, op);
        break;
    case SD_LEAVE:
        flow_sources_join(&r->flow->way, &r->temps[op->a].from);
        r->has_exit = true;
        break;
    default:
        assert(sd_op_is(op, SD_HAS_RESULT) && op->dst < r->insn->n_temps);
        r->temps[op->dst] = result(r, op);
    }
}

/* B, B.cond, CBZ, CBNZ, TBZ or TBNZ (Arm ARM, C4.1, branches); or a direct jump
   of x86-64, perhaps after prefixes that hint where it goes (Intel's manual,
   volume 2, JMP, Jcc and LOOP). */
static bool is_direct_jump(enum arch arch, const uint8_t *code, unsigned length)
{
    unsigned i = 0;

    if (arch == ARCH_AARCH64)
        return (code[3] & 0xfc) == 0x14 || code[3] == 0x54 ||
               (code[3] & 0x7e) == 0x34 || (code[3] & 0x7e) == 0x36;
    while (i + 1 < length && memchr("\x2e\x3e\x66\x67\xf2", code[i], 5) != NULL)
        i++;
    if (code[i] == 0x0f)
        return i + 1 < length && (code[i + 1] & 0xf0) == 0x80;
    return (code[i] & 0xf0) == 0x70 || (code[i] & 0xfc) == 0xe0 ||
           code[i] == 0xe9 || code[i] == 0xeb;
}

/* Where an exit of the lifted instruction leads. */
static uint64_t target_of(const struct reader *r, int64_t to)
{
    return r->address + (uint64_t)(to == r->lifted ? r->meant : to);
}

static void leave(struct reader *r, const uint8_t *code)
{
    struct flow *flow = r->flow;
    const struct sd_exit *exit = &r->insn->exit;
    uint64_t end = r->address + flow->length;
    uint64_t target = target_of(r, exit->next);
    uint64_t other =
        exit->is_guarded ? target_of(r, exit->taken) : FLOW_NOWHERE;

    if (!exit->is_direct)
        flow_sources_join(&flow->way, &r->temps[exit->target].from);
    if (exit->flow == SD_FLOW_CALL) {
        flow->leave = FLOW_CALL;
        flow->falls_through = true;
        /* In an object file, only a relocation may have the target. */
        if (exit->is_direct && target != end && target != r->address)
            flow->called = target;
    } else if (exit->flow == SD_FLOW_RETURN) {
        flow->leave = FLOW_TO_CALLER;
    } else if (!exit->is_direct || exit->is_special) {
        flow->leave = FLOW_AWAY;
    } else {
        flow->falls_through = target == end || other == end;
        /* VEX also has exits for the next element of a rep prefix, for the
           fault of an unaligned address, and for another try to lock. */
        if (is_direct_jump(r->guest->arch, code, flow->length))
            flow->taken = target != end  ? target
                          : other != end ? other
                                         : FLOW_NOWHERE;
        if (r->guest->relocates_jumps && flow->taken == r->address) {
            flow->taken = FLOW_NOWHERE;
            flow->leave = flow->falls_through ? FLOW_GOES_ON : FLOW_AWAY;
        }
    }
}

/* Is the value an address of the instruction, moved by a constant? */
static bool is_base(const struct flow *flow, const struct flow_put *put)
{
    const struct flow_access *access =
        flow->n_loads > 0 ? &flow->loads[0] : &flow->stores[0];

    return flow->n_loads + flow->n_stores > 0 && put->sum.is_known &&
           put->value.is_computed && put->value.loads == 0 &&
           flow_sources_has(&access->address, put->word) &&
           flow_sources_has(&put->value, put->word);
}

/* Lifts the instruction.  Of x86-64's direct jumps and calls each kind is
   lifted once, with one distance for all: they are a fifth of a program's
   instructions, and hardly two are the same. */
static void lift(struct reader *r, const uint8_t *code, unsigned length)
{
    uint8_t alike[SD_INSN_MAX];
    int32_t distance = 0, same = 0x7f7f7f7f;
    unsigned size =
        r->guest->arch == ARCH_X86_64 ? x86_distance_size(code, length) : 0;

    assert(length <= sizeof alike && size <= sizeof distance);
    if (size > 0) {
        memcpy(alike, code, length);
        memcpy(alike + length - size, &same, size);
        memcpy(&distance, code + length - size, size);
        code = alike;
    }
    if (size == 1) {
        distance = (int8_t)distance;
        same = (int8_t)same;
    }
    r->lifted = (int64_t)length + same;
    r->meant = (int64_t)length + (size > 0 ? distance : same);
    r->insn = sd_lift_whole(r->guest->arch, code, length);
}

void flow_of_insn(struct flow *flow, enum arch arch, const uint8_t *code,
                  unsigned length, uint64_t address)
{
    struct reader r = {.flow = flow,
                       .guest = guest_of(arch),
                       .address = address,
                       .is_in_registers =
                           arch == ARCH_X86_64 &&
                           x86_tests_bit_of_register(code, length)};

    lift(&r, code, length);
    const struct sd_insn *insn = r.insn;
    *flow = (struct flow){.is_known = insn->status == SD_OK,
                          .length = (uint8_t)length,
                          .falls_through = insn->status != SD_OK,
                          .taken = FLOW_NOWHERE,
                          .called = FLOW_NOWHERE};
    if (!flow->is_known)
        return;
    assert(insn->length > 0 && insn->length <= UINT8_MAX);
    flow->length = (uint8_t)insn->length;
    r.temps = memory_new(insn->n_temps, sizeof *r.temps);
    r.temps[SD_ZERO] = constant(0);
    for (size_t i = 0; i < insn->n_ops; i++)
        read_op(&r, &insn->ops[i]);
    leave(&r, code);
    if (r.guest->moves_bases && (flow->n_loads == 0 || flow->n_stores == 0)) {
        flow->has_parts = flow->n_loads + flow->n_stores > 1;
        for (unsigned i = 0; i < flow->n_puts; i++)
            flow->puts[i].is_base = is_base(flow, &flow->puts[i]);
    }
    free(r.temps);
    assert(flow->leave == FLOW_GOES_ON || flow->taken == FLOW_NOWHERE);
}

/* --- Sums of registers --- */

struct flow_sum flow_sum_of_constant(uint64_t constant)
{
    return (struct flow_sum){.is_known = true, .constant = constant};
}

struct flow_sum flow_sum_of_word(unsigned word)
{
    assert(word < FLOW_WORDS);
    return (struct flow_sum){
        .is_known = true, .n = 1, .words = {(uint8_t)word}, .factors = {1}};
}

/* Removes terms whose factor became 0. */
static void drop_zeros(struct flow_sum *s)
{
    uint8_t n = 0;

    for (uint8_t i = 0; i < s->n; i++)
        if (s->factors[i] != 0) {
            s->words[n] = s->words[i];
            s->factors[n++] = s->factors[i];
        }
    s->n = n;
}

static void add_term(struct flow_sum *s, uint8_t word, int64_t factor)
{
    uint8_t i = 0;

    while (i < s->n && s->words[i] != word)
        i++;
    if (i == FLOW_MOST_TERMS) {
        s->is_known = false;
        return;
    }
    if (i == s->n) {
        s->words[i] = word;
        s->factors[i] = 0;
        s->n++;
    }
    factor += s->factors[i];
    s->is_known &= factor >= INT8_MIN && factor <= INT8_MAX;
    s->factors[i] = (int8_t)(s->is_known ? factor : 0);
}

struct flow_sum flow_sum_add(const struct flow_sum *a, const struct flow_sum *b,
                             int64_t factor)
{
    struct flow_sum sum = *a;

    sum.is_known =
        a->is_known && b->is_known && factor >= INT8_MIN && factor <= INT8_MAX;
    for (uint8_t i = 0; i < b->n && sum.is_known; i++)
        add_term(&sum, b->words[i], factor * b->factors[i]);
    if (!sum.is_known)
        return (struct flow_sum){0};
    sum.constant += (uint64_t)factor * b->constant;
    drop_zeros(&sum);
    return sum;
}
