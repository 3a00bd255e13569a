/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/sd_blocks.h"

#include <capstone/capstone.h>

#include "x86.h"
#include "lift/sd_operands.h"

#define LONGEST 15 /* the most bytes of an instruction */
#define BITS    14 /* the logarithm of the room of `known` */

/* How an instruction transfers control. */
enum transfer {
    NONE,
    BRANCH, /* jcc: has no effect but to jump */
    JUMP,   /* jmp: the next instruction is not reached from here */
    LOOP,   /* loop, xbegin: have another effect, too */
    CALL,
    EXIT,  /* leaves this code, and may return: syscall, ... */
    LEAVE, /* leaves this code for good: ret, ... */
    TRAP   /* leads to a signal, or nowhere */
};

/* What is the same for all instructions that begin with these bytes. */
struct shape {
    uint64_t key;
    uint8_t length;   /* 0: nothing is known yet, or no instruction begins so */
    uint8_t transfer; /* of enum transfer */
    bool is_nop;
};

struct sd_decoder {
    enum arch arch;
    csh handle; /* handle of capstone, for x86-64 */
    cs_insn *insn;
    struct shape known[1 << BITS]; /* by the hash of their keys */
};

static const uint8_t transfers[X86_INS_ENDING] = {
    [X86_INS_JAE] = BRANCH,    [X86_INS_JA] = BRANCH,
    [X86_INS_JBE] = BRANCH,    [X86_INS_JB] = BRANCH,
    [X86_INS_JE] = BRANCH,     [X86_INS_JGE] = BRANCH,
    [X86_INS_JG] = BRANCH,     [X86_INS_JLE] = BRANCH,
    [X86_INS_JL] = BRANCH,     [X86_INS_JNE] = BRANCH,
    [X86_INS_JNO] = BRANCH,    [X86_INS_JNP] = BRANCH,
    [X86_INS_JNS] = BRANCH,    [X86_INS_JO] = BRANCH,
    [X86_INS_JP] = BRANCH,     [X86_INS_JS] = BRANCH,
    [X86_INS_JCXZ] = BRANCH,   [X86_INS_JECXZ] = BRANCH,
    [X86_INS_JRCXZ] = BRANCH,  [X86_INS_JMP] = JUMP,
    [X86_INS_CALL] = CALL,     [X86_INS_LOOP] = LOOP,
    [X86_INS_LOOPE] = LOOP,    [X86_INS_LOOPNE] = LOOP,
    [X86_INS_XBEGIN] = LOOP,   [X86_INS_LJMP] = LEAVE,
    [X86_INS_LCALL] = EXIT,    [X86_INS_RET] = LEAVE,
    [X86_INS_RETF] = LEAVE,    [X86_INS_RETFQ] = LEAVE,
    [X86_INS_IRET] = LEAVE,    [X86_INS_IRETD] = LEAVE,
    [X86_INS_IRETQ] = LEAVE,   [X86_INS_SYSCALL] = EXIT,
    [X86_INS_SYSENTER] = EXIT, [X86_INS_SYSEXIT] = LEAVE,
    [X86_INS_SYSRET] = LEAVE,  [X86_INS_INT] = EXIT,
    [X86_INS_XABORT] = EXIT,   [X86_INS_RSM] = LEAVE,
    [X86_INS_INT1] = TRAP,     [X86_INS_INT3] = TRAP,
    [X86_INS_INTO] = TRAP,     [X86_INS_HLT] = TRAP,
    [X86_INS_UD0] = TRAP,      [X86_INS_UD2] = TRAP,
    [X86_INS_UD1] = TRAP,
};

struct sd_decoder *sd_decoder_new(enum arch arch)
{
    struct sd_decoder *decoder = memory_new(1, sizeof *decoder);

    decoder->arch = arch;
    /* Both calls of capstone fail only if memory is exhausted. */
    if (arch == ARCH_X86_64 &&
        (cs_open(CS_ARCH_X86, CS_MODE_64, &decoder->handle) != CS_ERR_OK ||
         (decoder->insn = cs_malloc(decoder->handle)) == NULL))
        memory_exhausted();
    return decoder;
}

void sd_decoder_free(struct sd_decoder *decoder)
{
    if (decoder == NULL)
        return;
    if (decoder->insn != NULL) {
        cs_free(decoder->insn, 1);
        cs_close(&decoder->handle);
    }
    free(decoder);
}

