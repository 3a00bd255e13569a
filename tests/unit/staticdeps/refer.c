/* The addresses that instructions compute without loading
   (staticdeps/decode/sd_decode.c). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "decode/sd_blocks.h"

#define NOTHING UINT64_MAX

static struct sd_referring referring;

/* The address that the instruction computes, if it is at 0x401000. */
static uint64_t made_by(enum arch arch, const uint8_t *code, unsigned length)
{
    uint64_t made = NOTHING;

    referring.arch = arch;
    return sd_refer(&referring, code, length, 0x401000, &made) ? made : NOTHING;
}

#define X86(...)                                         \
    made_by(ARCH_X86_64, (const uint8_t[]){__VA_ARGS__}, \
            sizeof(const uint8_t[]){__VA_ARGS__})

static uint64_t a64(uint32_t insn)
{
    const uint8_t code[] = {(uint8_t)insn, (uint8_t)(insn >> 8),
                            (uint8_t)(insn >> 16), (uint8_t)(insn >> 24)};

    return made_by(ARCH_AARCH64, code, sizeof code);
}

TEST(lea_computes_an_address_at_a_distance)
{
    /* lea 0x10(%rip), %rax; lea -7(%rip), %r9 */
    assert_int_equal(X86(0x48, 0x8d, 0x05, 0x10, 0, 0, 0), 0x401017);
    assert_int_equal(X86(0x4c, 0x8d, 0x0d, 0xf9, 0xff, 0xff, 0xff), 0x401000);
}

TEST(a_constant_of_32_bits_may_be_an_address)
{
    /* mov $0x404040, %edi; movq $0x404040, 8(%rax) */
    assert_int_equal(X86(0xbf, 0x40, 0x40, 0x40, 0), 0x404040);
    assert_int_equal(X86(0x48, 0xc7, 0x40, 0x08, 0x40, 0x40, 0x40, 0),
                     0x404040);
}

TEST(a_constant_of_64_bits_may_be_an_address)
{
    /* movabs $0x1122334455667788, %rax */
    assert_true(X86(0x48, 0xb8, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22,
                    0x11) == 0x1122334455667788);
}

TEST(only_an_address_at_a_distance_is_surely_no_other_number)
{
    X86(0x48, 0x8d, 0x05, 0x10, 0, 0, 0);
    assert_false(referring.is_constant);
    X86(0x8d, 0x05, 0x10, 0, 0, 0);
    assert_false(referring.is_constant);
    X86(0xbf, 0x40, 0x40, 0x40, 0);
    assert_true(referring.is_constant);
}

TEST(a_displacement_without_a_base_may_be_an_address)
{
    /* call *0x404040(, %rax, 8); mov 0x404040(, %rax, 8), %rcx */
    assert_int_equal(X86(0xff, 0x14, 0xc5, 0x40, 0x40, 0x40, 0), 0x404040);
    assert_int_equal(X86(0x48, 0x8b, 0x0c, 0xc5, 0x40, 0x40, 0x40, 0),
                     0x404040);
}

TEST(loads_and_sums_compute_no_address)
{
    /* mov 0x10(%rip), %rax; lea 0x404040(%rdi), %rax; ret */
    assert_int_equal(X86(0x48, 0x8b, 0x05, 0x10, 0, 0, 0), NOTHING);
    assert_int_equal(X86(0x48, 0x8d, 0x87, 0x40, 0x40, 0x40, 0), NOTHING);
    assert_int_equal(X86(0xc3), NOTHING);
}

TEST(adr_and_adrp_with_add_compute_an_address)
{
    assert_int_equal(a64(0x10000080), 0x401010); /* adr x0, .+16 */
    assert_int_equal(a64(0x10ffff80), 0x400ff0); /* adr x0, .-16 */
    assert_int_equal(a64(0x90000041), NOTHING);  /* adrp x1, .+0x8000 */
    assert_int_equal(a64(0x91010022), 0x409040); /* add x2, x1, #64 */
    assert_int_equal(a64(0x91010062), NOTHING);  /* add x2, x3, #64 */
    assert_int_equal(a64(0xf0ffffe3), NOTHING);  /* adrp x3, .-0x1000 */
    assert_int_equal(a64(0x91000063), 0x400000); /* add x3, x3, #0 */
}

TEST(each_add_to_a_known_address_computes_another)
{
    assert_int_equal(a64(0x90000041), NOTHING);  /* adrp x1, .+0x8000 */
    assert_int_equal(a64(0x9110c021), 0x409430); /* add x1, x1, #0x430 */
    assert_int_equal(a64(0xf9000020), NOTHING);  /* str x0, [x1] */
    assert_int_equal(a64(0x9100c022), 0x409460); /* add x2, x1, #0x30 */
    assert_int_equal(a64(0xf9400021), NOTHING);  /* ldr x1, [x1] */
    assert_int_equal(a64(0x9100c022), NOTHING);  /* add x2, x1, #0x30 */
    assert_int_equal(a64(0x90000041), NOTHING);  /* adrp x1, .+0x8000 */
    assert_int_equal(a64(0xaa0303e1), NOTHING);  /* mov x1, x3 */
    assert_int_equal(a64(0x9100c022), NOTHING);  /* add x2, x1, #0x30 */
    assert_int_equal(a64(0x90000041), NOTHING);  /* adrp x1, .+0x8000 */
    assert_int_equal(a64(0xa9400460), NOTHING);  /* ldp x0, x1, [x3] */
    assert_int_equal(a64(0x9100c022), NOTHING);  /* add x2, x1, #0x30 */
    assert_int_equal(a64(0x90000041), NOTHING);  /* adrp x1, .+0x8000 */
    assert_int_equal(a64(0x54000041), NOTHING);  /* b.ne .+8 */
    assert_int_equal(a64(0x9100c022), 0x409030); /* add x2, x1, #0x30 */
}
