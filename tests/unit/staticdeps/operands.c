/*
 * Instructions that VEX does not know are described by their operands.
 *
 * Each case is a block, and the dependencies that it must have, "SRC>DST@K" by
 * the number of the instruction; the address of the first is 0x401000.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "staticdeps/analyse.h"

static enum sd_status analyse(const char *hex)
{
    analyser.counts->n_unknown_loads = analyser.counts->n_unknown_stores = 0;
    analyser.counts->n_by_operands = 0;
    return analyse_hex(hex, 0x401000);
}

/* Checks the dependencies; VEX does not know `n_told` of the instructions. */
static void assert_deps(const char *hex, unsigned n_told, const char *expected)
{
    assert_int_equal(analyse(hex), SD_OK);
    assert_string_equal(deps_found(), expected);
    assert_int_equal(analyser.counts->n_by_operands, n_told);
}

TEST(a_vector_store_and_load_of_one_address_depend)
{
    /* vmovups %zmm0,64(%rdi); movq 120(%rdi),%rax */
    assert_deps("62f17c48114701 488b4778", 1, "0>1@0");
    /* vmovdqu8 %ymm0,-64(%rdi,%rcx,4); vmovdqu64 the same,%zmm1 */
    assert_deps("62f17f287f448ffe 62f1fe486f4c8fff", 2, "0>1@0");
    /* vmovups %zmm0,%gs:0x40; movq %gs:0x48,%rax */
    assert_deps("6562f17c481104254000000065488b042548000000", 1, "0>1@0");
    /* vmovdqu64 %zmm0,(%edi); movl %edi,%eax; movq (%rax),%rcx */
    assert_deps("6762f1fe487f07 89f8 488b08", 1, "0>2@0");
    /* movups %xmm2,16(%rdi); sha1rnds4 $1,16(%rdi),%xmm1; and again */
    assert_deps("0f115710 0f3acc4f1001 0f114f10 0f105f10", 1, "0>1@0 2>3@0");
}

TEST(a_vector_access_has_its_width)
{
    /* vmovups %zmm0,(%rdi); movq 64(%rdi),%rax; movq -8(%rdi),%rax */
    assert_deps("62f17c481107 488b4740 488b47f8", 1, "");
    /* movb %al,0x7f(%rsi) or 0x80(%rsi);
       vpternlogd $0xde,0x60(%rsi),%ymm22,%ymm23 */
    assert_deps("88467f 62e34d20257e03de", 1, "0>1@0");
    assert_deps("888680000000 62e34d20257e03de", 1, "");
    /* movb %al,0x10(%rsi) and 0x1b(%rsi) and 0x1c(%rsi);
       vpternlogd $0xde,0x18(%rsi){1to8},%ymm22,%ymm23 */
    assert_deps("884610 88461b 88461c 62e34d30257e06de", 1, "1>3@0");
    /* kmovw %k1,2(%rdi); movzbl 3(%rdi),%eax; movzbl 4(%rdi),%eax;
       kmovq (%rdi),%k2 */
    assert_deps("c5f8914f02 0fb64703 0fb64704 c4e1f89017", 2, "0>1@0 0>3@0");
    /* movb %al,7(%rsi) or 8(%rsi); vpbroadcastb 7(%rsi),%zmm1 */
    assert_deps("884607 62f27d48784e07", 1, "0>1@0");
    assert_deps("884608 62f27d48784e07", 1, "");
}

TEST(a_part_of_a_vector_has_its_width)
{
    /* vextracti32x8 $1,%zmm0,32(%rdi); movb 63(%rdi),%al; movb 64(%rdi),%al */
    assert_deps("62f37d483b470101 8a473f 8a4740", 1, "0>1@0");
    /* movb %al,16(%rsi), or 15; vbroadcasti32x4 (%rsi),%zmm1 */
    assert_deps("884610 62f27d485a0e", 1, "");
    assert_deps("88460f 62f27d485a0e", 1, "0>1@0");
    /* vpmovdb %zmm1,(%rdi): 16 bytes */
    assert_deps("62f27e48310f 8a470f 8a4710", 1, "0>1@0");
    /* movb %al,8(%rsi), or 7; vpmovzxbq (%rsi),%zmm1 */
    assert_deps("884608 62f27d48320e", 1, "");
    assert_deps("884607 62f27d48320e", 1, "0>1@0");
}

