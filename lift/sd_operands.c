/*
 * Capstone's errors were found by comparing it with VEX
 * (tests/unit/staticdeps/agree.c).
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

#include <libvex_guest_amd64.h>

#define AT(field) ((unsigned)offsetof(VexGuestAMD64State, field))

/* What capstone does not tell, or tells wrongly. */
enum {
    NO_ACCESS = 1 << 0,     /* names memory without accessing it */
    COMPARES = 1 << 1,      /* reads its operands and writes only flags */
    SCATTER = 1 << 2,       /* the index is a vector, not a general register */
    READS = 1 << 3,         /* reads its operand in memory */
    WRITES = 1 << 4,        /* writes its operand in memory */
    WRITES_FIRST = 1 << 5,  /* writes memory as first operand, else reads it */
    CHANGES_FIRST = 1 << 6, /* changes memory as first operand, else reads it */
    KEEPS_FIRST = 1 << 7,   /* a vector instruction that writes no operand */
    TELLS_TOO_LITTLE = 1 << 8 /* accesses memory that is no operand */
};
#define SIZE(n)                  ((n) << 9) /* of its access, in bytes */
#define RANGE(what, first, last) [X86_INS_##first... X86_INS_##last] = (what)
#define ONE(what, name)          [X86_INS_##name] = (what)
#define FOUR(what, a, b, c, d) \
    ONE(what, a), ONE(what, b), ONE(what, c), ONE(what, d)

static const uint16_t traits[X86_INS_ENDING + 2] = {
    FOUR(NO_ACCESS, CLFLUSH, CLFLUSHOPT, CLWB, INVLPG),
    FOUR(NO_ACCESS, LEA, NOP, PREFETCH, PREFETCHNTA),
    FOUR(NO_ACCESS, PREFETCHT0, PREFETCHT1, PREFETCHT2, PREFETCHW),
    ONE(COMPARES, CMP),
    ONE(COMPARES, TEST),
    FOUR(SCATTER, VPSCATTERDD, VPSCATTERDQ, VPSCATTERQD, VPSCATTERQQ),
    FOUR(SCATTER, VSCATTERDPD, VSCATTERDPS, VSCATTERQPD, VSCATTERQPS),
    FOUR(WRITES, FBSTP, FIST, FISTP, FISTTP),
    FOUR(WRITES, FNSTCW, FST, FSTP, MOVNTI),
    ONE(WRITES, STMXCSR),
    ONE(WRITES | SIZE(2), FNSTSW),
    FOUR(READS, CMPSB, CMPSD, CMPSQ, CMPSW), /* cmpsd of vectors, too */
    ONE(READS, VLDMXCSR),
    ONE(WRITES_FIRST, MOVBE),
    FOUR(CHANGES_FIRST, CMPXCHG, RCL, RCR, ROL),
    ONE(CHANGES_FIRST, ROR),
    FOUR(KEEPS_FIRST | SIZE(8), COMISD, UCOMISD, VCOMISD, VUCOMISD),
    FOUR(KEEPS_FIRST | SIZE(4), COMISS, UCOMISS, VCOMISS, VUCOMISS),
    FOUR(KEEPS_FIRST, PCMPESTRI, PCMPESTRM, PCMPISTRI, PCMPISTRM),
    FOUR(KEEPS_FIRST, PTEST, VPCMPESTRI, VPCMPESTRM, VPCMPISTRI),
    FOUR(KEEPS_FIRST, VPCMPISTRM, VPTEST, VTESTPD, VTESTPS),
    FOUR(TELLS_TOO_LITTLE, CALL, ENTER, FLDENV, FNSAVE), /* a far call */
    FOUR(TELLS_TOO_LITTLE, FNSTENV, FRSTOR, FXRSTOR, FXRSTOR64),
    FOUR(TELLS_TOO_LITTLE, FXSAVE, FXSAVE64, XSAVE, XSAVE64),
    FOUR(TELLS_TOO_LITTLE, XSAVEC, XSAVEC64, XSAVEOPT, XSAVEOPT64),
    FOUR(TELLS_TOO_LITTLE, XSAVES, XSAVES64, XRSTOR, XRSTOR64),
    FOUR(TELLS_TOO_LITTLE, XRSTORS, XRSTORS64, MASKMOVQ, MASKMOVDQU),
    FOUR(TELLS_TOO_LITTLE, MOVDIR64B, VMASKMOVDQU, IRET, IRETD),
    FOUR(TELLS_TOO_LITTLE, IRETQ, RETF, RETFQ, LCALL),
    RANGE(NO_ACCESS, VGATHERPF0DPD, VGATHERPF1QPS),
    RANGE(NO_ACCESS, VSCATTERPF0DPD, VSCATTERPF1QPS),
    RANGE(WRITES, SETAE, SETS),
};

