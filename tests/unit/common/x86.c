/*
 * Instructions told by their bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "x86.h"

#define TESTS_BIT(...)                                              \
    x86_tests_bit_of_register((const unsigned char[]){__VA_ARGS__}, \
                              sizeof(const unsigned char[]){__VA_ARGS__})

TEST(four_instructions_test_a_bit)
{
    assert_true(TESTS_BIT(0x0f, 0xa3, 0xc8));           /* btl %ecx,%eax */
    assert_true(TESTS_BIT(0x0f, 0xab, 0xc8));           /* btsl */
    assert_true(TESTS_BIT(0x0f, 0xb3, 0xc8));           /* btrl */
    assert_true(TESTS_BIT(0x0f, 0xbb, 0xff));           /* btcl %edi,%edi */
    assert_false(TESTS_BIT(0x0f, 0xa2, 0xc8));          /* cpuid */
    assert_false(TESTS_BIT(0x0f, 0xa4, 0xc8, 1));       /* shldl */
    assert_false(TESTS_BIT(0x0f, 0xaf, 0xc8));          /* imull */
    assert_false(TESTS_BIT(0x0f, 0xb1, 0xc8));          /* cmpxchgl */
    assert_false(TESTS_BIT(0x0f, 0x83, 0xc8, 0, 0, 0)); /* jae */
    assert_false(TESTS_BIT(0xa3, 0xc8, 0, 0, 0, 0, 0, 0, 0));
}

TEST(a_bit_test_in_memory_is_not_one_of_a_register)
{
    assert_true(TESTS_BIT(0x0f, 0xa3, 0xc0));
    assert_false(TESTS_BIT(0x0f, 0xa3, 0xbf, 0, 0, 0, 0));
    assert_false(TESTS_BIT(0x0f, 0xa3, 0x07));    /* btl %eax,(%rdi) */
    assert_false(TESTS_BIT(0x0f, 0xba, 0xe0, 5)); /* btl $5,%eax */
}

TEST(prefixes_may_precede_a_bit_test)
{
    assert_true(TESTS_BIT(0x48, 0x0f, 0xa3, 0xc8));
    assert_true(TESTS_BIT(0x66, 0x45, 0x0f, 0xa3, 0xc8));
    assert_true(TESTS_BIT(0xf2, 0x2e, 0x4f, 0x0f, 0xbb, 0xc8));
    assert_false(TESTS_BIT(0xf0, 0x0f, 0xab, 0xc8)); /* undefined */
}

TEST(a_truncated_instruction_is_not_recognised)
{
    static const unsigned char code[] = {0x48, 0x0f, 0xa3, 0xc8};

    assert_true(x86_tests_bit_of_register(code, 4));
    for (size_t n = 0; n < 4; n++)
        assert_false(x86_tests_bit_of_register(code, n));
}
