/*
 * sd_operands: describes instructions that VEX does not know, by their
 * operands.
 *
 * Limits: values are not computed, and masks and opmask registers are unknown,
 * so that a masked access has its full width.  Addresses from a vector
 * (gathers, scatters) are bottom.  Instructions that save or restore an area
 * whose size depends on the processor are not described.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_operands.h"

#include <capstone/capstone.h>
#include <limits.h>

#include <libvex_guest_amd64.h>

#include "memory.h"
#include "decode/sd_capstone.h"

#define AT(field) ((unsigned)offsetof(VexGuestAMD64State, field))

/* Where VEX's guest state keeps a register; size 0: it does not. */
struct place {
    unsigned offset, size; /* in bytes */
};

/* Capstone numbers newer registers in sequence, but not the oldest ones. */
static struct place general_register(x86_reg reg)
{
    static const struct {
        x86_reg quad, dword, word, byte, high;
        unsigned offset;
    } table[] = {
        {X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH,
         AT(guest_RAX)},
        {X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH,
         AT(guest_RCX)},
        {X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH,
         AT(guest_RDX)},
        {X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH,
         AT(guest_RBX)},
        {X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL, X86_REG_INVALID,
         AT(guest_RSP)},
        {X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL, X86_REG_INVALID,
         AT(guest_RBP)},
        {X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL, X86_REG_INVALID,
         AT(guest_RSI)},
        {X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL, X86_REG_INVALID,
         AT(guest_RDI)},
    };

    if (reg == X86_REG_INVALID)
        return (struct place){0, 0};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (reg == table[i].quad || reg == table[i].dword)
            return (struct place){table[i].offset,
                                  reg == table[i].quad ? 8 : 4};
        if (reg == table[i].word)
            return (struct place){table[i].offset, 2};
        if (reg == table[i].byte || reg == table[i].high)
            return (struct place){table[i].offset + (reg == table[i].high), 1};
    }
    return (struct place){0, 0};
}

static bool is_between(x86_reg reg, x86_reg first, x86_reg last)
{
    return reg >= first && reg <= last;
}

