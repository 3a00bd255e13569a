/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "binary/disasm.h"

#include <capstone/capstone.h>

#include "keys.h"
#include "x86.h"

#define LONGEST 15 /* the most bytes of an instruction */
#define BITS    14 /* the logarithm of the room of `known` */

struct disasm {
    csh handle;
    cs_insn *insn;
    size_t unit; /* the least length of an instruction */
    bool is_x86;
    /* By the hash of the bytes that decide their lengths, with these bytes. */
    struct known {
        uint64_t key;
        uint8_t length; /* 0: nothing is known, or no instruction begins so */
    } known[1 << BITS];
};

static const struct {
    const char *arch;
    cs_arch capstone;
    cs_mode mode;
    size_t unit;
} archs[] = {
    {"x86-64", CS_ARCH_X86, CS_MODE_64, 1},
    {"aarch64", CS_ARCH_ARM64, CS_MODE_ARM, 4},
};

const char *const disasm_syntaxes[] = {
    [DISASM_ATT] = "att", [DISASM_INTEL] = "intel", NULL};

bool disasm_syntax_parse(const char *name, enum disasm_syntax *syntax)
{
    for (enum disasm_syntax s = DISASM_ATT; s <= DISASM_INTEL; s++)
        if (strcmp(disasm_syntaxes[s], name) == 0) {
            *syntax = s;
            return true;
        }
    return false;
}

struct disasm *disasm_new(const char *arch)
{
    for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++) {
        if (strcmp(arch, archs[i].arch) != 0)
            continue;
        struct disasm *disasm = memory_new(1, sizeof *disasm);
        if (cs_open(archs[i].capstone, archs[i].mode, &disasm->handle) !=
                CS_ERR_OK ||
            cs_option(disasm->handle, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK ||
            (disasm->insn = cs_malloc(disasm->handle)) == NULL)
            memory_exhausted();
        /* The detail mode has made room; only disasm_operands() fills it. */
        cs_option(disasm->handle, CS_OPT_DETAIL, CS_OPT_OFF);
        disasm->unit = archs[i].unit;
        disasm->is_x86 = archs[i].capstone == CS_ARCH_X86;
        disasm_set_syntax(disasm, DISASM_ATT);
        return disasm;
    }
    return NULL;
}

void disasm_free(struct disasm *disasm)
{
    if (disasm == NULL)
        return;
    cs_free(disasm->insn, 1);
    cs_close(&disasm->handle);
    free(disasm);
}

void disasm_set_syntax(struct disasm *disasm, enum disasm_syntax syntax)
{
    if (disasm->is_x86)
        cs_option(disasm->handle, CS_OPT_SYNTAX,
                  syntax == DISASM_INTEL ? CS_OPT_SYNTAX_INTEL
                                         : CS_OPT_SYNTAX_ATT);
}

void disasm_insn(struct disasm *disasm, const uint8_t *code, size_t n,
                 uint64_t address, struct disasm_insn *insn)
{
    const cs_insn *i = disasm->insn;
    const size_t length = n; /* the call below changes n */

    assert(n > 0);
    if (!cs_disasm_iter(disasm->handle, &code, &n, &address, disasm->insn)) {
        *insn = (struct disasm_insn){
            (unsigned)(length < disasm->unit ? length : disasm->unit), "(bad)",
            ""};
        return;
    }
    insn->length = i->size;
    assert(insn->length > 0 && insn->length <= length);
    snprintf(insn->text, sizeof insn->text, "%s%s%s", i->mnemonic,
             i->op_str[0] != '\0' ? " " : "", i->op_str);
    const char *name =
        disasm->is_x86 ? cs_insn_name(disasm->handle, i->id) : i->mnemonic;
    snprintf(insn->name, sizeof insn->name, "%s", name != NULL ? name : "");
}