static bool is(const cs_insn *insn, unsigned what)
{
    return (traits[insn->id] & what) != 0;
}

/* Where VEX's guest state keeps a register; size 0: not at all. */
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

/* Makes a register bottom; a write of 4 bytes changes its upper half, too. */
static void clobber_place(struct sd_insn *out, struct place place)
{
    if (place.size == 1 || place.size == 2)
        sd_insn_put(out, place.offset, 8 * place.size, SD_BOTTOM);
    else
        sd_insn_clobber(out, place.offset, (place.size + 4) / 8);
}

static void clobber(struct sd_insn *out, x86_reg reg)
{
    if (reg == X86_REG_EFLAGS)
        sd_insn_clobber(out, AT(guest_CC_OP), 4); /* all four words of flags */
    else
        clobber_place(out, numbered_register(reg));
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
    return sd_insn_get(out, place.offset, 8 * place.size);
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
    uint32_t sum;

    if (is_relative)
        sum = sd_insn_const_pc(out, disp + length);
    else
        sum = sd_insn_add(out, part(out, m->base), sd_insn_const(out, disp));
    uint32_t index = part(out, m->index);
    sum = sd_insn_add(out, sum,
                      sd_insn_pure(out, SD_MUL, 64, index,
                                   sd_insn_const(out, (uint64_t)m->scale),
                                   SD_ZERO));
    if (is_narrow(m->base) || is_narrow(m->index))
        sum = sd_insn_bits(out, SD_EXTRACT, 32, 0, sum, SD_ZERO);
    if (m->segment == X86_REG_FS)
        sum = sd_insn_add(out, sum, sd_insn_get(out, AT(guest_FS_CONST), 64));
    if (m->segment == X86_REG_GS)
        sum = sd_insn_add(out, sum, sd_insn_get(out, AT(guest_GS_CONST), 64));
    return sum;
}

/* CS_AC_READ, CS_AC_WRITE or both, for operand `number`, which is in memory. */
static uint8_t access_of(const cs_insn *insn, unsigned number,
                         bool is_first_written)
{
    uint8_t access = insn->detail->x86.operands[number].access;
    bool is_first = number == 0;

    if (is(insn, COMPARES | READS))
        return CS_AC_READ;
    if (is(insn, WRITES))
        return CS_AC_WRITE;
    if (is(insn, CHANGES_FIRST))
        return is_first ? CS_AC_READ | CS_AC_WRITE : CS_AC_READ;
    if (is(insn, WRITES_FIRST) || is_first_written ||
        (access & (CS_AC_READ | CS_AC_WRITE)) == 0)
        return is_first ? CS_AC_WRITE : CS_AC_READ;
    return access;
}

/* Is there a VEX, EVEX or XOP prefix, maybe after an address-size or segment
   prefix? */
static bool has_vector_prefix(const uint8_t *code, unsigned length)
{
    while (length > 1 && (*code == 0x67 || *code == 0x64 || *code == 0x65)) {
        code++;
        length--;
    }
    return *code == 0xc4 || *code == 0xc5 || *code == 0x62 || *code == 0x8f;
}

/* Is an instruction a vector instruction that writes its first operand?
   Capstone 4 reports that operand as read. */
static bool writes_first(const cs_insn *insn, const uint8_t *code)
{
    const cs_x86 *x86 = &insn->detail->x86;

    if (is(insn, KEEPS_FIRST))
        return false;
    for (unsigned i = 0; i < x86->op_count; i++)
        if (x86->operands[i].type == X86_OP_REG &&
            (is_vector(x86->operands[i].reg) ||
             is_between(x86->operands[i].reg, X86_REG_MM0, X86_REG_MM7)))
            return true;
    return has_vector_prefix(code, insn->size);
}

/* Is an instruction a vector instruction on one float or double?  Other names
   with this ending begin with vp (integers) or v4 (four steps). */
static bool is_scalar(const cs_insn *insn)
{
    const char *name = insn->mnemonic;
    size_t n = strlen(name);

    return n > 3 && name[0] == 'v' && name[1] != 'p' && name[1] != '4' &&
           (strcmp(name + n - 2, "ss") == 0 || strcmp(name + n - 2, "sd") == 0);
}

