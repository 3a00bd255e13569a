/* Machine code in, dependencies out: "SRC>DST@DELTA_K", by the number of the
   instruction in the block. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "staticdeps/analyse.h"

static enum sd_status analyse(const char *hex, uint64_t address)
{
    return analyse_hex(hex, address);
}

static void assert_deps(const char *hex, const char *expected)
{
    assert_int_equal(analyse(hex, 0x401000), SD_OK);
    assert_string_equal(deps_found(), expected);
}

TEST(a_store_is_seen_by_later_loads)
{
    /* movq %rax,(%rdi); movq (%rdi),%rbx */
    assert_deps("488907488b1f", "0>1@0");
    /* movq %rax,(%rdi); movl 6(%rdi),%ebx */
    assert_deps("4889078b5f06", "0>1@0");
    /* movq %rax,(%rdi); movq %rbx,(%rdi); movq (%rdi),%rcx */
    assert_deps("48890748891f488b0f", "1>2@0");
    /* movq %rax,(%rdi); movb %bl,3(%rdi); movq (%rdi),%rcx */
    assert_deps("488907885f03488b0f", "0>2@0 1>2@0");
    /* movl $1,-8(%rsp); movl $2,-4(%rsp); movq -8(%rsp),%rbx */
    assert_deps("c74424f801000000c74424fc02000000488b5c24f8", "0>2@0 1>2@0");
    /* movq %rax,(%rdi); movq %rbx,8(%rdi); movdqu (%rdi),%xmm0 */
    assert_deps("48890748895f08f30f6f07", "0>2@0 1>2@0");
}

/* Checks the relation and the offset of each dependency. */
static void assert_overlaps(const char *hex, const char *expected)
{
    char text[200];
    int n = 0;

    assert_int_equal(analyse(hex, 0x401000), SD_OK);
    text[0] = '\0';
    for (size_t i = 0; i < analyser.reroll.n_deps; i++) {
        struct sd_overlap o = analyser.reroll.deps[i].overlap;

        n += snprintf(text + n, sizeof text - (size_t)n, "%s%s %d",
                      i > 0 ? ", " : "", sd_relation_name(o), o.offset);
    }
    assert_string_equal(text, expected);
}

TEST(the_bytes_of_a_load_lie_to_those_of_its_stores)
{
    /* movq %rax,(%rdi); movq (%rdi),%rbx */
    assert_overlaps("488907488b1f", "same 0");
    /* movq %rax,(%rdi); movl 4(%rdi),%ebx */
    assert_overlaps("4889078b5f04", "contained 4");
    /* movq %rax,(%rdi); movl 6(%rdi),%ebx */
    assert_overlaps("4889078b5f06", "partial 6");
    /* movl %eax,(%rdi); movq -2(%rdi),%rbx */
    assert_overlaps("8907488b5ffe", "partial -2");
    /* movq %rax,(%rdi); movb %bl,3(%rdi); movq (%rdi),%rcx */
    assert_overlaps("488907885f03488b0f", "several 0, several -3");
}

TEST(all_parts_of_an_access_count)
{
    /* movdqu %xmm0,(%rdi); movdqu (%rdi),%xmm1 */
    assert_overlaps("f30f7f07f30f6f0f", "same 0");
    /* movdqu %xmm0,(%rdi); movq 8(%rdi),%rax */
    assert_overlaps("f30f7f07488b4708", "contained 8");
    /* movdqu %xmm0,(%rdi); movdqu 8(%rdi),%xmm1 */
    assert_overlaps("f30f7f07f30f6f4f08", "partial 8");
    /* movq %rax,(%rdi); movq %rbx,8(%rdi); movdqu (%rdi),%xmm0 */
    assert_overlaps("48890748895f08f30f6f07", "several 0, several -8");
    /* vmovups %ymm0,(%rdi); vmovups (%rdi),%ymm1 */
    assert_overlaps("c5fc1107c5fc100f", "same 0");
    /* fstpt (%rdi); fldt (%rdi) */
    assert_overlaps("db3fdb2f", "same 0");
}