unsigned disasm_length(struct disasm *disasm, const uint8_t *code, size_t n)
{
    unsigned size = disasm->is_x86 ? x86_deciding(code, n) : 0;
    uint64_t address = 0, key = 0;
    size_t left = n < LONGEST ? n : LONGEST; /* of a run of prefixes */

    for (unsigned i = 0; i < size; i++)
        key |= (uint64_t)code[i] << 8 * i;
    struct known *known = &disasm->known[hash_place(key, BITS)];
    if (size > 0 && known->length > 0 && known->key == key)
        return known->length <= n ? known->length : 0;
    if (!cs_disasm_iter(disasm->handle, &code, &left, &address, disasm->insn))
        return 0;
    if (size > 0)
        *known = (struct known){key, (uint8_t)disasm->insn->size};
    return disasm->insn->size;
}

/* --- x86-64 --- */

static unsigned register_bits(x86_reg reg, unsigned size)
{
    static const struct {
        x86_reg first, last;
        unsigned bits;
    } kinds[] = {
        {X86_REG_XMM0, X86_REG_XMM31, 128},
        {X86_REG_YMM0, X86_REG_YMM31, 256},
        {X86_REG_ZMM0, X86_REG_ZMM31, 512},
        {X86_REG_ST0, X86_REG_ST7, 0},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (reg >= kinds[i].first && reg <= kinds[i].last)
            return kinds[i].bits;
    return size * 8;
}

static struct disasm_operand operand(csh handle, const cs_x86_op *op,
                                     const cs_x86_encoding *code, bool is_jump)
{
    unsigned bytes = op->type == X86_OP_IMM ? code->imm_size : 0;

    if (op->type == X86_OP_MEM)
        return (struct disasm_operand){
            .kind = DISASM_MEMORY,
            .base = cs_reg_name(handle, op->mem.base),
            .index = cs_reg_name(handle, op->mem.index),
            .scale = (unsigned)op->mem.scale,
            .displacement = op->mem.disp,
            .bytes = code->disp_size};
    if (is_jump)
        return (struct disasm_operand){.kind = DISASM_TARGET, .bytes = bytes};
    if (op->type == X86_OP_IMM)
        return (struct disasm_operand){.kind = DISASM_IMMEDIATE,
                                       .bytes = bytes};
    return (struct disasm_operand){.kind = DISASM_REGISTER,
                                   .bits = register_bits(op->reg, op->size),
                                   .base = cs_reg_name(handle, op->reg)};
}

/* The first operand, if capstone 4 names it only in the text: what stos stores,
   or the count of a shift of memory. */
static cs_x86_op left_out(const cs_insn *insn)
{
    const cs_detail *detail = insn->detail;
    static const struct {
        x86_insn id;
        cs_x86_op op;
    } stores[] = {
        {X86_INS_STOSB, {.type = X86_OP_REG, .reg = X86_REG_AL, .size = 1}},
        {X86_INS_STOSW, {.type = X86_OP_REG, .reg = X86_REG_AX, .size = 2}},
        {X86_INS_STOSD, {.type = X86_OP_REG, .reg = X86_REG_EAX, .size = 4}},
        {X86_INS_STOSQ, {.type = X86_OP_REG, .reg = X86_REG_RAX, .size = 8}},
    };

    for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++)
        if (insn->id == stores[i].id)
            return stores[i].op;
    for (unsigned i = 0; i < detail->regs_read_count; i++)
        if (detail->regs_read[i] == X86_REG_CL && detail->x86.op_count == 1)
            return (cs_x86_op){
                .type = X86_OP_REG, .reg = X86_REG_CL, .size = 1};
    return (cs_x86_op){.type = X86_OP_INVALID};
}

static unsigned operands_x86(csh handle, const cs_insn *insn,
                             struct disasm_operand *operands)
{
    const cs_x86 *x86 = &insn->detail->x86;
    bool is_jump = cs_insn_group(handle, insn, CS_GRP_JUMP) ||
                   cs_insn_group(handle, insn, CS_GRP_CALL) ||
                   cs_insn_group(handle, insn, CS_GRP_BRANCH_RELATIVE);
    cs_x86_op first = left_out(insn);
    unsigned n = 0;

