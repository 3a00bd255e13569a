/*
 * cy_guest: what the lifter must know about VEX's guest of each architecture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/internal.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <libvex_guest_amd64.h>
#include <libvex_guest_arm64.h>

#include "x86.h"

#define AMD64(field) ((unsigned)offsetof(VexGuestAMD64State, guest_##field))
#define ARM64(field) ((unsigned)offsetof(VexGuestARM64State, guest_##field))

_Static_assert(sizeof(VexGuestAMD64State) <= 8 * CY_WORDS &&
                   sizeof(VexGuestARM64State) <= 8 * CY_WORDS,
               "the guest state fits the words");

/* Is it a direct jump, perhaps after prefixes that hint where it goes? (Intel's
   manual, volume 2, JMP, Jcc and LOOP.) */
static bool is_jump_x86(const uint8_t *code, unsigned length)
{
    unsigned i = 0;

    while (i + 1 < length && memchr("\x2e\x3e\x66\x67\xf2", code[i], 5) != NULL)
        i++;
    if (code[i] == 0x0f)
        return i + 1 < length && (code[i + 1] & 0xf0) == 0x80;
    return (code[i] & 0xf0) == 0x70 || (code[i] & 0xfc) == 0xe0 ||
           code[i] == 0xe9 || code[i] == 0xeb;
}

static bool is_never(const uint8_t *code, unsigned length)
{
    (void)code, (void)length;
    return false;
}

static bool spills_x86(const uint8_t *code, unsigned length)
{
    return x86_tests_bit_of_register(code, length);
}

/* B: VEX takes it for a call, as BL. */
static bool is_b(const uint8_t *code, unsigned length)
{
    (void)length;
    return (code[3] & 0xfc) == 0x14;
}

/* Is it a direct jump: B, B.cond, CBZ, CBNZ, TBZ or TBNZ?  (Arm ARM, C4.1,
   branches.) */
static bool is_jump_a64(const uint8_t *code, unsigned length)
{
    return is_b(code, length) || code[3] == 0x54 || (code[3] & 0x7e) == 0x34 ||
           (code[3] & 0x7e) == 0x36;
}

static const struct cy_guest guests[N_ARCHES] = {
    [ARCH_X86_64] = {.vex = VexArchAMD64,
                     .first_flag = AMD64(CC_OP),
                     .last_flag = AMD64(CC_NDEP),
                     .unread = {AMD64(RIP), AMD64(CC_OP), AMD64(IDFLAG),
                                AMD64(ACFLAG), AMD64(DFLAG), CY_NO_OFFSET},
                     .stack_pointer = AMD64(RSP),
                     .thread_pointer = AMD64(FS_CONST),
                     .system_result = AMD64(RAX),
                     .keeps_halves = true,
                     .is_jump = is_jump_x86,
                     .is_no_call = is_never,
                     .spills = spills_x86},
    /* The flag of saturation is sticky: nothing waits for it. */
    [ARCH_AARCH64] = {.vex = VexArchARM64,
                      .first_flag = ARM64(CC_OP),
                      .last_flag = ARM64(CC_NDEP),
                      .unread = {ARM64(PC), ARM64(CC_OP), ARM64(QCFLAG),
                                 CY_NO_OFFSET},
                      .stack_pointer = ARM64(XSP),
                      .thread_pointer = ARM64(TPIDR_EL0),
                      .system_result = ARM64(X0),
                      .moves_bases = true,
                      .relocates_jumps = true,
                      .is_jump = is_jump_a64,
                      .is_no_call = is_b,
                      .spills = is_never},
};

const struct cy_guest *cy_guest_of(enum arch arch)
{
    assert(arch < N_ARCHES);
    return &guests[arch];
}

bool cy_guest_is_unread(const struct cy_guest *guest, unsigned offset)
{
    const unsigned *unread = guest->unread;

    while (*unread != CY_NO_OFFSET && *unread != offset)
        unread++;
    return *unread == offset;
}

bool cy_words_of_a64(const char *name, unsigned *first, unsigned *n)
{
    char *end;
    unsigned long number;

    if (strchr("xwbhsdqv", name[0]) == NULL || name[0] == '\0' ||
        name[1] < '0' || name[1] > '9')
        return false;
    number = strtoul(name + 1, &end, 10);
    if (*end != '\0' || number > 31)
        return false;
    if (name[0] == 'x' || name[0] == 'w') {
        *first = ARM64(X0) / 8 + (unsigned)number;
        *n = 1;
        return number < 31;
    }
    *first = ARM64(Q0) / 8 + 2 * (unsigned)number;
    *n = name[0] == 'q' || name[0] == 'v' ? 2 : 1;
    return true;
}

int cy_dwarf_register(enum arch arch, unsigned word)
{
    /* In the order of VEX: RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI.  (System V
       ABI for AMD64, figure 3.36.) */
    static const int low[] = {0, 2, 1, 3, 7, 6, 4, 5};
    unsigned first = arch == ARCH_X86_64 ? AMD64(RAX) / 8 : ARM64(X0) / 8;
    unsigned last = arch == ARCH_X86_64 ? AMD64(R15) / 8 : ARM64(XSP) / 8;

    if (word < first || word > last)
        return -1;
    return arch == ARCH_X86_64 && word - first < 8 ? low[word - first]
                                                   : (int)(word - first);
}

bool cy_is_stack_pointer(enum arch arch, unsigned word)
{
    return 8 * word == cy_guest_of(arch)->stack_pointer;
}

bool cy_is_thread_pointer(enum arch arch, unsigned word)
{
    return 8 * word == cy_guest_of(arch)->thread_pointer;
}

/* RBX, RSP, RBP and R12 to R15 (System V ABI for AMD64, figure 3.4); X19 to
   X29, SP, and the lower half of V8 to V15 (Procedure Call Standard for
   AArch64, 6.1). */
bool cy_is_kept(enum arch arch, unsigned word)
{
    int n = cy_dwarf_register(arch, word);

    if (arch == ARCH_X86_64)
        return n == 3 || n == 6 || n == 7 || n >= 12;
    return (n >= 19 && n <= 29) || n == 31 ||
           (word >= ARM64(Q8) / 8 && word <= ARM64(Q15) / 8 &&
            (word - ARM64(Q8) / 8) % 2 == 0);
}
