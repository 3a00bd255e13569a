/*
 * sd_access: finds the operands that an x86 instruction reads, and those it
 * writes.
 *
 * Capstone 4 reports the operand that a vector instruction writes as read; so
 * the first operand is taken to be written there.  Its other errors were found
 * by comparing it with VEX (tests/unit/staticdeps/agree.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_operands.h"

#include <capstone/capstone.h>
#include <string.h>

/* Instructions with an operand in memory that they do not access. */
bool sd_access_is_none(const cs_insn *insn)
{
    switch (insn->id) {
    case X86_INS_CLFLUSH:
    case X86_INS_CLFLUSHOPT:
    case X86_INS_CLWB:
    case X86_INS_INVLPG:
    case X86_INS_LEA:
    case X86_INS_NOP:
    case X86_INS_PREFETCH:
    case X86_INS_PREFETCHNTA:
    case X86_INS_PREFETCHT0:
    case X86_INS_PREFETCHT1:
    case X86_INS_PREFETCHT2:
    case X86_INS_PREFETCHW:
    case X86_INS_VGATHERPF0DPD ... X86_INS_VGATHERPF1QPS:
    case X86_INS_VSCATTERPF0DPD ... X86_INS_VSCATTERPF1QPS:
        return true;
    default:
        return false;
    }
}

/* The index is a vector, but capstone 4 shows a general register. */
bool sd_access_compares(const cs_insn *insn)
{
    return insn->id == X86_INS_CMP || insn->id == X86_INS_TEST;
}

bool sd_access_is_scatter(const cs_insn *insn)
{
    switch (insn->id) {
    case X86_INS_VPSCATTERDD:
    case X86_INS_VPSCATTERDQ:
    case X86_INS_VPSCATTERQD:
    case X86_INS_VPSCATTERQQ:
    case X86_INS_VSCATTERDPD:
    case X86_INS_VSCATTERDPS:
    case X86_INS_VSCATTERQPD:
    case X86_INS_VSCATTERQPS:
        return true;
    default:
        return false;
    }
}

uint8_t sd_access_of(const cs_insn *insn, unsigned number,
                     bool is_first_written)
{
    const cs_x86_op *op = &insn->detail->x86.operands[number];

    if (sd_access_compares(insn))
        return CS_AC_READ;
    switch (insn->id) {
    case X86_INS_FBSTP:
    case X86_INS_FIST:
    case X86_INS_FISTP:
    case X86_INS_FISTTP:
    case X86_INS_FNSTCW:
    case X86_INS_FNSTSW:
    case X86_INS_FST:
    case X86_INS_FSTP:
    case X86_INS_MOVNTI:
    case X86_INS_SETAE ... X86_INS_SETS:
    case X86_INS_STMXCSR:
        return CS_AC_WRITE;
    case X86_INS_CMPSB:
    case X86_INS_CMPSD: /* of vectors, too */
    case X86_INS_CMPSQ:
    case X86_INS_CMPSW:
    case X86_INS_VLDMXCSR:
        return CS_AC_READ;
    case X86_INS_MOVBE:
        return number == 0 ? CS_AC_WRITE : CS_AC_READ;
    case X86_INS_CMPXCHG:
    case X86_INS_RCL:
    case X86_INS_RCR:
    case X86_INS_ROL:
    case X86_INS_ROR:
        return number == 0 ? CS_AC_READ | CS_AC_WRITE : CS_AC_READ;
    }
    if (is_first_written || (op->access & (CS_AC_READ | CS_AC_WRITE)) == 0)
        return number == 0 ? CS_AC_WRITE : CS_AC_READ;
    return op->access;
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

static bool is_vector(x86_reg reg)
{
    return (reg >= X86_REG_XMM0 && reg <= X86_REG_ZMM31) ||
           (reg >= X86_REG_MM0 && reg <= X86_REG_MM7);
}

bool sd_access_writes_first(const cs_insn *insn, const uint8_t *code)
{
    const cs_x86 *x86 = &insn->detail->x86;

    switch (insn->id) {
    case X86_INS_COMISD:
    case X86_INS_COMISS:
    case X86_INS_PCMPESTRI:
    case X86_INS_PCMPESTRM:
    case X86_INS_PCMPISTRI:
    case X86_INS_PCMPISTRM:
    case X86_INS_PTEST:
    case X86_INS_UCOMISD:
    case X86_INS_UCOMISS:
    case X86_INS_VCOMISD:
    case X86_INS_VCOMISS:
    case X86_INS_VPCMPESTRI:
    case X86_INS_VPCMPESTRM:
    case X86_INS_VPCMPISTRI:
    case X86_INS_VPCMPISTRM:
    case X86_INS_VPTEST:
    case X86_INS_VTESTPD:
    case X86_INS_VTESTPS:
    case X86_INS_VUCOMISD:
    case X86_INS_VUCOMISS:
        return false;
    }
    for (unsigned i = 0; i < x86->op_count; i++)
        if (x86->operands[i].type == X86_OP_REG &&
            is_vector(x86->operands[i].reg))
            return true;
    return has_vector_prefix(code, insn->size);
}

/* Is it a vector instruction on one float or double?  Other names with this
   ending begin with vp (integers) or v4 (four steps). */
static bool is_scalar(const cs_insn *insn)
{
    const char *name = insn->mnemonic;
    size_t n = strlen(name);

    return n > 3 && name[0] == 'v' && name[1] != 'p' && name[1] != '4' &&
           (strcmp(name + n - 2, "ss") == 0 || strcmp(name + n - 2, "sd") == 0);
}

uint8_t sd_access_size(const cs_insn *insn, unsigned number)
{
    uint8_t size;

    switch (insn->id) {
    case X86_INS_COMISD:
    case X86_INS_UCOMISD:
    case X86_INS_VCOMISD:
    case X86_INS_VUCOMISD:
        return 8;
    case X86_INS_COMISS:
    case X86_INS_UCOMISS:
    case X86_INS_VCOMISS:
    case X86_INS_VUCOMISS:
        return 4;
    case X86_INS_FNSTSW:
        return 2;
    }
    size = insn->detail->x86.operands[number].size;
    /* With an EVEX prefix, capstone 4 often reports the register's size. */
    if (size == 16 && is_scalar(insn))
        return insn->mnemonic[strlen(insn->mnemonic) - 1] == 's' ? 4 : 8;
    return size;
}