TEST(overlaps_hold_in_all_iterations)
{
    /* movq (%rdi),%rax; movq %rax,(%rdi); addq $4,%rdi */
    assert_overlaps("488b074889074883c704", "partial 4");
    /* movq -4(%rdi),%rax; movq %rax,(%rdi); addq $4,%rdi */
    assert_overlaps("488b47fc4889074883c704", "same 0");
    /* movq -6(%rdi),%rax; movq %rax,(%rdi); addq $4,%rdi: the first iteration
       with a pair does not show the store of two before */
    assert_overlaps("488b47fa4889074883c704", "several -2, several 2");
    /* movdqu (%rdi),%xmm0; movdqu %xmm0,(%rdi); addq $8,%rdi */
    assert_overlaps("f30f6f07f30f7f074883c708", "partial 8");
    /* movq (%rdi),%rax; movl %eax,(%rdi) */
    assert_overlaps("488b078907", "partial 0");
}

TEST(overlaps_are_unknown_where_several_stores_share_an_instruction)
{
    /* movl $4,%ecx; movq %rdi,%rbx; rep stosq; movq (%rbx),%rax */
    assert_overlaps("b904000000 4889fb f348ab 488b03", "unknown 0");
}

TEST(an_iteration_sees_stores_of_earlier_ones)
{
    /* addl $1,(%rdx) */
    assert_deps("830201", "0>0@1");
    /* movq (%rdi),%rax; movq %rax,8(%rdi); addq $8,%rdi */
    assert_deps("488b07488947084883c708", "1>0@1");
    /* movl (%rdi),%eax; movl %eax,20(%rdi); addq $4,%rdi */
    assert_deps("8b078947144883c704", "1>0@5");
    /* movq (%rdi),%rax; movq %rax,-8(%rdi); subq $8,%rdi */
    assert_deps("488b07488947f84883ef08", "1>0@1");
    /* movslq %ecx,%rax; movq %rdx,(%rdi,%rax,8); movq -8(%rdi,%rax,8),%rbx;
     * incl %ecx */
    assert_deps("4863c1488914c7488b5cc7f8ffc1", "1>2@1");
    /* movq (%rdi),%rax; movq %rbx,(%rdi); movq %rcx,(%rdi) */
    assert_deps("488b0748891f48890f", "2>0@1");
    /* movq (%rdi),%rdi; movq %rax,(%rdi) */
    assert_deps("488b3f488907", "1>0@1");
}

TEST(blocks_at_unrelated_addresses_have_no_dependency)
{
    /* movq (%rdi),%rax; movq %rax,(%rsi); addq $8,%rdi; addq $8,%rsi */
    assert_deps("488b074889064883c7084883c608", "");
    /* callq .+5 */
    assert_deps("e800000000", "");
    /* movsq */
    assert_deps("48a5", "");
    /* rep movsb */
    assert_deps("f3a4", "");
}

TEST(a_rep_prefix_repeats_if_its_count_is_known)
{
    /* movl $4,%ecx; movq %rdi,%rbx; rep stosq; movq (%rbx),%rax;
       movq -8(%rdi),%rax; movq 24(%rbx),%rax; movq 32(%rbx),%rax */
    assert_deps("b904000000 4889fb f348ab 488b03 488b47f8 488b4318 488b4320",
                "2>3@0 2>4@0 2>5@0");
    /* with xorl %ecx,%ecx for the first, and no load of what is beside */
    assert_deps("31c9 4889fb f348ab 488b03", "");
    /* with the most elements that are repeated, $1024, and loads of the last
       one and the bytes after it: movq 0x1ff8(%rbx) and 0x2000(%rbx),%rax */
    assert_deps("b900040000 4889fb f348ab 488b83f81f0000 488b8300200000",
                "2>3@0");
    /* with one more, or an unknown number: only the first element is seen */
    assert_deps("b901040000 4889fb f348ab 488b03 488b4308", "2>3@0");
    assert_deps("4889fb f348ab 488b03 488b4308", "1>2@0");
}

TEST(a_repeated_comparison_ends_at_a_difference)
{
    /* movl $0x2020,(%rdi); movb $0,2(%rdi); movl $8,%ecx; movb $32,%al;
       repe scasb; movb $1,-1(%rdi); movb (%rdi),%bl: rdi is 3 further */
    assert_deps("c70720200000 c6470200 b908000000 b020 f3ae c647ff01 8a5ffe",
                "0>4@0 0>6@0 1>4@0");
}

TEST(the_stack_is_memory)
{
    /* pushq %rax; popq %rbx */
    assert_deps("505b", "0>1@0");
    /* popq %rax; pushq %rax; popq %rbx */
    assert_deps("58505b", "1>2@0");
    /* pushq %rbp; movq %rsp,%rbp; movl $1,-4(%rbp); movl -4(%rbp),%eax; leave
     */
    assert_deps("554889e5c745fc010000008b45fcc9", "0>4@0 2>3@0");
    /* movq (%rdi),%rax; andq $-16,%rsp; movq %rbx,(%rsp); movq (%rsp),%rcx */
    assert_deps("488b074883e4f048891c24488b0c24", "2>3@0");
}

