/* Instructions that are recognized by their bytes. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "x86.h"

TEST(bit_tests_of_registers_are_told_by_their_bytes)
{
    static const struct {
        bool tests_bit;
        size_t n;
        unsigned char code[9];
    } cases[] = {
        {true, 3, {0x0f, 0xa3, 0xc8}},           /* btl %ecx,%eax */
        {true, 3, {0x0f, 0xa3, 0xc0}},           /* btl %eax,%eax */
        {true, 3, {0x0f, 0xab, 0xc8}},           /* btsl */
        {true, 3, {0x0f, 0xb3, 0xc8}},           /* btrl */
        {true, 3, {0x0f, 0xbb, 0xff}},           /* btcl %edi,%edi */
        {false, 3, {0x0f, 0xa2, 0xc8}},          /* cpuid */
        {false, 4, {0x0f, 0xa4, 0xc8, 1}},       /* shldl */
        {false, 3, {0x0f, 0xaf, 0xc8}},          /* imull */
        {false, 3, {0x0f, 0xb1, 0xc8}},          /* cmpxchgl */
        {false, 6, {0x0f, 0x83, 0xc8, 0, 0, 0}}, /* jae */
        {false, 9, {0xa3, 0xc8, 0, 0, 0, 0, 0, 0, 0}},
        /* bit tests in memory, or by a constant */
        {false, 7, {0x0f, 0xa3, 0xbf, 0, 0, 0, 0}},
        {false, 3, {0x0f, 0xa3, 0x07}},    /* btl %eax,(%rdi) */
        {false, 4, {0x0f, 0xba, 0xe0, 5}}, /* btl $5,%eax */
        /* bit tests with prefixes */
        {true, 4, {0x48, 0x0f, 0xa3, 0xc8}},
        {true, 5, {0x66, 0x45, 0x0f, 0xa3, 0xc8}},
        {true, 6, {0xf2, 0x2e, 0x4f, 0x0f, 0xbb, 0xc8}},
        {false, 4, {0xf0, 0x0f, 0xab, 0xc8}}, /* undefined with lock */
        /* truncated bit tests */
        {false, 3, {0x48, 0x0f, 0xa3, 0xc8}},
        {false, 2, {0x48, 0x0f, 0xa3, 0xc8}},
        {false, 1, {0x48, 0x0f, 0xa3, 0xc8}},
        {false, 0, {0x48, 0x0f, 0xa3, 0xc8}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(x86_tests_bit_of_register(cases[i].code, cases[i].n),
                         cases[i].tests_bit);
}

TEST(direct_branches_end_with_a_distance)
{
    static const struct {
        unsigned size;
        size_t n;
        unsigned char code[8];
    } cases[] = {
        {1, 2, {0x74, 0x0f}},
        {1, 2, {0xeb, 0x0f}},
        {1, 2, {0xe2, 0x0f}},
        {4, 5, {0xe8, 1, 2, 3, 4}},
        {4, 5, {0xe9, 1, 2, 3, 4}},
        {4, 6, {0x0f, 0x84, 1, 2, 3, 4}},
        {4, 6, {0xc7, 0xf8, 1, 2, 3, 4}},
        {4, 6, {0xf2, 0xe8, 1, 2, 3, 4}},
        {1, 3, {0x2e, 0x74, 0x0f}},
        {0, 2, {0xff, 0xe0}},                   /* jmp *%rax */
        {0, 4, {0x66, 0xe9, 1, 2}},             /* its length is in doubt */
        {0, 6, {0xc7, 0x00, 1, 2, 3, 4}},       /* movl */
        {0, 5, {0xb8, 1, 2, 3, 4}},             /* movl */
        {0, 7, {0x48, 0x8d, 0x05, 1, 2, 3, 4}}, /* leaq */
        {0, 1, {0x2e}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(x86_distance_size(cases[i].code, cases[i].n),
                         cases[i].size);
}