/* The number of bytes accessed through operand `number`. */
static uint8_t size_of(const cs_insn *insn, unsigned number)
{
    uint8_t size = (uint8_t)(traits[insn->id] / SIZE(1));

    if (size != 0)
        return size;
    size = insn->detail->x86.operands[number].size;
    /* With an EVEX prefix, capstone 4 often reports the register's size. */
    if (size == 16 && is_scalar(insn))
        return insn->mnemonic[strlen(insn->mnemonic) - 1] == 's' ? 4 : 8;
    return size;
}

/* Does an instruction access memory that is not among its operands? */
static bool tells_too_little(const cs_insn *insn)
{
    if (is(insn, TELLS_TOO_LITTLE))
        return true;
    for (unsigned i = 0; i < insn->detail->regs_write_count; i++)
        if (numbered_register(insn->detail->regs_write[i]).offset ==
            AT(guest_RSP))
            return true; /* the instruction uses the stack */
    return false;
}

static void access_memory(struct sd_insn *out, const cs_insn *insn,
                          unsigned number, bool is_first_written)
{
    const cs_x86_op *op = &insn->detail->x86.operands[number];
    uint8_t kind = access_of(insn, number, is_first_written);
    uint32_t address = SD_BOTTOM;

    if (!is(insn, SCATTER))
        address = address_of(out, &op->mem, insn->size);
    if (kind & CS_AC_READ)
        sd_insn_access(out, SD_READ, address, size_of(insn, number));
    if (kind & CS_AC_WRITE)
        sd_insn_access(out, SD_WRITE, address, size_of(insn, number));
}

/* Makes the registers bottom that an instruction writes beside its operands. */
static void clobber_implied(struct sd_insn *out, const cs_insn *insn)
{
    switch (insn->id) {
    case X86_INS_INT: /* rax is a system call's result */
        clobber(out, X86_REG_RAX);
        break;
    case X86_INS_CMPXCHG:
        clobber_place(out, (struct place){AT(guest_RAX),
                                          insn->detail->x86.operands[0].size});
        __attribute__((fallthrough));
    case X86_INS_TEST: /* capstone 5 omits it where memory comes first */
    case X86_INS_XADD:
        clobber(out, X86_REG_EFLAGS);
        break;
    case X86_INS_PCMPESTRM: /* capstone 5 reports no registers for these */
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
        sd_insn_clobber(out, AT(guest_FS_CONST), 1);
        break;
    case X86_INS_WRGSBASE:
    case X86_INS_SWAPGS:
        sd_insn_clobber(out, AT(guest_GS_CONST), 1);
        break;
    }
    if (insn->detail->x86.prefix[0] == X86_PREFIX_REP ||
        insn->detail->x86.prefix[0] == X86_PREFIX_REPNE) /* changes the count */
        clobber(out, X86_REG_RCX);
    if ((insn->detail->x86.opcode[0] & 0xf8) == 0xd8) { /* x87's opcodes */
        sd_insn_clobber(out, AT(guest_FPREG), 8);
        sd_insn_clobber(out, AT(guest_FPTAG), 1);
        sd_insn_put(out, AT(guest_FTOP), 32, SD_BOTTOM);
    }
}

/* Computes addresses before results, since they depend on the old registers. */
static void describe(struct sd_insn *out, csh handle, const cs_insn *insn,
                     bool is_first_written)
{
    const cs_x86 *x86 = &insn->detail->x86;
    cs_regs read, written;
    uint8_t n_read, n_written;

    for (unsigned i = 0; i < x86->op_count; i++)
        if (x86->operands[i].type == X86_OP_MEM && !is(insn, NO_ACCESS))
            access_memory(out, insn, i, is_first_written);
    if (is_first_written && x86->op_count > 0 &&
        x86->operands[0].type == X86_OP_REG)
        clobber(out, x86->operands[0].reg);
    if (insn->id == X86_INS_XLATB) {
        uint32_t al = sd_insn_get(out, AT(guest_RAX), 8);
        uint32_t rbx = sd_insn_get(out, AT(guest_RBX), 64);

        sd_insn_access(out, SD_READ, sd_insn_add(out, rbx, al), 1);
    }
    clobber_implied(out, insn);
    if (cs_regs_access(handle, insn, read, &n_read, written, &n_written) !=
        CS_ERR_OK)
        return;
    for (unsigned i = 0; i < n_written; i++)
        if (!is(insn, COMPARES) || written[i] == X86_REG_EFLAGS)
            clobber(out, written[i]);
}

/* Capstone is opened once and kept: each distinct instruction needs it. */
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
    describe(out, handle, insn, writes_first(insn, code));
    return true;
}