TEST(addresses_agree_however_they_are_computed)
{
    /* leaq 16(%rdi,%rcx,4),%rsi; movq %rax,(%rsi); movq 16(%rdi,%rcx,4),%rbx */
    assert_deps("488d748f10488906488b5c8f10", "1>2@0");
    /* movq %rcx,%rax; shlq $3,%rax; addq %rdi,%rax; movq %rdx,(%rax); movq
     * (%rdi,%rcx,8),%rbx */
    assert_deps("4889c848c1e0034801f8488910488b1ccf", "3>4@0");
    /* imulq $24,%rcx,%rax; movq %rdx,(%rdi,%rax); leaq (%rcx,%rcx,2),%rbx; movq
     * (%rdi,%rbx,8),%rsi */
    assert_deps("486bc11848891407488d1c49488b34df", "1>3@0");
    /* movq %rdx,%r9; movq $0,%rdx; movq $100,%rax; movq $7,%rcx; divq %rcx;
     * movq %rbx,(%rdi,%rdx,8); movq 16(%rdi),%rbx */
    assert_deps("4989d148c7c20000000048c7c06400000048c7c10700000048f7f148891cd7"
                "488b5f10",
                "5>6@0");
    /* movb $1,%ah; movzbl %ah,%ecx; movq %rbx,(%rdi,%rcx,8); movq 8(%rdi),%rdx
     */
    assert_deps("b4010fb6cc48891ccf488b5708", "2>3@0");
    /* movabsq $0x0800000000000000,%rax; bswapq %rax; movq %rbx,8(%rdi); movq
     * (%rdi,%rax),%rcx */
    assert_deps("48b80000000000000008480fc848895f08488b0c07", "2>3@0");
    /* movl %eax,0x10(%rip); movl 0xa(%rip),%ebx */
    assert_deps("8905100000008b1d0a000000", "0>1@0");
    /* xorl %eax,%eax; movq %rbx,(%rdi,%rax,8); movq (%rdi),%rcx */
    assert_deps("31c048891cc7488b0f", "1>2@0");
    /* addq %rax,%rcx; adcq $0,%rdx; movq %rbx,(%rdi,%rdx,8); movq
     * (%rdi,%rdx,8),%rsi */
    assert_deps("4801c14883d20048891cd7488b34d7", "2>3@0");
}

TEST(flags_decide_values)
{
    /* testq %rax,%rax; cmovneq %rdi,%rsi; movq %rcx,(%rsi); movq (%rdi),%rbx;
     * movq (%rsi),%rbx */
    assert_deps("4885c0480f45f748890e488b1f488b1e", "2>3@0 2>4@0");
    /* cmpq $5,%rcx; setl %al; movzbl %al,%eax; movq %rbx,(%rdi,%rax,8); movq
     * (%rdi,%rax,8),%rdx */
    assert_deps("4883f9050f9cc00fb6c048891cc7488b14c7", "3>4@0");
    /* movl $3,%ecx; cmpl $5,%ecx; setl %al; movzbl %al,%eax; movq %rbx,8(%rdi);
     * movq (%rdi,%rax,8),%rdx */
    assert_deps("b90300000083f9050f9cc00fb6c048895f08488b14c7", "4>5@0");
    /* movl $64,%ecx; shlq %cl,%rax; movq %rbx,(%rdi); movq (%rdi),%rdx */
    assert_deps("b94000000048d3e048891f488b17", "2>3@0");
}

TEST(pointers_keep_their_value_in_memory_and_vectors)
{
    /* movq %rdi,(%rsi); movq %rax,8(%rdi); movq (%rsi),%rdx; movq 8(%rdx),%rbx
     */
    assert_deps("48893e48894708488b16488b5a08", "0>2@0 1>3@0");
    /* movq (%rdi),%rax; movq %rbx,(%rsi); xchgq %rdi,%rsi */
    assert_deps("488b0748891e4887fe", "1>0@1");
    /* movq %rdi,%xmm0; movdqu %xmm0,(%rsi); movdqu (%rsi),%xmm1; movq
     * %xmm1,%rdx; movq %rax,(%rdi); movq (%rdx),%rbx */
    assert_deps("66480f6ec7f30f7f06f30f6f0e66480f7eca488907488b1a",
                "1>2@0 4>5@0");
    /* movq %rdi,%xmm0; movq %rsi,%xmm1; punpcklqdq %xmm1,%xmm0; movups
     * %xmm0,(%r8); movq 8(%r8),%rdx; movq %rax,(%rsi); movq (%rdx),%rbx */
    assert_deps("66480f6ec766480f6ece660f6cc1410f1100498b5008488906488b1a",
                "3>4@0 5>6@0");
}

