/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lift/guest.h"

#include <libvex_guest_amd64.h>
#include <libvex_guest_arm64.h>

_Static_assert(sizeof(VexGuestAMD64State) <= 8 * SD_N_WORDS &&
                   sizeof(VexGuestARM64State) <= 8 * SD_N_WORDS,
               "the guest state fits the registers");

#define AMD64(field) ((unsigned)offsetof(VexGuestAMD64State, guest_##field))
#define ARM64(field) ((unsigned)offsetof(VexGuestARM64State, guest_##field))

static const struct guest guests[N_ARCHES] =
    {
        [ARCH_X86_64] =
            {
                .arch = ARCH_X86_64,
                .program_counter = AMD64(RIP),
                .stack_pointer = AMD64(RSP),
                .frame_pointer = AMD64(RBP),
                .thread_pointer = AMD64(FS_CONST),
                .result = AMD64(RAX),
                /* R11 gets the flags, which VEX does not write to it. */
                .syscall_clobbers = AMD64(R11),
                .return_address_size = 8,
                .arguments = {AMD64(RDI), AMD64(RSI), AMD64(RDX), AMD64(RCX),
                              AMD64(R8), AMD64(R9)},
                .general = {AMD64(RAX), AMD64(CC_OP)},
                .vectors = {AMD64(YMM0), AMD64(FTOP)},
                .flags = {AMD64(CC_OP), AMD64(DFLAG)},
                /* System V ABI, AMD64 supplement, figure 3.4 "Register Usage".
                 */
                .caller_saved = {{AMD64(RAX), AMD64(RBX)},
                                 {AMD64(RSI), AMD64(R12)},
                                 {AMD64(CC_OP), AMD64(DFLAG)},
                                 {AMD64(YMM0), AMD64(FTOP)},
                                 {AMD64(FPREG), AMD64(FPTAG)}},
                /* The flags are unknown; the direction flag is clear and the
                   x87 stack empty, as the ABI has it at calls. */
                .initial = {{AMD64(CC_OP), {0, UINT64_MAX}},
                            {AMD64(CC_DEP1), {0, UINT64_MAX}},
                            {AMD64(CC_DEP2), {0, UINT64_MAX}},
                            {AMD64(CC_NDEP), {0, UINT64_MAX}},
                            {AMD64(DFLAG), {1, 0}},
                            {AMD64(FTOP), {0, 0}},
                            {AMD64(FPTAG), {0, 0}},
                            {GUEST_NO_OFFSET, {0, 0}}},
                .unread =
                    {AMD64(RIP), AMD64(CC_OP), AMD64(IDFLAG), AMD64(ACFLAG),
                     AMD64(DFLAG), GUEST_NO_OFFSET},
                .keeps_halves = true,
            },
        [ARCH_AARCH64] =
            {
                .arch = ARCH_AARCH64,
                .program_counter = ARM64(PC),
                .stack_pointer = ARM64(XSP),
                .frame_pointer = ARM64(X29),
                .thread_pointer = ARM64(TPIDR_EL0),
                .result = ARM64(X0),
                .syscall_clobbers = GUEST_NO_OFFSET,
                .arguments = {ARM64(X0), ARM64(X1), ARM64(X2), ARM64(X3),
                              ARM64(X4), ARM64(X5), ARM64(X6), ARM64(X7)},
                .general = {ARM64(X0), ARM64(PC)},
                .vectors = {ARM64(Q0), ARM64(QCFLAG)},
                .flags = {ARM64(CC_OP), ARM64(TPIDR_EL0)},
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
                .initial = {{ARM64(CC_OP), {0, UINT64_MAX}},
                            {ARM64(CC_DEP1), {0, UINT64_MAX}},
                            {ARM64(CC_DEP2), {0, UINT64_MAX}},
                            {ARM64(CC_NDEP), {0, UINT64_MAX}},
                            {GUEST_NO_OFFSET, {0, 0}}},
                /* The flag of saturation is sticky: nothing waits for it. */
                .unread = {ARM64(PC), ARM64(CC_OP), ARM64(QCFLAG),
                           GUEST_NO_OFFSET},
                .relocates_jumps = true,
                .moves_bases = true,
            },
};

const struct guest *guest_of(enum arch arch)
{
    assert(arch < N_ARCHES && guests[arch].arch == arch);
    return &guests[arch];
}

struct sd_abi guest_abi(enum arch arch)
{
    const struct guest *guest = guest_of(arch);
    struct sd_abi abi = {.stack_pointer = guest->stack_pointer / 8,
                         .frame_pointer = guest->frame_pointer / 8,
                         .return_address_size = guest->return_address_size,
                         .result = guest->result / 8,
                         .first = guest->general.first / 8,
                         .end = guest->general.end / 8};

    for (; guest->arguments[abi.n_arguments] != 0; abi.n_arguments++)
        abi.arguments[abi.n_arguments] = guest->arguments[abi.n_arguments] / 8;
    for (const struct guest_span *span = guest->caller_saved; span->end > 0;
         span++) {
        assert(span->first < span->end);
        assert(span->first % 8 == 0 && span->end % 8 == 0);
        for (unsigned i = span->first / 8; i < span->end / 8; i++)
            sd_regset_add(&abi.caller_saved, i);
    }
    assert(!sd_regset_has(&abi.caller_saved, abi.stack_pointer));
    return abi;
}

static bool holds(struct guest_span span, unsigned word)
{
    return 8 * word >= span.first && 8 * word < span.end;
}

bool guest_keeps(enum arch arch, unsigned word)
{
    const struct guest *guest = guest_of(arch);

    assert(word < SD_N_WORDS);
    for (const struct guest_span *span = guest->caller_saved; span->end > 0;
         span++)
        if (holds(*span, word))
            return false;
    return holds(guest->general, word) || holds(guest->vectors, word);
}

int guest_dwarf_register(enum arch arch, unsigned word)
{
    /* In the order of VEX: RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI.  (System V
       ABI for AMD64, figure 3.36.) */
    static const int low[] = {0, 2, 1, 3, 7, 6, 4, 5};
    struct guest_span general = guest_of(arch)->general;
    unsigned number = word - general.first / 8;

    if (!holds(general, word))
        return -1;
    return arch == ARCH_X86_64 && number < 8 ? low[number] : (int)number;
}

bool guest_is_stack_pointer(enum arch arch, unsigned word)
{
    return 8 * word == guest_of(arch)->stack_pointer;
}

bool guest_is_thread_pointer(enum arch arch, unsigned word)
{
    return 8 * word == guest_of(arch)->thread_pointer;
}

bool guest_words_a64(const char *name, unsigned *first, unsigned *n)
{
    char *end;

    if (strchr("xwbhsdqv", name[0]) == NULL || name[0] == '\0' ||
        name[1] < '0' || name[1] > '9')
        return false;
    unsigned long number = strtoul(name + 1, &end, 10);
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