static struct place numbered_register(x86_reg reg)
{
    static const struct {
        x86_reg first, last;
        unsigned offset, step, size;
    } table[] = {
        {X86_REG_R8, X86_REG_R15, AT(guest_R8), 8, 8},
        {X86_REG_R8D, X86_REG_R15D, AT(guest_R8), 8, 4},
        {X86_REG_R8W, X86_REG_R15W, AT(guest_R8), 8, 2},
        {X86_REG_R8B, X86_REG_R15B, AT(guest_R8), 8, 1},
        {X86_REG_XMM0, X86_REG_XMM15, AT(guest_YMM0), 32, 32},
        {X86_REG_YMM0, X86_REG_YMM15, AT(guest_YMM0), 32, 32},
        {X86_REG_ZMM0, X86_REG_ZMM15, AT(guest_YMM0), 32, 32},
        {X86_REG_MM0, X86_REG_MM7, AT(guest_FPREG), 8, 8},
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (is_between(reg, table[i].first, table[i].last))
            return (struct place){table[i].offset +
                                      (unsigned)(reg - table[i].first) *
                                          table[i].step,
                                  table[i].size};
    return general_register(reg);
}

static bool is_vector(x86_reg reg)
{
    return is_between(reg, X86_REG_XMM0, X86_REG_ZMM31);
}

static uint32_t get(struct sd_insn *out, struct place place)
{
    return sd_insn_emit(out, (struct sd_op){.code = SD_GET,
                                            .width = (uint8_t)(8 * place.size),
                                            .imm = place.offset});
}

static void put_bottom(struct sd_insn *out, unsigned offset, unsigned size)
{
    for (unsigned done = 0; done < size; done += 8)
        sd_insn_effect(
            out, (struct sd_op){.code = SD_PUT,
                                .width = (uint8_t)(size < 8 ? 8 * size : 64),
                                .a = SD_BOTTOM,
                                .imm = offset + done});
}

/* Makes a register bottom; a write of 4 bytes changes its upper half, too. */
static void clobber(struct sd_insn *out, x86_reg reg)
{
    static const unsigned flags[] = {AT(guest_CC_OP), AT(guest_CC_DEP1),
                                     AT(guest_CC_DEP2), AT(guest_CC_NDEP)};
    struct place place = numbered_register(reg);

    if (reg == X86_REG_EFLAGS)
        for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
            put_bottom(out, flags[i], 8);
    else if (place.size > 0)
        put_bottom(out, place.offset, place.size == 4 ? 8 : place.size);
}

static uint32_t add(struct sd_insn *out, uint32_t a, uint32_t b)
{
    return sd_insn_pure(out, SD_ADD, 64, a, b, SD_ZERO);
}

/* A part of an address: a register of 4 or 8 bytes; bottom for other registers.
 */
static uint32_t part(struct sd_insn *out, x86_reg reg)
{
    struct place place = numbered_register(reg);

    if (reg == X86_REG_INVALID || reg == X86_REG_RIZ || reg == X86_REG_EIZ)
        return SD_ZERO;
    if (is_vector(reg) || place.size < 4)
        return SD_BOTTOM;
    return get(out, place);
}

static bool is_narrow(x86_reg reg)
{
    return reg == X86_REG_EIP || reg == X86_REG_EIZ ||
           numbered_register(reg).size == 4;
}

static uint32_t address_of(struct sd_insn *out, const x86_op_mem *m,
                           unsigned length)
{
    bool is_relative = m->base == X86_REG_RIP || m->base == X86_REG_EIP;
    uint64_t disp = (uint64_t)m->disp;
    uint32_t sum, index;

    if (is_relative)
        sum = sd_insn_emit(out, (struct sd_op){.code = SD_CONST_PC,
                                               .width = 64,
                                               .imm = disp + length});
    else
        sum = add(out, part(out, m->base), sd_insn_const(out, disp));
    index = part(out, m->index);
    sum = add(out, sum,
              sd_insn_pure(out, SD_MUL, 64, index,
                           sd_insn_const(out, (uint64_t)m->scale), SD_ZERO));
    if (is_narrow(m->base) || is_narrow(m->index))
        sum = sd_insn_bits(out, SD_EXTRACT, 32, 0, sum, SD_ZERO);
    if (m->segment == X86_REG_FS)
        sum = add(out, sum, get(out, (struct place){AT(guest_FS_CONST), 8}));
    if (m->segment == X86_REG_GS)
        sum = add(out, sum, get(out, (struct place){AT(guest_GS_CONST), 8}));
    return sum;
}

/* Does it access memory that is not among its operands? */
static bool tells_too_little(const cs_insn *insn)
{
    switch (insn->id) {
    case X86_INS_CALL: /* a far one */
    case X86_INS_ENTER:
    case X86_INS_FLDENV:
    case X86_INS_FNSAVE:
    case X86_INS_FNSTENV:
    case X86_INS_FRSTOR:
    case X86_INS_FXRSTOR:
    case X86_INS_FXRSTOR64:
    case X86_INS_FXSAVE:
    case X86_INS_FXSAVE64:
    case X86_INS_XSAVE:
    case X86_INS_XSAVE64:
    case X86_INS_XSAVEC:
    case X86_INS_XSAVEC64:
    case X86_INS_XSAVEOPT:
    case X86_INS_XSAVEOPT64:
    case X86_INS_XSAVES:
    case X86_INS_XSAVES64:
    case X86_INS_XRSTOR:
    case X86_INS_XRSTOR64:
    case X86_INS_XRSTORS:
    case X86_INS_XRSTORS64:
    case X86_INS_MASKMOVQ:
    case X86_INS_MASKMOVDQU:
    case X86_INS_MOVDIR64B:
    case X86_INS_VMASKMOVDQU:
    case X86_INS_IRET:
    case X86_INS_IRETD:
    case X86_INS_IRETQ:
    case X86_INS_RETF:
    case X86_INS_RETFQ:
    case X86_INS_LCALL:
        return true;
    }
    for (unsigned i = 0; i < insn->detail->regs_write_count; i++)
        if (numbered_register(insn->detail->regs_write[i]).offset ==
            AT(guest_RSP))
            return true; /* it uses the stack */
    return false;
}

static void access_memory(struct sd_insn *out, const cs_insn *insn,
                          unsigned number, bool is_first_written)
{
    const cs_x86_op *op = &insn->detail->x86.operands[number];
    struct sd_op access = {.a = SD_BOTTOM, .c = sd_access_size(insn, number)};
    uint8_t kind = sd_access_of(insn, number, is_first_written);

    if (!sd_access_is_scatter(insn))
        access.a = address_of(out, &op->mem, insn->size);
    access.b = sd_insn_const(out, 1);
    if (kind & CS_AC_READ) {
        access.code = SD_READ;
        sd_insn_effect(out, access);
    }
    if (kind & CS_AC_WRITE) {
        access.code = SD_WRITE;
        sd_insn_effect(out, access);
    }
}

static x86_reg accumulator(unsigned n_bytes)
{
    switch (n_bytes) {
    case 1:
        return X86_REG_AL;
    case 2:
        return X86_REG_AX;
    default:
        return n_bytes == 4 ? X86_REG_EAX : X86_REG_RAX;
    }
}

/* Makes the registers bottom that are written without being operands. */
static void clobber_implied(struct sd_insn *out, const cs_insn *insn)
{
    switch (insn->id) {
    case X86_INS_INT: /* the result of a system call */
        clobber(out, X86_REG_RAX);
        break;
    case X86_INS_CMPXCHG:
        clobber(out, accumulator(insn->detail->x86.operands[0].size));
        __attribute__((fallthrough));
    case X86_INS_TEST: /* capstone 5 omits it where memory comes first */
    case X86_INS_XADD:
        clobber(out, X86_REG_EFLAGS);
        break;
    case X86_INS_PCMPESTRM: /* capstone 5 reports nothing for these */
    case X86_INS_PCMPISTRM:
    case X86_INS_VPCMPESTRM:
    case X86_INS_VPCMPISTRM:
        clobber(out, X86_REG_XMM0);
        clobber(out, X86_REG_EFLAGS);
        break;
    case X86_INS_SYSCALL:
        clobber(out, X86_REG_RAX);
        clobber(out, X86_REG_RCX);
        clobber(out, X86_REG_R11);
        break;
    case X86_INS_XLATB:
        clobber(out, X86_REG_AL);
        break;
    case X86_INS_WRFSBASE:
        put_bottom(out, AT(guest_FS_CONST), 8);
        break;
    case X86_INS_WRGSBASE:
    case X86_INS_SWAPGS:
        put_bottom(out, AT(guest_GS_CONST), 8);
        break;
    }
    if (insn->detail->x86.prefix[0] == X86_PREFIX_REP ||
        insn->detail->x86.prefix[0] == X86_PREFIX_REPNE) /* the count */
        clobber(out, X86_REG_RCX);
    if ((insn->detail->x86.opcode[0] & 0xf8) == 0xd8) { /* x87 */
        put_bottom(out, AT(guest_FPREG), 64);
        put_bottom(out, AT(guest_FPTAG), 8);
        put_bottom(out, AT(guest_FTOP), 4);
    }
}

static void access_table(struct sd_insn *out)
{
    struct place al = {AT(guest_RAX), 1}, rbx = {AT(guest_RBX), 8};

    sd_insn_effect(out,
                   (struct sd_op){.code = SD_READ,
                                  .a = add(out, get(out, rbx), get(out, al)),
                                  .b = sd_insn_const(out, 1),
                                  .c = 1});
}

/* Computes addresses first, because they depend on the old registers. */
static void describe(struct sd_insn *out, csh handle, const cs_insn *insn,
                     bool is_first_written)
{
    const cs_x86 *x86 = &insn->detail->x86;
    cs_regs read, written;
    uint8_t n_read, n_written;

    for (unsigned i = 0; i < x86->op_count; i++)
        if (x86->operands[i].type == X86_OP_MEM && !sd_access_is_none(insn))
            access_memory(out, insn, i, is_first_written);
    if (is_first_written && x86->op_count > 0 &&
        x86->operands[0].type == X86_OP_REG)
        clobber(out, x86->operands[0].reg);
    if (insn->id == X86_INS_XLATB)
        access_table(out);
    clobber_implied(out, insn);
    if (cs_regs_access(handle, insn, read, &n_read, written, &n_written) !=
        CS_ERR_OK)
        return;
    for (unsigned i = 0; i < n_written; i++)
        if (!sd_access_compares(insn) || written[i] == X86_REG_EFLAGS)
            clobber(out, written[i]);
}

/* Opened once and kept, because each distinct instruction needs it. */
static csh detailed(cs_insn **insn)
{
    static csh handle;
    static cs_insn *kept;

    if (kept == NULL &&
        (cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK ||
         cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK ||
         (kept = cs_malloc(handle)) == NULL))
        memory_exhausted();
    *insn = kept;
    return handle;
}

bool sd_operands(struct sd_insn *out, const uint8_t *code, unsigned length)
{
    cs_insn *insn;
    csh handle = detailed(&insn);
    const uint8_t *next = code;
    size_t n = length;
    uint64_t address = 0;

    if (sd_vector(out, code, length))
        return true;
    if (!cs_disasm_iter(handle, &next, &n, &address, insn))
        return sd_vector_registers(out, code, length);
    if (insn->size != length || tells_too_little(insn))
        return false;
    describe(out, handle, insn, sd_access_writes_first(insn, code));
    return true;
}