TEST(atomic_instructions_read_and_write)
{
    /* lock cmpxchgq %rcx,(%rdi) */
    assert_deps("f0480fb10f", "0>0@1");
    /* lock xaddq %rax,(%rdi) */
    assert_deps("f0480fc107", "0>0@1");
    /* xchgq %rax,(%rdi) */
    assert_deps("488707", "0>0@1");
    /* lock cmpxchg16b (%rdi) */
    assert_deps("f0480fc70f", "0>0@1");
    /* lock incl (%rdi) */
    assert_deps("f0ff07", "0>0@1");
}

TEST(wide_and_x87_accesses_are_seen_byte_by_byte)
{
    /* vmovdqu %ymm0,(%rdi); vmovdqu 16(%rdi),%ymm1 */
    assert_deps("c5fe7f07c5fe6f4f10", "0>1@0");
    /* fldt (%rdi); fstpt (%rdi) */
    assert_deps("db2fdb3f", "1>0@1");
    /* fldl (%rdi); fstpl (%rsi); movq (%rsi),%rax */
    assert_deps("dd07dd1e488b06", "1>2@0");
}

TEST(a_possible_access_is_assumed_to_happen)
{
    /* vaddps %ymm1,%ymm1,%ymm1; vmaskmovps %ymm0,%ymm1,(%rdi);
       movq (%rdi),%rax: the mask is unknown */
    assert_deps("c5f458c9c4e2752e07488b07", "1>2@0");
    /* vpxor %ymm1,%ymm1,%ymm1; ...: the mask is zero */
    assert_deps("c5f5efc9c4e2752e07488b07", "");
    /* movq $1,%rax; movq $2,(%rdi); lock cmpxchgq %rcx,(%rdi);
       movq (%rdi),%r8: it compares 1 with 2, and writes nothing */
    assert_deps("48c7c00100000048c70702000000f0480fb10f4c8b07", "1>2@0 1>3@0");
}

TEST(a_masked_load_has_a_value_where_its_mask_is_known)
{
    /* movq %rdi,(%rsi); movq $-1,%rcx; movq %rcx,%xmm1;
       vpmaskmovq (%rsi),%xmm1,%xmm0; vmovq %xmm0,%rdx; movq %rax,(%rdi);
       movq (%rdx),%rbx */
    assert_deps("48893e 48c7c1ffffffff 66480f6ec9 c4e2f18c06 c4e1f97ec2 488907"
                "488b1a",
                "0>3@0 5>6@0");
    /* the same with vaddps %xmm1,%xmm1,%xmm1 for the mask */
    assert_deps("48893e c5f058c9 c4e2f18c06 c4e1f97ec2 488907 488b1a", "0>2@0");
}

TEST(helpers_access_what_they_declare)
{
    /* fxsave (%rdi); movq 8(%rdi),%rax */
    assert_deps("0fae07488b4708", "0>1@0");
    /* fnstenv (%rdi); movl 4(%rdi),%eax */
    assert_deps("d9378b4704", "0>1@0");
}

TEST(a_pointer_moves_through_the_x87_stack)
{
    /* movq %rdi,(%rsi); fldl (%rsi); fld %st(0); fstpl (%rdx); fstp %st(0);
       movq (%rdx),%rbx; movq %rax,(%rdi); movq (%rbx),%rcx */
    assert_deps("48893edd06d9c0dd1addd8488b1a488907488b0b",
                "0>1@0 3>5@0 6>7@0");
}