static void find_target(struct sd_decoded *out, const uint8_t *code,
                        uint64_t address)
{
    unsigned size = x86_distance_size(code, out->length);
    int32_t distance = 0;

    if (size == 0)
        return;
    memcpy((char *)&distance + 4 - size, code + out->length - size, size);
    distance >>= 8 * (4 - size); /* keeps the sign */
    out->has_target = true;
    out->target = address + out->length + (uint64_t)(int64_t)distance;
}

unsigned sd_decoder_unit(const struct sd_decoder *decoder)
{
    return arch_unit(decoder->arch);
}

/* The number of bytes of ModRM, SIB and displacement; more than n if the code
   ends before. */
static unsigned operand_length(const uint8_t *code, size_t n)
{
    unsigned mod, length = 1;

    if (n < 1)
        return 1; /* more than n */
    mod = code[0] >> 6;
    if (mod == 3)
        return length;
    if ((code[0] & 7) == 4) {
        length++;
        if (n >= 2 && mod == 0 && (code[1] & 7) == 5)
            return length + 4;
    } else if (mod == 0 && (code[0] & 7) == 5) {
        return length + 4;
    }
    return length + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

/* All instructions of opcode map 3 have an immediate byte; in map 2, none has;
   in map 1, shuffles, shifts, comparisons, insertions and extractions have. */
static bool has_immediate(unsigned map, uint8_t opcode)
{
    if (map != 1)
        return map == 3;
    return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
           (opcode >= 0xc4 && opcode <= 0xc6);
}

/* The length of an instruction coded with VEX or EVEX, or of group 0f 01; 0:
   there is none.  The prefixes VEX (c4, c5) and EVEX (62) determine it, so that
   the sweep can continue after a vector instruction that capstone does not
   know.  (Intel SDM volume 2, 2.3 "Intel AVX" and 2.7 "Intel AVX-512
   encoding".) */
static unsigned length_by_prefix(const uint8_t *code, size_t n)
{
    unsigned prefix, map, length;

    if (n < 3)
        return 0;
    switch (code[0]) {
    case 0x0f: /* rdpkru, wrpkru, ...: no memory operand */
        return code[1] == 0x01 && code[2] >> 6 == 3 ? 3 : 0;
    case 0xc5:
        prefix = 2;
        map = 1;
        break;
    case 0xc4:
        prefix = 3;
        map = code[1] & 0x1f;
        break;
    case 0x62:
        prefix = 4;
        map = code[1] & 0x07;
        break;
    default:
        return 0;
    }
    if (map < 1 || map > 3 || n < prefix + 1)
        return 0;
    length = prefix + 1;
    length += operand_length(code + length, n - length);
    length += has_immediate(map, code[prefix]) ? 1 : 0;
    return length <= n ? length : 0;
}

/* Decodes by capstone, or else by the prefix. */
static struct shape decode_anew(struct sd_decoder *decoder, const uint8_t *code,
                                size_t n_bytes)
{
    const uint8_t *next = code;
    uint64_t next_address = 0;
    /* Capstone reads a run of prefixes to its end, so that a long run would
       take quadratic time. */
    size_t n = n_bytes < LONGEST ? n_bytes : LONGEST;

    if (!cs_disasm_iter(decoder->handle, &next, &n, &next_address,
                        decoder->insn))
        return (struct shape){.length =
                                  (uint8_t)length_by_prefix(code, n_bytes)};
    assert(decoder->insn->id < X86_INS_ENDING);
    return (struct shape){.length = (uint8_t)decoder->insn->size,
                          .transfer = transfers[decoder->insn->id],
                          .is_nop = decoder->insn->id == X86_INS_NOP};
}

/* Most instructions begin as others did, and capstone prints what it decodes,
   which takes longer than all the rest. */
static struct shape decode_known(struct sd_decoder *decoder,
                                 const uint8_t *code, size_t n)
{
    unsigned size = x86_deciding(code, n);
    uint64_t key;

    if (size == 0)
        return decode_anew(decoder, code, n);
    memcpy(&key, code, sizeof key);
    key &= UINT64_MAX >> (64 - 8 * size);
    struct shape *known =
        &decoder->known[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS)];
    if (known->length == 0 || known->key != key) {
        *known = decode_anew(decoder, code, n);
        known->key = key;
    }
    return known->length <= n ? *known : (struct shape){0};
}

