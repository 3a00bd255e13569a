/*
 * sd_refer: the addresses that instructions make.
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

static bool refer_a64(struct sd_referring *r, const uint8_t *code,
                      uint64_t address, uint64_t *made)
{
    uint32_t insn, low;
    int64_t distance;

    memcpy(&insn, code, sizeof insn);
    low = insn >> 5 & 31;
    distance = (int64_t)((uint64_t)(insn >> 5 & 0x7ffff) << 45) >> 43;
    distance |= insn >> 29 & 3;
    if ((insn & 0x9f000000) == 0x90000000) { /* adrp */
        r->pages[insn & 31] = (address & ~UINT64_C(0xfff)) +
                              (uint64_t)distance * UINT64_C(0x1000);
        return false;
    }
    if ((insn & 0x9f000000) == 0x10000000) { /* adr */
        *made = address + (uint64_t)distance;
        return true;
    }
    if ((insn & 0xffc00000) != 0x91000000 || r->pages[low] == 0) /* add */
        return false;
    *made = r->pages[low] + (insn >> 10 & 0xfff);
    return true;
}

bool sd_refer(struct sd_referring *r, const uint8_t *code, unsigned length,
              uint64_t address, uint64_t *made)
{
    if (r->arch == SD_AARCH64)
        return length == 4 && refer_a64(r, code, address, made);
    return refer_x86(code, length, address, made);
}