    assert(x86->op_count < DISASM_MOST_OPERANDS);
    if (first.type == X86_OP_REG)
        operands[n++] = operand(handle, &first, &x86->encoding, false);
    for (unsigned i = 0; i < x86->op_count; i++)
        operands[n++] =
            operand(handle, &x86->operands[i], &x86->encoding, is_jump);
    return n;
}

/* --- AArch64 --- */

/* Is an arrangement one of 64 bits, half a vector? */
static bool is_half(arm64_vas arrangement)
{
    return arrangement == ARM64_VAS_8B || arrangement == ARM64_VAS_4H ||
           arrangement == ARM64_VAS_2S || arrangement == ARM64_VAS_1D;
}

static struct disasm_operand register_a64(csh handle, const cs_arm64_op *op)
{
    static const uint8_t bits[128] = {['b'] = 8,  ['h'] = 16,  ['w'] = 32,
                                      ['s'] = 32, ['q'] = 128, ['v'] = 128};
    struct disasm_operand r = {.kind = DISASM_REGISTER,
                               .base = cs_reg_name(handle, op->reg)};

    assert(r.base != NULL);
    char letter = r.base[0];
    assert(letter >= 0);
    r.is_simd = strchr("bhsdqv", letter) != NULL && r.base[1] != 'p';
    r.bits = bits[(unsigned)letter];
    if (r.bits == 0 || (letter == 's' && !r.is_simd) ||
        (letter == 'v' && is_half(op->vas)))
        r.bits = 64;
    return r;
}

static struct disasm_operand operand_a64(csh handle, const cs_arm64_op *op,
                                         bool is_jump)
{
    if (op->type == ARM64_OP_REG)
        return register_a64(handle, op);
    if (op->type == ARM64_OP_MEM)
        return (struct disasm_operand){
            .kind = DISASM_MEMORY,
            .base = cs_reg_name(handle, op->mem.base),
            .index = op->mem.index != ARM64_REG_INVALID
                         ? cs_reg_name(handle, op->mem.index)
                         : NULL,
            .scale = op->shift.type == ARM64_SFT_LSL && op->shift.value < 8
                         ? 1u << op->shift.value
                         : 1,
            .displacement = op->mem.disp};
    return (struct disasm_operand){.kind = is_jump ? DISASM_TARGET
                                                   : DISASM_IMMEDIATE};
}

/* Lists the operands; the address of a literal is an immediate. */
static unsigned operands_a64(csh handle, const cs_insn *insn,
                             struct disasm_operand *operands)
{
    const cs_arm64 *a64 = &insn->detail->arm64;
    unsigned n = a64->op_count;
    bool is_jump = cs_insn_group(handle, insn, CS_GRP_JUMP) ||
                   cs_insn_group(handle, insn, CS_GRP_CALL) ||
                   cs_insn_group(handle, insn, CS_GRP_BRANCH_RELATIVE);

    if (n > DISASM_MOST_OPERANDS)
        n = DISASM_MOST_OPERANDS;
    for (unsigned i = 0; i < n; i++)
        operands[i] =
            operand_a64(handle, &a64->operands[i], is_jump && i + 1 == n);
    if (n == 2 && strncmp(insn->mnemonic, "ldr", 3) == 0 &&
        operands[1].kind == DISASM_IMMEDIATE)
        operands[1] = (struct disasm_operand){.kind = DISASM_MEMORY};
    return n;
}

unsigned disasm_operands(struct disasm *disasm, const uint8_t *code, size_t n,
                         struct disasm_operand *operands)
{
    uint64_t address = 0;
    unsigned n_operands = 0;
    csh handle = disasm->handle;
    cs_insn *insn = disasm->insn;

    assert(n > 0);
    cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
    if (cs_disasm_iter(handle, &code, &n, &address, insn))
        n_operands = disasm->is_x86 ? operands_x86(handle, insn, operands)
                                    : operands_a64(handle, insn, operands);
    cs_option(handle, CS_OPT_DETAIL, CS_OPT_OFF);
    assert(n_operands <= DISASM_MOST_OPERANDS);
    return n_operands;
}
