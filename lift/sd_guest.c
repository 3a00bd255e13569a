/*
 * sd_guest: facts about VEX's guest of each architecture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_flat.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>

#include <libvex_guest_amd64.h>
#include <libvex_guest_arm64.h>

_Static_assert(sizeof(VexGuestAMD64State) <= 8 * SD_N_WORDS &&
                   sizeof(VexGuestARM64State) <= 8 * SD_N_WORDS,
               "the guest state fits the registers");

#define AMD64(field) offsetof(VexGuestAMD64State, guest_##field)
#define ARM64(field) offsetof(VexGuestARM64State, guest_##field)

static const struct sd_guest guests[N_ARCHES] =
    {
        [ARCH_X86_64] =
            {
                .arch = VexArchAMD64,
                .program_counter = AMD64(RIP),
                .syscall_result = AMD64(RAX),
                .syscall_clobbers =
                    AMD64(R11), /* holds the flags; VEX does not write it */
                /* The flags are unknown; the direction flag is clear and the
                   x87 stack empty, as the ABI has it at calls. */
                .initial = {{AMD64(CC_OP), {0, UINT64_MAX}},
                            {AMD64(CC_DEP1), {0, UINT64_MAX}},
                            {AMD64(CC_DEP2), {0, UINT64_MAX}},
                            {AMD64(CC_NDEP), {0, UINT64_MAX}},
                            {AMD64(DFLAG), {1, 0}},
                            {AMD64(FTOP), {0, 0}},
                            {AMD64(FPTAG), {0, 0}},
                            {UINT_MAX, {0, 0}}},
                .stack_pointer = AMD64(RSP),
                .frame_pointer = AMD64(RBP),
                .return_address_size = 8,
                .arguments = {AMD64(RDI), AMD64(RSI), AMD64(RDX), AMD64(RCX),
                              AMD64(R8), AMD64(R9)},
                .general = {AMD64(RAX), AMD64(CC_OP)},
                /* System V ABI, AMD64 supplement, figure 3.4 "Register Usage".
                 */
                .caller_saved = {{AMD64(RAX), AMD64(RBX)},
                                 {AMD64(RSI), AMD64(R12)},
                                 {AMD64(CC_OP), AMD64(DFLAG)},
                                 {AMD64(YMM0), AMD64(FTOP)},
                                 {AMD64(FPREG), AMD64(FPTAG)}},
            },
        [ARCH_AARCH64] =
            {
                .arch = VexArchARM64,
                .program_counter = ARM64(PC),
                .syscall_result = ARM64(X0),
                .syscall_clobbers = -1,
                .initial = {{ARM64(CC_OP), {0, UINT64_MAX}},
                            {ARM64(CC_DEP1), {0, UINT64_MAX}},
                            {ARM64(CC_DEP2), {0, UINT64_MAX}},
                            {ARM64(CC_NDEP), {0, UINT64_MAX}},
                            {UINT_MAX, {0, 0}}},
                .stack_pointer = ARM64(XSP),
                .frame_pointer = ARM64(X29),
                .arguments = {ARM64(X0), ARM64(X1), ARM64(X2), ARM64(X3),
                              ARM64(X4), ARM64(X5), ARM64(X6), ARM64(X7)},
                .general = {ARM64(X0), ARM64(PC)},
                /* AAPCS64, 6.1 "Machine Registers": of v8 to v15, the lower
                   half is kept. */
                .caller_saved = {{ARM64(X0), ARM64(X19)},
                                 {ARM64(X30), ARM64(XSP)},
                                 {ARM64(CC_OP), ARM64(TPIDR_EL0)},
                                 {ARM64(Q0), ARM64(Q8)},
                                 {ARM64(Q8) + 8, ARM64(Q9)},
                                 {ARM64(Q9) + 8, ARM64(Q10)},
                                 {ARM64(Q10) + 8, ARM64(Q11)},
                                 {ARM64(Q11) + 8, ARM64(Q12)},
                                 {ARM64(Q12) + 8, ARM64(Q13)},
                                 {ARM64(Q13) + 8, ARM64(Q14)},
                                 {ARM64(Q14) + 8, ARM64(Q15)},
                                 {ARM64(Q15) + 8, ARM64(Q16)},
                                 {ARM64(Q16), ARM64(QCFLAG)}},
            },
};

const struct sd_guest *sd_guest(enum arch arch)
{
    assert(arch < N_ARCHES);
    return &guests[arch];
}