static bool decode_x86(struct sd_decoder *decoder, const uint8_t *code,
                       size_t n, uint64_t address, struct sd_decoded *out)
{
    struct shape shape = decode_known(decoder, code, n);
    enum transfer transfer = shape.transfer;

    if (shape.length == 0)
        return false;
    *out = (struct sd_decoded){.length = shape.length,
                               .ends_block = transfer != NONE,
                               .is_nop = shape.is_nop};
    if (transfer >= BRANCH && transfer <= CALL)
        find_target(out, code, address);
    out->has_no_effect =
        transfer == TRAP ||
        ((transfer == BRANCH || transfer == JUMP) && out->has_target);
    out->is_call = transfer == CALL;
    out->is_indirect = transfer == JUMP && !out->has_target;
    out->is_last = transfer == JUMP || transfer == LEAVE || transfer == TRAP;
    return true;
}

/* --- AArch64 --- */

/* The instructions that transfer control.  (Arm ARM, C4.1.86 "Branches,
   Exception generating and System instructions".) */
static const struct {
    uint32_t mask, bits;
    struct sd_decoded is;
    uint8_t from, width; /* bits of the distance in words; width 0: none */
} a64_transfers[] = {
    /* b, bl */
    {0xfc000000, 0x14000000, {.has_no_effect = true, .is_last = true}, 0, 26},
    {0xfc000000, 0x94000000, {.is_call = true}, 0, 26},
    /* b.cond, bc.cond; cbz, cbnz; tbz, tbnz */
    {0xff000000, 0x54000000, {.has_no_effect = true}, 5, 19},
    {0x7e000000, 0x34000000, {.has_no_effect = true}, 5, 19},
    {0x7e000000, 0x36000000, {.has_no_effect = true}, 5, 14},
    /* blr, br, and their authenticating forms; then ret, eret, drps */
    {0xfeff0000, 0xd63f0000, {.is_call = true}, 0, 0},
    {0xfeff0000, 0xd61f0000, {.is_last = true, .is_indirect = true}, 0, 0},
    {0xfe000000, 0xd6000000, {.is_last = true}, 0, 0},
    /* svc, hvc, smc; then brk, hlt, dcps */
    {0xffe0001c, 0xd4000000, {.length = 4}, 0, 0},
    {0xff000000, 0xd4000000, {.has_no_effect = true, .is_last = true}, 0, 0},
    /* udf */
    {0xffff0000, 0x00000000, {.has_no_effect = true, .is_last = true}, 0, 0},
};

static int64_t distance(uint32_t word, unsigned from, unsigned width)
{
    uint64_t field = word >> from & ((1u << width) - 1);

    return 4 * ((int64_t)(field << (64 - width)) >> (64 - width));
}

/* Bits 28 to 25 choose the group of an instruction.  (Arm ARM, C4.1 "A64
   instruction set encoding".) */
static bool is_allocated(uint32_t word)
{
    switch (word >> 25 & 15) {
    case 0: /* udf; with bit 31 set: SME */
        return word >> 16 == 0 || word >> 31 != 0;
    case 1:
    case 3:
        return false;
    default:
        return true;
    }
}

/* Decodes an AArch64 instruction, a little-endian word.  Words that are
   unallocated at the top level of the encoding are not instructions; the lifter
   finds those that are unallocated below it. */