TEST(a_scalar_has_its_width)
{
    /* movb %al,4(%rsi), or 3; vaddss (%rsi){%k1},%xmm5,%xmm1 */
    assert_deps("884604 62f15609580e", 1, "");
    assert_deps("884603 62f15609580e", 1, "0>1@0");
    /* movb %al,8(%rsi), or 7; vmulsd (%rsi),%xmm21,%xmm1 */
    assert_deps("884608 62f1d700590e", 1, "");
    assert_deps("884607 62f1d700590e", 1, "0>1@0");
    /* movb %al,15(%rsi); vpmaxsd (%rsi),%xmm21,%xmm1: four integers */
    assert_deps("88460f 62f255003d0e", 1, "0>1@0");
}

/* vpmovwb, db, qb, wd, qw and qd have consecutive opcodes; these are the bytes
   to which each narrows 64 bytes. */
static const unsigned narrow[] = {32, 16, 8, 32, 16, 32};

TEST(a_narrowing_store_has_the_width_of_its_parts)
{
    /* the forms that saturate unsigned, saturate signed, and truncate */
    static const unsigned opcodes[] = {0x10, 0x20, 0x30};

    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 6; k++) {
            char hex[64];

            /* the store to (%rdi); movb to %al its last byte, and the next */
            snprintf(hex, sizeof hex, "62f27e48%02x0f 8a47%02x 8a47%02x",
                     opcodes[i] + k, narrow[k] - 1, narrow[k]);
            assert_deps(hex, 1, "0>1@0");
        }
}

TEST(a_widening_load_has_the_width_of_its_parts)
{
    static const unsigned opcodes[] = {0x20, 0x30}; /* signed or unsigned */

    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < 6; k++) {
            char hex[64];

            /* movb %al to its last byte, and to the next; the load */
            snprintf(hex, sizeof hex, "8847%02x 62f27d48%02x0f", narrow[k] - 1,
                     opcodes[i] + k);
            assert_deps(hex, 1, "0>1@0");
            snprintf(hex, sizeof hex, "8847%02x 62f27d48%02x0f", narrow[k],
                     opcodes[i] + k);
            assert_deps(hex, 1, "");
        }
}

TEST(all_forms_of_addresses_are_computed)
{
    /* movb %al,0x20(%rip); vaesenc 0x17(%rip) or 0x18(%rip),%ymm1,%ymm2 */
    assert_deps("880520000000 c4e275dc1517000000", 1, "0>1@0");
    assert_deps("880520000000 c4e275dc1518000000", 1, "");
    /* movb %al,0x20(%rip); vmovups 0x16(%rip) or 0x17(%rip),%zmm0 */
    assert_deps("880520000000 62f17c48100516000000", 1, "0>1@0");
    assert_deps("880520000000 62f17c48100517000000", 1, "");
    /* movb %al,0x9f(%r13,%r12,8);
       vpcmpeqb 0x80(%r13,%r12,8),%ymm17,%k1 */
    assert_deps("438884e59f000000 62917520744ce504", 1, "0>1@0");
    /* movb %al,0x1003(,%rcx,2); vgf2p8mulb 0x1000(,%rcx,2),%zmm1,%zmm2 */
    assert_deps("88044d03100000 62f27548cf144d00100000", 1, "0>1@0");
}