TEST(the_x87_stack_has_eight_registers)
{
    /* movq %rax,(%rsi) and %rbx, %rcx, %rdx, %rdi, %r8, %r9, %r10 after it;
       fldl of each, fstpl 64(%rsi) of each; then for each, the last first,
       movq 64(%rsi),%rbp; movq %r11,(%rbp); movq (%r10),%r12 and so on */
    assert_deps(
        "488906 48895e08 48894e10 48895618 48897e20 4c894628 4c894e30 4c895638"
        "dd06 dd4608 dd4610 dd4618 dd4620 dd4628 dd4630 dd4638"
        "dd5e40 dd5e48 dd5e50 dd5e58 dd5e60 dd5e68 dd5e70 dd5e78"
        "488b6e40 4c895d00 4d8b22 488b6e48 4c895d00 4d8b21"
        "488b6e50 4c895d00 4d8b20 488b6e58 4c895d00 4c8b27"
        "488b6e60 4c895d00 4c8b22 488b6e68 4c895d00 4c8b21"
        "488b6e70 4c895d00 4c8b23 488b6e78 4c895d00 4c8b20",
        "0>8@0 1>9@0 2>10@0 3>11@0 4>12@0 5>13@0 6>14@0 7>15@0 "
        "16>24@0 17>27@0 18>30@0 19>33@0 20>36@0 21>39@0 22>42@0 23>45@0 "
        "25>26@0 28>29@0 31>32@0 34>35@0 37>38@0 40>41@0 43>44@0 46>47@0");
}

TEST(the_x87_stack_and_mmx_registers_are_the_same)
{
    /* movq %rdi,(%rsi); movq %rax,%mm7; emms; fldl (%rsi); movq %mm7,%rbx;
       movq %rcx,(%rdi); movq (%rbx),%rdx */
    assert_deps("48893e 480f6ef8 0f77 dd06 480f7efb 48890f 488b13",
                "0>3@0 5>6@0");
}

TEST(an_access_at_an_undecided_address_is_only_counted)
{
    uint64_t loads = analyser.counts->n_unknown_loads;
    uint64_t stores = analyser.counts->n_unknown_stores;

    /* movsd (%rdi),%xmm0; addsd %xmm1,%xmm0; movsd %xmm0,(%rdi); movq
     * (%rdi),%rax; movq %rbx,(%rax); movq (%rax),%rcx */
    assert_deps("f20f1007f20f58c1f20f1107488b07488918488b08", "2>0@1 2>3@0");
    assert_int_equal(analyser.counts->n_unknown_loads, loads + 1);
    assert_int_equal(analyser.counts->n_unknown_stores, stores + 1);
}

TEST(a_block_that_takes_too_much_work_has_no_result)
{
    /* addb (%rax),%al; addb %al,(%rax), which never settles; movsd
       (%rsi),%xmm0; addsd %xmm1,%xmm0; movsd %xmm0,(%rsi); movq (%rsi),%rcx;
       movq (%rcx),%rcx */
    static const char hex[] =
        "0200 0000 f20f1006 f20f58c1 f20f1106 488b0e 488b09";
    static const char deps[] = "1>0@1 4>2@1 4>5@0";
    uint64_t loads, work;

    assert_deps(hex, deps);
    work = analyser.exec.work;
    loads = analyser.counts->n_unknown_loads;
    for (uint64_t most = 0; most < work; most += 1 + work / 50) {
        analyser.exec.most_work = most;
        assert_int_equal(analyse(hex, 0x401000), SD_TOO_COSTLY);
        assert_string_equal(deps_found(), "");
        assert_true(analyser.n_unknowns == 0 && analyser.exec.work > most);
        /* and little more is done */
        assert_true(analyser.exec.work <= most + SD_WORK_OF_BLOCK);
    }
    assert_int_equal(analyser.counts->n_unknown_loads, loads);
    analyser.exec.most_work = work;
    assert_deps(hex, deps);
    assert_int_equal(analyser.counts->n_unknown_loads, loads + 1);
    assert_int_equal(analyser.exec.work, work);
    analyser.exec.most_work = UINT64_MAX;
}

TEST(only_the_result_and_r11_are_unknown_after_a_system_call)
{
    /* movq (%r11),%rdx; movq %rbx,(%r11); syscall */
    assert_deps("498b13 49891b 0f05", "");
    /* the same with %rax, with %r10, %r12 and %rdi for %r11 */
    assert_deps("488b10 488918 0f05", "");
    assert_deps("498b12 49891a 0f05", "1>0@1");
    assert_deps("498b1424 49891c24 0f05", "1>0@1");
    assert_deps("488b17 48891f 0f05", "1>0@1");
}

TEST(elements_of_rep_instructions_end_a_run_early)
{
    /* movl $1023,%ecx; movq %rsi,%rdi; rep stosb; movb (%rsi),%al: 64
       iterations, and after them no more */
    assert_deps("b9ff030000 4889f7 f3aa 8a06", "2>3@0");
    assert_true(analyser.reroll.deps[0].support == 1);
}

