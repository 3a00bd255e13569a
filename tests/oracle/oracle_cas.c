/*
 * oracle_cas: looks from a compare-and-swap to the branch on its zero flag,
 * past moves between registers, which leave flags alone.
 *
 * If anything else comes first (sete, a second comparison), it is unsure.
 * Limits: on AArch64 each compare-and-swap is taken to succeed.
 * Opcodes are those of the AMD64 manual, volume 3, appendix A, and of the Arm
 * ARM, C4.1, "Loads and Stores".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "oracle_cas.h"

#include <assert.h>
#include <string.h>

#ifdef __aarch64__
/* Is it STXR, STXP or the like?  CASP, which has the form of a pair, is not. */
static bool is_store_exclusive(const unsigned char code[ORACLE_CODE])
{
    uint32_t insn;

    memcpy(&insn, code, sizeof(insn));
    return (insn & 0x3fc00000) == 0x08000000 &&
           ((insn & 0x00200000) == 0 || insn >> 31 == 1);
}
#endif

enum oracle_kind oracle_cas_kind(const unsigned char code[ORACLE_CODE])
{
    const unsigned char *p = code;
    bool locked = false;

#ifdef __aarch64__
    return is_store_exclusive(code) ? ORACLE_EXCLUSIVE : ORACLE_OTHER;
#endif
    while (*p == 0xF0 || *p == 0x66 || *p == 0x64)
        locked |= *p++ == 0xF0;
    if ((*p & 0xF0) == 0x40) /* REX */
        p++;
    if (locked)
        return p[0] == 0x0F && (p[1] == 0xB0 || p[1] == 0xB1 ||
                                (p[1] == 0xC7 && (p[2] >> 3 & 7) == 1))
                   ? ORACLE_CAS
                   : ORACLE_OTHER;
    if (p[0] == 0x0F &&
        (p[1] == 0xA3 || p[1] == 0xAB || p[1] == 0xB3 || p[1] == 0xBB))
        return p[2] >= 0xC0 ? ORACLE_BIT : ORACLE_OTHER;
    if (p[0] == 0x74 || (p[0] == 0x0F && p[1] == 0x84))
        return ORACLE_JE;
    if (p[0] == 0x75 || (p[0] == 0x0F && p[1] == 0x85))
        return ORACLE_JNE;
    return p[0] >= 0x88 && p[0] <= 0x8B && p[1] >= 0xC0 ? ORACLE_MOV
                                                        : ORACLE_OTHER;
}

void oracle_cas_begin(struct oracle_cas *cas)
{
    assert(!cas->waits);
    *cas = (struct oracle_cas){.waits = true};
}

enum oracle_verdict oracle_cas_step(struct oracle_cas *cas, uint64_t address,
                                    uint64_t length, enum oracle_kind kind)
{
    if (!cas->waits)
        return ORACLE_WAIT;
    if (cas->branch != ORACLE_OTHER) {
        bool taken = address != cas->next;

        cas->waits = false;
        return taken == (cas->branch == ORACLE_JE) ? ORACLE_DONE
                                                   : ORACLE_FAILED;
    }
    if (kind == ORACLE_JE || kind == ORACLE_JNE) {
        cas->branch = kind;
        cas->next = address + length;
        return ORACLE_WAIT;
    }
    if (kind == ORACLE_MOV)
        return ORACLE_WAIT;
    cas->waits = false;
    return ORACLE_UNSURE;
}