TEST(written_registers_are_unknown)
{
    /* movq %rbx,(%rax); kmovd %k0,%eax; movq (%rax),%rcx */
    assert_deps("488918 c5fb93c0 488b08", 1, "");
    assert_int_equal(analyser.counts->n_unknown_loads, 1);
    /* movq %rdi,%xmm1; movq %xmm1,%rax; movq %rbx,(%rax); movq (%rdi),%rcx;
       and with sha1rnds4 $1,%xmm2,%xmm1 after the first */
    assert_deps("66480f6ecf 66480f7ec8 488918 488b0f", 0, "2>3@0");
    assert_deps("66480f6ecf 0f3accca01 66480f7ec8 488918 488b0f", 1, "");
    assert_int_equal(analyser.counts->n_unknown_stores, 1);
    /* the same with vpternlogd $255,%zmm1,%zmm1,%zmm1 */
    assert_deps("66480f6ecf 62f3754825c9ff 66480f7ec8 488918 488b0f", 1, "");
    assert_int_equal(analyser.counts->n_unknown_stores, 1);
    /* with vpsrld $4,%zmm2,%zmm1, and with vaddps {rn-sae},%zmm3,%zmm2,%zmm1 */
    assert_deps("66480f6ecf 62f1754872d204 66480f7ec8 488918 488b0f", 1, "");
    assert_deps("66480f6ecf 62f16c1858cb 66480f7ec8 488918 488b0f", 1, "");
    /* movq %rax,(%rdi); kortestd %k0,%k1; cmovneq %rsi,%rdi;
       movq (%rdi),%rbx: whether it is the same address is not known */
    assert_deps("488907 c4e1f998c8 480f45fe 488b1f", 1, "");
    assert_int_equal(analyser.counts->n_unknown_loads, 1);
}

TEST(implied_operands_are_known)
{
    /* movb %cl,5(%rbx); movl $5,%eax; xlatb; movb %cl,(%rbx,%rax) */
    assert_deps("884b05 b805000000 d7 880c03", 1, "0>2@0");
    assert_int_equal(analyser.counts->n_unknown_stores, 1);
    /* movq %rax,%fs:8; wrfsbase %rcx; movq %fs:8,%rax */
    assert_deps("644889042508000000 f3480faed1 64488b042508000000", 1, "");
    /* movl %eax,(%rdi); fbld (%rdi), ten bytes; fstpl 8(%rdi); movq
       8(%rdi),%rdx; movq %rax,(%rdx) */
    assert_deps("8907 df27 dd5f08 488b5708 488902", 1, "0>1@0 2>1@1 2>3@0");
    assert_int_equal(analyser.counts->n_unknown_stores, 1);
}

TEST(results_of_string_comparisons_are_unknown)
{
    /* movq %rdi,%xmm0; pcmpistrm $127,%xmm3,%xmm1, which writes %xmm0; movq
       %xmm0,%rax; movq %rbx,(%rax); movq (%rdi),%rcx */
    assert_deps("66480f6ec7 660f3a62cb7f 66480f7ec0 488918 488b0f", 1, "");
    assert_int_equal(analyser.counts->n_unknown_stores, 1);
    /* movq %r8,%rsi; movq %r9,%rdi; cmpsl, which only reads; movl (%r8),%eax;
       movl (%r9),%ecx.  Newer versions of VEX know it. */
    assert_int_equal(analyse("4c89c6 4c89cf a7 418b00 418b09"), SD_OK);
    assert_int_equal(analyser.reroll.n_deps, 0);
}

TEST(registers_that_are_not_written_keep_their_values)
{
    /* movq %rbx,(%rax); vpternlogd $255,%zmm0,%zmm0,%zmm0; movq (%rax),%rcx */
    assert_deps("488918 62f37d4825c0ff 488b08", 1, "0>2@0");
    /* movq %rbx,(%rcx); kmovd %k0,%eax; movq (%rcx),%rdx */
    assert_deps("488919 c5fb93c0 488b11", 1, "0>2@0");
}

TEST(a_scatter_has_no_address)
{
    /* movq (%rdi),%rax; vpscatterdd %zmm2,(%rdi,%zmm1,4){%k1} */
    assert_deps("488b07 62f27d49a0148f", 1, "");
    assert_int_equal(analyser.counts->n_unknown_stores, 1);
}

TEST(flushing_a_cache_line_is_no_access)
{
    /* clflushopt (%rdi); movq %rax,(%rdi); clwb (%rdi) */
    assert_deps("660fae3f 488907 660fae37", 2, "");
}

TEST(an_instruction_with_an_unknown_extent_is_undecodable)
{
    /* xsavec (%rdi); movq (%rdi),%rax */
    assert_int_equal(analyse("0fc727 488b07"), SD_UNDECODABLE);
    /* movdir64b (%rsi),%rbx, which writes where %rbx points; lcall *(%rdi) */
    assert_int_equal(analyse("660f38f81e 488b03"), SD_UNDECODABLE);
    assert_int_equal(analyse("ff1f 488b07"), SD_UNDECODABLE);
}