TEST(a_block_is_unrolled_to_the_reorder_buffer_and_at_least_twice)
{
    struct sd_settings small = analyser.settings;

    /* movl (%rdi),%eax; movl %eax,20(%rdi); addq $4,%rdi: five iterations
       lie between; rob + 3 instructions are 5 iterations or 6 */
    analyser.settings.rob = 12;
    assert_deps("8b07 894714 4883c704", "");
    analyser.settings.rob = 13;
    assert_deps("8b07 894714 4883c704", "1>0@5");
    /* addl $1,(%rdx), of one instruction: 1 + rob iterations, at least 2 */
    analyser.settings.rob = 1;
    assert_deps("830201", "0>0@1");
    analyser.settings = small;
}

TEST(a_wide_access_is_recorded_in_parts_of_eight_bytes)
{
    /* fnstenv (%rdi) of 28 bytes; movb 27(%rdi) and 28(%rdi) */
    assert_deps("d937 8a471b", "0>1@0");
    assert_deps("d937 8a471c", "");
    /* fstpt (%rdi) of ten bytes; movb 9(%rdi) and 10(%rdi) */
    assert_deps("db3f 8a4709", "0>1@0");
    assert_deps("db3f 8a470a", "");
}

TEST(an_unknown_instruction_marks_its_block)
{
    /* xsavec (%rdi); movq (%rdi),%rax */
    assert_int_equal(analyse("0fc727488b07", 0), SD_UNDECODABLE);
    assert_int_equal(analyser.reroll.n_deps, 0);
    /* a segment prefix on a string instruction makes VEX panic */
    assert_int_equal(analyse("64f3a4", 0), SD_PANIC);
    assert_deps("830201", "0>0@1"); /* the analysis goes on afterwards */
}

TEST(equal_lengths_are_not_counted)
{
    uint64_t before = analyser.counts->n_lengths_differ;

    assert_deps("488907 488b1f", "0>1@0");
    assert_int_equal(analyser.counts->n_lengths_differ, before);
}

TEST(a_block_that_ends_with_a_trap_is_analysed)
{
    assert_deps("488907488b1f0f0b", "0>1@0");
}

TEST(equal_bytes_at_another_place_compute_other_addresses)
{
    /* mov %eax,0x10(%rip); mov 0x401016,%ebx: both are 0x401016 at 0x401000
       alone */
    const char *hex = "8905100000008b1c2516104000";

    assert_int_equal(analyse(hex, 0x401000), SD_OK);
    assert_string_equal(deps_found(), "0>1@0");
    assert_int_equal(analyse(hex, 0x402000), SD_OK);
    assert_string_equal(deps_found(), "");
}

TEST(an_address_in_the_code_may_be_cut_to_32_bits)
{
    /* leal 0x10(%rip),%eax; movq %rbx,(%rax); movq 0x401016,%rcx */
    assert_deps("8d0510000000488918488b0c2516104000", "1>2@0");
    /* movl %ebx,0x10(%eip); movl 0x401017,%ecx */
    assert_deps("67891d100000008b0c2517104000", "0>1@0");
}

TEST(random_bytes_neither_crash_nor_depend_on_earlier_blocks)
{
    static uint8_t bytes[64];
    uint64_t sums[2] = {0, 0};

    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t key = i % 10000, size = 1 + sd_random(1, key) % 40;

        for (uint64_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)sd_random(key, k);
        sd_blocks_add_bytes(&blocks, decoder(), bytes, size, NULL, key);
        if (blocks.n_insns > 0) {
            blocks.blocks[0].address = key;
            blocks.blocks[0].status = SD_OK;
            sums[i / 10000] +=
                1000 * sd_analyse(&analyser, &blocks, &blocks.blocks[0]) + 1;
            sums[i / 10000] += analyser.reroll.n_deps;
        }
        sd_blocks_fini(&blocks);
    }
    assert_true(sums[0] == sums[1]);
}

TEST(a_dependency_that_some_iterations_lack_has_less_support)
{
    /* addl $1,(%rdx); addl $0,%edx: cut to 32 bits after the first */
    assert_deps("83020183c200", "0>0@1");
    assert_true(analyser.reroll.deps[0].support < 1);
    assert_true(analyser.reroll.deps[0].support > 0.99);
}
