/*
 * sd_refer: finds the addresses that instructions compute without loading.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "decode/sd_refer.h"

#include <string.h>

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
    /* N(, %r, 8): no base */
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
    uint32_t insn, from, to;
    int64_t distance;

    memcpy(&insn, code, sizeof insn);
    to = insn & 31;
    from = insn >> 5 & 31;
    distance = (int64_t)((uint64_t)(insn >> 5 & 0x7ffff) << 45) >> 43;
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
    if (r->arch == SD_AARCH64)
        return length == 4 && refer_a64(r, code, address, made);
    r->is_constant = !is_relative(code, length);
    return refer_x86(code, length, address, made);
}