static bool decode_a64(const uint8_t *code, size_t n, uint64_t address,
                       struct sd_decoded *out)
{
    if (n < 4)
        return false;
    uint32_t word = (uint32_t)code[0] | (uint32_t)code[1] << 8 |
                    (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
    if (!is_allocated(word))
        return false;
    *out = (struct sd_decoded){.length = 4, .is_nop = word == 0xd503201f};
    if ((word >> 26 & 7) != 5 && word >> 16 != 0)
        return true; /* neither a branch nor udf */
    for (size_t i = 0; i < sizeof a64_transfers / sizeof a64_transfers[0];
         i++) {
        if ((word & a64_transfers[i].mask) != a64_transfers[i].bits)
            continue;
        *out = a64_transfers[i].is;
        out->length = 4;
        out->ends_block = true;
        if (a64_transfers[i].width == 0)
            break;
        out->has_target = true;
        out->target = address + (uint64_t)distance(word, a64_transfers[i].from,
                                                   a64_transfers[i].width);
        break;
    }
    return true;
}

bool sd_decode(struct sd_decoder *decoder, const uint8_t *code, size_t n,
               uint64_t address, struct sd_decoded *out)
{
    if (decoder->arch == ARCH_AARCH64
            ? !decode_a64(code, n, address, out)
            : !decode_x86(decoder, code, n, address, out))
        return false;
    assert(out->length >= 1 && out->length <= 15 && out->length <= n);
    assert(out->length % sd_decoder_unit(decoder) == 0);
    assert(out->ends_block || !(out->is_call || out->is_last));
    assert(out->ends_block || !(out->is_indirect || out->has_target));
    assert(!out->is_indirect || (out->is_last && !out->has_target));
    return true;
}

/* --- References --- */

static uint64_t constant(const uint8_t *code, unsigned length)
{
    int32_t n;

    memcpy(&n, code + length - sizeof n, sizeof n);
    return (uint64_t)(int64_t)n;
}

static bool is_relative(const uint8_t *code, unsigned length)
{
    unsigned opcode = length > 0 && (code[0] & 0xf0) == 0x40; /* REX */

    return length > opcode && code[opcode] == 0x8d;
}

static bool refer_x86(const uint8_t *code, unsigned length, uint64_t address,
                      uint64_t *made)
{
    unsigned n = length;

    if (n > 0 && (code[0] & 0xf0) == 0x40) { /* REX */
        code++;
        n--;
    }
    if (n < 5)
        return false;
    if ((code[0] & 0xf8) == 0xb8 && n == 9) { /* movabs $N, %r */
        memcpy(made, code + 1, sizeof *made);
        return true;
    }
    if (code[0] == 0x8d && (code[1] & 0xc7) == 0x05) { /* lea N(%rip), %r */
        *made = address + length + constant(code, n);
        return true;
    }
    if ((code[0] & 0xf8) == 0xb8 && n == 5) { /* mov $N, %r */
        *made = constant(code, n) & UINT32_MAX;
        return true;
    }
    /* an operand N(,%r,8), which has no base */
    if (n == 7 && (code[0] == 0xff || code[0] == 0x8b) &&
        (code[1] & 0xc7) == 0x04 && (code[2] & 7) == 5) {
        *made = constant(code, n);
        return true;
    }
    if (code[0] == 0xc7 && (code[1] & 0x38) == 0) { /* mov $N, ... */
        *made = constant(code, n);
        return true;
    }
    return false;
}

/* Forgets the address in a register that another instruction writes.  Some
   stores are taken for loads, which loses an address.  (Arm ARM, C4.1: classes,
   bits 28 to 25.) */
static void forget_a64(struct sd_referring *r, uint32_t insn)
{
    bool is_access = (insn & 0x0a000000) == 0x08000000;
    bool is_of_pair = (insn & 0x3a000000) == 0x28000000;

    if (!is_access && (insn & 0x1c000000) == 0x14000000)
        return; /* a branch */
    if (is_access && (insn & 0x00c00000) == 0)
        return; /* a store */
    r->addresses[insn & 31] = 0;
    if (is_of_pair)
        r->addresses[insn >> 10 & 31] = 0;
}

static bool refer_a64(struct sd_referring *r, const uint8_t *code,
                      uint64_t address, uint64_t *made)
{
    uint32_t insn;

    memcpy(&insn, code, sizeof insn);
    uint32_t to = insn & 31;
    uint32_t from = insn >> 5 & 31;
    int64_t distance = (int64_t)((uint64_t)(insn >> 5 & 0x7ffff) << 45) >> 43;
    distance |= insn >> 29 & 3;
    if ((insn & 0x9f000000) == 0x90000000) { /* adrp */
        r->addresses[to] = (address & ~UINT64_C(0xfff)) +
                           (uint64_t)distance * UINT64_C(0x1000);
        return false;
    }
    if ((insn & 0x9f000000) == 0x10000000) /* adr */
        *made = address + (uint64_t)distance;
    else if ((insn & 0xffc00000) == 0x91000000 && r->addresses[from] != 0)
        *made = r->addresses[from] + (insn >> 10 & 0xfff); /* add */
    else {
        forget_a64(r, insn);
        return false;
    }
    r->addresses[to] = *made;
    return true;
}

bool sd_refer(struct sd_referring *r, const uint8_t *code, unsigned length,
              uint64_t address, uint64_t *made)
{
    if (r->arch == ARCH_AARCH64)
        return length == 4 && refer_a64(r, code, address, made);
    r->is_constant = !is_relative(code, length);
    return refer_x86(code, length, address, made);
}
