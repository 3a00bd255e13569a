/*
 * cy_branch: which branch an instruction is, by its code.
 *
 * Limits: AArch64's ERET counts as no branch; programs do not execute it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

#include <assert.h>
#include <string.h>

/* By the opcode after the prefixes. */
static enum cy_branch branch_x86(const uint8_t *at, unsigned length)
{
    const uint8_t *end = at + length;

    while (at < end && (memchr("\x2e\x3e\x66\x67\xf2\xf3", *at, 6) != NULL ||
                        (*at & 0xf0) == 0x40))
        at++;
    if (at == end)
        return CY_NO_BRANCH;
    if (*at == 0xe8)
        return CY_DIRECT_CALL;
    if (*at == 0xeb || *at == 0xe9)
        return CY_JUMP;
    if (*at == 0xc2 || *at == 0xc3)
        return CY_RETURN;
    if (*at != 0xff || at + 1 == end)
        return CY_NO_BRANCH;
    return (at[1] >> 3 & 7) == 2   ? CY_INDIRECT_CALL
           : (at[1] >> 3 & 7) == 4 ? CY_INDIRECT
                                   : CY_NO_BRANCH;
}

/* Arm ARM, C4.1, branches: B and BL; BR, BLR and RET, also with a signature of
   the address. */
static enum cy_branch branch_a64(const uint8_t *at, unsigned length)
{
    assert(length == 4);
    if ((at[3] & 0xfc) == 0x14)
        return CY_JUMP;
    if ((at[3] & 0xfc) == 0x94)
        return CY_DIRECT_CALL;
    if ((at[3] & 0xfe) != 0xd6)
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

enum cy_branch cy_branch_of(const struct cy_code_insn *insn)
{
    static enum cy_branch (*const of[N_ARCHES])(const uint8_t *, unsigned) = {
        [ARCH_X86_64] = branch_x86, [ARCH_AARCH64] = branch_a64};

    if (cy_flow_is_conditional(&insn->flow))
        return CY_CONDITIONAL;
    assert(insn->arch < N_ARCHES);
    return of[insn->arch](insn->bytes, insn->length);
}

bool cy_is_system_call(const struct cy_code_insn *insn)
{
    const uint8_t *b = insn->bytes;

    /* SVC. */
    if (insn->arch == ARCH_AARCH64)
        return b[3] == 0xd4 && b[2] >> 5 == 0 && (b[0] & 0x1f) == 1;
    /* syscall, sysenter, int. */
    return insn->length >= 2 &&
           ((b[0] == 0x0f && (b[1] == 0x05 || b[1] == 0x34)) || b[0] == 0xcd);
}
